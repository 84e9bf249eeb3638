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
from boardsat.campaign.report.median_runs import SizeMedian
from boardsat.campaign.runner.records import COUNT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

MAX_LINES = 12
"""Maximum number of lines in a plot: the best ones. The CSV file has all."""
WIDE, SQUARE = (5.5, 3.6), (4.2, 4.2)
"""Sizes of figures in inches."""
DATE_KEYS = {"svg": "Date", "pdf": "CreationDate"}
"""Metadata key of the creation date in each image format."""
MIN_SECONDS = 0.001
"""Smallest time on a logarithmic axis."""
MAX_MARKED_POINTS = 100
"""Maximum number of points with markers; more would hide the line."""
MARKERS = "osD^vPX*<>"


def write_plots(analysis: Analysis, folder: Path) -> Iterator[Path]:
    """Write the plots of a campaign and their numbers into the folder; yield each file."""
    folder.mkdir(exist_ok=True)
    for comparison in analysis.comparisons:
        name = _file_name(comparison.title)
        yield from _write_plot(
            folder / f"cactus-{name}", _cactus_rows(comparison), _cactus(comparison)
        )
        if len(comparison.names) > 1:
            # The best two are drawn; the CSV file has the numbers of all.
            yield from _write_plot(
                folder / f"scatter-{name}", _scatter_rows(comparison), _scatter(comparison)
            )
    size_names = analysis.size_names
    for (family, task), medians in analysis.size_tables.items():
        if len({median.size for median in medians}) > 1:
            name = _file_name(f"{family} counted" if task == COUNT else family)
            figure = _growth(medians, size_names[family])
            yield from _write_plot(folder / f"growth-{name}", _growth_rows(medians), figure)


def _file_name(title: str) -> str:
    return re.sub(r"[^\w.-]+", "-", title, flags=re.ASCII).strip("-.")[:100] or "plot"


def _write_plot(stem: Path, rows: Sequence[Sequence[Any]], figure: Figure) -> Iterator[Path]:
    """Write the numbers as CSV and the figure in each image format; yield each file."""
    import matplotlib as mpl

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    yield _write(stem, "csv", text.getvalue().encode())
    # Without date and with fixed ids, the same numbers give the same files.
    with mpl.rc_context({"svg.hashsalt": "boardsat", "pdf.fonttype": 42}):
        for image_format, date_key in DATE_KEYS.items():
            image = io.BytesIO()
            metadata = {date_key: None}
            figure.savefig(image, format=image_format, bbox_inches="tight", metadata=metadata)
            yield _write(stem, image_format, image.getvalue())


def _write(stem: Path, extension: str, content: bytes) -> Path:
    path = stem.with_name(f"{stem.name}.{extension}")
    write_file(str(path), [content])
    return path


def _new_plot(size: tuple[float, float]) -> tuple[Figure, Axes]:
    """Return an empty figure of a size in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    axes = figure.add_subplot()
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
    return figure, axes


def _label_decimals(axis: Axis) -> None:
    """Label a logarithmic axis with decimal numbers instead of powers of ten."""
    from matplotlib.ticker import LogFormatter

    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(LogFormatter(minor_thresholds=(1.5, 0.4)))


def _label_integers(axes: Axes) -> None:
    """Place the ticks of the horizontal axis at integers."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _common_tasks(comparison: SolverComparison) -> list[Hashable]:
    first_scores, *other_scores = comparison.scores.values()
    return [task for task in first_scores if all(task in scores for scores in other_scores)]


def _solved_times(
    comparison: SolverComparison, name: str, tasks: Sequence[Hashable]
) -> list[float]:
    """Return the sorted times in seconds of the tasks that a competitor has solved."""
    scores = (comparison.scores[name][task] for task in tasks)
    return sorted(score.seconds for score in scores if score.solved)


def _cactus_rows(comparison: SolverComparison) -> list[list[Any]]:
    tasks = _common_tasks(comparison)
    rows = [
        [name, number, seconds]
        for name in comparison.names
        for number, seconds in enumerate(_solved_times(comparison, name, tasks), 1)
    ]
    return [["name", "solved", "seconds"], *rows]


