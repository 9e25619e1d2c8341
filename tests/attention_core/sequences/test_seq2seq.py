"""The model against torch's own GRU and the formulas written out, and padding that must not matter."""

import pytest
import torch
from torch import nn

from attention_core.checks import InputError
from attention_core.masks import masked_softmax
from attention_core.scores import additive
from attention_core.sequences.decoding import exact_match, greedy, outputs, trace
from attention_core.sequences.seq2seq import Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import TASKS, Lengths, encoded, strings
from attention_core.sequences.vocabulary import BEGIN, END, PADDING

REVERSE = TASKS["reverse"]
DRAWN = encoded(REVERSE, strings(REVERSE, 8, 1, lengths=Lengths(2, 9)))


def model_of(task=REVERSE, **shape):
    """A model that nobody has trained, with weights large enough to look somewhere."""
    model = Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), hidden=12, embedding=5, **shape), seed=3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)
    return model.requires_grad_(False)


def close(a, b):
    assert a.shape == b.shape
    assert torch.allclose(a, b, atol=1e-5, rtol=1e-4)


SHAPES = [(attention, bidirectional) for attention in (True, False) for bidirectional in (True, False)]
every_shape = pytest.mark.parametrize(("attention", "bidirectional"), SHAPES)


@every_shape
def test_padding_changes_nothing(attention, bidirectional):
    model = model_of(attention=attention, bidirectional=bidirectional)
    together = model(DRAWN.sources, DRAWN.targets)
    target_lengths = (DRAWN.targets != PADDING).sum(1)
    for n, (s, t) in enumerate(zip(DRAWN.source_lengths.tolist(), target_lengths.tolist(), strict=True)):
        alone = model(DRAWN.sources[n : n + 1, :s], DRAWN.targets[n : n + 1, :t])
        close(alone.logits[0], together.logits[n, :t])
        close(alone.weights[0], together.weights[n, :t, :s])
        close(alone.contexts[0], together.contexts[n, :t])


def test_alignment_rows_sum_to_one_and_are_zero_on_padding():
    weights = model_of()(DRAWN.sources, DRAWN.targets).weights  # (B, T, S)
    close(weights.sum(-1), torch.ones(weights.shape[:2]))
    padding = (DRAWN.sources == PADDING)[:, None].expand_as(weights)
    assert padding.any()
    assert (weights[padding] == 0).all()
    assert (weights[~padding] > 0).all()


def test_the_weights_are_masked_softmax_of_additive_scores():
    model = model_of()
    memory, state = model.remember(DRAWN.sources, DRAWN.source_lengths)
    attention = model.decoder.attention
    scores = additive(state[:, None], memory.states, attention.W_q, attention.W_k, attention.w_v)  # (B, 1, S)
    weights = masked_softmax(scores, DRAWN.source_lengths)
    look = model.decoder.look(state, memory)
    close(look.weights, weights[:, 0])
    close(look.context, (weights @ memory.states)[:, 0])


def test_the_encoder_reads_from_the_right_as_a_gru_on_the_reversed_text_does():
    model = model_of()
    mine = model.encoder
    states, last = mine(DRAWN.sources, DRAWN.source_lengths)
    backwards = nn.GRU(5, 12, batch_first=True)
    backwards.load_state_dict({name: getattr(mine.gru, f"{name}_reverse") for name in backwards.state_dict()})
    for n, length in enumerate(DRAWN.source_lengths.tolist()):
        embedded = mine.embedding(DRAWN.sources[n, :length].flip(0))[None]
        expected = backwards(embedded)[0][0].flip(0)
        close(states[n, :length, 12:], expected)
        close(last[n, 12:], expected[0])
        close(last[n, :12], states[n, length - 1, :12])


@every_shape
def test_the_decoder_is_a_gru_over_symbols_and_contexts(attention, bidirectional):
    """Given the contexts, the cell run step by step must be nn.GRU with its weights, over all steps at once."""
    model = model_of(attention=attention, bidirectional=bidirectional)
    decoded = model(DRAWN.sources, DRAWN.targets)
    decoder, (_, start) = model.decoder, model.remember(DRAWN.sources, DRAWN.source_lengths)
    gru = nn.GRU(decoder.cell.input_size, 12, batch_first=True)
    gru.load_state_dict({f"{name}_l0": value for name, value in decoder.cell.state_dict().items()})
    begin = torch.full((len(DRAWN.targets), 1), BEGIN)
    embedded = decoder.embedding(torch.cat([begin, DRAWN.targets], 1)[:, :-1])
    states, _ = gru(torch.cat([embedded, decoded.contexts], -1), start[None])
    close(decoded.states, states)
    logits = decoder.output(torch.cat([states, decoded.contexts], -1))
    close(decoded.logits, logits)


