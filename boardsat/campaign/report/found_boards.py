"""Boards that runs have found, without duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from boardsat.adapters.boards import board_of
from boardsat.adapters.views import Solution, Tour
from boardsat.adapters.views.decoder import decode
from boardsat.campaign.runner.records import RunRecord
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.result import Check


@dataclass(frozen=True)
class FoundBoard:
    """Board, and the run that found it."""

    record: RunRecord
    solution: Solution
    closed: bool
    """True if tours of the problem are closed."""

    @property
    def is_valid(self) -> bool:
        """True if the board was checked against the rules of its problem."""
        return Check.BOARD in self.record.outcome.checked

    def figure(self, source: str) -> dict[str, str]:
        """Return the picture as SVG, and its caption: the source of the board, and its checks."""
        from boardsat.adapters.rendering.svg import solution_to_svg

        checks = ", ".join(self.record.outcome.checked)
        return {
            "picture": solution_to_svg(self.solution, self.closed),
            "caption": f"{source}, checked: {checks}" if checks else source,
        }


def boards_of(
    records: Iterable[RunRecord], formulas: Mapping[str, FormulaFile]
) -> Iterator[FoundBoard]:
    """Yield the boards that runs have found.

    Parameters
    ----------
    records : iterable of RunRecord
        Runs; those with refuted answers are skipped.
    formulas : mapping of str to FormulaFile
        Formulas by their hashes. Runs on others are skipped.

    Yields
    ------
    FoundBoard
        Each board once, for the first run that found it.
    """
    solutions: list[Solution] = []
    for record in records:
        formula = formulas.get(record.question.formula)
        if formula is None or record.outcome.fault:
            continue
        solution = _solution(record, formula)
        if solution is not None and solution not in solutions:
            solutions.append(solution)
            yield FoundBoard(record, solution, formula.header.closed)


def _solution(record: RunRecord, formula: FormulaFile) -> Solution | None:
    """Return the board of a record. None if it has none, or one that does not fit the formula."""
    tour, true_variables = record.artifacts.tour, record.artifacts.true
    if tour is not None and (board := board_of(formula.header)):
        is_on_board = max(tour, default=0) < board.cells
        return Solution(board, Tour(tour)) if is_on_board else None
    if true_variables is None or max(true_variables, default=0) > formula.variables:
        return None
    return decode(formula.header, formula.model_of(true_variables))
