"""What the views on several heads draw is what the core computes."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from attention_core.data import FUNCTIONS, query_grid, truth
from attention_core.learning.heads import HeadsError
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import loo_error
from attention_core.regression.sweep import sweep
from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import all_shares, layer_computation, mixture_computation
from attention_ui.chapters.multihead.export import mixing_export
from attention_ui.chapters.multihead.kernels import in_words
from attention_ui.chapters.multihead.mixing import best_mixture, best_single, errors
from attention_ui.chapters.multihead.pictures import (
    mixed_frames,
    mixture_picture,
    packed_heads,
    parts_picture,
    sizes_picture,
)
from attention_ui.chapters.multihead.vectors import damage_words, packed
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import width_options
from attention_ui.pictures.regression import queries_for
from tests.attention_core.learning.single_heads import mixed_weights, predict_heads
from tests.attention_ui.pictures.reading import heatmaps

WAVE = Mixture(Dataset(), (0.355, 0.562))
FOUR = Mixture(Dataset("step", 40, 0.3, 1), (0.1, 0.3, 0.7, 2.0), (0.3, -0.2))


def inverse(mixture):
    return 1 / torch.tensor(mixture.widths, dtype=torch.float64)


@pytest.mark.parametrize("mixture", [WAVE, FOUR])
@pytest.mark.parametrize("share", [-1.0, 0.0, 0.5, 1.8])
def test_every_frame_is_the_cores_mixture(mixture, share):
    frame, samples, shares = SHARES.index(share), mixture.dataset.samples(), all_shares(mixture)
    torch.testing.assert_close(shares.sum(1), torch.ones(len(SHARES), dtype=torch.float64))
    shown, now = mixture_picture(mixture, "slider"), mixed_frames(mixture, torch.tensor([frame]))
    fine, coarse = shown.curve.fine, shown.curve.queries
    expected = predict_heads(fine, samples, inverse(mixture), shares[frame]).output
    torch.testing.assert_close(now.curves[0], expected, rtol=0, atol=1e-12)
    assert shown.places is not None
    place = shown.places[frame]  # the curve is linear in the share, so that what lies between two frames is exact
    ends = (shown.curve.values[int(end)] for end in (place.floor(), place.ceil()))
    torch.testing.assert_close(torch.lerp(*ends, place.frac()), expected, rtol=0, atol=1e-12)
    weights = mixed_weights(coarse, samples.x, inverse(mixture), shares[frame])
    torch.testing.assert_close(now.weights[0], weights, rtol=0, atol=1e-12)


def test_the_errors_are_those_of_the_core():
    by_others, against = errors(WAVE)
    samples, frame = WAVE.dataset.samples(), SHARES.index(0.3)
    shares = all_shares(WAVE)[frame]
    loss, _ = HeadsError(samples)(inverse(WAVE), shares.log())
    assert by_others[frame].item() == pytest.approx(loss / len(samples.x), rel=1e-12)
    output = predict_heads(query_grid(), samples, inverse(WAVE), shares).output
    assert against[frame].item() == pytest.approx((output - truth("wave", query_grid())).square().mean().item())
    for share, width in ((0.0, 0.562), (1.0, 0.355)):  # one head alone is an estimator of the lab
        assert by_others[SHARES.index(share)].item() == pytest.approx(loo_error(samples, Estimator(width)))


@pytest.mark.parametrize("dataset", [Dataset(), FOUR.dataset, Dataset("doppler", 50), Dataset.measured("engel")])
def test_the_best_single_width_is_the_best_of_all_on_the_slider(dataset):
    widths = torch.tensor(width_options(dataset.high - dataset.low), dtype=torch.float64)
    known = truth(dataset.name, queries_for(dataset)) if dataset.has_truth else None
    swept = sweep(dataset.samples(), queries_for(dataset), known, widths)
    found = best_single(dataset)
    assert found.loo_error == pytest.approx(swept.loo_error.min().item(), rel=1e-12)
    assert found.loo_width == widths[swept.loo_error.argmin()]
    assert found.test_error == (None if known is None else pytest.approx(swept.test_error.min().item(), rel=1e-9))


def test_a_mixture_that_subtracts_beats_every_single_width():
    """On d2l's own points: by leave-one-out, and against the truth, even if one chose the width knowing it."""
    by_others, against = errors(WAVE)
    single, frame = best_single(WAVE.dataset), SHARES.index(best_mixture(WAVE.dataset, WAVE.widths)[0])
    assert SHARES[frame] > 1.2
    assert by_others[frame] < 0.985 * single.loo_error
    assert against[frame] < 0.9 * single.test_error
    between = [frame for frame, share in enumerate(SHARES) if 0 <= share <= 1]
    assert by_others[between].min() > single.loo_error, "an average of these two does not"
    assert "**2." in in_words(WAVE, frame, mixture_computation(WAVE, frame).shown)


