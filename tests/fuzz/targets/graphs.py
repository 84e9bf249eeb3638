"""Graph files of every format: the edges of the formula are the pairs that stand in the file."""

from __future__ import annotations

import re
from pathlib import Path

from support import clauses_of

from boardsat.generators import build, find
from fuzz.judging import scratch
from fuzz.target import Target

GRAPHS = Path(__file__).parents[2] / "graphs"
WORDS = (
    *("p edge 3 3", "p col 4 2", "e 1 2", "c", "n 1", "DIMENSION : 4", "EDGE_DATA_SECTION", "-1"),
    *("EDGE_DATA_FORMAT : EDGE_LIST", "EOF", "TYPE : HCP", "1 2", "2,3", "#", "%"),
)
MOST = 5000
"""Vertices of a graph whose clauses are looked at."""


def seeds() -> list[bytes]:
    texts = [b"0 1\n1 2\n2 0\n", b"1,2\n2,3\n", b"p edge 3 1\ne 1 3\n", b"# a\n1 2 \n\n2 3\n1 3"]
    return [*texts, *(path.read_bytes() for path in sorted(GRAPHS.iterdir()))]


def check(data: bytes) -> None:
    """With one colour, no edge may have it at both of its ends."""
    path = scratch() / "input.graph"
    path.write_bytes(data)
    formula = build(find("colouring/direct"), {"graph": path, "colours": 1})
    if formula.variables > MOST:
        return
    found = {tuple(sorted(map(abs, c))) for c in clauses_of(formula) if len(c) == 2}
    text = data.decode("ascii")
    if re.search(
        r"^\s*(EDGE_DATA_SECTION|EDGE_DATA_FORMAT|DIMENSION)(?=[\s:]|$)", text, re.M | re.I
    ):
        pairs, first = listed(text), 1
    else:
        pairs = written(text.splitlines())
        first = 1 if re.search(r"^\s*p\s", text, re.M) else min(1, *map(min, pairs))
    assert found == {tuple(sorted((u - first + 1, v - first + 1))) for u, v in pairs}


def written(lines: list[str]) -> set[tuple[int, int]]:
    """Two numbers on a line, after `e` or nothing."""
    split = [line.replace(",", " ").split() for line in lines]
    split = [words[1:] if words and words[0] == "e" else words for words in split]
    numbers = [words for words in split if len(words) == 2 and all(w.isdecimal() for w in words)]
    return {(int(u), int(v)) for u, v in numbers}


def listed(text: str) -> set[tuple[int, int]]:
    """The same between the words of TSPLIB that begin and end a list."""
    found: set[tuple[int, int]] = set()
    for part in re.split(r"^\s*EDGE_DATA_SECTION(?=[\s:]|$).*$", text, flags=re.M | re.I)[1:]:
        found |= written(re.split(r"^\s*-1\b", part, maxsplit=1, flags=re.M)[0].splitlines())
    return found


TARGET = Target(seeds, check, words=WORDS)
