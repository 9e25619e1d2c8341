"""Small pictures: one for every chapter, and the weights of one query. Where they show data, torch made them."""

from collections.abc import Callable
from functools import lru_cache

from attention_ui.chapters.home.thumbnails.computing import batches, learned_w, scoring
from attention_ui.chapters.home.thumbnails.drawing import Drawing
from attention_ui.chapters.home.thumbnails.looking import cues, heatmaps, kernel_regression, qkv
from attention_ui.chapters.home.thumbnails.practice import exercises
from attention_ui.chapters.home.thumbnails.sequences import bahdanau, multihead, plain, self_attention, transformer
from attention_ui.chapters.home.thumbnails.weights import weight_bars

__all__ = ["THUMBNAILS", "Drawing", "thumbnail", "weight_bars"]

THUMBNAILS: dict[str, Callable[[], Drawing]] = {
    draw.__name__: draw
    for draw in (
        cues,
        qkv,
        heatmaps,
        kernel_regression,
        batches,
        learned_w,
        scoring,
        bahdanau,
        multihead,
        self_attention,
        transformer,
        exercises,
    )
}


@lru_cache(64)
def thumbnail(chapter: str) -> Drawing:
    """The picture of a chapter by its name, or a plain one for a chapter that has none yet."""
    return THUMBNAILS.get(chapter, plain)()
