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
    Chapter("cues", "Attention cues", "What stands out catches your eye; what you want directs it."),
    Chapter("qkv", "Queries, keys, values", "Move a query and see which values answer it."),
    Chapter("heatmaps", "Heatmaps", "A heatmap shows who listens to whom, all at once."),
    Chapter("kernel_regression", "Kernel regression", "Drag the width and watch attention sharpen."),
    Chapter("batches", "Batches", "Many small products, in one call."),
    Chapter("learned_w", "Learned w", "Press Train and see gradient descent find how sharply to attend."),
    Chapter("scoring", "Scoring functions", "Choose another score and you have another attention."),
)
