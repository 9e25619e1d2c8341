"""What the chapter on scores gives away: both scripts make the numbers on the screen again."""

import re
from functools import cache, partial

import pytest
import torch

from attention_core.scores import SCORES
from attention_ui.chapters.scoring import analogy, blocks, explorer, kernel_and_attention, masks, morph, scaling
from attention_ui.chapters.scoring.computation_blocks import chained
from attention_ui.chapters.scoring.computation_masks import Masking
from attention_ui.chapters.scoring.own_vectors import Vectors

WIDE = Vectors().resized(5, 8, 3, 1).tensors()
MASKS = {
    "padding": Masking(((4,) * 6, (2,) * 6)),
    "nothing": Masking(((1, 2, 0, 4, 0, 6), (0,) * 6), causal=True),
    "one sentence sees nothing": Masking(((4,) * 6, (0,) * 6)),
}


def chain(*choices):
    return blocks.exported(chained(*choices))


EXPORTS = {
    **{f"blocks, {score}": partial(chain, Vectors().tensors(), score, 1, 3) for score in SCORES},
    **{f"wide blocks, {score}": partial(chain, WIDE, score, 4, 7) for score in SCORES},
    "explorer": lambda: explorer.exported(8, 0, 1.0),
    "explorer, cold": lambda: explorer.exported(1, 9, 0.05),
    "explorer, wide": lambda: explorer.exported(512, 4, 20.0),
    "scaling": lambda: scaling.exported(64),
    "scaling, one dimension": lambda: scaling.exported(1),
    "morph": lambda: morph.exported(0, both=False),
    "morph, on the way": lambda: morph.exported(37, both=False),
    "morph, both": lambda: morph.exported(100, both=True),
    **{f"masks, {name}": partial(masks.exported, masking) for name, masking in MASKS.items()},
    "analogy": lambda: analogy.exported(0.5),
    "analogy, narrow": lambda: analogy.exported(0.05),
    "symmetry": lambda: kernel_and_attention.asymmetric_export(0, shared=False),
    "symmetry, shared": lambda: kernel_and_attention.asymmetric_export(7, shared=True),
    "likeness": lambda: kernel_and_attention.unlike_export(8),
    "likeness, none": lambda: kernel_and_attention.unlike_export(0),
    "order": lambda: kernel_and_attention.order_export(0),
    "order, another": lambda: kernel_and_attention.order_export(9),
    "positive": lambda: kernel_and_attention.definite_export(0),
    "positive, another": lambda: kernel_and_attention.definite_export(4),
}  # fmt: skip


@cache
def made(name):
    return EXPORTS[name]()


@pytest.mark.parametrize("name", EXPORTS)
def test_both_scripts_make_the_numbers_on_the_screen_again(agree, name):
    agree(made(name))


def results(export):
    """What is shown of what was computed, by name: of the weights at every d, those at the chosen one."""
    at = {"weights": slice(None)}
    if export.name == "why-root-d":
        at = {"weights": (slice(None), scaling.DIMENSIONS.index(int(export.title.split("d = ")[1].split(",")[0])))}
    return {name: value[at.get(name, ...)] for name, value in export.computation.shown.items()}


# Where a result stands: the table, and its column or what its columns begin with.
COLUMNS = {
    "attention-building-blocks": {
        "scores": ("weights", "score"),
        "weights": ("weights", "weight"),
        "output": ("output", "output_"),
    },
    "score-explorer": {"scores": ("weights", "score"), "weights": ("weights", "weight")},
    "why-root-d": {
        "variance": ("measures", "variance"),
        "effective_keys": ("measures", "effective_keys"),
        "gradient": ("measures", "gradient"),
        "weights": ("weights", "weight"),
    },
    "gaussian-to-dot-product": {"gaussian": ("weights", "gaussian"), "dot": ("weights", "dot")},
    "masked-attention": {
        "seen": ("weights", "seen"),
        "weights": ("weights", "weight"),
        "leaked": ("weights", "weight with -1e6"),
        "output": ("output", "output"),
        "example_weights": ("example", "k"),
    },
    "kernel-regression-is-attention": {"kernel": ("curves", "kernel regression"), "attention": ("curves", "attention")},
    "attention-has-a-direction": {"scores": ("scores", "score"), "excess": ("scores", "excess")},
    "attention-to-the-token-before": {"weights": ("weights", "weight")},
    "attention-knows-no-order": {"before": ("in-order", "weight"), "after": ("shuffled", "weight")},
    "attention-is-no-kernel": {"similarities": ("similarities", "similarity")},
}


