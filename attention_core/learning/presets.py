"""Example runs: settings and points under a name, and why they end the way they do."""

from dataclasses import dataclass

from attention_core.data import Samples, generate
from attention_core.learning.training import TrainingConfig
from attention_core.regression.redraw import Recipe


@dataclass(frozen=True)
class Preset:
    """An example run: what it is called, how it is trained, which points it learns from, and what it shows."""

    label: str
    config: TrainingConfig
    recipe: Recipe
    why: str

    def samples(self) -> Samples:
        """The points of the recipe."""
        return generate(self.recipe.function, self.recipe.n, self.recipe.noise, self.recipe.seed)


D2L_START = 0.375558  # the chapter's random first w
STEADY = TrainingConfig(epochs=100, learning_rate=1.0, w0=1.0, loss="mean")  # a rate means the same at every n

PRESETS: dict[str, Preset] = {
    "steady": Preset(
        "Steady",
        STEADY,
        Recipe(),
        "Small steps: $w$ grows towards the best value, and every step is shorter than the one before.",
    ),
    "d2l": Preset(
        "d2l: one leap",
        TrainingConfig(epochs=5, learning_rate=0.5, w0=D2L_START),
        Recipe(),
        "The chapter's own run. Its first step leaps over the valley, from 0.38 to 9.8, and five epochs are too few to "
        "come back.",
    ),
    "fifty_epochs": Preset(
        "d2l, 50 epochs",
        TrainingConfig(epochs=50, learning_rate=0.5, w0=D2L_START),
        Recipe(),
        "The chapter's run with 50 epochs: $w$ moves back slowly over the flat side and ends at the lowest point.",
    ),
    "collapses": Preset(
        "Collapses to 0",
        STEADY,
        Recipe("wave", n=20, noise=2.0, seed=6),
        "Twenty points with much noise: the neighbours do not help, so the plain average of all other points is best.",
    ),
    "no_leave_one_out": Preset(
        "No leave-one-out",
        TrainingConfig(epochs=200, learning_rate=4.0, w0=1.0, leave_one_out=False, loss="mean"),
        Recipe(),
        "Each point attends to itself. The sharper the attention, the smaller the loss, so $w$ grows past the best and "
        "does not stop.",
    ),
}
