"""The answers for an instance: every solver and counter of the campaign is run and checked.

A model is kept, and a proof that a checker has verified. Two that contradict each other are an
error: an archive never holds an answer that something here has refuted.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage
from boardsat.archive.consistency import conclusion, contradiction
from boardsat.archive.instance_record import CounterAnswer, Evidence, SolverAnswer
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.parser import Campaign
from boardsat.campaign.plan import job_of
from boardsat.campaign.runner import artifacts
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
from boardsat.workflows.count.reference import PUBLISHED

LOOKING = "cadical"
"""Whoever looks for two boards that a projection cannot tell apart."""

NameResolver = Generator[Sequence[Job], Sequence[RunRecord], Evidence]
"""Jobs that may be run side by side; then what came of them, in the same order; and so on."""


@dataclass(frozen=True)
class Panel:
    """All who are asked, each where it runs."""

    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]
    limits: Limits
    seed: int
    runtime: str
    """What the campaign says."""

    @staticmethod
    def of(campaign: Campaign) -> Panel:
        asked, where = campaign.selection, campaign.runtime
        checker = bool(asked.solvers) and can_check_proofs()
        return Panel(
            [select_solver(name, where(name), checker) for name in asked.solvers],
            [select_solver(name, where(name), checker=False) for name in asked.counters],
            campaign.limits,
            campaign.seed,
            where(LOOKING),
        )

    def job(
        self, instance: CampaignInstance, chosen: SolverConfig, task: RunTask, keep: Path
    ) -> Job:
        output = Output(proves=task is DECIDE and chosen.proves, board=False, keep=str(keep))
        attempt = Attempt(chosen.seed(self.seed))
        return job_of(instance, chosen.identity, task, self.limits, attempt, output)

    def look(self, instance: CampaignInstance) -> Job:
        """Whether its projection counts boards; few need a solver, so that it is found there."""
        identity = SolverIdentity(LOOKING, self.runtime, "")
        output = Output(board=False)
        return job_of(instance, identity, RunTask.PROJECTION, self.limits, Attempt(), output)


def collect(
    instance: CampaignInstance, panel: Panel, folder: Path, published: int | None
) -> NameResolver:
    """Ask everybody; models and proofs become files of the instance."""
    form = (instance.source.recipe or {}).get("format")
    place = str(folder / storage.formula_name(instance.name, form))
    runs = yield [panel.job(instance, each, DECIDE, folder) for each in panel.solvers]
    solved = [_solver_answer(run) for run in runs]
    for number in range(len(solved)):
        _check_consistency(solved[: number + 1], [], published, place)
    model = _keep(folder, instance.name + storage.MODEL, runs, artifacts.MODEL)
    proof = _keep(folder, instance.name + storage.PROOF, runs, artifacts.PROOF)
    prover = next((run for run in runs if _left(run, artifacts.PROOF)), None)
    # A proof that there is no model says more than any counter, which may take hours for it.
    asked = () if proof else panel.counters
    if asked:
        # Counting over a wrong projection would archive a wrong number.
        yield [panel.look(instance)]
    counted = []
    for run in (yield [panel.job(instance, each, COUNT, folder) for each in asked]):
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
    """Nothing is archived that a check has refuted, or that could not be found out."""
    if run.outcome.fault:
        mend = "correct the spec" if run.question.task is RunTask.PROJECTION else "keep the file"
        raise WrongAnswerError(run.outcome.fault, mend, place)
    if not run.outcome.finished or (
        run.question.task is RunTask.PREPARE and not run.artifacts.kept
    ):
        raise InputError(run.outcome.reason)


def published_count(objects: Mapping[str, Any]) -> int | None:
    """What stands in books, as the spec cites them."""
    found: int | None = objects.get(PUBLISHED)
    return found


def _keep(folder: Path, name: str, runs: Sequence[RunRecord], what: str) -> str | None:
    """The first that there is, in the order of the campaign, not that in which they ended."""
    kept = (file for run in runs for file in _left(run, what))
    if (first := next(kept, None)) is None:
        return None
    storage.write(folder / name, artifacts.blocks(folder / first))
    return name


def _left(run: RunRecord, what: str) -> list[str]:
    """The files of a kind that a run has left."""
    return [file for file in run.artifacts.kept if file.endswith(f".{what}.part")]


def _solver_answer(run: RunRecord) -> SolverAnswer:
    return SolverAnswer(run.identity, run.attempt.seed, run.limits, run.outcome)


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
    """The last word against those before it, and against what is published."""
    if fault := contradiction(solved, counted, published):
        # An estimate may be wrong with some chance; an archive is no place for such a one.
        raise WrongAnswerError(
            fault, "one is wrong: keep the file, or take another seed for an estimate", place
        )
