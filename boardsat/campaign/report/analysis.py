"""Analysis of a campaign, computed once for all reports, with contradictory answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters.answer import Status
from boardsat.base.errors import InputError
from boardsat.campaign.folder import campaign_in
from boardsat.campaign.instances import CampaignInstance, FormulaSize, InstanceDescription
from boardsat.campaign.report.comparisons import SolverComparison, comparisons
from boardsat.campaign.report.measurement import mixed_runtimes, warnings
from boardsat.campaign.report.median_runs import Group, MedianRun, grouped, median_runs
from boardsat.campaign.report.questions import InstanceQuestion, questions
from boardsat.campaign.report.run_table import Runs
from boardsat.campaign.runner.records import FormulaSource, RunRecord
from boardsat.generators.yaml_reader import read_yaml


@dataclass(frozen=True)
class Analysis:
    folder: str
    title: str
    campaign: str
    """The text of its file."""
    records: Sequence[RunRecord]
    questions: Mapping[str, InstanceQuestion]
    """Of every formula that has a record."""
    middle: Sequence[MedianRun]
    comparisons: Sequence[SolverComparison]
    contradictions: Sequence[Contradiction]
    groups: Sequence[Group]
    warnings: Sequence[str]
    """Lines about runs that a busy machine has slowed down."""
    mixed_runtimes: str
    """Line about the times of different runtimes; empty if all solvers have the same one."""
    note: str
    """Line about records that are ignored; empty if there are none."""

    @property
    def endings(self) -> Counter[str]:
        """How many runs ended how."""
        return Counter(_ending(record) for record in self.records)

    @property
    def size_names(self) -> dict[str, str]:
        """Name of the parameter for the size of each family."""
        return {each.family: each.size_name for each in self.questions.values()}

    @property
    def tables(self) -> dict[tuple[str, str], list[Group]]:
        """Groups by family and task."""
        tables: dict[tuple[str, str], list[Group]] = {}
        for group in self.groups:
            tables.setdefault((group.family, group.task), []).append(group)
        return tables


def analysed(folder: Path) -> Analysis:
    runs = Runs(folder)
    if not runs.records:
        if runs.note:
            raise InputError(runs.note, "run the campaign again", str(folder))
        raise InputError("no run has ended yet", "run the campaign first", str(folder))
    instances = {record.question.formula: _stand_in(record) for record in runs.records}
    instances |= {key: each for key, each in runs.instances.items() if key in instances}
    asked = questions(instances.values())
    middle = median_runs(runs.records)
    text = campaign_in(folder)
    return Analysis(
        folder.name,
        _title(text) or folder.resolve().name,
        text,
        runs.records,
        asked,
        middle,
        tuple(comparisons(middle, asked)),
        tuple(contradictions(runs.records, asked)),
        grouped(middle, asked),
        warnings(runs.records),
        mixed_runtimes(runs.records),
        runs.note,
    )


def _stand_in(record: RunRecord) -> CampaignInstance:
    """Return a description of an instance whose own line is lost."""
    question = record.question
    return CampaignInstance(
        question.instance,
        question.formula,
        FormulaSize(0, 0, 0),
        InstanceDescription(question.problem, question.encoding),
        FormulaSource(),
    )


def _ending(record: RunRecord) -> str:
    if record.outcome.fault:
        return "wrong"
    return "solved" if record.solved else record.outcome.reason or str(record.outcome.end)


def _title(campaign: str) -> str:
    try:
        entries = read_yaml(campaign, "campaign").mapping()
        return entries["title"].text if "title" in entries else ""
    except InputError:
        return ""


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
        if record.outcome.fault:
            told = f"WRONG: {_who(record)} on {record.question.instance}: {record.outcome.fault}"
            yield Contradiction(told, (record.question.formula,))
        elif record.solved:
            sound[record.question.formula].append(record)
    asked: dict[Hashable, list[RunRecord]] = defaultdict(list)
    for formula, group in sound.items():
        found = list(_among(group, group[0].question.instance))
        yield from found
        if not found and formula in questions:
            asked[questions[formula].asks] += group
    for group in asked.values():
        if len({record.question.formula for record in group}) > 1:
            yield from _among(group, "the same question")


def _among(records: list[RunRecord], what: str) -> Iterator[Contradiction]:
    by_status: dict[str, RunRecord] = {}
    by_count: dict[int, RunRecord] = {}
    for record in records:
        by_status.setdefault(record.outcome.status, record)
        if record.count.objects is not None and record.count.exact:
            by_count.setdefault(record.count.objects, record)
    yes, no = (by_status.get(status.name) for status in (Status.SATISFIABLE, Status.UNSATISFIABLE))
    if yes and no:
        yield _contradiction(f"SAT against UNSAT on {what}", (yes, no))
    elif len(by_count) > 1:
        numbers = " and ".join(f"{number:,}" for number in sorted(by_count)[:3])
        yield _contradiction(f"counts of {numbers} on {what}", tuple(by_count.values()))


def _contradiction(what: str, records: tuple[RunRecord, ...]) -> Contradiction:
    whose = "; ".join(f"{_short(r)} by {_who(r)} on {r.question.instance}" for r in records[:3])
    return Contradiction(
        f"{what}: {whose}", tuple(dict.fromkeys(r.question.formula for r in records))
    )


def _short(record: RunRecord) -> str:
    return (
        f"{record.count.objects:,}" if record.count.objects is not None else record.outcome.status
    )


def _who(record: RunRecord) -> str:
    seed = "" if record.attempt.seed is None else f", seed {record.attempt.seed}"
    checked = f", checked: {' '.join(record.outcome.checked)}" if record.outcome.checked else ""
    return f"{record.identity.label} {record.identity.version}{seed}{checked}"
