"""Report of a campaign as one HTML page without external files: contradictions first.

The page has rankings, tables, some boards, and the data of its plots, bounded in number.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from boardsat.base.errors import BoardsatError
from boardsat.base.text import pluralize
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.comparisons import BETWEEN, SolverComparison
from boardsat.campaign.report.found_boards import Found, boards_of
from boardsat.campaign.report.html_templates import page_template, script_data
from boardsat.campaign.report.measurement import CONTENTS
from boardsat.campaign.report.median_runs import PENALTY, Group, counts_cpu, limits_of, time_of
from boardsat.campaign.report.questions import InstanceQuestion
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import COUNT, RunRecord
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.instance.inputs import temporary_formula_file
from boardsat.version import version

MAX_LINES = 50
"""Contradictions, or endings, that are written out."""
MAX_ROWS = 400
"""Of the table of sizes."""


def campaign_page(analysis: Analysis) -> str:
    return page_template("campaign.html.j2").render(
        title=analysis.title,
        lines=list(_lines(analysis)),
        contradictions=[each.line for each in analysis.contradictions[:MAX_LINES]],
        more=max(0, len(analysis.contradictions) - MAX_LINES),
        comparisons=[_comparison(each) for each in analysis.comparisons],
        penalty=PENALTY,
        time=_time(analysis),
        warnings=analysis.warnings,
        mixed_runtimes=analysis.mixed_runtimes,
        note=analysis.note,
        contents=_contents(analysis),
        tables=list(_tables(analysis)),
        boards=[_board(found) for found in chosen_boards(analysis)],
        endings=analysis.endings.most_common(MAX_LINES),
        machines=_machines(analysis),
        solvers=_solvers(analysis),
        tools=sorted({q.instance.tool for q in analysis.questions.values() if q.instance.tool}),
        folder=analysis.folder,
        campaign=analysis.campaign,
        version=version(),
        data=script_data(page_data(analysis)),
    )


def _lines(analysis: Analysis) -> Iterator[str]:
    solved = analysis.endings["solved"]
    instances = pluralize(len(analysis.questions), "instance")
    yield f"{pluralize(len(analysis.records), 'run')} of {instances}, {solved:,} solved"
    for comparison in analysis.comparisons:
        first = comparison.ranking.ranks[0]
        if len(comparison.names) > 1 and comparison.ranking.tasks:
            tasks = pluralize(comparison.ranking.tasks, "task")
            share = f"{first.solved:,} of {tasks} solved"
            yield f"{comparison.title}: {first.name} is first, with {share}"


def _time(analysis: Analysis) -> str:
    """Which time it is that counts."""
    kinds = {"CPU time" if counts_cpu(record) else "wall time" for record in analysis.records}
    return " or, where that was not limited, ".join(sorted(kinds))


def _contents(analysis: Analysis) -> list[tuple[str, str]]:
    """Return each runtime that was used, and what its times contain."""
    used = {record.identity.runtime for record in analysis.records}
    return [(name, words) for name, words in CONTENTS.items() if name in used]


def _comparison(comparison: SolverComparison) -> dict[str, Any]:
    return {
        "title": comparison.title,
        "ranking": comparison.ranking,
        "counts": comparison.task == COUNT,
    }


def _tables(analysis: Analysis) -> Iterator[dict[str, Any]]:
    """A table of sizes for each family and task: a row for each encoding and size."""
    sizes = analysis.size_names
    for (family, task), groups in analysis.tables.items():
        names = list(dict.fromkeys(group.solver for group in groups))
        rows: dict[tuple[str, float], dict[str, Group]] = {}
        for group in groups:
            rows.setdefault((group.way, group.size), {})[group.solver] = group
        yield {
            "title": f"{family}, counted" if task == COUNT else family,
            "size": sizes[family],
            "names": names,
            "rows": [
                (way, f"{size:g}", [found.get(name) for name in names])
                for (way, size), found in list(rows.items())[:MAX_ROWS]
            ],
            "left_out": max(0, len(rows) - MAX_ROWS),
        }


def _machines(analysis: Analysis) -> list[tuple[str, str, int]]:
    found = Counter(
        (record.execution.host, record.execution.processor) for record in analysis.records
    )
    return [(host, processor, runs) for (host, processor), runs in found.most_common(MAX_LINES)]


def _solvers(analysis: Analysis) -> list[dict[str, str]]:
    """Each as it was run, with the command of one of its runs."""
    found: dict[tuple[str, ...], str] = {}
    for record in analysis.records:
        key = (
            record.identity.label,
            record.identity.version,
            record.identity.runtime,
            record.identity.image or "",
            limits_of(record),
        )
        # One that was given up has none.
        found[key] = found.get(key) or shlex.join(map(_without_folder, record.execution.command))
    heads = ("name", "version", "runtime", "image", "limits")
    return [
        {**dict(zip(heads, key, strict=True)), "command": command} for key, command in found.items()
    ]


def _without_folder(word: str) -> str:
    """Return the name of a file without its folder, which is of one machine only."""
    return PurePath(word).name if word.startswith("/") else word


def _board(found: Found) -> dict[str, str]:
    record = found.record
    by = f"{record.question.instance} by {record.identity.label}"
    return found.picture(f"{by} in {time_of(record):.2f} s")


MAX_BOARDS = 12
MAX_FORMULA_BYTES = 20_000_000
"""Bytes of a formula that is made again for its board."""


def chosen_boards(analysis: Analysis) -> list[Found]:
    """The largest of every family and encoding, as far as they are made soon."""
    found: list[Found] = []
    for record in _candidates(analysis):
        problem = _problem(analysis.questions[record.question.formula].instance)
        if problem is not None:
            found += boards_of([record], {record.question.formula: problem})
        if len(found) == MAX_BOARDS:
            break
    return found


def _candidates(analysis: Analysis) -> Iterator[RunRecord]:
    kept: dict[tuple[str, str], tuple[int, RunRecord]] = {}
    for record in analysis.records:
        asked = analysis.questions[record.question.formula]
        size = asked.instance.size.bytes
        if (
            record.outcome.fault
            or (record.artifacts.true is None and record.artifacts.tour is None)
            or size > MAX_FORMULA_BYTES
        ):
            continue
        key = asked.family, asked.way
        if key not in kept or kept[key][0] < size:
            kept[key] = size, record
    return (record for _, record in kept.values())


def _problem(instance: CampaignInstance) -> FormulaFile | None:
    """The formula, if it is the one that was solved: its variables are read."""
    try:
        recipe = instance.source.recipe
        if recipe is None:
            return _from_elsewhere(instance)
        with temporary_formula_file(recipe.formula(), recipe.projection) as problem:
            return problem if sha256(Path(problem.path)) == instance.formula else None
    except (BoardsatError, OSError):
        return None


def _from_elsewhere(instance: CampaignInstance) -> FormulaFile | None:
    """The file that was solved, if it is still where it was."""
    path = Path(instance.source.file)
    if (
        not path.is_file()
        or path.stat().st_size > MAX_FORMULA_BYTES
        or sha256(path) != instance.formula
    ):
        return None
    return open_formula(instance.source.file)


MAX_CELLS = 120_000
MAX_INSTANCES = 15_000


def page_data(analysis: Analysis) -> dict[str, Any]:
    """Plain lists; where there are too many instances, every second or every k-th of them."""
    formulas = list(analysis.questions)
    step = max(-(-len(analysis.middle) // MAX_CELLS), -(-len(formulas) // MAX_INSTANCES), 1)
    shown = {formula: place for place, formula in enumerate(formulas[::step])}
    solvers = list(dict.fromkeys(run.solver for run in analysis.middle))
    asked = {text: k for k, text in enumerate({q.asks: 0 for q in analysis.questions.values()})}
    return {
        "step": step,
        "all": len(formulas),
        "between": BETWEEN,
        "busy": bool(analysis.warnings),
        "solvers": [[each.name, each.task, each.limit] for each in solvers],
        "sizes": analysis.size_names,
        "instances": [_instance(analysis.questions[formula], asked) for formula in shown],
        "cells": [
            [
                *(shown[run.formula], solvers.index(run.solver)),
                *(_short(run.seconds) if run.solved else None, run.status[:1]),
                *(run.right, run.runs, _short(run.least), _short(run.most), run.contended),
            ]
            for run in analysis.middle
            if run.formula in shown
        ],
        "contests": [
            {
                "title": comparison.title,
                "kind": comparison.kind.name.lower(),
                "task": comparison.task,
                "family": comparison.family,
                "names": comparison.names,
            }
            for comparison in analysis.comparisons
        ],
    }


def _instance(question: InstanceQuestion, asked: dict[str, int]) -> list[Any]:
    instance = question.instance
    return [
        *(instance.name, question.family, question.way, asked[question.asks], question.shuffle),
        *(
            question.size,
            instance.size.variables,
            instance.size.clauses,
            instance.description.title,
        ),
        shlex.join(_command(question)),
    ]


def _command(question: InstanceQuestion) -> Iterator[str]:
    """How it is made again."""
    instance = question.instance
    if not instance.source.recipe or not instance.description.problem:
        yield from [instance.source.file] if instance.source.file else []
        return
    yield from (
        "boardsat",
        "cnf",
        instance.description.problem,
        "--enc",
        instance.description.encoding,
    )
    for key, value in instance.source.recipe.settings.items():
        yield from ("--set", f"{key}={value}")
    for key, value in instance.description.transforms.items():
        yield f"--{key.replace('_', '-')}"
        yield from [] if value == "true" else [value]


def _short(seconds: float) -> float:
    return float(f"{seconds:.4g}")
