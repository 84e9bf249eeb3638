"""Descriptions of rows by `boardsat explain`."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import boardsat

CROSS = """\
title: Two lines at the middle, and no two
board: {shape: grid, rows: 3, cols: 3, moves: wazir}
define:
  middle:
    for: i in cells
    if: i == 4
variables:
  E: {for: "(i, j) in edges"}
constraints:
  - name: two lines
    for: i in middle
    at_least: 2
    of: E[min(i, j), max(i, j)] for j in neighbours[i]
  - name: no two of them
    for: i in middle, j in neighbours[i], k in neighbours[i]
    if: j < k
    clause: not E[min(i, j), max(i, j)] or not E[min(i, k), max(i, k)]
decode:
  - lines: E[i, j]
    from: i
    to: j
"""


def test_equal_row_descriptions_are_extended_by_difference(tmp_path: Path) -> None:
    path = tmp_path / "cross.yaml"
    path.write_text(CROSS)
    result = boardsat.explain(path)
    pairs = [entry.subject for entry in result.core if entry.constraint == "no two of them"]
    ends = combinations(["b3", "a2", "c2", "b1"], 2)
    assert sorted(pairs) == sorted(f"b2 ({first}, {second})" for first, second in ends)
