"""The exercises page: from a question to its verdict, and back from a link."""

from types import SimpleNamespace

import pytest

from attention_core.experiments import EXPERIMENTS
from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.exercise import Guess
from attention_ui.chapters.exercises.progress import Progress
from tests.pages.opening import opened


def texts(app):
    return " ".join(element.value for element in [*app.markdown, *app.success, *app.warning, *app.caption])


def test_it_opens_at_the_first_question_on_a_seed_of_ones_own():
    app = opened("exercises")
    assert "1. Cup or book" in texts(app)
    assert 1 <= int(app.query_params["exercises_seed"]) <= 9999
    assert not app.success
    assert not app.code


def test_a_link_may_name_the_question_alone():
    app = opened("exercises", exercises_at="6")
    assert "6. More data" in texts(app)
    assert "exercises_seed" in app.query_params


def test_a_prediction_is_fixed_judged_and_put_into_the_link():
    app = opened("exercises", exercises_seed="7", exercises_at="4")
    assert app.button(key="exercises_commit").disabled
    app.radio(key="exercises_choice_average").set_value("few").run()
    assert not app.success, "chosen is not committed"
    app.button(key="exercises_commit").click().run()
    assert not app.exception
    assert app.query_params["exercises_answers"] == "---b"
    assert "Your prediction held." in app.success[0].value
    numbers = EXPERIMENTS["average"](704000).numbers
    assert f"times smaller: **{numbers['times smaller']:.3g}**" in texts(app)
    assert not app.radio
    assert "4. Better than the average: held (seed 704000)" in app.code[0].value


def test_another_try_has_another_seed_and_keeps_the_choice():
    app = opened("exercises", exercises_seed="7", exercises_at="4")
    app.radio(key="exercises_choice_average").set_value("many").run()
    app.button(key="exercises_commit").click().run()
    assert "did not hold" in app.warning[0].value
    app.button(key="exercises_again").click().run()
    assert app.session_state["exercises_kept"].seed_of(3) == 704010
    assert app.query_params["exercises_tries"] == "0001"
    assert "exercises_answers" not in app.query_params


@pytest.mark.parametrize("place", range(len(EXERCISES)))
def test_every_exercise_opens_and_reveals_from_a_link(place):
    exercise = EXERCISES[place]
    chosen = exercise.answer.codes[0] if isinstance(exercise.answer, Guess) else exercise.answer.usual
    progress = Progress(7, place)
    assert exercise.title in texts(opened("exercises", **progress.link))
    app = opened("exercises", **progress.committed(chosen).link)
    assert exercise.title in texts(app)
    assert len(app.success) + len(app.warning) == 1
    (link,) = app.get("page_link")
    assert link.proto.page == exercise.chapter


def test_the_way_on_and_back():
    app = opened("exercises", exercises_seed="7")
    assert app.button(key="exercises_previous").disabled
    app.button(key="exercises_next").click().run()
    assert "2. Cool it down" in texts(app)
    app.button(key="exercises_previous").click().run()
    assert "1. Cup or book" in texts(app)
    assert (
        opened("exercises", exercises_seed="7", exercises_at=str(len(EXERCISES))).button(key="exercises_next").disabled
    )


def test_the_list_names_every_exercise_with_its_chapter_and_its_state():
    app = opened("exercises", exercises_seed="7", exercises_answers="--ac")
    steps = app.selectbox(key="exercises_step")
    assert steps.options[1:3] == ["Queries, keys, values · 2. Cool it down", "Heatmaps · 3. Rows and columns ✗"]
    assert len(steps.options) == len(EXERCISES)
    assert f"2 of {len(EXERCISES)} answered, 0 held" in steps.label
    steps.set_value(5).run()
    assert app.query_params["exercises_at"] == "more_data"


def test_starting_over_forgets_answers_takes_the_next_seed_and_can_be_undone():
    app = opened("exercises", exercises_seed="7", exercises_answers="g-c")
    app.button(key="exercises_really_over").click().run()
    assert app.query_params["exercises_seed"] == "8"
    assert "exercises_answers" not in app.query_params
    assert not app.code
    app.button(key="undo").click().run()
    assert (app.query_params["exercises_seed"], app.query_params["exercises_answers"]) == ("7", "g-c")


def downloading(monkeypatch, section, **link):
    """A section of the dialog after a press on Download."""
    app = opened("exercises", **link)
    # AppTest forgets at every run that app.py names the pages; the rerun that mends it would swallow the press.
    monkeypatch.setattr("attention_ui.seams.PagesManager", SimpleNamespace(uses_pages_directory=False))
    app.session_state["export_section"] = section
    return app.button(key="download").click().run()


def files_in(app):
    return [each.proto.label for each in app.get("download_button")]


@pytest.mark.parametrize("section", ["numbers", "code"])
def test_an_open_question_has_no_numbers_to_download(monkeypatch, section):
    app = downloading(monkeypatch, section, exercises_seed="7", exercises_at="4")
    (info,) = app.info
    assert info.value.startswith("Commit to an answer first")
    assert not app.get("download_button")


def test_an_answered_question_can_be_downloaded(monkeypatch):
    answered = {"exercises_seed": "7", "exercises_at": "4", "exercises_answers": "---b"}
    app = downloading(monkeypatch, "numbers", **answered)
    assert not app.exception
    assert not app.info
    assert files_in(app) == ["CSV: numbers", "CSV: lists", "CSV: results", "Plotly (JSON)"]
    app = downloading(monkeypatch, "code", **answered)
    assert files_in(app) == ["Python script", "Notebook"]
    assert any("seed = 704000" in code.value for code in app.code)


@pytest.mark.parametrize("bad", ["NaN", "-1", "<script>", "", "x" * 10_000, "\x00", "None"])
def test_a_bad_link_opens_with_what_is_good_in_it(bad):
    for name in ("seed", "at", "answers", "tries"):
        app = opened("exercises", **{"exercises_seed": "7", "exercises_at": "2", f"exercises_{name}": bad})
        assert ("1. Cup or book" if name == "at" else "2. Cool it down") in texts(app)
