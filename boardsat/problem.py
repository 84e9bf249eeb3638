"""A formula or a program on disk, and what it says about itself: where every workflow begins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import numpy as np

from adapters.errors import AdapterError
from adapters.header import Header, read_header
from adapters.reader import Summary, open_cnf


@dataclass(frozen=True)
class Problem:
    """A formula on disk, and what it says about itself."""

    path: str
    header: Header
    summary: Summary
    comments: tuple[str, ...] = ()

    @property
    def variables(self) -> int:
        return max(self.summary.variables, self.summary.actual_variables)

    @property
    def clauses(self) -> int:
        return self.summary.actual_clauses

    def projection(self) -> np.ndarray:
        """The variables that are counted over: all, where the file names none."""
        named = self.header.projection
        if named is None:
            return np.arange(1, self.variables + 1)
        if len(named) and named.max() > self.variables:
            raise AdapterError(
                f"the projection has variable {named.max()}, the formula {self.variables}",
                "correct the `c ind` or `c p show` lines",
                self.path,
            )
        return np.unique(named)

    def decision_variables(self) -> np.ndarray:
        """The variables that a board is read from: all, where the file does not say."""
        if not self.header.views:
            return np.arange(1, self.variables + 1)
        name = self.header.views[0]["variable"]
        return np.unique(self.header.variables[name].ids)


@dataclass(frozen=True)
class Program:
    """A logic program on disk, and what it says about itself."""

    path: str
    header: Header

    @property
    def heuristic(self) -> str | None:
        """The search that it means; no other word of a file may go to a command line."""
        return "Domain" if self.header.about.get("heuristic") == "Domain" else None


def open_program(path: str) -> Program:
    """Read the comments that it begins with; whether the rest is a program is for clingo to say."""
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as lines:
            comments = [line[2:].rstrip() for line in takewhile(_is_comment, lines)]
    except OSError as error:
        raise AdapterError(
            f"cannot read the program: {error.strerror}", "give a readable file", path
        ) from None
    try:
        header = read_header(comments)
    except (ValueError, KeyError, TypeError):
        header = Header()
    known = all(isinstance(p, dict) for p in (header.about, header.parameters, header.board))
    return Program(path, header if known else Header())


def _is_comment(line: str) -> bool:
    return line.startswith("% ")


def open_problem(path: str) -> Problem:
    """Read the header, and make sure that the rest is a formula."""
    with open_cnf(path, strict=False) as cnf:
        for _ in cnf.chunks():
            pass
        summary = cnf.summary()
    try:
        # The projection may stand after the `p cnf` line.
        header = read_header(cnf.comments + cnf.later_comments)
    except (ValueError, KeyError, TypeError):
        # Comments of another program may begin with our words.
        header = Header()
    return Problem(path, header, summary, tuple(cnf.comments))
