"""How a run ended: one of seven outcomes, each with its reason in numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from attention_core.data import Samples, samples_from
from attention_core.learning.training import Step, TrainingConfig
from attention_core.learning.valley import Floor, floor, loss_at

FOUND, OVERSHOT, COLLAPSED, RAN_AWAY = "found", "overshot", "collapsed", "ran away"
DIVERGED, STILL_GOING, SIDE_VALLEY = "diverged", "still going", "side valley"
FAR = 0.1  # a w this much larger or smaller than the best is called another one
CLOSE = 1.05  # a run is done when its leave-one-out loss is within this factor of the best
NOTHING = 1e-6  # a smaller w is not worth its digits
FLAT = 0.5  # |w| times the range of the keys: below this, no key weighs over 13 % more than another


class Diagnosis(NamedTuple):
    """How a run ended, and why in one or two sentences."""

    outcome: str  # one of the seven words above
    explanation: str
    w: float  # where it ended
    loss: float  # the leave-one-out loss there, also for a run that leaves nobody out
    best: Floor


def diagnose(steps: Sequence[Step], samples: Samples, config: TrainingConfig, best: Floor | None = None) -> Diagnosis:
    """Judge a run by where it stands in the leave-one-out valley; `best` is its floor, worked out if not given."""
    samples = samples_from(*samples)
    best = best or floor(samples, config.loss)
    w = steps[-1].w
    loss = loss_at(samples, w, True, config.loss)
    outcome = _outcome(steps[-1], loss, (samples, config, best))
    return Diagnosis(outcome, _WORDS[outcome](_Facts(steps, samples, config, best, loss)), w, loss, best)


def is_flat(samples: Samples, w: float) -> bool:
    """Whether attention with this w is as good as the plain average."""
    return abs(w) * float(samples.x[-1] - samples.x[0]) < FLAT


def _outcome(last: Step, loss: float, run: tuple[Samples, TrainingConfig, Floor]) -> str:
    samples, config, best = run
    beyond = abs(last.w) > best.w
    if last.diverged:
        return DIVERGED
    if is_flat(samples, last.w):
        return COLLAPSED
    if not config.leave_one_out:
        return RAN_AWAY if beyond and loss > CLOSE * best.loss else STILL_GOING
    if loss <= CLOSE * best.loss:
        return FOUND
    if beyond:
        return STILL_GOING if best.w == 0 and last.gradient * last.w > 0 else OVERSHOT
    return STILL_GOING if last.gradient * last.w < 0 else SIDE_VALLEY  # is |w| on its way up, to the best?


class _Facts(NamedTuple):
    """What the explanations speak of."""

    steps: Sequence[Step]
    samples: Samples
    config: TrainingConfig
    best: Floor
    loss: float

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def starts(self) -> list[float]:
        """Where w stood before each epoch."""
        return [self.config.w0, *(step.w for step in self.steps[:-1])]

    @property
    def pace(self) -> str:
        """How far the last epoch moved w, and how long the rest of the way takes at that pace."""
        moved = abs(abs(self.last.w) - abs(self.starts[-1]))
        left = abs(abs(self.last.w) - self.best.w)
        if self.config.learning_rate == 0:
            return "The learning rate is 0, so $w$ never moves."
        if moved * 1e5 < left:
            return f"The last epoch moved it by only {moved:.1g}."
        return f"The last epoch moved it by {moved:.2g}; at that pace it takes about {_epochs(left / moved)}."

    @property
    def stands(self) -> str:
        """Where w ended, and that its sign does not matter where it is negative."""
        return _w(self.last.w) + (" (its sign does not matter)" if self.last.w < 0 else "")


def _w(number: float, digits: int = 3) -> str:
    """This w in LaTeX."""
    mantissa, _, power = f"{number:.{digits}g}".partition("e")
    times = rf" \cdot 10^{{{int(power)}}}" if power else ""
    return f"$w = {mantissa}{times}$"


def _epochs(count: float) -> str:
    whole = max(1, round(count))
    return "1 more epoch" if whole == 1 else f"{whole:,} more epochs"


def _found(run: _Facts) -> str:
    worse = 100 * (run.loss / run.best.loss - 1) if run.best.loss > 0 else 0.0
    gap = "within 0.1 % of" if worse < 0.1 else f"{worse:.1f} % above"
    apart = abs(abs(run.last.w) - run.best.w) > FAR * run.best.w
    return (
        f"Training reached {run.stands}; the best is {run.best.w:.3g}. "
        f"The loss there, {run.loss:.4g}, is {gap} the lowest, {run.best.loss:.4g}"
        f"{': this w predicts almost as well.' if apart else '.'}"
    )


def _overshot(run: _Facts) -> str:
    jump = next((i for i, step in enumerate(run.steps) if abs(step.w) > run.best.w >= abs(run.starts[i])), None)
    if jump is None:
        return (
            f"$w$ began at {run.config.w0:.3g}, beyond the valley, and stands at {run.last.w:.3g}; "
            f"the best is {run.best.w:.3g}. {_slope(run)} {run.pace}"
        )
    leap, start = run.steps[jump], run.starts[jump]
    return (
        f"Epoch {leap.epoch} jumped from {_w(start)} to {leap.w:.3g}, past the best, {run.best.w:.3g}. "
        f"{_slope(run)} {run.pace}"
    )


def _slope(run: _Facts) -> str:
    steepest, now = max(abs(step.gradient) for step in run.steps), abs(run.last.gradient)
    before = f", after {steepest:.2g} at its steepest" if steepest > 2 * now else ""
    return f"The slope of the loss there is {now:.2g}{before}."


def _collapsed(run: _Facts) -> str:
    size = _w(run.last.w, 2) if run.last.w == 0 or abs(run.last.w) > NOTHING else "$w$ is practically 0"
    averaged = f"{size}: every key weighs about the same, so the curve is the plain average."
    if run.config.w0 == 0 and run.last.w == 0:
        averaged += " At $w = 0$ the slope is exactly 0, so no step leads away."
    if run.best.w == 0:
        return f"{averaged} For these points nothing predicts better: a loss of {run.loss:.4g}."
    return f"{averaged} Its loss is {run.loss:.4g}; the best $w$, {run.best.w:.3g}, would reach {run.best.loss:.4g}."


def _ran_away(run: _Facts) -> str:
    grew = "grew to" if abs(run.last.w) > abs(run.config.w0) else "stands at"
    return (
        f"Each point attends to itself, so the loss falls as $w$ grows: $w$ {grew} {run.last.w:.3g}, with a training "
        f"loss of {run.last.loss:.3g}. It learns the points by heart: its leave-one-out loss is {run.loss:.4g}; with "
        f"the best $w$, {run.best.w:.3g}, it would be {run.best.loss:.4g}."
    )


def _diverged(run: _Facts) -> str:
    rate = f"a learning rate of {run.config.learning_rate:g}"
    if run.config.optimizer == "sgd":
        rate += f" times a slope of {run.last.gradient:.3g}"
    return (
        f"Epoch {run.last.epoch} moved $w$ from {run.starts[-1]:.3g} to {run.last.w:.3g}, where only the nearest key "
        f"counts and no slope leads back. The step was too long: {rate}."
    )


def _still_going(run: _Facts) -> str:
    if run.config.leave_one_out:
        return f"{run.stands} has not reached the best, {run.best.w:.3g}. {run.pace}"
    return (
        f"{run.stands} so far. Each point attends to itself, so the loss falls as long as $w$ grows, and $w$ does not "
        f"stop at the best, {run.best.w:.3g}."
    )


def _side_valley(run: _Facts) -> str:
    return (
        f"{run.stands} lies in another valley with a loss of {run.loss:.4g}. The lowest one is at "
        f"{_w(run.best.w)} ({run.best.loss:.4g}), but the way there leads uphill first."
    )


_WORDS = {
    FOUND: _found,
    OVERSHOT: _overshot,
    COLLAPSED: _collapsed,
    RAN_AWAY: _ran_away,
    DIVERGED: _diverged,
    STILL_GOING: _still_going,
    SIDE_VALLEY: _side_valley,
}
