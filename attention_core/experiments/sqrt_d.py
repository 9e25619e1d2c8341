"""512 dimensions and no division by sqrt(d): what is left of the softmax?"""

from attention_core.demos.scaling import scaling
from attention_core.experiments.finding import Finding


def experiment(seed: int) -> Finding:
    """Random queries, each among 32 random keys, from 1 to 512 dimensions, with and without the division."""
    found = scaling(seed=seed)
    plain, scaled = found.plain.reach[-1].item(), found.scaled.reach[-1].item()
    answer = "one" if plain < 3 else "some" if plain < 12 else "many"
    numbers = {
        "keys listened to, not divided": plain,
        "keys listened to, divided": scaled,
        "variance of the scores, not divided": found.plain.variance[-1].item(),
        "variance of the scores, divided": found.scaled.variance[-1].item(),
        "slope through softmax, not divided": found.plain.gradient[-1].item(),
        "slope through softmax, divided": found.scaled.gradient[-1].item(),
    }
    reach = {"plain": found.plain.reach, "scaled": found.scaled.reach}
    return Finding(answer, numbers, {"dimensions": found.dimensions, **reach})