@pytest.mark.parametrize(
    ("mixture", "share", "done"),
    [
        (WAVE, 0.5, "are 0.5, 0.5. **$W_o$ averages the heads.**"),
        (WAVE, 1.0, "are 1, 0. **$W_o$ averages the heads.**"),
        (WAVE, 1.8, "are 1.8, −0.8. **Head 2 is subtracted (its share is negative).**"),
        (WAVE, -0.5, "are −0.5, 1.5. **Head 1 is subtracted (its share is negative).**"),
        (FOUR, 1.5, "are 1.5, −0.6, 0.3, −0.2. **Heads 2 and 4 are subtracted (their shares are negative).**"),
        (FOUR, -0.02, "are −0.02, 0.92, 0.3, −0.2. **Heads 1 and 4 are subtracted (their shares are negative).**"),
    ],
)
def test_the_words_say_which_heads_are_subtracted(mixture, share, done):
    frame = SHARES.index(share)
    assert done in in_words(mixture, frame, mixture_computation(mixture, frame).shown)


DRAWN_WIDTHS = [(0.355, 0.562), (0.1, 0.1), (0.02, 5.0, 0.3), (1.5, 0.562, 0.562, 0.1), (0.1, 0.3, 0.7, 2.0)]


@pytest.mark.parametrize("widths", DRAWN_WIDTHS)
@pytest.mark.parametrize(
    "dataset", [*(Dataset(name) for name in FUNCTIONS), Dataset("wave", 3), Dataset("step", 90, 0)]
)
def test_the_best_shares_are_at_least_as_good_as_every_head_alone_and_as_their_neighbours(dataset, widths):
    first, second, *later = best_mixture(dataset, widths)
    mixture = Mixture(dataset, widths, tuple(later))
    samples, (by_others, _) = dataset.samples(), errors(mixture)
    best = by_others[SHARES.index(first)].item()
    assert first + second + sum(later) == pytest.approx(1)
    assert best <= min(loo_error(samples, Estimator(width)) for width in widths) * (1 + 1e-9) + 1e-12
    assert best == pytest.approx(by_others.min().item(), rel=1e-3)
    for h in range(len(later)):
        for step in (-0.1, 0.1):
            other = [min(2.0, max(-1.0, share + step * (h == place))) for place, share in enumerate(later)]
            assert best <= errors(replace(mixture, later=tuple(other)))[0].min() * (1 + 1e-3)


def test_the_readouts_and_graphs_tell_the_errors():
    shown, (by_others, against) = mixture_picture(WAVE, "slider"), errors(WAVE)
    first, second = shown.readouts
    assert "best single width 0.04863" in first.name
    assert float(first.texts[80]) == pytest.approx(against[80].item(), rel=1e-3)
    assert float(second.texts[80]) == pytest.approx(by_others[80].item(), rel=1e-3)
    assert shown.graphs[1].ball[1].equal(by_others)
    for graph, found in zip(shown.graphs, (against, by_others), strict=True):  # the ball is never beyond the axes
        assert graph.y.low < found.min() < found.max() < graph.y.high
    assert shown.graphs[0].traces[1].y.tolist() == [best_single(WAVE.dataset).test_error] * 2


