"""Open a page of the app in AppTest, by its name and what its link says."""

import json
import struct
from typing import Any

from streamlit.testing.v1 import AppTest


def opened(page: str, **parameters: str) -> AppTest:
    """The page as a visitor with this link meets it; an exception on it fails the test."""
    app = AppTest.from_file("../../app.py", default_timeout=60)
    if page != "home":
        app.switch_page(f"pages/{page}.py")
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app


def sent(app: AppTest, key: str) -> dict[str, Any]:
    """The header of what the component of this key was sent (attention_ui/pictures/packing.py)."""
    (data,) = [each.proto.bytes for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    (length,) = struct.unpack("<I", data[:4])
    header: dict[str, Any] = json.loads(data[4 : 4 + length])
    return header