@pytest.mark.parametrize("name", EXPORTS)
def test_the_tables_hold_the_results(name):
    export = made(name)
    for result, (table, column) in COLUMNS[export.name].items():
        if result in results(export):
            held = export.tables[table]
            columns = [column] if column in held else [each for each in held if each.startswith(column)]
            assert held[columns].to_numpy().flatten().tolist() == results(export)[result].flatten().tolist(), result


def cells(export):
    """The shades of all matrices, (M, Q, K)."""
    return torch.tensor([trace.z for trace in export.figure.data if trace.type == "heatmap"], dtype=torch.float64)


@pytest.mark.parametrize("name", EXPORTS)
def test_every_picture_says_what_it_shows(name):
    export = made(name)
    assert export.title
    assert re.fullmatch(r"[a-z-]+", export.name)
    said = [axis.title.text for axis in export.figure.select_xaxes() if axis.title.text]
    assert said or export.name in NUMBERED


NUMBERED = ("attention-building-blocks", "masked-attention")  # matrices whose titles say it, as on the page


def test_the_chain_is_drawn_with_the_numbers_of_the_page():
    export = made("blocks, cosine")
    titles = [note.text for note in export.figure.layout.annotations if note.xref == "paper"]
    assert titles[3] == "2 Weights: each row sums to 1"
    drawn = export.figure.data[3]
    assert [list(row) for row in drawn.z] == results(export)["weights"].tolist()
    assert drawn.text[1][3] == f"{results(export)['weights'][1, 3]:.3f}"


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("explorer, cold", "weights"),
        ("scaling", "weights"),
        ("symmetry", "excess"),
        ("likeness", "weights"),
        ("positive", "similarities"),
    ],
)
def test_the_heatmaps_are_the_results(name, result):
    export = made(name)
    assert torch.equal(cells(export), results(export)[result])


def test_the_graphs_run_over_every_dimension_and_mark_the_chosen_one():
    export = made("scaling")
    graphs = [trace for trace in export.figure.data if trace.type == "scatter"]
    lines, marks = ([trace for trace in graphs if trace.mode == mode] for mode in ("lines", "markers"))
    drawn = torch.tensor([trace.y for trace in lines], dtype=torch.float64)
    assert torch.equal(drawn, torch.cat([results(export)[name] for name in ("variance", "effective_keys", "gradient")]))
    assert all(list(trace.x) == list(scaling.DIMENSIONS) for trace in lines)
    at = scaling.DIMENSIONS.index(64)
    assert [(*mark.x, *mark.y) for mark in marks] == [(64, line.y[at]) for line in lines[::2]]


def test_the_morph_draws_the_plane_and_three_heatmaps():
    export = made("morph, on the way")
    near, along = results(export)["gaussian"], results(export)["dot"]
    assert torch.equal(cells(export), torch.stack([near, along, (near - along).abs()]))
    _, queries, keys, *_ = export.figure.data
    assert list(zip(keys.x, keys.y, strict=True)) == [tuple(place) for place in results(export)["keys"].tolist()]
    assert len(queries.x) == 5


def test_hidden_cells_are_crossed_out_and_what_leaks_stands_beside():
    export = made("masks, nothing")
    first, trick, *_ = export.figure.data
    assert [list(row) for row in first.z] == results(export)["weights"][0].tolist()
    assert [list(row) for row in trick.z] == results(export)["leaked"][0].tolist()
    crossed = [[text == "×" for text in row] for row in first.text]
    assert crossed == (~results(export)["seen"][0]).tolist()
    assert export.title == "Masked attention: causal, valid lengths one per query and 0, 8 queries without a key"


def test_a_sentence_without_a_leak_keeps_its_row_to_itself():
    figure = made("masks, one sentence sees nothing").figure
    assert [trace.xaxis for trace in figure.data] == ["x", "x3", "x4", "x5", "x6"]


def test_shuffled_tokens_keep_their_names():
    export = made("order")
    before, after = results(export)["before"], results(export)["after"]
    assert torch.equal(cells(export), torch.stack([before, after], 1).flatten(0, 1))
    assert list(export.figure.layout.xaxis2.ticktext) == ["ABCDEF"[place] for place in results(export)["order"]]
