"""Run what is slow at its first use when the server starts, so that no visitor waits for it."""

import gc
import logging
from threading import Event

OBJECTS = 3000  # that were made and not given back, until Python looks for what nobody can reach
log = logging.getLogger("uvicorn.error")  # the one logger that `uvicorn server:app` shows


def warm_up(warm: Event) -> None:
    """Run every slow first use once, then set `warm`; a failure is logged, and `warm` stays unset."""
    try:
        _use_torch()
        _use_charts_and_tables()
        _use_the_stage()
        _use_heatmaps()
    except Exception:
        log.exception("Warming up failed: pages still work, but /readyz stays at 503.")
        return
    # What is loaded by now lives as long as the process: no later collection needs to look at it.
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)  # a collection holds up everybody: at Python's own 700, a class spent a twentieth on them
    warm.set()


def _use_torch() -> None:
    """Run the core once: torch prepares its kernels on first use, and its optimisers import the compiler."""
    import torch

    from attention_core.data import generate, query_grid
    from attention_core.learning.training import TrainingConfig, train
    from attention_core.pooling import kernel_pool
    from attention_core.regression.selection import best_width
    from attention_core.sequences.tasks import TASKS
    from attention_core.sequences.training import SeqTrainingConfig, train_steps

    # With many visitors at once, one thread each costs less than half of two threads each.
    torch.set_num_threads(1)
    samples = generate()
    kernel_pool(query_grid(), samples.x, samples.y)
    best_width(samples)
    list(train(samples, TrainingConfig(epochs=2)))
    list(train_steps(TASKS["reverse"], SeqTrainingConfig(steps=1)))


def _use_charts_and_tables() -> None:
    """Build one table and one figure: pandas brings pyarrow along, plotly loads its parts on first use."""
    import pandas
    import plotly.graph_objects as go

    pandas.DataFrame({"x": [0.0], "name": ["a"]})
    go.Figure(go.Heatmap(z=[[0.0, 1.0]])).to_json()


def _use_heatmaps() -> None:
    """Make the pictures that the later chapters open with, and load their trained models."""
    from attention_ui.chapters.bahdanau import steps
    from attention_ui.chapters.multihead import pictures
    from attention_ui.chapters.multihead.choices import Mixture
    from attention_ui.chapters.scoring import explorer, scaling
    from attention_ui.chapters.transformer import decoding, diagram
    from attention_ui.chapters.transformer.choices import Asked
    from attention_ui.chapters.transformer.decoding import Writing
    from attention_ui.chapters.transformer.models import ready
    from attention_ui.chapters.transformer.views import packed_heads
    from attention_ui.controls.dataset import Dataset

    steps.packed("reverse", "31415")
    explorer.packed(8, 0, "scoring_temperature")
    scaling.packed("scoring_width")
    pictures.packed(Mixture(Dataset(), (0.355, 0.562)), "multihead_share")
    diagram.packed(ready(), "31415")
    packed_heads(Asked(ready(), "31415", run=None))
    decoding.packed(Writing(ready(), "31415"), "transformer_temperature")


def _use_the_stage() -> None:
    """Make the frames and drawings that the first pages open with: the first visitor finds them ready."""
    from attention_ui.chapters.batches import views as batches
    from attention_ui.chapters.batches.choices import Sizes
    from attention_ui.chapters.heatmaps import gallery
    from attention_ui.chapters.heatmaps.choices import Chosen
    from attention_ui.chapters.home import scores
    from attention_ui.chapters.learned_w.cache import packed_run
    from attention_ui.chapters.learned_w.choices import DEFAULT
    from attention_ui.chapters.learned_w.runs import Plan, Run
    from attention_ui.chapters.qkv import diagram
    from attention_ui.chapters.qkv.space import SPACES
    from attention_ui.controls.dataset import Dataset
    from attention_ui.controls.widths import width_options
    from attention_ui.pictures.cache import packed_widths

    for slider in ("home_width", "kr_width"):
        packed_widths(Dataset(), "gaussian", False, tuple(width_options(5.0)), slider)
    run = Run("lw", Plan(Dataset(), DEFAULT), replaces=False)
    run.advance(seconds=5.0)
    packed_run(run.trained(), (), False)
    for space in SPACES.values():
        diagram.packed(space)
    gallery.packed_patterns(Chosen(), "heatmaps")
    batches.packed(Sizes(), "batches")
    scores.pooled_by_score()
