"""Execute a notebook as Jupyter does: `python -m tests.browser.executing in.ipynb out.ipynb`.

A process of its own: nbclient runs its own event loop, which Playwright does not let it have.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

source, target = map(Path, sys.argv[1:])
notebook = nbformat.read(source, as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(Path.cwd()))
nbformat.write(notebook, target)
