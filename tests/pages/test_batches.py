"""The batches page: its links, its numbers, its refusals, and its race."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.demos.batching import example
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.batches.computation import computation
from tests.pages.opening import opened


def test_the_chosen_number_is_torchs():
    app = opened(
        "batches", batches_n="5", batches_a="4", batches_b="6", batches_c="3",
        batches_batch="4", batches_row="3", batches_column="2",
    )  # fmt: skip
    first, second = example(5, 4, 6, 3)
    total = torch.bmm(first, second)[4, 3, 2].item()
    place = tuple(app.slider(key=f"batches_{name}").value for name in ("batch", "row", "column"))
    assert computation(Sizes(5, 4, 6, 3), place).shown["number"].item() == total


def test_a_place_that_is_no_longer_there_gives_way():
    app = opened("batches", batches_a="6", batches_row="5")
    app.slider(key="batches_a").set_value(3).run()
    assert not app.exception
    assert app.slider(key="batches_row").value == 2
    app.slider(key="batches_a").set_value(1).run()
    assert not app.exception
    assert "batches_row" not in [slider.key for slider in app.slider]


@pytest.mark.parametrize("size", ["1", "6"])
def test_the_smallest_and_the_largest_open(size):
    app = opened("batches", **{f"batches_{name}": size for name in ("n", "a", "b", "c")})
    assert not app.error


def test_a_mismatch_is_refused_in_torchs_words_and_in_plain_ones():
    app = opened("batches", batches_mismatch="true")
    assert "Expected size for first two dimensions of batch2" in app.error[0].value
    assert any("4 numbers, but each column of the second holds 5 numbers" in text.value for text in app.markdown)
    assert not app.latex


def race_alone():
    """The tab by itself: AppTest forgets which tab is open from one run to the next."""
    from attention_ui.chapters.batches.choices import Chosen, Sizes  # a script of its own
    from attention_ui.chapters.batches.views import race_tab

    race_tab(Chosen("batches", Sizes(), (0, 1, 1)))


def test_a_race_is_run_told_and_kept():
    app = AppTest.from_function(race_alone, default_timeout=120).run()
    assert not any("one bmm takes" in text.value for text in app.markdown)
    app.button(key="batches_race").click().run()
    assert not app.exception
    (words,) = [text.value for text in app.markdown if "one bmm takes" in text.value]
    assert words.startswith("1,024 products of 16 × 16")
    app.run()
    assert any(text.value == words for text in app.markdown)
