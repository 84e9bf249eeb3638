"""One graph in graph6, sparse6 (after `:`) or digraph6 (after `&`); vertices count from 0.

The formats are McKay's: characters from `?` to `~` stand for six bits each.
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

LETTER = 40
"""Bytes for every character, which is six bits, each in a byte or two."""

EDGE = 120
"""Bytes for every edge, at the peak of all arrays until edges are checked and sorted."""

_HEADER = re.compile(r">>(?:di)?(?:graph|sparse)6<<")
_SMALL, _LARGE = 63, 126


def read(source: GraphText) -> Graph:
    lines = [(n, text.strip()) for n, text in enumerate(source.text.splitlines(), 1)]
    lines = [(n, text) for n, text in lines if text]
    line, text = lines[0]
    if len(lines) > 1:
        raise source.error(
            lines[1][0], f"a second graph, and {len(lines)} in all", "keep the line of one"
        )
    text = _HEADER.sub("", text, count=1)
    kind = text[:1] if text[:1] in (":", "&") else ""
    checkpoint(LETTER * len(text))
    codes = _codes(source, line, text[len(kind) :])
    vertices, codes = _size(source, line, codes)
    bits = np.unpackbits(codes.astype(np.uint8)[:, None], axis=1)[:, 2:].ravel()
    edges = _KINDS[kind](source, line, vertices, bits)
    table = np.column_stack([edges, np.full(len(edges), line)])
    return numbered(source, vertices, table, 0, kind == "&")


def _codes(source: GraphText, line: int, text: str) -> Ints:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64) - _SMALL
    wrong = np.flatnonzero((codes < 0) | (codes >= 64))
    if len(wrong):
        raise source.error(
            line,
            f"{text[wrong[0]]!r} in column {wrong[0] + 1} does not stand in graph6",
            "give the line as it was written",
        )
    return codes


def _size(source: GraphText, line: int, codes: Ints) -> tuple[int, Ints]:
    """The number of vertices, in one, three or six characters, and what follows."""
    mark = _LARGE - _SMALL
    marks = 2 if (codes[:2] == mark).sum() == 2 else int((codes[:1] == mark).sum())
    length = (1, 3, 6)[marks]
    digits = codes[marks : marks + length]
    if len(digits) < length:
        raise source.error(line, "it ends too early", "give the whole line")
    vertices = 0
    for digit in digits.tolist():
        vertices = 64 * vertices + digit
    return vertices, codes[marks + length :]


def _check_length(source: GraphText, line: int, vertices: int, bits: Bits, needed: int) -> None:
    if len(bits) != -(-needed // 6) * 6:
        raise source.error(
            line,
            f"{pluralize(len(bits) // 6, 'character')} of edges, and not {-(-needed // 6):,} for "
            f"{pluralize(vertices, 'vertex', 'vertices')}",
            "give the whole line",
        )


def _upper(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    """The upper triangle of the matrix, column by column."""
    needed = vertices * (vertices - 1) // 2
    _check_length(source, line, vertices, bits, needed)
    chosen = np.flatnonzero(bits[:needed])
    checkpoint(EDGE * (len(chosen) + vertices))
    columns = np.arange(vertices + 1)
    starts = columns * (columns - 1) // 2
    v = np.searchsorted(starts, chosen, side="right") - 1
    return np.column_stack([chosen - starts[v], v])


def _square(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    """The whole matrix, row by row."""
    _check_length(source, line, vertices, bits, vertices * vertices)
    chosen = np.flatnonzero(bits[: vertices * vertices])
    checkpoint(EDGE * len(chosen))
    return np.column_stack(np.divmod(chosen, max(vertices, 1)))


def _sparse(source: GraphText, line: int, vertices: int, bits: Bits) -> Ints:
    checkpoint()
    return np.array([*_steps(vertices, bits.tolist())], np.int64).reshape(-1, 2)


def _steps(vertices: int, bits: list[int]) -> Iterator[tuple[int, int]]:
    """Each step may go to the next vertex; then it names one, to move on to or to be joined to."""
    width = max(vertices - 1, 0).bit_length()
    current = 0
    for at in range(0, len(bits) - width, width + 1):
        current += bits[at]
        named = 0
        for bit in bits[at + 1 : at + 1 + width]:
            named = 2 * named + bit
        if current >= vertices or named >= vertices:
            return
        if named > current:
            current = named
        else:
            yield named, current


_KINDS = {"": _upper, "&": _square, ":": _sparse}
