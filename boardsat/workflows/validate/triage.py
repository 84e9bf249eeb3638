"""Triage of a disagreement: select a formula to reduce, and write a bug report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boardsat.adapters.answer import Status
from boardsat.base.files import read_pieces, write_file
from boardsat.base.text import pluralize
from boardsat.campaign.runner.records import DECIDE, RunRecord, RunTask
from boardsat.workflows.validate.consensus import Disagreement
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.reduction import (
    AnswerJson,
    FailureCandidate,
    SmallFormula,
    reduce_formula,
)
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS

MAX_VARIABLES = 20  # 2**20 assignments: some milliseconds per literal


@dataclass(frozen=True)
class Report:
    """Folder of a bug report."""

    folder: Path
    solver: str | None
    """Solver proved wrong by a formula. None if unknown."""


def failure_candidate(
    disagreement: Disagreement,
    files: Mapping[str, str],
    evidence: ValidationEvidence,
    references: Mapping[RunTask, Sequence[str]],
) -> FailureCandidate | None:
    """Return the run to reduce; None if no single formula can show that a solver is wrong.

    Contradictory answers to different formulas, or to a formula and a board, may be the fault of an
    encoding.

    Parameters
    ----------
    files
        Formula files by their hash.
    references
        Names of solvers without refuted answers, by task.
    """
    *opponents, suspect = disagreement.records
    file, is_refuted = files[suspect.question.formula], evidence.is_refuted(suspect)
    if suspect.outcome.fault:
        return FailureCandidate(file, suspect, None, certain=True) if is_refuted else None
    same_formula = [
        opponent.identity.name
        for opponent in opponents
        if (opponent.question.formula, opponent.question.task)
        == (suspect.question.formula, suspect.question.task)
        and BOARD not in (opponent.question.encoding, suspect.question.encoding)
    ]
    available = [
        name for name in references[suspect.question.task] if name != suspect.identity.name
    ]
    if is_refuted:
        reference = next(iter(same_formula + available), None)
        return FailureCandidate(file, suspect, reference, certain=True)
    if opponents:
        reference = next(iter(same_formula), None)
        return FailureCandidate(file, suspect, reference, certain=False) if reference else None
    if (
        suspect.question.task == DECIDE
        and suspect.question.expected == Status.SATISFIABLE.name
        and available
    ):
        return FailureCandidate(file, suspect, available[0], certain=False)
    return None


def save_report(
    disagreement: Disagreement,
    case: FailureCandidate | None,
    files: Mapping[str, str],
    into: Path,
    seconds: float,
) -> Report:
    """Write the folder of a bug report: formulas, answers, versions and commands.

    The formula is not reduced if less than MIN_RUN_SECONDS are left. The report names a wrong
    solver only if one formula shows the fault.
    """
    suspect, no_time = disagreement.records[-1], seconds < MIN_RUN_SECONDS
    small = reduce_formula(case, seconds) if case is not None and not no_time else None
    wrong_solver = None if case is None else _wrong_solver(case, small)
    encodings = dict.fromkeys(record.question.encoding for record in disagreement.records)
    names = ["encodings", *encodings]
    if wrong_solver:
        names = [Path(wrong_solver).stem, suspect.question.encoding]
    folder = into / "-".join([*names, suspect.key[:8]]).replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    report: AnswerJson = {
        "reason": disagreement.reason,
        "answers": [_record_json(record) for record in disagreement.records],
        "small": None,
        "no_time": case is not None and no_time,
        "wrong": None if wrong_solver is None else Path(wrong_solver).stem,
    }
    for record in disagreement.records:
        target = folder / f"{record.question.formula[:12]}.cnf.gz"
        write_file(str(target), read_pieces(Path(files[record.question.formula])))
    if small is not None:
        write_file(str(folder / "small.cnf"), small.lines())
        size = len(small.clauses)
        report["small"] = {"file": "small.cnf", "clauses": size, "answers": small.answers}
    text = json.dumps(report, indent=2) + "\n"
    write_file(str(folder / "answers.json"), [text.encode()])
    write_file(str(folder / "README.md"), [_readme(report).encode()])
    return Report(folder, wrong_solver)


def _wrong_solver(case: FailureCandidate, small: SmallFormula | None) -> str | None:
    """Return the solver refuted by the evidence or the small formula; None if unknown.

    Contradictory counts of a small formula are compared with a count by exhaustive search.
    """
    if case.certain:
        return case.suspect.identity.name
    if small is None:
        return None
    if case.suspect.question.task == DECIDE:
        return case.suspect.identity.name  # it denies a checked model of the small formula
    number = count_models(small.clauses, small.projection)
    if number is None:
        return None
    return case.reference if small.answers[1]["count"] != number else case.suspect.identity.name


def count_models(clauses: Sequence[Iterable[int]], projection: Iterable[int]) -> int | None:
    """Count the models over the projection by brute force; None if too many variables occur."""
    projected = set(projection)
    occurring = sorted({abs(literal) for clause in clauses for literal in clause})
    if len(occurring) > MAX_VARIABLES:
        return None
    assignments = np.arange(2 ** len(occurring), dtype=np.int64)
    value = {variable: assignments >> k & 1 == 1 for k, variable in enumerate(occurring)}
    is_model = np.ones(len(assignments), bool)
    for clause in clauses:
        is_true = np.zeros(len(assignments), bool)
        for literal in clause:
            is_true |= value[abs(literal)] == (literal > 0)
        is_model &= is_true
    mask = sum(1 << k for k, variable in enumerate(occurring) if variable in projected)
    num_free = len(projected.difference(occurring))  # each doubles the count
    number: int = np.unique(assignments[is_model] & mask).size
    return number << num_free


def _record_json(record: RunRecord) -> AnswerJson:
    return {
        "solver": record.identity.label,
        "version": record.identity.version,
        "runtime": record.identity.runtime,
        "command": list(record.execution.command),
        "formula": record.question.formula,
        "of": record.question.varied_encoding,
        "status": record.outcome.status,
        "count": record.count.objects,
        "fault": record.outcome.fault,
        "checked": list(record.outcome.checked),
    }


def _readme(report: AnswerJson) -> str:
    lines = ["# A disagreement", "", report["reason"], ""]
    for answer in report["answers"]:
        count = f", {pluralize(answer['count'], 'board')}" if answer["count"] is not None else ""
        lines += _answer_lines(
            f"{answer['solver']} {answer['version']} ({answer['runtime']}) on {answer['of']}, "
            f"`{answer['formula'][:12]}.cnf.gz`: {answer['status']}{count}",
            answer,
        )
    if report["small"]:
        clauses = pluralize(report["small"]["clauses"], "clause")
        lines += ["", f"`small.cnf` reproduces it ({clauses}):", ""]
        for answer in report["small"]["answers"]:
            count = f", count {answer['count']:,}" if answer.get("count") is not None else ""
            name = f"{answer['solver']} {answer['version']}"
            lines += _answer_lines(f"{name}: {answer['status']}{count}", answer)
    else:
        reason = ": no single formula shows that a solver is wrong"
        if report["no_time"]:
            reason = ": no time was left"
        elif report["wrong"]:
            reason = f", but the answer of {report['wrong']} is refuted"
        lines += ["", f"The formula was not reduced{reason}."]
    lines += ["", "`answers.json` contains all answers, including models.", ""]
    return "\n".join(lines)


def _answer_lines(text: str, answer: AnswerJson) -> Iterator[str]:
    yield f"- {text}"
    yield f"  `{' '.join(answer['command'])}`"
