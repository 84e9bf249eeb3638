"""KNF format of Cardinality-CDCL: clauses, and cardinality constraints `k 2 1 -3 4 0`.

The header is `p knf VARIABLES LINES`; `k 2` requires at least 2 of the literals to be true.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from boardsat.adapters.dimacs.text import quoted
from boardsat.adapters.formats._line_reader import (
    MAX_VARIABLE,
    LineReader,
    Numbers,
    are_literals,
    row_starts,
    zero_terminated_lines,
)
from boardsat.adapters.formats._linear_formula import AtLeastConstraints, LinearFormula

HAS_LINEAR_CONSTRAINTS, HAS_OBJECTIVE = True, False

_K_CODE = 10**9
"""Number that replaces the letter `k`; larger than any variable."""

_HEADER = re.compile(rb"^p +knf +([0-9]{1,9}) +([0-9]{1,9})\n", re.MULTILINE)


class _Reader(LineReader):
    mark = b"c"
    remedy = "write `LITERALS 0`, or `k NUMBER LITERALS 0`"

    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return bounds, lengths and literals of the constraints, and the numbers of headers."""
        headers = [int(number) for pair in _HEADER.findall(text) for number in pair]
        text = _HEADER.sub(b"", text) if headers else text
        lines = zero_terminated_lines(text, b"k", _K_CODE)
        if lines is None:
            return None
        numbers, starts, ends, is_cardinality = lines
        lengths = ends - starts - 2 * is_cardinality
        if (lengths < 0).any():
            return None
        k_positions = starts[is_cardinality]
        bounds = np.ones(len(starts), np.int64)
        bounds[is_cardinality] = numbers[k_positions + 1]
        literals = np.delete(numbers, np.concatenate([k_positions, k_positions + 1, ends]))
        is_valid = are_literals(literals) and ((bounds >= 0) & (bounds <= MAX_VARIABLE)).all()
        return (bounds, lengths, literals, np.array(headers, np.int64)) if is_valid else None

    def fault_of(self, line: bytes) -> str:
        if line.startswith(b"p"):
            return f"the header {quoted(line)} is malformed"
        if re.fullmatch(rb"(?:k )?[-0-9 \t]+", line) and line.split()[-1] != b"0":
            return "the line has no 0 at its end"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> LinearFormula:
    """Parse a whole file.

    Parameters
    ----------
    path : str or path-like
        File, decompressed if its suffix is .gz, .xz or .zst.
    name : str, optional
        Name of the file in errors. Default: its path.

    Returns
    -------
    LinearFormula
        Constraints, soft clauses and comments of the file.

    Raises
    ------
    DimacsError
        The file cannot be read, or is malformed; the error has the line of the first fault.
    """
    reader = _Reader(path, name)
    bounds, lengths, literals, headers = reader.columns(4)
    variables = int(np.abs(literals).max(initial=0))
    if len(headers) != 2:
        fault = f"the file must have one header (got {len(headers) // 2})"
        reader.fail(fault, "write one `p knf VARIABLES LINES`")
    declared, number = headers.tolist()
    if declared < variables or number != len(bounds):
        reader.fail_counts("header", "line", (declared, number), (variables, len(bounds)))
    hard = AtLeastConstraints(literals.astype(np.int32), row_starts(lengths), bounds)
    return reader.formula(declared, hard, number, declares_constraints=True)


def text(formula: LinearFormula) -> Iterator[bytes]:
    """Yield the formula without comments, one constraint on a line."""
    hard = formula.hard
    yield f"p knf {formula.variables} {len(hard)}\n".encode()
    for bound, pairs in hard.rows():
        literals = "".join(f"{literal} " for _, literal in pairs)
        yield f"{'' if bound == 1 else f'k {bound} '}{literals}0\n".encode()
