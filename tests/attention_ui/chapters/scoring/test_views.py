"""What the views on scores draw is what the core computes."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.data import generate
from attention_core.demos.scoring import queries_and_keys
from attention_core.scores import SCORES, dot, scaled_dot
from attention_ui.chapters.scoring import analogy, explorer, kernel_and_attention, scaling
from attention_ui.chapters.scoring import morph as morph_view
from attention_ui.chapters.scoring.choices import COLUMNS, DIMENSIONS, ROWS, TEMPERATURES, temperatures
from attention_ui.numbers import short
from tests.attention_ui.pictures.reading import heatmaps, panels


def test_the_temperatures_run_evenly_in_the_logarithm_round_1():
    assert (temperatures()[0], temperatures()[30], temperatures()[-1]) == (0.05, 1.0, 20.0)
    steps = torch.tensor(temperatures()).log().diff()
    torch.testing.assert_close(steps, torch.full((60,), math.log(400) / 60), rtol=0, atol=0.02)
    assert len(set(TEMPERATURES)) == 61
    assert [float(text) for text in TEMPERATURES] == list(temperatures())


@pytest.mark.parametrize("d", [1, 8, 512])
def test_every_score_is_shown_at_every_temperature(d):
    header, cells, _ = heatmaps(explorer.packed(d, 3, "slider"))
    assert [panel["title"] for panel in header["panels"]] == [score.label for score in SCORES.values()]
    assert (header["panels"][-1]["low"], header["panels"][-1]["high"]) == (0, 1)
    queries, keys = queries_and_keys(d, 3)
    shown = dict(zip(SCORES, cells, strict=True))
    for frame in (0, 30, 47):
        for name, score in (("dot", dot), ("scaled_dot", scaled_dot)):
            expected = torch.softmax(score(queries, keys) / temperatures()[frame], -1)
            torch.testing.assert_close(shown[name][frame].double(), expected, rtol=1e-5, atol=1e-7)
        one = explorer.computation(d, 3, temperatures()[frame]).shown["weights"]
        torch.testing.assert_close(torch.stack(cells)[:, frame].double(), one, rtol=1e-5, atol=1e-7)
    # torch's own attention with one-hot values gives back the weights
    weights = scaled_dot_product_attention(queries[None], keys[None], torch.eye(len(keys), dtype=torch.float64)[None])
    torch.testing.assert_close(shown["scaled_dot"][30].double(), weights[0], rtol=1e-5, atol=1e-7)


def test_a_note_tells_the_effective_number_of_keys():
    even, single = (explorer.note(weights.double()) for weights in (torch.full((8, 10), 0.1), torch.eye(10)))
    assert even == "effective keys 10"
    assert single == "effective keys 1"


@pytest.mark.parametrize("d", [1, 8, 512])
def test_no_weight_of_the_cosine_is_further_above_another_than_the_page_says(d):
    cosine = list(SCORES).index("cosine")
    for temperature in temperatures():
        weights = explorer.computation(d, 3, temperature).shown["weights"][cosine]
        ratio = (weights.amax(-1) / weights.amin(-1)).max().item()
        assert ratio <= explorer.largest_ratio(temperature) * (1 + 1e-9)
    assert explorer.largest_ratio(1.0) == pytest.approx(7.389, abs=1e-3)
    (told,) = explorer.readouts()
    assert told.texts[temperatures().index(1.0)] == "7.39"
    assert len(told.texts) == len(temperatures())


def test_the_graphs_over_d_hold_the_measured_numbers():
    found = scaling.measured()
    for graph, field in zip(scaling.graphs(found), ("variance", "effective_keys", "gradient"), strict=True):
        plain, divided = graph.traces
        assert torch.stack([plain.y, divided.y]).equal(found[field])
        assert plain.x.tolist() == list(DIMENSIONS)
        assert graph.ball[1].equal(plain.y)
        assert graph.y.low <= min(plain.y.min(), divided.y.min())
        assert graph.y.high >= max(plain.y.max(), divided.y.max())


def test_the_words_say_where_the_gradient_really_turns():
    found = scaling.measured()
    words = scaling.in_words(found)
    peak = DIMENSIONS[int(found["gradient"][0].argmax())]
    assert 4 <= peak <= 12
    assert f"at $d = {peak}$, and from $d = 32$ on" in words
    assert f"here from {short(found['variance'][0, 0].item())} at $d = 1$" in words
    assert (found["variance"][1] - 1).abs().max() < 0.15, "divided it stays near 1"


def test_the_readouts_of_scaling_tell_what_was_measured_at_every_d():
    found = scaling.measured()
    variance, *_ = scaling.readouts(found)
    assert variance.texts[DIMENSIONS.index(64)] == "63.3 (÷ √d: 0.989)"
    assert variance.texts[DIMENSIONS.index(512)] == "510 (÷ √d: 0.996)"


def test_the_heatmaps_over_d_are_softmax_of_both_scores():
    _, (plain, divided), _ = heatmaps(scaling.packed("slider"))
    for frame in (0, 7, 17):
        queries, keys = queries_and_keys(DIMENSIONS[frame], 0)
        torch.testing.assert_close(plain[frame].double(), dot(queries, keys).softmax(-1), rtol=1e-5, atol=1e-7)
        torch.testing.assert_close(divided[frame].double(), scaled_dot(queries, keys).softmax(-1), rtol=1e-5, atol=1e-7)
    assert plain.shape == (len(DIMENSIONS), len(ROWS), len(COLUMNS))


@pytest.mark.parametrize("both", [False, True])
def test_the_morph_ends_where_both_kernels_are_one(both):
    header, (near, along, difference), _ = heatmaps(morph_view.packed(both, "slider"))
    ((_, (queries, keys)),) = panels(morph_view.packed(both, "slider"), "plane")[1]
    one = morph_view.computation(37, both).shown
    torch.testing.assert_close(near[37].double(), one["gaussian"], rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(along[37].double(), one["dot"], rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(difference, (near - along).abs(), rtol=0, atol=1e-7)
    torch.testing.assert_close(keys[-1].norm(dim=-1), torch.ones(7))
    assert queries[-1].equal(queries[0]) is not both
    told = header["readouts"][0]["texts"]
    assert told[-1] == "0"
    assert float(told[0]) == pytest.approx(near[0].sub(along[0]).abs().max().item(), rel=1e-2)
    assert "0" not in told[:-1]


def test_both_curves_are_one_curve():
    shown = analogy.computation(0.3).shown
    queries, kernel, attention = (shown[name] for name in ("queries", "kernel", "attention"))
    torch.testing.assert_close(kernel, attention, rtol=0, atol=1e-12)
    (graph,) = analogy.picture("slider").graphs
    frame, (samples,), (lab, torchs) = analogy.WIDTHS.index(0.3), graph.traces, graph.moving
    assert samples.y.equal(generate().y)
    assert lab.x.equal(queries)
    assert lab.y[frame].equal(kernel)
    assert torchs.y[frame].equal(attention)
    assert lab.role != torchs.role
    drawn = {trace.name: trace for trace in analogy.exported(0.3).figure.data}
    assert list(drawn["kernel regression"].y) == pytest.approx(kernel.tolist())
    assert drawn["kernel regression"].line.dash != drawn["scaled_dot_product_attention"].line.dash


def test_the_readout_tells_how_far_both_curves_differ_at_every_width():
    (told,) = analogy.picture("slider").readouts
    assert len(told.texts) == len(analogy.WIDTHS)
    assert max(map(float, told.texts)) < 1e-12


def test_the_token_before_is_shown_at_every_strength_and_the_future_is_hatched():
    header, (kernel, attention), (mask, _) = heatmaps(kernel_and_attention.previous_picture("slider"))
    assert kernel.shape == (1, 6, 6)
    assert attention.shape == (17, 6, 6)
    assert mask[0].bool().equal(torch.ones(6, 6).triu(1).bool())
    torch.testing.assert_close(attention.sum(-1), torch.ones(17, 6))
    even = 1 / torch.arange(1, 7)
    torch.testing.assert_close(attention[0].diagonal(), even, rtol=1e-5, atol=1e-6)  # strength 0: average pooling
    assert float(header["panels"][1]["notes"][8].split(": ")[1]) == pytest.approx(
        attention[8].diagonal(-1).mean().item(), abs=1e-3
    )
