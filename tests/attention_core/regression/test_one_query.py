"""One query taken apart: the terms add up, and leaving one out is truly leaving it out."""

import math

import numpy as np
import pytest
import torch
from scipy.stats import norm

from attention_core.checks import InputError
from attention_core.data import Samples, generate
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_core.regression.one_query import explain, seen_at

samples = generate()
both = pytest.mark.parametrize("linear", [False, True])


@pytest.mark.parametrize("kernel", KERNELS)
@both
def test_the_contributions_add_up_to_the_prediction(kernel, linear):
    estimator = Estimator(0.4, kernel, linear)
    seen = explain(1.5, samples, estimator)
    assert seen.weights.sum().item() == pytest.approx(1)
    assert torch.equal(seen.contributions, seen.weights * samples.y)
    assert seen.contributions.sum().item() == pytest.approx(seen.prediction)
    assert seen.prediction == pytest.approx(estimator.predict(torch.tensor([1.5]), samples).item(), rel=1e-12)


def test_the_weights_are_scipys_normal_densities_normalised():
    density = norm(1.5, 0.4).pdf(samples.x.numpy())
    assert explain(1.5, samples, Estimator(0.4)).weights.tolist() == pytest.approx(density / density.sum(), rel=1e-9)


@both
def test_the_order_is_by_absolute_weight_strongest_first(linear):
    seen = explain(0.1, samples, Estimator(0.4, linear=linear))
    strength = np.abs(seen.weights.numpy())
    assert strength[seen.order.numpy()].tolist() == sorted(strength, reverse=True)
    assert sorted(seen.order.tolist()) == list(range(50))
    assert seen.strongest == strength.argmax()


def test_equally_strong_points_stay_in_order():
    assert explain(1.5, samples, Estimator(kernel="constant")).order.tolist() == list(range(50))


@both
def test_without_a_point_is_what_the_other_points_predict(linear):
    estimator = Estimator(0.3, linear=linear)
    seen = explain(2.0, samples, estimator)
    for index in (0, seen.strongest, 49):
        others = Samples(*(torch.cat([t[:index], t[index + 1 :]]) for t in samples))
        assert seen.without(index) == pytest.approx(estimator.predict(torch.tensor([2.0]), others).item(), rel=1e-12)
    assert seen.without(seen.strongest) != pytest.approx(seen.prediction, rel=1e-6)


def test_without_a_point_the_other_weights_grow_in_proportion():
    seen = explain(2.0, samples, Estimator(0.3))
    alpha, y = seen.weights[seen.strongest].item(), samples.y[seen.strongest].item()
    assert seen.without(seen.strongest) == pytest.approx((seen.prediction - alpha * y) / (1 - alpha))


def test_without_the_only_point_in_reach_there_is_no_prediction():
    three = Samples(torch.tensor([0.0, 1.0, 2.0]).double(), torch.tensor([5.0, 6.0, 7.0]).double())
    seen = explain(1.1, three, Estimator(0.5, "boxcar"))
    assert (seen.reached, seen.prediction) == (1, 6.0)
    assert math.isnan(seen.without(1))
    assert seen.without(0) == 6.0
    one = Samples(*(t[:1] for t in three))
    assert math.isnan(explain(0.0, one, Estimator()).without(0))


def test_a_query_that_reaches_nothing_has_no_prediction():
    seen = explain(100.0, samples, Estimator(0.5, "tricube"))
    assert seen.reached == 0
    assert math.isnan(seen.prediction)
    assert not seen.contributions.any()
    assert math.isnan(seen.without(0))


@pytest.mark.parametrize("index", [-1, 50, 1.0])
def test_a_point_that_is_not_there_cannot_be_left_out(index):
    with pytest.raises(InputError, match="index must be a whole number from 0 to 49"):
        explain(2.0, samples, Estimator()).without(index)


@pytest.mark.parametrize("query", [math.nan, math.inf])
def test_a_query_must_be_a_number(query):
    with pytest.raises(InputError, match="queries must be finite"):
        explain(query, samples, Estimator())


@both
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar"])
def test_a_query_at_every_width_is_what_each_width_says(kernel, linear):
    widths = torch.tensor([4.0, 0.7, 0.01], dtype=torch.float64)
    some = torch.tensor([0, 7, 30])
    found = seen_at(1.5, samples, widths, (kernel, linear), some)
    for place, width in enumerate(widths.tolist()):
        known = explain(1.5, samples, Estimator(width, kernel, linear))
        torch.testing.assert_close(found.weights[place], known.weights[some])
        assert found.prediction[place].item() == pytest.approx(known.prediction, nan_ok=True)
        assert (int(found.reached[place]), int(found.strongest[place])) == (known.reached, known.strongest)
        assert found.ends[place].tolist() == pytest.approx([float(end) for end in known.weights.aminmax()])
        assert found.part_ends[place].tolist() == pytest.approx([float(end) for end in known.contributions.aminmax()])
