"""attend, kernel_pool and predict against torch's own attention, statsmodels, and each other."""

import math

import pytest
import torch
from statsmodels.nonparametric.kernel_regression import KernelReg
from torch.nn.functional import scaled_dot_product_attention

from attention_core.data import generate, query_grid
from attention_core.kernels import KERNELS
from attention_core.pooling import BLOCK, attend, average, kernel_pool, predict_in_blocks

samples = generate()
queries = query_grid()


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_attend_is_torchs_own_attention():
    q, k, v = random(2, 5, 4, seed=1), random(2, 7, 4, seed=2), random(2, 7, 3, seed=3)
    expected = scaled_dot_product_attention(q, k, v)
    assert torch.allclose(attend(q @ k.mT / math.sqrt(4), v).output, expected, atol=1e-12)


def test_attend_honours_minus_infinity_like_torchs_mask():
    q, k, v = random(5, 4, seed=1), random(7, 4, seed=2), random(7, 3, seed=3)
    mask = random(5, 7, seed=4) > -0.5
    scores = (q @ k.mT / 2).masked_fill(~mask, -math.inf)
    pooled = attend(scores, v)
    assert torch.allclose(pooled.output, scaled_dot_product_attention(q, k, v, mask), atol=1e-12)
    assert (pooled.weights[~mask] == 0).all()


@pytest.mark.parametrize(
    ("scores", "values", "output"),
    [
        ((5, 7), (7,), (5,)),
        ((5, 7), (7, 3), (5, 3)),
        ((2, 5, 7), (7,), (2, 5)),
        ((2, 5, 7), (2, 7), (2, 5)),
        ((2, 5, 7), (2, 7, 3), (2, 5, 3)),
        ((2, 4, 5, 7), (2, 4, 7, 3), (2, 4, 5, 3)),
    ],
)
def test_the_shapes_attend_takes(scores, values, output):
    pooled = attend(random(*scores), random(*values))
    assert pooled.output.shape == output
    assert pooled.weights.shape == scores


def test_a_row_with_nothing_to_attend_to_has_no_weight_and_no_output():
    scores = torch.tensor([[0.0, 0.0], [-math.inf, -math.inf]])
    pooled = attend(scores, torch.tensor([1.0, 3.0]))
    assert pooled.weights.tolist() == [[0.5, 0.5], [0, 0]]
    assert pooled.output[0] == 2
    assert pooled.output[1].isnan()


def test_average_pooling_is_the_mean_for_every_query():
    pooled = average(queries, samples.x, samples.y)
    assert torch.allclose(pooled.output, samples.y.mean().expand(50), atol=1e-14)
    assert torch.allclose(pooled.weights, torch.full((50, 50), 0.02, dtype=torch.float64), atol=1e-16)


@pytest.mark.parametrize("width", [0.1, 0.25225, 1.0, 3.0])
def test_gaussian_pooling_is_statsmodels_local_constant_regression(width):
    reference = KernelReg(samples.y.numpy(), samples.x.numpy(), "c", reg_type="lc", bw=[width])
    expected = torch.from_numpy(reference.fit(queries.numpy())[0])
    assert torch.allclose(kernel_pool(queries, samples.x, samples.y, width).output, expected, rtol=1e-9)
    assert torch.allclose(predict_in_blocks(queries, samples.x, samples.y, width), expected, rtol=1e-9)


def test_d2ls_published_formula():
    """The chapter's own expression at w = 1, in float64."""
    repeated = queries.repeat_interleave(50).reshape(-1, 50)
    weights = torch.nn.functional.softmax(-((repeated - samples.x) ** 2) / 2, dim=1)
    pooled = kernel_pool(queries, samples.x, samples.y)
    assert torch.allclose(pooled.weights, weights, atol=1e-15)
    assert torch.allclose(pooled.output, torch.matmul(weights, samples.y), atol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("width", [1e-4, 0.02, 0.5, 10.0, 1e6])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (7, 3), (300, 700), (2, BLOCK + 1)])
def test_predict_in_blocks_equals_the_unblocked_answer(kernel, width, rows, columns):
    q = torch.linspace(-0.5, 5.5, rows, dtype=torch.float64)
    keys, values = 5 * random(columns, seed=1).sigmoid(), random(columns, seed=2)
    whole = kernel_pool(q, keys, values, width, kernel).output
    blocked = predict_in_blocks(q, keys, values, width, kernel)
    assert torch.equal(blocked.isnan(), whole.isnan())
    assert torch.allclose(blocked, whole, rtol=0, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
@pytest.mark.parametrize("pool", [predict_in_blocks, lambda *a: kernel_pool(*a).output])
def test_a_tiny_width_is_the_nearest_neighbour(pool, kernel):
    nearest = samples.y[(queries[:, None] - samples.x).abs().argmin(-1)]
    assert torch.allclose(pool(queries, samples.x, samples.y, 1e-4, kernel), nearest, atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_huge_width_is_the_average(kernel):
    # Kernels that fall off linearly still feel |u| = 5e-6; the flat-topped ones do not.
    output = kernel_pool(queries, samples.x, samples.y, 1e6, kernel).output
    assert torch.allclose(output, samples.y.mean().expand(50), atol=1e-5)
    flatter = kernel_pool(queries, samples.x, samples.y, 1e9, kernel).output
    assert torch.allclose(flatter, samples.y.mean().expand(50), atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("width", [1e-50, 1e-4, 1e4, 1e100])
def test_only_a_compact_kernel_out_of_reach_gives_nan(kernel, width):
    keys = torch.tensor([-1e100, -3.0, 0.0, 0.0, 1e-9, 5.0, 1e100], dtype=torch.float64)
    q = torch.tensor([-1e100, -1.0, 0.0, 1e-9, 1e5, 1e100], dtype=torch.float64)
    output, weights = kernel_pool(q, keys, torch.arange(7.0), width, kernel)
    in_reach = ((q[:, None] - keys) / width).abs().amin(-1) < KERNELS[kernel].support
    assert torch.equal(output.isnan(), ~in_reach)
    assert not weights.isnan().any()


def test_precision_survives_far_from_the_origin():
    shifted = predict_in_blocks(queries + 1e5, samples.x + 1e5, samples.y, 0.25)
    assert torch.allclose(shifted, predict_in_blocks(queries, samples.x, samples.y, 0.25), atol=1e-8)


def test_many_widths_at_once_equal_one_at_a_time():
    widths = torch.tensor([0.1, 0.5, 2.0], dtype=torch.float64)
    together = kernel_pool(queries, samples.x, samples.y, widths[:, None, None])
    assert together.output.shape == (3, 50)
    assert together.weights.shape == (3, 50, 50)
    for i, width in enumerate(widths.tolist()):
        alone = kernel_pool(queries, samples.x, samples.y, width)
        assert torch.allclose(together.output[i], alone.output, atol=1e-14)
        assert torch.allclose(together.weights[i], alone.weights, atol=1e-15)


def test_weights_can_be_differentiated():
    width = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
    scores = KERNELS["gaussian"]((queries[:, None] - samples.x) / width)
    assert torch.autograd.gradcheck(lambda s: attend(s, samples.y).output, scores.detach().requires_grad_())
    attend(scores, samples.y).output.sum().backward()
    assert width.grad is not None
    assert width.grad.isfinite()
