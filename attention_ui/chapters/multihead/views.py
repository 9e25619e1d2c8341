"""The views of the chapter by their ids: several heads on the lab's data, and on vectors."""

from collections.abc import Callable

from attention_ui.chapters.multihead import kernels, vectors
from attention_ui.export.view import View

VIEWS: dict[str, Callable[[str], View]] = {"kernels": kernels.show, "vectors": vectors.show}
TABS = {"kernels": "On the lab's data", "vectors": "On vectors"}
