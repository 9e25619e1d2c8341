"""Components and their scripts: names of their own, and every part after what it needs."""

import re
from collections import Counter
from pathlib import Path

import pytest

from attention_ui.component import script, told

UI = Path(__file__).parents[2] / "attention_ui"
NAMED = re.compile(r"\bcomponent\(\s*\"(\w+)\", ([\w /\".]+\.js)\"")


def test_every_component_has_a_name_of_its_own():
    """Components are known to Streamlit by name: two of the same name would show each other's script."""
    names = [name for file in UI.rglob("*.py") for name, _ in NAMED.findall(file.read_text("utf-8"))]
    assert len(names) > 10
    assert [name for name, count in Counter(names).items() if count > 1] == []


def written(folder, **parts):
    """Scripts in a folder, by their names."""
    for name, text in parts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / "entry.js"


def test_a_part_comes_once_and_after_what_it_needs(tmp_path):
    needs = 'import {{ {0} }} from "./{0}.js";\n'
    entry = written(
        tmp_path,
        entry=f"{needs.format('curve')}{needs.format('axis')}export default () => curve(axis);\n",
        curve=f"{needs.format('axis')}export function curve() {{ return axis; }}\n",
        axis="export const axis = 1;\n",
    )
    lines = [line for line in script(entry).splitlines() if line]
    assert lines == ["const axis = 1;", "function curve() { return axis; }", "export default () => curve(axis);"]


def test_parts_in_other_folders_and_names_over_several_lines_are_found(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "own").mkdir()
    written(tmp_path / "shared", axis="export const low = 0;\nexport const high = 1;\n")
    entry = written(tmp_path / "own", entry='import {\n  high,\n  low,\n} from "../shared/axis.js";\nlow + high;\n')
    assert script(entry).split() == ["const", "low", "=", "0;", "const", "high", "=", "1;", "low", "+", "high;"]


def test_parts_that_need_each_other_are_refused(tmp_path):
    entry = written(
        tmp_path, entry='import { one } from "./one.js";\n', one='import { two } from "./two.js";\n',
        two='import { one } from "./one.js";\n',
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"need each other: entry\.js -> one\.js -> two\.js -> one\.js"):
        script(entry)


def test_an_unknown_part_is_named(tmp_path):
    entry = written(tmp_path, entry='import { none } from "./nowhere.js";\n')
    with pytest.raises(ValueError, match=r"entry\.js needs nowhere\.js, which is not in"):
        script(entry)


@pytest.mark.parametrize("first", ["const step = 1;\n", "const [start, step] = [0, 1];\n"])
def test_a_name_that_two_parts_declare_is_refused(tmp_path, first):
    entry = written(tmp_path, entry='import { one } from "./one.js";\nconst step = 2;\n', one=first)
    with pytest.raises(ValueError, match=r"declare these names twice: step\."):
        script(entry)


def test_what_is_not_public_in_streamlit_is_used_in_one_script_alone():
    hidden = re.compile(r"data-testid|st-key-|pushState|\[class\*=")
    users = [file.name for file in UI.rglob("*.js") if hidden.search(file.read_text("utf-8"))]
    assert users == ["streamlit.js"]


def test_a_component_that_is_closed_by_now_has_told_nothing():
    """Its last message may come after its tab was left: the page must open all the same."""
    assert told("closed_picture", "frame") is None
