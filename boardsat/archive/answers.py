"""The answers for an instance: every solver and counter of the campaign is run and checked.

A model is kept, and a proof that drat-trim has verified. Two that contradict each other are an
error: an archive never holds an answer that something here has refuted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Model
from boardsat.adapters.errors import WrongAnswerError
from boardsat.adapters.kinds import Ability, Reads, RuntimeName
from boardsat.adapters.runtimes import Limits, choose, scratch
from boardsat.adapters.solvers import Solver
from boardsat.archive.agreement import conclusion, contradiction
from boardsat.archive.contents import files
from boardsat.archive.contents.record import CountRecord, Evidence, SolveRecord
from boardsat.campaigns.reading import Campaign
from boardsat.counting import projections
from boardsat.counting import runs as counting
from boardsat.counting.comparing import PUBLISHED
from boardsat.problem import Problem
from boardsat.running.choices import can_check_proofs
from boardsat.solving.asking import SolveRequest
from boardsat.solving.boards_as_models import model_of
from boardsat.solving.checking import Check, Result
from boardsat.solving.workflow import solve, solve_board

_PER_LINE = 16


def collect(problem: Problem, campaign: Campaign, stem: Path) -> Evidence:
    """Ask everybody; models and proofs become files whose names begin with the stem."""
    solved: list[SolveRecord] = []
    counted: list[CountRecord] = []
    model = proof = None
    with scratch.folder() as folder:
        for name in campaign.asked.solvers:
            said, answer, proved = _solve(problem, campaign, name, folder / name)
            solved.append(said)
            _refuse_contradiction(problem, solved, counted)
            if answer.model is not None and model is None:
                model = _keep(stem, files.MODEL, model_text(answer.model))
            if proved is not None and proof is None:
                proof = _keep(stem, files.PROOF, files.blocks(proved))
    # A proof that there is no model says more than any counter, which may take hours for it.
    asked = () if proof else campaign.asked.counters
    if asked:
        _refuse_projection(problem, campaign)
    for name in asked:
        counted.append(_count(problem, campaign, name))
        _refuse_contradiction(problem, solved, counted)
    status, count = conclusion(solved, counted, proof is not None, published_count(problem))
    return Evidence(
        status=status,
        count=count,
        model=model,
        proof=proof,
        solved=tuple(solved),
        counted=tuple(counted),
    )


def model_text(model: Model) -> Iterator[bytes]:
    """A model as competitions want it: `boardsat check` reads it, and so does everybody."""
    yield b"s SATISFIABLE\n"
    literals = (np.arange(1, len(model)) * model[1:]).tolist()
    for start in range(0, len(literals), _PER_LINE):
        words = " ".join(map(str, literals[start : start + _PER_LINE]))
        yield f"v {words}\n".encode()
    yield b"v 0\n"


def _keep(stem: Path, ending: str, pieces: Iterator[bytes]) -> str:
    path = stem.with_name(stem.name + ending)
    files.write(path, pieces)
    return path.name


def _solve(
    problem: Problem, campaign: Campaign, name: str, proof: Path
) -> tuple[SolveRecord, Answer, Path | None]:
    """The answer of a solver, and where its proof is, if there is one and it was verified."""
    solver = solvers.load(name)
    where = choose(solver, campaign.runtime)
    writes_proof = Ability.PROVE in solver.can and where is not RuntimeName.EMBEDDED
    proves = writes_proof and can_check_proofs()
    seed = campaign.seed if solver.takes_seed(where) else None
    request = SolveRequest(name, where, campaign.limits, seed, str(proof) if proves else None)
    result = _result(problem, request, solver)
    answer = result.answer
    said = SolveRecord(
        solver=name,
        version=answer.version,
        runtime=where,
        image=_image(solver, where),
        seed=seed,
        limits=_described(campaign.limits),
        status=answer.status.name,
        end=answer.end.value,
        checked=result.checked,
        unchecked=result.unchecked,
    )
    return said, answer, proof if Check.PROOF in result.checked else None


def _result(problem: Problem, request: SolveRequest, solver: Solver) -> Result:
    """A board that was found without the formula becomes a model of it."""
    if solver.reads is Reads.FORMULA:
        return solve(problem, request)
    result = solve_board(problem, request)
    if result.solution is None:
        return result
    model = model_of(problem, result.solution, replace(request, solver="cadical"))
    return replace(result, answer=replace(result.answer, model=model))


def _count(problem: Problem, campaign: Campaign, name: str) -> CountRecord:
    solver = counting.counter(name)
    where = choose(solver, campaign.runtime)
    seed = campaign.seed if solver.takes_seed(where) else None
    request = counting.CountRequest(name, where, campaign.limits, seed)
    found = counting.count(problem, request)
    return CountRecord(
        counter=name,
        version=found.answer.version,
        runtime=where,
        image=_image(solver, where),
        seed=seed,
        limits=_described(campaign.limits),
        end=found.answer.end.value,
        exact=found.exact,
        objects=found.objects,
        models=found.models,
        interval=found.interval,
        epsilon=None if found.exact else request.epsilon,
        delta=None if found.exact else request.delta,
    )


def _refuse_projection(problem: Problem, campaign: Campaign) -> None:
    """Counting over a wrong projection would archive a wrong number."""
    if not problem.header.views:
        return
    looking = SolveRequest("cadical", campaign.runtime, campaign.limits)
    verdict = projections.validate(problem, looking)
    if verdict.word == projections.Validity.INVALID:
        raise WrongAnswerError(
            f"the projection is invalid: {verdict.reason}", "correct the spec", problem.path
        )


def _described(limits: Limits) -> dict[str, float | int | None]:
    return {"wall_seconds": limits.wall, "cpu_seconds": limits.cpu, "memory_bytes": limits.memory}


def _image(solver: Solver, where: RuntimeName) -> str | None:
    if where is not RuntimeName.DOCKER:
        return None
    from boardsat.adapters.runtimes.container import image_digest

    return image_digest(solver)


def _refuse_contradiction(
    problem: Problem, solved: list[SolveRecord], counted: list[CountRecord]
) -> None:
    """The last word against those before it, and against what is published."""
    if fault := contradiction(solved, counted, published_count(problem)):
        # An estimate may be wrong with some chance; an archive is no place for such a one.
        raise WrongAnswerError(
            fault,
            "one is wrong: keep the file, or take another seed for an estimate",
            problem.path,
        )


def published_count(problem: Problem) -> int | None:
    """What stands in books, as the spec cites them."""
    found: int | None = problem.header.objects.get(PUBLISHED)
    return found
