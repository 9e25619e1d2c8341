"""The open view to take home, with the values that its widgets hold now: they were drawn before the button is asked."""

from typing import Any

import streamlit as st

from attention_ui.chapters.scoring import (
    export_analogy,
    export_blocks,
    export_contrasts,
    export_explorer,
    export_masks,
    export_morph,
    export_scaling,
)
from attention_ui.chapters.scoring.figures_blocks import chained
from attention_ui.chapters.scoring.masked import TOKENS, Masking
from attention_ui.chapters.scoring.own_vectors import own_vectors
from attention_ui.export import Export
from attention_ui.numbers import short


def exported(page: str, view: str) -> Export:
    """The view whose module has this name."""
    return VIEWS[view](page)


def _held(page: str, name: str) -> Any:
    return st.session_state[f"{page}_{name}"]


def _blocks(page: str) -> Export:
    score = _held(page, "block_score") or "dot"
    row, key = (
        int((_held(page, f"block_{side}") or "00")[1:]) for side in ("query", "key")
    )  # q0 and k0 without a choice
    return export_blocks.exported(chained(own_vectors(page).tensors(), score, row, key))


def _explorer(page: str) -> Export:
    return export_explorer.exported(_held(page, "d"), _held(page, "draw"), short(_held(page, "temperature")))


def _scaling(page: str) -> Export:
    return export_scaling.exported(_held(page, "width"))


def _morph(page: str) -> Export:
    return export_morph.exported(_held(page, "share"), _held(page, "both"))


def _masks(page: str) -> Export:
    first = (_held(page, "mask_0"),) * TOKENS
    if _held(page, "mask_rows"):
        first = tuple(_held(page, f"mask_row_{row}") for row in range(TOKENS))
    return export_masks.exported(Masking((first, (_held(page, "mask_1"),) * TOKENS), _held(page, "mask_causal")))


def _analogy(page: str) -> Export:
    match _held(page, "question"):
        case "symmetry":
            return export_contrasts.asymmetric(_held(page, "tokens"), _held(page, "shared"))
        case "likeness":
            return export_contrasts.unlike(_held(page, "strength"))
        case "order":
            return export_contrasts.order(_held(page, "tokens"))
        case "positive":
            return export_contrasts.definite(_held(page, "tokens"))
    return export_analogy.exported(short(_held(page, "sigma")))


VIEWS = {
    "blocks": _blocks,
    "explorer": _explorer,
    "scaling": _scaling,
    "morph": _morph,
    "masks": _masks,
    "analogy": _analogy,
}
