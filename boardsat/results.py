"""What programs get from the entrance: a formula, an answer, a verdict."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardsat.adapters.answer import Answer, Status, Usage
from boardsat.base.text import pluralize
from boardsat.board_result import BoardResult
from boardsat.generators import Formula as BuiltFormula
from boardsat.generators import transform, write
from boardsat.terminal import ansi
from boardsat.workflows.solve import result as solve_result
from boardsat.workflows.solve.result import CheckedAnswer

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, repr=False, eq=False)
class Formula:
    """A formula in memory; its clauses are made when they are asked for.

    It has the same name as the one of the generators, which it holds: for programs it is the only
    one, and its clauses are clauses, where the other counts them.
    """

    built: BuiltFormula

    @property
    def name(self) -> str:
        """The problem and its encoding."""
        return self.built.header.spec

    @property
    def variables(self) -> int:
        return self.built.variables

    @property
    def projection(self) -> list[int] | None:
        """The variables to count over; None where the spec names none."""
        numbers = self.built.header.projection
        return None if numbers is None else numbers.tolist()

    @property
    def weights(self) -> dict[int, Fraction]:
        """Those of literals, for counting; empty where none has any."""
        from fractions import Fraction

        given = self.built.weights
        columns = (given.literals, given.above, given.below) if given else ()
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {literal: Fraction(above, below) for literal, above, below in rows}

    def __len__(self) -> int:
        """How many clauses it has."""
        return self.built.clauses

    def clauses(self) -> Iterator[list[int]]:
        """One after the other, as python-sat takes them."""
        clause: list[int] = []
        for tokens in self.arrays():
            for token in tokens.tolist():
                if token:
                    clause.append(token)
                else:
                    yield clause
                    clause = []

    def arrays(self) -> Iterator[npt.NDArray[np.int32]]:
        """Many clauses at once, each ended by 0."""
        return self.built.arrays()

    def transformed(
        self,
        *,
        propagate: bool = False,
        three_cnf: str | None = None,
        shuffle: int | None = None,
        symmetry: bool = False,
    ) -> Formula:
        """As `boardsat cnf` does with the options of these names."""
        return Formula(transform(self.built, propagate, three_cnf, shuffle, symmetry))

    def write(self, path: str | os.PathLike[str], projection: str | None = None) -> int:
        """Write a DIMACS file, compressed by its ending; its size in bytes."""
        return write(self.built, os.fspath(path), projection)

    def __str__(self) -> str:
        sizes = (pluralize(self.variables, "variable"), pluralize(len(self), "clause"))
        return f"{self.name}: {', '.join(sizes)}"

    def __repr__(self) -> str:
        return f"<boardsat.Formula {self}>"

    def _repr_html_(self) -> str:
        heads = ("constraint", "fresh variables", "clauses", "literals")
        rows = [
            (section.name, section.num_auxiliary, section.clauses, section.literals)
            for section in self.built.sections
        ]
        lines = [_row("th", heads), *(_row("td", row) for row in rows)]
        return f"<p>{html.escape(str(self))}</p><table>{''.join(lines)}</table>"


def _row(kind: str, cells: Sequence[str | int]) -> str:
    words = (f"{cell:,}" if isinstance(cell, int) else html.escape(cell) for cell in cells)
    return f"<tr>{''.join(f'<{kind}>{word}</{kind}>' for word in words)}</tr>"


@dataclass(frozen=True, repr=False, eq=False)
class Solved(BoardResult):
    """The answer of a solver, checked as far as it can be."""

    result: CheckedAnswer
    default: tuple[str, ...] = ()
    """The line about the encoding, where nobody named one."""

    @property
    def answer(self) -> Answer:
        """All that the solver said, and how it was run."""
        return self.result.answer

    @property
    def status(self) -> Status:
        return self.answer.status

    @property
    def model(self) -> list[int] | None:
        """A literal for each variable; None where there is no formula, or no model of it."""
        return self.answer.literals

    @property
    def value(self) -> int | None:
        """Of what is minimized or maximized; the status tells whether no model is better."""
        return self.result.value

    @property
    def checked(self) -> tuple[str, ...]:
        """What was checked, and is right."""
        return self.result.checked

    @property
    def unchecked(self) -> tuple[str, ...]:
        return self.result.unchecked

    @property
    def failure(self) -> BaseException | None:
        """What went wrong after the answer was known: who was to check its proof, for example."""
        return self.result.failure

    @property
    def usage(self) -> Usage:
        """Seconds and bytes."""
        return self.answer.run.usage

    def __str__(self) -> str:
        return ansi.plain(solve_result.format_results([self.result], self.instance, self.default))

    def __repr__(self) -> str:
        return f"<boardsat.Solved {self.status.name} by {self.answer.run.solver}>"


@dataclass(frozen=True)
class Checked:
    """Whether an answer is right, and what was found; it is true or false itself."""

    right: bool
    lines: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return "\n".join(self.lines)
