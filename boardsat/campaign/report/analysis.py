"""All that a report tells of a campaign, computed once from its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters.dimacs.values import MalformedError
from boardsat.base.errors import InputError
from boardsat.campaign.folder import campaign_in
from boardsat.campaign.instances import NAME, CampaignInstance
from boardsat.campaign.report.comparisons import Contest, contests
from boardsat.campaign.report.disagreements import Contradiction, contradictions
from boardsat.campaign.report.measurement import mixed_runtimes, warnings
from boardsat.campaign.report.median_runs import MiddleRun, is_solved, middle_runs
from boardsat.campaign.report.questions import InstanceQuestion, questions
from boardsat.campaign.report.run_table import Runs
from boardsat.campaign.report.sizes import Group, grouped
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import RunRecord
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
    middle: Sequence[MiddleRun]
    contests: Sequence[Contest]
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


def analysed(folder: Path) -> Analysis:
    runs = Runs(folder)
    if not runs.records:
        if runs.note:
            raise InputError(runs.note, "run the campaign again", str(folder))
        raise InputError("no run has ended yet", "run the campaign first", str(folder))
    instances = {record.formula: _stand_in(record) for record in runs.records}
    instances |= {key: each for key, each in runs.instances.items() if key in instances}
    _check_recipes(instances.values(), folder)
    asked = questions(instances.values())
    middle = middle_runs(runs.records)
    text = campaign_in(folder)
    return Analysis(
        folder.name,
        _title(text) or folder.resolve().name,
        text,
        runs.records,
        asked,
        middle,
        tuple(contests(middle, asked)),
        tuple(contradictions(runs.records, asked)),
        grouped(middle, asked),
        warnings(runs.records),
        mixed_runtimes(runs.records),
        runs.note,
    )


def _check_recipes(instances: Iterable[CampaignInstance], folder: Path) -> None:
    """Raise InputError if the recipe of an instance is malformed: questions are read from it."""
    for instance in instances:
        try:
            if instance.recipe is not None:
                Recipe.from_json(dict(instance.recipe))
        except MalformedError as error:
            raise InputError(
                f"the recipe of {instance.name!r} is malformed: {error}",
                "remove its line",
                str(folder / NAME),
            ) from None


def _stand_in(record: RunRecord) -> CampaignInstance:
    """For an instance whose own line is lost."""
    return CampaignInstance(
        record.instance, record.formula, 0, 0, 0, record.problem, record.encoding
    )


def _ending(record: RunRecord) -> str:
    if record.fault:
        return "wrong"
    return "solved" if is_solved(record) else record.reason or str(record.end)


def _title(campaign: str) -> str:
    try:
        entries = read_yaml(campaign, "campaign").mapping()
        return entries["title"].text if "title" in entries else ""
    except InputError:
        return ""
