"""Answers that cannot all be right: refuted ones, and those that contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from boardsat.adapters.answer import Status
from boardsat.campaign.report.median_runs import is_solved
from boardsat.campaign.report.questions import InstanceQuestion
from boardsat.campaign.runner.records import RunRecord


@dataclass(frozen=True)
class Contradiction:
    line: str
    formulas: tuple[str, ...]


def contradictions(
    records: Iterable[RunRecord], questions: Mapping[str, InstanceQuestion]
) -> Iterator[Contradiction]:
    """What a check refuted, then what contradicts itself on a formula, then on a question."""
    sound = defaultdict(list)
    for record in records:
        if record.fault:
            told = f"WRONG: {_who(record)} on {record.instance}: {record.fault}"
            yield Contradiction(told, (record.formula,))
        elif is_solved(record):
            sound[record.formula].append(record)
    asked: dict[Hashable, list[RunRecord]] = defaultdict(list)
    for formula, group in sound.items():
        found = list(_among(group, group[0].instance))
        yield from found
        if not found and formula in questions:
            asked[questions[formula].asks] += group
    for group in asked.values():
        if len({record.formula for record in group}) > 1:
            yield from _among(group, "the same question")


def _among(records: list[RunRecord], what: str) -> Iterator[Contradiction]:
    by_status: dict[str, RunRecord] = {}
    by_count: dict[int, RunRecord] = {}
    for record in records:
        by_status.setdefault(record.status, record)
        if record.objects is not None and record.exact:
            by_count.setdefault(record.objects, record)
    yes, no = (by_status.get(status.name) for status in (Status.SATISFIABLE, Status.UNSATISFIABLE))
    if yes and no:
        yield _contradiction(f"SAT against UNSAT on {what}", (yes, no))
    elif len(by_count) > 1:
        numbers = " and ".join(f"{number:,}" for number in sorted(by_count)[:3])
        yield _contradiction(f"counts of {numbers} on {what}", tuple(by_count.values()))


def _contradiction(what: str, records: tuple[RunRecord, ...]) -> Contradiction:
    whose = "; ".join(f"{_short(r)} by {_who(r)} on {r.instance}" for r in records[:3])
    return Contradiction(f"{what}: {whose}", tuple(dict.fromkeys(r.formula for r in records)))


def _short(record: RunRecord) -> str:
    return f"{record.objects:,}" if record.objects is not None else record.status


def _who(record: RunRecord) -> str:
    seed = "" if record.seed is None else f", seed {record.seed}"
    checked = f", checked: {' '.join(record.checked)}" if record.checked else ""
    return f"{record.name} {record.version}{seed}{checked}"
