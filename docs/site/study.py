"""The study of docs/study.md, from the results of its campaign.

    boardsat run docs/campaigns/tours.yaml -o out/tours
    python docs/site/study.py out/tours

writes the page, the plots and their numbers into docs/study/, and the summary and the tables of
docs/study.md. Without a folder it writes the tables again from docs/study/.
"""

from __future__ import annotations

import csv
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.campaign.report.analysis import Analysis

ROOT = Path(__file__).parents[2]
PAGE, DATA = ROOT / "docs/study.md", ROOT / "docs/study"
GROWTH, EARLIER = DATA / "growth-tour.csv", DATA / "growth-tour-earlier.csv"
"""Medians by encoding, size and solver; the earlier ones include the start of Python."""
PLOTS = ("growth-tour", "cactus-encodings-of-tour")
CLOCK_SIZES = ("6", "8", "12", "16")
"""Board sizes at which every solver solves `hve` in a moment, so that the clocks differ most."""

Medians = dict[tuple[str, str, str], dict[str, str]]
"""Rows of a file of medians by encoding, solver and size."""


def medians(file: Path) -> Medians:
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {(row["encoding"], row["solver"], row["size"]): row for row in rows}


def _sizes(found: Medians) -> list[str]:
    return sorted({size for _, _, size in found}, key=float)


def _names(words: Iterable[str]) -> list[str]:
    return sorted(set(words))


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), ["---"] * len(list(heads)), *map(list, rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def solved_table(found: Medians) -> str:
    """Solved runs of an encoding by size, over all solvers and shuffles."""
    solved: dict[tuple[str, str], int] = defaultdict(int)
    runs: dict[tuple[str, str], int] = defaultdict(int)
    for (encoding, _, size), row in found.items():
        solved[encoding, size] += int(row["solved"])
        runs[encoding, size] += int(row["instances"])
    sizes = _sizes(found)
    # The encoding with the most solved runs first.
    totals = Counter({name: 0 for name, _ in solved})
    for (name, _), number in solved.items():
        totals[name] += number
    return table(
        ["encoding", *sizes],
        (
            [f"`{name}`", *(str(solved[name, s]) if runs.get((name, s)) else "" for s in sizes)]
            for name, _ in totals.most_common()
        ),
    )


def _seconds(row: dict[str, str] | None) -> str:
    """Return the median of a row: a dash if half of its runs or more are not solved."""
    if row is None:
        return ""
    if 2 * int(row["solved"]) <= int(row["instances"]):
        return "-"
    median = float(row["median"])
    return f"{median:.3f}" if median < 0.1 else f"{median:.2f}"


def medians_table(found: Medians) -> str:
    sizes = _sizes(found)
    pairs = _names(f"{encoding} {solver}" for encoding, solver, _ in found)
    return table(
        ["encoding", "solver", *sizes],
        (
            [f"`{encoding}`", solver, *(_seconds(found.get((encoding, solver, s))) for s in sizes)]
            for encoding, solver in (pair.split(" ", 1) for pair in pairs)
        ),
    )


def clock_table(found: Medians, earlier: Medians) -> str:
    """Medians of `hve` by the earlier clock and by the present one."""
    solvers = _names(solver for encoding, solver, _ in found if encoding == "hve")
    return table(
        ["solver", *(f"{n}x{n}" for n in CLOCK_SIZES)],
        (
            [
                solver,
                *(
                    f"{_seconds(earlier.get(key))} / {_seconds(found.get(key))}"
                    for key in (("hve", solver, size) for size in CLOCK_SIZES)
                ),
            ]
            for solver in solvers
        ),
    )


def renewed(page: str) -> str:
    """Return the page with the tables that follow from the data in docs/study/."""
    found, earlier = medians(GROWTH), medians(EARLIER)
    page = put(page, "solved", solved_table(found))
    page = put(page, "medians", medians_table(found))
    return put(page, "clock", clock_table(found, earlier))


def put(page: str, name: str, text: str) -> str:
    """Return the page with a text between the comments of a name."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->\n)", re.DOTALL)
    assert pattern.search(page), f"no place for {name} in {PAGE.name}"
    return pattern.sub(lambda match: f"{match[1]}{text}{match[2]}", page)


def summary(analysis: Analysis) -> str:
    """Return a paragraph with the numbers of runs by status."""
    from boardsat.campaign.report.median_runs import limits_text

    begun = [record for record in analysis.records if not record.skipped]
    solved = sum(record.solved for record in analysis.records)
    hours = sum(record.usage.cpu or 0.0 for record in begun) / 3600
    skipped = len(analysis.records) - len(begun)
    limits = " or ".join(_names(map(limits_text, begun)))
    lines = [
        f"{len(analysis.records):,} runs, each with a limit of {limits}: {solved:,} solved and "
        f"checked, {len(begun) - solved:,} not solved, {skipped:,} skipped because the same "
        f"solver had solved no shuffle of a smaller board; {hours:.1f} hours of CPU time in all.",
        "Some answers contradict each other; see the page."
        if analysis.contradictions
        else "No answer contradicts another.",
        *(f"The machine was busy: {line}." for line in analysis.warnings),
    ]
    return "\n".join(lines) + "\n"


def conditions(analysis: Analysis) -> str:
    """Solvers with their versions and runtimes, and the processor, in a paragraph."""
    identities = (record.identity for record in analysis.records)
    solvers = _names(f"{each.name} {each.version}, {each.runtime}" for each in identities)
    executions = [record.execution for record in analysis.records]
    processors = _names(each.processor for each in executions if each.processor)
    loads = [each.load for each in executions if each.load is not None]
    load = f", at a load of at most {max(loads):.1f} for each core" if loads else ""
    runtimes = analysis.mixed_runtimes
    return (
        f"Solvers: {'; '.join(solvers)}.\n"
        f"Processor: {', '.join(processors)}{load}; each run had a core.\n"
        + (f"{runtimes[:1].upper()}{runtimes[1:]}.\n" if runtimes else "")
    )


def gather(results: Path) -> None:
    """Write all files of the study from the folder of its campaign."""
    from boardsat.campaign.report.analysis import analyze
    from boardsat.campaign.report.campaign_page import campaign_page
    from boardsat.campaign.report.plots import write_plots

    analysis = analyze(results)
    (DATA / "tours.html").write_text(campaign_page(analysis), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for path in write_plots(analysis, Path(folder)):
            if path.stem in PLOTS and path.suffix in (".csv", ".svg"):
                shutil.copyfile(path, DATA / path.name)
    page = put(PAGE.read_text("utf-8"), "summary", summary(analysis))
    PAGE.write_text(put(page, "conditions", conditions(analysis)), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        gather(Path(sys.argv[1]))
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
