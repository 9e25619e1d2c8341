"""Training epochs, the leave-one-out landscape and the stage's frames, each against the plain way to write it."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from attention_core.data import Samples, generate, query_grid
from attention_core.learning.training import TrainingConfig, train
from attention_core.pooling import kernel_pool
from attention_core.regression.frames import width_frames
from attention_core.regression.selection import loo_losses, width_grid
from benchmarks.measure import side_by_side

MOST_AT_ONCE = 200  # points: with 1,000, one call over all widths would take 5 GB
MOST_IN_CHAPTER = 5_000  # points: d2l's loop holds all pairs


class ChapterModel(nn.Module):
    """The model as the d2l chapter writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.rand((1,)))

    def forward(self, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        queries = queries.repeat_interleave(keys.shape[1]).reshape((-1, keys.shape[1]))
        weights = nn.functional.softmax(-(((queries - keys) * self.w) ** 2) / 2, dim=1)
        return torch.bmm(weights.unsqueeze(1), values.unsqueeze(-1)).reshape(-1)


def chapter_loop(n: int, epochs: int) -> Callable[[], Any]:
    samples = generate(n=n)
    x, y = samples.x.float(), samples.y.float()  # float32, as in the chapter: half the work of ours
    apart = (1 - torch.eye(n)).bool()
    keys, values = x.repeat((n, 1))[apart].reshape((n, -1)), y.repeat((n, 1))[apart].reshape((n, -1))
    net, loss = ChapterModel(), nn.MSELoss(reduction="none")
    trainer = torch.optim.SGD(net.parameters(), lr=0.1)

    def call() -> Any:
        for _ in range(epochs):
            trainer.zero_grad()
            errors = loss(net(x, keys, values), y)
            errors.sum().backward()
            trainer.step()
            float(errors.detach().sum())  # the chapter plots it every epoch, and ours yields it

    return call


def our_loop(n: int, epochs: int) -> Callable[[], Any]:
    samples, config = generate(n=n), TrainingConfig(epochs, loss="mean")  # a sum over many points would run away

    def call() -> Any:
        steps = list(train(samples, config))
        assert len(steps) == epochs
        return steps

    return call


def training_rows() -> Iterator[dict[str, Any]]:
    for n, epochs in ((50, 1000), (500, 50), (5_000, 10), (50_000, 5)):
        rivals = {"train": our_loop(n, epochs)}
        if n <= MOST_IN_CHAPTER:
            rivals["d2l loop"] = chapter_loop(n, epochs)
        times = side_by_side(rivals)
        yield {
            "size": f"n = {n}",
            "seconds": {name: each / epochs for name, each in times.items()},
            "against": "train",
            "epochs/s": round(epochs / times["train"]),
        }


def landscape_rows() -> Iterator[dict[str, Any]]:
    """200 widths at once, chunked, against one giant call and against a loop over single widths."""
    for n in (50, 200, 1_000):
        samples = generate(n=n)
        widths = width_grid(samples, 200)
        outside = torch.eye(n, dtype=torch.bool)

        def giant(samples=samples, widths=widths, outside=outside) -> Any:
            scores = -(((samples.x[:, None] - samples.x) / widths[:, None, None]) ** 2) / 2
            output = scores.masked_fill(outside, -torch.inf).softmax(-1) @ samples.y
            return (output - samples.y).square().mean(-1)

        def loop(samples=samples, widths=widths, outside=outside) -> Any:
            for width in widths:
                scores = -(((samples.x[:, None] - samples.x) / width) ** 2) / 2
                output = scores.masked_fill(outside, -torch.inf).softmax(-1) @ samples.y
                (output - samples.y).square().mean()

        rivals = {"loo_losses": lambda s=samples, w=widths: loo_losses(s, w), "plain loop": loop}
        if n <= MOST_AT_ONCE:
            rivals["giant call"] = giant
        yield {"size": f"n = {n}, 200 widths", "seconds": side_by_side(rivals), "against": "loo_losses"}


def frame_rows() -> Iterator[dict[str, Any]]:
    """The stage's frames: 100 widths of weights for 50 queries and a curve of 200, batched against one by one."""
    queries, fine = query_grid(), torch.linspace(0, 5, 200, dtype=torch.float64)
    for n in (50, 500, 5_000):
        x, y = generate(n=n)
        widths = width_grid(generate(n=n), 100)

        def batched(x=x, y=y, widths=widths) -> Any:
            return width_frames(Samples(x, y), (fine, queries), widths)

        def one_by_one(x=x, y=y, widths=widths) -> Any:
            return [(kernel_pool(queries, x, y, w), kernel_pool(fine, x, y, w)) for w in widths.tolist()]

        rivals = {"batched": batched, "one by one": one_by_one}
        yield {"size": f"n = {n}, 100 frames", "seconds": side_by_side(rivals), "against": "batched"}
