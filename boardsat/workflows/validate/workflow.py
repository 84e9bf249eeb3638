"""The validate workflow: plan, run, gather more evidence, compare, and triage contradictions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import AUTO, Capability, InputFormat
from boardsat.base import scratch
from boardsat.base.limits import Clock
from boardsat.base.locks import create_locked_folder
from boardsat.campaign.report.found_boards import Found, boards_of
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.job_queue import RunListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord
from boardsat.campaign.runner.solver_selection import ALL, Skipped, SolverConfig, select_solvers
from boardsat.campaign.runner.store import Store
from boardsat.generators.sections.parameters import as_set
from boardsat.generators.spec import defaults
from boardsat.generators.spec.catalogue import defaults_of, problems
from boardsat.instance.file_types import CNF_SUFFIXES
from boardsat.instance.formula_file import open_formula
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.workflows.count.reference import PUBLISHED, ReferenceCount
from boardsat.workflows.validate import consensus, run_matrix, triage
from boardsat.workflows.validate.consensus import Disagreement, Verdict
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.metamorphic import Further
from boardsat.workflows.validate.run_matrix import PlannedInstance
from boardsat.workflows.validate.schedule import (
    LeftOut,
    PossibleRun,
    Schedule,
    Stage,
    covering,
    total_time,
)
from boardsat.workflows.validate.triage import Report, Suspicion

LIKELY = "cadical"
"""Who is likely to decide any encoding soon."""


@dataclass(frozen=True)
class ValidationRequest:
    """What to validate, and how."""

    problem: str
    encodings: str = ALL
    solvers: str = ALL
    settings: Mapping[str, str] = field(default_factory=dict)
    runtime: str = AUTO
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    jobs: int | None = None
    results: Path = Path("out/validation")
    triage: float = 60.0
    """Seconds for making a disagreement small; 0 for none of it."""
    budget: float | None = None
    """Seconds for all of it; 0 for as long as it takes, None for what is usual."""


@dataclass(frozen=True)
class Validation:
    title: str
    objects: str
    """What is counted."""
    records: tuple[RunRecord, ...]
    skipped: tuple[Skipped, ...]
    """What cannot run here."""
    left_out: tuple[LeftOut, ...]
    """What the budget was too small for."""
    budget: float | None
    boards: tuple[Found, ...]
    verdict: Verdict
    published: ReferenceCount | None
    reports: tuple[Report, ...]
    """One for each disagreement that was looked into."""

    @cached_property
    def evidence(self) -> ValidationEvidence:
        return ValidationEvidence(self.records, self.published)


def validate(
    request: ValidationRequest, watching: Callable[[Sequence[Job]], RunListener]
) -> Validation:
    """Everything about a problem; `watching` is told the plan and shows how far it is."""
    begun = time.monotonic()
    cores = cores_of(request.jobs)
    chosen, absent = select_solvers(request.solvers, request.runtime)
    with create_locked_folder(request.results), scratch.folder() as folder:
        made, refused = _instances(request, folder)
        absent += run_matrix.unread(made, chosen)
        seconds = total_time(request.budget, sum(map(run_matrix.size_of, made)))
        clock = Clock(wall=seconds, started_wall=begun)
        opened = {instance.formula: open_formula(instance.file) for instance in made}
        about = opened[made[0].formula].header.objects
        objects, published = str(about.get("name", "models")), _published(made[0], about)
        names = [instance.encoding for instance in made]

        def compared(records: Sequence[RunRecord]) -> Verdict:
            return consensus.verdict(records, published, objects, names)

        store = Store(request.results)
        jobs = list(run_matrix.jobs(made, chosen, request.limits, request.seed))
        further = Further(made, opened, chosen, request.limits, request.seed, folder, published)
        schedule = Schedule(
            _stages(jobs, further),
            clock,
            len(cores),
            request.limits.wall,
            lambda records: bool(compared(records).disagreements),
            store.find,
        )
        with open_pool(cores, store, watching(jobs)) as pool:
            pool.run(schedule)
        left_out = schedule.finish()
        found = _in_order(schedule.records, jobs, names)
        records = ValidationEvidence(found, published).with_checked_counts()
        verdict = compared(records)
        files = {instance.formula: instance.file for instance in made} | further.files
        evidence = ValidationEvidence(records, published)
        reports = tuple(_triaged(verdict, evidence, files, chosen, request, clock))
    return Validation(
        _title(request),
        objects,
        tuple(records),
        (*absent, *refused),
        tuple(left_out),
        seconds,
        tuple(boards_of(records, opened)),
        verdict,
        published,
        reports,
    )


def _in_order(
    records: Iterable[RunRecord], jobs: Iterable[Job], names: Sequence[str]
) -> list[RunRecord]:
    """As the plan has them, however they were run; what is further comes last."""
    places = {(job.encoding, job.solver, job.task): place for place, job in enumerate(jobs)}

    def place(record: RunRecord) -> tuple[bool, int]:
        if record.variant == PLAIN:
            return False, places[record.encoding, record.solver, record.task]
        return True, names.index(record.encoding)

    return sorted(records, key=place)


def _stages(jobs: Sequence[Job], further: Further) -> list[Stage]:
    """Who decides, then what follows from it, then who counts, and what follows from that."""
    first, rest = covering((_item(job) for job in jobs), likely=LIKELY)
    deciding = [item for item in rest if item.task == DECIDE]
    counting = [item for item in rest if item.task == COUNT]
    return [
        Stage(lambda _: [*first, *deciding]),
        Stage(further.deciding, after=frozenset([DECIDE]), repeats=True),
        Stage(lambda _: counting, with_late=True),
        Stage(further.counting, after=frozenset([DECIDE, COUNT]), repeats=True),
        # A run that was repeated with more time may have shown a solver to be wrong, or reliable.
        Stage(further.deciding, after=frozenset([DECIDE, COUNT]), repeats=True),
    ]


def _item(job: Job) -> PossibleRun:
    # A board needs no formula, and the encoding that is meant for counting is the likeliest.
    is_easy = job.encoding == run_matrix.BOARD or (
        job.task == COUNT
        and job.problem in problems()
        and job.encoding == defaults_of(job.problem)[defaults.COUNT]
    )
    cost = 0 if is_easy else Path(job.file).stat().st_size
    return PossibleRun(job.encoding, job.variant, job.solver, job.task, cost, lambda: job)


def _title(request: ValidationRequest) -> str:
    settings = (as_set(key, value) for key, value in request.settings.items())
    return " ".join((request.problem, *settings))


def _instances(
    request: ValidationRequest, folder: Path
) -> tuple[list[PlannedInstance], list[Skipped]]:
    if not request.problem.endswith(CNF_SUFFIXES):
        return run_matrix.instances(
            request.problem, request.encodings, request.settings, folder, request.limits
        )
    problem = open_formula(request.problem)
    problem.require_unweighted(
        "a validation does not compare", "count it with `boardsat count --referee NAME`"
    )
    name = Path(request.problem).name.partition(".")[0]
    formula = sha256(Path(request.problem))
    counts = not problem.header.lazy
    # What is known of the problem is evidence only about a file that is of the problem.
    problem_name = problem.header.problem if rebuilds_identically(problem) else ""
    planned = PlannedInstance(problem_name, name, request.problem, formula, counts=counts)
    return [replace(planned, xor_lines=problem.summary.xor_lines)], []


def _published(instance: PlannedInstance, about: Mapping[str, object]) -> ReferenceCount | None:
    if PUBLISHED not in about or not instance.problem:
        return None
    number = about[PUBLISHED]
    assert isinstance(number, int)
    return ReferenceCount(PUBLISHED, str(about["cite"]), number)


def _triaged(
    verdict: Verdict,
    evidence: ValidationEvidence,
    files: dict[str, str],
    chosen: Sequence[SolverConfig],
    request: ValidationRequest,
    clock: Clock,
) -> Iterator[Report]:
    """For the first disagreement of a solver, or of the encodings: others are the same."""
    if not request.triage:
        return
    able = [
        choice
        for choice in chosen
        if choice.solver.input_format is InputFormat.CNF
        and choice.name not in evidence.wrong_solvers
    ]
    referees = {
        task: [choice.name for choice in able if ability in choice.solver.capabilities]
        for task, ability in ((DECIDE, Capability.DECIDE), (COUNT, Capability.COUNT))
    }
    cases: dict[str, tuple[Disagreement, Suspicion | None]] = {}
    for disagreement in verdict.disagreements:
        case = triage.case_of(disagreement, files, evidence, referees)
        suspect = disagreement.records[-1]
        # Two formulas that contradict each other do not tell which of their encodings is wrong.
        fault = suspect.encoding if suspect.fault else ""
        cases.setdefault(suspect.solver if case else fault, (disagreement, case))
    for place, (disagreement, case) in enumerate(cases.values()):
        seconds = min(request.triage, clock.wall_left / (len(cases) - place))
        yield triage.save(disagreement, case, files, request.results / "triage", seconds)
