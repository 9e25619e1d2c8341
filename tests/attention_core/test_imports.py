"""The core stands on torch alone."""

import subprocess
import sys

import pytest

import attention_core

FORBIDDEN = ("streamlit", "plotly", "pandas", "attention_ui")
PROGRAM = f"""
import importlib, pkgutil, sys
import attention_core
names = [m.name for m in pkgutil.walk_packages(attention_core.__path__, "attention_core.")]
for name in names:
    importlib.import_module(name)
loaded = [name for name in {FORBIDDEN!r} if name in sys.modules]
assert len(names) >= 8, names
assert not loaded, loaded
"""


def test_the_core_loads_neither_streamlit_nor_plotly_nor_pandas():
    finished = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("name", dir(attention_core))
def test_a_public_name_comes_from_the_core_itself(name):
    found = getattr(attention_core, name)
    assert getattr(found, "__name__", name) == name


def test_another_name_is_said_to_be_missing():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        attention_core.nonsense  # noqa: B018


def test_importing_the_core_imports_none_of_its_modules_yet():
    program = "import attention_core, sys; assert not [name for name in sys.modules if 'attention_core.' in name]"
    assert subprocess.run([sys.executable, "-c", program], timeout=120).returncode == 0
