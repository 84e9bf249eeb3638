"""Boards known to be right or wrong, tested in every encoding that can express them.

A board found by one solver in one encoding must extend to a model in every other; a board that the
rules refuse must not. Both fix the variables that a board is read from, by clauses at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from random import Random

from boardsat.adapters import rules
from boardsat.adapters.answer import Model, Status
from boardsat.adapters.boards import Board
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.views.decoder import decode
from boardsat.adapters.views.solution import (
    Fills,
    Marks,
    PairsView,
    SetView,
    Solution,
    Strokes,
    TableView,
    Tour,
    Walls,
)
from boardsat.base import scratch
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.board_models import Members, board_literals, member_lists
from boardsat.workflows.validate.run_matrix import PlannedInstance

KNOWN, BROKEN = "a known board", "broken boards"

MAX_BROKEN_BOARDS, MAX_TRIES = 20, 2000
"""Broken boards of a test, and mutations that are tried for them."""

MUTATION_SEED = 1


def known(instance: PlannedInstance, solution: Solution, folder: Path) -> PlannedInstance | None:
    """Write the formula with a known board fixed: satisfiable, or the encoding is wrong.

    None if the encoding cannot express the board.
    """
    problem = open_formula(instance.file)
    tried = [board_literals(problem, way) for way in member_lists(problem.header, solution)]
    expressed = [literals for literals in tried if literals is not None]
    if not expressed:
        return None
    # Which of the two directions a tour has in this encoding is the solver's choice.
    direction = problem.variables + 1
    clauses = [[-direction, literal] for literal in expressed[0]]
    clauses += [[direction, literal] for literal in expressed[-1]]
    return _fixed(instance, KNOWN, Status.SATISFIABLE, problem, clauses, folder)


def broken(instance: PlannedInstance, solution: Solution, folder: Path) -> PlannedInstance | None:
    """Write the formula with one of several wrong boards: unsatisfiable, or the encoding is wrong.

    None if there are no wrong boards to try.
    """
    problem = open_formula(instance.file)
    if len(problem.header.display.views) > 1:
        # Only what the first view shows is fixed here, and the others may make it right again.
        return None
    boards = list(islice(_wrong_boards(instance.problem, problem, solution), MAX_BROKEN_BOARDS))
    if not boards:
        return None
    # A variable selects each of them, so that all are refuted in one run.
    chosen = range(problem.variables + 1, problem.variables + 1 + len(boards))
    clauses = [list(chosen)]
    for number, literals in zip(chosen, boards, strict=True):
        clauses += [[-number, literal] for literal in literals]
    return _fixed(instance, BROKEN, Status.UNSATISFIABLE, problem, clauses, folder)


def _wrong_boards(name: str, problem: FormulaFile, solution: Solution) -> Iterator[list[int]]:
    """Yield different boards near the solution that break the rules, as literals."""
    seen: set[tuple[int, ...]] = set()
    for members in _mutations(problem.header, solution):
        literals = board_literals(problem, members)
        if literals is None or tuple(literals) in seen:
            continue
        seen.add(tuple(literals))
        model = problem.model_of(literal for literal in literals if literal > 0)
        if _is_wrong(name, problem, model):
            yield literals


def _is_wrong(name: str, problem: FormulaFile, model: Model) -> bool:
    solution = decode(problem.header, model)
    violations = solution and rules.violations(name, solution, problem.header.parameters)
    return next(iter(violations or ()), None) is not None


def _mutations(header: Header, solution: Solution) -> Iterator[Members]:
    """Yield mutations of a board, the same ones each time."""
    right = next(member_lists(header, solution))
    draw = Random(MUTATION_SEED)
    for _ in range(MAX_TRIES if right else 0):
        a, b = sorted(draw.choices(range(len(right)), k=2))
        without = [*right[:a], *right[a + 1 :]]
        match solution.view:
            case Tour() if header.display.views[0].kind != "order":
                yield from _two_cycles(right, a, b, solution.board)
            case Marks() | Fills(has_values=False):
                # One of the marks goes elsewhere, or away.
                yield [*without, (draw.randrange(solution.board.cells),)]
                yield without
            case Strokes() | Walls() | PairsView() | SetView() | TableView():
                # One of them is not there.
                yield without
            case _:
                # Two squares change places: in time, or with their values.
                exchanged = list(right)
                exchanged[a] = (right[a][0], right[b][1])
                exchanged[b] = (right[b][0], right[a][1])
                yield exchanged


def _two_cycles(steps: Members, one: int, other: int, board: Board) -> Iterator[Members]:
    """Exchange the ends of two moves, which splits a cycle into two."""
    (a, b), (c, d) = steps[one], steps[other]
    if board.is_move(a, d) and board.is_move(c, b):
        changed = list(steps)
        changed[one], changed[other] = (a, d), (c, b)
        yield changed


def _fixed(
    instance: PlannedInstance,
    variant: str,
    expected: Status,
    problem: FormulaFile,
    clauses: list[list[int]],
    folder: Path,
) -> PlannedInstance:
    file = folder / f"{instance.encoding}-{variant.replace(' ', '-')}.cnf"
    variables = max([problem.variables, *(abs(x) for clause in clauses for x in clause)])
    header = b"p cnf %d %d\n" % (variables, problem.clauses + len(clauses))
    with Path(instance.file).open("rb") as source:
        old = (header if line.startswith(b"p cnf ") else line for line in source)
        scratch.write(file, chain(old, _lines(clauses)))
    return replace(
        instance,
        variant=variant,
        expected=expected.name,
        file=str(file),
        formula=sha256(file),
    )


def _lines(clauses: Iterable[list[int]]) -> Iterator[bytes]:
    for clause in clauses:
        yield (" ".join(map(str, clause)) + " 0\n").encode()
