"""What a question runs: the weights and the output at one temperature, and the samples where attention is hard."""

from functools import lru_cache

from attention_core.demos.hard import hard_attention
from attention_core.demos.qkv import ENDS, attention
from attention_core.pooling import Pooled
from attention_ui.chapters.qkv.space import Asked
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field

Samples = tuple[int, int]  # how many keys, and their seed
LINES = {"average of the samples": Field("averages"), "value of each sample": Field("sampled")}


@lru_cache(64)
def computation(asked: Asked, samples: Samples | None = None) -> Computation:
    """Scores and weights (1, K) and the output (1,) of the query; with samples, the key and the value of each."""
    pairs, temperature = asked.space.pairs, asked.temperature
    given = {"queries": asked.place(), "keys": pairs.keys, "values": pairs.values}
    end = ENDS.get(temperature)
    call = Call(end, **given) if end else Call(attention, **given, temperature=temperature)
    if not samples:
        return Computation(call, "bars", {"panels": {"Weights": (pairs.names, Field("weights", 0))}})
    count, seed = samples
    drawn = {"x": Field("samples"), "lines": LINES, "across": "samples"}
    return Computation(Call(hard_attention, call, count=count, seed=seed), "graphs", drawn)


def answer(asked: Asked) -> Pooled:
    """The output () and the weights (K,)."""
    shown = computation(asked).shown
    return Pooled(shown["output"][0], shown["weights"][0])
