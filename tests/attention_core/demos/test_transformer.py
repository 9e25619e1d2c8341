"""Each block of the Transformer by itself: against torch's own layers and functions."""

import torch
from torch.nn import functional

from attention_core.demos import transformer as demo


def drawn(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)), dtype=torch.float64)


def test_attention_is_torchs_own_in_every_head():
    given = {name: drawn(2, 5 + place, 4) for place, name in enumerate(("queries", "keys"))}
    given |= {"values": drawn(2, 6, 4) + 1, "W_o": drawn(8, 8), "b_o": drawn(8)}
    shown = demo.attention(given)
    heads = functional.scaled_dot_product_attention(given["queries"], given["keys"], given["values"])
    torch.testing.assert_close(shown["heads"], heads)
    merged = torch.cat(list(heads), -1)
    torch.testing.assert_close(shown["output"], functional.linear(merged, given["W_o"], given["b_o"]))


def test_no_symbol_sees_a_later_one():
    given = dict.fromkeys(("queries", "keys", "values"), drawn(2, 5, 4)) | {"W_o": drawn(8, 8), "b_o": drawn(8)}
    rows = given["queries"]
    expected = functional.scaled_dot_product_attention(rows, rows, rows, is_causal=True)
    torch.testing.assert_close(demo.causal_attention(given)["heads"], expected)


def test_norm_and_feed_forward_are_torchs_own():
    x, gamma, beta = drawn(5, 8), drawn(8), drawn(8) + 1
    expected = functional.layer_norm(x, (8,), gamma, beta)
    torch.testing.assert_close(demo.norm({"x": x, "gamma": gamma, "beta": beta})["norm"], expected)
    given = {"x": x, "W_1": drawn(12, 8), "b_1": drawn(12), "W_2": drawn(8, 12), "b_2": drawn(8)}
    hidden = functional.linear(x, given["W_1"], given["b_1"]).relu()
    expected = functional.linear(hidden, given["W_2"], given["b_2"])
    torch.testing.assert_close(demo.feed_forward(given)["output"], expected)


def test_a_colder_choice_is_surer_and_at_zero_the_likeliest_alone():
    given = {"logits": drawn(4, 6), "cross_queries": drawn(1, 2, 4, 3), "cross_keys": drawn(1, 2, 5, 3)}
    names = ("padding", "begin", "end", "a", "b", "c")
    warm, cold = (demo.writing(given, names, temperature) for temperature in (2.0, 0.5))
    zero = demo.cold_writing(given, names)
    assert (warm["probabilities"].amax(-1) < cold["probabilities"].amax(-1)).all()
    assert zero["probabilities"].amax(-1).tolist() == [1.0] * 4
    assert warm["symbols"] == cold["symbols"] == zero["symbols"]
    drawn_once, again = (demo.drawn_writing(given, names, 5.0, seed=3)["symbols"] for _ in range(2))
    assert drawn_once == again
    torch.testing.assert_close(warm["cross"].sum(-1), torch.ones(1, 2, 4, dtype=torch.float64))
