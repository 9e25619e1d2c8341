"""The Transformer: each layer and both stacks against torch's own, what it may see, and how it writes."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from attention_core.checks import InputError
from attention_core.sequences.decoding import outputs
from attention_core.sequences.tasks import TASKS, encoded
from attention_core.sequences.vocabulary import BEGIN, END
from attention_core.transformer.decoding import Choice, write, write_text
from attention_core.transformer.layers import decoder_layer_from_torch, encoder_layer_from_torch
from attention_core.transformer.model import Transformer, TransformerConfig
from attention_core.transformer.recorder import Recorder, axes

REVERSE = TASKS["reverse"]
few = settings(max_examples=12)
lengths = st.lists(st.integers(1, 6), min_size=1, max_size=3)
pre_and_post = pytest.mark.parametrize("norm_first", [False, True])


def random(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def reference(kind, norm_first, dtype=torch.float64):
    """One of torch's own layers; every parameter random, since biases of 0 and norms of 1 would hide a mistake."""
    made = kind(8, 2, 12, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype)
    for number, parameter in enumerate(made.parameters()):
        parameter.data = random(*parameter.shape, seed=number, dtype=dtype) / 2
    return made


def model(seed=0, **shape):
    config = TransformerConfig(13, 13, width=8, heads=2, hidden=12, encoder_layers=2, decoder_layers=2)
    return Transformer(TransformerConfig(**{**vars(config), **shape}), seed).requires_grad_(False)


def symbols(*shape, seed=0):
    return torch.randint(3, 13, shape, generator=torch.Generator().manual_seed(seed))


def full(rows):
    return torch.full((len(rows),), rows.shape[1])


def recorded(m, text):
    """Every tensor of the pass that reads one text and its right answer, by name."""
    tensors, (sources, lens, targets) = {}, encoded(REVERSE, [text])
    m(sources, lens, targets, Recorder(tensors))
    return tensors


def hidden(lens, longest):
    return torch.arange(longest) >= torch.tensor(lens)[:, None]  # (B, longest), true on padding


@pre_and_post
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
@few
@given(lens=lengths)
def test_an_encoder_layer_is_torchs_own(norm_first, dtype, tolerance, lens):
    theirs, x = reference(nn.TransformerEncoderLayer, norm_first, dtype), random(len(lens), 6, 8, dtype=dtype)
    expected = theirs(x, src_key_padding_mask=hidden(lens, 6))
    torch.testing.assert_close(encoder_layer_from_torch(theirs)(x, lens).rows, expected, atol=tolerance, rtol=0)


@pre_and_post
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
@few
@given(lens=lengths)
def test_a_decoder_layer_is_torchs_own(norm_first, dtype, tolerance, lens):
    theirs = reference(nn.TransformerDecoderLayer, norm_first, dtype)
    x, memory = random(len(lens), 4, 8, dtype=dtype), random(len(lens), 6, 8, seed=9, dtype=dtype)
    later = torch.ones(4, 4).triu(1).bool()
    expected = theirs(x, memory, tgt_mask=later, memory_key_padding_mask=hidden(lens, 6))
    ours = decoder_layer_from_torch(theirs)(x, memory, lens)
    torch.testing.assert_close(ours.rows, expected, atol=tolerance, rtol=0)
    assert not ours.weights[..., later].any()


@pre_and_post
def test_the_stacks_are_torchs_own(norm_first):
    """Two layers each, and the norms that close the stacks of pre-norm layers."""
    ours = model(norm_first=norm_first).double()
    encoder_layers = [reference(nn.TransformerEncoderLayer, norm_first) for _ in range(2)]
    decoder_layers = [reference(nn.TransformerDecoderLayer, norm_first) for _ in range(2)]
    ours.encoder = nn.ModuleList(map(encoder_layer_from_torch, encoder_layers))
    ours.decoder = nn.ModuleList(map(decoder_layer_from_torch, decoder_layers))
    sources, before = symbols(2, 5), symbols(2, 4, seed=1)
    x, y = ours.source(sources), ours.target(before)
    for layer in encoder_layers:
        x = layer(x)
    memory = nn.functional.layer_norm(x, (8,)) if norm_first else x
    for layer in decoder_layers:
        y = layer(y, memory, tgt_mask=torch.ones(4, 4).triu(1).bool())
    y = nn.functional.layer_norm(y, (8,)) if norm_first else y
    logits = ours.continued(before, ours.remember(sources, full(sources))).logits
    torch.testing.assert_close(logits, ours.output(y), atol=1e-11, rtol=0)


