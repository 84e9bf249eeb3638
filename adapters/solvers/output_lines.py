"""Lines of solver output: splitting a stream into lines, and parsing counts, atoms, statistics."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Atom
from boardsat.base.errors import SolverError

if TYPE_CHECKING:
    from fractions import Fraction

MAX_LINE_BYTES = 2**20
"""Longer lines are split; a model on one line can be as long as the formula."""

_ATOM = re.compile(r"([a-z]\w*)\((-?\d{1,10}(?:,-?\d{1,10})*)\)")
"""Atom of a logic program with numeric arguments: `move(0,17)`."""

_WEIGHTED_COUNT = r"c s exact arb frac ([0-9]+)/([1-9][0-9]*)"


class LongCountError(SolverError):
    """Count with more digits than are read; the output itself is well-formed."""


def parse_count(digits: str) -> int:
    """Return a count; raise LongCountError if it has more than MAX_COUNT_DIGITS digits."""
    if len(digits) > MAX_COUNT_DIGITS:
        size = f"at most {MAX_COUNT_DIGITS:,} (got {len(digits):,})"
        fault = f"the number of digits of the count must be {size}"
        raise LongCountError(fault, "count a smaller formula")
    return int(digits)


def parse_weighted_count(line: str) -> Fraction | None:
    """Return the exact fraction of a line of the counting competition; None for other lines."""
    match = re.fullmatch(_WEIGHTED_COUNT, line)
    if match is None:
        return None
    from fractions import Fraction

    return Fraction(*map(parse_count, match.groups()))


def split_lines(pieces: Iterable[bytes]) -> Iterable[str]:
    """Yield the lines of output that comes in pieces of any size.

    A line above MAX_LINE_BYTES is yielded in several parts, each with the prefix of the line.
    Bytes that are not ASCII are replaced, so that only 0 to 9 are digits.
    """
    unfinished = b""
    for piece in pieces:
        *lines, unfinished = (unfinished + piece.replace(b"\r", b"")).split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace")
        if len(unfinished) > MAX_LINE_BYTES:
            # Between two words, so that no number is cut.
            cut = unfinished.rfind(b" ", 2) + 1 or len(unfinished)
            yield unfinished[:cut].decode("ascii", "replace")
            unfinished = _prefix(unfinished) + unfinished[cut:]
    if unfinished:
        yield unfinished.decode("ascii", "replace")


def _prefix(line: bytes) -> bytes:
    """Return the prefix that makes the next part of a long line the same type of line."""
    if line[:2] == b"v ":
        return b"v "
    has_no_prefix = line[:1] in b" -0123456789" or _ATOM.match(line.decode("utf-8", "replace"))
    return b"" if has_no_prefix else b"c "


def normalize_model_text(text: str, variables: int) -> str:
    """Return the literals of a model in the notation of MaxSAT evaluations or of PB solvers.

    MaxSAT evaluations print bits (`0110`), pseudo-Boolean solvers `x1 -x2`. Any other text is
    returned as it is.
    """
    bits = text.strip()
    # The bit of a single variable is the literal 1, or the end of a model without it.
    if len(bits) == variables > 1 and re.fullmatch("[01]+", bits):
        return " ".join(str(v) if bit == "1" else f"-{v}" for v, bit in enumerate(bits, 1)) + " 0"
    if re.fullmatch(r"(?:-?x\d{1,10}\s*)+(?:\b0\s*)?", text):
        return text.replace("x", "")
    return text


def parse_atom(text: str) -> Atom:
    """Return the predicate and the numbers of an atom such as `move(0,17)`."""
    match = _ATOM.fullmatch(text)
    if match is None:
        raise SolverError(f"{text[:30]!r} is not an atom")
    return match[1], tuple(map(int, match[2].split(",")))


_STATISTICS = re.compile(
    r"(?:c\s+)?(conflicts|decisions|choices|propagations|restarts)\s*:\s+(\d{1,18})(?:\s|$)",
    re.ASCII | re.IGNORECASE,
)
_COMMON_NAMES = {"choices": "decisions"}
"""Names of statistics by the names that clasp gives them."""

_CLINGO_COUNTERS = {
    *("choices", "conflicts", "restarts", "rules", "atoms", "variables", "constraints"),
}
_SECONDS = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s"
_CLINGO_TIMES = rf"{_SECONDS} \(Solving: {_SECONDS} 1st Model: {_SECONDS} Unsat: [0-9.]+s\)"


def parse_statistics_line(line: str) -> dict[str, int]:
    """Return the statistic of a line; empty if the line has no statistic.

    Lines are `c conflicts: 12`, `c Conflicts   : 12  (Analyzed: 11)` or `conflicts   : 12`.
    """
    match = _STATISTICS.match(line)
    if match is None:
        return {}
    name = match[1].lower()
    return {_COMMON_NAMES.get(name, name): int(match[2])}


def parse_clingo_statistic(name: str, text: str) -> dict[str, float]:
    """Return the statistics of a line of clingo: its name, and the text after the colon.

    Lines are `Choices : 12` or `Time : 0.1s (Solving: ...)`; empty for other lines.
    """
    if name == "time" and (match := re.fullmatch(_CLINGO_TIMES, text)):
        total, solving, first_model = map(float, match.groups())
        grounding = round(max(0.0, total - solving), 3)
        return {"grounding": grounding, "solving": solving, "first_model": first_model}
    if name in _CLINGO_COUNTERS and (match := re.match(r"\d{1,18}\b", text)):
        return {name: int(match[0])}
    return {}
