"""The report of a campaign as one HTML page without external files: contradictions first."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from boardsat.adapters.rendering.svg import svg
from boardsat.base.text import pluralize
from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.board_choice import chosen_boards
from boardsat.campaign.report.comparisons import Contest
from boardsat.campaign.report.found_boards import Found
from boardsat.campaign.report.html_templates import page_template, script_data
from boardsat.campaign.report.measurement import CONTENTS
from boardsat.campaign.report.median_runs import PENALTY, counts_cpu, limits_of, time_of
from boardsat.campaign.report.page_data import page_data
from boardsat.campaign.report.sizes import Group
from boardsat.campaign.runner.records import COUNT
from boardsat.version import version

MOST_LINES = 50
"""Contradictions, or endings, that are written out."""
MOST_ROWS = 400
"""Of the table of sizes."""


def campaign_page(analysis: Analysis) -> str:
    return page_template("campaign.html.j2").render(
        title=analysis.title,
        lines=list(_lines(analysis)),
        contradictions=[each.line for each in analysis.contradictions[:MOST_LINES]],
        more=max(0, len(analysis.contradictions) - MOST_LINES),
        contests=[_contest(each) for each in analysis.contests],
        penalty=PENALTY,
        time=_time(analysis),
        warnings=analysis.warnings,
        mixed_runtimes=analysis.mixed_runtimes,
        note=analysis.note,
        contents=_contents(analysis),
        tables=list(_tables(analysis)),
        boards=[_board(found) for found in chosen_boards(analysis)],
        endings=analysis.endings.most_common(MOST_LINES),
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
    for contest in analysis.contests:
        first = contest.ranking.ranks[0]
        if len(contest.names) > 1 and contest.ranking.tasks:
            tasks = pluralize(contest.ranking.tasks, "task")
            yield f"{contest.title}: {first.name} is first, with {first.solved:,} of {tasks} solved"


def _time(analysis: Analysis) -> str:
    """Which time it is that counts."""
    kinds = {"CPU time" if counts_cpu(record) else "wall time" for record in analysis.records}
    return " or, where that was not limited, ".join(sorted(kinds))


def _contents(analysis: Analysis) -> list[tuple[str, str]]:
    """Return each runtime that was used, and what its times contain."""
    used = {record.runtime for record in analysis.records}
    return [(name, words) for name, words in CONTENTS.items() if name in used]


def _contest(contest: Contest) -> dict[str, Any]:
    return {
        "title": contest.title,
        "ranking": contest.ranking,
        "counts": contest.task == COUNT,
    }


def _tables(analysis: Analysis) -> Iterator[dict[str, Any]]:
    """A table of sizes for each family and task: a row for each encoding and size."""
    sizes = {each.family: each.size_name for each in analysis.questions.values()}
    tables: dict[tuple[str, str], list[Group]] = {}
    for group in analysis.groups:
        tables.setdefault((group.family, group.task), []).append(group)
    for (family, task), groups in tables.items():
        names = list(dict.fromkeys(group.contestant for group in groups))
        rows: dict[tuple[str, float], dict[str, Group]] = {}
        for group in groups:
            rows.setdefault((group.way, group.size), {})[group.contestant] = group
        yield {
            "title": f"{family}, counted" if task == COUNT else family,
            "size": sizes[family],
            "names": names,
            "rows": [
                (way, f"{size:g}", [found.get(name) for name in names])
                for (way, size), found in list(rows.items())[:MOST_ROWS]
            ],
            "left_out": max(0, len(rows) - MOST_ROWS),
        }


def _machines(analysis: Analysis) -> list[tuple[str, str, int]]:
    found = Counter((record.host, record.processor) for record in analysis.records)
    return [(host, processor, runs) for (host, processor), runs in found.most_common(MOST_LINES)]


def _solvers(analysis: Analysis) -> list[dict[str, str]]:
    """Each as it was run, with the command of one of its runs."""
    found: dict[tuple[str, ...], str] = {}
    for record in analysis.records:
        key = (record.name, record.version, record.runtime, record.image or "", limits_of(record))
        # One that was given up has none.
        found[key] = found.get(key) or shlex.join(map(_without_folder, record.command))
    heads = ("name", "version", "runtime", "image", "limits")
    return [
        {**dict(zip(heads, key, strict=True)), "command": command} for key, command in found.items()
    ]


def _without_folder(word: str) -> str:
    """Return the name of a file without its folder, which is of one machine only."""
    return PurePath(word).name if word.startswith("/") else word


def _board(found: Found) -> dict[str, str]:
    record = found.record
    checked = f", checked: {', '.join(record.checked)}" if record.checked else ""
    return {
        "picture": svg(found.solution, found.closed),
        "caption": f"{record.instance} by {record.name} in {time_of(record):.2f} s{checked}",
    }
