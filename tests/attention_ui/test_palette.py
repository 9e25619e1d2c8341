"""The colours of both themes: readable, tellable apart, and growing darker or brighter with the weight."""

import itertools

import pytest

from attention_ui.palette import (
    AVERAGE,
    DIVERGING,
    POINTS,
    PREDICTION,
    QUERY,
    REFERENCE,
    SEQUENTIAL,
    TRUTH,
    shades,
    theme,
)

both = pytest.mark.parametrize("base", ["light", "dark"])

# What the three kinds of dichromats see, in linear light (Vienot, Brettel and Mollon 1999).
SIGHT = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deutan": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def linear(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(colour):
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(a, b):
    dark, bright = sorted((luminance(a), luminance(b)))
    return (bright + 0.05) / (dark + 0.05)


def seen(colour, matrix):
    rgb = linear(colour)
    return [max(0, sum(m * c for m, c in zip(row, rgb, strict=True))) ** (1 / 2.2) for row in matrix]


@both
def test_there_are_ten_slots_of_each_kind(base):
    assert len(theme(base)["chartCategoricalColors"]) == 10
    assert len(theme(base)["chartSequentialColors"]) == 10
    assert len(theme(base)["chartDivergingColors"]) == 10
    roles = {PREDICTION, REFERENCE, TRUTH, AVERAGE, POINTS, QUERY}
    assert len(roles | {c for _, c in SEQUENTIAL} | {c for _, c in DIVERGING}) == 26  # both have the colour of 0


@both
def test_text_and_links_reach_contrast_aa(base):
    colours = theme(base)
    for background in (colours["backgroundColor"], colours["secondaryBackgroundColor"]):
        assert contrast(colours["textColor"], background) >= 7
        assert contrast(colours["linkColor"], background) >= 4.5
        assert contrast(colours["primaryColor"], background) >= 4.5


@both
def test_every_role_stands_out_from_the_background(base):
    colours = theme(base)
    for colour in colours["chartCategoricalColors"][:6]:
        assert contrast(colour, colours["backgroundColor"]) >= 4.5


@both
@pytest.mark.parametrize("sight", SIGHT)
def test_the_lines_stay_apart_for_colour_blind_eyes(base, sight):
    lines = theme(base)["chartCategoricalColors"][:4]
    for a, b in itertools.combinations(lines, 2):
        distance = sum((x - y) ** 2 for x, y in zip(seen(a, SIGHT[sight]), seen(b, SIGHT[sight]), strict=True)) ** 0.5
        assert distance > 0.12, (a, b)


@both
def test_more_weight_is_steadily_further_from_the_background(base):
    colours = theme(base)
    steps = [contrast(c, colours["backgroundColor"]) for c in colours["chartSequentialColors"]]
    assert steps == sorted(steps)
    assert steps[0] < 1.1
    assert steps[-1] > 12


@both
def test_a_number_is_further_from_the_background_the_further_it_is_from_0(base):
    colours = theme(base)
    below, above = colours["chartDivergingColors"][4::-1], colours["chartDivergingColors"][5:]
    for side in (below, above):
        steps = [contrast(c, colours["backgroundColor"]) for c in side]
        assert steps == sorted(steps)
        assert steps[0] > 1.2
        assert steps[-1] > 12
    for one, other in zip(below, above, strict=True):
        assert contrast(one, other) < 1.5  # equally far from 0 is equally strong


@both
@pytest.mark.parametrize("sight", SIGHT)
def test_the_sign_of_a_number_is_seen_by_colour_blind_eyes(base, sight):
    slots = theme(base)["chartDivergingColors"]
    for a, b in zip(slots[4::-1], slots[5:], strict=True):
        distance = sum((x - y) ** 2 for x, y in zip(seen(a, SIGHT[sight]), seen(b, SIGHT[sight]), strict=True)) ** 0.5
        assert distance > 0.12, (a, b)


def test_numbers_from_0_have_one_hue_and_signed_ones_two_around_0():
    assert shades(0.0, 0.3) == (SEQUENTIAL, 0.0, 0.3)
    assert shades(-0.5, 2.0) == (DIVERGING, -2.0, 2.0)
    assert shades(-3.0, 2.0) == (DIVERGING, -3.0, 3.0)
    assert DIVERGING[5] == [0.5, SEQUENTIAL[0][1]]
