"""What the browser is sent is what torch made: every tensor by its shape, every distribution, every head."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.transformer.decoding import Choice, write_text
from attention_core.transformer.recorder import Recorder
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer import decoding, diagram
from attention_ui.chapters.transformer.blocks import blocks
from attention_ui.chapters.transformer.models import LONGEST, REVERSE, checked, look, ready
from attention_ui.chapters.transformer.pictures import heads_picture, training_picture
from attention_ui.live.sequences import Check, Plan, SequenceRun
from tests.attention_ui.pictures.reading import opened

MODELS = {
    "ready": ready,
    "pre-norm, two layers": lambda: TransformerTrainingConfig(layers=2, norm_first=True, width=16).model(REVERSE),
    "no positions": lambda: TransformerTrainingConfig(positions=False, heads=4).model(REVERSE),
}
every_model = pytest.mark.parametrize("model", [made() for made in MODELS.values()], ids=list(MODELS))


@every_model
def test_every_tensor_arrives_with_the_models_own_shape_and_numbers(model):
    header, sent = opened(diagram.packed(model, "1203"))
    tensors = {}
    write_text(model, REVERSE, "1203", recorder=Recorder(tensors))
    for (name, told), arrived in zip(header["shown"].items(), sent, strict=True):
        expected = tensors[name]
        assert told["shape"] == list(expected.shape), name
        assert told["shape"][-2:] == [len(told["rows"]), len(told["columns"])], name
        assert torch.equal(arrived, expected), name
        assert told["low"] <= expected.min() <= expected.max() <= told["high"] + 1e-6, name


@every_model
def test_no_tensor_of_the_pass_is_forgotten_or_in_two_blocks(model):
    shown = [name for block in blocks(model.config) for name in block.tensors]
    assert len(shown) == len(set(shown))
    known = {name for name in look(model, "12").tensors if not name.endswith(".symbols")}
    # What a block hands on unchanged is shown where it is made.
    same = {"memory.output", "next.output"} | (set() if model.config.positions else {"source.placed", "target.placed"})
    assert known - set(shown) <= same


@every_model
def test_the_way_around_a_part_begins_below_it(model):
    for side in ("encoder", "decoder"):
        column = [block for block in blocks(model.config) if block.side == side]
        for place, block in enumerate(column):
            if block.skips:
                around = column[place - block.skips + 1 : place + 1]
                assert around[-1].title.startswith("Add")
                assert len({other.layer for other in around}) == 1
                assert sum(other.title in ("Feed-forward",) or "ttention" in other.title for other in around) == 1


@pytest.mark.parametrize("seed", [None, 3])
def test_every_temperature_has_torchs_distribution(seed):
    writing = decoding.Writing(ready(), "31415", seed)
    header, sent = opened(decoding.packed(writing, "slider"))
    runs = len(header["runs"])
    assert len(header["runOf"]) == len(decoding.TEMPERATURES)
    for temperature, mine in zip(decoding.TEMPERATURES, sent[runs:], strict=True):
        logits = look_at(writing, temperature).tensors["next.logits"][0, :, 2:]
        expected = (logits / temperature).softmax(-1) if temperature else (logits == logits.amax(-1, True)).float()
        assert torch.allclose(mine, expected, atol=1e-6)
    assert (runs > 1) == (seed is not None)


def look_at(writing, temperature):
    drawn = writing.seed is not None and temperature
    return look(writing.model, writing.text, Choice(temperature, writing.seed) if drawn else Choice())


def test_greedy_writing_reverses_and_its_rows_are_the_heads_own():
    header, (first, *_) = opened(decoding.packed(decoding.Writing(ready(), "31415"), "slider"))
    assert header["runs"] == [{"symbols": ["5", "1", "4", "1", "3", "end"]}]
    cross = write_text(ready(), REVERSE, "31415").cross
    assert torch.equal(first, cross)


@pytest.mark.parametrize(("layers", "heads", "across"), [(1, 1, 3), (1, 2, 3), (1, 4, 4), (2, 4, 8)])
def test_there_is_a_heatmap_for_every_head(layers, heads, across):
    text = write_text(TransformerTrainingConfig(layers=layers, heads=heads).model(REVERSE), REVERSE, "12")
    made = heads_picture(text)
    assert len(made.panels) == len({panel.title for panel in made.panels}) == 3 * layers * heads
    assert made.across == across
    for panel in made.panels:
        assert torch.allclose(panel.frames.sum(-1), torch.ones(len(panel.rows)), atol=1e-5)
    last = [panel for panel in made.panels if panel.title.startswith("Cross")][-1]
    assert torch.equal(last.frames, text.cross[-1, -1])


def test_the_training_picture_shows_every_look():
    steps = [Check(step, 0.0, step / 50, torch.rand(1, 2, 3, 2).softmax(-1)) for step in (0, 25, 50)]
    losses = [2.5 - step / 25 for step in range(50)]
    made = training_picture(steps, steps, losses, 50, ("12", "21"))
    assert made.captions == ("step 0: 0.0% right", "step 25: 50.0% right", "step 50: 100.0% right")
    assert torch.equal(made.panels[1].frames, torch.stack([step.weights[0, 1] for step in steps]))
    loss, exact = made.graphs
    assert torch.allclose(loss.ball[1], torch.tensor([losses[0], losses[25], losses[49]]))
    assert exact.traces[0].y.tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("bad", ["", "  ", "12a", "1 2", "9" * (LONGEST + 1), "x" * 10_000, "１２", "-1"])
def test_what_is_not_digits_is_refused_in_a_short_sentence(bad):
    with pytest.raises(InputError) as refused:
        checked(bad)
    assert 10 < len(str(refused.value)) < 120


def test_a_run_is_trained_in_slices_and_its_model_is_a_copy():
    small = TransformerTrainingConfig(steps=12, batch=8, width=8, hidden=8, check_every=6, check_count=4, longest=3)
    run = SequenceRun(Plan("reverse", small))
    assert (run.step, [check.step for check in run.checks]) == (0, [0])
    run.advance(0)
    first = run.model()
    assert (run.step, run.complete, run.running) == (1, False, True)
    assert run.model() is first
    before = first.output.weight.clone()
    run.advance(60)
    assert (run.step, run.complete, run.running) == (12, True, False)
    assert [check.step for check in run.checks] == [0, 6, 12]
    assert torch.equal(first.output.weight, before), "what was looked at stays as it was"
    assert not torch.equal(run.model().output.weight, before)
