"""Metamorphic tests: equivalent variants of an instance, and boards of known validity.

Each test is run by the fastest reliable solver of the encoding: one with a checked answer and
without refuted answers. Invalid boards are refuted by a solver with proofs, if available.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from boardsat.adapters.boards import GraphBoard, Grid, board_of
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
from boardsat.campaign.report.found_boards import FoundBoard, boards_of
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord, RunTask
from boardsat.campaign.runner.solver_selection import SolverConfig
from boardsat.generators import encodings
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.known_boards import (
    BROKEN,
    KNOWN,
    fix_invalid_boards,
    fix_known_board,
)
from boardsat.workflows.validate.run_matrix import (
    PlannedInstance,
    new_job,
    write_instance,
)
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS, PossibleRun, RunKey

TIME_FACTOR = 2.0
"""Minimum time of a test, as a multiple of the time for the plain formula."""

SHUFFLE_SEED = 1  # fixed, so that a repeated validation reuses the records

BOARD_TESTS = {KNOWN: fix_known_board, BROKEN: fix_invalid_boards}
"""Tests with an expected status, by the name of the variant."""


@dataclass(frozen=True)
class MetamorphicTest:
    """Variant of an instance whose answer is known or equals that of the plain formula."""

    base: PlannedInstance
    name: str
    make: Callable[[Path], PlannedInstance | None]
    """Function that writes the formula to a folder; None if the encoding cannot express it."""

    @property
    def has_expected_status(self) -> bool:
        return self.name in BOARD_TESTS


class MetamorphicTests:
    """Metamorphic tests of all encodings, as stages of a schedule."""

    def __init__(
        self,
        instances: Sequence[PlannedInstance],
        formulas: Mapping[str, FormulaFile],
        configs: Sequence[SolverConfig],
        limits: Limits,
        seed: int | None,
        folder: Path,
        published: ReferenceCount | None,
    ) -> None:
        self.instances, self.formulas = instances, formulas
        self.limits, self.seed = limits, seed
        self.published = published
        self.solvers = [
            config for config in configs if config.solver.input_format is InputFormat.CNF
        ]
        self.folder = folder
        self.written: dict[tuple[str, str], PlannedInstance | None] = {}
        """Written formula by encoding and variant. None if it cannot be expressed or built."""
        self.assigned: dict[tuple[str, str, RunTask], str] = {}
        """Name of the last scheduled solver by encoding, variant and task."""

    @property
    def files(self) -> dict[str, str]:
        """Formula files by their hash."""
        return {
            variant.formula: variant.file
            for variant in self.written.values()
            if variant is not None
        }

    def deciding(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield decision runs of the tests, round-robin over the encodings.

        Later calls yield the tests whose solver was refuted since.
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

    def counting(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield counting runs of the equivalent variants; their counts must be equal."""
        evidence = ValidationEvidence(records, self.published)
        reliable = self._reliable(COUNT, evidence)
        for test in self._open_tests(COUNT, evidence):
            if test.base.counts and not test.has_expected_status:
                best = fastest(test.base, COUNT, evidence.believed(), reliable)
                yield from self._runs(test, COUNT, best)

    def _reliable(self, task: RunTask, evidence: ValidationEvidence) -> list[SolverConfig]:
        reliable = evidence.reliable_solvers(task)
        return [config for config in self.solvers if config.identity.name in reliable]

    def _open_tests(self, task: RunTask, evidence: ValidationEvidence) -> Iterator[MetamorphicTest]:
        """Yield the tests without a scheduled or believed run by a credible solver."""
        credible = {
            (record.question.encoding, record.question.variant, record.question.task)
            for record in evidence.believed()
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
        for name, make in BOARD_TESTS.items():
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


def _transposed(header: Header) -> dict[str, str]:
    return _moved(header, lambda row, column, board: (column, row), exchange=True)


def _reflected(header: Header) -> dict[str, str]:
    return _moved(header, lambda row, column, board: (row, board.cols - 1 - column))


def _moved(
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
    "transposed": _transposed,
    "reflected": _reflected,
    "other start": _other_start,
    "other at-most-one": _other_at_most_one,
}
