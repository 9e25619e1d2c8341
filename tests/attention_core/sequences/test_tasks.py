"""The tasks: right answers against the standard library, splits that share nothing, and sentences for bad input."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.sequences import dates
from attention_core.sequences.tasks import (
    LONGEST,
    SHORTEST,
    TASKS,
    Lengths,
    check_text,
    encoded,
    is_held_out,
    strings,
)
from attention_core.sequences.vocabulary import BEGIN, END, PADDING, Vocabulary

# What each written form is in the words of strptime; without the endings of 1st, 2nd, 3rd.
PATTERNS = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%A, %d %B %Y", "%a, %b %d, %Y", "%d of %B %Y", "%d.%m.%Y")
EVERY_DAY = st.dates(dates.FIRST, dates.LAST)
every_task = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


@every_task
def test_the_example_is_solved_and_readable(task):
    assert check_text(task, f" {task.example} ") == task.example
    assert task.solve(task.example)
    assert task.source.decode(task.source.encode(task.example)) == task.example.lower()


def test_answers():
    assert {name: task.solve(task.example) for name, task in TASKS.items()} == {
        "reverse": "51413",
        "copy": "31415",
        "sort": "11345",
        "dates": "1998-05-03",
    }


@settings(max_examples=60)
@given(EVERY_DAY, st.integers(0, 6))
def test_a_date_in_any_form_means_itself(day, form):
    text = dates.written_forms(day)[form]
    assert dates.iso(text) == dates.iso(text.upper()) == day.isoformat()
    assert len(text) <= TASKS["dates"].longest
    assert check_text(TASKS["dates"], text) == text


@settings(max_examples=40)
@given(EVERY_DAY, st.integers(0, len(PATTERNS) - 1))
def test_the_forms_are_what_strftime_writes(day, form):
    without_endings = dates.written_forms(day)[form]
    for ending in ("st of", "nd of", "rd of", "th of"):
        without_endings = without_endings.replace(ending, " of")
    # strftime pads with zeros where a person does not.
    expected = day.strftime(PATTERNS[form]).replace(" 0", " ").replace(".0", ".").removeprefix("0")
    assert without_endings.replace("  ", " ") == expected


def test_ordinals():
    written = [dates.written_forms(date(2000, 1, 1) + timedelta(n))[5].split()[0] for n in range(31)]
    assert written[:4] == ["1st", "2nd", "3rd", "4th"]
    assert written[10:13] == ["11th", "12th", "13th"]
    assert written[20:24] == ["21st", "22nd", "23rd", "24th"]
    assert written[30] == "31st"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("31 Feb 1999", "month 2 of 1999 has no day 31"),
        ("3.13.1999", "month 13 of 1999"),
        ("3 Ma 1998", "no date in a known form"),
        ("²3 May 1998", "no date in a known form"),
    ],
)
def test_no_date_is_said_in_a_sentence(text, sentence):
    with pytest.raises(InputError, match=sentence):
        dates.iso(text)


def test_a_date_of_any_year_has_an_answer():
    assert dates.iso("5 May 1066") == "1066-05-05"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("reverse", "12a", "only digits; 'a' is not"),
        ("reverse", "1²", "'²' is not"),
        ("reverse", "  ", "1 to 30 characters; it has 0"),
        ("sort", "1" * 31, "1 to 30 characters; it has 31"),
        ("dates", "3/5/98", "digits, space, comma, full stop and the letters .* '/' is not"),
        ("dates", "3 \N{LATIN CAPITAL LETTER I WITH DOT ABOVE}an 1998", "is not one of them"),
        ("dates", "1" * 41, "1 to 40 characters"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(name, text, sentence):
    with pytest.raises(InputError, match=sentence):
        check_text(TASKS[name], text)


@every_task
def test_no_unseen_text_or_answer_is_ever_trained_on(task):
    lengths = Lengths(2, 4)  # few enough to draw nearly all of them
    training = {text for seed in range(2) for text in strings(task, 1000, seed, "training", lengths)}
    unseen = set(strings(task, 300, 9, "unseen", lengths))
    assert not training & unseen
    assert not {task.solve(text) for text in training} & {task.solve(text) for text in unseen}
    assert not any(is_held_out(task.solve(text)) for text in training)
    assert all(is_held_out(task.solve(text)) for text in unseen)


@every_task
def test_about_one_in_ten_is_held_out(task):
    texts = task.draw(2000, Lengths(4, 8), torch.Generator().manual_seed(0))
    assert sum(is_held_out(task.solve(text)) for text in texts) / len(texts) == pytest.approx(0.1, abs=0.025)


@every_task
def test_every_length_has_texts_of_both_splits(task):
    for length in range(SHORTEST, LONGEST + 1):
        for split in ("training", "unseen"):
            (text,) = strings(task, 1, 0, split, Lengths(length, length))
            assert len(text) == length or not task.has_lengths


@every_task
def test_a_seed_gives_the_same_texts_and_another_gives_others(task):
    assert strings(task, 50, 4) == strings(task, 50, 4) != strings(task, 50, 5)


def test_all_lengths_are_drawn_about_equally_often():
    texts = strings(TASKS["reverse"], 2000, 0, lengths=Lengths(3, 6))
    counts = [sum(len(text) == n for text in texts) for n in range(3, 7)]
    assert sum(counts) == 2000
    assert min(counts) > 400


@pytest.mark.parametrize(
    ("lengths", "sentence"),
    [(Lengths(0, 4), "shortest length must be .* 1 to 4"), (Lengths(5, 4), "1 to 4"), (Lengths(2, 31), "1 to 30")],
)
def test_lengths_out_of_range(lengths, sentence):
    with pytest.raises(InputError, match=sentence):
        strings(TASKS["copy"], 5, lengths=lengths)


@every_task
def test_a_batch_holds_the_texts_and_their_answers(task):
    texts = strings(task, 20, 3)
    drawn = encoded(task, texts)
    assert drawn.sources.dtype == drawn.targets.dtype == torch.int64
    for n, text in enumerate(texts):
        source, target = drawn.sources[n], drawn.targets[n]
        assert task.source.decode(source) == text.lower()
        assert task.target.decode(target) == task.solve(text)
        assert (source != PADDING).sum() == drawn.source_lengths[n] == len(text)
        assert target[target != PADDING][-1] == END


def test_the_vocabulary():
    letters = Vocabulary("ab-")
    assert letters.symbols == ("padding", "begin", "end", "a", "b", "-")
    assert len(letters) == 6
    assert letters.encode("bA-") == [4, 3, 5]
    assert letters.decode([BEGIN, 3, 4, END, 3, PADDING]) == "ab"
    with pytest.raises(InputError, match="'c' is not among these"):
        letters.encode("abc")


def test_a_split_without_any_text_is_said_instead_of_sought_for_ever():
    """A task whose answers are all alike has either none or only held-out texts."""
    alike = replace(TASKS["copy"], solve=lambda text: "7")
    missing = "training" if is_held_out("7") else "unseen"
    with pytest.raises(InputError, match="Too few texts"):
        strings(alike, 3, split=missing)
