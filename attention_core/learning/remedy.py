"""A remedy for a run that failed: settings near its own, tried out until one finds the best w."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from attention_core.data import Samples, samples_from
from attention_core.learning.diagnosis import CLOSE, COLLAPSED, FOUND, SIDE_VALLEY, STILL_GOING, is_flat
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import Floor, floor, loss_at
from attention_core.regression.selection import evenly

MOST_POINTS = 200  # more are thinned to so many before anything is tried
BUDGET = 1_000  # epochs over all tries: 0.04 s at n = 50, 0.1 s at n = 200
LONGEST = 200  # epochs of one try
RATES = tuple(float(f"{digit}e{power}") for power in range(-6, 6) for digit in (1, 2, 5))


class Remedy(NamedTuple):
    """Settings that were tried and work, and what to write on the button."""

    config: TrainingConfig
    words: str


def remedy(samples: Samples, config: TrainingConfig, outcome: str, best: Floor | None = None) -> Remedy | None:
    """The nearest settings whose run ends close to the best leave-one-out loss; None where nothing is to be mended.

    With more than 200 points they are tried on 200 of them, evenly chosen, with the learning rate that means the same.
    """
    samples = samples_from(*samples)
    tried = thinned(samples)
    best = best if best and len(tried.x) == len(samples.x) else floor(tried, config.loss)
    if outcome == FOUND or (outcome == COLLAPSED and best.w == 0 and config.leave_one_out):
        return None
    budget = BUDGET
    for candidate in _candidates(samples, config, outcome, best.w):
        used, works = _works(tried, _scaled(candidate, len(samples.x) / len(tried.x)), best)
        if works:
            return Remedy(candidate, _words(config, candidate))
        if (budget := budget - used) <= 0:
            break
    return _beginning_there(samples, config, best)


def thinned(samples: Samples) -> Samples:
    """At most 200 of the samples, evenly chosen."""
    at = evenly(len(samples.x), MOST_POINTS)
    return Samples(samples.x[at], samples.y[at])


def _scaled(config: TrainingConfig, crowd: float) -> TrainingConfig:
    """The same run on fewer points: a sum of errors has a smaller slope there, so its steps must be longer."""
    if config.loss == "mean" or config.optimizer == "adam":
        return config
    return replace(config, learning_rate=min(config.learning_rate * crowd, 1e300))


def _candidates(samples: Samples, config: TrainingConfig, outcome: str, best: float) -> Iterator[TrainingConfig]:
    """Settings to try, the smallest change first."""
    base = replace(config, leave_one_out=True, epochs=min(config.epochs, LONGEST))
    if not config.leave_one_out:
        yield base
    if outcome == STILL_GOING and config.learning_rate > 0:
        yield from (replace(base, epochs=epochs) for epochs in (50, 100, LONGEST) if epochs > base.epochs)
    if outcome in (COLLAPSED, SIDE_VALLEY) or abs(config.w0) > best:
        usual = replace(base, w0=float(f"{5 / float(samples.x[-1] - samples.x[0]):.1g}"))  # on d2l's scale, 1
        yield usual
        yield replace(usual, learning_rate=0.1, epochs=max(base.epochs, 50))
    rates = _rates(config.learning_rate, rising=outcome == STILL_GOING)
    for epochs in sorted({base.epochs, max(base.epochs, 50)}):
        yield from (replace(base, epochs=epochs, learning_rate=rate) for rate in rates)


def _rates(current: float, rising: bool) -> list[float]:
    """Learning rates 1, 2, 5, 10, ... from the current one on, first the way that should help."""
    if current == 0:
        return [0.1, 0.05, 0.2, 0.02, 0.5, 0.01, 1.0]
    lower = [rate for rate in reversed(RATES) if rate < current * 0.99]
    higher = [rate for rate in RATES if rate > current * 1.01]
    return (higher[:6] + lower[:6]) if rising else (lower[:24] + higher[:3])


def _works(samples: Samples, config: TrainingConfig, best: Floor) -> tuple[int, bool]:
    """How many epochs a try took, and whether it ends close to the best."""
    steps = list(train(samples, config))
    w = steps[-1].w
    if steps[-1].diverged or (best.w > 0 and is_flat(samples, w)):
        return len(steps), False
    return len(steps), loss_at(samples, w, True, config.loss) <= CLOSE * best.loss


def _beginning_there(samples: Samples, config: TrainingConfig, best: Floor) -> Remedy | None:
    """The settings tried last: they begin at the best w, with steps so small that w stays there."""
    tried = thinned(samples)
    for rate in [rate for rate in reversed(RATES) if rate <= min(config.learning_rate or 0.1, 0.1)][::3]:
        candidate = replace(config, leave_one_out=True, epochs=50, learning_rate=rate, w0=_rounded(best.w))
        if _works(tried, _scaled(candidate, len(samples.x) / len(tried.x)), best)[1]:
            return Remedy(candidate, _words(config, candidate))
    return None


def _rounded(w: float) -> float:
    return float(f"{w:.2g}")


def _words(before: TrainingConfig, after: TrainingConfig) -> str:
    """What changes, for a button: "Use learning rate 0.05", "Turn leave-one-out on and train 200 epochs"."""
    changes = []
    if after.leave_one_out != before.leave_one_out:
        changes.append("turn leave-one-out on")
    if not math.isclose(after.w0, before.w0):
        changes.append(f"start at $w = {after.w0:g}$")
    if after.learning_rate != before.learning_rate:
        changes.append(f"use learning rate {after.learning_rate:g}")
    if after.epochs != before.epochs:
        changes.append(f"train {after.epochs} epochs")
    text = ", ".join(changes[:-1]) + (" and " if changes[1:] else "") + "".join(changes[-1:])
    return text[:1].upper() + text[1:]
