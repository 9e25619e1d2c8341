"""What all figures share: type that is read from the back of a classroom, and little empty space around it."""

from typing import Any

FONT = {"size": 14}
MARGIN = {"l": 56, "r": 8, "t": 8, "b": 48}


def axis(title: str, **options: Any) -> dict[str, Any]:
    """An axis with a readable title and readable ticks; a title may be a user's own word, so it is shown literally."""
    literal = title.replace("&", "&amp;").replace("<", "&lt;")  # plotly would take <b> and <a> for its own
    return {"title": {"text": literal, "font": FONT}, "tickfont": FONT, **options}