def _cactus(comparison: SolverComparison) -> Figure:
    """Draw a cactus plot: the number of tasks that each competitor solves within a time."""
    figure, axes = _new_plot(WIDE)
    tasks = _common_tasks(comparison)
    for number, name in enumerate(comparison.names[:MAX_LINES]):
        times = [max(time, MIN_SECONDS) for time in _solved_times(comparison, name, tasks)]
        marker = MARKERS[number % len(MARKERS)] if len(times) < MAX_MARKED_POINTS else ""
        ranks = range(1, len(times) + 1)
        axes.plot(ranks, times, marker=marker, markersize=3, label=name, linewidth=1.1)
    axes.set_yscale("log")
    _label_decimals(axes.yaxis)
    _label_integers(axes)
    axes.set_xlabel("tasks solved")
    axes.set_ylabel("seconds for each")
    axes.legend(fontsize=7)
    return figure


def _scatter_rows(comparison: SolverComparison) -> list[list[Any]]:
    """Return a row for each task and a column for each competitor, empty if it is unsolved."""
    tasks = dict.fromkeys(task for scores in comparison.scores.values() for task in scores)
    header = ["task", *comparison.names]
    return [header, *([_task_text(task), *_times(comparison, task)] for task in tasks)]


def _task_text(task: Hashable) -> str:
    return " ".join(filter(None, task)) if isinstance(task, tuple) else str(task)


def _times(comparison: SolverComparison, task: Hashable) -> Iterator[float | str]:
    for name in comparison.names:
        score = comparison.scores[name].get(task)
        yield score.seconds if score and score.solved else ""


def _scatter(comparison: SolverComparison) -> Figure:
    """Draw the times of the best two competitors against each other."""
    figure, axes = _new_plot(SQUARE)
    first, second = comparison.names[:2]
    first_scores, second_scores = comparison.scores[first], comparison.scores[second]
    points = [
        (max(score.seconds, MIN_SECONDS), max(second_scores[task].seconds, MIN_SECONDS))
        for task, score in first_scores.items()
        if task in second_scores
    ]
    axes.set_xscale("log")
    axes.set_yscale("log")
    _label_decimals(axes.xaxis)
    _label_decimals(axes.yaxis)
    if points:
        low, high = min(map(min, points)) / 1.5, max(map(max, points)) * 1.5
        axes.plot([low, high], [low, high], color="0.5", linewidth=0.8)
        axes.set(xlim=(low, high), ylim=(low, high))
        xs, ys = zip(*points, strict=True)
        axes.scatter(xs, ys, s=10, alpha=0.7, rasterized=len(points) > 5000)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{first}, seconds (not solved: 2 x limit)", fontsize=8)
    axes.set_ylabel(f"{second}, seconds (not solved: 2 x limit)", fontsize=8)
    return figure


def _growth_rows(medians: Sequence[SizeMedian]) -> list[list[Any]]:
    header = ["encoding", "size", "solver", "instances", "solved", "median"]
    rows = [
        [m.encoding, m.size, m.solver, m.num_instances, m.num_solved, m.median] for m in medians
    ]
    return [header, *rows]


def _growth(medians: Sequence[SizeMedian], size_name: str) -> Figure:
    """Draw a curve for each encoding: the median over all solvers by size.

    Sizes whose median is not mostly solved are omitted.
    """
    figure, axes = _new_plot(WIDE)
    encodings = list(dict.fromkeys(median.encoding for median in medians))
    for number, encoding in enumerate(encodings[:MAX_LINES]):
        own_medians = [median for median in medians if median.encoding == encoding]
        points = []
        for size in sorted({median.size for median in own_medians}):
            by_time = sorted(
                (median for median in own_medians if median.size == size),
                key=lambda median: median.median,
            )
            middle = by_time[len(by_time) // 2]
            if middle.is_mostly_solved:
                points.append((size, max(middle.median, MIN_SECONDS)))
        if points:
            marker = MARKERS[number % len(MARKERS)]
            axes.plot(*zip(*points, strict=True), marker=marker, markersize=4, label=encoding)
    axes.set_yscale("log")
    _label_decimals(axes.yaxis)
    if all(float(median.size).is_integer() for median in medians):
        _label_integers(axes)
    axes.set_xlabel(size_name)
    axes.set_ylabel("median seconds")
    if axes.has_data():
        axes.legend(fontsize=7)
    return figure
