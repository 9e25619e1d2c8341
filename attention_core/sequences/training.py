"""Train a sequence model of any kind, step by step: an iterator that can be left and gone on with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor
from torch.nn import Module, Parameter
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_, parameters_to_vector, vector_to_parameters
from torch.nn.utils.rnn import pad_sequence

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences.plain_decoder import Decoder
from attention_core.sequences.seq2seq import Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import LONGEST, SHORTEST, Draw, Lengths, Task, drawn, strings
from attention_core.sequences.vocabulary import END, PADDING

MOST_STEPS = 5_000


class Predicts(Protocol):
    """A model that can be trained: it predicts the targets (B, T) that belong to sources (B, S), both padded."""

    def __call__(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, ...]:
        """Logits (B, T, symbols), each from the right symbols before it, then weights (B, ..., T, S)."""

    def parameters(self) -> Iterator[Parameter]:
        """What is trained."""


M = TypeVar("M", bound=Module)


@dataclass(frozen=True, kw_only=True)
class Schedule(Generic[M]):
    """How long to train, on which texts, and how often to check; each kind of model adds its own settings."""

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

    def model(self, task: Task) -> M:
        """A fresh model for this task, its parameters drawn from the seed."""
        raise NotImplementedError

    def trainee(self, task: Task) -> Predicts:
        """The same model with the same parameters in the same order, in as few lines as training takes."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class SeqTrainingConfig(Schedule[Seq2Seq]):
    """How to train a Seq2Seq; the defaults learn to reverse 3 to 6 digits without an error."""

    hidden: int = 32  # width of the GRU states
    embedding: int = 8  # width of a symbol's vector; a narrow one keeps the alignment of digits clean
    bidirectional: bool = True  # whether the encoder reads from both ends
    attention: bool = True  # or one fixed context

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("hidden", self.hidden, 1, 512)
        check_whole("embedding", self.embedding, 1, 512)

    def model(self, task: Task) -> Seq2Seq:
        """A fresh model for this task, its parameters drawn from the seed."""
        shape = (self.hidden, self.embedding, self.bidirectional, self.attention)
        return Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), *shape), self.seed)

    def trainee(self, task: Task) -> Predicts:
        """The plain decoder; a model with a fixed context, or one that reads from the left only, trains itself."""
        if not (self.bidirectional and self.attention):
            return self.model(task)
        return Decoder(len(task.source), len(task.target), self.hidden, self.embedding, self.seed)


class Progress(NamedTuple):
    """One step: the loss before its update and, every few steps, how good the model is after it."""

    step: int  # from 1
    loss: float  # mean cross-entropy of a symbol, in nats
    exact: float | None = None  # share of unseen texts that come out right
    weights: Tensor | None = None  # (..., T, S) for the task's example and its right answer;


def learning(
    model: Predicts, draw: Draw, solve: Callable[[str], str], lengths: Lengths, alphabet: str, written: str,
    example: str, steps: int, made: int, batch: int, learning_rate: float, clip: float, check_every: int,
    check_count: int, seed: int,
) -> dict[str, Tensor]:  # fmt: skip
    """So many steps of a run: the loss of each, and at every check the share of unseen texts that come out right."""
    torch.set_num_threads(1)  # so small a model only loses time to more
    losses, exact, unseen = [], [], drawn(draw, solve, check_count, seed, lengths, unseen=True)
    for loss in descent(
        model, draw, solve, lengths, alphabet, written, steps, made, batch, learning_rate, clip, seed
    ):  # fmt: skip
        losses.append(loss.item())
        if len(losses) % check_every == 0 or len(losses) in (steps, made):
            exact.append(share_right(model, *numbered(unseen, solve, alphabet, written)))
    weights = model(*numbered([example], solve, alphabet, written))[1][0].detach()  # where it looks in the example
    shown = {name: torch.tensor(each, dtype=torch.float64) for name, each in {"losses": losses, "exact": exact}.items()}
    return shown | {"steps": torch.arange(1, made + 1), "weights": weights}