def test_every_head_of_every_layer_gives_its_weights():
    sources, targets = symbols(3, 5), symbols(3, 4, seed=1)
    passed = model(encoder_layers=3)(sources, torch.tensor([5, 2, 4]), targets)
    assert passed.logits.shape == (3, 4, 13)
    assert passed.encoder.shape == (3, 3, 2, 5, 5)
    assert passed.decoder.shape == (3, 2, 2, 4, 4)
    assert passed.cross.shape == (3, 2, 2, 4, 5)
    for weights in passed[1:]:
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    assert not passed.cross[1, ..., 2:].any()
    assert not passed.encoder[1, ..., 2:].any()


@few
@given(st.integers(1, 5), st.integers(0, 4))
def test_padding_changes_nothing(length, more):
    sources, targets = symbols(1, length), symbols(1, 3, seed=1)
    padded = torch.cat([sources, symbols(1, more, seed=2)], 1)  # whatever stands there
    alone, among = (model()(s, torch.tensor([length]), targets) for s in (sources, padded))
    torch.testing.assert_close(among.logits, alone.logits, atol=1e-5, rtol=0)
    torch.testing.assert_close(among.cross[..., :length], alone.cross, atol=1e-5, rtol=0)


@few
@given(st.integers(0, 4))
def test_no_output_sees_a_later_target(position):
    sources, targets = symbols(1, 5), symbols(1, 5, seed=1)
    changed = targets.clone()
    changed[0, position] = 3 + (targets[0, position] - 2) % 10
    before, after = (model()(sources, full(sources), t).logits[0] for t in (targets, changed))
    assert torch.equal(before[: position + 1], after[: position + 1])  # the symbol itself is shown one row later
    assert position == 4 or (before[position + 1 :] - after[position + 1 :]).abs().amax(-1).min() > 1e-4


def test_without_positions_the_order_of_the_source_is_lost_and_with_them_it_is_not():
    sources, targets, order = torch.tensor([[3, 4, 5, 6, 7]]), symbols(1, 3), torch.tensor([2, 4, 1, 0, 3])
    for positions in (False, True):
        m = model(positions=positions)
        straight, mixed = (m(s, full(s), targets) for s in (sources, sources[:, order]))
        same = torch.allclose(straight.logits, mixed.logits, atol=1e-5)
        assert same != positions
        moved = torch.allclose(straight.cross[..., order], mixed.cross, atol=1e-5)
        assert moved != positions


@pre_and_post
def test_a_pass_can_be_looked_into_by_name(norm_first):
    m = model(norm_first=norm_first)
    tensors = recorded(m, "3141")  # S = 4 symbols in, T = 5 out
    common = {"B": 1, "H": 2, "D": 4, "M": 8, "F": 12, "L": 13}
    for name, tensor in tensors.items():
        source = name.startswith(("source", "encoder", "memory"))
        rows = {"T": 4 if source else 5, "Q": 4 if source else 5, "K": 4 if source or "cross" in name else 5}
        assert tensor.shape == tuple({**common, **rows}[letter] for letter in axes(name)), name
    parts = {"encoder": ["self_attention", "feed_forward"]}
    parts["decoder"] = ["self_attention", "cross_attention", "feed_forward"]
    for place in (f"{stack}.{layer}.{part}." for stack in parts for layer in (0, 1) for part in parts[stack]):
        assert {place + last for last in ("output", "sum", "norm")} <= set(tensors)


def test_what_is_noted_is_what_was_used():
    m, task = model(), REVERSE
    tensors = recorded(m, "3141")
    sources, targets = torch.tensor([task.source.encode("3141")]), torch.tensor([[*task.target.encode("1413"), END]])
    passed = m(sources, full(sources), targets)
    assert torch.equal(tensors["next.logits"], passed.logits)
    assert torch.equal(tensors["decoder.1.cross_attention.weights"], passed.cross[:, 1])
    assert tensors["target.symbols"][0].tolist() == [BEGIN, *task.target.encode("1413")]
    torch.testing.assert_close(tensors["source.placed"], tensors["source.embedded"] + tensors["source.positions"])
    entered, left = tensors["decoder.0.self_attention.norm"], tensors["decoder.0.cross_attention.output"]
    torch.testing.assert_close(entered + left, tensors["decoder.0.cross_attention.sum"])


