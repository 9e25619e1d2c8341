"""The experiments behind the exercises: against torch and closed forms, and how often the usual answer holds."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention, softmax

from attention_core.data import generate, query_grid, truth
from attention_core.demos.cues import KEYS, STRENGTH
from attention_core.experiments import EXPERIMENTS, MODELS, MODULES
from attention_core.experiments.cues import BOOK, CUP, saliencies
from attention_core.experiments.masked import weights_before
from attention_core.experiments.shapes import sizes
from attention_core.experiments.temperature import pairs
from attention_core.sequences.checkpoint import parameters_in
from attention_core.transformer.positions import encoding

SEEDS = (120, 77_000, 98_760_100)
# What each of 20 seeds spoke for when they were chosen; here slow ones are asked on one or two, the others on ten.
USUAL = {
    "temperature": "nearest",
    "columns": "any",
    "average": "few",
    "narrow": "seen",
    "more_data": "free",
    "kernel_or_width": "width",
    "shapes": "nac",
    "leave_out": "grows",
    "sharper": "quarter",
    "hyper": "epochs",
    "design": "line",
    "sqrt_d": "one",
    "masked": "share",
    "lengths": "dot",
    "bottleneck": "long",
    "blanked": "most",
    "heads": "same",
    "shuffle": "positions",
    "causal": "later",
}
SLOW = {"more_data": 1, "design": 1, "kernel_or_width": 1, "hyper": 1, "bottleneck": 1, "blanked": 1, "leave_out": 2}
every_seed = pytest.mark.parametrize("seed", SEEDS)


def found(name, seed):
    return EXPERIMENTS[name](seed, **{name: parameters_in(model) for name, model in MODELS.get(name, {}).items()})


@pytest.mark.parametrize("name", USUAL)
def test_the_usual_answer_holds_on_at_least_nine_seeds_in_ten(name):
    count = SLOW.get(name, 10)
    answers = [found(name, 4_711_000 + 3_701 * i).answer for i in range(count)]
    assert answers.count(USUAL[name]) >= 0.9 * count, answers


def test_a_little_more_than_a_quarter_of_the_keys_is_left_on_every_seed():
    """The exercise says so, and why: at w = 1 the weights reach beyond the data."""
    assert all(0.25 < found("sharper", seed).numbers["share"] < 0.37 for seed in range(50))


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in SLOW])
def test_the_same_seed_finds_the_same_and_every_number_is_finite(name):
    first, second = found(name, 42), found(name, 42)
    assert first.answer == second.answer
    assert first.numbers == second.numbers
    assert all(math.isfinite(number) for number in first.numbers.values())
    assert found(name, 43).numbers != first.numbers or name == "heads"


def test_every_file_is_an_experiment_by_its_name():
    assert list(EXPERIMENTS) == [module.__name__.rpartition(".")[2] for module in MODULES]
    assert set(EXPERIMENTS) == {*USUAL, "cues", "learned_w"}


@every_seed
def test_the_book_leads_where_the_two_scores_cross(seed):
    saliency = saliencies(seed)
    lead = saliency[CUP] - saliency[BOOK]
    gain = STRENGTH * (KEYS[BOOK, 1] - KEYS[CUP, 1])
    assert found("cues", seed).answer == pytest.approx((lead / (lead + gain)).item(), abs=2e-3)


@every_seed
def test_the_cooled_weights_are_torchs_softmax(seed):
    query, drawn = pairs(seed)
    seen = found("temperature", seed).drawn
    scores = -(query - drawn.keys[:, 0]).square() / 2
    expected = softmax(scores / seen["temperatures"][:, None], -1)
    torch.testing.assert_close(seen["weights"], expected)
    torch.testing.assert_close(seen["outputs"], expected @ drawn.values)
    assert drawn.values.argmax() != (query - drawn.keys[:, 0]).abs().argmin(), "else two answers would hold"


@every_seed
def test_column_sums_add_up_to_the_number_of_queries(seed):
    assert found("columns", seed).drawn["columns"].sum().item() == pytest.approx(10)


@every_seed
def test_average_and_attention_are_torchs(seed):
    samples, queries = generate("wave", 50, 0.5, seed), query_grid()
    known = truth("wave", queries)
    weights = softmax(-(queries[:, None] - samples.x).square() / 2, -1)
    numbers = found("average", seed).numbers
    assert numbers["error of attention"] == pytest.approx((weights @ samples.y - known).square().mean().item())
    assert numbers["error of average pooling"] == pytest.approx((samples.y.mean() - known).square().mean().item())


def test_the_learned_w_is_the_best_of_a_grid():
    samples = generate("wave", 50, 0.5, 120)
    w = torch.logspace(-1, 1.5, 2000, dtype=torch.float64)
    scores = -((samples.x[:, None] - samples.x) * w[:, None, None]).square() / 2
    scores = scores.masked_fill(torch.eye(50).bool(), -math.inf)
    losses = (softmax(scores, -1) @ samples.y - samples.y).square().sum(-1)
    finding = found("learned_w", 120)
    assert finding.answer == pytest.approx(w[losses.argmin()].item(), rel=0.02)
    assert finding.numbers["loss in the end"] == pytest.approx(losses.min().item(), rel=1e-3)


@every_seed
def test_the_effective_number_of_keys_is_the_exponent_of_the_entropy(seed):
    samples, queries = generate("wave", 50, 0.5, seed), query_grid()
    for w, name in ((1, "effective keys at w = 1"), (4, "effective keys at w = 4")):
        log_weights = (-((queries[:, None] - samples.x) * w).square() / 2).log_softmax(-1)
        entropy = -(log_weights.exp() * log_weights).sum(-1).mean()
        assert found("sharper", seed).numbers[name] == pytest.approx(entropy.exp().item())


@every_seed
def test_a_mask_divides_the_others_by_what_is_left(seed):
    scores, hidden = weights_before(seed)
    rest = torch.cat([scores[:hidden], scores[hidden + 1 :]]).softmax(-1)
    after = found("masked", seed).drawn["after"]
    torch.testing.assert_close(torch.cat([after[:hidden], after[hidden + 1 :]]), rest)
    assert after[hidden] == 0


@every_seed
def test_the_shape_is_numpys_own(seed):
    n, a, b, c = sizes(seed)
    assert len({n, a, b, c}) == 4
    product = found("shapes", seed).drawn["product"]
    assert product.numpy().shape == (n, a, c)


def test_unscaled_dot_products_have_the_variance_of_their_dimensions():
    numbers = found("sqrt_d", 5).numbers
    assert numbers["variance of the scores, not divided"] == pytest.approx(512, rel=0.1)
    assert numbers["variance of the scores, divided"] == pytest.approx(1, rel=0.1)


@every_seed
def test_heads_have_as_many_parameters_as_torchs(seed):
    numbers = found("heads", seed).numbers
    for heads, name in ((1, "one head"), (8, "eight heads")):
        torchs = torch.nn.MultiheadAttention(int(numbers["width"]), heads)
        assert numbers[f"parameters with {name}"] == sum(each.numel() for each in torchs.parameters())


@every_seed
def test_what_shuffled_words_read_is_torchs(seed):
    order = found("shuffle", seed).drawn["order"]
    generator = torch.Generator().manual_seed(seed)
    words = torch.randn(6, 16, generator=generator, dtype=torch.float64)
    maps = torch.randn(3, 16, 16, generator=generator, dtype=torch.float64) / 4
    for row, places in enumerate((torch.zeros(6, 16), encoding(6, 16))):
        before, after = (scaled_dot_product_attention(*(rows + places) @ maps) for rows in (words, words[order]))
        changes = (after - before[order]).abs().amax(-1)
        torch.testing.assert_close(found("shuffle", seed).drawn["changes"][row], changes, rtol=1e-6, atol=1e-12)


@every_seed
def test_the_causal_weights_are_torchs(seed):
    words = torch.randn(2, 6, 16, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    finding = found("causal", seed)
    place = int(finding.numbers["word exchanged"]) - 1
    exchanged = words[0].clone()
    exchanged[place] = words[1, place]
    before, after = (
        scaled_dot_product_attention(*[rows[None]] * 3, is_causal=True)[0] for rows in (words[0], exchanged)
    )
    torch.testing.assert_close(finding.drawn["change"], (after - before).abs().amax(-1), rtol=1e-6, atol=1e-12)
