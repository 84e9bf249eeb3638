"""Rewrite formula files for solvers: strict DIMACS, without comments, with more clauses."""

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
from boardsat.adapters.dimacs.text import opened
from boardsat.base import scratch
from boardsat.base.compression import SUFFIXES

if TYPE_CHECKING:
    from fractions import Fraction

_NOT_A_CLAUSE = re.compile(rb"^[cp].*\n?", re.MULTILINE)
_PER_LINE = 16


@contextmanager
def plain_copy(summary: Summary, path: str, trusted: bool = False) -> Iterator[str]:
    """Yield the path of a file that all solvers read alike: the file, or a copy without comments.

    CaDiCaL takes options from comments, and drat-trim a header. So comments are removed unless the
    caller trusts the file.
    """
    if not trusted or summary.notes:
        with write_canonical(summary, path) as copy:
            yield copy
    elif Path(path).suffix in SUFFIXES:
        with _scratch_file() as copy, opened(path) as blocks:
            scratch.write(copy, blocks)
            yield copy
    else:
        yield path


@contextmanager
def write_canonical(
    summary: Summary,
    path: str,
    more: Sequence[Sequence[int]] = (),
    projection: Iterable[int] | None = None,
    how: str = "ind",
    weights: Mapping[int, Fraction] | None = None,
) -> Iterator[str]:
    """Rewrite the formula in strict DIMACS; yield the path of the copy.

    The header has the true counts, each line one clause, and foreign comments are removed. `more`
    clauses are appended. A projection is `c ind` lines before the header, or `c project` lines
    after it. Weights come first.
    """
    variables = max(summary.variables, summary.actual_variables)
    lines = () if projection is None else list(_projection_lines(projection, how))
    with _scratch_file() as copy:
        header = b"p cnf %d %d\n" % (variables, summary.actual_clauses + len(more))
        head = (*lines, header) if how == "ind" else (header, *lines)
        told = () if weights is None else (b"c t pwmc\n", weight_lines(weights))
        scratch.write(copy, chain(told, head, clauses_with(summary, path, more)))
        yield copy


@contextmanager
def renumbered(summary: Summary, path: str, numbers: np.ndarray) -> Iterator[str]:
    """Yield a copy with variable v renumbered to `numbers[v]`, clauses sorted by smallest variable.

    Clauses of neighbouring variables are then near each other in the solver's memory too.
    """
    by_literal = np.concatenate([numbers, -numbers[:0:-1]]).astype(np.int32)
    with open_cnf(path, strict=False) as cnf:
        chunks = [by_literal[chunk] for chunk in cnf.chunks()]
    tokens = _sorted_clauses(np.concatenate([np.zeros(0, np.int32), *chunks]))
    positive = [f"{variable} " for variable in range(1, len(numbers))]
    words = ["0\n", *positive, *(f"-{word}" for word in reversed(positive))]
    with _scratch_file() as copy:
        header = b"p cnf %d %d\n" % (len(numbers) - 1, summary.actual_clauses)
        text = "".join(map(words.__getitem__, tokens.tolist()))
        scratch.write(copy, [header, text.encode("ascii")])
        yield copy


def _sorted_clauses(tokens: np.ndarray) -> np.ndarray:
    """Return clauses, each ended by 0, in the order of their smallest variables."""
    ends = np.flatnonzero(tokens == 0) + 1
    lengths = np.diff(ends, prepend=0)
    # The end of a clause counts only if the clause is empty.
    variables = np.where(tokens == 0, np.iinfo(np.int32).max, np.abs(tokens))
    smallest = np.minimum.reduceat(variables, ends - lengths)
    order = np.argsort(smallest, kind="stable")
    moved = lengths[order]
    shifts = np.repeat((ends - lengths)[order] - (np.cumsum(moved) - moved), moved)
    moved_tokens: np.ndarray = tokens[np.arange(len(tokens)) + shifts]
    return moved_tokens


def clauses_with(summary: Summary, path: str, more: Sequence[Sequence[int]]) -> Iterator[bytes]:
    """Yield the clauses of a file and more clauses as text, one on each line."""
    yield from _clauses(summary, path)
    for clause in more:
        yield " ".join(map(str, (*clause, "0\n"))).encode()


@contextmanager
def _scratch_file() -> Iterator[str]:
    with scratch.folder() as folder:
        yield str(folder / "formula.cnf")


def _projection_lines(projection: Iterable[int], how: str) -> Iterator[bytes]:
    numbers = list(projection)
    # An empty projection is not the same as none.
    for start in range(0, max(1, len(numbers)), _PER_LINE):
        words = map(str, numbers[start : start + _PER_LINE])
        yield " ".join(["c", how, *words, "0\n"]).encode()


def _clauses(summary: Summary, path: str) -> Iterator[bytes]:
    """Yield the clauses as text, one on each line."""
    if summary.notes:
        with open_cnf(path, strict=False) as cnf:
            for tokens, is_xor in cnf.pieces():
                lines = clause_lines(tokens)
                yield b"x" + lines[:-1].replace(b"\n", b"\nx") + b"\n" if is_xor else lines
    else:
        with opened(path) as blocks:
            yield from without_comments(blocks)


def clause_lines(tokens: np.ndarray) -> bytes:
    """Return clauses as text, from literals with a zero after each clause."""
    words = [f"{token} " if token else "0\n" for token in tokens.tolist()]
    return "".join(words).encode()


def without_comments(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the clauses of a valid file without its comments and header."""
    bare = BareText()
    for block in blocks:
        yield bare.of(block)


class BareText:
    """Filter that removes comments and the header from the blocks of a valid file.

    A comment is a line that begins with c, the header begins with p.
    """

    def __init__(self) -> None:
        self._inside = b""

    def of(self, block: bytes) -> bytes:
        text = self._inside + block
        # A line may go on in the next block, and a comment may be very long.
        last = text[text.rfind(b"\n") + 1 :]
        self._inside = last[:1] if last.startswith((b"c", b"p")) else b""
        # Most blocks of a large file are clauses alone.
        return _NOT_A_CLAUSE.sub(b"", text) if b"c" in text or b"p" in text else text
