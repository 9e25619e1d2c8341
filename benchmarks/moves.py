"""What a move of n costs the server against one that leaves n alone, and Download: CPU of the whole run of the page."""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from attention_ui.chapters.learned_w.choices import RATES
from attention_ui.controls.widgets import counts

ROOT = Path(__file__).parents[1]


def moved(page: str, kind: str, key: str, values: Sequence[Any]) -> float:
    """The mean CPU seconds of moving a control to each of these values, all of them new to the process."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    app.switch_page(f"pages/{page}.py").run()
    times = []
    for value in values:
        getattr(app, kind)(key=key).set_value(value)
        begun = time.process_time()
        app.run()
        times.append(time.process_time() - begun)
    return statistics.mean(times)


def pressed(page: str, key: str, between: str, times: int = 8) -> dict[str, float]:
    """The mean CPU seconds of pressing a button, and of one that draws new data between."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    app.switch_page(f"pages/{page}.py").run()
    seconds: dict[str, list[float]] = {between: [], key: []}
    for name in [between, key] * (times + 1):
        app.button(key=name).click()
        begun = time.process_time()
        app.run()
        seconds[name].append(time.process_time() - begun)
    return {name: statistics.mean(each[1:]) for name, each in seconds.items()}  # the first one loads modules


def rows() -> Iterator[dict[str, Any]]:
    """n over its slider, evenly by its logarithm, in the lab and in learned w."""
    noises = [0.05 * step for step in range(21, 41)]
    to_500, to_5_000 = ([n for n in sorted(counts(3, most)) if n != 50][::2] for most in (500, 5_000))
    lab = {"noise": moved("kernel_regression", "slider", "kr_noise", noises)}
    lab["n"] = moved("kernel_regression", "select_slider", "kr_n", to_500)
    yield {"size": "lab: n from 3 to 500", "seconds": lab, "against": "noise"}
    rates = [rate for rate in RATES if 0.1 < rate < 1]
    learned = {"rate": moved("learned_w", "select_slider", "lw_rate", rates)}
    learned["n"] = moved("learned_w", "select_slider", "lw_n", to_5_000)
    yield {"size": "learned w: n from 3 to 5,000", "seconds": learned, "against": "rate"}
    yield {
        "size": "lab: Download opened",
        "seconds": pressed("kernel_regression", "download", "kr_regenerate"),
        "against": "download",
    }
