"""The validate workflow: plan, run, gather more evidence, compare, and triage contradictions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import AUTO, Capability, InputFormat
from boardsat.base import scratch
from boardsat.base.limits import Clock
from boardsat.base.locks import create_locked_folder
from boardsat.campaign.report.found_boards import boards_of
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.job_queue import RunListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord
from boardsat.campaign.runner.solver_selection import ALL, Skipped, SolverConfig, select_solvers
from boardsat.campaign.runner.store import Store
from boardsat.generators.sections.parameters import setting_location
from boardsat.generators.spec import defaults
from boardsat.generators.spec.catalogue import defaults_of, problems
from boardsat.instance.file_types import CNF_SUFFIXES
from boardsat.instance.formula_file import open_formula
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.workflows.count.reference import PUBLISHED, ReferenceCount
from boardsat.workflows.validate import run_matrix
from boardsat.workflows.validate.consensus import Disagreement, Verdict, verdict
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.metamorphic import MetamorphicTests
from boardsat.workflows.validate.reduction import FailureCandidate
from boardsat.workflows.validate.result import ValidationResult
from boardsat.workflows.validate.run_matrix import PlannedInstance
from boardsat.workflows.validate.schedule import (
    PossibleRun,
    RunKey,
    Schedule,
    Stage,
    covering,
    total_time,
)
from boardsat.workflows.validate.triage import Report, failure_candidate, save_report

LIKELY_SOLVER = "cadical"
"""Solver that is likely to decide any encoding soon."""


@dataclass(frozen=True)
class ValidationRequest:
    """Options of a validation."""

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
    """Time in seconds to reduce disagreements. 0: do not reduce them."""
    budget: float | None = None
    """Time in seconds for the whole validation. 0: unlimited. None: by the size of the formulas."""


def validate(
    request: ValidationRequest, watch: Callable[[Sequence[Job]], RunListener]
) -> ValidationResult:
    """Run every encoding of a problem on every solver and compare the answers.

    Parameters
    ----------
    request
        Problem, solvers and limits.
    watch
        Returns the listener that displays the progress of these jobs.
    """
    started = time.monotonic()
    cores = cores_of(request.jobs)
    chosen, absent = select_solvers(request.solvers, request.runtime)
    with create_locked_folder(request.results), scratch.folder() as folder:
        made, skipped = _instances(request, folder)
        absent += run_matrix.unread(made, chosen)
        seconds = total_time(request.budget, sum(map(run_matrix.size_of, made)))
        clock = Clock(seconds, started_wall=started)
        opened = {instance.formula: open_formula(instance.file) for instance in made}
        about = opened[made[0].formula].header.counting.objects
        objects, published = str(about.get("name", "models")), _published(made[0], about)
        names = [instance.encoding for instance in made]

        def verdict_on(records: Sequence[RunRecord]) -> Verdict:
            return verdict(records, published, objects, names)

        store = Store(request.results)
        jobs = list(run_matrix.jobs(made, chosen, request.limits, request.seed))
        tests = MetamorphicTests(
            made, opened, chosen, request.limits, request.seed, folder, published
        )
        schedule = Schedule(
            _stages(jobs, tests),
            clock,
            len(cores),
            request.limits.wall,
            lambda records: bool(verdict_on(records).disagreements),
            store.find,
        )
        with open_pool(cores, store, watch(jobs)) as pool:
            pool.run(schedule)
        omitted = schedule.finish()
        sorted_records = _sorted(schedule.records, jobs, names)
        records = ValidationEvidence(sorted_records, published).with_checked_counts()
        final_verdict = verdict_on(records)
        files = {instance.formula: instance.file for instance in made} | tests.files
        evidence = ValidationEvidence(records, published)
        reports = tuple(_reports(final_verdict, evidence, files, chosen, request, clock))
    return ValidationResult(
        " ".join((request.problem, *starmap(setting_location, request.settings.items()))),
        objects,
        tuple(records),
        (*absent, *skipped),
        tuple(omitted),
        clock.wall,
        tuple(boards_of(records, opened)),
        final_verdict,
        published,
        reports,
    )


def _sorted(
    records: Iterable[RunRecord], jobs: Iterable[Job], names: Sequence[str]
) -> list[RunRecord]:
    """Sort records by the order of the run matrix; those of variants come last."""
    positions = {
        (job.question.encoding, job.identity.name, job.question.task): index
        for index, job in enumerate(jobs)
    }

    def position(record: RunRecord) -> tuple[bool, int]:
        if record.question.variant == PLAIN:
            return False, positions[
                record.question.encoding, record.identity.name, record.question.task
            ]
        return True, names.index(record.question.encoding)

    return sorted(records, key=position)


def _stages(jobs: Sequence[Job], tests: MetamorphicTests) -> list[Stage]:
    """Return the stages: deciding, tests that follow from it, counting, tests that follow."""
    first, others = covering((_possible_run(job) for job in jobs), likely=LIKELY_SOLVER)
    deciding = [run for run in others if run.key.task == DECIDE]
    counting = [run for run in others if run.key.task == COUNT]
    return [
        Stage(lambda _: [*first, *deciding]),
        Stage(tests.deciding, after=frozenset([DECIDE]), repeats=True),
        Stage(lambda _: counting, with_late=True),
        Stage(tests.counting, after=frozenset([DECIDE, COUNT]), repeats=True),
        # A run that was repeated with more time may have shown a solver to be wrong, or reliable.
        Stage(tests.deciding, after=frozenset([DECIDE, COUNT]), repeats=True),
    ]


def _possible_run(job: Job) -> PossibleRun:
    # A board needs no formula, and the encoding that is meant for counting is the likeliest.
    is_easy = job.question.encoding == run_matrix.BOARD or (
        job.question.task == COUNT
        and job.question.problem in problems()
        and job.question.encoding == defaults_of(job.question.problem)[defaults.COUNT]
    )
    cost = 0 if is_easy else Path(job.source.file).stat().st_size
    return PossibleRun(RunKey.of(job), cost, lambda: job)


def _instances(
    request: ValidationRequest, folder: Path
) -> tuple[list[PlannedInstance], list[Skipped]]:
    if not request.problem.endswith(CNF_SUFFIXES):
        return run_matrix.instances(
            request.problem, request.encodings, request.settings, folder, request.limits
        )
    problem = open_formula(request.problem)
    problem.require_unweighted(
        "a validation does not compare", "count it with `boardsat count --reference NAME`"
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


def _reports(
    verdict: Verdict,
    evidence: ValidationEvidence,
    files: Mapping[str, str],
    chosen: Sequence[SolverConfig],
    request: ValidationRequest,
    clock: Clock,
) -> Iterator[Report]:
    """Save a report of the first disagreement of each solver, and of the encodings."""
    if not request.triage:
        return
    able = [
        config
        for config in chosen
        if config.solver.input_format is InputFormat.CNF
        and config.identity.name not in evidence.wrong_solvers
    ]
    references = {
        task: [config.identity.name for config in able if capability in config.solver.capabilities]
        for task, capability in ((DECIDE, Capability.DECIDE), (COUNT, Capability.COUNT))
    }
    cases: dict[str, tuple[Disagreement, FailureCandidate | None]] = {}
    for disagreement in verdict.disagreements:
        case = failure_candidate(disagreement, files, evidence, references)
        suspect = disagreement.records[-1]
        # Two formulas that contradict each other do not tell which of their encodings is wrong.
        encoding = suspect.question.encoding if suspect.outcome.fault else ""
        cases.setdefault(suspect.identity.name if case else encoding, (disagreement, case))
    for index, (disagreement, case) in enumerate(cases.values()):
        seconds = min(request.triage, clock.wall_left / (len(cases) - index))
        yield save_report(disagreement, case, files, request.results / "triage", seconds)
