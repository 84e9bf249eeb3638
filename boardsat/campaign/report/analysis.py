"""Analysis of a campaign for all reports: comparisons, medians, contradictions and warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters.answer import Status
from boardsat.base.errors import InputError
from boardsat.campaign.folder import (
    CampaignInstance,
    FormulaSize,
    InstanceDescription,
    campaign_text,
)
from boardsat.campaign.report.classification import ClassifiedInstance, classify
from boardsat.campaign.report.comparisons import SolverComparison, comparisons
from boardsat.campaign.report.measurement import mixed_runtimes, warnings
from boardsat.campaign.report.median_runs import (
    MedianRun,
    SizeMedian,
    median_runs,
    medians_by_size,
)
from boardsat.campaign.report.run_table import Runs
from boardsat.campaign.runner.records import FormulaSource, RunRecord
from boardsat.generators.yaml_reader import read_yaml


@dataclass(frozen=True)
class Analysis:
    """Results of a campaign, prepared for reports."""

    folder: str
    """Name of the folder of results."""
    title: str
    campaign: str
    """Text of the campaign file."""
    records: Sequence[RunRecord]
    instances: Mapping[str, ClassifiedInstance]
    """Instances with a record, by the hashes of their formulas."""
    median_runs: Sequence[MedianRun]
    comparisons: Sequence[SolverComparison]
    contradictions: Sequence[Contradiction]
    size_medians: Sequence[SizeMedian]
    warnings: Sequence[str]
    """Lines about runs that a busy machine has slowed down."""
    mixed_runtimes: str
    """Line about comparing times of different runtimes. Empty if all solvers ran on one."""
    note: str
    """Line about ignored records. Empty if no record was ignored."""

    @property
    def outcomes(self) -> Counter[str]:
        """Numbers of runs by outcome: `solved`, `wrong`, or the reason why there is no answer."""
        return Counter(_outcome(record) for record in self.records)

    @property
    def size_names(self) -> dict[str, str]:
        """Names of the size parameters by family."""
        return {instance.family: instance.size_name for instance in self.instances.values()}

    @property
    def size_tables(self) -> dict[tuple[str, str], list[SizeMedian]]:
        """Medians by family and task."""
        tables: dict[tuple[str, str], list[SizeMedian]] = {}
        for median in self.size_medians:
            tables.setdefault((median.family, median.task), []).append(median)
        return tables


def analyze(folder: Path) -> Analysis:
    """Return the analysis of a folder of results; raise InputError if it has no runs."""
    runs = Runs(folder)
    if not runs.records:
        if runs.note:
            raise InputError(runs.note, "run the campaign again", str(folder))
        raise InputError("the results have no record of a run yet", "", str(folder))
    by_formula = {record.question.formula: _placeholder(record) for record in runs.records}
    by_formula |= {key: runs.instances[key] for key in by_formula if key in runs.instances}
    instances = classify(by_formula.values())
    medians = median_runs(runs.records)
    text = campaign_text(folder)
    return Analysis(
        folder.name,
        _title(text) or folder.resolve().name,
        text,
        runs.records,
        instances,
        medians,
        tuple(comparisons(medians, instances)),
        tuple(contradictions(runs.records, instances)),
        medians_by_size(medians, instances),
        warnings(runs.records),
        mixed_runtimes(runs.records),
        runs.note,
    )


def _placeholder(record: RunRecord) -> CampaignInstance:
    """Return an instance with the data of a record, used if the line of the instance is damaged."""
    question = record.question
    return CampaignInstance(
        question.instance,
        question.formula,
        FormulaSize(0, 0, 0),
        InstanceDescription(question.problem, question.encoding),
        FormulaSource(),
    )


def _outcome(record: RunRecord) -> str:
    if record.outcome.fault:
        return "wrong"
    return "solved" if record.solved else record.outcome.reason or str(record.outcome.end)


def _title(campaign: str) -> str:
    """Return the title in the text of a campaign. Empty if it has none or is damaged."""
    try:
        entries = read_yaml(campaign, "campaign").mapping()
        return entries["title"].text if "title" in entries else ""
    except InputError:
        return ""


@dataclass(frozen=True)
class Contradiction:
    """Refuted answer, or answers of which one must be wrong."""

    line: str
    """Description for people."""
    formulas: tuple[str, ...]
    """Hashes of the formulas."""


def contradictions(
    records: Iterable[RunRecord], instances: Mapping[str, ClassifiedInstance]
) -> Iterator[Contradiction]:
    """Yield the refuted answers, then the contradictions on one formula and on one question."""
    solved = defaultdict(list)
    for record in records:
        if record.outcome.fault:
            source = f"{_solver_text(record)} on {record.question.instance}"
            line = f"WRONG: {source}: {record.outcome.fault}"
            yield Contradiction(line, (record.question.formula,))
        elif record.solved:
            solved[record.question.formula].append(record)
    by_question: dict[Hashable, list[RunRecord]] = defaultdict(list)
    for formula, formula_records in solved.items():
        contradiction = _contradiction(formula_records, formula_records[0].question.instance)
        if contradiction:
            yield contradiction
        elif formula in instances:
            by_question[instances[formula].question] += formula_records
    for question_records in by_question.values():
        if len({record.question.formula for record in question_records}) > 1:
            contradiction = _contradiction(question_records, "the same question")
            if contradiction:
                yield contradiction


def _contradiction(records: list[RunRecord], subject: str) -> Contradiction | None:
    """Return the contradiction between answers about a subject. None if they agree."""
    by_status: dict[str, RunRecord] = {}
    by_count: dict[int, RunRecord] = {}
    for record in records:
        by_status.setdefault(record.outcome.status, record)
        if record.count.objects is not None and record.count.exact:
            by_count.setdefault(record.count.objects, record)
    if {Status.SATISFIABLE.name, Status.UNSATISFIABLE.name} <= by_status.keys():
        witnesses = [by_status[Status.SATISFIABLE.name], by_status[Status.UNSATISFIABLE.name]]
        conflict = "SAT against UNSAT"
    elif len(by_count) > 1:
        witnesses = list(by_count.values())
        counts = " and ".join(f"{count:,}" for count in sorted(by_count)[:3])
        conflict = f"counts of {counts}"
    else:
        return None
    answers = "; ".join(
        f"{_answer_text(record)} by {_solver_text(record)} on {record.question.instance}"
        for record in witnesses[:3]
    )
    formulas = dict.fromkeys(record.question.formula for record in witnesses)
    return Contradiction(f"{conflict} on {subject}: {answers}", tuple(formulas))


def _answer_text(record: RunRecord) -> str:
    """Return the count of a run, or its status if it has not counted."""
    objects = record.count.objects
    return record.outcome.status if objects is None else f"{objects:,}"


def _solver_text(record: RunRecord) -> str:
    """Return the name and version of a solver, its seed and the checks of its answer."""
    seed = "" if record.attempt.seed is None else f", seed {record.attempt.seed}"
    checks = f", checked: {' '.join(record.outcome.checked)}" if record.outcome.checked else ""
    return f"{record.identity.label} {record.identity.version}{seed}{checks}"
