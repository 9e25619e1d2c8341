"""The table of contents: one entry per file in pages/, in the order of the story."""

from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True)
class Chapter:
    """One page: its file (and URL path), its name in the menu, and the one claim it makes."""

    name: str
    title: str
    claim: str

    @property
    def file(self) -> Path:
        return PAGES / f"{self.name}.py"


HOME = Chapter("home", "Attention Lab", "Attention is a weighted average.")
CHAPTERS: tuple[Chapter, ...] = (
    Chapter("kernel_regression", "Kernel regression", "Drag the width and watch attention sharpen."),
)
