"""What the chapter on Bahdanau's decoder gives away: its scripts make the numbers of every view again."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.sequences.decoding import outputs, trace
from attention_core.sequences.tasks import TASKS
from attention_core.sequences.trained import model_of
from attention_ui.chapters.bahdanau.choices import Asked, plan
from attention_ui.chapters.bahdanau.export import explain_export, lengths_export, steps_export, training_export
from attention_ui.live.sequences import SequenceRun
from tests.attention_ui.export.exported import cells

TEXTS = [
    Asked("reverse", "31415"),
    Asked("reverse", "7"),
    Asked("dates", "Tue, Mar 3, 1998"),
    Asked("dates", "May 1998"),
]


@pytest.mark.parametrize("asked", TEXTS, ids=lambda asked: asked.text)
def test_the_alignment(asked, agree):
    export = agree(steps_export(asked))
    shown, expected = export.computation.shown, trace(model_of(asked.task_name), asked.task, asked.text)
    for name in ("scores", "weights", "contexts", "probabilities"):
        torch.testing.assert_close(shown[name], getattr(expected, name))
    assert tuple(shown["symbols"]) == expected.symbols
    assert torch.equal(cells(export.tables["weights"], len(asked.text)).float(), shown["weights"])
    torch.testing.assert_close(torch.tensor(export.figure.data[0].z), shown["weights"])


@pytest.mark.parametrize(("asked", "row"), [(TEXTS[0], 2), (TEXTS[1], 1), (TEXTS[3], 10)], ids=str)
def test_attention_as_explanation(asked, row, agree):
    export = agree(explain_export(asked, row))
    assert torch.equal(cells(export.tables["effects"], len(asked.text)).float(), export.computation.shown["effects"])
    tried = export.tables["swaps"]
    assert tried[tried.attended == "most"].changed.sum() == export.computation.shown["changes"][0]
    assert outputs(model_of(asked.task_name), asked.task, tried.text.tolist()) == tried.output.tolist()


@pytest.mark.parametrize("length", [8, 15])
def test_the_lengths(length, agree):
    export = agree(lengths_export(length))
    assert list(export.figure.data[1].y) == export.computation.shown["fixed_context"].tolist()
    written = export.tables["written"]
    right = written["with_attention"] == written.text.map(TASKS["reverse"].solve)
    assert right.groupby(written.text.str.len()).mean().tolist() == export.computation.shown["with_attention"].tolist()


def trained(task_name: str, steps: int, made: int) -> SequenceRun:
    run = SequenceRun(plan(task_name, 4, steps, 0.03, 2), running=False)
    while run.step < made:
        run.advance(0)
    return run


@pytest.mark.parametrize(
    ("task_name", "steps", "made"), [("reverse", 20, 7), ("copy", 5, 5), ("sort", 60, 3), ("dates", 20, 5)]
)
def test_a_run(task_name, steps, made, agree):
    run = trained(task_name, steps, made)
    export = agree(training_export(run))
    assert export.tables["losses"].loss.tolist() == run.losses == export.computation.shown["losses"].tolist()
    assert len(run.losses) == made
    assert "weights" in export.computation.shown, "the last step is always checked"
    assert list(export.figure.data[1].y) == pytest.approx(run.losses)


@pytest.mark.parametrize("run", [None, SequenceRun(plan("copy", 4, 20, 0.03, 2), running=False)], ids=["none", "new"])
def test_without_a_run_there_is_nothing_to_take_home(run):
    with pytest.raises(InputError, match="Train first"):
        training_export(run)