def test_without_attention_every_context_is_the_last_state_and_no_weight_is_claimed():
    model = model_of(attention=False)
    decoded = model(DRAWN.sources, DRAWN.targets)
    _, last = model.encoder(DRAWN.sources, DRAWN.source_lengths)
    assert (decoded.contexts == last[:, None]).all()
    assert not decoded.weights.any()


def test_the_decoder_does_not_see_the_symbol_it_is_to_write():
    model, changed = model_of(), DRAWN.targets.clone()
    changed[:, 3] = 5 + (changed[:, 3] == 5).long()
    before, after = (model(DRAWN.sources, t).logits for t in (DRAWN.targets, changed))
    assert torch.equal(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4:], after[:, 4:])


@every_shape
def test_greedy_takes_the_likeliest_symbol_at_every_step(attention, bidirectional):
    model = model_of(attention=attention, bidirectional=bidirectional)
    written = greedy(model, DRAWN.sources, most=9)
    forced = model(DRAWN.sources, written.symbols)
    likeliest = forced.logits[..., END:].argmax(-1) + END
    for n, length in enumerate(written.lengths.tolist()):
        assert torch.equal(written.symbols[n, :length], likeliest[n, :length])
        close(written.weights[n, :length], forced.weights[n, :length])
        assert not written.weights[n, length:].any()
        assert (written.symbols[n, length:] == PADDING).all()


def test_a_model_that_never_ends_is_stopped_and_one_that_ends_at_once_writes_nothing():
    model = model_of()
    model.decoder.output.bias[END] = -1e9
    assert greedy(model, DRAWN.sources, most=7).symbols.shape == (8, 7)
    model.decoder.output.bias[END] = 1e9
    assert outputs(model, REVERSE, ["123", "4567"]) == ["", ""]
    assert trace(model, REVERSE, "123").symbols == ("end",)


@pytest.mark.parametrize("name", ["reverse", "dates"])
def test_the_trace_of_one_text_is_its_row_of_the_batch(name):
    task = TASKS[name]
    model, texts = model_of(task), strings(task, 5, 2, "unseen")
    drawn = encoded(task, texts)
    written = greedy(model, drawn.sources, drawn.source_lengths)
    for n, text in enumerate(texts):
        traced = trace(model, task, f" {text} ")
        rows, columns = traced.weights.shape
        assert (traced.text, columns) == (text, len(text))
        assert rows == len(traced.symbols) == written.lengths[n]
        assert traced.output == "".join(s for s in traced.symbols if s != "end")
        close(traced.weights, written.weights[n, :rows, :columns])
        close(traced.weights, traced.scores.softmax(-1))
        close(traced.probabilities.sum(-1), torch.ones(rows))
        shown = [task.target.symbols[k + END] for k in traced.probabilities[:, END:].argmax(-1).tolist()]
        assert tuple(shown) == traced.symbols


def test_the_seed_makes_the_parameters_whatever_torchs_own_generator_does():
    first, again, other = (
        torch.cat([parameter.flatten() for parameter in Seq2Seq(Seq2SeqConfig(13, 13), seed).parameters()])
        for seed in (1, 1, 2)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_exact_match_counts_whole_outputs(monkeypatch):
    monkeypatch.setattr("attention_core.sequences.decoding.answers", lambda model, task, texts: ["321", "65", "9887"])
    assert exact_match(model_of(), REVERSE, ["123", "456", "7889"]) == pytest.approx(2 / 3)


def test_bad_settings_are_said_in_a_sentence():
    with pytest.raises(InputError, match="hidden must be a whole number from 1 to 512, not 0"):
        Seq2SeqConfig(13, 13, hidden=0)
    with pytest.raises(InputError, match="only digits"):
        trace(model_of(), REVERSE, "12x")
