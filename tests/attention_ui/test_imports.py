"""Importing a package imports none of its modules, so two threads cannot wait for each other's half."""

import ast
from pathlib import Path

import pytest

import attention_ui

ROOT = Path(attention_ui.__file__).parent
PACKAGES = sorted(ROOT.rglob("__init__.py"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda file: str(file.parent.relative_to(ROOT)))
def test_a_package_imports_nothing(package):
    assert not [
        node for node in ast.walk(ast.parse(package.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)
    ]
