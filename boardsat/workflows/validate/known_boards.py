"""Boards of known validity, fixed in every encoding that can express them.

A board found by one solver in one encoding must extend to a model in every other encoding; a board
that violates the rules must not. Clauses at the end fix the variables that a board is decoded from.
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
from boardsat.adapters.views import (
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
from boardsat.adapters.views.decoder import decode
from boardsat.base import scratch
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve.board_models import Members, board_literals, member_lists
from boardsat.workflows.validate.run_matrix import PlannedInstance

KNOWN, BROKEN = "known board", "invalid boards"

MAX_BROKEN_BOARDS, MAX_TRIES = 20, 2000
"""Maximum number of invalid boards in a test, and of mutations tried to find them."""

MUTATION_SEED = 1


def fix_known_board(
    instance: PlannedInstance, solution: Solution, folder: Path
) -> PlannedInstance | None:
    """Write the formula with a known board fixed; it must be satisfiable.

    None if the encoding cannot express the board.
    """
    formula = open_formula(instance.file)
    tried = [board_literals(formula, members) for members in member_lists(formula.header, solution)]
    expressed = [literals for literals in tried if literals is not None]
    if not expressed:
        return None
    # A variable selects one of the two directions of a tour.
    direction = formula.variables + 1
    clauses = [[-direction, literal] for literal in expressed[0]]
    clauses += [[direction, literal] for literal in expressed[-1]]
    return _fixed(instance, KNOWN, Status.SATISFIABLE, formula, clauses, folder)


def fix_invalid_boards(
    instance: PlannedInstance, solution: Solution, folder: Path
) -> PlannedInstance | None:
    """Write the formula with one of several invalid boards; it must be unsatisfiable.

    None if no invalid board was found.
    """
    formula = open_formula(instance.file)
    if len(formula.header.display.views) > 1:
        # Only the first view is fixed; the variables of the others could repair the board.
        return None
    boards = list(islice(_invalid_boards(instance.problem, formula, solution), MAX_BROKEN_BOARDS))
    if not boards:
        return None
    # Each board is selected by a variable, so that one run refutes all of them.
    selectors = range(formula.variables + 1, formula.variables + 1 + len(boards))
    clauses = [list(selectors)]
    for selector, literals in zip(selectors, boards, strict=True):
        clauses += [[-selector, literal] for literal in literals]
    return _fixed(instance, BROKEN, Status.UNSATISFIABLE, formula, clauses, folder)


def _invalid_boards(name: str, formula: FormulaFile, solution: Solution) -> Iterator[list[int]]:
    """Yield distinct boards near the solution that violate the rules, as literals."""
    seen: set[tuple[int, ...]] = set()
    for members in _mutations(formula.header, solution):
        literals = board_literals(formula, members)
        if literals is None or tuple(literals) in seen:
            continue
        seen.add(tuple(literals))
        model = formula.model_of(literal for literal in literals if literal > 0)
        if _violates_rules(name, formula, model):
            yield literals


def _violates_rules(name: str, formula: FormulaFile, model: Model) -> bool:
    solution = decode(formula.header, model)
    violations = solution and rules.violations(name, solution, formula.header.parameters)
    return next(iter(violations or ()), None) is not None


def _mutations(header: Header, solution: Solution) -> Iterator[Members]:
    """Yield pseudo-random mutations of a board, with a fixed seed."""
    original = next(member_lists(header, solution))
    draw = Random(MUTATION_SEED)
    for _ in range(MAX_TRIES if original else 0):
        a, b = sorted(draw.choices(range(len(original)), k=2))
        without = [*original[:a], *original[a + 1 :]]
        match solution.view:
            case Tour() if header.display.views[0].kind != "order":
                yield from _two_cycles(original, a, b, solution.board)
            case Marks() | Fills(has_values=False):
                # Move or remove a mark.
                yield [*without, (draw.randrange(solution.board.cells),)]
                yield without
            case Strokes() | Walls() | PairsView() | SetView() | TableView():
                # Remove one element.
                yield without
            case _:
                # Exchange the values, or the times, of two squares.
                exchanged = list(original)
                exchanged[a] = (original[a][0], original[b][1])
                exchanged[b] = (original[b][0], original[a][1])
                yield exchanged


def _two_cycles(steps: Members, i: int, j: int, board: Board) -> Iterator[Members]:
    """Yield the moves with the ends of two exchanged, which splits a cycle into two."""
    (a, b), (c, d) = steps[i], steps[j]
    if board.is_move(a, d) and board.is_move(c, b):
        changed = list(steps)
        changed[i], changed[j] = (a, d), (c, b)
        yield changed


def _fixed(
    instance: PlannedInstance,
    variant: str,
    expected: Status,
    formula: FormulaFile,
    clauses: list[list[int]],
    folder: Path,
) -> PlannedInstance:
    file = folder / f"{instance.encoding}-{variant.replace(' ', '-')}.cnf"
    variables = max([formula.variables, *(abs(x) for clause in clauses for x in clause)])
    header = b"p cnf %d %d\n" % (variables, formula.clauses + len(clauses))
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
