"""Consistency of the answers of solvers and counters, and the conclusion that follows from them.

An archive with contradictory answers is not created; verification looks for contradictions again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from boardsat.adapters.answer import Status
from boardsat.archive.instance_record import (
    CounterAnswer,
    Evidence,
    SolverAnswer,
)
from boardsat.workflows.solve.result import Check

_CONFIRMED_STATUS = {
    Check.MODEL: Status.SATISFIABLE,
    Check.BOARD: Status.SATISFIABLE,
    Check.COST: Status.SATISFIABLE,
    Check.OPTIMUM: Status.OPTIMUM,
    Check.PROOF: Status.UNSATISFIABLE,
    Check.ANSWER: Status.UNSATISFIABLE,
}
"""Status that each check confirms. Answers of an archive have no other checks."""


def contradiction(
    solved: Sequence[SolverAnswer], counted: Sequence[CounterAnswer], published: int | None
) -> str:
    """Return a message about answers that cannot all be true. Empty if they are consistent."""
    statuses = {_decision(answer.outcome.status) for answer in solved} - {Status.UNKNOWN.name}
    statuses |= {_status_of_count(objects) for objects in _objects(counted)}
    if len(statuses) > 1:
        return f"the answers disagree: {_answer_list(solved, counted)}"
    optima = {
        answer.outcome.value for answer in solved if answer.outcome.status == Status.OPTIMUM.name
    }
    if len(optima) > 1:
        return f"the optima disagree: {_answer_list(solved, counted)}"
    intervals = [_interval(answer) for answer in counted if answer.count.objects is not None]
    if published is not None:
        intervals.append((published, published))
    if intervals and max(low for low, _ in intervals) > min(high for _, high in intervals):
        return f"the counts disagree: {_answer_list(solved, counted)}"
    return ""


def conclusion(
    solved: Sequence[SolverAnswer],
    counted: Sequence[CounterAnswer],
    proved: bool,
    published: int | None,
) -> tuple[str, int | None]:
    """Return the status and the count that follow from consistent answers.

    Parameters
    ----------
    proved : bool
        A proof of unsatisfiability was verified, so that the count is 0.
    published : int, optional
        Published count, used if no counter has counted exactly.
    """
    exact_counts = _objects(answer for answer in counted if answer.count.exact)
    count = 0 if proved else exact_counts[0] if exact_counts else published
    statuses = [answer.outcome.status for answer in solved]
    statuses += [_status_of_count(objects) for objects in _objects(counted)]
    statuses = [status for status in statuses if status != Status.UNKNOWN.name]
    if not statuses and count is not None:
        return _status_of_count(count), count
    if Status.OPTIMUM.name in statuses:
        return Status.OPTIMUM.name, count
    return statuses[0] if statuses else Status.UNKNOWN.name, count


def false_claims(
    evidence: Evidence, published: int | None, models_per_solution: int, has_objective: bool
) -> Iterator[str]:
    """Yield the claims of a record that the rest of its evidence, or the formula, contradicts."""
    if fault := contradiction(evidence.solved, evidence.counted, published):
        yield fault
    expected = conclusion(evidence.solved, evidence.counted, evidence.proof is not None, published)
    if (evidence.status, evidence.count) != expected:
        yield f"{evidence.status} with count {evidence.count} does not follow from its answers"
    if evidence.count is not None and _decision(evidence.status) != _status_of_count(
        evidence.count
    ):
        yield f"{evidence.status} contradicts the count {evidence.count}"
    for file, checks in (
        (evidence.model, {Check.MODEL, Check.BOARD}),
        (evidence.proof, {Check.PROOF}),
    ):
        if file is not None and not any(
            checks & {*answer.outcome.checked} for answer in evidence.solved
        ):
            yield f"no solver has given {file}"
    if {evidence.proof is None} != {evidence.proof_kind is None, evidence.proof_bytes is None}:
        yield "`proof_kind` and `proof_bytes` must be given if and only if there is a proof"
    for answer in evidence.solved:
        yield from _impossible_checks(answer, evidence)
        yield from _value_faults(answer, has_objective)
    for counter in evidence.counted:
        if not _is_count_consistent(counter, models_per_solution):
            yield f"{counter.identity.name}: models, objects and interval contradict each other"


def _impossible_checks(answer: SolverAnswer, evidence: Evidence) -> Iterator[str]:
    """Yield the checks that an answer claims, although they cannot have been made."""
    status = answer.outcome.status
    for claim in answer.outcome.checked:
        check = _check_name(claim)
        confirmed = _CONFIRMED_STATUS.get(Check(check)) if check in tuple(Check) else None
        file = evidence.proof if check == Check.PROOF else evidence.model
        is_possible = confirmed is not None and confirmed.name in (status, _decision(status))
        # Unsatisfiability that a second solver confirms leaves no file.
        if not is_possible or (file is None and check != Check.ANSWER):
            yield f"{answer.identity.name}: {status} cannot have been checked by a {claim}"


def _value_faults(answer: SolverAnswer, has_objective: bool) -> Iterator[str]:
    """Yield a fault for an optimum or a cost without a value, and for a value without a model."""
    name, status, value = answer.identity.name, answer.outcome.status, answer.outcome.value
    cost_checks = {Check.COST, Check.OPTIMUM} & {*map(_check_name, answer.outcome.checked)}
    needs_value = status == Status.OPTIMUM.name or bool(cost_checks)
    if not has_objective and (needs_value or value is not None):
        yield f"{name}: an optimum or a value is recorded, but the formula has no objective"
    elif needs_value and value is None:
        yield f"{name}: {status} is recorded without the objective value of its model"
    elif value is not None and not Status[status].has_model:
        yield f"{name}: {status} contradicts the recorded objective value {value}"


def _check_name(claim: str) -> str:
    """Return the name of a check without the checker, which follows in parentheses."""
    return claim.partition(" (")[0]


def _is_count_consistent(answer: CounterAnswer, models_per_solution: int) -> bool:
    """Return whether models, objects and interval of a counter agree with each other."""
    count = answer.count
    if count.objects is None or count.models is None:
        return count.models is None and count.interval is None
    if count.exact:
        return count.interval is None and count.models == count.objects * models_per_solution
    return count.interval is None or count.interval[0] <= count.objects <= count.interval[1]


def unproved_claims(evidence: Evidence) -> list[str]:
    """Return the status and the count if no file of the archive proves them, with their sources."""
    claims = []
    if evidence.status != Status.UNKNOWN.name and evidence.model is None and evidence.proof is None:
        names = [
            answer.identity.name
            for answer in evidence.solved
            if answer.outcome.status == evidence.status
        ]
        names += [
            answer.identity.name for answer in evidence.counted if answer.count.objects is not None
        ]
        claims.append(f"{evidence.status} {_source(names)}")
    if evidence.count is not None and evidence.proof is None:
        names = [
            answer.identity.name
            for answer in evidence.counted
            if answer.count.exact and answer.count.objects is not None
        ]
        claims.append(f"count {evidence.count:,} {_source(names)}")
    return claims


def _source(names: Sequence[str]) -> str:
    return f"by {', '.join(dict.fromkeys(names))}" if names else "as published"


def _answer_list(solved: Sequence[SolverAnswer], counted: Sequence[CounterAnswer]) -> str:
    """Return all answers in one line: the name of each solver, its status, value or count."""
    answers = []
    for answer in solved:
        value = "" if answer.outcome.value is None else f" {answer.outcome.value}"
        answers.append(f"{answer.identity.name} {answer.outcome.status}{value}")
    answers += [f"{answer.identity.name} {answer.count.objects}" for answer in counted]
    return ", ".join(answers)


def _decision(status: str) -> str:
    """Return SATISFIABLE for OPTIMUM, and any other status itself."""
    return Status.SATISFIABLE.name if status == Status.OPTIMUM.name else status


def _status_of_count(count: int) -> str:
    return (Status.SATISFIABLE if count else Status.UNSATISFIABLE).name


def _objects(counted: Iterable[CounterAnswer]) -> list[int]:
    """Return the counts of all counters that have an answer."""
    return [answer.count.objects for answer in counted if answer.count.objects is not None]


def _interval(answer: CounterAnswer) -> tuple[int, int]:
    """Return the bounds of a count; both are the count itself if it is exact."""
    assert answer.count.objects is not None
    return answer.count.interval or (answer.count.objects, answer.count.objects)
