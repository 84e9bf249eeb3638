"""Metamorphic tests: changed instances with the same answer, and boards known to be right or wrong.

Each is run by the fastest reliable solver on the encoding: one with a checked answer and without a
refuted one. A wrong board has to be refuted, by a solver that proves it if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from boardsat.adapters.boards import GraphBoard, Grid, board_of
from boardsat.adapters.boards._pieces import Pieces
from boardsat.adapters.command_clock import CommandLimitError, during, harness_limits, running
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import InputFormat
from boardsat.campaign.report.found_boards import Found, boards_of
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord, RunTask
from boardsat.campaign.runner.solver_selection import SolverConfig
from boardsat.generators import encodings
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.known_boards import BROKEN, KNOWN, broken, known
from boardsat.workflows.validate.run_matrix import (
    PlannedInstance,
    new_job,
    size_of,
    write_instance,
)
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS, PossibleRun, RunKey

TIME_FACTOR = 2.0
"""Minimum time of a test, as a multiple of the time that the plain formula took."""

SHUFFLE_SEED = 1  # any would do, but the same again after an interrupt

BOARD_TESTS = {KNOWN: known, BROKEN: broken}
"""Tests whose answer is known beforehand."""


@dataclass(frozen=True)
class MetamorphicTest:
    """Changed instance whose answer follows from that of another one."""

    base: PlannedInstance
    name: str
    make: Callable[[Path], PlannedInstance | None]
    """Writes the formula into a folder. None if it does not make sense for the encoding."""

    @property
    def has_one_answer(self) -> bool:
        return self.name in BOARD_TESTS


class MetamorphicTests:
    """Tests of all encodings, as runs of a schedule that follow from earlier ones."""

    def __init__(
        self,
        made: Sequence[PlannedInstance],
        problems: Mapping[str, FormulaFile],
        chosen: Sequence[SolverConfig],
        limits: Limits,
        seed: int | None,
        folder: Path,
        published: ReferenceCount | None,
    ) -> None:
        self.made, self.problems, self.limits, self.seed = made, problems, limits, seed
        self.published = published
        self.solvers = [
            config for config in chosen if config.solver.input_format is InputFormat.CNF
        ]
        self.folder = folder
        self.written: dict[tuple[str, str], PlannedInstance | None] = {}
        """Formula by encoding and variant. None if it cannot be made."""
        self.assigned: dict[tuple[str, str, RunTask], str] = {}
        """Solver by encoding, variant and task: the last one that was to run it."""

    @property
    def files(self) -> dict[str, str]:
        """Files by the hash of the formula."""
        return {made.formula: made.file for made in self.written.values() if made is not None}

    def deciding(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield the first test of every encoding, then the second one, and so on.

        Called again, it yields the tests whose solver has turned out to be wrong.
        """
        evidence = ValidationEvidence(records, self.published)
        reliable = self._reliable(DECIDE, evidence)
        provers = [config for config in reliable if config.proves]
        sound = [record for record in records if not record.outcome.fault]
        for test in self._open_tests(DECIDE, evidence):
            best = fastest(test.base, DECIDE, sound, reliable)
            if test.has_one_answer:
                # A wrong board is the fault of the encoding, which this is to show.
                best = best or fastest(test.base, DECIDE, records, reliable)
            if test.name == BROKEN:
                best = fastest(test.base, DECIDE, sound, provers) or best
            yield from self._runs(test, DECIDE, best)

    def counting(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield counts of the changed instances, which must be those of the plain ones."""
        evidence = ValidationEvidence(records, self.published)
        reliable = self._reliable(COUNT, evidence)
        for test in self._open_tests(COUNT, evidence):
            if test.base.counts and not test.has_one_answer:
                best = fastest(test.base, COUNT, evidence.believed(), reliable)
                yield from self._runs(test, COUNT, best)

    def _reliable(self, task: RunTask, evidence: ValidationEvidence) -> list[SolverConfig]:
        reliable = evidence.reliable_solvers(task)
        return [config for config in self.solvers if config.identity.name in reliable]

    def _open_tests(self, task: RunTask, evidence: ValidationEvidence) -> Iterator[MetamorphicTest]:
        """Yield the tests that no solver has answered, except those that are wrong."""
        credible = {
            (record.question.encoding, record.question.variant, record.question.task)
            for record in evidence.believed()
        } | {key for key, name in self.assigned.items() if name not in evidence.wrong_solvers}
        assigned = {key for key in self.assigned if key[2] == task}
        if assigned and assigned <= credible:
            return  # without a look at the formulas again
        for test in self._tests(evidence.records):
            if (test.base.encoding, test.name, task) not in credible:
                yield test

    def _tests(self, records: Sequence[RunRecord]) -> Iterator[MetamorphicTest]:
        boards = [found for found in boards_of(records, self.problems) if found.believed]
        tests = [_tests_of(made, boards) for made in self.made if made.spec is not None]
        in_turn = chain.from_iterable(zip_longest(*tests))
        yield from (test for test in in_turn if test is not None)

    def _runs(
        self, test: MetamorphicTest, task: RunTask, best: tuple[SolverConfig, float] | None
    ) -> Iterator[PossibleRun]:
        if best is not None:
            config, seconds = best
            self.assigned[test.base.encoding, test.name, task] = config.identity.name
            yield PossibleRun(
                RunKey(test.base.encoding, test.name, config.identity.name, task),
                size_of(test.base),
                partial(self._job, test, task, config),
                max(MIN_RUN_SECONDS, TIME_FACTOR * seconds),
            )

    def _job(self, test: MetamorphicTest, task: RunTask, config: SolverConfig) -> Job | None:
        key = test.base.encoding, test.name
        if key not in self.written:
            try:
                with running(harness_limits(self.limits)), during("the formula was made"):
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
    """Return the fastest solver on the plain formula and its seconds; None if none answered."""
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


def _tests_of(instance: PlannedInstance, boards: Sequence[Found]) -> Iterator[MetamorphicTest]:
    # Best from another encoding, as one and the same might be wrong in the same way.
    elsewhere = [found for found in boards if found.record.question.encoding != instance.encoding]
    for found in (elsewhere or boards)[:1]:
        for name, make in BOARD_TESTS.items():
            yield MetamorphicTest(instance, name, partial(make, instance, found.solution))
    yield from variants(instance)


def variants(instance: PlannedInstance) -> Iterator[MetamorphicTest]:
    """Yield changed instances that have the same answer and count."""
    if instance.spec is None:
        return
    header = open_formula(instance.file).header
    # What is fixed would have to move with the board.
    for name, change in () if header.parameters.get("fix") else _CHANGES.items():
        if changed := change(header):
            variant = replace(instance, variant=name, settings={**instance.settings, **changed})
            yield MetamorphicTest(instance, name, partial(write_instance, variant))
    if instance.xor_lines:
        return  # transforms do not change them
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
    """Return the parameters that change when every cell is mapped to another one.

    `exchange`: rows become columns.
    """
    board, parameters = board_of(header), header.parameters
    # Holes and pieces would have to be mapped with the board.
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
        for cell, given in enumerate(parameters["givens"]):
            givens[target[cell]] = given
        changed["givens"] = ",".join(map(str, givens))
        parameters = {**parameters, "givens": ",".join(map(str, parameters["givens"]))}
    return {key: str(value) for key, value in changed.items() if value != parameters[key]}


def _other_start(header: Header) -> dict[str, str]:
    """Return the next cell as the start of a closed tour, which may begin anywhere."""
    board, parameters = board_of(header), header.parameters
    if board is None or board.cells < 2 or "start" not in parameters:
        return {}
    if not parameters.get("closed"):
        return {}
    other = (parameters["start"] + 1) % board.cells
    return {"start": board.name(other) if isinstance(board, GraphBoard) else str(other)}


def _other_at_most_one(header: Header) -> dict[str, str]:
    present = header.parameters.get("amo")
    others = [name for name in encodings.names("amo") if name != present]
    return {"amo": others[-1]} if present else {}


_CHANGES = {
    "transposed": _transposed,
    "reflected": _reflected,
    "another start": _other_start,
    "another at-most-one": _other_at_most_one,
}
