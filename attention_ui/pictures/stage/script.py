"""The script of a component: one module in the order of its parts, since a component takes a single one."""

from pathlib import Path

SHARED = Path(__file__).parent / "js"


def script(*parts: str, folder: Path = SHARED) -> str:
    """The parts one after another: each from the folder, or, where it has none of that name, from the stage's."""
    return "\n".join(_found(part, folder).read_text("utf-8") for part in parts)


def _found(part: str, folder: Path) -> Path:
    own = folder / f"{part}.js"
    return own if own.exists() else SHARED / own.name
