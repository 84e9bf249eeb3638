"""Logic programs: tables 1 to 3 of de Preter and Broer 2025 (open 8x8 tours from a corner)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench._measure import Row, scratch
from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.runtimes import Limits, Task, select_runtime
from boardsat.generators import find, program
from boardsat.generators.asp import methods

SECONDS = 240
"""CPU time limit in seconds for each method; the slowest of the paper took 194 s."""

BOARD = {"n": 8, "closed": False}
TOURS = 5


@dataclass(frozen=True)
class Cell:
    """A line of a table of de Preter and Broer (2025): their choices, conflicts and seconds."""

    table: str
    method: str
    choices: int = 0
    conflicts: int = 0
    seconds: float = 0.0


CELLS = (
    Cell("table 1, method 1", "sequence-once", 1_546_701, 370_082, 31.880),
    Cell("table 1, method 2", "reachability", 27_908, 23_864, 0.342),
    Cell("table 2, method 1 with heuristic", "sequence-once-warnsdorff", 579_352, 100_768, 89.270),
    Cell("table 3, option 1", "sequence-once", 1_546_701, 370_082, 36.672),
    Cell("table 3, option 2", "sequence-every", 7_505_290, 1_024_750, 193.595),
    Cell("table 3, both options", "sequence-both", 124_376, 31_424, 1.473),
)


def run() -> list[Row]:
    """Compare the methods of the paper, and those that it lacks."""
    where = select_runtime(solvers.load("clingo"))
    theirs = {cell.method for cell in CELLS}
    further = [Cell("not in the paper", m) for m in methods() if m not in theirs]
    answers: dict[str, Answer] = {}
    with scratch() as folder:
        path = folder / "program.lp"
        for cell in (*CELLS, *further):
            if cell.method not in answers:
                answers[cell.method] = _answer(path, cell.method, where)
    return [_row(cell, answers[cell.method]) for cell in (*CELLS, *further)]


def _answer(path: Path, method: str, where: str) -> Answer:
    text = program(find("tour", "direct"), BOARD, method)
    path.write_text(text, "ascii")
    heuristic = "Domain" if "#heuristic" in text else None
    task = Task(str(path), Limits(cpu=SECONDS), models=TOURS, heuristic=heuristic)
    return run_solver.run_solver(solvers.load("clingo"), where, task, variables=0)


def _row(cell: Cell, answer: Answer) -> Row:
    ours = f"not done in {SECONDS} s"
    if answer.status is Status.SATISFIABLE:
        statistics = answer.run.statistics
        ours = _shown(
            statistics["choices"],
            statistics["conflicts"],
            answer.run.usage.cpu or answer.run.usage.wall,
        )
    theirs = _shown(cell.choices, cell.conflicts, cell.seconds) if cell.seconds else "-"
    return Row(f"{cell.table}: {cell.method}", ours, theirs)


def _shown(choices: float, conflicts: float, seconds: float) -> str:
    return f"{choices:,} choices, {conflicts:,} conflicts, {seconds:.2f} s"
