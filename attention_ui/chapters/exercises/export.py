"""An exercise to take home once it is answered: the picture, the numbers that decided, and the experiment."""

from collections.abc import Mapping
from itertools import zip_longest

import pandas as pd
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.chapters.exercises.exercise import Exercise
from attention_ui.chapters.exercises.judging import Judged, about, call, found
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.tables import entries_table
from attention_ui.export.view import Export
from attention_ui.export.writing import Known

Done = Mapping[int, Judged]  # every answered exercise by its place


def exported(place: int, done: Done) -> Export:
    """The exercise at this place, if it is answered: what is taken home must not give the answer away."""
    if place not in done:
        raise InputError("Commit to an answer first: the download would give it away.")
    each = done[place]
    name, numbers = each.exercise.name, each.finding.numbers
    return Export(
        name=_file(name),
        title=about(name, each.seed),
        figure=still(each.exercise.after(each.finding)),
        tables={
            "numbers": pd.DataFrame({"name": list(numbers), "value": pd.Series(numbers.values(), dtype=object)}),
            **_drawn(each.finding.drawn),
            "results": _results(done),
        },
        computation=computation(each.exercise, each.seed),
    )


def computation(exercise: Exercise, seed: int) -> Computation:
    """What the page runs: the experiment, which a script draws."""
    made = call(exercise.name, seed)
    return Computation(Known(found(exercise.name, seed), made.function, **made.named), *exercise.drawing)


def script(exercise: Exercise, seed: int) -> str:
    """The code that ran, as the page shows it."""
    return computation(exercise, seed).script(_file(exercise.name), about(exercise.name, seed)).text


def _file(name: str) -> str:
    return f"exercise-{name.replace('_', '-')}"


def _drawn(tensors: Mapping[str, Tensor]) -> dict[str, pd.DataFrame]:
    """What the picture shows: lists side by side in one table, each as long as it is, and a table for each matrix."""
    lists = {name: each.tolist() for name, each in tensors.items() if each.ndim == 1}
    tables = {"lists": pd.DataFrame(zip_longest(*lists.values(), fillvalue=""), columns=list(lists))} if lists else {}
    return tables | {name: _matrix(each) for name, each in tensors.items() if each.ndim > 1}


def _matrix(cells: Tensor) -> pd.DataFrame:
    """As it is drawn; of a batch of matrices, entry by entry."""
    if cells.ndim > 2:
        return entries_table(cells)
    table = pd.DataFrame(cells.tolist(), columns=[f"column_{number}" for number in range(cells.shape[1])])
    table.insert(0, "row", range(len(table)))
    return table


def _results(done: Done) -> pd.DataFrame:
    """One row for each exercise that is answered so far."""
    rows = [
        {
            "exercise": place + 1,
            "title": each.exercise.title,
            "seed": each.seed,
            "predicted": each.said,
            "found": each.exercise.found(each.finding),
            "held": each.held,
        }
        for place, each in done.items()
    ]
    return pd.DataFrame(rows)
