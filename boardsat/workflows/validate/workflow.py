"""Validate workflow: run the matrix, test variants, compare answers, triage disagreements."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.solver import AUTO, Capability, InputFormat
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
from boardsat.workflows.count.reference import PUBLISHED, published_reference
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
    split_first_runs,
    total_time,
)
from boardsat.workflows.validate.triage import Report, failure_candidate, save_report

LIKELY_SOLVER = "cadical"
"""Solver that decides most encodings quickly, for the first run of each."""


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
    reduce_timeout: float = 60.0
    """Time limit in seconds for reducing one disagreement. 0: disagreements are not reduced."""
    budget: float | None = None
    """Total time limit in seconds. 0: unlimited. None: it depends on the size of the formulas."""


def validate(
    request: ValidationRequest, watch: Callable[[Sequence[Job]], RunListener]
) -> ValidationResult:
    """Run every encoding of a problem on every solver and compare the answers.

    Parameters
    ----------
    request
        Problem, solvers and limits.
    watch
        Function from the planned jobs to the listener that displays their progress.
    """
    started = time.monotonic()
    cores = cores_of(request.jobs)
    configs, skipped = select_solvers(request.solvers, request.runtime)
    with create_locked_folder(request.results), scratch.folder() as folder:
        instances, skipped_encodings = _instances(request, folder)
        skipped += [*run_matrix.unsupported_solvers(instances, configs), *skipped_encodings]
        num_bytes = sum(instance.size for instance in instances)
        clock = Clock(total_time(request.budget, num_bytes), started_wall=started)
        formulas = {instance.formula: open_formula(instance.file) for instance in instances}
        object_header = formulas[instances[0].formula].header.counting.objects
        objects = str(object_header.get("name", "models"))
        is_published = PUBLISHED in object_header and instances[0].problem
        published = published_reference(object_header) if is_published else None
        names = [instance.encoding for instance in instances]

        def verdict_on(records: Sequence[RunRecord]) -> Verdict:
            return verdict(records, published, objects, names)

        store = Store(request.results)
        jobs = list(run_matrix.jobs(instances, configs, request.limits, request.seed))
        tests = MetamorphicTests(
            instances, formulas, configs, request.limits, request.seed, folder, published
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
        sorted_records = _sort_records(schedule.records, jobs, names)
        records = ValidationEvidence(sorted_records, published).with_checked_counts()
        final_verdict = verdict_on(records)
        files = {instance.formula: instance.file for instance in instances} | tests.files
        evidence = ValidationEvidence(records, published)
        reports = tuple(_reports(final_verdict, evidence, files, configs, request, clock))
    return ValidationResult(
        " ".join((request.problem, *starmap(setting_location, request.settings.items()))),
        objects,
        tuple(records),
        tuple(skipped),
        tuple(omitted),
        clock.wall,
        tuple(boards_of(records, formulas)),
        final_verdict,
        published,
        reports,
    )


def _sort_records(
    records: Iterable[RunRecord], jobs: Iterable[Job], names: Sequence[str]
) -> list[RunRecord]:
    """Sort records in the order of the run matrix; records of variants come last."""
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
    """Return the stages: deciding, metamorphic tests, counting, metamorphic tests of counts."""
    first, further = split_first_runs((_possible_run(job) for job in jobs), likely=LIKELY_SOLVER)
    deciding = [run for run in further if run.key.task == DECIDE]
    counting = [run for run in further if run.key.task == COUNT]
    return [
        Stage(lambda _: [*first, *deciding]),
        Stage(tests.decision_runs, waits_for=frozenset([DECIDE]), repeats=True),
        Stage(lambda _: counting, with_late=True),
        Stage(tests.counting_runs, waits_for=frozenset([DECIDE, COUNT]), repeats=True),
        # Retried runs may have added evidence for or against a solver.
        Stage(tests.decision_runs, waits_for=frozenset([DECIDE, COUNT]), repeats=True),
    ]


def _possible_run(job: Job) -> PossibleRun:
    # Board readers need no formula; the default encoding for counting is likely to finish.
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
    formula = open_formula(request.problem)
    formula.require_unweighted(
        "validate does not compare them", "use `boardsat count --reference NAME`"
    )
    planned = PlannedInstance(
        # Rules and published counts apply only to a file that is verified to encode the problem.
        formula.header.problem if rebuilds_identically(formula) else "",
        Path(request.problem).name.partition(".")[0],
        request.problem,
        sha256(Path(request.problem)),
        counts=not formula.header.lazy,
        xor_lines=formula.summary.xor_lines,
    )
    return [planned], []


def _reports(
    verdict: Verdict,
    evidence: ValidationEvidence,
    files: Mapping[str, str],
    configs: Sequence[SolverConfig],
    request: ValidationRequest,
    clock: Clock,
) -> Iterator[Report]:
    """Save a report of the first disagreement of each solver, and of the encodings."""
    if not request.reduce_timeout:
        return
    reliable = [
        config
        for config in configs
        if config.solver.input_format is InputFormat.CNF
        and config.identity.name not in evidence.wrong_solvers
    ]
    references = {
        task: [
            config.identity.name for config in reliable if capability in config.solver.capabilities
        ]
        for task, capability in ((DECIDE, Capability.DECIDE), (COUNT, Capability.COUNT))
    }
    cases: dict[str, tuple[Disagreement, FailureCandidate | None]] = {}
    for disagreement in verdict.disagreements:
        case = failure_candidate(disagreement, files, evidence, references)
        suspect = disagreement.records[-1]
        # Two contradictory formulas do not show which of their encodings is wrong.
        encoding = suspect.question.encoding if suspect.outcome.fault else ""
        cases.setdefault(suspect.identity.name if case else encoding, (disagreement, case))
    for index, (disagreement, case) in enumerate(cases.values()):
        seconds = min(request.reduce_timeout, clock.wall_left / (len(cases) - index))
        yield save_report(disagreement, case, files, request.results / "triage", seconds)