def descent(
    model: Predicts, draw: Draw, solve: Callable[[str], str], lengths: Lengths, alphabet: str, written: str,
    steps: int, made: int, batch: int, learning_rate: float, clip: float, seed: int,
) -> Iterator[Tensor]:  # fmt: skip
    """Train a model by Adam, at a rate that falls to 0 within the steps: the loss of each that is made, before it."""
    parameters = parameters_to_vector(model.parameters()).detach()
    vector_to_parameters(parameters, model.parameters())  # the model's own are views of this vector from here on
    adam = torch.optim.Adam([parameters])  # of one vector: a dozen operations a step instead of a hundred
    for step in range(made):
        of_step = batch_seed(seed, step)
        texts = drawn(draw, solve, batch, of_step, lengths, unseen=False)
        sources, targets = numbered(texts, solve, alphabet, written)
        logits = model(sources, targets)[0]  # (B, T, symbols)
        loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PADDING)
        parameters.grad = torch.cat([part.flatten() for part in torch.autograd.grad(loss, list(model.parameters()))])
        clip_grad_norm_([parameters], clip)
        adam.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        adam.step()
        yield loss


def batch_seed(seed: int, step: int) -> int:
    """The seed of the texts of a step."""
    return (seed * 1_000_003 + step * 7_919 + 1) % (2**31 - 1)


def numbered(texts: list[str], solve: Callable[[str], str], alphabet: str, written: str) -> tuple[Tensor, Tensor]:
    """Texts (B, S) and their answers (B, T) as numbers from 3 on, padded; an answer closes with the end symbol."""
    rows = [torch.tensor([alphabet.index(sign) + 3 for sign in text.lower()]) for text in texts]
    answers = [torch.tensor([*(written.index(sign) + 3 for sign in solve(text)), END]) for text in texts]
    return pad_sequence(rows, batch_first=True), pad_sequence(answers, batch_first=True)


@torch.no_grad()
def share_right(model: Predicts, sources: Tensor, targets: Tensor) -> float:
    """The share of texts that are written without an error: each symbol is the likeliest after the right ones."""
    likeliest = model(sources, targets)[0][..., END:].argmax(-1) + END  # never padding or begin
    return float(((likeliest == targets) | (targets == PADDING)).all(1).double().mean())


class Training(Iterator[Progress], Generic[M]):
    """The run itself: `next` makes one step, `model` is the model so far."""

    def __init__(self, task: Task, config: Schedule[M]) -> None:
        self.task, self.config = task, config
        self._trainee, self._step = config.trainee(task), 0
        self._losses = descent(
            self._trainee, task.draw, task.solve, config.lengths, task.alphabet, task.written, config.steps,
            config.steps, config.batch, config.learning_rate, config.clip, config.seed,
        )  # fmt: skip
        unseen = drawn(task.draw, task.solve, config.check_count, config.seed, config.lengths, unseen=True)
        self._unseen, self._example = (
            numbered(texts, task.solve, task.alphabet, task.written) for texts in (unseen, [task.example])
        )

    def __next__(self) -> Progress:
        loss = next(self._losses).item()
        self._step += 1
        if self._step % self.config.check_every and self._step != self.config.steps:
            return Progress(self._step, loss)
        return Progress(self._step, loss, *self.check())

    @property
    def model(self) -> M:
        """A copy of the model as it is now, with every number to look at."""
        model = self.config.model(self.task)
        vector_to_parameters(parameters_to_vector(self._trainee.parameters()).detach().clone(), model.parameters())
        return model

    @torch.no_grad()
    def check(self) -> tuple[float, Tensor]:
        """The share of unseen texts that come out right now, and the weights for the task's example."""
        return share_right(self._trainee, *self._unseen), self._trainee(*self._example)[1][0]


def train_steps(task: Task, config: Schedule[M]) -> Training[M]:
    """Iterate over Progress, one step at a time."""
    strings(task, config.check_count, config.seed, "unseen", config.lengths)  # says so where there are too few
    return Training(task, config)
