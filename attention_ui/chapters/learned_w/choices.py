"""How to train: the presets, and a control for each of the choices; all of it stands in the link."""

import math

import streamlit as st

from attention_core.learning.presets import PRESETS, Preset
from attention_core.learning.training import LOSSES, TrainingConfig
from attention_ui.controls.dataset import Dataset
from attention_ui.numbers import short

RATES = [float(f"{10 ** (step / 10):.2g}") for step in range(-60, 11)]  # 0.000001 to 10, evenly in log
MOST_EPOCHS, FURTHEST = 500, 100.0
OPTIMIZERS = {"sgd": "SGD", "adam": "Adam"}
HEADS = (1, 2, 3, 4)
DEFAULT = TrainingConfig()
HEADS_CONFIG = TrainingConfig(400, 0.1, 0.5, optimizer="adam")


def training_controls(page: str) -> TrainingConfig:
    """Draw the controls into the current container; keys begin with the page."""
    w0 = st.number_input(
        "Start: w₀",
        -FURTHEST,
        FURTHEST,
        DEFAULT.w0,
        0.5,
        format="%.6g",
        key=f"{page}_w0",
        bind="query-params",
        help="Where w begins; only its size matters.",
    )
    rate = st.select_slider(
        "Learning rate",
        _rates(f"{page}_rate"),
        DEFAULT.learning_rate,
        format_func=short,
        key=f"{page}_rate",
        bind="query-params",
    )
    epochs = st.slider("Epochs", 1, MOST_EPOCHS, DEFAULT.epochs, key=f"{page}_epochs", bind="query-params")
    optimizer = _choice("Optimiser", list(OPTIMIZERS), f"{page}_optimizer", OPTIMIZERS)
    loss = _choice("Loss: squared errors, as their", list(LOSSES), f"{page}_loss")
    leave_one_out = st.toggle(
        "Leave each point out",
        DEFAULT.leave_one_out,
        key=f"{page}_loo",
        bind="query-params",
        help="No point may attend to itself while training.",
    )
    return TrainingConfig(epochs, rate, w0, leave_one_out, loss, optimizer)


def heads_control(page: str) -> int:
    """Draw the switch for one learned width or several."""
    heads = st.segmented_control(
        "Heads: learned widths",
        HEADS,
        format_func=str,
        default=HEADS[0],
        key=f"{page}_heads",
        bind="query-params",
        required=True,
        on_change=_suit_heads,
        args=(page,),
        help="Several widths with learned shares: the bridge to multi-head attention.",
    )
    return heads or HEADS[0]


def _suit_heads(page: str) -> None:
    """Several heads need more patience than one: begin with settings that let them part."""
    if (st.session_state[f"{page}_heads"] or 1) > 1:
        apply_config(page, HEADS_CONFIG)


def preset_control(page: str, config: TrainingConfig, dataset: Dataset) -> str | None:
    """Draw the presets, with the one that is set just now chosen; return its name."""
    current = next((name for name, preset in PRESETS.items() if _is_set(preset, config, dataset)), None)
    if st.session_state.get(f"{page}_preset") != current:
        st.session_state[f"{page}_preset"] = current
    st.pills(
        "Presets",
        list(PRESETS),
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
    try:
        asked = float(st.session_state.get(key) or st.query_params.get(key, ""))
    except (TypeError, ValueError):
        return RATES
    return sorted({*RATES, asked}) if math.isfinite(asked) and RATES[0] <= asked <= RATES[-1] else RATES


def _choice(label: str, options: list[str], key: str, names: dict[str, str] | None = None) -> str:
    shown = names or {option: option for option in options}
    chosen = st.segmented_control(
        label,
        options,
        format_func=shown.__getitem__,
        default=options[0],
        key=key,
        bind="query-params",
        required=True,
    )
    return chosen or options[0]
