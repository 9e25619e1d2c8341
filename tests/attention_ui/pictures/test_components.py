"""Components are known to Streamlit by name: two of the same name would show each other's script."""

import re
from collections import Counter
from pathlib import Path

UI = Path(__file__).parents[3] / "attention_ui"
NAMED = re.compile(r"components\.v2\.component\(\s*\"(\w+)\"")


def test_every_component_has_a_name_of_its_own():
    names = [name for file in UI.rglob("*.py") for name in NAMED.findall(file.read_text("utf-8"))]
    assert len(names) > 10
    assert [name for name, count in Counter(names).items() if count > 1] == []
