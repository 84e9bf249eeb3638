"""Metamorphic tests: equivalent variants of an instance, and boards of known validity.

Each test is run by the fastest reliable solver of the encoding: one with a checked answer and
without refuted answers. Invalid boards are refuted by a solver with proofs, if available.

A board found by one solver in one encoding must extend to a model in every other encoding; a board
that violates the rules must not. Appended clauses fix the variables that a board is decoded from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from boardsat.adapters import rules
from boardsat.adapters.answer import Model, Status
from boardsat.adapters.boards import Board, GraphBoard, Grid, board_of
from boardsat.adapters.boards._board import Pieces
from boardsat.adapters.command_clock import (
    CommandLimitError,
    harness_limits,
    limited_command,
    work_step,
)
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.solver import InputFormat
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
from boardsat.campaign.report.found_boards import FoundBoard, boards_of
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord, RunTask
from boardsat.campaign.runner.solver_selection import SolverConfig
from boardsat.generators import encodings
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.solve.board_models import Members, board_literals, member_lists
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.run_matrix import (
    PlannedInstance,
    new_job,
    write_instance,
)
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS, PossibleRun, RunKey

KNOWN, BROKEN = "known board", "invalid boards"
BOARD_TESTS = {KNOWN: "a known board satisfies", BROKEN: "invalid boards are rejected by"}
"""Variants with an expected status, each with the words before the names of encodings."""

MAX_BROKEN_BOARDS, MAX_TRIES = 20, 2000
"""Maximum number of invalid boards in a test, and of mutations tried to find them."""

MUTATION_SEED = 1

TIME_FACTOR = 2.0
"""Minimum time of a test, as a multiple of the time for the plain formula."""

SHUFFLE_SEED = 1  # fixed, so that a repeated validation reuses the records


@dataclass(frozen=True)
class MetamorphicTest:
    """Variant of an instance whose answer is known or equals that of the plain formula."""

    base: PlannedInstance
    name: str
    make: Callable[[Path], PlannedInstance | None]
    """Function that writes the formula to a folder; it returns None if that is impossible."""

    @property
    def has_expected_status(self) -> bool:
        return self.name in BOARD_TESTS


@dataclass
class MetamorphicTests:
    """Metamorphic tests of all encodings, as stages of a schedule."""

    instances: Sequence[PlannedInstance]
    formulas: Mapping[str, FormulaFile]
    """Formulas of the instances by their hash."""
    configs: Sequence[SolverConfig]
    limits: Limits
    seed: int | None
    folder: Path
    published: ReferenceCount | None
    written: dict[tuple[str, str], PlannedInstance | None] = field(default_factory=dict)
    """Written formula by encoding and variant. None if it cannot be expressed or built."""
    assigned: dict[tuple[str, str, RunTask], str] = field(default_factory=dict)
    """Name of the last scheduled solver by encoding, variant and task."""

    @property
    def files(self) -> dict[str, str]:
        """Formula files by their hash."""
        return {
            variant.formula: variant.file
            for variant in self.written.values()
            if variant is not None
        }

    def decision_runs(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield decision runs of the tests, round-robin over the encodings.

        A later call yields the tests whose solver has been refuted meanwhile.
        """
        evidence = ValidationEvidence(records, self.published)
        reliable = self._reliable(DECIDE, evidence)
        provers = [config for config in reliable if config.proves]
        sound = [record for record in records if not record.outcome.fault]
        for test in self._open_tests(DECIDE, evidence):
            best = fastest(test.base, DECIDE, sound, reliable)
            if test.has_expected_status:
                # A model with a wrong board is a fault of the encoding, so the solver is usable.
                best = best or fastest(test.base, DECIDE, records, reliable)
            if test.name == BROKEN:
                best = fastest(test.base, DECIDE, sound, provers) or best
            yield from self._runs(test, DECIDE, best)

    def counting_runs(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield counting runs of the equivalent variants; their counts must be equal."""
        evidence = ValidationEvidence(records, self.published)
        reliable = self._reliable(COUNT, evidence)
        for test in self._open_tests(COUNT, evidence):
            if test.base.counts and not test.has_expected_status:
                best = fastest(test.base, COUNT, evidence.believed_records(), reliable)
                yield from self._runs(test, COUNT, best)

    def _reliable(self, task: RunTask, evidence: ValidationEvidence) -> list[SolverConfig]:
        reliable = evidence.reliable_solvers(task)
        return [
            config
            for config in self.configs
            if config.solver.input_format is InputFormat.CNF and config.identity.name in reliable
        ]

    def _open_tests(self, task: RunTask, evidence: ValidationEvidence) -> Iterator[MetamorphicTest]:
        """Yield the tests without a believed answer and without a run by an unrefuted solver."""
        credible = {
            (record.question.encoding, record.question.variant, record.question.task)
            for record in evidence.believed_records()
        } | {key for key, name in self.assigned.items() if name not in evidence.wrong_solvers}
        assigned = {key for key in self.assigned if key[2] == task}
        if assigned and assigned <= credible:
            return  # saves reading the formulas again
        for test in self._tests(evidence.records):
            if (test.base.encoding, test.name, task) not in credible:
                yield test

    def _tests(self, records: Sequence[RunRecord]) -> Iterator[MetamorphicTest]:
        boards = [board for board in boards_of(records, self.formulas) if board.is_valid]
        tests = [_tests_of(it, boards) for it in self.instances if it.spec is not None]
        round_robin = chain.from_iterable(zip_longest(*tests))
        yield from (test for test in round_robin if test is not None)

    def _runs(
        self, test: MetamorphicTest, task: RunTask, best: tuple[SolverConfig, float] | None
    ) -> Iterator[PossibleRun]:
        if best is not None:
            config, seconds = best
            self.assigned[test.base.encoding, test.name, task] = config.identity.name
            yield PossibleRun(
                RunKey(test.base.encoding, test.name, config.identity.name, task),
                test.base.size,
                partial(self._job, test, task, config),
                max(MIN_RUN_SECONDS, TIME_FACTOR * seconds),
            )

    def _job(self, test: MetamorphicTest, task: RunTask, config: SolverConfig) -> Job | None:
        key = test.base.encoding, test.name
        if key not in self.written:
            try:
                with (
                    limited_command(harness_limits(self.limits)),
                    work_step("the formula was made"),
                ):
                    self.written[key] = test.make(self.folder)
            except CommandLimitError:
                self.written[key] = None
        instance = self.written[key]
        return None if instance is None else new_job(instance, config, task, self.limits, self.seed)


def fastest(
    instance: PlannedInstance,
    task: RunTask,
    records: Sequence[RunRecord],
    solvers: Sequence[SolverConfig],
) -> tuple[SolverConfig, float] | None:
    """Return the fastest solver on the plain formula and its seconds; None without an answer."""
    configs = {config.identity.name: config for config in solvers}
    answered = [
        record
        for record in records
        if record.question.encoding == instance.encoding
        and record.question.variant == PLAIN
        and record.question.task == task
        and record.identity.name in configs
        and record.answered
        and record.count.exact
    ]
    best = min(answered, key=lambda record: record.usage.wall, default=None)
    return (configs[best.identity.name], best.usage.wall) if best else None


def _tests_of(instance: PlannedInstance, boards: Sequence[FoundBoard]) -> Iterator[MetamorphicTest]:
    # Preferably a board from another encoding, for independence.
    independent = [board for board in boards if board.record.question.encoding != instance.encoding]
    for board in (independent or boards)[:1]:
        for name, make in ((KNOWN, fix_known_board), (BROKEN, fix_invalid_boards)):
            yield MetamorphicTest(instance, name, partial(make, instance, board.solution))
    yield from variants(instance)


def variants(instance: PlannedInstance) -> Iterator[MetamorphicTest]:
    """Yield variants with the same status and count as the instance."""
    if instance.spec is None:
        return
    header = open_formula(instance.file).header
    # Fixed literals are not mapped with the board.
    for name, change in () if header.parameters.get("fix") else _CHANGES.items():
        if changed := change(header):
            variant = replace(instance, variant=name, settings={**instance.settings, **changed})
            yield MetamorphicTest(instance, name, partial(write_instance, variant))
    if instance.xor_lines:
        return  # transforms do not support XOR lines
    for name, options in (
        ("shuffled", {"shuffle": SHUFFLE_SEED}),
        ("three-cnf", {"three_cnf": "auto"}),
    ):
        variant = replace(instance, variant=name)
        yield MetamorphicTest(instance, name, partial(write_instance, variant, **options))


def _transpose(header: Header) -> dict[str, str]:
    return _mapped_parameters(header, lambda row, column, board: (column, row), exchange=True)


def _reflect(header: Header) -> dict[str, str]:
    return _mapped_parameters(header, lambda row, column, board: (row, board.cols - 1 - column))


def _mapped_parameters(
    header: Header, image: Callable[[int, int, Grid], tuple[int, int]], exchange: bool = False
) -> dict[str, str]:
    """Return the parameters that change under a mapping of the cells.

    `exchange` is True if rows become columns.
    """
    board, parameters = board_of(header), header.parameters
    # Holes and pieces are not mapped.
    if not isinstance(board, Grid) or board.pieces != Pieces():
        return {}
    cols = board.rows if exchange else board.cols
    target = []
    for cell in range(board.cells):
        row, column = image(*divmod(cell, board.cols), board)
        target.append(row * cols + column)
    changed: dict[str, Any] = {}
    if "rows" in parameters and "cols" in parameters:
        rows, columns = parameters["rows"], parameters["cols"]
        changed |= {"rows": columns, "cols": rows} if exchange else {}
    elif exchange and board.rows != board.cols:
        return {}
    if isinstance(parameters.get("start"), int):
        changed["start"] = target[parameters["start"]]
    if parameters.get("givens"):
        givens = [0] * board.cells
        for cell, value in enumerate(parameters["givens"]):
            givens[target[cell]] = value
        changed["givens"] = ",".join(map(str, givens))
        parameters = {**parameters, "givens": ",".join(map(str, parameters["givens"]))}
    return {key: str(value) for key, value in changed.items() if value != parameters[key]}


def _other_start(header: Header) -> dict[str, str]:
    """Return the next cell as the start of a closed tour; all starts are equivalent."""
    board, parameters = board_of(header), header.parameters
    if board is None or board.cells < 2 or "start" not in parameters:
        return {}
    if not parameters.get("closed"):
        return {}
    start = (parameters["start"] + 1) % board.cells
    return {"start": board.name(start) if isinstance(board, GraphBoard) else str(start)}


def _other_at_most_one(header: Header) -> dict[str, str]:
    current = header.parameters.get("amo")
    alternatives = [name for name in encodings.names("amo") if name != current]
    return {"amo": alternatives[-1]} if current else {}


_CHANGES = {
    "transposed": _transpose,
    "reflected": _reflect,
    "other start": _other_start,
    "other at-most-one": _other_at_most_one,
}


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
    return _write_with_clauses(instance, KNOWN, Status.SATISFIABLE, formula, clauses, folder)


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
    return _write_with_clauses(instance, BROKEN, Status.UNSATISFIABLE, formula, clauses, folder)


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
    """Yield the moves after exchanging the ends of moves i and j, which splits a cycle in two."""
    (a, b), (c, d) = steps[i], steps[j]
    if board.is_move(a, d) and board.is_move(c, b):
        changed = list(steps)
        changed[i], changed[j] = (a, d), (c, b)
        yield changed


def _write_with_clauses(
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
