"""What is taken home, as the bytes of files; pure, no Streamlit."""

import ast
from collections.abc import Mapping
from io import BytesIO
from itertools import pairwise
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pandas as pd
from torch import Tensor

from attention_ui.export.living import living_page
from attention_ui.export.standalone import standalone
from attention_ui.export.view import Export
from attention_ui.reading.literal import SIGNS
from attention_ui.snapshot import Shown

FORMULA = ("=", "+", "-", "@", "\t")
ESCAPED = r"\\\g<0>"  # a title may hold a user's own word, and Markdown shows it as it is


def html(shown: Shown, link: str) -> bytes:
    """The page as it was shown, with pictures that move on without a server; it loads nothing from the net."""
    return living_page(shown, shown.title, link)


def plotly(export: Export) -> bytes:
    """The picture as a figure that plotly reads, shows and restyles, in the colours of the light theme."""
    return str(standalone(export.figure, export.title).to_json()).encode()


def csv(table: pd.DataFrame) -> bytes:
    """A table with every digit of its numbers: reading them gives back the same floats."""
    texts = table.select_dtypes(exclude="number")
    plain = table.assign(**{str(name): texts[name].map(_no_formula) for name in texts}).rename(columns=_no_formula)
    return plain.to_csv(index=False, lineterminator="\n", na_rep="NaN").encode()


def _no_formula(cell: Any) -> Any:
    """Text that a spreadsheet would take for a formula begins with an apostrophe, which makes it text."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def notebook(export: Export, script: str) -> bytes:
    """The script as a Jupyter notebook: its title, then a cell for every paragraph."""
    import nbformat  # only once somebody asks for a notebook
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    cells = [new_markdown_cell(f"# {SIGNS.sub(ESCAPED, export.title)}", id="cell-0")]
    cells += [new_code_cell(piece, id=f"cell-{number}") for number, piece in enumerate(paragraphs(script), 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return str(nbformat.writes(new_notebook(cells=cells, metadata=metadata))).encode()


def npz(numbers: Mapping[str, Tensor]) -> bytes:
    """Tensors by their names, as numpy writes them."""
    file = BytesIO()
    arrays: dict[str, Any] = {name: tensor.detach().numpy() for name, tensor in numbers.items()}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def archive(files: Mapping[str, bytes]) -> bytes:
    """Files in one zip."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as together:
        for name, content in files.items():
            together.writestr(name, content)
    return packed.getvalue()


def paragraphs(script: str) -> list[str]:
    """The script cut at blank lines between statements, never inside one; all imports stay together."""
    lines, statements = script.splitlines(), ast.parse(script).body
    imported = max((s.end_lineno or 0 for s in statements if isinstance(s, ast.Import | ast.ImportFrom)), default=0)
    cuts = [0]
    for before, after in pairwise(statements):
        end, start = before.end_lineno or 0, _first_line(after)
        blanks = [line for line in range(end, start - 1) if not lines[line].strip()]
        if blanks and end >= imported:
            cuts.append(blanks[0])
    pieces = ["\n".join(lines[start:end]).strip("\n") for start, end in pairwise([*cuts, len(lines)])]
    return [piece for piece in pieces if piece]


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins, its decorators included."""
    marks: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(mark.lineno for mark in marks)])
