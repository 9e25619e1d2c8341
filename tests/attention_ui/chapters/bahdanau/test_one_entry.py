"""A sequence task is one entry: it can be trained on its page, and both scripts of the download run."""

from attention_core.sequences.tasks import DIGITS, TASKS, Task, draw_digits
from attention_ui.chapters.bahdanau.choices import plan
from attention_ui.live.sequences import SequenceRun
from tests.pages.opening import opened


def next_digits(text):
    """Each digit plus one."""
    return "".join(str((int(digit) + 1) % 10) for digit in text)


def test_a_task_is_one_entry(monkeypatch, agree):
    monkeypatch.setitem(TASKS, "next", Task("Count digits", DIGITS, DIGITS, "31415", 30, next_digits, draw_digits))
    app = opened("bahdanau", bahdanau_tab="train", bahdanau_learns="next")
    control = app.segmented_control(key="bahdanau_learns")
    assert (control.value, control.options[-1]) == ("next", "Count")
    run = app.session_state["bahdanau_run"] = SequenceRun(plan("next", 4, 20, 0.03, 2), running=False)
    while run.step < 6:
        run.advance(0)
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    app.run()
    assert not app.exception
    export = agree(packed[0])
    assert export.name == "bahdanau-training-next"
    assert "def next_digits(text):" in export.with_core().text
    assert export.computation.shown["losses"].tolist() == run.losses
