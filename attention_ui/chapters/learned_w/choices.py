"""How to train: the presets, and a control for each of the choices; all of it stands in the link."""

from collections.abc import Sequence

import streamlit as st

from attention_core.learning.presets import PRESETS, Preset
from attention_core.learning.training import LOSSES, TrainingConfig
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widgets import number, segmented, select_slider, slider, toggle
from attention_ui.link.choice import asked_text, tell_together
from attention_ui.link.values import number_reader
from attention_ui.numbers import short
from attention_ui.seams import Container

RATES = [float(f"{10 ** (step / 10):.2g}") for step in range(-60, 21)]  # 0.000001 to 100, evenly in log
READ_RATE = number_reader(RATES[0], RATES[-1])
MOST_EPOCHS, FURTHEST = 500, 100.0
OPTIMIZERS = {"sgd": "SGD", "adam": "Adam"}
SUMS = {"half": "half sum"}
HEADS = (1, 2, 3, 4)
DEFAULT = PRESETS["steady"].config
HEADS_CONFIG = TrainingConfig(400, 0.1, 0.5, loss="mean", optimizer="adam")
TRAINING = ("w0", "rate", "epochs", "optimizer", "loss", "loo", "heads")
TOLD_TOGETHER = ("rate", "epochs", "loss")


def run_controls(page: str, above: Sequence[Container]) -> tuple[TrainingConfig, int]:
    """Draw the rate and the epochs into the places above the picture, the other controls into the current container."""
    config, heads = training_controls(page, above), heads_control(page)
    tell_together([f"{page}_{name}" for name in TOLD_TOGETHER], [f"{page}_{name}" for name in TRAINING])
    return config, heads


def training_controls(page: str, above: Sequence[Container]) -> TrainingConfig:
    """Draw the controls of one training run, the first two of them elsewhere; keys begin with the page."""
    with above[0]:
        rate = select_slider(
            "Learning rate",
            {rate: short(rate) for rate in _rates(f"{page}_rate")},
            DEFAULT.learning_rate,
            key=f"{page}_rate",
            read=READ_RATE,
        )
    with above[1]:
        epochs = slider("Epochs", 1, MOST_EPOCHS, DEFAULT.epochs, key=f"{page}_epochs")
    w0 = number(
        "Start: w₀",
        -FURTHEST,
        FURTHEST,
        DEFAULT.w0,
        0.5,
        format="%.6g",
        key=f"{page}_w0",
        help="Where $w$ begins; its sign does not matter.",
    )
    optimizer = segmented("Optimiser", OPTIMIZERS, DEFAULT.optimizer, key=f"{page}_optimizer")
    losses = {name: SUMS.get(name, name) for name in LOSSES}
    loss = segmented("Loss: squared errors, combined as", losses, DEFAULT.loss, key=f"{page}_loss")
    leave_one_out = toggle(
        "Leave-one-out",
        DEFAULT.leave_one_out,
        key=f"{page}_loo",
        help="Each point is predicted from all the others: no point attends to itself while training.",
    )
    return TrainingConfig(epochs, rate, w0, leave_one_out, loss, optimizer)


def heads_control(page: str) -> int:
    """Draw the switch for one learned width or several."""
    return segmented(
        "Heads: learned widths",
        {heads: str(heads) for heads in HEADS},
        HEADS[0],
        key=f"{page}_heads",
        on_change=_suit_heads,
        args=(page,),
        help="Several widths with learned shares, as in multi-head attention.",
    )


def _suit_heads(page: str) -> None:
    """Set what several heads need to become different: Adam, and more epochs."""
    if (st.session_state[f"{page}_heads"] or 1) > 1:
        apply_config(page, HEADS_CONFIG)


def preset_control(page: str, config: TrainingConfig, dataset: Dataset) -> str | None:
    """Draw the presets, with the one that is set just now chosen; return its id."""
    current = next((name for name, preset in PRESETS.items() if _is_set(preset, config, dataset)), None)
    if st.session_state.get(f"{page}_preset") != current:
        st.session_state[f"{page}_preset"] = current
    st.pills(
        "Presets",
        list(PRESETS),
        format_func=lambda name: PRESETS[name].label,
        key=f"{page}_preset",
        on_change=_apply_chosen,
        args=(page, current),
        label_visibility="collapsed",
    )
    return current


def _apply_chosen(page: str, current: str | None) -> None:
    name = st.session_state[f"{page}_preset"] or current  # a second click on the same one sets it again
    if name:
        apply_preset(page, PRESETS[name])


def apply_preset(page: str, preset: Preset) -> None:
    """Set every control to what the preset says, its points included."""
    apply_config(page, preset.config)
    points = preset.recipe
    chosen = {"function": points.function, "n": points.n, "noise": points.noise, "seed": points.seed, "heads": 1}
    for name, value in chosen.items():
        st.session_state[f"{page}_{name}"] = value


def apply_config(page: str, config: TrainingConfig) -> None:
    """Set the controls of training, and leave the data alone."""
    chosen = {
        "w0": config.w0,
        "rate": config.learning_rate,
        "epochs": config.epochs,
        "optimizer": config.optimizer,
        "loss": config.loss,
        "loo": config.leave_one_out,
    }
    for name, value in chosen.items():
        st.session_state[f"{page}_{name}"] = value


def _is_set(preset: Preset, config: TrainingConfig, dataset: Dataset) -> bool:
    points = preset.recipe
    return preset.config == config and dataset == Dataset(points.function, points.n, points.noise, points.seed)


def _rates(key: str) -> list[float]:
    """The steps of the slider, and the rate that a link or a remedy asks for wherever it lies between."""
    asked = st.session_state.get(key) or READ_RATE(asked_text(key) or "")
    return sorted({*RATES, asked}) if asked else RATES
