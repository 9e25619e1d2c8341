"""The chapter on self-attention: what its widgets and links set, and that every number in words is torch's."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.transformer.cost import LENGTHS, Timing
from attention_core.transformer.positions import similarity
from attention_ui.chapters.self_attention import cost
from attention_ui.chapters.self_attention.choices import Asked, words_of
from attention_ui.chapters.self_attention.computation import tokens_computation
from attention_ui.numbers import short
from tests.attention_ui.export.exported import same, shown_by
from tests.pages.opening import opened

WORDS, OTHER = ("the", "cat", "sat", "on", "the", "mat"), (5, 4, 3, 2, 1, 0)
BAD = ["NaN", "inf", "-1", "", "<script>alert(1)</script>", "x" * 10_000, "\x00"]


def words(app):
    return "\n".join(text.value for text in app.markdown)


def test_the_same_word_has_the_same_output_until_positions_count():
    app = opened("self_attention")
    output = tokens_computation(Asked(WORDS, (0, 1, 2, 3, 4, 5)), 100).shown["output"]
    apart = (output[0] - output[4]).abs().max().item()
    assert f"differ by **0** without positions, and by **{short(apart)}** at full strength" in words(app)


def test_a_new_order_changes_nothing_without_positions_and_everything_with_them():
    app = opened("self_attention", sa_look="drawn")
    app.button(key="sa_reverse").click().run()
    assert "Without positions the new order changes no output (by **0**" in words(app)
    change = tokens_computation(Asked(WORDS, OTHER, "drawn"), 100).shown["change"].item()
    assert f"At full strength it changes them by up to **{short(change)}**" in words(app)
    app.button(key="sa_as_typed").click().run()
    assert "The same word in two places" in words(app)


def test_a_causal_mask_tells_the_order_even_without_positions():
    app = opened("self_attention", sa_causal="true", sa_order="5.4.3.2.1.0")
    change = tokens_computation(Asked(WORDS, OTHER, causal=True), 0).shown["change"].item()
    assert f"changes outputs by up to **{short(change)}**: the causal mask hides other words" in words(app)


def test_every_press_of_shuffle_gives_another_order():
    app = opened("self_attention")
    seen = set()
    for _ in range(3):
        app.button(key="sa_shuffle").click().run()
        seen.add(app.session_state["sa_order"])
    assert len(seen) == 3


def test_a_sentence_of_ones_own_stands_in_the_link():
    app = opened(
        "self_attention", sa_text="A dog bit a man", sa_order="4.3.2.1.0", sa_look="Word before", sa_strength="100"
    )
    assert app.text_input(key="sa_text").value == "A dog bit a man"
    asked = Asked(("A", "dog", "bit", "a", "man"), (4, 3, 2, 1, 0), "before")
    change = tokens_computation(asked, 100).shown["change"].item()
    assert f"by up to **{short(change)}**" in words(app)


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("我爱自然语言", ["我", "爱", "自", "然", "语", "言"]),
        ("我爱 NLP，你呢？", ["我", "爱", "NLP，", "你", "呢？"]),
        ("我爱NLP", ["我", "爱", "NLP"]),
        ("猫がすき。", ["猫", "が", "す", "き。"]),
        ("ガム", ["ガ", "ム"]),  # a mark of its own stays with its letter
        ("ฉันรัก", ["ฉั", "น", "รั", "ก"]),
        ("나는 학생", ["나는", "학생"]),  # Korean has blanks
        ("the cat's mat.", ["the", "cat's", "mat."]),
        ("don’t (ever) stop", ["don’t", "(ever)", "stop"]),
    ],
)
def test_text_without_blanks_is_split_by_character(text, split):
    assert list(words_of(text)) == split
    app = opened("self_attention", sa_text=text)
    assert not app.warning


@pytest.mark.parametrize("text", ["alone", "a b c d e f g h i j k l m", "<b>" + "x" * 20 + " $y$"])
def test_a_sentence_that_cannot_be_shown_gives_way_to_the_usual_one(text):
    app = opened("self_attention", sa_text=text)
    assert "Showing “the cat sat on the mat” instead." in app.warning[0].value
    assert "The same word in two places" in words(app)


@pytest.mark.parametrize("order", ["0.1", "0.0.1.2.3.4", "9.8.7.6.5.4", "a.b", *BAD])
def test_an_order_that_is_none_is_as_typed(order):
    assert "The same word in two places" in words(opened("self_attention", sa_order=order))


@pytest.mark.parametrize("tab", ["positions", "cost"])
@pytest.mark.parametrize("bad", BAD)
def test_the_other_views_survive_any_link(tab, bad):
    keys = ("sa_offset", "sa_position", "sa_width", "sa_columns_32", "sa_cost_width", "sa_length")
    assert opened("self_attention", sa_tab=tab, **dict.fromkeys(keys, bad)).info


def test_a_rotation_lands_on_the_shifted_position():
    text = words(opened("self_attention", sa_tab="positions", sa_offset="17", sa_width="16"))
    assert "Moving 17 places on is the same rotation from every position." in text
    assert "Pair 0 turns by 17 rad" in text
    assert float(text.split("difference is **")[1].split("**")[0]) < 1e-12


def test_the_table_of_cost_follows_length_and_width():
    text = words(opened("self_attention", sa_tab="cost", sa_length="1024", sa_cost_width="16"))
    assert f"| Self-attention | $n^2 d$ = {1024 * 1024 * 16:,} | 1 | 1 |" in text
    assert "| Convolution | $k n d^2$ = 786,432 | 1 | 342 |" in text


def pictures_in(app):
    return [each.proto.component_name for each in app.get("bidi_component")].count("attention_lab_picture")


def test_measuring_draws_the_best_times(monkeypatch):
    made = [Timing(name, n, 1e-6 * n, 1) for n in LENGTHS for name in ("attention", "recurrent", "convolution")]
    monkeypatch.setattr(cost, "measure", lambda *_: iter(made))
    alone = (
        "from attention_ui.chapters.self_attention import cost\ncost.show('sa')"  # AppTest forgets which tab is open
    )
    app = AppTest.from_string(alone, default_timeout=60).run()
    assert pictures_in(app) == 1
    app.button(key="sa_measure").click().run()
    assert not app.exception
    assert pictures_in(app) == 2
    assert app.session_state["sa_timings"][64]["recurrent"][1024] == 1e-6 * 1024


def shown(**parameters):
    """What the code of a view makes."""
    app = opened("self_attention", **parameters)
    app.session_state["sa_code"] = True
    app.run()
    (code,) = [block.value for block in app.code]
    return shown_by(code)


@pytest.mark.parametrize("look", ["drawn", "same", "before"])
def test_the_code_of_the_tokens_makes_their_weights_and_outputs(look):
    made = shown(sa_look=look, sa_order="5.4.3.2.1.0", sa_strength="30", sa_causal="true", sa_seed="3")
    same(made, tokens_computation(Asked(WORDS, OTHER, look, True, 3), 30).shown, "tokens")


def test_the_code_of_the_positions_makes_their_difference():
    made = shown(sa_tab="positions", sa_offset="12", sa_position="39")
    assert made["gap"] < 1e-12
    torch.testing.assert_close(made["product"], similarity(torch.tensor(12), 32))
