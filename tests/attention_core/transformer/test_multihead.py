"""Multi-head attention against torch's own with the same parameters, its parts, its switches and its order."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from attention_core.checks import InputError
from attention_core.scores import DotProductAttention
from attention_core.transformer.multihead import MultiHeadAttention, from_torch, merge, split
from attention_core.transformer.recorder import Recorder, axes

few = settings(max_examples=25)
sizes = st.integers(1, 6)


def random(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def reference(width, heads, key_width=None, value_width=None, bias=True, dtype=torch.float64):
    """Torch's own, with parameters from a fixed seed; its biases begin at 0, which would hide a forgotten one."""
    made = nn.MultiheadAttention(
        width, heads, bias=bias, kdim=key_width, vdim=value_width, batch_first=True, dtype=dtype
    ).eval()
    for number, parameter in enumerate(made.parameters()):
        parameter.data = random(*parameter.shape, seed=number, dtype=dtype) / parameter.shape[-1] ** 0.5
    return made


def compared(theirs, q, k, v, tolerance, ours=None, **said):
    """Hold output and every head's weights of both against each other."""
    attended = from_torch(theirs)(q, k, v, **(ours or {}))
    with torch.no_grad():
        output, weights = theirs(q, k, v, average_attn_weights=False, **said)
    torch.testing.assert_close(attended.output, output, atol=tolerance, rtol=0)
    torch.testing.assert_close(attended.weights, weights, atol=tolerance, rtol=0)
    return attended


@few
@given(st.tuples(sizes, sizes, sizes), st.sampled_from([(4, 1), (4, 2), (6, 3), (8, 8)]), st.booleans(), st.booleans())
def test_it_is_torchs_own(rows, shape, bias, double):
    dtype, tolerance = (torch.float64, 1e-12) if double else (torch.float32, 1e-6)
    (B, Q, K), (width, heads) = rows, shape  # noqa: N806
    q, k, v = (random(B, n, width, seed=n, dtype=dtype) for n in (Q, K, K))
    compared(reference(width, heads, bias=bias, dtype=dtype), q, k, v + 1, tolerance)


@few
@given(sizes, sizes, sizes, sizes)
def test_keys_and_values_may_have_widths_of_their_own(Q, K, key_width, value_width):  # noqa: N803
    q, k, v = random(2, Q, 6), random(2, K, key_width, seed=1), random(2, K, value_width, seed=2)
    compared(reference(6, 2, key_width, value_width), q, k, v, 1e-12)


def test_so_may_queries():
    attention = MultiHeadAttention(8, 2, query_width=3, key_width=5, value_width=7)
    attended = attention(torch.randn(2, 4, 3), torch.randn(2, 6, 5), torch.randn(2, 6, 7))
    assert attended.output.shape == (2, 4, 8)
    assert attended.weights.shape == (2, 2, 4, 6)
    assert attended.heads.shape == (2, 2, 4, 4)


@few
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.booleans())
def test_padding_is_torchs_key_padding_mask(lengths, causal):
    B, n = len(lengths), 5  # noqa: N806
    x = random(B, n, 6)
    padding = torch.arange(n) >= torch.tensor(lengths)[:, None]  # (B, K), true on padding, as torch wants it
    later = torch.ones(n, n).triu(1).bool() if causal else None
    said = {"key_padding_mask": padding, "attn_mask": later}
    compared(reference(6, 3), x, x, x, 1e-12, {"valid_lens": lengths, "causal": causal}, **said)
    # Padding anywhere, not only at the end, is said by a mask.
    compared(reference(6, 3), x, x, x, 1e-12, {"mask": ~padding[:, None], "causal": causal}, **said)


@pytest.mark.parametrize("per", ["all", "batch", "head"])
def test_a_mask_is_torchs_attention_mask(per):
    B, H, n = 2, 2, 5  # noqa: N806  as many heads as texts, so that one cannot be taken for the other unnoticed
    x = random(B, n, 4)
    mask = random(*{"all": (), "batch": (B,), "head": (B, H)}[per], n, n, seed=3) > -0.3
    mask |= torch.eye(n, dtype=torch.bool)  # none looks nowhere: torch would give NaN
    theirs = {"all": lambda: mask, "batch": lambda: mask.repeat_interleave(H, 0), "head": lambda: mask.flatten(0, 1)}
    compared(reference(4, H), x, x, x, 1e-12, {"mask": mask}, attn_mask=~theirs[per]())


def test_the_gradients_are_torchs_own():
    theirs, x = reference(6, 2), random(2, 4, 6)
    ours = from_torch(theirs)
    ours(x, x, x, causal=True).output.square().sum().backward()
    theirs(x, x, x, attn_mask=torch.ones(4, 4).triu(1).bool())[0].square().sum().backward()
    for row, weight in zip(theirs.in_proj_weight.grad.chunk(3), (ours.W_q, ours.W_k, ours.W_v), strict=True):
        torch.testing.assert_close(weight.weight.grad, row, atol=1e-10, rtol=0)


