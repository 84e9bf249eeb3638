"""Boards that runs have found, without duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from boardsat.adapters.boards import board_of
from boardsat.adapters.views.decoder import decode
from boardsat.adapters.views.solution import Solution, Tour
from boardsat.campaign.runner.records import RunRecord
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.result import Check


@dataclass(frozen=True)
class Found:
    """A board, and the run that gave it."""

    record: RunRecord
    solution: Solution
    closed: bool

    @property
    def believed(self) -> bool:
        """Whether it obeys the rules of the problem."""
        return Check.BOARD in self.record.outcome.checked

    def picture(self, source: str) -> dict[str, str]:
        """Return the picture and its caption: the source of the board, and its checks."""
        from boardsat.adapters.rendering.svg import svg

        checked = ", ".join(self.record.outcome.checked)
        return {
            "picture": svg(self.solution, self.closed),
            "caption": f"{source}, checked: {checked}" if checked else source,
        }


def boards_of(records: Iterable[RunRecord], problems: Mapping[str, FormulaFile]) -> Iterator[Found]:
    """What the models of known formulas stand for."""
    seen: list[Solution] = []
    for record in records:
        problem = problems.get(record.question.formula)
        if problem is None or record.outcome.fault:
            continue
        solution = _solution(record, problem)
        if solution is not None and solution not in seen:
            seen.append(solution)
            yield Found(record, solution, problem.header.closed)


def _solution(record: RunRecord, problem: FormulaFile) -> Solution | None:
    """What a record has kept of a board; nothing where that is not on the board of this problem."""
    if record.artifacts.tour is not None and (board := board_of(problem.header)):
        on_board = max(record.artifacts.tour, default=0) < board.cells
        return Solution(board, Tour(record.artifacts.tour)) if on_board else None
    if record.artifacts.true is None or max(record.artifacts.true, default=0) > problem.variables:
        return None
    return decode(problem.header, problem.model_of(record.artifacts.true))
