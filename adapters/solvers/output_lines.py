"""The lines of what a solver prints, however it comes in pieces, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Atom
from boardsat.base.errors import SolverError

if TYPE_CHECKING:
    from fractions import Fraction

MAX_LINE_BYTES = 2**20
"""Longer lines come in pieces; a model on one line can be as long as the formula."""

ATOM = re.compile(r"([a-z]\w*)\((-?\d{1,10}(?:,-?\d{1,10})*)\)")
"""Of a logic program: `move(0,17)`."""

WEIGHTED = re.compile(r"c s exact arb frac (\d+)/([1-9]\d*)", re.ASCII)


class LongCountError(SolverError):
    """Count with more digits than are read: the output is as it should be."""


def parse_count(digits: str) -> int:
    if len(digits) > MAX_COUNT_DIGITS:
        size = f"at most {MAX_COUNT_DIGITS:,} (got {len(digits):,})"
        fault = f"the number of digits of the count must be {size}"
        raise LongCountError(fault, "count a smaller formula")
    return int(digits)


def parse_weighted_count(line: str) -> Fraction | None:
    """Of a line with an exact fraction, as the counting competition has it; None of any other."""
    found = WEIGHTED.fullmatch(line)
    if found is None:
        return None
    from fractions import Fraction

    return Fraction(*map(parse_count, found.groups()))


def split_lines(pieces: Iterable[bytes]) -> Iterable[str]:
    """Lines from pieces of output, however they were cut; no digits but 0 to 9 are digits."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece.replace(b"\r", b"")).split(b"\n")
        for line in whole:
            yield line.decode("ascii", "replace")
        if len(rest) > MAX_LINE_BYTES:
            # Between two words, so that no number is cut.
            cut = rest.rfind(b" ", 2) + 1 or len(rest)
            yield rest[:cut].decode("ascii", "replace")
            rest = _continued(rest) + rest[cut:]
    if rest:
        yield rest.decode("ascii", "replace")


def _continued(line: bytes) -> bytes:
    """What the next piece of a long line begins with, to be read like the piece before."""
    bare = line[:1] in b" -0123456789" or ATOM.match(line.decode("utf-8", "replace"))
    return b"v " if line[:2] == b"v " else b"" if bare else b"c "


def normalize_model_text(text: str, variables: int) -> str:
    """MaxSAT evaluations have `0110`, pseudo-Boolean solvers `x1 -x2`; all else is as it was."""
    bits = text.strip()
    # The bit of a single variable is the literal 1, or the end of a model without it.
    if len(bits) == variables > 1 and re.fullmatch("[01]+", bits):
        return " ".join(str(v) if bit == "1" else f"-{v}" for v, bit in enumerate(bits, 1)) + " 0"
    if re.fullmatch(r"(?:-?x\d{1,10}\s*)+(?:\b0\s*)?", text):
        return text.replace("x", "")
    return text


def parse_atom(word: str) -> Atom:
    found = ATOM.fullmatch(word)
    if found is None:
        raise SolverError(f"{word[:30]!r} is not an atom", "see its output")
    return found[1], tuple(map(int, found[2].split(",")))


_LINE = re.compile(
    r"(?:c\s+)?(conflicts|decisions|choices|propagations|restarts)\s*:\s+(\d{1,18})(?:\s|$)",
    re.ASCII | re.IGNORECASE,
)
_COMMON = {"choices": "decisions"}
"""What clasp calls otherwise."""

_NUMBERS = ("choices", "conflicts", "restarts", "rules", "atoms", "variables", "constraints")
_SECONDS = r"(\d{1,9}(?:\.\d{1,9})?)s"
_TIMES = re.compile(
    rf"{_SECONDS} \(Solving: {_SECONDS} 1st Model: {_SECONDS} Unsat: [\d.]+s\)", re.ASCII
)


def parse_statistics_line(line: str) -> dict[str, int]:
    """`c conflicts: 12`, `c Conflicts   : 12  (Analyzed: 11)`, `conflicts   : 12`."""
    found = _LINE.match(line)
    if found is None:
        return {}
    name = found[1].lower()
    return {_COMMON.get(name, name): int(found[2])}


def parse_clingo_statistic(name: str, told: str) -> dict[str, float]:
    """`Choices : 12`, and `Time : 0.1s (Solving: ...)`, by the name before the colon."""
    if name == "time" and (found := _TIMES.fullmatch(told)):
        whole, solving, first = map(float, found.groups())
        grounding = round(max(0.0, whole - solving), 3)
        return {"grounding": grounding, "solving": solving, "first_model": first}
    if name in _NUMBERS and (found := re.match(r"\d{1,18}\b", told)):
        return {name: int(found[0])}
    return {}
