"""What the chapters on cues, on queries and on scores give away: both scripts make the numbers on the screen again."""

import contextlib
import io
import math
import re
import sys
from functools import cache, partial

import pytest
import torch

from attention_core.demos.cues import DESK
from attention_core.scores import SCORES
from attention_ui.chapters.cues import Cues
from attention_ui.chapters.cues.export import exported as cues_export
from attention_ui.chapters.qkv.export import exported as qkv_export
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked
from attention_ui.chapters.scoring import (
    export_analogy,
    export_blocks,
    export_contrasts,
    export_explorer,
    export_masks,
    export_morph,
    export_scaling,
)
from attention_ui.chapters.scoring.figures_blocks import chained
from attention_ui.chapters.scoring.masked import Masking
from attention_ui.chapters.scoring.own_vectors import Vectors

LINE, PLANE = SPACES["line"], SPACES["plane"]
WIDE = Vectors().resized(5, 8, 3, 1).tensors()
MASKS = {
    "padding": Masking(((4,) * 6, (2,) * 6)),
    "nothing": Masking(((1, 2, 0, 4, 0, 6), (0,) * 6), causal=True),
    "one sentence sees nothing": Masking(((4,) * 6, (0,) * 6)),
}


def blocks(*choices):
    return export_blocks.exported(chained(*choices))


EXPORTS = {
    "cues": lambda: cues_export(Cues()),
    "cues, another desk": lambda: cues_export(Cues((3.0, 0.0, 1.5, 6.0, 2.5), "write", 63)),
    "cues, no goal": lambda: cues_export(Cues((1.0, 2.0, 3.0, 4.0, 5.0), None, 20)),
    "qkv": lambda: qkv_export(Asked(LINE, LINE.start, 1.0)),
    "qkv, hot": lambda: qkv_export(Asked(LINE, (0.025,), math.inf)),
    "qkv, cold, between two keys": lambda: qkv_export(Asked(LINE, (1.1,), 0.0), (7, 3)),
    "qkv, plane": lambda: qkv_export(Asked(PLANE, (8.0, 0.0), TEMPERATURES[-2])),
    "qkv, hard": lambda: qkv_export(Asked(PLANE, PLANE.start, 4.64), (2000, 2**31 - 1)),
    **{f"blocks, {score}": partial(blocks, Vectors().tensors(), score, 1, 3) for score in SCORES},
    **{f"wide blocks, {score}": partial(blocks, WIDE, score, 4, 7) for score in SCORES},
    "explorer": lambda: export_explorer.exported(8, 0, "1"),
    "explorer, cold": lambda: export_explorer.exported(1, 9, "0.05"),
    "explorer, wide": lambda: export_explorer.exported(512, 4, "20"),
    "scaling": lambda: export_scaling.exported(64),
    "scaling, one dimension": lambda: export_scaling.exported(1),
    "morph": lambda: export_morph.exported(0, both=False),
    "morph, on the way": lambda: export_morph.exported(37, both=False),
    "morph, both": lambda: export_morph.exported(100, both=True),
    **{f"masks, {name}": partial(export_masks.exported, masking) for name, masking in MASKS.items()},
    "analogy": lambda: export_analogy.exported("0.5"),
    "analogy, narrow": lambda: export_analogy.exported("0.05"),
    "symmetry": lambda: export_contrasts.asymmetric(0, shared=False),
    "symmetry, shared": lambda: export_contrasts.asymmetric(7, shared=True),
    "likeness": lambda: export_contrasts.unlike(8),
    "likeness, none": lambda: export_contrasts.unlike(0),
    "order": lambda: export_contrasts.order(0),
    "order, another": lambda: export_contrasts.order(9),
    "positive": lambda: export_contrasts.definite(0),
    "positive, another": lambda: export_contrasts.definite(4),
}  # fmt: skip


@cache
def made(name):
    return EXPORTS[name]()


def run(code):
    """The names a script leaves behind, and what it printed."""
    names = {"__name__": "exported"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "exported", "exec"), names)  # our own text, built from our own values
    return names, printed.getvalue()


