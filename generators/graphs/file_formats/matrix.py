"""A bipartite graph as a matrix: `ROWS COLUMNS`, then 0 or 1 for every left and right vertex."""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.graphs.labelled_graph import VERTEX_BYTES, Graph, GraphText

ENTRY = 150
"""Bytes for every entry."""


def read(source: GraphText) -> Graph:
    words: list[tuple[str, int]] = []
    checkpoint(ENTRY * (len(source.text) // 2 + 1))
    for line, text in enumerate(source.text.splitlines(), 1):
        if not text.lstrip().startswith("#"):
            words += [(word, line) for word in text.split()]
    last = words[-1][1] if words else 1
    if len(words) < 2:
        raise source.error(last, "no size of a matrix", "begin with `ROWS COLUMNS`")
    rows, cols = (source.number(line, word) for word, line in words[:2])
    if not rows or not cols:
        raise source.error(words[0][1], f"a matrix of {rows} by {cols}", "give at least 1 by 1")
    if len(words) - 2 != rows * cols:
        fault = f"{pluralize(len(words) - 2, 'entry', 'entries')}, not {rows} times {cols}"
        raise source.error(last, fault, "write 0 or 1 for every row and column")
    for word, line in words[2:]:
        if word not in ("0", "1"):
            raise source.error(line, f"{word[:30]!r} is neither 0 nor 1", "write 0 or 1")
    checkpoint(VERTEX_BYTES * (rows + cols))
    entries = np.array([word == "1" for word, _ in words[2:]], np.bool_).reshape(rows, cols)
    u, v = np.nonzero(entries)
    return Graph(rows + cols, np.column_stack([u, rows + v]), 1, left=rows)
