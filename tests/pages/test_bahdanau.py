"""Bahdanau's page: own texts, links, every view, and a small run that is trained, stopped and taken up."""

import pytest

from attention_core.sequences.tasks import TASKS
from attention_core.sequences.training import SeqTrainingConfig, train_steps
from attention_ui.chapters.bahdanau.choices import plan, training_tasks
from attention_ui.live.sequences import Plan, SequenceRun
from tests.pages.opening import opened, sent, table

STEPS, TRAIN, LENGTHS, EXPLAIN = "steps", "train", "lengths", "explain"
SMALL = {"bahdanau_tab": TRAIN, "bahdanau_hidden": "4", "bahdanau_steps": "20"}


def words(app):
    return "\n".join(text.value for text in app.markdown)


def bar(app):
    """The words of the progress bar."""
    return [element.proto.text for element in app.get("progress")]


def test_it_opens_with_a_text_written_backwards():
    app = opened("bahdanau")
    assert app.segmented_control(key="bahdanau_tab").value == STEPS
    assert "From '31415' it wrote **51413**, which is right." in words(app)


def test_an_own_text_from_the_link_and_from_the_keyboard():
    app = opened("bahdanau", bahdanau_digits="8642")
    assert "From '8642' it wrote **2468**" in words(app)
    app.text_input(key="bahdanau_digits").set_value(" 97531 ").run()
    assert "From '97531' it wrote **13579**" in words(app)


def test_the_link_keeps_the_step_of_the_player_for_as_long_as_its_text_stays():
    app = opened("bahdanau", bahdanau_digits="8642", bahdanau_at="3")
    assert sent(app, "update_bahdanau_decoding")["frame"] == 2
    assert app.query_params["bahdanau_at"] == "3"
    app.text_input(key="bahdanau_digits").set_value("97531").run()
    assert sent(app, "update_bahdanau_decoding")["frame"] == 0
    assert "bahdanau_at" not in app.query_params
    app = opened("bahdanau", bahdanau_digits="8642", bahdanau_at="6")
    assert sent(app, "update_bahdanau_decoding")["frame"] == 4, "it writes five symbols"
    assert "6" in app.warning[0].value


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("12a", "only digits; 'a' is not one"),
        ("", "1 to 30 characters; it has 0"),
        ("1" * 31, "it has 31"),
        ("<b>", "only digits"),
        ("x" * 10_000, "it has 10,000"),
    ],
)
def test_a_bad_text_gets_a_sentence_and_the_picture_stays(bad, why):
    app = opened("bahdanau", bahdanau_digits="8642")
    app.text_input(key="bahdanau_digits").set_value(bad).run()
    assert not app.exception
    assert why in app.warning[0].value
    assert "still shows '8642'" in app.warning[0].value
    assert "From '8642' it wrote **2468**" in words(app)


def test_a_bad_link_shows_the_example():
    app = opened("bahdanau", bahdanau_digits="\x00<script>", bahdanau_task="Nothing", bahdanau_tab="None")
    assert any("still shows '31415'" in warning.value for warning in app.warning)
    assert "From '31415' it wrote **51413**" in words(app)


def test_dates_are_a_task_of_their_own_and_each_keeps_its_text():
    app = opened("bahdanau", bahdanau_digits="8642")
    app.segmented_control(key="bahdanau_task").set_value("dates").run()
    assert "From '3 May 1998' it wrote **1998-05-03**, which is right" in words(app)
    app.text_input(key="bahdanau_date").set_value("May 1998").run()
    assert "That text has no right answer" in words(app)
    app.segmented_control(key="bahdanau_tab").set_value(LENGTHS).run()
    app.segmented_control(key="bahdanau_tab").set_value(STEPS).run()
    assert app.text_input(key="bahdanau_date").value == "May 1998"
    app.segmented_control(key="bahdanau_task").set_value("reverse").run()
    assert app.text_input(key="bahdanau_digits").value == "8642"


def test_an_example_is_taken_at_a_press():
    app = opened("bahdanau")
    app.pills(key="bahdanau_example_reverse").set_value("3141592653589").run()
    assert app.text_input(key="bahdanau_digits").value == "3141592653589"
    assert "which is **wrong**" in words(app)


def test_training_waits_for_its_button_and_then_runs_to_the_end():
    app = opened("bahdanau", **SMALL)
    assert "bahdanau_run" not in app.session_state
    assert bar(app) == []
    assert app.button(key="bahdanau_go_on").disabled
    app.button(key="bahdanau_train").click().run()
    assert not app.exception
    assert "Done: step 20 of 20" in bar(app)[0]
    run = app.session_state["bahdanau_run"]
    assert run.plan == plan("reverse", 4, 20, 0.01, 0)
    assert run.losses == [progress.loss for progress in train_steps(run.plan.task, run.plan.config)]
    app.button(key="bahdanau_seed_next").click().run()
    assert "hidden size 4, 20 steps, learning rate 0.01, seed 0" in app.caption[0].value


