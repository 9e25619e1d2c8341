"""The lens shows the very numbers of its query, and its formula adds up as printed."""

import json
import math
import re

import pytest
import torch

from attention_core.data import Samples, generate, measured
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_core.regression.one_query import explain
from attention_ui.chapters.kernel_regression.figures_one_query import (
    BUMP_HEIGHT,
    LARGEST,
    SMALLEST,
    contributions,
    kernel_bump,
    weight_bars,
)
from attention_ui.chapters.kernel_regression.formula import formula
from attention_ui.figures.style import Axis

samples = generate()
seen = explain(1.5, samples, Estimator(0.3))
lost = explain(2.0, generate(n=5), Estimator(0.1, "boxcar"))
tilted = explain(0.05, samples, Estimator(0.3, linear=True))  # with negative weights


def bars(figure):
    """All bars as {(key, height)}, the strongest apart."""
    points, strongest = (set(zip(trace.x, trace.y, strict=True)) for trace in figure.data[:2])
    return points, strongest


@pytest.mark.parametrize("look", [seen, tilted], ids=["constant", "linear"])
@pytest.mark.parametrize(("draw", "name"), [(weight_bars, "weights"), (contributions, "contributions")])
def test_bars_stand_on_the_keys_with_the_strongest_apart(draw, name, look):
    heights = getattr(look, name)
    figure = draw(look)
    points, strongest = bars(figure)
    best = look.strongest
    assert points | strongest == set(zip(samples.x.tolist(), heights.tolist(), strict=True))
    assert strongest == {(samples.x[best].item(), heights[best].item())}
    assert figure.data[1].marker.pattern.shape == "/"
    assert figure.data[2].y == (heights[best].item(),)  # a triangle on its tip
    assert f"{heights[best].item():.4g}" in figure.data[2].name
    assert figure.layout.barmode == "overlay"


def test_bars_tell_value_and_weight_when_hovered():
    for trace in contributions(seen).data[:2]:
        for key, (weight, value), height in zip(trace.x, trace.customdata, trace.y, strict=True):
            i = samples.x.tolist().index(key)
            assert (weight, value) == (seen.weights[i].item(), samples.y[i].item())
            assert height == pytest.approx(weight * value)
        assert "customdata[0]" in trace.hovertemplate


@pytest.mark.parametrize("n", [3, 50, 500])
def test_bars_are_thin_but_visible_for_any_number_of_points(n):
    figure = weight_bars(explain(2.0, generate(n=n), Estimator(0.5)))
    low, high = figure.layout.xaxis.range
    assert 1 / 300 - 1e-9 <= figure.data[0].width / (high - low) <= 1 / 60 + 1e-9


def test_the_query_is_a_line_in_every_picture():
    for figure in (weight_bars(seen), contributions(seen), kernel_bump(seen)):
        (line,) = figure.layout.shapes
        assert (line.x0, line.x1, line.y0, line.y1, line.yref) == (1.5, 1.5, 0, 1, "paper")
        assert figure.layout.annotations[0].text == "q = 1.5"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_bump_is_the_kernel_scaled_to_the_plot(kernel):
    look = explain(1.5, samples, Estimator(0.3, kernel))
    figure = kernel_bump(look, y=Axis("y", -1, 6))
    area, edge = figure.data[:2]
    u = (1.5 - torch.tensor(edge.x, dtype=torch.float64)) / 0.3
    assert list(edge.customdata) == pytest.approx(KERNELS[kernel](u).exp().tolist())
    assert list(edge.y) == pytest.approx([-1 + 7 * BUMP_HEIGHT * k for k in edge.customdata])
    assert max(edge.y) == pytest.approx(-1 + 7 * BUMP_HEIGHT)
    assert list(edge.x) == sorted(edge.x)
    assert (area.y[0], area.y[-1]) == (-1, -1)
    assert list(area.y[1:-1]) == list(edge.y)
    assert (area.fill, area.opacity < 0.3) == ("toself", True)


def test_a_narrow_bump_is_still_drawn_in_full():
    edge = kernel_bump(explain(1.5, samples, Estimator(1e-4, "epanechnikov"))).data[1]
    assert sum(0 < height < 1 for height in edge.customdata) > 100


def test_circles_grow_with_the_weight_and_negative_ones_are_diamonds():
    circles = kernel_bump(tilted).data[2]
    assert list(circles.x) == samples.x.tolist()
    assert list(circles.y) == samples.y.tolist()
    assert list(circles.customdata) == tilted.weights.tolist()
    sizes = torch.tensor(circles.marker.size)
    assert torch.equal(sizes[tilted.order].sort(descending=True).values, sizes[tilted.order])
    assert (min(sizes), max(sizes)) == (pytest.approx(SMALLEST, abs=0.2), pytest.approx(LARGEST))
    assert [symbol == "diamond" for symbol in circles.marker.symbol] == (tilted.weights < 0).tolist()
    assert (tilted.weights < 0).any()


def test_the_more_points_share_the_weight_the_smaller_they_are():
    largest = [
        max(kernel_bump(explain(2.0, generate(n=500), Estimator(w))).data[2].marker.size) for w in (0.02, 0.5, 9)
    ]
    assert largest == sorted(largest, reverse=True)
    assert largest[2] < LARGEST / 3


def test_the_prediction_is_marked_where_it_is():
    star = kernel_bump(seen).data[3]
    assert (star.x, star.y) == ((1.5,), (seen.prediction,))
    assert star.name == f"f(q) = {seen.prediction:.4g}"


