"""What an exercise gives away: both scripts of each make its numbers again, and nothing comes before the answer."""

import subprocess
import sys

import nbformat
import pytest
import torch

from attention_core.checks import InputError
from attention_core.experiments import EXPERIMENTS
from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.export import computation, exported
from attention_ui.chapters.exercises.judging import judged
from attention_ui.export import file_formats
from tests.attention_ui.export.exported import cells, compare

SEED = 120_100
PLACES = {exercise.name: place for place, exercise in enumerate(EXERCISES)}


def answered(*names):
    """These exercises with their first answers, by their places."""
    return {
        PLACES[name]: judged(EXERCISES[PLACES[name]], EXERCISES[PLACES[name]].answer.codes[0], SEED) for name in names
    }


@pytest.mark.parametrize("name", PLACES)
def test_both_scripts_find_what_the_screen_says(name, monkeypatch, tmp_path):
    done = answered(name)
    finding, export = done[PLACES[name]].finding, exported(PLACES[name], done)
    for names in compare(export, monkeypatch, tmp_path):
        again = names["shown"]
        assert (again.answer, again.numbers) == (finding.answer, finding.numbers)
        torch.testing.assert_close(dict(again.drawn), dict(finding.drawn), rtol=0, atol=0, equal_nan=True)
    assert "attention_core" not in export.alone().text
    assert export.name == f"exercise-{name.replace('_', '-')}"
    for script in (export.with_core(), export.alone()):
        nbformat.validate(nbformat.reads(file_formats.notebook(export, script.text).decode(), as_version=4))


def plain(name):
    """The script of an exercise with torch alone."""
    exercise = EXERCISES[PLACES[name]]
    return computation(exercise, SEED).plain(name, name).text


def test_plain_scripts_hold_what_they_use_and_nothing_else(tmp_path):
    for name in PLACES:
        (tmp_path / f"{name}.py").write_text(plain(name), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length=120", "--select=E,F,I"]
    found = subprocess.run([*ruff, tmp_path], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
    assert len(plain("columns").splitlines()) < 60
    assert len(plain("narrow").splitlines()) < 250
    assert "def query_grid" not in plain("leave_out")  # which stands in a file that it uses


def test_tables_hold_the_numbers_the_tensors_and_the_results():
    done = answered("average", "temperature", "heads", "more_data")
    tables = exported(PLACES["temperature"], done).tables
    assert list(tables) == ["numbers", "lists", "weights", "results"]
    finding = done[PLACES["temperature"]].finding
    assert dict(zip(tables["numbers"].name, tables["numbers"].value, strict=True)) == finding.numbers
    assert torch.equal(cells(tables["weights"], 6), finding.drawn["weights"])
    assert tables["lists"]["values"][:6].tolist() == finding.drawn["values"].tolist()
    assert set(tables["lists"]["values"][6:]) == {""}
    results = tables["results"]
    assert results.exercise.tolist() == [place + 1 for place in done]
    assert results.held.tolist() == [each.held for each in done.values()]
    assert results.predicted[1] == "The mean of all values"


def test_counts_stay_whole_and_batches_are_told_entry_by_entry():
    done = answered("heads")
    tables = exported(PLACES["heads"], done).tables
    width = done[PLACES["heads"]].finding.numbers["width"]
    assert file_formats.csv(tables["numbers"]).decode().startswith(f"name,value\nwidth,{width}\n")
    assert list(tables["maps"].columns) == ["matrix", "row", "column", "value"]


def test_before_the_answer_there_is_nothing_to_take_home():
    with pytest.raises(InputError, match="Commit to an answer first"):
        exported(PLACES["narrow"], answered("average"))


def test_every_experiment_can_be_taken_home():
    assert list(PLACES) == list(EXPERIMENTS)