def test_measured_points_have_no_truth_but_a_mixture():
    mixture = Mixture(Dataset.measured("faithful"), (0.2, 0.6))
    shown = mixture_picture(mixture, "slider")
    assert len(shown.readouts) == len(shown.graphs) == 1
    assert [line.name for line in shown.curve.lines] == ["Head 1", "Head 2"]


def test_every_head_has_a_line_of_its_own():
    shown = mixture_picture(FOUR, "slider")
    assert [line.name for line in shown.curve.lines] == ["Truth", "Head 1", "Head 2", "Head 3", "Head 4"]
    assert len({line.role for line in shown.curve.lines} | {"prediction"}) == 6
    still = [trace for trace in mixing_export(FOUR, 100).figure.data if str(trace.name).startswith("Head ")]
    assert len({(trace.line.color, trace.line.dash) for trace in still if trace.type == "scatter"}) == 4


def test_the_picture_holds_every_heads_own_attention_and_its_share():
    header, cells, _ = heatmaps(packed_heads(FOUR, "slider", "stage"))
    samples, w = FOUR.dataset.samples(), inverse(FOUR)
    for head, (shown, panel) in enumerate(zip(cells, header["panels"], strict=True)):
        only = torch.eye(4, dtype=torch.float64)[head]
        expected = mixed_weights(query_grid(), samples.x, w, only)
        read = (shown[0].double() / panel["levels"]).square() * panel["tops"][0]
        torch.testing.assert_close(read, expected, rtol=0, atol=5e-5)
    frame = SHARES.index(1.5)
    assert [panel["notes"][frame] for panel in header["panels"]] == [
        "share 1.50", "share −0.60", "share 0.30", "share −0.20",
    ]  # fmt: skip


def test_the_words_tell_the_damage():
    layer = Layer(4, 0, (True, False, True, True))
    shown = layer_computation(layer).shown
    assert f"{100 * shown['damage'].item():.1f} %" in damage_words(layer, shown)


def test_the_bars_are_the_parts_and_their_sum():
    layer = Layer(4, 0, (True, False, True, True))
    shown = layer_computation(layer).shown
    made = parts_picture(shown["parts"][0, :, 2], shown["output"][0, 2], shown["full"][0, 2])
    *bars, full, output = made.graphs[0].traces
    long = torch.stack([bar.y - bar.base for bar in bars])
    assert (long[1] == 0).all()
    torch.testing.assert_close(long, shown["parts"][0, :, 2])
    torch.testing.assert_close(long.sum(0), output.y)
    assert full.y.equal(shown["full"][0, 2])
    for sign in (1, -1):  # each on the one of its sign before, from 0 on
        above = [(bar.base[n], bar.y[n]) for bar in bars for n in [3] if (bar.y[n] - bar.base[n]) * sign > 0]
        assert above[0][0] == 0
        assert all(one[1] == pytest.approx(next_one[0]) for one, next_one in pairwise(above))
    assert len({(bar.role, bar.hatch) for bar in bars}) == 4
    lit, off = sizes_picture(shown["whole"][0], layer.on).graphs[0].traces
    assert off.y[1] == pytest.approx(shown["whole"][0, 1].norm().item())
    assert lit.y.isnan().tolist() == [False, True, False, False]
    assert off.texts[1] == "off"


def test_eight_heads_look_different_from_each_other():
    shown = layer_computation(Layer(8, 0, (True,) * 8)).shown
    made = parts_picture(shown["parts"][0, :, 0], shown["output"][0, 0], shown["full"][0, 0])
    assert len({(bar.role, bar.hatch) for bar in made.graphs[0].traces[:-2]}) == 8


def test_a_head_that_is_off_is_crossed_out_and_the_others_are_not():
    header, cells, masks = heatmaps(packed(Layer(4, 0, (True, False, True, True))))
    assert [mask is None for mask in masks] == [True, False, True, True]
    assert masks[1].bool().all()
    assert header["panels"][1]["title"] == "Head 2, off"
    torch.testing.assert_close(cells[0].sum(-1), torch.ones(1, 8))
