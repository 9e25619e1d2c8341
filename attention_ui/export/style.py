"""What all still figures share: type that is read from the back of a classroom, and words as they are."""

from typing import Any

FONT = {"size": 14}


def escaped(text: str) -> str:
    """The text so that plotly shows it as it is: in a user's own word it would take <b> and <a> for markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def axis(title: str, **options: Any) -> dict[str, Any]:
    """An axis with a readable title and readable ticks."""
    return {"title": {"text": escaped(title), "font": FONT}, "tickfont": FONT, **options}
