"""Python files of the repository, parsed and walked once for all tests."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("generators", "adapters", "boardsat")


@cache
def files(folders: tuple[str, ...] = PACKAGES) -> dict[str, ast.Module]:
    """Return the syntax tree of every Python file of the folders, by its path from the root."""
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree, the root first."""
    return tuple(ast.walk(tree))
