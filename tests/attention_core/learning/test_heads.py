"""Several learned widths: the slopes against autograd, one head against `train`, torch's optimisers, honest ends."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import generate, query_grid
from attention_core.learning.gradient import SquaredError
from attention_core.learning.heads import (
    HeadsConfig,
    HeadsError,
    mixed_frames,
    mixed_outputs,
    starts_apart,
    train_heads,
)
from attention_core.learning.training import LOSSES, TrainingConfig, train
from attention_core.learning.valley import floor
from attention_core.pooling import kernel_pool
from tests.attention_core.learning.left_out import others
from tests.attention_core.learning.single_heads import predict_heads

samples, queries = generate(), query_grid()
step = generate("step")


def by_autograd(data, w, logits, leave_one_out):
    """The loss as one would write it, from the single-head module's parts."""
    keys, values = others(data) if leave_one_out else (data.x, data.y)
    gaps = (data.x[:, None] - keys).square()
    heads = torch.stack([((-0.5 * gaps * one.square()).softmax(-1) * values).sum(-1) for one in w])
    return (logits.softmax(0) @ heads - data.y).square().sum()


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("w", [[1.5], [0.5, 5.0], [-1.0, 0.0, 30.0], [0.3, 1.0, 4.0, 12.0]])
@pytest.mark.parametrize("data", [samples, generate("doppler", 200, seed=3), generate("wave", 500, seed=1)])
def test_the_closed_form_slopes_are_autograds(data, w, leave_one_out):
    w = torch.tensor(w, dtype=torch.float64, requires_grad=True)
    logits = torch.linspace(-1, 1, len(w), dtype=torch.float64).requires_grad_()
    expected = by_autograd(data, w, logits, leave_one_out)
    slopes = torch.cat(torch.autograd.grad(expected, (w, logits)))
    loss, ours = HeadsError(data, leave_one_out)(w.detach(), logits.detach())
    assert loss == pytest.approx(expected.item(), rel=1e-10)
    torch.testing.assert_close(ours, slopes, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("loss", LOSSES)
def test_one_head_is_the_single_learned_w(optimizer, loss):
    training = TrainingConfig(30, 0.05, 0.8, loss=loss, optimizer=optimizer)
    for one, many in zip(train(samples, training), train_heads(samples, HeadsConfig((0.8,), training)), strict=True):
        assert many.shares.tolist() == [1.0]
        assert (many.loss, many.w.item()) == pytest.approx((one.loss, one.w), rel=1e-9)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_training_equals_torchs_own_loop(optimizer):
    config = HeadsConfig((0.5, 5.0), TrainingConfig(25, 0.05, optimizer=optimizer))
    w = torch.tensor(config.starts, dtype=torch.float64, requires_grad=True)
    logits = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    theirs = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimizer]([w, logits], lr=0.05)
    for made in train_heads(step, config):
        theirs.zero_grad()
        loss = by_autograd(step, w, logits, True)
        loss.backward()
        theirs.step()
        assert made.loss == pytest.approx(loss.item(), rel=1e-8)
        torch.testing.assert_close(made.w, w.detach(), rtol=1e-6, atol=1e-9)
        torch.testing.assert_close(made.shares, logits.detach().softmax(0), rtol=1e-6, atol=1e-9)


def test_the_step_keeps_two_widths_and_gains_by_it():
    *_, last = train_heads(step)
    wide, sharp = last.w.tolist()
    assert wide < 3 < 10 < sharp
    assert last.shares.min() > 0.3
    assert last.loss < 0.93 * floor(step).loss


def test_mostly_one_head_takes_nearly_all():
    *_, last = train_heads(generate("step", seed=1))
    assert last.shares.max() > 0.9
    *_, last = train_heads(generate("wave"))
    assert last.shares.max() > 0.9


def test_equal_starts_stay_equal():
    *_, last = train_heads(step, HeadsConfig((1.0, 1.0), TrainingConfig(30)))
    assert last.w[0] == last.w[1]
    assert last.shares.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("rate", [100.0, 1e200, 1e300])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_diverging_run_ends_flagged_and_finite(rate, optimizer):
    rate = min(rate * 100 if optimizer == "adam" else rate, 1e300)
    steps = list(train_heads(step, HeadsConfig((0.5, 5.0), TrainingConfig(50, rate, optimizer=optimizer))))
    assert steps[-1].diverged
    assert not any(s.diverged for s in steps[:-1])
    assert all(torch.cat([s.w, s.shares]).isfinite().all() and s.loss < float("inf") for s in steps)
    assert mixed_outputs(queries, step, steps[-1].w, steps[-1].shares).isfinite().all()


def test_the_weights_are_those_of_the_single_heads_mixed():
    w, shares = torch.tensor([0.5, -4.0], dtype=torch.float64), torch.tensor([0.3, 0.7], dtype=torch.float64)
    output, weights = predict_heads(queries, samples, w, shares)
    wide, narrow = (kernel_pool(queries, *samples, width) for width in (2.0, 0.25))
    torch.testing.assert_close(weights, 0.3 * wide.weights + 0.7 * narrow.weights)
    torch.testing.assert_close(mixed_outputs(queries, samples, w, shares), output)
    path = mixed_frames(samples, (queries, queries), torch.stack([w + 1, w]), torch.stack([1 - shares, shares]))
    torch.testing.assert_close(path.curves[1], output)
    torch.testing.assert_close(path.weights[1], weights)


def test_starts_are_apart():
    assert starts_apart(1) == (0.5,)
    assert starts_apart(2) == (0.5, 5.0)
    assert len(set(starts_apart(4, 1.0))) == 4


def test_one_to_four_heads():
    with pytest.raises(InputError, match="1 to 4 numbers"):
        HeadsConfig(())
    with pytest.raises(InputError, match="each start must be a number"):
        HeadsConfig((1.0, float("nan")))


def test_a_single_head_has_the_known_loss():
    loss, slopes = HeadsError(samples)(torch.tensor([2.0]).double(), torch.zeros(1).double())
    assert (loss, slopes[0].item()) == pytest.approx(SquaredError(samples)(2.0))
    assert slopes[1].item() == pytest.approx(0.0, abs=1e-12)
