"""A lesson that hides a control hides the words about it too, so that it gives no answer away."""

import pytest

from tests.pages.opening import opened

LESSON = {"lw_rate": "0.5", "lw_w0": "0.375558", "lw_epochs": "50", "lw_loss": "sum"}
RULES = "rule_leave_one_out,rule_silverman,rule_scott"
THINGS = "newspaper,paper,cup,notebook,book"
CASES = [  # page, its link, what is hidden, words that go
    ("learned_w", LESSON, "preset", "moves back slowly over the flat side"),
    ("learned_w", LESSON, "preset", "Press **d2l: one leap**"),
    ("learned_w", {"lw_tab": "by_hand"}, "reveal", "switch on **Show the best w**"),
    ("learned_w", {"lw_heads": "2"}, "function", "Choose the data **Step**"),
    ("learned_w", {"lw_heads": "2", "lw_tab": "head_by_head"}, "function", "Compare with the data **Step**"),
    ("kernel_regression", {}, RULES, "Let a rule choose"),
    ("kernel_regression", {}, "kernel", "Gaussian: $K(u)"),
    ("kernel_regression", {}, "function", "$y = 2"),
    ("kernel_regression", {"kr_function": "engel"}, "function", "Koenker and Bassett"),
    ("kernel_regression", {"kr_n": "5000"}, "edit", "too many to edit"),
    ("kernel_regression", {"kr_kernel": "boxcar", "kr_width": "0.05"}, "width", "choose a wider"),
    ("kernel_regression", {}, "width", "Sharpen until"),
    ("cues", {}, THINGS, "The nonvolitional cue"),
    ("cues", {}, "cup", "set all five sliders"),
    ("batches", {}, "n", "Make $n$ larger"),
    ("heatmaps", {}, "sharpness", "Drag the sharpness"),
    ("scoring", {"scoring_tab": "masks"}, "mask_0", "Set a valid length to"),
    ("scoring", {"scoring_tab": "explorer"}, "d", "Set $d$ to 512"),
    ("self_attention", {"sa_text": "a b c"}, "shuffle", "Change the order of the words"),
    ("self_attention", {}, "shuffle", "Press **Shuffle**"),
    ("bahdanau", {}, "digits", "3141592653589"),
    ("multihead", {}, "function", "on **Step**"),
    ("qkv", {}, "temperature", "lower the temperature"),
    ("transformer", {"transformer_tab": "training"}, "positions", "Switch **Positions** off"),
]


def told(app):
    return "\n".join(each.value for each in [*app.markdown, *app.caption, *app.info, *app.subheader])


@pytest.mark.parametrize(("page", "link", "lock", "words"), CASES, ids=[f"{page}-{words}" for page, *_, words in CASES])
def test_words_about_a_control_go_with_it(page, link, lock, words):
    assert words in told(opened(page, **link))
    assert words not in told(opened(page, **link, lock=lock))


def test_one_hidden_rule_leaves_the_words_about_the_others():
    (caption,) = [each for each in opened("kernel_regression", lock="rule_scott").caption if "a rule" in each.value]
    assert "Silverman" in caption.help
    assert "Scott" not in caption.help
