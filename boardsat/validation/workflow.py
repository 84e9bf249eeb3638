"""The validate workflow: plan, run, gather more evidence, compare, and triage contradictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from adapters import scratch
from adapters.boards import board_of
from adapters.decode import Solution, Tour, decode
from adapters.runtimes import Limits
from boardsat import counting
from boardsat.endings import FILES
from boardsat.problem import Problem, open_problem
from boardsat.validation import compare, evidence, plan, running, triage
from boardsat.validation.compare import Verdict
from boardsat.validation.plan import Choice, Instance, Skipped
from boardsat.validation.records import COUNT, DECIDE, PLAIN, Job, Record
from boardsat.validation.running import Pool, Watch
from boardsat.validation.store import Store
from boardsat.validation.variants import variants


@dataclass(frozen=True)
class Request:
    """What to validate, and how."""

    problem: str
    encodings: str = plan.ALL
    solvers: str = plan.ALL
    settings: Mapping[str, str] = field(default_factory=dict)
    runtime: str = "auto"
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    jobs: int | None = None
    results: Path = Path("out/validation")
    triage: float = 60.0
    """Seconds for making a disagreement small; 0 for none of it."""


@dataclass(frozen=True)
class Found:
    """A board, and the run that gave it."""

    record: Record
    solution: Solution
    closed: bool


@dataclass(frozen=True)
class Outcome:
    title: str
    objects: str
    """What is counted."""
    records: tuple[Record, ...]
    skipped: tuple[Skipped, ...]
    boards: tuple[Found, ...]
    verdict: Verdict
    folders: tuple[Path, ...]
    """For bug reports, one for each disagreement that was looked into."""


def validate(request: Request, watching: Callable[[Sequence[Job]], Watch]) -> Outcome:
    """Everything about a problem; `watching` is told the plan and shows how far it is."""
    cores = running.cores(request.jobs)
    chosen, absent = plan.choices(request.solvers, request.runtime)
    with scratch.folder() as folder:
        made, refused = _instances(request, folder)
        jobs = list(plan.jobs(made, chosen, request.limits, request.seed))
        with running.pool(cores, Store(request.results), watching(jobs)) as pool:
            records = pool.run(jobs)
            problems = {instance.formula: open_problem(instance.file) for instance in made}
            boards = tuple(_boards(records, problems))
            further = list(_further(made, boards, folder))
            records += _more(pool, further, records, chosen, request)
        about = problems[made[0].formula].header.objects
        objects = str(about.get("name", "models"))
        published = _published(about)
        records = compare.with_checked_counts(records, published)
        verdict = compare.verdict(records, published, objects)
        files = {instance.formula: instance.file for instance in (*made, *further)}
        folders = tuple(_triaged(verdict, files, chosen, request))
    return Outcome(
        _title(request), objects, tuple(records), (*absent, *refused), boards, verdict, folders
    )


def _title(request: Request) -> str:
    settings = (f"{key}={value}" for key, value in request.settings.items())
    return " ".join((request.problem, *settings))


def _instances(request: Request, folder: Path) -> tuple[list[Instance], list[Skipped]]:
    if not request.problem.endswith(FILES):
        return plan.instances(request.problem, request.encodings, request.settings, folder)
    problem = open_problem(request.problem)
    name = Path(request.problem).name.partition(".")[0]
    formula = plan.hash_of(request.problem)
    counts = not problem.header.lazy
    return [Instance(problem.header.problem, name, request.problem, formula, counts=counts)], []


def _boards(records: Sequence[Record], problems: Mapping[str, Problem]) -> Iterator[Found]:
    """What models stand for, each different board once."""
    seen: list[Solution] = []
    for record in records:
        problem = problems[record.formula]
        solution = None if record.fault else _solution(record, problem)
        if solution is not None and solution not in seen:
            seen.append(solution)
            yield Found(record, solution, bool(problem.header.parameters.get("closed", True)))


def _solution(record: Record, problem: Problem) -> Solution | None:
    if record.tour is not None and (board := board_of(problem.header)):
        return Solution(board, Tour(record.tour))
    if record.true is None:
        return None
    model = np.full(problem.variables + 1, -1, np.int8)
    model[list(record.true)] = 1
    return decode(problem.header, model)


def _further(made: Sequence[Instance], boards: Sequence[Found], folder: Path) -> Iterator[Instance]:
    """The same question otherwise, and boards that are known to be right or wrong."""
    believed = [found for found in boards if "board" in found.record.checked]
    for instance in made:
        if instance.spec is None:
            continue
        yield from variants(instance, folder)
        # Best from another encoding, as one and the same might be wrong in the same way.
        elsewhere = [f for f in believed if f.record.encoding != instance.encoding]
        for found in (elsewhere or believed)[:1]:
            for fixed in (evidence.known, evidence.broken):
                if (changed := fixed(instance, found.solution, folder)) is not None:
                    yield changed


def _more(
    pool: Pool,
    further: Sequence[Instance],
    records: Sequence[Record],
    chosen: Sequence[Choice],
    request: Request,
) -> list[Record]:
    """Run them, each by the solver that was quickest on the encoding, and a prover to refute."""
    jobs = []
    for instance in further:
        tasks = (DECIDE,) if instance.expected or not instance.counts else (DECIDE, COUNT)
        for task in tasks:
            able = [c for c in chosen if c.solver.reads == "formula" and task in c.solver.can]
            provers = [choice for choice in able if choice.proves]
            best = _quickest(instance, task, records, able)
            if instance.variant == evidence.BROKEN:
                best = _quickest(instance, task, records, provers) or best
            if best is not None:
                jobs.append(plan.job(instance, best, task, request.limits, request.seed))
    return pool.run(jobs)


def _quickest(
    instance: Instance, task: str, records: Sequence[Record], able: Sequence[Choice]
) -> Choice | None:
    """Who answered on the plain formula first; nobody where nobody could."""
    names = {choice.name: choice for choice in able}
    answered = [
        record
        for record in records
        if record.encoding == instance.encoding
        and record.variant == PLAIN
        and record.task == task
        and record.solver in names
        and record.answered
        and record.exact
        and not record.fault
    ]
    best = min(answered, key=lambda record: record.wall, default=None)
    return names[best.solver] if best else None


def _published(about: Mapping[str, object]) -> counting.Referee | None:
    if counting.PUBLISHED not in about:
        return None
    number = about[counting.PUBLISHED]
    assert isinstance(number, int)
    return counting.Referee(counting.PUBLISHED, str(about["cite"]), number)


def _triaged(
    verdict: Verdict, files: dict[str, str], chosen: Sequence[Choice], request: Request
) -> Iterator[Path]:
    """A folder for the first disagreement of a solver, or of an encoding: others are the same."""
    if not request.triage:
        return
    deciders = [
        choice.name
        for choice in chosen
        if choice.solver.reads == "formula" and DECIDE in choice.solver.can
    ]
    seen: set[str] = set()
    for disagreement in verdict.disagreements:
        case = triage.case_of(disagreement, files, deciders, request.triage)
        suspect = disagreement.records[-1]
        blamed = suspect.solver if case else suspect.encoding
        if blamed in seen:
            continue
        seen.add(blamed)
        yield triage.save(disagreement, case, files, request.results / "triage")
