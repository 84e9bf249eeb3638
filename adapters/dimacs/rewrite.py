"""Rewrite formula files for solvers: strict DIMACS, without comments, with extra clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boardsat.adapters.dimacs.literal_weights import weight_lines
from boardsat.adapters.dimacs.reader import Summary, open_cnf
from boardsat.adapters.dimacs.text import open_blocks
from boardsat.base import scratch
from boardsat.base.compression import SUFFIXES

if TYPE_CHECKING:
    from fractions import Fraction

_NOT_A_CLAUSE = re.compile(rb"^[cp].*\n?", re.MULTILINE)
_VARIABLES_A_LINE = 16


@contextmanager
def plain_copy(summary: Summary, path: str, trusted: bool = False) -> Iterator[str]:
    """Yield the path of a file that all solvers read alike: the file itself or a copy.

    CaDiCaL reads options from comments, and drat-trim a header. So comments are removed unless the
    caller trusts the file. The copy is removed when the context ends.
    """
    if not trusted or summary.notes:
        with write_canonical(summary, path) as copy:
            yield copy
    elif Path(path).suffix in SUFFIXES:
        with _scratch_file() as copy, open_blocks(path) as blocks:
            scratch.write(copy, blocks)
            yield copy
    else:
        yield path


@contextmanager
def write_canonical(
    summary: Summary,
    path: str,
    extra_clauses: Sequence[Sequence[int]] = (),
    projection: Iterable[int] | None = None,
    projection_keyword: str = "ind",
    weights: Mapping[int, Fraction] | None = None,
) -> Iterator[str]:
    """Rewrite a formula in strict DIMACS: correct counts, one clause a line, no foreign comments.

    Parameters
    ----------
    summary : Summary
        Summary of the file.
    path : str
        Path of the file.
    extra_clauses : sequence of clauses
        Clauses to append.
    projection : iterable of int, optional
        Variables of the projection. None: the copy has no projection.
    projection_keyword : str
        First word of the projection comments. `ind` lines precede the header, all others follow it.
    weights : mapping, optional
        Weights of literals, written first. None: the copy has no weights.

    Yields
    ------
    str
        Path of the copy, which is removed when the context ends.
    """
    variables = max(summary.variables, summary.actual_variables)
    lines = () if projection is None else list(_projection_lines(projection, projection_keyword))
    with _scratch_file() as copy:
        header = b"p cnf %d %d\n" % (variables, summary.actual_clauses + len(extra_clauses))
        head = (*lines, header) if projection_keyword == "ind" else (header, *lines)
        weight_text = () if weights is None else (b"c t pwmc\n", weight_lines(weights))
        clauses = clauses_with(summary, path, extra_clauses)
        scratch.write(copy, chain(weight_text, head, clauses))
        yield copy


@contextmanager
def renumbered_copy(summary: Summary, path: str, numbers: np.ndarray) -> Iterator[str]:
    """Yield the path of a copy with variable v renumbered to `numbers[v]` and clauses sorted.

    Clauses are sorted by smallest variable, so that clauses of neighbouring variables are also
    neighbours in the memory of the solver.
    """
    by_literal = np.concatenate([numbers, -numbers[:0:-1]]).astype(np.int32)
    with open_cnf(path, strict=False) as cnf:
        chunks = [by_literal[chunk] for chunk in cnf.chunks()]
    tokens = _sorted_clauses(np.concatenate([np.zeros(0, np.int32), *chunks]))
    positive = [f"{variable} " for variable in range(1, len(numbers))]
    literal_texts = ["0\n", *positive, *(f"-{literal}" for literal in reversed(positive))]
    with _scratch_file() as copy:
        header = b"p cnf %d %d\n" % (len(numbers) - 1, summary.actual_clauses)
        text = "".join(map(literal_texts.__getitem__, tokens.tolist()))
        scratch.write(copy, [header, text.encode("ascii")])
        yield copy


def _sorted_clauses(tokens: np.ndarray) -> np.ndarray:
    """Return zero-terminated clauses in the order of their smallest variables."""
    ends = np.flatnonzero(tokens == 0) + 1
    lengths = np.diff(ends, prepend=0)
    # The 0 of a clause is its minimum only if the clause is empty.
    variables = np.where(tokens == 0, np.iinfo(np.int32).max, np.abs(tokens))
    smallest = np.minimum.reduceat(variables, ends - lengths)
    order = np.argsort(smallest, kind="stable")
    sorted_lengths = lengths[order]
    sorted_starts = np.cumsum(sorted_lengths) - sorted_lengths
    shifts = np.repeat((ends - lengths)[order] - sorted_starts, sorted_lengths)
    sorted_tokens: np.ndarray = tokens[np.arange(len(tokens)) + shifts]
    return sorted_tokens


def clauses_with(
    summary: Summary, path: str, extra_clauses: Sequence[Sequence[int]]
) -> Iterator[bytes]:
    """Yield the clauses of a file, then extra clauses, as text with one clause on each line."""
    if summary.notes:
        with open_cnf(path, strict=False) as cnf:
            for tokens, is_xor in cnf.pieces():
                lines = clause_lines(tokens)
                yield b"x" + lines[:-1].replace(b"\n", b"\nx") + b"\n" if is_xor else lines
    else:
        with open_blocks(path) as blocks:
            yield from map(CommentFilter().clauses_in, blocks)
    for clause in extra_clauses:
        yield " ".join(map(str, (*clause, "0\n"))).encode()


@contextmanager
def _scratch_file() -> Iterator[str]:
    with scratch.folder() as folder:
        yield str(folder / "formula.cnf")


def _projection_lines(projection: Iterable[int], keyword: str) -> Iterator[bytes]:
    variables = list(projection)
    # An empty projection has a line too: without one, all variables would be counted over.
    for start in range(0, max(1, len(variables)), _VARIABLES_A_LINE):
        line = map(str, variables[start : start + _VARIABLES_A_LINE])
        yield " ".join(["c", keyword, *line, "0\n"]).encode()


def clause_lines(tokens: np.ndarray) -> bytes:
    """Return zero-terminated clauses as text, one on each line."""
    texts = [f"{token} " if token else "0\n" for token in tokens.tolist()]
    return "".join(texts).encode()


class CommentFilter:
    """Filter that removes comments and the header from the blocks of a valid file.

    A comment is a line that begins with c; the header begins with p.
    """

    def __init__(self) -> None:
        self._open_line = b""  # first byte of a comment or header that the last block cut

    def clauses_in(self, block: bytes) -> bytes:
        """Return the block without its comments and header."""
        text = self._open_line + block
        last_line = text[text.rfind(b"\n") + 1 :]
        self._open_line = last_line[:1] if last_line.startswith((b"c", b"p")) else b""
        # Most blocks of a large file have only clauses.
        return _NOT_A_CLAUSE.sub(b"", text) if b"c" in text or b"p" in text else text
