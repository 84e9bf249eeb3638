"""DIMACS text: read as a reader of a few lines reads it, however it is cut into pieces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from boardsat.adapters.dimacs import text
from boardsat.adapters.dimacs.reader import Cnf, DimacsError
from fuzz.target import Target

FILES = Path(__file__).parents[2] / "dimacs"
TOKENS = ("p", "cnf", "p cnf", "c", "c ind", "c p show", "c p ", "0", " 0\n", "%", "x")

_STRICT = re.compile(
    rb"(?:c(?: [^\r\n\0]*)?\n)*"
    rb"p cnf (0|[1-9]\d*) (0|[1-9]\d*)\n"
    rb"((?: *(?:-?[1-9]\d* +)*0 *\n|x *(?:-?[1-9]\d* +)+0\n|c p [^\r\n\0]*\n)*)"
)
XOR_LINES = b"p cnf 4 5\nx1 -2 3 0\n1 4 0\n-3 0\nx 2 4 0\nx-1 -4 0\n"

Clauses = list[list[int]]


class Read(NamedTuple):
    clauses: Clauses
    sums: Clauses
    """Literals of the XOR lines."""


def seeds() -> list[bytes]:
    return [*(path.read_bytes() for path in sorted(FILES.rglob("*.cnf"))), XOR_LINES]


def check(data: bytes) -> None:
    strict, lenient = read(data, True), read(data, False)
    if isinstance(strict, str):
        assert strictly(data) is None, "refused, although every solver reads it"
    else:
        assert strictly(data) == strict == lenient
    if not isinstance(lenient, str):
        assert leniently(data) == lenient
    for strict_mode, reading in ((True, strict), (False, lenient)):
        reread = read(data, strict_mode, block_bytes=max(64, len(data) // 20))
        if isinstance(reading, str):
            assert reading.isprintable() and isinstance(reread, str)
        else:
            assert reread == reading, "it depends on the pieces"


def read(data: bytes, strict: bool, block_bytes: int = text.BLOCK_BYTES) -> Read | str:
    """From memory; the target of compressed files opens real ones."""
    literals_of: tuple[list[int], list[int]] = ([], [])
    pieces = (data[i : i + block_bytes] for i in range(0, len(data), block_bytes))
    try:
        cnf = Cnf("input", text._blocks(pieces, block_bytes), strict)
        for literals, is_xor in cnf.pieces():
            literals_of[is_xor].extend(literals.tolist())
    except DimacsError as error:
        return str(error)
    return Read(*map(split, literals_of))


def split(literals: list[int]) -> Clauses:
    clauses: Clauses = [[]]
    for literal in literals:
        if literal:
            clauses[-1].append(literal)
        else:
            clauses.append([])
    return clauses[:-1] if not clauses[-1] else clauses


def strictly(data: bytes) -> Read | None:
    """Return the clauses of a strict DIMACS file; None for any other file."""
    match = _STRICT.fullmatch(data)
    if match is None:
        return None
    lines = [x for x in match[3].decode("latin-1").split("\n") if x and x[0] != "c"]
    # Far longer than a number, and than Python converts.
    if max(map(len, [match[1], match[2], *" ".join(lines).split()])) > 4000:
        return None
    clauses = [[int(token) for token in line.strip("x").split()[:-1]] for line in lines]
    variables, number = int(match[1]), int(match[2])
    largest = max((abs(x) for clause in clauses for x in clause), default=0)
    if len(clauses) != number or not largest <= variables < 2**31:
        return None
    of_kind = [
        [c for c, line in zip(clauses, lines, strict=True) if (line[0] == "x") == is_xor]
        for is_xor in (False, True)
    ]
    return Read(*of_kind)


def leniently(data: bytes) -> Read:
    """All numbers after the header, comments left out."""
    lines = re.split(rb"\n", data)
    start = next(i for i, line in enumerate(lines) if re.match(rb"\s*p\s", line))
    body_lines = [x for x in lines[start + 1 :] if not x.lstrip().startswith(b"c")]
    body = b"\n".join(body_lines).partition(b"%")[0].split(b"\n")
    sums = b"\n".join(line[1:] for line in body if line.startswith(b"x"))
    clauses = b"\n".join(line for line in body if not line.startswith(b"x"))
    return Read(*(split([int(token) for token in text.split()]) for text in (clauses, sums)))


TARGET = Target(seeds, check, tokens=TOKENS)
