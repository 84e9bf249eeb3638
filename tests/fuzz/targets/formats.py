"""Files of formats other than CNF, compared with readers of a few lines.

The first line of an input is the name of its format; what follows is the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from helpers.formulas import make, shipped

from boardsat.adapters import formats
from boardsat.adapters.formats._linear_formula import LinearFormula
from boardsat.generators import Formula
from boardsat.generators import formats as written
from fuzz.judging import scratch
from fuzz.target import Target

Read = tuple[list[tuple[list[tuple[int, int]], int]], list[tuple[int, list[int]]]]
"""Weighted literals with the number that they reach; and what is paid for which soft clauses."""

TOKENS = (
    *("h", "c", "p", "0", " 0\n", "1", "-1", "h 0\n", "1 0\n", "c boardsat {"),
    *("k 2 ", "p knf 3 2\n", "x1", "~x2", "+1 x1", ">=", "=", ";\n", "min:", "* ", ">= 1 ;\n"),
)


def seeds() -> list[bytes]:
    return [
        name.encode() + b"\n" + b"".join(map(bytes, written.load(name).document(formula)))
        for name in formats.names()
        for formula in (shipped("fewest_queens/squares", n=2), mixed(name))
    ]


def mixed(form: str) -> Formula:
    return make(
        form=form,
        variables={"X": {"for": "i in range(3)"}},
        constraints=[
            {"at_least": 2, "of": "X[i] for i in range(3)"},
            {"clause": "X[0] or not X[1]", "soft": "3"},
        ],
    )


def check(data: bytes) -> None:
    name, _, file = data.partition(b"\n")
    form = name.decode("latin-1")
    if form not in formats.names():
        return
    path = scratch() / f"input.{form}"
    path.write_bytes(file)
    contents = as_read(formats.load(form).read(str(path)))
    assert contents == SIMPLY[form](file)
    path.write_bytes(b"".join(formats.load(form).text(formats.load(form).read(str(path)))))
    assert as_read(formats.load(form).read(str(path))) == contents, (
        "it is another when written again"
    )


def as_read(linear: LinearFormula) -> Read:
    hard, soft = linear.hard, list(linear.soft_clauses())
    weights = np.ones(len(hard.literals), np.int64) if hard.weights is None else hard.weights
    sums = [
        (sorted(zip(hard.literals[a:b].tolist(), weights[a:b].tolist(), strict=True)), int(bound))
        for a, b, bound in zip(hard.starts[:-1], hard.starts[1:], hard.bounds, strict=True)
    ]
    return sums, soft


def simply_wcnf(data: bytes) -> Read:
    """Read WCNF line by line; boardsat must reject whatever this rejects."""
    hard, soft = [], []
    for line in data.decode("latin-1").split("\n"):
        tokens = re.split(r"[ \t\r]+", line.strip(" \t\r"))
        if line.startswith("c") or tokens == [""]:
            continue
        assert tokens.pop() == "0"
        literals = [int(token) for token in tokens[1:]]
        if tokens[0] == "h":
            hard.append((sorted((x, 1) for x in literals), 1))
        elif literals:
            soft.append((int(tokens[0]), literals))
    return hard, soft


def simply_opb(data: bytes) -> Read:
    """Read OPB line by line; an equation becomes two inequalities, the second after all others."""
    reached, ends, paid = [], [], []
    for line in data.decode("latin-1").split("\n"):
        if line.startswith("*") or not line.strip(" \t\r"):
            continue
        sign = re.search(">?=", line)
        sum_text, _, right = (
            line.strip(" \t\r").removesuffix(";").partition(sign[0] if sign else ";")
        )
        tokens = sum_text.replace("min:", "").replace("~x", "-").replace("x", " ").split()
        pairs = [(int(w), int(x)) for w, x in zip(tokens[::2], tokens[1::2], strict=True)]
        if sign is None:
            paid += [(abs(w), [-x if w > 0 else x]) for w, x in pairs if w]
            continue
        reached.append(_positive(pairs, int(right)))
        if sign[0] == "=":
            ends.append(_positive([(-w, x) for w, x in pairs], -int(right)))
    return [*reached, *ends], paid


def _positive(pairs: list[tuple[int, int]], bound: int) -> tuple[list[tuple[int, int]], int]:
    terms = sorted((x if w > 0 else -x, abs(w)) for w, x in pairs if w)
    return terms, bound - sum(w for w, _ in pairs if w < 0)


def simply_knf(data: bytes) -> Read:
    """Read KNF line by line."""
    hard = []
    for line in _lines_without("c", data):
        tokens = re.split(r"[ \t\r]+", line.strip(" \t\r"))
        if tokens[0] in ("", "p"):
            continue
        bound, literals = (tokens[1], tokens[2:]) if tokens[0] == "k" else ("1", tokens)
        hard.append((sorted((int(x), 1) for x in literals[:-1]), int(bound)))
    return hard, []


def _lines_without(mark: str, data: bytes) -> list[str]:
    lines = data.decode("latin-1").split("\n")
    return [line for line in lines if not line.startswith(mark)]


SIMPLY: dict[str, Callable[[bytes], Read]] = {
    "knf": simply_knf,
    "opb": simply_opb,
    "wcnf": simply_wcnf,
}

TARGET = Target(seeds, check, tokens=TOKENS)
