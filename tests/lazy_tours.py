"""What tests of lazy tours share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from running import (
    boardsat,
)

HERE_AND_NOW = ("--enc", "cuts", "--runtime", "embedded")


def solved(*words: object) -> tuple[int, dict[str, Any]]:
    said = boardsat("solve", *words, "--json")
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return said.code, found


def board(rows: int, cols: int) -> tuple[str, ...]:
    return ("--set", f"rows={rows}", "--set", f"cols={cols}")


def graph_file(folder: Path, edges: Sequence[tuple[int, int]], vertices: int = 0) -> Path:
    path = folder / "graph.col"
    vertices = vertices or 1 + max(v for edge in edges for v in edge)
    lines = [f"p edge {vertices} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    return path
