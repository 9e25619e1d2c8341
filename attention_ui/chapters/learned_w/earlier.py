"""Earlier runs in a later process: the browser holds their plans, and they are trained again."""

import json
from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, MEASURED
from attention_core.learning.training import TrainingConfig
from attention_ui.chapters.learned_w.choices import HEADS, MOST_EPOCHS
from attention_ui.chapters.learned_w.runs import GHOSTS, Plan, Run, runs_of
from attention_ui.controls.dataset import Dataset
from attention_ui.link.held import asked_name, bring_text, held_text, hold_text, let_go
from attention_ui.link.points import MOST_HELD, packed_points, unpacked_points
from attention_ui.live.view import TICK
from attention_ui.reading.decoding import quoted


def keep_earlier(page: str) -> None:
    """Let the browser hold the earlier runs; those that the link names come before the current one."""
    key, runs = f"{page}_earlier", runs_of(page)
    come = held_text(key)
    if come and st.session_state.get(f"{key}_come") != come:
        st.session_state[f"{key}_come"] = come
        runs[:0] = [_trained_again(page, plan, steps) for plan, steps in read_plans(come)]
        del runs[: -GHOSTS - 1]
    if text := written_plans(runs[:-1]):
        hold_text(key, text)
    elif asked_name(key) and not come:
        bring_text(key)
    else:
        let_go(key)


def _trained_again(page: str, plan: Plan, steps: int) -> Run:
    """The same run; a visitor who leaves meanwhile ends it."""
    run = Run(page, plan, replaces=False)
    run.until = steps
    bar = st.empty()
    run.advance(TICK)
    while run.running:
        bar.progress(run.step / steps, "Training an earlier run again ...")
        run.advance(TICK)
    bar.empty()
    return run


def written_plans(runs: Sequence[Run]) -> str:
    """Runs as text: their data, their settings, and how many steps were made; without those on too many own points."""
    told = [[*data, *_settings(run.plan), run.step] for run in runs if (data := _data(run.plan.dataset)) and run.step]
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False) if told else ""


def _data(own: Dataset) -> list[object]:
    if own.packed is None:
        return [own.name, own.n, own.noise, own.seed]
    points = packed_points(own.packed, own.x_label, own.y_label, own.curve, MOST_HELD)
    return [own.name, points, own.origin, 0] if points else []


def _settings(plan: Plan) -> list[object]:
    own = plan.config
    return [own.epochs, own.learning_rate, own.w0, own.leave_one_out, own.loss, own.optimizer, plan.heads]


def read_plans(text: str) -> list[tuple[Plan, int]]:
    """What written_plans made; nothing of a text that says anything else."""
    with suppress(ValueError, TypeError, RecursionError, InputError):
        return [_plan(*told) for told in json.loads(text)[-GHOSTS:]]
    return []


def _plan(name: str, n: object, noise: object, seed: object, *settings: object) -> tuple[Plan, int]:
    *config, heads, steps = settings
    if name in FUNCTIONS:
        dataset = Dataset(name, n, noise, seed)  # type: ignore[arg-type]  # generate checks them
    elif name in MEASURED:
        dataset = Dataset.measured(name)
    else:
        samples, x_label, y_label, curve = unpacked_points(str(n), MOST_HELD)
        dataset = Dataset.own(samples, x_label, y_label, quoted(str(noise))[1:-1], curve)
    plan = Plan(dataset, TrainingConfig(*config), heads)  # type: ignore[arg-type]
    dataset.samples()
    if heads not in HEADS or not isinstance(steps, int) or not 1 <= steps <= plan.config.epochs <= MOST_EPOCHS:
        raise InputError("There is no such run.")
    return plan, steps