def test_writing_takes_the_likeliest_symbol_and_its_rows_are_those_of_every_step():
    m, sources = model(seed=3), symbols(2, 5)
    written = write(m, sources, most=6)
    memory = m.remember(sources, full(sources))
    shown = torch.full((2, 1), BEGIN)
    for t in range(written.symbols.shape[1]):
        passed = m.continued(shown, memory)
        for whole, step in ((written.passed.cross, passed.cross), (written.passed.decoder, passed.decoder)):
            torch.testing.assert_close(whole[:, :, :, t, : step.shape[-1]], step[:, :, :, t], atol=1e-6, rtol=0)
        going = t < written.lengths
        likeliest = passed.logits[:, -1, END:].argmax(-1) + END
        assert torch.equal(written.symbols[going, t], likeliest[going])
        shown = torch.cat([shown, written.symbols[:, t : t + 1]], 1)
    torch.testing.assert_close(written.probabilities.sum(-1), torch.ones(written.symbols.shape))


def test_temperature_is_softmax_of_the_logits_divided_by_it():
    logits = random(4, 13)
    p = Choice(0.5).probabilities(logits)
    torch.testing.assert_close(p[:, END:], (logits[:, END:] / 0.5).softmax(-1))
    assert not p[:, :END].any()
    entropies = [torch.special.entr(Choice(t).probabilities(logits)).sum() for t in (0.1, 1.0, 10.0)]
    assert entropies == sorted(entropies)
    # The likeliest stays the likeliest.
    texts = [write_text(model(), REVERSE, "314", Choice(t)).output for t in (0.1, 1.0, 10.0)]
    assert len(set(texts)) == 1


def test_drawing_follows_the_probabilities_and_its_seed():
    m = model()
    drawn = [write_text(m, REVERSE, "314", Choice(1.0, seed)).output for seed in range(8)]
    assert drawn == [write_text(m, REVERSE, "314", Choice(1.0, seed)).output for seed in range(8)]
    assert len(set(drawn)) > 1
    sources = torch.tensor([REVERSE.source.encode("314")] * 4000)
    first = write(m, sources, choice=Choice(2.0, seed=1), most=1)
    shares = torch.bincount(first.symbols[:, 0], minlength=13) / 4000
    assert (shares - first.probabilities[0, 0]).abs().max() < 0.03  # four standard deviations of a share of 4000


def test_one_text_is_told_with_its_symbols():
    text = write_text(model(), REVERSE, " 31415 ", Choice(1.0, 2))
    T = len(text.symbols)  # noqa: N806
    assert text.text == "31415"
    assert text.before == ("begin", *text.symbols[:-1])
    assert text.output == "".join(s for s in text.symbols if s != "end")
    assert text.probabilities.shape == (T, 13)
    assert (text.encoder.shape, text.decoder.shape, text.cross.shape) == ((2, 2, 5, 5), (2, 2, T, T), (2, 2, T, 5))


def test_a_batch_writes_what_each_text_alone_would():
    m = model(seed=1)
    texts = ["31415", "27", "141"]
    assert outputs(m, REVERSE, texts) == [write_text(m, REVERSE, text).output for text in texts]


def test_the_same_seed_makes_the_same_model_and_torchs_generator_has_no_part_in_it():
    torch.manual_seed(1)
    first = model(seed=4)
    torch.manual_seed(2)
    again, other = model(seed=4), model(seed=5)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), again.parameters(), strict=True))
    assert not torch.equal(first.output.weight, other.output.weight)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: model(width=9), "width must be even and a multiple of the 2 heads"),
        (lambda: model(width=8, heads=3), "width must be even and a multiple of the 3 heads"),
        (lambda: model(encoder_layers=0), "encoder layers must be a whole number from 1 to 12"),
        (lambda: Choice(0.0), "temperature must be a number from 0.01 to 100"),
        (lambda: Choice(1.0, -1), "seed must be a whole number"),
        (lambda: write_text(model(), REVERSE, "abc"), "may hold only digits"),
    ],
)
def test_bad_input_is_said_in_a_sentence(made, sentence):
    with pytest.raises(InputError, match=sentence):
        made()
