"""Consistency of the answers of solvers and counters, and the conclusion that follows from them.

An archive with contradictory answers is not created; verification looks for contradictions again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardsat.adapters.answer import Status
from boardsat.archive.instance_record import (
    CounterAnswer,
    Evidence,
    SolverAnswer,
)
from boardsat.workflows.solve.result import Check

_SHOWS = {
    Check.MODEL: Status.SATISFIABLE,
    Check.BOARD: Status.SATISFIABLE,
    Check.COST: Status.SATISFIABLE,
    Check.OPTIMUM: Status.OPTIMUM,
    Check.PROOF: Status.UNSATISFIABLE,
    Check.ANSWER: Status.UNSATISFIABLE,
}
"""The checks that an archive knows of, and the answer for which each speaks."""


def contradiction(
    solved: Sequence[SolverAnswer], counted: Sequence[CounterAnswer], published: int | None
) -> str:
    """What cannot all be true, in words; empty where there is nothing like that."""
    status = {_decided(said.outcome.status) for said in solved} - {Status.UNKNOWN.name}
    status |= {_status_of(said.count.objects) for said in counted if said.count.objects is not None}
    if len(status) > 1:
        return f"they disagree: {_words(solved, counted)}"
    best = {said.outcome.value for said in solved if said.outcome.status == Status.OPTIMUM.name}
    if len(best) > 1:
        return f"the optima disagree: {_words(solved, counted)}"
    referees = [_range(said) for said in counted if said.count.objects is not None]
    if published is not None:
        referees.append((published, published))
    if referees and max(low for low, _ in referees) > min(high for _, high in referees):
        return f"the counts disagree: {_words(solved, counted)}"
    return ""


def conclusion(
    solved: Sequence[SolverAnswer],
    counted: Sequence[CounterAnswer],
    proved: bool,
    published: int | None,
) -> tuple[str, int | None]:
    """The status that all who know it give, and the count: by a proof, counted, or published."""
    exact = [
        said.count.objects
        for said in counted
        if said.count.exact and said.count.objects is not None
    ]
    count = 0 if proved else exact[0] if exact else published
    said = [each.outcome.status for each in solved if each.outcome.status != Status.UNKNOWN.name]
    said += [_status_of(each.count.objects) for each in counted if each.count.objects is not None]
    if not said and count is not None:
        said = [_status_of(count)]
    # Who knows the best model knows more than who has some.
    said.sort(key=lambda status: status != Status.OPTIMUM.name)
    return said[0] if said else Status.UNKNOWN.name, count


def false_claims(
    known: Evidence, published: int | None, models_each: int, optimises: bool
) -> Iterator[str]:
    """What evidence says although the rest of it, or the formula, says otherwise.

    `optimises` is whether the formula asks for the best model.
    """
    if fault := contradiction(known.solved, known.counted, published):
        yield fault
    expected = conclusion(known.solved, known.counted, known.proof is not None, published)
    if (known.status, known.count) != expected:
        yield f"{known.status} with count {known.count} does not follow from its answers"
    if known.count is not None and _decided(known.status) != _status_of(known.count):
        yield f"{known.status} contradicts the count {known.count}"
    for file, checks in ((known.model, {Check.MODEL, Check.BOARD}), (known.proof, {Check.PROOF})):
        if file is not None and not any(checks & {*said.outcome.checked} for said in known.solved):
            yield f"no solver has given {file}"
    if {known.proof is None} != {known.proof_kind is None, known.proof_bytes is None}:
        yield "what is told of a proof does not go with its file"
    for said in known.solved:
        yield from _unfounded(said, known)
        yield from _worthless(said, optimises)
    for counter in known.counted:
        if not _adds_up(counter, models_each):
            yield f"{counter.identity.name}: its numbers do not go together"


def _unfounded(answer: SolverAnswer, known: Evidence) -> Iterator[str]:
    """Yield checks that an answer claims, and that cannot have been made."""
    status = answer.outcome.status
    for word in answer.outcome.checked:
        what = _bare(word)
        shown = _SHOWS.get(Check(what)) if what in tuple(Check) else None
        file = known.proof if what == Check.PROOF else known.model
        fits = shown is not None and shown.name in (status, _decided(status))
        # That another solver finds no model either is in no file.
        if not fits or (file is None and what != Check.ANSWER):
            yield f"{answer.identity.name}: {status} cannot have been checked by a {word}"


def _worthless(answer: SolverAnswer, has_objective: bool) -> Iterator[str]:
    """Yield an optimum or a cost without a value, and a value without a model."""
    name, status, value = answer.identity.name, answer.outcome.status, answer.outcome.value
    costs = {Check.COST, Check.OPTIMUM} & {*map(_bare, answer.outcome.checked)}
    claims = status == Status.OPTIMUM.name or bool(costs)
    if not has_objective and (claims or value is not None):
        yield f"{name}: an optimum or a value, where no best model is asked for"
    elif claims and value is None:
        yield f"{name}: {status} without the value that its model has"
    elif value is not None and not Status[status].has_model:
        yield f"{name}: {status}, and yet a model of value {value}"


def _bare(check: str) -> str:
    """What follows in brackets says by whom."""
    return check.partition(" (")[0]


def _adds_up(said: CounterAnswer, models_each: int) -> bool:
    """Models, objects and the interval of one counter."""
    if said.count.objects is None or said.count.models is None:
        return said.count.models is None and said.count.interval is None
    if said.count.exact:
        return said.count.interval is None and said.count.models == said.count.objects * models_each
    return (
        said.count.interval is None
        or said.count.interval[0] <= said.count.objects <= said.count.interval[1]
    )


def unproved(known: Evidence) -> list[str]:
    """What no file of the archive shows: it is the word of who said it."""
    words = []
    if known.status != Status.UNKNOWN.name and known.model is None and known.proof is None:
        said = [each.identity.name for each in known.solved if each.outcome.status == known.status]
        said += [each.identity.name for each in known.counted if each.count.objects is not None]
        words.append(f"{known.status} {_by(said)}")
    if known.count is not None and known.proof is None:
        exact = [
            each.identity.name
            for each in known.counted
            if each.count.exact and each.count.objects is not None
        ]
        words.append(f"count {known.count:,} {_by(exact)}")
    return words


def _by(names: Sequence[str]) -> str:
    return f"by {', '.join(dict.fromkeys(names))}" if names else "as published"


def _words(solved: Sequence[SolverAnswer], counted: Sequence[CounterAnswer]) -> str:
    values = {
        each.identity.name: f" {each.outcome.value}"
        for each in solved
        if each.outcome.value is not None
    }
    said = [
        f"{each.identity.name} {each.outcome.status}{values.get(each.identity.name, '')}"
        for each in solved
    ]
    return ", ".join([*said, *(f"{each.identity.name} {each.count.objects}" for each in counted)])


def _decided(status: str) -> str:
    """The best model is one."""
    return Status.SATISFIABLE.name if status == Status.OPTIMUM.name else status


def _status_of(count: int | None) -> str:
    return (Status.SATISFIABLE if count else Status.UNSATISFIABLE).name


def _range(said: CounterAnswer) -> tuple[int, int]:
    assert said.count.objects is not None
    return said.count.interval or (said.count.objects, said.count.objects)
