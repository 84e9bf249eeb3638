"""McKay's formats graph6, sparse6 (after `:`) and digraph6 (after `&`), for files of one graph.

Each character from `?` to `~` encodes six bits; vertices are numbered from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs.labelled_graph import Graph, GraphText, numbered

Bits = npt.NDArray[np.uint8]

CHARACTER_BYTES = 40  # memory for each character, whose six bits take a byte or two each
EDGE_BYTES = 120  # peak memory for each edge until the edges are checked and sorted

_HEADER = re.compile(r">>(?:di)?(?:graph|sparse)6<<")
_SMALLEST, _LARGEST = 63, 126
"""Codes of the first and the last character, `?` and `~`."""


def read(source: GraphText) -> Graph:
    """Parse the only line of the file that is not blank."""
    texts = ((n, text.strip()) for n, text in enumerate(source.text.splitlines(), 1))
    lines = [(n, text) for n, text in texts if text]
    line, text = lines[0]
    if len(lines) > 1:
        fault = f"the file must have one graph (got {len(lines):,})"
        raise source.error(lines[1][0], fault, "keep the line of one")
    text = _HEADER.sub("", text, count=1)
    kind = text[:1] if text[:1] in (":", "&") else ""
    checkpoint(CHARACTER_BYTES * len(text))
    codes = _codes(source, line, text[len(kind) :])
    vertices, codes = _size(source, line, codes)
    bits = np.unpackbits(codes.astype(np.uint8)[:, None], axis=1)[:, 2:].ravel()
    edges = _BIT_PARSERS[kind](source, line, vertices, bits)
    rows = np.column_stack([edges, np.full(len(edges), line)])
    return numbered(source, vertices, rows, 0, kind == "&")


def _codes(source: GraphText, line: int, text: str) -> Ints:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64) - _SMALLEST
    is_invalid = (codes < 0) | (codes >= 64)
    if is_invalid.any():
        index = int(np.argmax(is_invalid))
        fault = f"{text[index]!r} in column {index + 1} is not a character of graph6"
        raise source.error(line, fault, "use characters from `?` to `~`")
    return codes


def _size(source: GraphText, line: int, codes: Ints) -> tuple[int, Ints]:
    """Return the number of vertices, written in 1, 3 or 6 characters, and the remaining codes."""
    mark = _LARGEST - _SMALLEST
    marks = 2 if (codes[:2] == mark).sum() == 2 else int((codes[:1] == mark).sum())
    length = (1, 3, 6)[marks]
    digits = codes[marks : marks + length]
    if len(digits) < length:
        fault = f"the number of vertices has {len(digits)} of {length} characters"
        raise source.error(line, fault, "write the whole line")
    vertices = 0
    for digit in digits.tolist():
        vertices = 64 * vertices + digit
    return vertices, codes[marks + length :]


def _check_length(source: GraphText, line: int, vertices: int, bits: Bits, needed: int) -> None:
    if len(bits) != -(-needed // 6) * 6:
        raise source.error(
            line,
            f"the edges of {pluralize(vertices, 'vertex', 'vertices')} need "
            f"{pluralize(-(-needed // 6), 'character')} (got {len(bits) // 6:,})",
            "complete the line",
        )


def _upper_triangle(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    """Return the edges of graph6: the upper triangle of the matrix, column by column."""
    needed = vertices * (vertices - 1) // 2
    _check_length(source, line, vertices, bits, needed)
    indices = np.flatnonzero(bits[:needed])
    checkpoint(EDGE_BYTES * (len(indices) + vertices))
    columns = np.arange(vertices + 1)
    starts = columns * (columns - 1) // 2
    v = np.searchsorted(starts, indices, side="right") - 1
    return np.column_stack([indices - starts[v], v])


def _full_matrix(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    """Return the arcs of digraph6: the adjacency matrix, row by row."""
    _check_length(source, line, vertices, bits, vertices * vertices)
    indices = np.flatnonzero(bits[: vertices * vertices])
    checkpoint(EDGE_BYTES * len(indices))
    return np.column_stack(np.divmod(indices, max(vertices, 1)))


def _sparse_list(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    """Return the edges of sparse6."""
    checkpoint()
    return np.array([*_sparse_edges(vertices, bits.tolist())], np.int64).reshape(-1, 2)


def _sparse_edges(vertices: int, bits: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the edges of sparse6 as (neighbour, current vertex).

    Each record is a bit, which advances the current vertex, and a vertex: it becomes the current
    one if it is larger, else the two are joined.
    """
    width = max(vertices - 1, 0).bit_length()
    current = 0
    for at in range(0, len(bits) - width, width + 1):
        current += bits[at]
        vertex = 0
        for bit in bits[at + 1 : at + 1 + width]:
            vertex = 2 * vertex + bit
        if current >= vertices or vertex >= vertices:
            return
        if vertex > current:
            current = vertex
        else:
            yield vertex, current


_BIT_PARSERS = {"": _upper_triangle, "&": _full_matrix, ":": _sparse_list}
