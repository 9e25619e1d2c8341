"""The table of contents: one entry per file in pages/, in the order of the story."""

from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True)
class Chapter:
    """One page: its file (and URL path), its name in the menu, the one claim it makes, and the part it belongs to."""

    name: str
    title: str
    claim: str
    part: str = ""
    prefix: str = ""  # what the keys of its controls begin with, and so their names in a link; else the page's name

    @property
    def key_prefix(self) -> str:
        """What the keys of its controls begin with."""
        return f"{self.prefix or self.name}_"

    @property
    def file(self) -> Path:
        return PAGES / f"{self.name}.py"


IDEAS, REGRESSION, TODAY, PRACTICE = "First ideas", "Kernel regression", "Today's attention", "Practice"
HOME = Chapter("home", "Attention Lab", "Attention is a weighted average.")
CHAPTERS: tuple[Chapter, ...] = (
    Chapter("cues", "Attention cues", "What stands out catches your eye; your goal decides where you look.", IDEAS),
    Chapter("qkv", "Queries, keys, values", "Drag a query, keys and values, and see the output follow.", IDEAS),
    Chapter("heatmaps", "Heatmaps", "A heatmap shows which query attends to which key, all at once.", IDEAS),
    Chapter("kernel_regression", "Kernel regression", "Drag the width and watch attention sharpen.", REGRESSION, "kr"),
    Chapter("batches", "Batches", "Multiply many small matrices at once.", REGRESSION),
    Chapter(
        "learned_w", "Learned w", "Press Train and see gradient descent find how sharply to attend.", REGRESSION, "lw"
    ),
    Chapter("scoring", "Scoring functions", "A different score gives different weights.", TODAY),
    Chapter("bahdanau", "Bahdanau", "A decoder learns what to attend to while it writes.", TODAY),
    Chapter("multihead", "Multi-head", "Several heads attend at once, and a mixture uses them all.", TODAY),
    Chapter("self_attention", "Self-attention", "Every token attends to all tokens.", TODAY, "sa"),
    Chapter("transformer", "Transformer", "Open the blocks of a Transformer one by one.", TODAY),
    Chapter("exercises", "Exercises", "Predict first, then let the experiment decide.", PRACTICE),
)


def following(name: str) -> Chapter | None:
    """The chapter after this one; none after the last, nor after the home page, which shows them all."""
    names = [chapter.name for chapter in CHAPTERS]
    return CHAPTERS[names.index(name) + 1] if name in names[:-1] else None


def chapter_of(name: str) -> Chapter:
    """The chapter of this name, or the home page."""
    return next(chapter for chapter in (HOME, *CHAPTERS) if chapter.name == name)


def part_number(name: str) -> int | None:
    """The place of a chapter's part among the parts, from 0; none for the home page, which belongs to no part."""
    parts = list(dict.fromkeys(chapter.part for chapter in CHAPTERS))
    part = chapter_of(name).part
    return parts.index(part) if part else None


def tab_title(name: str) -> str:
    """What the browser's tab says: the chapter, then the app."""
    return HOME.title if name == HOME.name else f"{chapter_of(name).title} · {HOME.title}"
