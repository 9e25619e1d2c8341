"""What the batches run: the products and, in its tab, the weighted averages."""

from functools import lru_cache

from attention_core.demos.batching import Shape, corners, products, weighted_averages, whole_numbers
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field


@lru_cache(256)
def computation(sizes: Sizes, place: Shape, tilt: float | None = None) -> Computation:
    """Both batches, their product and one number of it; with a tilt, the weighted averages as well."""
    batches = Call(corners, Call(whole_numbers), sizes.n, sizes.a, sizes.b, sizes.second_b, sizes.c)
    call = Call(products, batches, *place)
    call = call if tilt is None else Call(weighted_averages, call, tilt)
    matrices = {
        title: Field(name, place[0]) for title, name in {"A": "first", "B": "second", "C = A B": "product"}.items()
    }
    return Computation(call, "heatmaps", {"matrices": matrices, "across": "columns", "down": "rows"})