def compare(names, results):
    for name, expected in results.items():
        exact = {"rtol": 1e-9, "atol": 1e-9} if expected.dtype == torch.float64 else {"rtol": 1e-5, "atol": 1e-5}
        torch.testing.assert_close(names[name], expected, **exact, msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("name", EXPORTS)
def test_both_scripts_make_the_numbers_on_the_screen_again(name, monkeypatch):
    export = made(name)
    names, printed = run(export.script)
    compare(names, export.results)
    assert "attention_core" in export.script
    assert printed

    for module in ("attention_core", "attention_ui", "pandas"):
        monkeypatch.setitem(sys.modules, module, None)
    names, printed = run(export.plain)
    compare(names, export.results)
    assert printed


# Where a result stands: the table, and its column or what its columns begin with.
COLUMNS = {
    "two-cues": {
        "scores": ("objects", "score"),
        "weights": ("objects", "weight"),
        "output": ("gains", "amount"),
    },
    "query-keys-values": {
        "scores": ("pairs", "score"),
        "weights": ("pairs", "weight"),
        "heard": ("looks", "value"),
        "averages": ("looks", "average so far"),
        "errors": ("looks", "standard error"),
    },
    "attention-building-blocks": {
        "scores": ("weights", "score"),
        "weights": ("weights", "weight"),
        "output": ("output", "output_"),
    },
    "score-explorer": {"scores": ("weights", "score"), "weights": ("weights", "weight")},
    "why-root-d": {
        "variance": ("measures", "variance"),
        "reach": ("measures", "reach"),
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
        if result in export.results:  # soft attention has no looks
            held = export.tables[table]
            columns = [column] if column in held else [each for each in held if each.startswith(column)]
            assert held[columns].to_numpy().flatten().tolist() == export.results[result].flatten().tolist(), result


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


def test_the_bars_of_the_desk_are_its_weights_and_gains():
    export = made("cues, another desk")
    weights, gains = export.figure.data
    assert list(weights.x) == [thing.name for thing in DESK]
    assert list(weights.y) == export.results["weights"].tolist()
    assert list(gains.y) == export.results["output"].tolist()


def test_a_query_on_the_line_meets_its_output_and_below_it_the_looks():
    export = made("qkv, cold, between two keys")
    assert export.results["weights"].tolist() == [[0.5, 0.5, 0, 0, 0, 0]]
    keys, query, output, bars, *looks = export.figure.data
    assert list(keys.customdata) == list(bars.y) == export.results["weights"][0].tolist()
    assert set(query.x) == set(output.x) == {1.1}
    assert list(output.y) == export.results["output"].tolist() == [40.0]
    assert list(looks[-1].y) == export.results["averages"].tolist()


def test_the_chain_is_drawn_with_the_numbers_of_the_page():
    export = made("blocks, cosine")
    titles = [note.text for note in export.figure.layout.annotations]
    assert titles[3] == "2 Weights, rows sum to 1"
    drawn = export.figure.data[3]
    assert [list(row) for row in drawn.z] == export.results["weights"].tolist()
    assert drawn.text[1][3] == f"{export.results['weights'][1, 3]:.3f}"


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
    assert torch.equal(cells(export), export.results[result])


def test_the_graphs_run_over_every_dimension_and_mark_the_chosen_one():
    export = made("scaling")
    graphs = [trace for trace in export.figure.data if trace.type == "scatter"]
    drawn = torch.tensor([trace.y for trace in graphs], dtype=torch.float64)
    assert torch.equal(drawn, torch.cat([export.results[name] for name in ("variance", "reach", "gradient")]))
    assert all(trace.x[trace.marker.size.index(13)] == 64 for trace in graphs)


def test_the_morph_draws_the_plane_and_three_heatmaps():
    export = made("morph, on the way")
    near, along = export.results["gaussian"], export.results["dot"]
    assert torch.equal(cells(export), torch.stack([near, along, (near - along).abs()]))
    _, queries, keys, *_ = export.figure.data
    assert list(zip(keys.x, keys.y, strict=True)) == [tuple(place) for place in export.results["keys"].tolist()]
    assert len(queries.x) == 5


def test_hidden_cells_are_crossed_out_and_what_leaks_stands_beside():
    export = made("masks, nothing")
    first, trick, *_ = export.figure.data
    assert [list(row) for row in first.z] == export.results["weights"][0].tolist()
    assert [list(row) for row in trick.z] == export.results["leaked"][0].tolist()
    crossed = [[text == "×" for text in row] for row in first.text]
    assert crossed == (~export.results["seen"][0]).tolist()
    assert export.title == "Masked attention: causal, valid lengths one per query and 0, 8 queries see nothing"


def test_a_sentence_without_a_leak_keeps_its_row_to_itself():
    figure = made("masks, one sentence sees nothing").figure
    assert [trace.xaxis for trace in figure.data] == ["x", "x3", "x4", "x5", "x6"]


def test_shuffled_tokens_keep_their_names():
    export = made("order")
    before, after = export.results["before"], export.results["after"]
    assert torch.equal(cells(export), torch.stack([before, after], 1).flatten(0, 1))
    assert list(export.figure.layout.xaxis2.ticktext) == ["ABCDEF"[place] for place in export.results["order"]]