def test_the_heads_parts_sum_to_the_output():
    attention, x = from_torch(reference(8, 4)), random(2, 5, 8)
    attended = attention(x, x, x)
    parts = attention.parts(attended.heads)
    assert parts.shape == (2, 4, 5, 8)
    torch.testing.assert_close(parts.sum(1) + attention.W_o.bias, attended.output, atol=1e-13, rtol=0)


def test_a_head_switched_off_takes_its_part_away_and_no_other():
    attention, x = from_torch(reference(8, 4)), random(2, 5, 8)
    whole = attention(x, x, x)
    parts = attention.parts(whole.heads)
    without = attention(x, x, x, on=torch.tensor([True, False, True, True]))
    torch.testing.assert_close(without.output, whole.output - parts[:, 1], atol=1e-13, rtol=0)
    assert torch.equal(without.weights, whole.weights)
    # One choice for each text of the batch.
    either = attention(x, x, x, on=torch.tensor([[True] * 4, [False] * 4]))
    torch.testing.assert_close(either.output[0], whole.output[0])
    torch.testing.assert_close(either.output[1], attention.W_o.bias.expand(5, 8))


def test_one_head_without_maps_is_scaled_dot_product_attention():
    attention, x = MultiHeadAttention(4, 1, bias=False).double(), random(2, 5, 4)
    for linear_map in (attention.W_q, attention.W_k, attention.W_v, attention.W_o):
        linear_map.weight.data = torch.eye(4, dtype=torch.float64)
    torch.testing.assert_close(attention(x, x, x).output, DotProductAttention()(x, x, x).output)


def test_split_gives_each_head_its_strip_and_merge_puts_it_back():
    x = random(2, 5, 6)
    assert torch.equal(split(x, 3)[:, 1], x[..., 2:4])
    assert torch.equal(merge(split(x, 3)), x)


@few
@given(st.permutations(range(5)))
def test_order_means_nothing_to_it(order):
    attention, x = from_torch(reference(6, 2)), random(1, 5, 6)
    y, mixed = x[:, order], attention(x, x, x)
    torch.testing.assert_close(attention(y, y, y).output, mixed.output[:, order], atol=1e-13, rtol=0)
    torch.testing.assert_close(attention(x, y, y).output, mixed.output, atol=1e-13, rtol=0)


def test_a_causal_mask_hides_the_future():
    attention, x = from_torch(reference(6, 2)), random(1, 5, 6)
    changed = x.clone()
    changed[:, 3:] += 1
    before, after = (attention(rows, rows, rows, causal=True).output for rows in (x, changed))
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.isclose(before[:, 3:], after[:, 3:]).any(-1).all()
    assert not torch.allclose(attention(x, x, x).output[:, :3], attention(changed, changed, changed).output[:, :3])


def test_the_same_generator_gives_the_same_parameters():
    first, again = (MultiHeadAttention(6, 2, generator=torch.Generator().manual_seed(3)) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), again.parameters(), strict=True))


def test_a_probe_notes_every_step_with_its_axes():
    tensors = {}
    attention, q, k = MultiHeadAttention(8, 2), torch.randn(3, 4, 8), torch.randn(3, 5, 8)
    attended = attention(q, k, k, recorder=Recorder(tensors).under("here"))
    named = ["queries", "keys", "values", "scores", "weights", "heads", "merged", "output"]
    assert list(tensors) == [f"here.{name}" for name in named]
    sizes = dict(zip("BHQKDMT", (3, 2, 4, 5, 4, 8, 4), strict=True))
    for name, tensor in tensors.items():
        assert tensor.shape == tuple(sizes[letter] for letter in axes(name)), name
        assert not tensor.requires_grad
    assert torch.equal(tensors["here.weights"], attended.weights)
    torch.testing.assert_close(tensors["here.scores"].softmax(-1), attended.weights.detach())


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: MultiHeadAttention(8, 3), "width must be a multiple of heads: 8 cannot be split evenly among 3"),
        (lambda: MultiHeadAttention(8, 0), "heads must be a whole number from 1 to 8"),
        (lambda: MultiHeadAttention(8, 2)(*[torch.ones(1, 2, 7)] * 3), r"queries must have shape \(batch, rows, 8\)"),
        (lambda: MultiHeadAttention(8, 2)(*[torch.ones(2, 8)] * 3), r"queries must have shape \(batch, rows, 8\)"),
        (
            lambda: MultiHeadAttention(8, 2)(*[torch.ones(1, 2, 8)] * 3, on=torch.ones(3, dtype=torch.bool)),
            "on must be true or false for each of the 2 heads",
        ),
    ],
)
def test_bad_input_is_said_in_a_sentence(made, sentence):
    with pytest.raises(InputError, match=sentence):
        made()
