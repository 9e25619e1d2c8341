"""The grids of the chapter on scores: every text, shade and mark is torch's."""

import math

import pandas as pd
import pytest
import torch
from torch.nn.functional import cosine_similarity, scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.scores import SCORES
from attention_ui.chapters.scoring.arithmetic import WAYS, written_out
from attention_ui.chapters.scoring.computation_blocks import chained
from attention_ui.chapters.scoring.computation_masks import SENTENCES, Masking, masked
from attention_ui.chapters.scoring.grids_blocks import chain_grids, one, spoken, still_grids
from attention_ui.chapters.scoring.grids_masks import example_grids, mask_grids
from attention_ui.chapters.scoring.own_vectors import Vectors, parsed, read, written
from attention_ui.numbers import two

VECTORS = Vectors().tensors()
# Each score written anew with torch's own functions, as one query (D,) and one key (D,) at a time.
BY_TORCH = {
    "gaussian": lambda q, k: -(torch.cdist(q[None], k[None]).item() ** 2) / 2,
    "dot": lambda q, k: torch.dot(q, k).item(),
    "scaled_dot": lambda q, k: torch.dot(q, k).item() / math.sqrt(len(q)),
    "cosine": lambda q, k: cosine_similarity(q, k, dim=0).item(),
    "bilinear": lambda q, k, w: torch.nn.functional.bilinear(q[None], k[None], w[None]).item(),
    "additive": lambda q, k, w_q, w_k, w_v: torch.dot(w_v, torch.tanh(torch.mv(w_q, q) + torch.mv(w_k, k))).item(),
}


def grid(grids, name):
    (found,) = [each for each in grids if each.name == name]
    return found


@pytest.mark.parametrize("score", SCORES)
def test_every_cell_of_the_chain_is_torchs(score):
    chain = chained(VECTORS, score, row=1, key=2)
    queries, keys, values = VECTORS
    scores = torch.tensor([[BY_TORCH[score](q, k, *chain.parameters) for k in keys] for q in queries]).double()
    # With the scores as a bias to zero queries and keys, torch's own attention gives the output.
    theirs = scaled_dot_product_attention(torch.zeros(3, 2).double(), torch.zeros(4, 2).double(), values, scores)
    grids = chain_grids(chain)
    assert [float(x) for row in grid(grids, "scores").texts for x in row] == pytest.approx(
        scores.flatten().tolist(), abs=0.0051
    )
    weights = torch.softmax(scores, 1)
    assert grid(grids, "weights").texts == [[f"{x:.3f}" for x in row] for row in weights.tolist()]
    assert grid(grids, "weights").sums == ["= 1"] * 3
    assert grid(grids, "output").texts == [[two(x) for x in row] for row in theirs.tolist()]
    weighted = torch.tensor([[float(x) for x in row] for row in grid(grids, "weighted").texts])
    assert weighted.sum(0).tolist() == pytest.approx(theirs[1].tolist(), abs=0.03)


def test_shades_have_the_sign_of_their_numbers_on_a_scale_with_0_in_its_middle():
    chain = chained(VECTORS, "dot", row=0)
    grids = chain_grids(chain)
    for name, numbers, far in (
        ("scores", chain.scores, chain.scores.abs().max()),
        ("K", chain.keys, chain.queries.abs().max()),  # queries and keys share a scale
        ("V", chain.values, chain.values.abs().max()),
        ("weighted", chain.weighted, chain.values.abs().max()),  # so do all that is made of values
        ("output", chain.output, chain.values.abs().max()),
    ):
        shades = torch.tensor(grid(grids, name).shades, dtype=torch.float64)
        torch.testing.assert_close(shades, numbers / far)
    assert chain.scores.min() < 0
    assert still_grids(grids, 4).layout.coloraxis.cmin == -1


@pytest.mark.parametrize("score", WAYS)
def test_one_entry_is_written_out_with_its_numbers(score):
    chain = chained(VECTORS, score, row=2, key=3)
    for formula, number, digits in zip(
        written_out(chain), (chain.scores[2, 3], chain.weights[2, 3], chain.output[2, 0]), (2, 3, 2), strict=True
    ):
        assert rf"\mathbf{{{round(number.item(), digits) + 0.0:.{digits}f}}}" in formula
        assert formula.count("{") == formula.count("}")


def test_the_products_of_the_chosen_query_and_key_are_written_in_full():
    score, weight, total = written_out(chained(VECTORS, "dot", row=2, key=3))
    assert r"1 \cdot (-1) + 1 \cdot 0" in score
    assert "e^{1.00} + e^{1.00} + e^{2.00} + e^{-1.00}" in weight
    assert r"\cdot (-4)" in total


