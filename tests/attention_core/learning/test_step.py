"""One epoch taken apart, against the module, torch.bmm and autograd."""

import pytest
import torch

from attention_core.data import generate, measured
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.step import fitted, one_step
from attention_core.learning.training import LOSSES, TrainingConfig, train
from tests.attention_core.learning.left_out import others

samples = generate()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("leave_one_out", [True, False])
def test_it_is_the_chapters_epoch(leave_one_out, loss):
    config = TrainingConfig(learning_rate=0.5, leave_one_out=leave_one_out, loss=loss)
    keys, values = others(samples) if leave_one_out else (samples.x.expand(50, 50), samples.y.expand(50, 50))
    net = NWKernelRegression(0.375558)
    output = net(samples.x, keys, values).output
    expected = LOSSES[loss](50) * (output - samples.y).square().sum()
    expected.backward()
    step = one_step(samples, config, 0.375558)
    torch.testing.assert_close(step.predictions, output.detach())
    torch.testing.assert_close(step.errors, (output - samples.y).detach())
    assert step.loss == pytest.approx(expected.item(), rel=1e-10)
    assert step.gradient == pytest.approx(net.w.grad.item(), rel=1e-9)
    assert step.move == pytest.approx(0.5 * step.gradient)
    assert step.new_w == pytest.approx(0.375558 - step.move)


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_the_shapes_are_those_of_the_batch_product(leave_one_out):
    shapes = dict(one_step(samples, TrainingConfig(leave_one_out=leave_one_out), 1.0).shapes)
    left = 49 if leave_one_out else 50
    assert shapes["keys"] == shapes["values"] == shapes["weights"] == (50, left)
    factors = torch.zeros(shapes["weights as a batch"]), torch.zeros(shapes["values as a batch"])
    assert torch.bmm(*factors).shape == shapes["product"] == (50, 1, 1)


def test_the_first_step_is_d2ls():
    step = one_step(samples, TrainingConfig(learning_rate=0.5), 0.375558)
    assert step.loss == pytest.approx(61.9502, abs=1e-3)
    assert step.new_w == pytest.approx(9.7814, abs=1e-3)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_every_epoch_of_a_run_can_be_taken_apart(optimizer):
    config = TrainingConfig(6, 0.2, optimizer=optimizer)
    w, earlier = config.w0, []
    for step in train(samples, config):
        apart = one_step(samples, config, w, earlier)
        assert (apart.loss, apart.gradient, apart.new_w) == (step.loss, step.gradient, step.w)
        w, earlier = step.w, [*earlier, step.gradient]


def test_predictions_in_blocks_are_the_same():
    data = measured("faithful")
    keys, values = others(data)
    torch.testing.assert_close(fitted(data, 3.0), NWKernelRegression(3.0)(data.x, keys, values).output.detach())
    data = generate(n=700)
    keys, values = others(data)
    torch.testing.assert_close(fitted(data, 0.0), values.mean(-1))
