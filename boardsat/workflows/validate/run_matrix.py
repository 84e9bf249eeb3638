"""The plan: every encoding of a problem with every available solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import Capability, InputFormat
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, Question
from boardsat.campaign.runner.solver_selection import ALL, Skipped, SolverConfig
from boardsat.clock import CommandLimitError, during, harness_limits, running
from boardsat.generators import Spec, build, find, load, program, transform, write
from boardsat.generators.choices import split
from boardsat.generators.sections.fix_parameter import FIX
from boardsat.generators.spec.catalogue import encodings_of, problems
from boardsat.instance.file_types import PROGRAM_SUFFIX
from boardsat.instance.formula_file import PARITY_AS_CLAUSES

BOARD = "the board"
"""What stands for an encoding where a solver or a counter needs none."""


@dataclass(frozen=True)
class PlannedInstance:
    """A formula on disk, and how it was made."""

    problem: str
    encoding: str
    file: str
    formula: str
    spec: Spec | None = None
    """None for a file that is given."""
    settings: Mapping[str, str] = field(default_factory=dict)
    variant: str = PLAIN
    expected: str | None = None
    counts: bool = True
    """Whether its count is claimed to be that of the problem."""
    xor_lines: int = 0
    """Which only some solvers read, and no counter does."""


def size_of(instance: PlannedInstance) -> int:
    """In bytes: small formulas are likely to be easy."""
    return Path(instance.file).stat().st_size


def instances(
    problem: str, encodings: str, settings: Mapping[str, str], folder: Path, limits: Limits
) -> tuple[list[PlannedInstance], list[Skipped]]:
    """The formula of every encoding, each within the limits of our own work in a run.

    One that does not know these settings is left out, and one that cannot be made within them.
    """
    specs = _specs(problem, encodings)
    # The rules of a spec from elsewhere are known only by the problem it is said to encode.
    name = problem.partition("/")[0] if problem.partition("/")[0] in problems() else ""
    made: list[PlannedInstance] = []
    skipped: list[Skipped] = []
    refused: InputError | None = None
    limited: CommandLimitError | None = None
    for encoding, spec in specs.items():
        try:
            planned = PlannedInstance(name, encoding, "", "", spec, settings)
            with running(harness_limits(limits)), during("the formula was made"):
                made.append(write_instance(planned, folder))
        except CommandLimitError as error:
            limited = limited or error
            skipped.append(Skipped(encoding, error.fault))
        except InputError as error:
            refused = refused or error
            skipped.append(Skipped(encoding, str(error)))
    if refused is not None and (not made or encodings != ALL):
        raise refused
    if limited is not None and not made:
        raise limited
    return made, skipped


def _specs(problem: str, encodings: str) -> dict[str, Spec]:
    if problem.endswith((".yaml", ".yml")) or "/" in problem:
        if encodings != ALL:
            raise InputError("that is one encoding already", "leave --enc out", problem)
        spec = find(problem)
        return {Path(problem).stem: spec}
    words = encodings_of(problem) if encodings == ALL else split(encodings, "--enc")
    return {
        Path(word).stem: load(word) if word.endswith((".yaml", ".yml")) else find(problem, word)
        for word in words
    }


def write_instance(
    instance: PlannedInstance,
    folder: Path,
    three_cnf: str | None = None,
    shuffle: int | None = None,
) -> PlannedInstance:
    """Write the formula of a spec and settings, transformed if asked for."""
    assert instance.spec is not None
    formula = transform(
        build(instance.spec, instance.settings), three_cnf=three_cnf, shuffle=shuffle
    )
    if formula.weights:
        raise InputError(
            "its literals have weights, which a validation does not compare",
            "count it with `boardsat count --referee NAME`",
            instance.spec.file,
        )
    name = f"{instance.encoding}-{instance.variant.replace(' ', '-')}".strip("-")
    file = str(folder / f"{name}.cnf")
    write(formula, file)
    header = formula.header
    return replace(
        instance,
        file=file,
        formula=sha256(Path(file)),
        counts=header.projection is not None or header.keeps_counts,
        xor_lines=formula.xor_lines,
    )


def jobs(
    made: Iterable[PlannedInstance],
    chosen: Iterable[SolverConfig],
    limits: Limits,
    seed: int | None,
) -> Iterator[Job]:
    """All combinations; who needs no formula is asked once."""
    asked: set[str] = set()
    for instance in made:
        for choice in chosen:
            solver = choice.solver
            if solver.problems and instance.problem not in solver.problems:
                continue
            if not can_read(choice, instance):
                continue
            subject = instance
            if solver.input_format is not InputFormat.CNF:
                if choice.name in asked or (
                    solver.input_format is InputFormat.PROGRAM and not instance.spec
                ):
                    continue
                if FIX in instance.settings:
                    continue  # the board alone does not tell what is fixed
                asked.add(choice.name)
                subject = replace(_subject(instance, solver), encoding=BOARD)
            if Capability.DECIDE in solver.capabilities:
                yield job(subject, choice, DECIDE, limits, seed)
            counted = instance.counts and not (
                solver.input_format is InputFormat.CNF and instance.xor_lines
            )
            if solver.counts and counted:
                yield job(subject, choice, COUNT, limits, seed)


def can_read(choice: SolverConfig, instance: PlannedInstance) -> bool:
    solver = choice.solver
    return (
        not instance.xor_lines
        or solver.input_format is not InputFormat.CNF
        or Capability.XOR in solver.capabilities
    )


def unread(made: Iterable[PlannedInstance], chosen: Sequence[SolverConfig]) -> list[Skipped]:
    """The solvers that do not read some formula, with the reason; none that does is an error."""
    skipped: list[Skipped] = []
    for instance in made:
        blind = [choice for choice in chosen if not can_read(choice, instance)]
        if len(blind) == len(chosen):
            place = "" if instance.spec else instance.file
            fault = f"{instance.encoding} has xor lines, which none of these solvers reads"
            raise InputError(fault, PARITY_AS_CLAUSES, place)
        reason = f"it does not read the xor lines of {instance.encoding}"
        skipped += [Skipped(choice.name, reason) for choice in blind]
    return skipped


def _subject(instance: PlannedInstance, solver: Solver) -> PlannedInstance:
    """What a solver without a formula reads: the comments of the file, or a program beside it."""
    if solver.input_format is InputFormat.BOARD:
        return instance
    assert instance.spec is not None
    path = Path(instance.file).with_suffix(PROGRAM_SUFFIX)
    scratch.write(path, [program(instance.spec, instance.settings).encode("ascii")])
    return replace(instance, file=str(path))


def job(
    instance: PlannedInstance,
    choice: SolverConfig,
    task: Question,
    limits: Limits,
    seed: int | None,
) -> Job:
    return Job(
        problem=instance.problem,
        encoding=instance.encoding,
        variant=instance.variant,
        expected=instance.expected,
        file=instance.file,
        formula=instance.formula,
        solver=choice.name,
        task=task,
        runtime=choice.runtime,
        version=choice.version,
        setup=choice.setup,
        image=choice.image,
        proves=choice.proves and task == DECIDE,
        wall=limits.wall,
        cpu=limits.cpu,
        memory=limits.memory,
        seed=seed if choice.solver.takes_seed(choice.runtime) else None,
    )
