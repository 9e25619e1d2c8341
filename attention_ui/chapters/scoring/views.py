"""The views of the chapter by their ids; each module draws one, with its formula and its code below."""

from collections.abc import Callable

from attention_ui.chapters.scoring import analogy, blocks, explorer, masks, morph, scaling
from attention_ui.export.view import View

VIEWS: dict[str, Callable[[str], View]] = {
    "blocks": blocks.show,
    "explorer": explorer.show,
    "scaling": scaling.show,
    "morph": morph.show,
    "masks": masks.show,
    "analogy": analogy.show,
}
TABS = {
    "blocks": "Building blocks",
    "explorer": "Score explorer",
    "scaling": "Why √d?",
    "morph": "The morph",
    "masks": "Masks",
    "analogy": "Where it breaks",
}