def test_a_stopped_run_waits_and_goes_on_where_it_was():
    app = opened("bahdanau", **SMALL)
    run = app.session_state["bahdanau_run"] = SequenceRun(plan("reverse", 4, 20, 0.01, 0))
    run.advance(0.0)
    run.stop()
    app.run()
    assert "Stopped: step 1 of 20" in bar(app)[0]
    app.button(key="bahdanau_go_on").click().run()
    assert not app.exception
    assert "Done: step 20 of 20" in bar(app)[0]
    assert run.losses == [progress.loss for progress in train_steps(run.plan.task, run.plan.config)]


def test_a_link_holds_a_trained_run_and_trains_it_again_at_a_press():
    link = "15,sort,4,20,0.03,3"
    app = opened("bahdanau", bahdanau_tab=TRAIN, bahdanau_trained=link, bahdanau_learns="sort")
    assert "bahdanau_run" not in app.session_state, "a link starts nothing"
    app.button(key="bahdanau_again").click().run()
    run = app.session_state["bahdanau_run"]
    assert (run.step, run.running, run.plan) == (15, False, plan("sort", 4, 20, 0.03, 3))
    assert "Stopped: step 15 of 20" in bar(app)[0]
    assert app.query_params["bahdanau_trained"] == link
    app.button(key="bahdanau_go_on").click().run()
    assert run.complete
    assert app.query_params["bahdanau_trained"] == link.replace("15,", "20,", 1)


def test_a_run_rests_when_another_view_is_open():
    app = opened("bahdanau", bahdanau_tab=EXPLAIN)
    app.session_state["bahdanau_run"] = SequenceRun(Plan("reverse", SeqTrainingConfig(steps=5000)))
    app.run()
    assert not app.session_state["bahdanau_run"].running


def test_with_and_without_attention_says_what_was_measured():
    app = opened("bahdanau", bahdanau_tab=LENGTHS, bahdanau_length="5")
    assert "falls behind as strings grow" in words(app)
    assert "to 0% by length 13" in words(app)
    digits = {name: cells["Digits"] for name, cells in table(app).items()}
    assert digits["Right"] == TASKS["reverse"].solve(digits["It reads"])
    assert len(digits["Right"]) == 5


def test_explainability_finds_the_mistake_and_swaps():
    app = opened("bahdanau", bahdanau_tab=EXPLAIN, bahdanau_digits="3141592653589")
    assert "still right (the first mistake is symbol 8)" in words(app)
    app.button(key="bahdanau_mistake").click().run()
    assert app.slider(key="bahdanau_symbol").value == 8
    assert "Symbol 8 is **5**, where “9” is right" in words(app)
    assert list(table(app)) == ["Most attended", "Least attended"]
    app.text_input(key="bahdanau_digits").set_value("12").run()
    assert not app.exception
    assert "Symbol 1 is **2**" in words(app)


@pytest.mark.parametrize("tab", [STEPS, TRAIN, LENGTHS, EXPLAIN])
@pytest.mark.parametrize("bad", ["inf", "", "<script>"])
def test_every_view_survives_a_bad_link(tab, bad):
    keys = ("task", "digits", "date", "at", "hidden", "steps", "rate", "seed", "trained", "length", "symbol")
    app = opened("bahdanau", bahdanau_tab=tab, **{f"bahdanau_{key}": bad for key in keys})
    assert app.title[0].value


@pytest.mark.parametrize("name", training_tasks())
def test_every_task_can_be_trained(name):
    app = opened("bahdanau", **SMALL, bahdanau_learns=name)
    app.button(key="bahdanau_train").click().run()
    assert not app.exception
    run = app.session_state["bahdanau_run"]
    assert run.plan.task_name == name
    assert "Done: step 20 of 20" in bar(app)[0]


def test_the_task_is_taken_along_to_the_training():
    app = opened("bahdanau", bahdanau_task="dates", bahdanau_tab=TRAIN)
    assert app.segmented_control(key="bahdanau_learns").value == "dates"
    app.segmented_control(key="bahdanau_tab").set_value("steps").run()
    app.segmented_control(key="bahdanau_task").set_value("reverse").run()
    app.segmented_control(key="bahdanau_tab").set_value(TRAIN).run()
    assert app.segmented_control(key="bahdanau_learns").value == "reverse"