def test_a_query_without_keys_says_so():
    for figure in (weight_bars(lost), contributions(lost), kernel_bump(lost)):
        assert "no key in reach" in figure.layout.annotations[0].text
    assert [len(trace.x) for trace in weight_bars(lost).data] == [5, 0]
    assert math.isnan(kernel_bump(lost).data[3].y[0])
    assert kernel_bump(lost).data[2].marker.size == (SMALLEST,) * 5
    assert "undefined" in formula(lost)


def test_axes_keep_the_labels_and_ranges_they_are_given():
    figure = kernel_bump(seen, Axis("time (ms)", -1, 6), Axis("acceleration (g)", -9, 9))
    assert (figure.layout.xaxis.title.text, list(figure.layout.xaxis.range)) == ("time (ms)", [-1, 6])
    assert (figure.layout.yaxis.title.text, list(figure.layout.yaxis.range)) == ("acceleration (g)", [-9, 9])
    assert weight_bars(seen, Axis("time (ms)", -1, 6)).layout.xaxis.title.text == "time (ms)"


@pytest.mark.parametrize("figure", [weight_bars(seen), contributions(seen), kernel_bump(seen)])
def test_every_colour_is_a_stand_in_that_the_theme_replaces(figure):
    drawn = json.dumps([{**trace, "customdata": None} for trace in json.loads(figure.to_json())["data"]])
    colours = set(re.findall(r'"(?:color|fillcolor)": "([^"]*)"', drawn))
    assert colours
    assert all(re.fullmatch(r"#0000\d\d", colour) for colour in colours)


def printed(latex):
    """The sum of the printed terms, the printed total, the unit of its last digit, and how many more points."""
    body = latex.removeprefix(r"\begin{aligned}").removesuffix(r"\end{aligned}")
    *added, total = body.split(r"\approx")[1:]
    power = re.search(r"10\^\{(-?\d+)\}", total)
    total = total.split(r"\cdot")[0].strip()
    text = re.sub(r"10\^\{-?\d+\}", "1", added[0])
    more = re.search(r"and ([\d,]+) more", text)
    text = re.sub(r"_\{\\cdots \\text\{[^}]*\}\}", "", text).replace(r"\underbrace", "").replace(r"\quad", "")
    text = text.replace("&", "").replace("\\\\", "").replace("{", "(").replace("}", ")").replace(r"\cdot", "*")
    unit = 10.0 ** -len(total.partition(".")[2])
    exponent = int(power[1]) if power else 0
    return eval(text, {}), float(total), unit, exponent, int(more[1].replace(",", "")) if more else 0


def scaled(factor, shift=0.0):
    return Samples(samples.x, samples.y * factor + shift)


CASES = {
    "usual": seen,
    "local line": tilted,
    "negative": explain(4.0, scaled(-1.0), Estimator(0.3)),
    "extrapolating": explain(9.0, samples, Estimator(2.0, linear=True)),
    "few": explain(1.5, samples, Estimator(0.05, "boxcar")),
    "many": explain(2.0, generate(n=500), Estimator(kernel="constant")),
    "francs": explain(900.0, measured("engel"), Estimator(100.0, "epanechnikov")),
    "crash": explain(20.0, measured("motorcycle"), Estimator(2.0)),
    "thousands": explain(1.5, scaled(900.0), Estimator(0.3)),
    "huge": explain(1.5, scaled(1e99), Estimator(0.3)),
    "tiny": explain(1.5, scaled(1e-12), Estimator(0.3)),
    "hundredths": explain(1.5, scaled(0.003), Estimator(0.3)),
    "cancelling": explain(1.5, scaled(1.0, -seen.prediction), Estimator(0.3)),
    "nothing": explain(1.5, scaled(0.0), Estimator(0.3)),
}


@pytest.mark.parametrize("look", CASES.values(), ids=CASES)
def test_the_printed_terms_add_up_to_the_printed_total(look):
    added, total, unit, exponent, more = printed(formula(look))
    assert added == pytest.approx(total, abs=unit)
    assert total * 10.0**exponent == pytest.approx(look.prediction, abs=0.51 * unit * 10.0**exponent)
    assert more == max(look.reached - 4, 0)


def test_adding_up_holds_for_random_queries_kernels_and_widths():
    generator = torch.Generator().manual_seed(0)
    for kernel in KERNELS:
        for query, width in (torch.rand(12, 2, generator=generator) * torch.tensor([6.0, 1.5]) + 0.01).tolist():
            for linear in (False, True):
                look = explain(query, samples, Estimator(width, kernel, linear))
                if math.isfinite(look.prediction):
                    added, total, unit, _, _ = printed(formula(look))
                    assert added == pytest.approx(total, abs=unit), (kernel, query, width, linear)


def test_the_formula_reads_as_one_would_write_it():
    three = Samples(torch.tensor([0.0, 1.0, 2.0]).double(), torch.tensor([1.0, -2.0, 3.0]).double())
    assert formula(explain(1.0, three, Estimator(1.5, "boxcar"))) == (
        r"\begin{aligned} f(1) &\approx 0.3333 \cdot 1.000 + 0.3333 \cdot (-2.000)"
        r" \\ &\quad + 0.3333 \cdot 3.000 \\ &\approx 0.67 \end{aligned}"
    )
    assert r"\underbrace{" in formula(seen)
    assert r"\cdots \text{ and 46 more}" in formula(seen)
    strongest = seen.strongest
    weight, value = seen.weights[strongest].item(), samples.y[strongest].item()
    assert rf"&\approx {weight:.4f} \cdot {value:.3f} + " in formula(seen)
