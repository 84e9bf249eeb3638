"""Our own files, read, parsed and walked once: several tests look at every node of them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("generators", "adapters", "boardsat")


@cache
def files() -> dict[str, ast.Module]:
    """Every file of ours, by its path from the top."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree, the root first."""
    return tuple(ast.walk(tree))
