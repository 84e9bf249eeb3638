"""Plots for a paper: SVG and PDF by matplotlib, with their numbers as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardsat.base.files import write_file
from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.comparisons import SolverComparison
from boardsat.campaign.report.median_runs import Group
from boardsat.campaign.runner.records import COUNT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

MAX_LINES = 12
"""In one plot: the best; the CSV file has all."""
_WIDE, _SQUARE = (5.5, 3.6), (4.2, 4.2)
_FORMS = ("svg", "pdf")
_MIN_SECONDS = 0.001
"""Seconds: less has no place on a logarithmic axis."""
_MARKS = "osD^vPX*<>"


def write_plots(analysis: Analysis, folder: Path) -> Iterator[Path]:
    """Every file that was written."""
    folder.mkdir(exist_ok=True)
    for comparison in analysis.comparisons:
        name = _file_name(comparison.title)
        yield from _written(
            folder / f"cactus-{name}", _cactus_rows(comparison), _cactus(comparison)
        )
        if len(comparison.names) > 1:
            # The numbers of every pair are there; the best two are drawn.
            yield from _written(
                folder / f"scatter-{name}", _times(comparison), _scatter(comparison)
            )
    sizes = analysis.size_names
    for (family, task), groups in analysis.tables.items():
        if len({group.size for group in groups}) > 1:
            name = _file_name(f"{family} counted" if task == COUNT else family)
            drawn = _growth(groups, sizes[family])
            yield from _written(folder / f"growth-{name}", _growth_rows(groups), drawn)


def _file_name(title: str) -> str:
    return re.sub(r"[^\w.-]+", "-", title, flags=re.ASCII).strip("-.")[:100] or "plot"


def _written(stem: Path, rows: Sequence[Sequence[Any]], figure: Figure) -> Iterator[Path]:
    import matplotlib as mpl

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    yield _file(stem, "csv", text.getvalue().encode())
    # Neither a date nor chance, so that the same numbers give the same files.
    with mpl.rc_context({"svg.hashsalt": "boardsat", "pdf.fonttype": 42}):
        for form in _FORMS:
            data = io.BytesIO()
            dated = {"svg": "Date", "pdf": "CreationDate"}[form]
            figure.savefig(data, format=form, bbox_inches="tight", metadata={dated: None})
            yield _file(stem, form, data.getvalue())


def _file(stem: Path, ending: str, data: bytes) -> Path:
    path = stem.with_name(f"{stem.name}.{ending}")
    write_file(str(path), [data])
    return path


def _axes(size: tuple[float, float]) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    axes = figure.add_subplot()
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
    return figure, axes


def _seconds(axis: Axis) -> None:
    """The numbers of a logarithmic axis, as they are."""
    from matplotlib.ticker import LogFormatter

    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(LogFormatter(minor_thresholds=(1.5, 0.4)))


def _whole(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _common(comparison: SolverComparison) -> list[Hashable]:
    first, *others = comparison.scores.values()
    return [task for task in first if all(task in mine for mine in others)]


def _solved(comparison: SolverComparison, name: str, tasks: Sequence[Hashable]) -> list[float]:
    scores = (comparison.scores[name][task] for task in tasks)
    return sorted(score.seconds for score in scores if score.solved)


def _cactus_rows(comparison: SolverComparison) -> list[list[Any]]:
    tasks = _common(comparison)
    rows = [
        [name, number, seconds]
        for name in comparison.names
        for number, seconds in enumerate(_solved(comparison, name, tasks), 1)
    ]
    return [["name", "solved", "seconds"], *rows]


def _cactus(comparison: SolverComparison) -> Figure:
    figure, axes = _axes(_WIDE)
    tasks = _common(comparison)
    for number, name in enumerate(comparison.names[:MAX_LINES]):
        times = [max(each, _MIN_SECONDS) for each in _solved(comparison, name, tasks)]
        # Where there are many, marks would hide the line.
        mark = _MARKS[number % len(_MARKS)] if len(times) < 100 else ""
        places = range(1, len(times) + 1)
        axes.plot(places, times, marker=mark, markersize=3, label=name, linewidth=1.1)
    axes.set_yscale("log")
    _seconds(axes.yaxis)
    _whole(axes)
    axes.set_xlabel("tasks solved")
    axes.set_ylabel("seconds for each")
    axes.legend(fontsize=7)
    return figure


def _times(comparison: SolverComparison) -> list[list[Any]]:
    """A row for each task, a column for each name; empty where it was not solved or not asked."""
    tasks = list(dict.fromkeys(task for mine in comparison.scores.values() for task in mine))
    heads = ["task", *comparison.names]
    return [heads, *([_told(task), *_cells(comparison, task)] for task in tasks)]


def _told(task: Hashable) -> str:
    return " ".join(filter(None, task)) if isinstance(task, tuple) else str(task)


def _cells(comparison: SolverComparison, task: Hashable) -> Iterator[float | str]:
    for name in comparison.names:
        score = comparison.scores[name].get(task)
        yield score.seconds if score and score.solved else ""


def _scatter(comparison: SolverComparison) -> Figure:
    figure, axes = _axes(_SQUARE)
    first, second = comparison.names[:2]
    mine, theirs = comparison.scores[first], comparison.scores[second]
    tasks = [task for task in mine if task in theirs]
    times = [(mine[task].seconds, theirs[task].seconds) for task in tasks]
    points = [(max(x, _MIN_SECONDS), max(y, _MIN_SECONDS)) for x, y in times]
    axes.set_xscale("log")
    axes.set_yscale("log")
    _seconds(axes.xaxis)
    _seconds(axes.yaxis)
    if points:
        low, high = min(map(min, points)) / 1.5, max(map(max, points)) * 1.5
        axes.plot([low, high], [low, high], color="0.5", linewidth=0.8)
        axes.set(xlim=(low, high), ylim=(low, high))
        across, up = zip(*points, strict=True)
        axes.scatter(across, up, s=10, alpha=0.7, rasterized=len(points) > 5000)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{first}, seconds (not solved: 2 x limit)", fontsize=8)
    axes.set_ylabel(f"{second}, seconds (not solved: 2 x limit)", fontsize=8)
    return figure


def _growth_rows(groups: Sequence[Group]) -> list[list[Any]]:
    heads = ["encoding", "size", "solver", "instances", "solved", "median"]
    rows = [
        [group.way, group.size, group.solver, group.instances, group.solved, group.median]
        for group in groups
    ]
    return [heads, *rows]


def _growth(groups: Sequence[Group], size: str) -> Figure:
    """The median over solvers for each encoding, as far as most of it was solved."""
    figure, axes = _axes(_WIDE)
    ways = list(dict.fromkeys(group.way for group in groups))
    for number, way in enumerate(ways[:MAX_LINES]):
        points = []
        for at in sorted({group.size for group in groups if group.way == way}):
            mine = [group for group in groups if group.way == way and group.size == at]
            middle = sorted(mine, key=lambda group: group.median)[len(mine) // 2]
            if middle.is_mostly_solved:
                points.append((at, max(middle.median, _MIN_SECONDS)))
        if points:
            mark = _MARKS[number % len(_MARKS)]
            axes.plot(*zip(*points, strict=True), marker=mark, markersize=4, label=way)
    axes.set_yscale("log")
    _seconds(axes.yaxis)
    if all(float(group.size).is_integer() for group in groups):
        _whole(axes)
    axes.set_xlabel(size)
    axes.set_ylabel("median seconds")
    if axes.has_data():
        axes.legend(fontsize=7)
    return figure
