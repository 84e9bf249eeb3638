"""Pipeline of an instance in an archive: prepare, solve, check the projection, count, record.

All instances go through it in parallel. Models and verified proofs are stored; answers that
contradict each other are an error, so an archive never contains a refuted answer. The files of an
instance depend only on the order of the campaign, not on the order in which its runs end.
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
from boardsat.base.files import read_pieces
from boardsat.campaign.folder import CampaignInstance
from boardsat.campaign.parser import Campaign
from boardsat.campaign.plan import job_of
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
from boardsat.campaign.runner.store import MODEL, PROOF, Store
from boardsat.workflows.count.reference import PUBLISHED

PROJECTION_SOLVER = "cadical"
"""Solver that searches for two boards with the same projection."""

EvidenceSteps = Generator[Sequence[Job], Sequence[RunRecord], Evidence]
"""Generator of groups of jobs that may run in parallel; returns the evidence.

The records of each group are sent to the generator in the order of the jobs.
"""


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
    def from_campaign(campaign: Campaign) -> SelectedSolvers:
        """Select the solvers of a campaign; raise an error if one cannot run here."""
        selection, runtime = campaign.selection, campaign.runtime
        checker = bool(selection.solvers) and can_check_proofs()
        return SelectedSolvers(
            [select_solver(name, runtime(name), checker) for name in selection.solvers],
            [select_solver(name, runtime(name), checker=False) for name in selection.counters],
            campaign.limits,
            campaign.seed,
            runtime(PROJECTION_SOLVER),
        )

    def job(
        self, instance: CampaignInstance, config: SolverConfig, task: RunTask, folder: Path
    ) -> Job:
        """Return the job of a solver or counter, which stores models and proofs in the folder."""
        output = Output(proves=task is DECIDE and config.proves, board=False, keep=str(folder))
        attempt = Attempt(config.seed(self.seed))
        return job_of(instance, config.identity, task, self.limits, attempt, output)

    def projection_job(self, instance: CampaignInstance) -> Job:
        """Return the job that checks the projection of an instance."""
        identity = SolverIdentity(PROJECTION_SOLVER, self.runtime, "")
        output = Output(board=False)
        return job_of(instance, identity, RunTask.PROJECTION, self.limits, Attempt(), output)


def collect_evidence(
    instance: CampaignInstance, selected: SelectedSolvers, folder: Path, published: int | None
) -> EvidenceSteps:
    """Yield the runs of an instance and return their evidence; store models and proofs."""
    format_name = instance.source.recipe.format if instance.source.recipe else None
    location = str(folder / storage.formula_name(instance.name, format_name))
    runs = yield [selected.job(instance, config, DECIDE, folder) for config in selected.solvers]
    solved = [SolverAnswer(run.identity, run.attempt.seed, run.limits, run.outcome) for run in runs]
    for number in range(len(solved)):
        _check_consistency(solved[: number + 1], [], published, location)
    model = _store_first(folder, instance.name + storage.MODEL, runs, MODEL)
    proof = _store_first(folder, instance.name + storage.PROOF, runs, PROOF)
    prover = next((run for run in runs if _artifact_names(run, PROOF)), None)
    # A verified proof implies the count 0, for which a counter may take hours.
    counters = () if proof else selected.counters
    if counters:
        # Counting over an invalid projection would archive a wrong number.
        yield [selected.projection_job(instance)]
    counted = []
    for run in (yield [selected.job(instance, config, COUNT, folder) for config in counters]):
        counted.append(_counter_answer(run))
        _check_consistency(solved, counted, published, location)
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


def check_run(run: RunRecord, location: str) -> None:
    """Raise an error if a run was refuted or failed: its answer must not be archived."""
    if run.outcome.fault:
        is_spec_wrong = run.question.task is RunTask.PROJECTION
        remedy = "correct the spec" if is_spec_wrong else "report it with this file"
        raise WrongAnswerError(run.outcome.fault, remedy, location)
    is_prepared = run.question.task is not RunTask.PREPARE or bool(run.artifacts.kept)
    if not (run.outcome.finished and is_prepared):
        raise InputError(run.outcome.reason)


def published_count(objects: Mapping[str, Any]) -> int | None:
    """Return the published number of objects that the spec cites. None if it cites none."""
    count: int | None = objects.get(PUBLISHED)
    return count


def _store_first(folder: Path, name: str, runs: Sequence[RunRecord], kind: str) -> str | None:
    """Store the first artifact of a kind, in the order of the campaign; return its name."""
    artifact_names = (artifact for run in runs for artifact in _artifact_names(run, kind))
    if (first_artifact := next(artifact_names, None)) is None:
        return None
    storage.write(folder / name, read_pieces(folder / first_artifact))
    return name


def _artifact_names(run: RunRecord, kind: str) -> list[str]:
    """Return the names of the files of a kind that a run has written."""
    return [file for file in run.artifacts.kept if file.endswith(f".{kind}.part")]


def _counter_answer(run: RunRecord) -> CounterAnswer:
    accuracy = (None, None) if run.count.exact else (DEFAULT_EPSILON, DEFAULT_DELTA)
    return CounterAnswer(
        run.identity, run.attempt.seed, run.limits, run.outcome.end, run.count, *accuracy
    )


def _check_consistency(
    solved: Sequence[SolverAnswer],
    counted: Sequence[CounterAnswer],
    published: int | None,
    location: str,
) -> None:
    """Raise WrongAnswerError if answers contradict each other or a published count."""
    if fault := contradiction(solved, counted, published):
        # An approximate count is outside its interval with probability delta.
        remedy = "report it with this file; if a count is approximate, set another `seed`"
        raise WrongAnswerError(fault, remedy, location)


Steps = Generator[Sequence[Job], Sequence[RunRecord], InstanceRecord]
"""Generator of the jobs of an instance, step by step; it returns the record."""


@dataclass(frozen=True)
class InstancePlan:
    """Instance to create, whose formula was generated once without errors."""

    instance: CampaignInstance
    recipe: Recipe
    header_entries: dict[str, Any]
    """Entries of the record that come from the header of the formula."""

    @property
    def name(self) -> str:
        return self.instance.name


def instance_steps(plan: InstancePlan, folder: Path, selected: SelectedSolvers, tool: str) -> Steps:
    """Yield the jobs of an instance, step by step; write and return its record."""
    name = plan.name
    for suffix in (storage.RECORD, storage.MODEL, storage.PROOF):
        (folder / (name + suffix)).unlink(missing_ok=True)
    (prepared,) = yield [_preparation(plan.instance, folder)]
    identity_json = storage.read(folder / prepared.artifacts.kept[0], storage.RECORD_BYTES)
    identity = json_data.decode(Identity, identity_json)
    published = published_count(plan.header_entries["objects"])
    evidence = yield from collect_evidence(plan.instance, selected, folder, published)
    record = InstanceRecord(
        format=FORMAT,
        name=name,
        tool=tool,
        recipe=plan.recipe,
        identity=identity,
        evidence=evidence,
        **plan.header_entries,
    )
    storage.write(folder / record.file, [record.text()])
    return record


def _preparation(instance: CampaignInstance, folder: Path) -> Job:
    """Return the job that writes the formula file of an instance."""
    # The name is part of the key: two instances with the same formula become two files.
    identity = SolverIdentity("", "", "", setup=instance.name)
    output = Output(keep=str(folder))
    return job_of(instance, identity, RunTask.PREPARE, Limits(), Attempt(), output)


class _ActiveInstance:
    """Instance whose steps are being run."""

    def __init__(self, number: int, plan: InstancePlan, steps: Steps) -> None:
        self.number, self.plan, self.steps = number, plan, steps
        self.jobs: Sequence[Job] = ()
        """Jobs of the current step."""
        self.runs: dict[str, RunRecord] = {}
        """Records of the current step by the keys of their jobs."""
        self.artifacts: set[str] = set()
        """Names of all files that the runs have written."""
        self.record: InstanceRecord | None = None
        """Record of the instance. None until the last step has ended."""

    def add_run(self, job: Job, run: RunRecord) -> Sequence[Job]:
        """Add the record of a job; return the jobs of the next step if the step is complete."""
        self.runs[job.key] = run
        self.artifacts.update(run.artifacts.kept)
        if len(self.runs) < len(self.jobs):
            return ()
        runs, self.runs = [self.runs[job.key] for job in self.jobs], {}
        return self.advance(runs)

    def advance(self, runs: Sequence[RunRecord] = ()) -> Sequence[Job]:
        """Return the jobs of the next step that has any, given the records of the last step."""
        try:
            self.jobs = self.steps.send(runs) if runs else next(self.steps)
            while not self.jobs:
                self.jobs = self.steps.send(())
        except StopIteration as end:
            self.jobs, self.record = (), end.value
        return self.jobs


class ArchiveJobs:
    """Source of the jobs of all instances; those of earlier instances come first.

    Parameters
    ----------
    plans : iterable of InstancePlan
        Instances to create.
    folder : Path
        Folder of the archive.
    selected : SelectedSolvers
        Solvers and counters that run on every instance.
    tool : str
        Name and version of boardsat for the records.
    store : Store
        Stored records of runs. Records whose files are missing are removed from it.
    report_record : callable
        Called with the record of each finished instance.
    """

    def __init__(
        self,
        plans: Iterable[InstancePlan],
        folder: Path,
        selected: SelectedSolvers,
        tool: str,
        store: Store,
        report_record: Callable[[InstanceRecord], None],
    ) -> None:
        self.waiting = enumerate(plans)
        self.folder, self.selected, self.tool = folder, selected, tool
        self.store, self.report_record = store, report_record
        self.ready: list[tuple[int, int, Job]] = []
        """Heap of jobs with the numbers of their instances and their positions in the step."""
        self.active: dict[str, _ActiveInstance] = {}

    def next(self) -> Job | None:
        """Return the next job that can be run. None while all jobs depend on running ones."""
        while not self.ready:
            number, plan = next(self.waiting, (0, None))
            if plan is None:
                return None
            steps = instance_steps(plan, self.folder, self.selected, self.tool)
            instance = _ActiveInstance(number, plan, steps)
            self.active[plan.name] = instance
            self._push(instance, instance.advance())
        job = heappop(self.ready)[-1]
        self._forget_incomplete(job)
        return job

    def ended(self, job: Job, record: RunRecord) -> None:
        """Check the record of a job, and continue with its instance."""
        instance = self.active[job.question.instance]
        file = storage.formula_name(job.question.instance, instance.plan.recipe.format)
        check_run(record, str(self.folder / file))
        self._push(instance, instance.add_run(job, record))

    def _push(self, instance: _ActiveInstance, jobs: Sequence[Job]) -> None:
        for position, job in enumerate(jobs):
            heappush(self.ready, (instance.number, position, job))
        if instance.record is not None:
            self._finish(instance, instance.record)

    def _finish(self, instance: _ActiveInstance, record: InstanceRecord) -> None:
        """Remove the artifacts of an instance, unless another one with its formula uses them."""
        del self.active[record.name]
        formula = instance.plan.instance.formula
        if all(active.plan.instance.formula != formula for active in self.active.values()):
            for name in instance.artifacts:
                (self.folder / name).unlink(missing_ok=True)
        self.report_record(record)

    def _forget_incomplete(self, job: Job) -> None:
        """Forget a stored record whose files are missing, so that its job is run again."""
        record = self.store.records.get(job.key)
        if record is None:
            return
        names = record.artifacts.kept
        is_complete = all(storage.is_regular_file(self.folder / name) for name in names)
        if not is_complete or job.question.task is RunTask.PREPARE:
            del self.store.records[job.key]
