"""Train w, but let every point attend to itself."""

from attention_core.data import noisy, wave
from attention_core.experiments.finding import Finding
from attention_core.learning.gradient import descended

EPOCHS = 300


def experiment(seed: int) -> Finding:
    """The same run twice, with and without leaving each point out of its own average."""
    points = noisy(wave, n=50, noise=0.5, seed=seed)
    itself, others = (descended(points, 1.0, 0.1, EPOCHS, alone)[1:] for alone in (False, True))
    half, last, settled = (path[at].item() for path, at in ((itself, EPOCHS // 2 - 1), (itself, -1), (others, -1)))
    # It runs away when it is far above where the other run settled, and still climbing.
    away = last > 1.5 * settled and last > 1.02 * half
    answer = "zero" if last < 0.5 else "grows" if away else "settles"
    numbers = {
        "w after 150 epochs, attending to itself": half,
        "w after 300 epochs, attending to itself": last,
        "w after 300 epochs, left out": settled,
    }
    return Finding(answer, numbers, {"itself": itself, "others": others})
