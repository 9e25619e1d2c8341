"""Attention step by step and under every score, against torch's own attention."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.demos.scoring import building_blocks, explorer, queries_and_keys
from attention_core.scores import SCORES, cosine, drawn, scaled_dot


def test_the_steps_lead_to_torchs_own_attention():
    (queries, keys), values = queries_and_keys(4, seed=1), torch.arange(20.0, dtype=torch.float64).view(10, 2)
    shown = building_blocks(3, queries, keys, values, score=scaled_dot, parameters=())
    assert torch.allclose(shown["output"], scaled_dot_product_attention(queries, keys, values), atol=1e-12)
    assert torch.allclose(shown["weighted"].sum(0), shown["output"][3], atol=1e-12)
    assert torch.allclose(shown["weights"].sum(-1), torch.ones(8, dtype=torch.float64), atol=1e-14)


@pytest.mark.parametrize("temperature", [0.05, 1.0, 20.0])
def test_every_score_is_divided_by_the_temperature(temperature):
    queries, keys = queries_and_keys(6, seed=2)
    shown = explorer((queries, keys), {"a": (scaled_dot, ()), "b": (cosine, ())}, temperature)
    units = torch.eye(10, dtype=torch.float64)[None]
    scale = 1 / (math.sqrt(6) * temperature)
    torchs = scaled_dot_product_attention(queries[None], keys[None], units, scale=scale)[0]
    assert torch.allclose(shown["weights"][0], torchs, atol=1e-12)
    assert torch.equal(shown["scores"][1], cosine(queries, keys))


def test_many_temperatures_at_once_equal_one_at_a_time():
    scores = {name: (score.function, drawn(name, 6, 6)) for name, score in SCORES.items()}
    heat = torch.tensor([0.1, 1.0, 5.0], dtype=torch.float64)
    together = explorer(queries_and_keys(6, seed=0), scores, heat[:, None, None, None])["weights"]
    for weights, temperature in zip(together, heat.tolist(), strict=True):
        alone = explorer(queries_and_keys(6, seed=0), scores, temperature)["weights"]
        assert torch.allclose(weights, alone, atol=1e-14)


def test_wider_vectors_begin_with_the_narrower_ones():
    for wide, narrow in zip(queries_and_keys(512, seed=3), queries_and_keys(7, seed=3), strict=True):
        assert torch.equal(wide[:, :7], narrow)
