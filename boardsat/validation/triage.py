"""A disagreement reduced: delta debugging of the formula, and a folder for a bug report.

A formula is shrunk as long as the solver is still wrong about it: its model makes a clause false,
it refutes what a known model satisfies, or it counts otherwise than a referee.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.counts import counted
from boardsat.adapters.dimacs import check
from boardsat.adapters.dimacs.copies import clause_lines
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.errors import AdapterError, Wrong
from boardsat.adapters.kinds import AUTO
from boardsat.adapters.runtimes import Limits, scratch
from boardsat.counting import runs as counting
from boardsat.counting.comparing import contradict
from boardsat.generators.dimacs.output import write_file
from boardsat.problem import Problem, open_problem
from boardsat.running.records import COUNT, DECIDE, RunRecord
from boardsat.solving.asking import SolveRequest, ask
from boardsat.solving.given_answers import bytes_of
from boardsat.validation.budget import LEAST
from boardsat.validation.compare import Disagreement
from boardsat.validation.plan import BOARD

Clauses = list[tuple[int, ...]]
Shown = dict[str, Any]
Contradiction: TypeAlias = "tuple[list[Shown], Model | None]"
"""Both answers, and a model that the suspect denies."""

LITERALS = 400
"""Formulas up to so many literals are also shrunk literal by literal."""


@dataclass(frozen=True)
class Suspicion:
    """Who is wrong about which file, in which task, and who says otherwise."""

    file: str
    suspect: RunRecord
    referee: str | None
    """None where the suspect's own model shows that it is wrong."""
    certain: bool = True
    """Whether two answers to one formula exclude each other; otherwise the referee has to say."""


@dataclass(frozen=True)
class Report:
    """A folder with all that is known of a disagreement."""

    folder: Path
    solver: str | None
    """Who is wrong; None where no formula shows that a solver is."""


def case_of(
    disagreement: Disagreement, files: dict[str, str], deciders: Sequence[str]
) -> Suspicion | None:
    """What to shrink; None where no single formula shows that a solver is wrong.

    Answers to different formulas contradict each other where an encoding is wrong, not a solver. A
    solver of boards and one of formulas have not been asked the same either.
    """
    suspect = disagreement.records[-1]
    file = files[suspect.formula]
    if suspect.fault:
        return Suspicion(file, suspect, None) if suspect.wrong is Wrong.MODEL else None
    if len(disagreement.records) == 2:
        other = disagreement.records[0]
        if other.formula != suspect.formula or BOARD in (other.encoding, suspect.encoding):
            return None
        return Suspicion(file, suspect, other.solver)
    others = [name for name in deciders if name != suspect.solver]
    if suspect.task == DECIDE and suspect.expected == Status.SATISFIABLE.name and others:
        return Suspicion(file, suspect, others[0], certain=False)
    return None


def shrink(case: Suspicion, seconds: float) -> tuple[Clauses, list[int], int, list[Shown]] | None:
    """The smallest formula found, its projection, its variables, and the answers to it.

    None if the disagreement does not come again, or if there are xor lines.
    """
    problem = open_problem(case.file)
    if problem.summary.xor_lines:
        return None  # what follows leaves out clauses alone
    projection = problem.projection().tolist()
    clauses = list(_clauses(problem))
    deadline = time.monotonic() + seconds
    witness: Model | None = None
    last: list[Shown] = []

    def is_wrong(candidate: Clauses) -> bool:
        nonlocal last, witness
        with _on_disk(candidate, projection, problem.variables) as small:
            found = _contradiction(case, small, witness, deadline)
        if found is None:
            return False
        last, witness = found
        return True

    if not is_wrong(clauses):
        return None
    clauses = minimised(clauses, is_wrong, deadline)
    if sum(map(len, clauses)) <= LITERALS:
        clauses = _without_literals(clauses, is_wrong, deadline)
    with _on_disk(clauses, projection, problem.variables) as small:
        # Without the witness, so that the referee speaks for itself.
        found = _contradiction(case, small, None, deadline)
    return clauses, projection, problem.variables, found[0] if found else last