def test_large_matrices_end_in_dots_and_have_fewer_digits():
    large = Vectors().resized(8, 8, 8, 8).tensors()
    chain = chained(large, "gaussian", row=7, key=7)
    assert all(r"\cdots" in formula for formula in written_out(chain))
    assert {len(text) for row in grid(chain_grids(chain), "weights").texts for text in row} == {4}
    assert one(-0.04) == "0.0"


def test_the_words_name_the_chosen_query():
    chain = chained(VECTORS, "dot", row=1)
    assert f"Query 1: weights {', '.join(f'{w:.3f}' for w in chain.weights[1])}" in spoken(chain)


# Masks.


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("lengths", [((4,) * 6, (2,) * 6), ((1, 0, 3, 4, 6, 2), (0,) * 6)])
def test_masked_cells_are_crossed_and_the_rest_is_torchs_own_attention(lengths, causal):
    result = masked(Masking(lengths, causal))
    assert result.gap < 1e-15
    vectors = torch.randn(2, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    seen = torch.arange(6) < torch.tensor(lengths)[..., None]
    seen = seen & torch.ones(6, 6).tril().bool() if causal else seen
    theirs = scaled_dot_product_attention(vectors, vectors, torch.eye(6).double().expand(2, 6, 6), seen)
    for batch in range(2):
        shown = grid(mask_grids(result, SENTENCES), f"weights {batch}")
        expected = [
            [two(w) if s else "×" for w, s in zip(*line, strict=True)]
            for line in zip(theirs[batch].tolist(), seen[batch].tolist(), strict=True)
        ]
        assert shown.texts == expected
        assert shown.masked == (~seen[batch]).tolist()
        assert [total.split(",")[0] for total in shown.sums] == [
            "= 1" if any(row) else "= 0" for row in seen[batch].tolist()
        ]
        assert shown.flagged == [i for i, row in enumerate(seen[batch].tolist()) if not any(row)]


def test_the_usual_trick_leaks_onto_what_is_hidden():
    result = masked(Masking(((4,) * 6, (0,) * 6)))
    shown = mask_grids(result, SENTENCES)
    assert [each.name for each in shown] == ["weights 0", "weights 1", "leaked 1"]
    assert grid(shown, "leaked 1").texts == [["0.17"] * 6] * 6
    assert grid(shown, "leaked 1").sums == ["= 1, output 3.50"] * 6
    assert torch.allclose(result.added[1], torch.full((6, 6), 1 / 6))
    assert result.trick_gap < 1e-15


def test_d2ls_example_averages_the_first_rows():
    result = masked(Masking(((4,) * 6, (2,) * 6)))
    output, weights = result.example_output, result.example_weights
    torch.testing.assert_close(output, torch.tensor([[2.0, 3, 4, 5], [10, 11, 12, 13]]))
    first, second = example_grids(output, weights, (2, 6))
    assert first.texts[0] == ["0.50"] * 2 + ["×"] * 8
    assert second.texts == [["2", "3", "4", "5"], ["10", "11", "12", "13"]]


# One's own matrices.


def test_a_matrix_goes_into_a_link_and_comes_back():
    matrix = ((1.0, -0.5), (1e-3, 1000.0), (0.1 + 0.2, 0.0))
    assert written(((1.0, 0.0), (0.0, 1.0))) == "1,0;0,1"
    assert parsed(written(matrix)) == ((1.0, -0.5), (1e-3, 1000.0), (0.3, 0.0))


@pytest.mark.parametrize(
    "text", ["", ";", "1,2;3", "1;", "nan", "inf", "1e99", "1001", "x", "1_0", "٣", "1," * 8 + "1", "1;" * 8 + "1"]
)
def test_what_is_no_matrix_of_fair_size_is_refused(text):
    assert parsed(text) is None


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (None, "empty"),
        (math.nan, "empty"),
        ("two", "text"),
        (math.inf, "not inf"),
        (1e99, "not 1e+99"),
        (-1000.5, "-1000.5"),
    ],
)
def test_a_bad_cell_is_named_in_one_sentence(cell, said):
    table = pd.DataFrame({"0": pd.Series([1, cell], dtype=object), "1": [0.0, 2.0]})
    with pytest.raises(
        InputError, match=rf"^Q\[1, 0\] must be a number from -1,000 to 1,000.*{said.replace('+', '.')}"
    ):
        read("Q", table)


def test_resizing_keeps_what_fits_and_fills_with_zeros():
    sizes = {"queries": 1, "keys": 5, "width": 3, "value_width": 1}
    larger = Vectors().resized(**sizes)
    assert larger.q == ((2.0, 0.0, 0.0),)
    assert larger.k[3:] == ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert larger.v == ((10.0,), (0.0,), (6.0,), (-4.0,), (0.0,))
    assert larger.fits
    assert larger.sizes == sizes
