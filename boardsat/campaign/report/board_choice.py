"""A few boards of a campaign to look at: one of each encoding, made again or read from its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardsat.adapters.dimacs.values import MalformedError
from boardsat.base.errors import BoardsatError
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.found_boards import Found, boards_of
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import RunRecord
from boardsat.instance.formula_file import Problem, open_problem
from boardsat.instance.inputs import written

MOST = 12
LARGEST = 20_000_000
"""Bytes of a formula that is made again for its board."""


def chosen_boards(analysis: Analysis) -> list[Found]:
    """The largest of every family and encoding, as far as they are made soon."""
    found: list[Found] = []
    for record in _candidates(analysis):
        problem = _problem(analysis.questions[record.formula].instance)
        if problem is not None:
            found += boards_of([record], {record.formula: problem})
        if len(found) == MOST:
            break
    return found


def _candidates(analysis: Analysis) -> Iterator[RunRecord]:
    kept: dict[tuple[str, str], tuple[int, RunRecord]] = {}
    for record in analysis.records:
        asked = analysis.questions[record.formula]
        size = asked.instance.bytes
        if record.fault or (record.true is None and record.tour is None) or size > LARGEST:
            continue
        key = asked.family, asked.way
        if key not in kept or kept[key][0] < size:
            kept[key] = size, record
    return (record for _, record in kept.values())


def _problem(instance: CampaignInstance) -> Problem | None:
    """The formula, if it is the one that was solved: its variables are read."""
    try:
        if not instance.recipe:
            return _from_elsewhere(instance)
        recipe = Recipe.from_json(dict(instance.recipe))
        with written(recipe.formula(), recipe.projection) as problem:
            return problem if sha256(Path(problem.path)) == instance.formula else None
    except (BoardsatError, MalformedError, OSError):
        return None


def _from_elsewhere(instance: CampaignInstance) -> Problem | None:
    """The file that was solved, if it is still where it was."""
    path = Path(instance.file)
    if not path.is_file() or path.stat().st_size > LARGEST or sha256(path) != instance.formula:
        return None
    return open_problem(instance.file)