def minimised(items: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Zeller's ddmin: a part that still fails, and none of whose pieces can be left out.

    At the deadline it is as small as it is.
    """
    pieces = 2
    while len(items) >= 2 and time.monotonic() < deadline:
        size = -(-len(items) // pieces)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items, pieces = rest, max(pieces - 1, 2)
                break
            if time.monotonic() >= deadline:
                return items
        else:
            if pieces >= len(items):
                break
            pieces = min(2 * pieces, len(items))
    return items


def _without_literals(
    clauses: Clauses, fails: Callable[[Clauses], bool], deadline: float
) -> Clauses:
    """Leave out single literals while it still fails; a clause keeps one at least."""
    for place in range(len(clauses)):
        for literal in clauses[place]:
            if time.monotonic() >= deadline or len(clauses[place]) == 1:
                break
            shorter = tuple(each for each in clauses[place] if each != literal)
            candidate = [*clauses[:place], shorter, *clauses[place + 1 :]]
            if shorter and fails(candidate):
                clauses = candidate
    return clauses


def _clauses(problem: Problem) -> Iterator[tuple[int, ...]]:
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0).tolist()
            words = tokens.tolist()
            for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False):
                yield tuple(words[start:end])


@contextmanager
def _on_disk(clauses: Clauses, projection: list[int], variables: int) -> Iterator[Problem]:
    with scratch.folder() as folder:
        file = folder / "formula.cnf"
        scratch.put(file, _lines(clauses, projection, variables))
        yield open_problem(str(file), own=True)


def _contradiction(
    case: Suspicion, problem: Problem, witness: Model | None, deadline: float
) -> Contradiction | None:
    """The answers that contradict each other on this formula, if they still do."""
    limits = Limits(wall=max(LEAST, deadline - time.monotonic()))
    try:
        if case.suspect.task == COUNT:
            return _counts_differ(case, problem, limits)
        said = _ask(case.suspect.solver, case.suspect.runtime, problem, limits)
        if said.status.name != case.suspect.status:
            return None
        if case.referee is None:
            wrong = said.model is not None and not _is_model(said.model, problem)
            return ([_shown(said)], None) if wrong else None
        return _refuted(case, problem, said, witness, limits)
    except AdapterError:
        # An answer that cannot be read is another fault than the one to keep.
        return None


def _refuted(
    case: Suspicion, problem: Problem, said: Answer, witness: Model | None, limits: Limits
) -> Contradiction | None:
    """Whether the referee says otherwise.

    A model of the whole formula is one of every part of it, so that the referee is asked once.
    """
    assert case.referee is not None
    if witness is not None and _is_model(witness, problem):
        other = {"solver": case.referee, "status": Status.SATISFIABLE.name}
        return [_shown(said), {**other, "model": _literals(witness)}], witness
    answer = _ask(case.referee, AUTO, problem, limits)
    if {said.status, answer.status} != {Status.SATISFIABLE, Status.UNSATISFIABLE}:
        return None
    positive = said if said.status is Status.SATISFIABLE else answer
    if positive.model is None or not _is_model(positive.model, problem):
        return None
    found = answer.model if positive is answer else None
    return [_shown(said), _shown(answer)], found


def _is_model(model: Model, problem: Problem) -> bool:
    return check.first_false_clause(problem.path, model) is None


def _counts_differ(case: Suspicion, problem: Problem, limits: Limits) -> Contradiction | None:
    assert case.referee is not None
    found = []
    for name, where in ((case.suspect.solver, case.suspect.runtime), (case.referee, AUTO)):
        request = counting.CountRequest(name, where, limits)
        found.append(counting.count(problem, request))
    if not contradict(*found):
        return None
    return [{**_shown(each.answer), "count": each.objects} for each in found], None


def _ask(name: str, where: str, problem: Problem, limits: Limits) -> Answer:
    return ask(problem, SolveRequest(name, where, limits))


def _literals(model: Model) -> list[int]:
    numbers: list[int] = (np.arange(len(model)) * model)[1:].tolist()
    return numbers


def _shown(answer: Answer) -> Shown:
    return {
        "solver": answer.solver,
        "version": answer.version,
        "runtime": answer.runtime,
        "command": list(answer.command),
        "status": answer.status.name,
        "exit_code": answer.exit_code,
        "model": None if answer.model is None else _literals(answer.model),
    }


def _lines(clauses: Clauses, projection: list[int], variables: int) -> Iterator[bytes]:
    """The formula with its projection, and no other comment."""
    yield " ".join(["c ind", *map(str, projection), "0\n"]).encode()
    yield b"p cnf %d %d\n" % (variables, len(clauses))
    for clause in clauses:
        yield clause_lines(np.array([*clause, 0]))


def save(
    disagreement: Disagreement,
    case: Suspicion | None,
    files: dict[str, str],
    into: Path,
    seconds: float,
) -> Report:
    """A folder for a bug report: the files, both answers, versions and commands.

    Without a second left there is no small formula, and the folder says so. It is against a solver
    only if one formula shows that the solver is wrong.
    """
    suspect, no_time = disagreement.records[-1], seconds < LEAST
    small = shrink(case, seconds) if case is not None and not no_time else None
    blamed = case is not None and (small is not None or (no_time and case.certain))
    encodings = dict.fromkeys(record.encoding for record in disagreement.records)
    named = (suspect.name, suspect.encoding) if blamed else ("encodings", *encodings)
    folder = into / "-".join([*named, suspect.key[:8]]).replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    about: Shown = {
        "reason": disagreement.reason,
        "answers": [
            {
                "solver": record.name,
                "version": record.version,
                "runtime": record.runtime,
                "command": list(record.command),
                "formula": record.formula,
                "of": record.where,
                "status": record.status,
                "count": record.objects,
                "fault": record.fault,
                "checked": list(record.checked),
            }
            for record in disagreement.records
        ],
        "small": None,
        "no_time": case is not None and no_time,
    }
    for record in disagreement.records:
        target = folder / f"{record.formula[:12]}.cnf.gz"
        write_file(str(target), bytes_of(Path(files[record.formula])))
    if small is not None:
        clauses, projection, variables, answers = small
        write_file(str(folder / "small.cnf"), _lines(clauses, projection, variables))
        about["small"] = {"file": "small.cnf", "clauses": len(clauses), "answers": answers}
    shown = json.dumps(about, indent=2) + "\n"
    write_file(str(folder / "answers.json"), [shown.encode()])
    write_file(str(folder / "README.md"), [_told(about).encode()])
    return Report(folder, suspect.solver if blamed else None)


def _told(about: Shown) -> str:
    lines = ["# A disagreement", "", about["reason"], ""]
    for answer in about["answers"]:
        count = f", {counted(answer['count'], 'board')}" if answer["count"] is not None else ""
        lines += [
            f"- {answer['solver']} {answer['version']} ({answer['runtime']}) on {answer['of']}, "
            f"`{answer['formula'][:12]}.cnf.gz`: {answer['status']}{count}",
            f"  `{' '.join(answer['command'])}`",
        ]
    if about["small"]:
        lines += ["", f"`small.cnf` shows it (clauses: {about['small']['clauses']:,}):", ""]
        for answer in about["small"]["answers"]:
            count = f", count {answer['count']:,}" if answer.get("count") is not None else ""
            lines += [
                f"- {answer['solver']} {answer['version']}: {answer['status']}{count}",
                f"  `{' '.join(answer['command'])}`",
            ]
    elif about["no_time"]:
        lines += ["", "It was not made smaller: no time was left."]
    else:
        lines += ["", "It was not made smaller: no single formula shows that a solver is wrong."]
    lines += ["", "`answers.json` has all of it, models too.", ""]
    return "\n".join(lines)
