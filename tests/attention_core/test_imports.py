"""The core stands on torch alone."""

import subprocess
import sys

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
