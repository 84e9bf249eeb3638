"""Pipeline of an instance in an archive: prepare, solve, check the projection, count, record.

All instances go through it side by side. Models and verified proofs are stored; answers that
contradict each other are an error, so that an archive never holds a refuted answer. The files of an
instance depend on the order of the campaign alone, not on the order in which its runs end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage
from boardsat.archive.consistency import conclusion, contradiction
from boardsat.archive.instance_record import (
    FORMAT,
    CounterAnswer,
    Evidence,
    Identity,
    InstanceRecord,
    SolverAnswer,
)
from boardsat.base import json_data
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.parser import Campaign
from boardsat.campaign.plan import job_of
from boardsat.campaign.runner import artifacts
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import (
    COUNT,
    DECIDE,
    Attempt,
    Job,
    Output,
    RunRecord,
    RunTask,
    SolverIdentity,
)
from boardsat.campaign.runner.solver_selection import (
    SolverConfig,
    can_check_proofs,
    select_solver,
)
from boardsat.campaign.runner.store import Store
from boardsat.workflows.count.reference import PUBLISHED

PROJECTION_SOLVER = "cadical"
"""Solver that searches two boards which a projection cannot tell apart."""

EvidenceSteps = Generator[Sequence[Job], Sequence[RunRecord], Evidence]
"""Generator of jobs that may run side by side. It is sent their records in the same order."""


@dataclass(frozen=True)
class SelectedSolvers:
    """Solvers and counters of a campaign, each on its runtime."""

    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]
    limits: Limits
    seed: int
    runtime: str
    """Runtime of the projection solver."""

    @staticmethod
    def of(campaign: Campaign) -> SelectedSolvers:
        asked, where = campaign.selection, campaign.runtime
        checker = bool(asked.solvers) and can_check_proofs()
        return SelectedSolvers(
            [select_solver(name, where(name), checker) for name in asked.solvers],
            [select_solver(name, where(name), checker=False) for name in asked.counters],
            campaign.limits,
            campaign.seed,
            where(PROJECTION_SOLVER),
        )

    def job(
        self, instance: CampaignInstance, chosen: SolverConfig, task: RunTask, keep: Path
    ) -> Job:
        output = Output(proves=task is DECIDE and chosen.proves, board=False, keep=str(keep))
        attempt = Attempt(chosen.seed(self.seed))
        return job_of(instance, chosen.identity, task, self.limits, attempt, output)

    def projection_job(self, instance: CampaignInstance) -> Job:
        """Return the job that checks the projection. Few projections need a solver for it."""
        identity = SolverIdentity(PROJECTION_SOLVER, self.runtime, "")
        output = Output(board=False)
        return job_of(instance, identity, RunTask.PROJECTION, self.limits, Attempt(), output)


def collect(
    instance: CampaignInstance, selected: SelectedSolvers, folder: Path, published: int | None
) -> EvidenceSteps:
    """Yield the runs of an instance and return their evidence; store models and proofs."""
    form = instance.source.recipe.format if instance.source.recipe else None
    place = str(folder / storage.formula_name(instance.name, form))
    runs = yield [selected.job(instance, each, DECIDE, folder) for each in selected.solvers]
    solved = [SolverAnswer(run.identity, run.attempt.seed, run.limits, run.outcome) for run in runs]
    for number in range(len(solved)):
        _check_consistency(solved[: number + 1], [], published, place)
    model = _keep(folder, instance.name + storage.MODEL, runs, artifacts.MODEL)
    proof = _keep(folder, instance.name + storage.PROOF, runs, artifacts.PROOF)
    prover = next((run for run in runs if _kept_files(run, artifacts.PROOF)), None)
    # A proof that there is no model says more than any counter, which may take hours for it.
    asked = () if proof else selected.counters
    if asked:
        # Counting over a wrong projection would archive a wrong number.
        yield [selected.projection_job(instance)]
    counted = []
    for run in (yield [selected.job(instance, each, COUNT, folder) for each in asked]):
        counted.append(_counter_answer(run))
        _check_consistency(solved, counted, published, place)
    status, count = conclusion(solved, counted, proof is not None, published)
    return Evidence(
        status=status,
        count=count,
        model=model,
        proof=proof,
        proof_kind=prover.artifacts.proof_kind if prover else None,
        proof_bytes=prover.artifacts.proof_bytes if prover else None,
        solved=tuple(solved),
        counted=tuple(counted),
    )


def check_run(run: RunRecord, place: str) -> None:
    """Raise an error if a run was refuted or failed: its result must not be archived."""
    if run.outcome.fault:
        mend = "correct the spec" if run.question.task is RunTask.PROJECTION else "keep the file"
        raise WrongAnswerError(run.outcome.fault, mend, place)
    if not run.outcome.finished or (
        run.question.task is RunTask.PREPARE and not run.artifacts.kept
    ):
        raise InputError(run.outcome.reason)


def published_count(objects: Mapping[str, Any]) -> int | None:
    """Return the published number of objects that the spec cites. None if it cites none."""
    count: int | None = objects.get(PUBLISHED)
    return count


def _keep(folder: Path, name: str, runs: Sequence[RunRecord], what: str) -> str | None:
    """Store the first artifact of a kind, in the order of the campaign; return its name."""
    kept = (file for run in runs for file in _kept_files(run, what))
    if (first := next(kept, None)) is None:
        return None
    storage.write(folder / name, artifacts.blocks(folder / first))
    return name


def _kept_files(run: RunRecord, what: str) -> list[str]:
    """Return the names of files of a kind that a run has left."""
    return [file for file in run.artifacts.kept if file.endswith(f".{what}.part")]


def _counter_answer(run: RunRecord) -> CounterAnswer:
    accuracy = (None, None) if run.count.exact else (DEFAULT_EPSILON, DEFAULT_DELTA)
    return CounterAnswer(
        run.identity, run.attempt.seed, run.limits, run.outcome.end, run.count, *accuracy
    )


def _check_consistency(
    solved: Sequence[SolverAnswer],
    counted: Sequence[CounterAnswer],
    published: int | None,
    place: str,
) -> None:
    """Raise WrongAnswerError if answers contradict each other or a published count."""
    if fault := contradiction(solved, counted, published):
        # An estimate may be wrong with some chance; an archive is no place for such a one.
        raise WrongAnswerError(
            fault, "one is wrong: keep the file, or take another seed for an estimate", place
        )


Steps = Generator[Sequence[Job], Sequence[RunRecord], InstanceRecord]


@dataclass(frozen=True)
class InstancePlan:
    """Instance to make, whose formula was generated once without errors."""

    instance: CampaignInstance
    recipe: Recipe
    about: dict[str, Any]
    """Entries of the record that come from the header of the formula."""

    @property
    def name(self) -> str:
        return self.instance.name


def instance_steps(plan: InstancePlan, folder: Path, selected: SelectedSolvers, tool: str) -> Steps:
    """Yield the jobs of an instance, step by step; write and return its record."""
    name = plan.name
    for ending in (storage.RECORD, storage.MODEL, storage.PROOF):
        (folder / (name + ending)).unlink(missing_ok=True)
    (prepared,) = yield [_preparation(plan.instance, folder)]
    data = storage.read(folder / prepared.artifacts.kept[0], storage.RECORD_BYTES)
    identity = json_data.decode(Identity, data)
    published = published_count(plan.about["objects"])
    evidence = yield from collect(plan.instance, selected, folder, published)
    record = InstanceRecord(
        format=FORMAT,
        name=name,
        tool=tool,
        recipe=plan.recipe,
        identity=identity,
        evidence=evidence,
        **plan.about,
    )
    storage.write(folder / record.file, [record.text()])
    return record


def _preparation(instance: CampaignInstance, folder: Path) -> Job:
    # The name is part of the key: two instances with the same formula become two files.
    identity = SolverIdentity("", "", "", setup=instance.name)
    output = Output(keep=str(folder))
    return job_of(instance, identity, RunTask.PREPARE, Limits(), Attempt(), output)


class _ActiveInstance:
    """Instance whose steps are being run."""

    def __init__(self, number: int, plan: InstancePlan, steps: Steps) -> None:
        self.number, self.plan, self.steps = number, plan, steps
        self.jobs: Sequence[Job] = ()
        self.ended: dict[str, RunRecord] = {}
        self.kept: set[str] = set()
        self.record: InstanceRecord | None = None

    def begin(self) -> Sequence[Job]:
        return self._after(lambda: next(self.steps))

    def take(self, job: Job, run: RunRecord) -> Sequence[Job]:
        """Add the record of a job; return the jobs of the next step if the step is complete."""
        self.ended[job.key] = run
        self.kept.update(run.artifacts.kept)
        if len(self.ended) < len(self.jobs):
            return ()
        return self._after(self._sent)

    def _sent(self) -> Sequence[Job]:
        runs = [self.ended[job.key] for job in self.jobs]
        self.ended = {}
        return self.steps.send(runs)

    def _after(self, step: Callable[[], Sequence[Job]]) -> Sequence[Job]:
        try:
            self.jobs = step()
            while not self.jobs:
                self.jobs = self._sent()
        except StopIteration as end:
            self.jobs, self.record = (), end.value
        return self.jobs


class ArchiveJobs:
    """Source of the jobs of all instances; those of earlier instances come first."""

    def __init__(
        self,
        plans: Iterable[InstancePlan],
        begin: Callable[[InstancePlan], Steps],
        folder: Path,
        store: Store,
        tell: Callable[[InstanceRecord], None],
    ) -> None:
        self.waiting = enumerate(plans)
        self.begin, self.folder, self.store, self.tell = begin, folder, store, tell
        self.ready: list[tuple[int, int, Job]] = []
        self.active: dict[str, _ActiveInstance] = {}

    def next(self) -> Job | None:
        while not self.ready:
            number, plan = next(self.waiting, (0, None))
            if plan is None:
                return None
            instance = _ActiveInstance(number, plan, self.begin(plan))
            self.active[plan.name] = instance
            self._push(instance, instance.begin())
        job = heappop(self.ready)[-1]
        self._forget_missing(job)
        return job

    def ended(self, job: Job, record: RunRecord) -> None:
        instance = self.active[job.question.instance]
        file = storage.formula_name(job.question.instance, instance.plan.recipe.format)
        check_run(record, str(self.folder / file))
        self._push(instance, instance.take(job, record))

    def _push(self, instance: _ActiveInstance, jobs: Sequence[Job]) -> None:
        for place, job in enumerate(jobs):
            heappush(self.ready, (instance.number, place, job))
        if instance.record is not None:
            self._finish(instance, instance.record)

    def _finish(self, instance: _ActiveInstance, record: InstanceRecord) -> None:
        del self.active[record.name]
        formula = instance.plan.instance.formula
        # One with the same formula may have been given the same files.
        if all(each.plan.instance.formula != formula for each in self.active.values()):
            for name in instance.kept:
                (self.folder / name).unlink(missing_ok=True)
        self.tell(record)

    def _forget_missing(self, job: Job) -> None:
        """Forget a stored record whose files are missing, so that its job is run again."""
        known = self.store.records.get(job.key)
        if known is None:
            return
        lost = any(not storage.is_own(self.folder / name) for name in known.artifacts.kept)
        if lost or job.question.task is RunTask.PREPARE:
            del self.store.records[job.key]
