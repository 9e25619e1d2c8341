"""The pictures of the batches page hold torch's numbers, and its words follow from them."""

import pytest
import torch

from attention_core.demos.batching import Race, example
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.batches.computation import computation
from attention_ui.chapters.batches.views import packed, packed_averages, race_picture, race_words, refusal
from tests.attention_ui.pictures.reading import opened

RACES = [Race(1, 16, 1e-5, 2e-6), Race(16, 16, 6e-5, 6e-6), Race(1024, 16, 4e-3, 2.5e-4)]


@pytest.mark.parametrize(("frame", "tilt"), [(0, -1.0), (10, 0.0), (13, 0.3), (20, 1.0)])
def test_every_tilt_of_the_slider_has_torchs_weights_and_averages(frame, tilt):
    header, (values, weights, averages) = opened(packed_averages("batches"))
    assert header["slider"] == "batches_tilt"
    assert header["low"] + header["step"] * frame == pytest.approx(tilt)
    shown = computation(Sizes(), (0, 1, 1), tilt).shown
    assert values.flatten().tolist() == list(range(20))
    assert torch.allclose(weights[frame], shown["weights"][:, 0].float(), rtol=1e-5)
    assert torch.allclose(averages[frame], shown["averages"].flatten().float(), rtol=1e-5)
    assert weights.max() < header["y"]["high"]


def test_a_race_is_drawn_on_log_axes_in_milliseconds():
    (graph,) = race_picture(RACES).graphs
    loop, batched = graph.traces
    assert loop.x.tolist() == [1, 16, 1024]
    assert loop.y.tolist() == pytest.approx([0.01, 0.06, 4])
    assert batched.y.tolist() == pytest.approx([0.002, 0.006, 0.25])
    assert graph.x.log
    assert graph.y.log
    assert loop.sign != batched.sign


def test_the_words_tell_the_ratio():
    assert race_words(RACES[-1]) == (
        "1,024 products of 16 × 16: one bmm takes 0.25 ms, the loop 4 ms, **16 times as long**."
    )
    assert "**no longer**" in race_words(Race(1, 64, 1e-3, 1e-3))


@pytest.mark.parametrize("sizes", [Sizes(), Sizes(6, 6, 6, 6), Sizes(1, 1, 1, 1), Sizes(2, 3, 4, 5)])
def test_what_travels_is_torchs_product(sizes):
    header, sent = opened(packed(sizes, "batches"))
    first, second = (part.float() for part in example(sizes.n, sizes.a, sizes.b, sizes.c))
    product = torch.bmm(first, second)
    assert header["fits"]
    assert header["shapes"] == [list(first.shape), list(second.shape), list(product.shape)]
    for arrived, made in zip(sent, (first, second, sent[2], product), strict=True):
        assert torch.equal(arrived, made)
    assert sent[2].shape == (*product.shape, sizes.b)
    assert torch.equal(sent[2].sum(-1), product)


@pytest.mark.parametrize("b", range(1, 7))
def test_a_mismatch_is_torchs_complaint_and_plain_words(b):
    sizes = Sizes(b=b, mismatch=True)
    assert sizes.second_b != b
    assert 1 <= sizes.second_b <= 6
    torch_says, in_words = refusal(sizes)
    with pytest.raises(RuntimeError) as told:
        torch.bmm(torch.zeros(sizes.shapes[0]), torch.zeros(sizes.shapes[1]))
    assert torch_says == str(told.value)
    assert in_words.endswith("they must pair off one to one.")
