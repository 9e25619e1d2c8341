"""What the chapter on the Transformer gives away: its scripts make the numbers of every view again."""

from functools import cache

import pytest
import torch

from attention_core.checks import InputError
from attention_core.sequences.vocabulary import END
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer.blocks import blocks
from attention_ui.chapters.transformer.choices import Asked
from attention_ui.chapters.transformer.computation import made_as
from attention_ui.chapters.transformer.decoding import Writing, probabilities, written
from attention_ui.chapters.transformer.diagram import names
from attention_ui.chapters.transformer.export import block_export, decoding_export, heads_export, training_export
from attention_ui.chapters.transformer.models import REVERSE, look, ready
from attention_ui.live.sequences import Plan, SequenceRun
from tests.attention_ui.export.exported import cells

SMALL = {"batch": 4, "width": 8, "hidden": 8, "check_every": 2, "check_count": 3}
PRE = TransformerTrainingConfig(steps=6, layers=2, norm_first=True, seed=3, **SMALL)
BARE = TransformerTrainingConfig(steps=3, heads=1, positions=False, **SMALL)


@cache
def trained(config: TransformerTrainingConfig, made: int) -> SequenceRun:
    run = SequenceRun(Plan("reverse", config), running=False)
    while run.step < made:
        run.advance(0)
    return run


def asked(whose: str) -> Asked:
    if whose == "ready":
        return Asked(ready(), "31415", None)
    run = trained(PRE, 5) if whose == "pre" else trained(BARE, 3)
    return Asked(run.model(), "907", run)


def check_block(whose, name, agree, runs):
    """What the block's function makes is the tensor of the model's own pass, which travels to the page."""
    chosen = asked(whose)
    expected = look(chosen.model, chosen.text).tensors[name]
    export, rows = block_export(chosen, name), expected.reshape(-1, expected.shape[-1])
    made = export.computation.shown[made_as(name)].reshape(rows.shape)
    torch.testing.assert_close(made, rows, atol=1e-5, rtol=1e-5)
    word = {"sum": "total"}.get(name.rpartition(".")[2], name.rpartition(".")[2])
    assert torch.equal(cells(export.tables[word], rows.shape[-1]).float(), made)
    if runs:
        agree(export)


def test_every_block_of_the_ready_model(agree):
    for block in blocks(ready().config):
        for name in block.tensors:
            check_block("ready", name, agree, runs=name == block.tensors[0])


# What differs where the norm comes first, in a second layer, and without positions.
OTHERS = {
    "pre": (
        *("encoder.1.self_attention.norm", "encoder.0.feed_forward.sum", "encoder.1.self_attention.queries"),
        *(
            "memory.output",
            "next.output",
            "next.logits",
            "decoder.1.cross_attention.keys",
            "decoder.1.feed_forward.norm",
        ),
        *("decoder.0.self_attention.output", "decoder.0.self_attention.sum"),
    ),
    "bare": ("source.embedded", "target.embedded", "encoder.0.feed_forward.norm", "decoder.0.self_attention.weights"),
}


@pytest.mark.parametrize("whose", OTHERS)
def test_blocks_of_other_models(whose, agree):
    for name in OTHERS[whose]:
        assert name in names(asked(whose).model)
        check_block(whose, name, agree, runs=True)


@pytest.mark.parametrize("whose", ["ready", "pre"])
def test_all_heads(whose, agree):
    chosen = asked(whose)
    export = agree(heads_export(chosen))
    text = look(chosen.model, chosen.text).text
    for kind in ("encoder", "decoder", "cross"):
        torch.testing.assert_close(export.computation.shown[kind], getattr(text, kind))
    drawn = torch.tensor(export.figure.data[-1].z)
    torch.testing.assert_close(drawn, text.cross[-1, -1])


@pytest.mark.parametrize(
    ("whose", "seed", "temperature"),
    [("ready", None, 0.35), ("ready", None, 0.0), ("ready", 3, 5.0), ("ready", 3, 0.0), ("pre", 1, 2.0)],
)
def test_the_writing_of_a_text(whose, seed, temperature, agree):
    chosen = asked(whose)
    export = agree(decoding_export(chosen, seed, temperature))
    frame, shown = written(Writing(chosen.model, chosen.text, seed), temperature), export.computation.shown
    assert tuple(shown["symbols"]) == tuple(export.tables["probabilities"].written) == frame.text.symbols
    chances = probabilities(frame.tensors["next.logits"][0], temperature)[:, END:]  # as they travel to the page
    torch.testing.assert_close(shown["probabilities"], chances)
    torch.testing.assert_close(shown["cross"], frame.text.cross)
    shares = cells(export.tables["probabilities"], len(REVERSE.target.symbols) - END)
    assert torch.equal(shares.float(), shown["probabilities"])


@pytest.mark.parametrize(
    ("config", "made"), [(PRE, 5), (PRE, 1), (BARE, 3), (TransformerTrainingConfig(steps=100, check_every=2), 3)]
)
def test_a_run(config, made, agree):
    run = trained(config, made)
    export = agree(training_export(run))
    assert export.computation.shown["losses"].tolist() == run.losses == export.tables["losses"].loss.tolist()
    assert "weights" in export.computation.shown, "the last step is always checked"


@pytest.mark.parametrize("run", [None, SequenceRun(Plan("reverse", BARE), running=False)], ids=["none", "new"])
def test_without_a_run_there_is_nothing_to_take_home(run):
    with pytest.raises(InputError, match="Train first"):
        training_export(run)
