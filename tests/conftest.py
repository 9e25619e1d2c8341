"""For every test: one torch thread, as on the server, and one look at the installed packages."""

from collections.abc import Iterator
from functools import cache

import pytest
import torch
from streamlit.components.v2 import manifest_scanner

torch.set_num_threads(1)  # small tensors only lose time to more


@pytest.fixture(autouse=True, scope="session")
def quick_apps() -> Iterator[None]:
    """Streamlit looks through all installed packages before every AppTest; once is enough, and thrice as fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
