"""While a picture of many points is computed, the points are there, and no prediction that is not theirs."""

import torch

from attention_core.data import generate
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures.waiting import points_alone
from tests.attention_ui.pictures.reading import curve


def test_the_points_are_there_before_there_is_a_prediction():
    samples = generate(n=300)
    header, values = curve(points_alone(Dataset.own(samples, "x", "y", "a file")))
    assert len(header["points"]) == 300
    torch.testing.assert_close(torch.tensor(header["points"]).double()[:, 0], samples.x, rtol=1e-6, atol=1e-6)
    assert values.isnan().all()


def test_many_points_are_not_made_a_matrix_to_say_that_there_is_no_weight_yet():
    header, _ = curve(points_alone(Dataset.own(generate(n=200_000), "x", "y", "a file")))
    assert header["samples"] == 200_000
    assert len(header["points"]) == 500
