"""What the page says a number is made of is what torch made it of: no number outside of that has any effect on it."""

import pytest
import torch

from attention_core.transformer.opening import given_to
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer.computation import block, made_as
from attention_ui.chapters.transformer.flow import CELL, COLUMN, KEY, ROW, flow, made_of
from attention_ui.chapters.transformer.models import REVERSE, look, ready

MODELS = {
    "ready": ready,
    "pre-norm, two layers": lambda: TransformerTrainingConfig(layers=2, norm_first=True, width=16).model(REVERSE),
    "no positions": lambda: TransformerTrainingConfig(positions=False, heads=4).model(REVERSE),
}
TEXT = "1203"


@pytest.mark.parametrize("made", MODELS.values(), ids=MODELS)
def test_a_number_depends_on_what_is_marked_and_on_nothing_else_of_its_sources(made):
    model = made()
    tensors = look(model, TEXT).tensors
    for name, sources in flow(model.config).items():
        assert made_of(name)
        function, settings = block(model.config, name)
        given = given_to(name, model, TEXT)
        given = {key: part.requires_grad_() if part.is_floating_point() else part for key, part in given.items()}
        shown = function(given, **settings)
        number, at = cell_of(shown[made_as(name)])
        for source in sources:
            node = node_of(source.tensor, tensors, shown, given)
            if not node.requires_grad:  # the positions are not learned
                continue
            (slope,) = torch.autograd.grad(number, node, retain_graph=True)
            marked = torch.zeros_like(slope, dtype=torch.bool)
            marked[region(source.part, at, node.shape)] = True
            assert slope[marked].any(), (name, source)
            assert not slope[~marked].any(), (name, source)


def cell_of(made):
    """The largest number of a row, which no max(0, x) has cut off, and where it is: head, row and column."""
    head, row = (1, 2) if made.ndim == 3 else (None, 2)
    numbers = made[row] if head is None else made[head, row]
    column = int(numbers.argmax())
    return numbers[column], (head, row, column)


def node_of(source, tensors, shown, given):
    """The source among what the block makes, else among what goes into it."""
    numbers = [*(part for name, part in shown.items() if name == made_as(source)), *given.values()]
    wanted = tensors[source].flatten()
    return next(part for part in numbers if part.numel() == len(wanted) and torch.equal(part.flatten(), wanted))


def region(part, at, shape):
    """The part of a source as an index."""
    head, row, column = at
    heads = () if len(shape) == 2 else (column // shape[-1] if head is None else head,)
    everything = slice(None)
    sides = {CELL: (row, column), ROW: (row, everything), KEY: (column, everything), COLUMN: (everything, column)}
    return (*heads, *sides.get(part, (row, column % shape[-1])))
