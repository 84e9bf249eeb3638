"""Run matrix: the formula of every encoding of a problem, and a job for every solver on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from boardsat.adapters.command_clock import (
    CommandLimitError,
    harness_limits,
    limited_command,
    work_step,
)
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    supports,
)
from boardsat.adapters.solvers.solver import InputFormat
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import (
    COUNT,
    DECIDE,
    PLAIN,
    Attempt,
    FormulaSource,
    Job,
    Output,
    Question,
    RunTask,
)
from boardsat.campaign.runner.solver_selection import ALL, Skipped, SolverConfig
from boardsat.generators import Spec, build, find, load, program, transform, write
from boardsat.generators.option_values import split
from boardsat.generators.sections.parameters import FIX
from boardsat.generators.spec.catalogue import encodings_of, problems
from boardsat.instance.file_types import PROGRAM_SUFFIX, SPEC_SUFFIXES
from boardsat.instance.formula_file import PARITY_AS_CLAUSES

BOARD = "the board"
"""Encoding in records of solvers and counters that do not read a formula."""


@dataclass(frozen=True)
class PlannedInstance:
    """Formula on disk, with the spec and settings that it was built from."""

    problem: str
    """Name of the problem in the catalogue, for its rules. Empty if unknown."""
    encoding: str
    file: str
    formula: str
    """SHA-256 of the file."""
    spec: Spec | None = None
    """Spec of the encoding. None for a formula file that the user gave."""
    settings: Mapping[str, str] = field(default_factory=dict)
    variant: str = PLAIN
    expected: str | None = None
    """Status that follows from the construction of the formula. None if unknown."""
    counts: bool = True
    """True if the formula has as many projected models as the problem has solutions."""
    xor_lines: int = 0
    """Number of native XOR lines. Few solvers and no counters support them."""

    @property
    def size(self) -> int:
        """Size of the file in bytes, an estimate of its difficulty."""
        return Path(self.file).stat().st_size


def instances(
    problem: str, encodings: str, settings: Mapping[str, str], folder: Path, limits: Limits
) -> tuple[list[PlannedInstance], list[Skipped]]:
    """Write the formula of every encoding, each within the limits of a run.

    Encodings that reject the settings, or whose formula exceeds the limits, are skipped.
    """
    specs = _specs(problem, encodings)
    # The rules of an external spec are those of the problem in its name.
    name = problem.partition("/")[0] if problem.partition("/")[0] in problems() else ""
    planned: list[PlannedInstance] = []
    skipped: list[Skipped] = []
    input_error: InputError | None = None
    limit_error: CommandLimitError | None = None
    for encoding, spec in specs.items():
        try:
            instance = PlannedInstance(name, encoding, "", "", spec, settings)
            with limited_command(harness_limits(limits)), work_step("the formula was made"):
                planned.append(write_instance(instance, folder))
        except CommandLimitError as error:
            limit_error = limit_error or error
            skipped.append(Skipped(encoding, error.fault))
        except InputError as error:
            input_error = input_error or error
            skipped.append(Skipped(encoding, str(error)))
    if input_error is not None and (not planned or encodings != ALL):
        raise input_error
    if limit_error is not None and not planned:
        raise limit_error
    return planned, skipped


def _specs(problem: str, encodings: str) -> dict[str, Spec]:
    if problem.endswith(SPEC_SUFFIXES) or "/" in problem:
        if encodings != ALL:
            fault = f"{problem} is an encoding, so no other can be selected"
            raise InputError(fault, "name the problem alone", f"--encoding {encodings}")
        spec = find(problem)
        return {Path(problem).stem: spec}
    names = encodings_of(problem) if encodings == ALL else split(encodings, "--encoding")
    return {
        Path(name).stem: load(name) if name.endswith(SPEC_SUFFIXES) else find(problem, name)
        for name in names
    }


def write_instance(
    instance: PlannedInstance,
    folder: Path,
    three_cnf: str | None = None,
    shuffle: int | None = None,
) -> PlannedInstance:
    """Build and write the formula of an instance, with optional transforms."""
    assert instance.spec is not None
    formula = transform(
        build(instance.spec, instance.settings), three_cnf=three_cnf, shuffle=shuffle
    )
    if formula.weights:
        raise InputError(
            "validate does not support literal weights",
            "use `boardsat count --reference NAME`",
            instance.spec.source.file,
        )
    name = f"{instance.encoding}-{instance.variant.replace(' ', '-')}".strip("-")
    file = str(folder / f"{name}.cnf")
    write(formula, file)
    header = formula.header
    return replace(
        instance,
        file=file,
        formula=sha256(Path(file)),
        counts=header.projection is not None or header.count_preserving,
        xor_lines=formula.xor_lines,
    )


def jobs(
    instances: Iterable[PlannedInstance],
    configs: Iterable[SolverConfig],
    limits: Limits,
    seed: int | None,
) -> Iterator[Job]:
    """Yield a job for every formula, solver and task; solvers of boards or programs run once."""
    board_readers: set[str] = set()
    for instance in instances:
        for config in configs:
            solver = config.solver
            if not solver.supports_problem(instance.problem):
                continue
            outputs = _outputs(solver, instance)
            subject = instance
            if solver.input_format is not InputFormat.CNF:
                is_file = solver.input_format is InputFormat.PROGRAM and not instance.spec
                if config.identity.name in board_readers or is_file:
                    continue
                if FIX in instance.settings:
                    continue  # the board does not contain the fixed literals
                board_readers.add(config.identity.name)
                subject = replace(_board_or_program(instance, solver), encoding=BOARD)
            if OutputKind.MODEL in outputs:
                yield new_job(subject, config, DECIDE, limits, seed)
            if instance.counts and outputs & {OutputKind.COUNT, OutputKind.ESTIMATE}:
                yield new_job(subject, config, COUNT, limits, seed)


def _outputs(solver: Solver, instance: PlannedInstance) -> set[OutputKind]:
    """Return the outputs that a solver supports for an instance, or for its board or program."""
    has_xor_lines = instance.xor_lines and solver.input_format is InputFormat.CNF
    features = {InputFeature.XOR_LINES} if has_xor_lines else set()
    outputs = (OutputKind.MODEL, OutputKind.COUNT, OutputKind.ESTIMATE)
    return {output for output in outputs if supports(solver, SolverRequirements(features, output))}


def unsupported_solvers(
    instances: Iterable[PlannedInstance], configs: Sequence[SolverConfig]
) -> list[Skipped]:
    """Return the solvers that do not support some formula; raise InputError if none does."""
    skipped: list[Skipped] = []
    for instance in instances:
        unable = [config for config in configs if not _outputs(config.solver, instance)]
        if len(unable) == len(configs):
            location = "" if instance.spec else instance.file
            fault = f"none of the solvers supports the XOR lines of {instance.encoding}"
            raise InputError(fault, PARITY_AS_CLAUSES, location)
        reason = f"it does not support the XOR lines of {instance.encoding}"
        skipped += [Skipped(config.identity.name, reason) for config in unable]
    return skipped


def _board_or_program(instance: PlannedInstance, solver: Solver) -> PlannedInstance:
    """Return the instance for a solver of boards, or with a logic program as its file."""
    if solver.input_format is InputFormat.BOARD:
        return instance
    assert instance.spec is not None
    path = Path(instance.file).with_suffix(PROGRAM_SUFFIX)
    scratch.write(path, [program(instance.spec, instance.settings).encode("ascii")])
    return replace(instance, file=str(path))


def new_job(
    instance: PlannedInstance,
    config: SolverConfig,
    task: RunTask,
    limits: Limits,
    seed: int | None,
) -> Job:
    return Job(
        question=Question(
            problem=instance.problem,
            encoding=instance.encoding,
            variant=instance.variant,
            expected=instance.expected,
            formula=instance.formula,
            task=task,
        ),
        identity=config.identity,
        source=FormulaSource(instance.file),
        limits=limits,
        attempt=Attempt(config.seed(seed)),
        output=Output(proves=config.proves and task is DECIDE),
    )
