"""How long scripts are: their lines without blank ones, what to install, the title, the prints and the drawing."""

import pytest
import torch

from attention_core.learning.training import TrainingConfig
from attention_core.regression.estimator import Estimator
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.bahdanau.choices import plan
from attention_ui.chapters.bahdanau.computation import aligned, compared, explained
from attention_ui.chapters.batches import computation as batches
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.cues import computation as cues
from attention_ui.chapters.cues.choices import Cues
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.computation import lab_computation, patterns_computation
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.chapters.learned_w.computation import at_epoch, both_ends, by_hand, each_head
from attention_ui.chapters.learned_w.runs import Plan, Trained
from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import layer_computation, mixture_computation
from attention_ui.chapters.qkv import computation as qkv
from attention_ui.chapters.qkv.space import SPACES, Asked
from attention_ui.chapters.scoring import analogy, explorer, kernel_and_attention, morph, scaling
from attention_ui.chapters.scoring.computation_blocks import chained
from attention_ui.chapters.scoring.computation_masks import Masking
from attention_ui.chapters.scoring.computation_masks import computation as masked
from attention_ui.chapters.scoring.own_vectors import Vectors
from attention_ui.chapters.self_attention.choices import Asked as AskedOfWords
from attention_ui.chapters.self_attention.computation import cost_computation, positions_computation, tokens_computation
from attention_ui.chapters.transformer.blocks import blocks
from attention_ui.chapters.transformer.choices import Asked as AskedOfTransformer
from attention_ui.chapters.transformer.computation import heads, opened, written
from attention_ui.chapters.transformer.models import ready
from attention_ui.controls.dataset import Dataset
from attention_ui.export import lab
from attention_ui.export.trainings import planned
from attention_ui.live.sequences import Plan as SequencePlan


def learned(heads):
    planned = Plan(Dataset(), TrainingConfig(), heads)
    return Trained(planned, tuple(part for part in planned.parts() if not isinstance(part, float)))


MASKING = Masking(((4,) * 6, (2,) * 6))
LEARNED = Plan(Dataset(), TrainingConfig())


def digits():
    return AskedOfTransformer(ready(), "31415")


def weights():
    return OwnMatrix(torch.tensor([[[[0.7, 0.3], [0.2, 0.8]]]], dtype=torch.float64), "pasted")


# What a view runs, and the most lines of its scripts: with torch alone, and with attention_core.
LIMITS = {
    "the lab": (lambda: lab.computation(Dataset(), Estimator(1.0)), 14, 11),
    "the lab, local lines": (lambda: lab.computation(Dataset(), Estimator(1.0, linear=True)), 23, 13),
    "cues": (lambda: cues.computation(Cues()), 14, 14),
    "batches": (lambda: batches.computation(Sizes(), (0, 1, 1)), 6, 6),
    "averages": (lambda: batches.computation(Sizes(), (0, 1, 1), 0.0), 10, 10),
    "patterns": (lambda: patterns_computation(Chosen(), 1.0), 20, 20),
    "the lab's weights": (lab_computation, 12, 9),
    "learned w": (lambda: at_epoch(learned(1), 0), 30, 44),
    "before and after": (lambda: both_ends(learned(1)), 32, 46),
    "several learned w": (lambda: at_epoch(learned(2), 0), 35, 48),
    "several widths": (lambda: mixture_computation(Mixture(Dataset(), (0.355, 0.562)), SHARES.index(0.5)), 21, 17),
    "heads on vectors": (lambda: layer_computation(Layer()), 26, 26),
    "every score": (lambda: explorer.computation(8, 0, 1.0), 31, 18),
    "why the root of d": (lambda: scaling.computation(64), 27, 24),
    "kernel to dot product": (lambda: morph.computation(0, False), 18, 19),
    "masks": (lambda: masked(MASKING), 26, 27),
    **{
        f"blocks: {score}": (lambda score=score: chained(Vectors().tensors(), score).computation, *limits)
        for score, limits in {"dot": (9, 10), "bilinear": (16, 11), "additive": (17, 11)}.items()
    },
    "kernel regression as attention": (lambda: analogy.computation(0.5), 18, 14),
    "symmetry": (lambda: kernel_and_attention.symmetric(0, False), 16, 17),
    "likeness": (lambda: kernel_and_attention.before(3), 10, 11),
    "order": (lambda: kernel_and_attention.mixed(0), 17, 18),
    "positive": (lambda: kernel_and_attention.similar(0), 11, 12),
    "a query and its keys": (lambda: qkv.computation(Asked(SPACES["line"], (2.0,), 1.0)), 10, 10),
    "a query that takes one key": (lambda: qkv.computation(Asked(SPACES["line"], (2.0,), 1.0), (10, 0)), 21, 18),
    "tokens": (lambda: tokens_computation(AskedOfWords(("a", "b", "c"), (0, 1, 2)), 40), 20, 21),
    "by hand": (lambda: by_hand(LEARNED, 1.0), 22, 19),
    "head by head": (lambda: each_head(learned(2)), 33, 46),
    "a block of the Transformer": (lambda: opened(digits(), blocks(ready().config)[1].tensors[0]), 15, 11),
    "heads of the Transformer": (lambda: heads(digits()), 16, 12),
    "writing of the Transformer": (lambda: written(digits(), 1.0, None), 17, 13),
    "own matrix": (lambda: weights().computation, 13, 13),
    "positions": (lambda: positions_computation(16, 3), 16, 11),
    "cost": (lambda: cost_computation(64, 256), 17, 9),
    "one symbol of the decoder": (lambda: aligned("reverse", "31415"), 21, 16),
    "attention beside effects": (lambda: explained("reverse", "31415"), 46, 16),
    "lengths": (lambda: compared(8), 26, 20),
    "training of the decoder": (lambda: planned(plan("reverse", 4, 20, 0.03, 2)), 96, 43),
    "training on dates": (lambda: planned(plan("dates", 4, 20, 0.03, 2)), 121, 46),
    "training of a Transformer": (
        lambda: planned(SequencePlan("reverse", TransformerTrainingConfig())),
        *(124, 45),
    ),
}


def own_lines(text):
    """The lines up to the prints, without comments at the top, blank lines and matplotlib."""
    lines = text[: text.index("for name, value in shown.items():")].splitlines()
    first = next(place for place, line in enumerate(lines) if not line.startswith("#"))
    return [line for line in lines[first:] if line.strip() and "matplotlib" not in line]


@pytest.mark.parametrize(("made", "alone", "with_core"), LIMITS.values(), ids=list(LIMITS))
def test_scripts_do_not_grow(made, alone, with_core):
    computation = made()
    for script, most in ((computation.plain("name", "title"), alone), (computation.script("name", "title"), with_core)):
        lines = own_lines(script.text)
        assert len(lines) <= most, "\n".join([f"{len(lines)} lines", *lines])
