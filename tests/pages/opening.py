"""Open a page of the app in AppTest, by its name and what its link says."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.attention_ui.pictures import reading


def opened(page: str, session: dict[str, Any] | None = None, **parameters: str) -> AppTest:
    """The page as a visitor with this link and session meets it; an exception on it fails the test."""
    app = AppTest.from_file("../../app.py", default_timeout=60)
    if page != "home":
        app.switch_page(f"pages/{page}.py")
    for name, value in (session or {}).items():
        app.session_state[name] = value
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app


def rows_of(text: str) -> dict[str, dict[str, str]]:
    """The cells of a table in Markdown, by the first cell of their row and by their column."""
    head, _, *lines = (line[2:-2].split(" | ") for line in text.splitlines())
    return {name: dict(zip(head[1:], cells, strict=True)) for name, *cells in lines}


def table(app: AppTest) -> dict[str, dict[str, str]]:
    """The cells of the one table in Markdown on a page."""
    (text,) = [each.value for each in app.markdown if each.value.startswith("| ")]
    return rows_of(text)


def sent(app: AppTest, key: str) -> dict[str, Any]:
    """The header of what the component of this key was sent (attention_ui/pictures/packing.py).

    The frames of a picture travel in a message of their own.
    """
    found = {each.proto.id.rsplit("-", 1)[1]: each.proto.bytes for each in app.get("bidi_component")}
    header: dict[str, Any]
    if f"update_frames_{key}" in found:
        _, (frames,) = reading.opened(found[f"update_frames_{key}"])
        header, _ = reading.opened(frames.numpy().tobytes())
    else:
        header, _ = reading.opened(found[key])
    return header
