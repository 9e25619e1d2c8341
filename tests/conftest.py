"""For every test: one torch thread, as on the server, one look at the installed packages, and the same examples."""

from collections.abc import Iterator
from functools import cache

import pytest
import torch
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner

torch.set_num_threads(1)  # small tensors only lose time to more

# The same examples in every run, however slow the machine is just now: what fails, fails again.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def quick_apps() -> Iterator[None]:
    """Streamlit looks through all installed packages before every AppTest; once is enough, and thrice as fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
