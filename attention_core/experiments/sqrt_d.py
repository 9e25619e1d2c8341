"""512 dimensions and no division by sqrt(d): what is the effective number of keys?"""

from attention_core.demos.scaling import scaling
from attention_core.experiments.finding import Finding

POWERS = tuple(2**i for i in range(10))  # 1, 2, ..., 512


def experiment(seed: int) -> Finding:
    """Random queries, each among 32 random keys, from 1 to 512 dimensions, with and without the division."""
    found = scaling(POWERS, seed)
    (variance, divided_variance), (plain, scaled), (slope, divided_slope) = (
        found[name][:, -1].tolist() for name in ("variance", "effective_keys", "gradient")
    )
    answer = "one" if plain < 3 else "some" if plain < 12 else "many"
    numbers = {
        "effective keys, not divided": plain,
        "effective keys, divided": scaled,
        "variance of the scores, not divided": variance,
        "variance of the scores, divided": divided_variance,
        "norm of the derivative of softmax, not divided": slope,
        "norm of the derivative of softmax, divided": divided_slope,
    }
    kept = dict(zip(("plain", "scaled"), found["effective_keys"], strict=True))
    return Finding(answer, numbers, {"dimensions": found["dimensions"], **kept})
