"""The exercises: their links, verdicts, pictures, words and code."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.experiments import EXPERIMENTS, Finding
from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.exercise import Choice, Guess
from attention_ui.chapters.exercises.judging import Judged, found, judged
from attention_ui.chapters.exercises.progress import DIGITS, OPEN, Progress, parsed
from attention_ui.chapters.exercises.summary import counted, results, summary
from attention_ui.contents import CHAPTERS
from attention_ui.export.still import still

SEED = 120_100
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
BY_NAME = {exercise.name: exercise for exercise in EXERCISES}


def test_every_experiment_has_its_exercise_and_every_chapter_at_least_one():
    assert [exercise.name for exercise in EXERCISES] == list(EXPERIMENTS)
    assert {exercise.chapter for exercise in EXERCISES} == {chapter.name for chapter in CHAPTERS} - {"exercises"}


@every_exercise
def test_its_pictures_words_and_verdict_come_from_the_experiment(exercise):
    finding = found(exercise.name, SEED)
    for picture in (exercise.before(SEED), exercise.after(finding)):
        assert picture.heatmaps or all(re.search(r"\d", graph.text) for graph in picture.graphs)
        assert still(picture).data
    assert exercise.why(finding).endswith(".")
    outcomes = [judged(exercise, code, SEED) for code in exercise.answer.codes]
    assert any(each.held for each in outcomes)
    assert not all(each.held for each in outcomes)
    if isinstance(exercise.answer, Choice):
        assert 3 <= len(exercise.answer.codes) <= 4
        assert exercise.answer.usual in exercise.answer.codes
        assert [each.code for each in outcomes if each.held] == [finding.answer]
    assert len(exercise.answer.codes) <= 26, "one letter in the link for each"


def test_a_seed_that_is_not_like_the_others_is_told_so():
    exercise = BY_NAME["narrow"]
    usual = found("narrow", SEED)
    odd = Finding("both", usual.numbers, usual.drawn)
    told = Judged(exercise, "both", SEED, odd)
    assert told.held
    assert "On this seed it is: **Both fall**" in told.reason
    assert "Usually it is: **Only the training error**" in told.reason
    assert Judged(exercise, "seen", SEED, odd).verdict == "Your prediction did not hold."


@pytest.mark.parametrize(("guess", "holds"), [("2", False), ("3", True), ("4", True), ("6", True), ("8", False)])
def test_a_guess_holds_within_its_factor(guess, holds):
    answer = BY_NAME["learned_w"].answer
    assert isinstance(answer, Guess)
    assert answer.holds(guess, Finding(4.2, {}, {})) is holds


def test_the_link_keeps_everything():
    progress = Progress(7).moved(4).committed("seen").moved(1).committed("mean").again()
    assert progress.answers.startswith("----b")
    assert progress.link == {
        "exercises_seed": "7",
        "exercises_at": "temperature",
        "exercises_answers": "----b",
        "exercises_tries": "01",
    }
    assert parsed(Progress(1), "7", "2", "----b", "01") == progress
    assert progress.code(4) == "seen"
    assert progress.code(1) is None


def test_seeds_differ_by_student_exercise_and_try():
    progress = Progress(7)
    seeds = {progress.seed_of(0), progress.seed_of(1), progress.again().seed_of(0), Progress(8).seed_of(0)}
    assert len(seeds) == 4
    last = Progress(9999, len(EXERCISES) - 1, tries="z" * len(EXERCISES))
    assert last.seed_of(last.at) < 2**31
    assert last.again().try_of(last.at) == 0


@pytest.mark.parametrize("seed", ["", "NaN", "-1", "1e9", "inf", "٣", "10000", "9" * 400, "\x00"])
def test_a_bad_seed_is_no_seed(seed):
    assert parsed(Progress(5), seed) == Progress(5)


def test_a_link_without_a_seed_goes_on_from_where_one_was():
    start = Progress(5).moved(2).committed("any")
    assert parsed(start, at="7") == parsed(start, at=EXERCISES[6].name) == start.moved(6)
    assert parsed(start, answers="b") == replace(start, answers="b".ljust(len(EXERCISES), OPEN))
    assert parsed(start, "7", "3") == Progress(7, 2)


def test_a_bad_part_of_a_link_costs_only_that_part():
    progress = parsed(Progress(1), "7", "nowhere", "a?bZ", "0!z")
    assert progress.at == 0
    assert progress.answers == "a-b".ljust(len(EXERCISES), OPEN)
    assert progress.tries == "00z".ljust(len(EXERCISES), DIGITS[0])
    assert parsed(Progress(1), "7", "99", "z" * 400) == Progress(7)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_no_link_raises(seed, at, answers, tries):
    progress = parsed(Progress(5), seed, at, answers, tries)
    assert all(progress.code(place) or letter == OPEN for place, letter in enumerate(progress.answers))
    assert parsed(Progress(1), *progress.link.values()) == progress


def test_the_summary_tells_question_prediction_numbers_seed_and_link():
    progress = Progress(7).moved(3).committed("few").again().committed("few").moved(14).committed("lost")
    done = results(progress)
    assert counted(done) == f"2 of {len(EXERCISES)} answered, 1 held"
    text = summary(progress, done, "http://here/exercises")
    assert "4. Better than the average: held (seed 704010, try 2)" in text
    assert "15. What a mask does: did not hold (seed 715000)" in text
    assert "Predicted: It is lost" in text
    assert f"times smaller {done[3].numbers['times smaller']}" in text
    assert "**" not in text
    assert text.endswith(
        f"http://here/exercises?exercises_seed=7&exercises_at=masked&exercises_answers={progress.answers[:15]}"
        "&exercises_tries=0001"
    )
