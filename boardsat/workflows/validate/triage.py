"""A disagreement reduced: delta debugging of the formula, and a folder for a bug report.

A formula is shrunk as long as the solver is still wrong about it: its model makes a clause false,
it refutes what a known model satisfies, or it counts otherwise than a referee.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.dimacs import model_check
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import AUTO
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError
from boardsat.base.files import read_pieces, write_file
from boardsat.base.text import pluralize
from boardsat.campaign.runner.records import COUNT, DECIDE, Question, RunRecord
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.count.reference import contradict
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked
from boardsat.workflows.validate.brute_force import count_models
from boardsat.workflows.validate.consensus import Disagreement
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.reduction import Clauses, minimised, without_literals
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS

Shown = dict[str, Any]
Contradiction: TypeAlias = "tuple[list[Shown], Model | None]"
"""Both answers, and a model that the suspect denies."""

Small: TypeAlias = "tuple[Clauses, list[int], int, list[Shown]]"
"""Clauses, projection, number of variables, and the answers that contradict each other."""

LITERALS = 400
"""Formulas up to so many literals are also shrunk literal by literal."""


@dataclass(frozen=True)
class Suspicion:
    """Who is wrong about which file, in which task, and who says otherwise."""

    file: str
    suspect: RunRecord
    referee: str | None
    """None where the suspect's own model shows that it is wrong, or nobody can be asked."""
    certain: bool
    """Whether its answer is refuted already; otherwise a small formula has to show it."""


@dataclass(frozen=True)
class Report:
    """A folder with all that is known of a disagreement."""

    folder: Path
    solver: str | None
    """Who is wrong; None where no formula shows that a solver is."""


def case_of(
    disagreement: Disagreement,
    files: dict[str, str],
    evidence: ValidationEvidence,
    referees: Mapping[Question, Sequence[str]],
) -> Suspicion | None:
    """Return what to shrink; None if no single formula can show that a solver is wrong.

    Answers to different formulas contradict each other where an encoding is wrong, not a solver. A
    solver of boards and one of formulas have not been asked the same either. `referees` has the
    solvers that no answer refutes.
    """
    *others, suspect = disagreement.records
    file, is_refuted = files[suspect.formula], evidence.is_refuted(suspect)
    if suspect.fault:
        return Suspicion(file, suspect, None, certain=True) if is_refuted else None
    same = [
        other.solver
        for other in others
        if (other.formula, other.task) == (suspect.formula, suspect.task)
        and BOARD not in (other.encoding, suspect.encoding)
    ]
    able = [name for name in referees[suspect.task] if name != suspect.solver]
    if is_refuted:
        return Suspicion(file, suspect, next(iter(same + able), None), certain=True)
    if others:
        return Suspicion(file, suspect, same[0], certain=False) if same else None
    if suspect.task == DECIDE and suspect.expected == Status.SATISFIABLE.name and able:
        return Suspicion(file, suspect, able[0], certain=False)
    return None


def shrink(case: Suspicion, seconds: float) -> Small | None:
    """The smallest formula found, its projection, its variables, and the answers to it.

    None if the disagreement does not come again, if there are xor lines, or if the solver reads
    the board and not the formula.
    """
    if case.suspect.encoding == BOARD:
        return None
    problem = open_formula(case.file)
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
        clauses = without_literals(clauses, is_wrong, deadline)
    with _on_disk(clauses, projection, problem.variables) as small:
        # Without the witness, so that the referee speaks for itself.
        found = _contradiction(case, small, None, deadline)
    return clauses, projection, problem.variables, found[0] if found else last


def _clauses(problem: FormulaFile) -> Iterator[tuple[int, ...]]:
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0).tolist()
            words = tokens.tolist()
            for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False):
                yield tuple(words[start:end])


@contextmanager
def _on_disk(clauses: Clauses, projection: list[int], variables: int) -> Iterator[FormulaFile]:
    with scratch.folder() as folder:
        file = folder / "formula.cnf"
        scratch.write(file, _lines(clauses, projection, variables))
        yield open_formula(str(file), generated_here=True)


def _contradiction(
    case: Suspicion, problem: FormulaFile, witness: Model | None, deadline: float
) -> Contradiction | None:
    """The answers that contradict each other on this formula, if they still do."""
    limits = Limits(wall=max(MIN_RUN_SECONDS, deadline - time.monotonic()))
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
    except BoardsatError:
        # An answer that cannot be read is another fault than the one to keep.
        return None


def _refuted(
    case: Suspicion, problem: FormulaFile, said: Answer, witness: Model | None, limits: Limits
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


def _is_model(model: Model, problem: FormulaFile) -> bool:
    return model_check.first_false_clause(problem.path, model) is None


def _counts_differ(case: Suspicion, problem: FormulaFile, limits: Limits) -> Contradiction | None:
    if case.referee is None:
        return None
    found = []
    for name, where in ((case.suspect.solver, case.suspect.runtime), (case.referee, AUTO)):
        request = counting.CountRequest(name, where, limits)
        found.append(counting.count(problem, request))
    if not contradict(*found):
        return None
    return [{**_shown(each.answer), "count": each.objects} for each in found], None


def _ask(name: str, where: str, problem: FormulaFile, limits: Limits) -> Answer:
    return solve_unchecked(problem, SolveRequest(name, where, limits))


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
    suspect, no_time = disagreement.records[-1], seconds < MIN_RUN_SECONDS
    small = shrink(case, seconds) if case is not None and not no_time else None
    blamed = None if case is None else _wrong_solver(case, small)
    encodings = dict.fromkeys(record.encoding for record in disagreement.records)
    named = (Path(blamed).stem, suspect.encoding) if blamed else ("encodings", *encodings)
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
        "wrong": None if blamed is None else Path(blamed).stem,
    }
    for record in disagreement.records:
        target = folder / f"{record.formula[:12]}.cnf.gz"
        write_file(str(target), read_pieces(Path(files[record.formula])))
    if small is not None:
        clauses, projection, variables, answers = small
        write_file(str(folder / "small.cnf"), _lines(clauses, projection, variables))
        about["small"] = {"file": "small.cnf", "clauses": len(clauses), "answers": answers}
    shown = json.dumps(about, indent=2) + "\n"
    write_file(str(folder / "answers.json"), [shown.encode()])
    write_file(str(folder / "README.md"), [_told(about).encode()])
    return Report(folder, blamed)


def _wrong_solver(case: Suspicion, small: Small | None) -> str | None:
    """Return who is wrong; None if neither the evidence nor the small formula shows it.

    Two counters that differ are compared with an exhaustive search, if the formula is that small.
    """
    if case.certain:
        return case.suspect.solver
    if small is None:
        return None
    if case.suspect.task == DECIDE:
        return case.suspect.solver  # which denies a model of the small formula
    clauses, projection, _, answers = small
    number = count_models(clauses, projection)
    if number is None:
        return None
    return case.referee if answers[1]["count"] != number else case.suspect.solver


def _told(about: Shown) -> str:
    lines = ["# A disagreement", "", about["reason"], ""]
    for answer in about["answers"]:
        count = f", {pluralize(answer['count'], 'board')}" if answer["count"] is not None else ""
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
    elif about["wrong"]:
        lines += ["", f"It was not made smaller, but the answer of {about['wrong']} is refuted."]
    else:
        lines += ["", "It was not made smaller: no single formula shows that a solver is wrong."]
    lines += ["", "`answers.json` has all of it, models too.", ""]
    return "\n".join(lines)
