"""Lines `u v` or `u,v`, one an edge, with numbers or with names; lines `u -> v` are arcs.

The vertices are those that are named. A comment that begins with `directed` makes arcs of all.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.graphs.labelled_graph import (
    Graph,
    GraphText,
    labelled,
    numbered,
)

ARROW = "->"


def read(source: GraphText) -> Graph:
    rows: list[tuple[str, str, int]] = []
    arrows, declared = 0, False
    for line, text in enumerate(source.text.splitlines(), 1):
        words = text.replace(",", " ").split()
        if not words:
            continue
        if words[0][0] in "#%":
            declared |= text.lstrip("#% \t").lower().startswith("directed")
            continue
        if len(words) == 3 and words[1] == ARROW:
            arrows += 1
            words = [words[0], words[2]]
        if len(words) != 2:
            raise source.error(line, f"{text[:40]!r} is not an edge")
        rows.append((words[0], words[1], line))
        if 0 < arrows < len(rows):
            raise source.error(
                line, "some lines have an arrow, and some do not", "write `u -> v` in every line"
            )
    if not rows:
        raise source.error(1, "no edge in it")
    directed = declared or arrows > 0
    if any(word[0].isdecimal() for row in rows for word in row[:2]):
        return _of_numbers(source, rows, directed)
    return _of_names(source, rows, directed)


def _of_numbers(source: GraphText, rows: list[tuple[str, str, int]], directed: bool) -> Graph:
    """Sorted; numbers that no edge has are no vertices."""
    edges = np.array([(_number(source, u, n), _number(source, v, n), n) for u, v, n in rows])
    named: Ints = distinct(edges[:, :2].ravel())
    if named[-1] - named[0] == len(named) - 1:
        return numbered(source, len(named), edges, int(named[0]), directed)
    edges[:, :2] = np.searchsorted(named, edges[:, :2])
    return labelled(source, [*map(str, named.tolist())], edges, directed)


def _number(source: GraphText, word: str, line: int) -> int:
    if word[0].isalpha():
        raise source.error(
            line,
            f"{word[:30]!r} is a name, and other vertices have numbers",
            "use one or the other; a line of headings begins with #",
        )
    return source.number(line, word)


def _of_names(source: GraphText, rows: list[tuple[str, str, int]], directed: bool) -> Graph:
    places: dict[str, int] = {}
    edges = []
    for u, v, line in rows:
        for word in (u, v):
            if not (word[0].isalpha() or word[0] == "_"):
                raise source.error(
                    line,
                    f"{word[:30]!r} is neither a number nor a name",
                    "names begin with a letter",
                )
            if word not in places:
                places[source.name(line, word)] = len(places)
        edges.append((places[u], places[v], line))
    return labelled(source, list(places), edges, directed)
