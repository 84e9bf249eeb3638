"""The text of a graph file, and what is said of a place in it."""

from __future__ import annotations

from dataclasses import dataclass

from boardsat.base.errors import InputError
from boardsat.generators.limits import LARGEST_INTEGER

REMEDY = "give a DIMACS .col, TSPLIB .hcp, graph6, GML or DOT file, or a line `u v` for every edge"

LONGEST_NAME = 100


@dataclass(frozen=True)
class GraphText:
    path: str
    text: str
    kind: str = ""
    """What is asked for, where a format has several kinds: `digraph`, `dag`, `bipartite`."""

    def error(self, line: int, fault: str, remedy: str = REMEDY) -> InputError:
        return InputError(fault, remedy, f"{self.path}:{line}")

    def number(self, line: int, word: str) -> int:
        """The number of a vertex."""
        digits = word.isascii() and word.isdecimal() and len(word) <= 10
        if not digits or int(word) > LARGEST_INTEGER:
            raise self.error(line, f"{word[:30]!r} is not a vertex number")
        return int(word)

    def name(self, line: int, name: str) -> str:
        """What a vertex is called: some words on one line."""
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise self.error(
                line,
                f"{name[:30]!r} is not a name for a vertex",
                f"use 1 to {LONGEST_NAME} printable characters",
            )
        return name
