"""The chapter's logic: what its widgets and links set, and that every number on it is torch's."""

import json

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.scores import SCORES, drawn
from attention_ui.chapters.scoring.computation_blocks import HIDDEN
from attention_ui.chapters.scoring.own_vectors import Vectors, parsed
from tests.pages.opening import opened

Q, K, V = "1,0,2;0,-1,1", "1,0,0;0,1,0;0.5,0.5,1", "1,2;3,4;5,6"
OWN = {"scoring_q": Q, "scoring_k": K, "scoring_v": V}


def shown(app, key="chain"):
    """The matrices of a component by name, as they travel to the browser."""
    (proto,) = [element.proto for element in app.get("bidi_component") if element.proto.id.endswith(f"scoring_{key}")]
    return {grid["name"]: grid["texts"] for grid in json.loads(proto.json)["grids"]}


def numbers(texts):
    return torch.tensor([[float(text) for text in row] for row in texts], dtype=torch.float64)


def matrices(*texts):
    return [torch.tensor(parsed(text), dtype=torch.float64) for text in texts]


def assert_torchs(app, score, queries, keys, values):
    """Scores, weights and output on the page are what torch makes of these matrices."""
    scores = SCORES[score](queries, keys, *drawn(score, queries.shape[1], keys.shape[1], HIDDEN))
    grids = shown(app)
    nothing = torch.zeros_like(queries), torch.zeros_like(keys)
    theirs = scaled_dot_product_attention(*nothing, values, scores)  # the scores as a bias to scores of 0
    torch.testing.assert_close(numbers(grids["scores"]), scores, atol=0.0051, rtol=0)
    torch.testing.assert_close(numbers(grids["weights"]), scores.softmax(-1), atol=0.00051, rtol=0)
    torch.testing.assert_close(numbers(grids["output"]), theirs, atol=0.0051, rtol=0)


def test_it_opens_with_the_building_blocks_of_the_dot_product():
    app = opened("scoring")
    assert app.segmented_control(key="scoring_tab").value == "blocks"
    assert_torchs(app, "dot", *Vectors().tensors())
    assert "scoring_q" not in app.query_params


@pytest.mark.parametrize("score", SCORES)
def test_a_link_sets_ones_own_matrices_and_the_score(score):
    app = opened("scoring", **OWN, scoring_block_score=score)
    assert_torchs(app, score, *matrices(Q, K, V))
    assert app.query_params["scoring_q"] == Q


def test_a_link_sets_the_query_and_the_key_that_are_written_out():
    app = opened("scoring", scoring_block_query="q2", scoring_block_key="k3")
    written = " ".join(text.value for text in app.markdown)
    assert "a(q_{2}, k_{3})" in written
    assert "w_{2,3}" in written
    assert "o_{2,0}" in written


@pytest.mark.parametrize(
    "bad", ["NaN", "inf", "1e99", "", "1,2;3", "<script>", "\x00", "1;" * 50, "1,2;3,4;5,6;7,8;9,9"]
)
def test_a_bad_matrix_falls_back_and_never_raises(bad):
    app = opened("scoring", scoring_q="4,1;2,2", scoring_k=bad, scoring_v="1;2;3;4")
    fits = parsed(bad) is None  # the usual keys go with four values; five keys do not
    usual = Vectors().tensors()
    expected = [matrices("4,1;2,2")[0], usual[1], matrices("1;2;3;4")[0]] if fits else usual
    assert_torchs(app, "dot", *expected)


def test_a_query_that_is_not_there_falls_back_to_the_first():
    app = opened("scoring", **OWN, scoring_block_query="q7", scoring_block_key="k3")
    assert app.segmented_control(key="scoring_block_query").value == "q0"
    assert app.segmented_control(key="scoring_block_key").value == "k0"


@pytest.mark.parametrize("causal", [False, True])
def test_masks_are_torchs_own_attention(causal):
    app = opened(
        "scoring", scoring_tab="masks", scoring_mask_0="3", scoring_mask_1="5", scoring_mask_causal=str(causal).lower()
    )
    tokens = torch.randn(2, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    seen = (torch.arange(6) < torch.tensor([3, 5])[:, None])[:, None].expand(2, 6, 6)
    seen = seen & torch.ones(6, 6).tril().bool() if causal else seen
    theirs = scaled_dot_product_attention(tokens, tokens, torch.eye(6).double().expand(2, 6, 6), seen)
    for batch in range(2):
        texts = shown(app, "masked")[f"weights {batch}"]
        ours = numbers([[text.replace("×", "0") for text in row] for row in texts])
        torch.testing.assert_close(ours, theirs[batch], atol=0.0051, rtol=0)
        assert [[text == "×" for text in row] for row in texts] == (~seen[batch]).tolist()
    assert any("agrees **to" in text.value for text in app.markdown)


def test_a_query_that_sees_nothing_is_explained_beside_the_leak():
    app = opened("scoring", scoring_tab="masks", scoring_mask_rows="true", scoring_mask_row_2="0")
    assert app.slider(key="scoring_mask_0").disabled
    (warning,) = app.warning
    assert warning.value.startswith("1 query has no key to attend to: weights 0, output 0.")
    assert "0.167 to every hidden token and the output is 3.5" in warning.value
    assert shown(app, "masked")["weights 0"][2] == ["×"] * 6
    assert shown(app, "masked")["leaked 0"][2] == ["0.17"] * 6


def test_d2ls_example_is_computed_live():
    app = opened("scoring", scoring_tab="masks")
    assert shown(app, "example")["outputs"] == [["2", "3", "4", "5"], ["10", "11", "12", "13"]]
    assert any("Outputs [2, 3, 4, 5] and [10, 11, 12, 13]" in text.value for text in app.markdown)


@pytest.mark.parametrize("bad", ["NaN", "inf", "-1", "7", "1e99", "", "<script>"])
def test_bad_lengths_fall_back(bad):
    link = {f"scoring_mask_{name}": bad for name in ("0", "1", "causal", "rows", "row_0")}
    app = opened("scoring", scoring_tab="masks", **link)
    assert [app.slider(key=f"scoring_mask_{place}").value for place in range(2)] == [4, 2]
    assert not app.toggle(key="scoring_mask_causal").value
