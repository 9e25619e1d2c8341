"""How long a sequence model is trained, on which texts, and how often it is looked at; the same for every kind."""

from dataclasses import dataclass

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences.tasks import LONGEST, SHORTEST, Lengths

MOST_STEPS = 5_000


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The settings of a training that know nothing of the model; each kind of model adds its own."""

    steps: int = 300
    batch: int = 64  # texts in a step, drawn anew for each
    learning_rate: float = 1e-2  # of Adam, falling in a straight line to 0
    clip: float = 1.0  # the longest gradient that is followed at full length
    shortest: int = 3  # lengths of the drawn digit strings
    longest: int = 6
    check_every: int = 25  # steps between two looks at unseen texts
    check_count: int = 200  # unseen texts looked at
    seed: int = 0  # of the first parameters and of all texts

    def __post_init__(self) -> None:
        check_whole("steps", self.steps, 1, MOST_STEPS)
        check_whole("batch", self.batch, 1, 1024)
        check_number("learning rate", self.learning_rate, 0, 1)
        check_number("clip", self.clip, 1e-6, 1e6)
        check_whole("the longest length", self.longest, SHORTEST, LONGEST)
        check_whole("the shortest length", self.shortest, SHORTEST, self.longest)
        check_whole("check every", self.check_every, 1, MOST_STEPS)
        check_whole("check count", self.check_count, 1, 10_000)
        check_whole("seed", self.seed, 0, LAST_SEED)

    @property
    def lengths(self) -> Lengths:
        """Lengths of the drawn digit strings."""
        return Lengths(self.shortest, self.longest)
