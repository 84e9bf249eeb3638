"""Tables and plot of docs/hamiltonian.md, from the runs of the benchmark on FHCP graphs.

    FHCP_FOLDER=fhcp FHCP_RESULTS=out/fhcp FHCP_SECONDS=60 python -m bench fhcp
    python docs/site/hamiltonian.py fhcp/published.csv now=out/fhcp

replaces the runs of a variant, `now`, in docs/hamiltonian/runs.csv, and writes the plot and the
tables. A run with a longer limit replaces one of the same graph. Without arguments the tables are
written again from docs/hamiltonian/runs.csv.
"""

from __future__ import annotations

import csv
import json
import statistics
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from study import put, table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/hamiltonian.md"
RUNS = ROOT / "docs/hamiltonian/runs.csv"
PLOT = ROOT / "docs/hamiltonian/cactus.svg"

NOW, BEFORE = "now", "before"
LIMITS = (5, 60, 300)
"""CPU limits of the table in seconds."""
PUBLISHED = {5: (264, 304), 60: (388, 420), 300: (453, 470)}
"""Solved graphs within each limit: best published method, and best method for each graph."""
SAMPLE, HARDER_SAMPLE = range(1, 474, 8), range(481, 994, 16)
"""Graphs of the ablations."""
MIN_SECONDS = 0.01
"""Smallest time on the logarithmic axis."""


@dataclass(frozen=True)
class Run:
    """One run of the benchmark."""

    variant: str
    graph: int
    limit: int
    """CPU limit in seconds."""
    seconds: float | None
    """CPU time in seconds; None if the graph was not solved."""
    method: str
    """Method that answered; empty if the graph was not solved."""
    commit: str
    """Version of boardsat."""

    def is_within(self, limit: float) -> bool:
        return self.seconds is not None and self.seconds <= limit


def read_runs(path: Path = RUNS) -> list[Run]:
    """Return the runs of a CSV file."""
    with path.open(encoding="utf-8") as file:
        return [
            Run(
                row["variant"],
                int(row["graph"]),
                int(row["limit"]),
                float(row["seconds"]) if row["seconds"] else None,
                row["method"],
                row["commit"],
            )
            for row in csv.DictReader(file)
        ]


def write_runs(runs: Iterable[Run]) -> None:
    with RUNS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["variant", "graph", "limit", "seconds", "method", "commit"])
        for run in sorted(runs, key=lambda run: (run.variant, run.graph)):
            seconds = "" if run.seconds is None else f"{run.seconds:.2f}"
            row = [run.variant, run.graph, run.limit, seconds, run.method, run.commit]
            writer.writerow(row)


def recorded_runs(variant: str, results: Path) -> list[Run]:
    """Return the runs of a folder of records: those with the longest limit of each graph."""
    runs: dict[int, Run] = {}
    for line in (results / "results.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["solver"] != "boardsat" or not record["instance"].startswith("graph"):
            continue
        is_solved = record["status"] == "SATISFIABLE"
        run = Run(
            variant,
            int(record["instance"].removeprefix("graph")),
            int(record["cpu_limit"]),
            record["cpu"] if is_solved else None,
            record["encoding"] if is_solved else "",
            record["version"],
        )
        # A graph that is solved within a limit needs no longer one.
        earlier = runs.get(run.graph)
        if earlier is None or (earlier.seconds is None and run.limit > earlier.limit):
            runs[run.graph] = run
    return [*runs.values()]


def variants(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Return the runs by variant."""
    grouped: dict[str, list[Run]] = {}
    for run in runs:
        grouped.setdefault(run.variant, []).append(run)
    return grouped


def _solved(runs: list[Run], limit: int) -> str:
    """Return how many graphs are solved within a limit, and how many of the others are open."""
    solved = sum(run.is_within(limit) for run in runs)
    unmeasured = sum(run.seconds is None and run.limit < limit for run in runs)
    return f"{solved} ({unmeasured} not measured)" if unmeasured else str(solved)


def summary_table(runs: Mapping[str, list[Run]]) -> str:
    columns = [runs[variant] for variant in (BEFORE, NOW) if variant in runs]
    names = [
        f"boardsat {variant} ({len(runs[variant])} graphs)"
        for variant in (BEFORE, NOW)
        if variant in runs
    ]
    heads = [
        "solved within",
        "best published method",
        "best of all published, for each graph",
    ]
    return table(
        [*heads, *names],
        (
            [
                f"{limit} s of CPU",
                *map(str, PUBLISHED[limit]),
                *(_solved(column, limit) for column in columns),
            ]
            for limit in LIMITS
        ),
    )


def comparison(runs: Mapping[str, list[Run]]) -> str:
    """Return a sentence about the graphs that both versions were measured on."""
    before = {run.graph: run for run in runs.get(BEFORE, [])}
    now = {run.graph: run for run in runs.get(NOW, [])}
    common = before.keys() & now.keys()
    limit = LIMITS[0]
    solved = [sum(side[graph].is_within(limit) for graph in common) for side in (before, now)]
    lost = sorted(
        graph
        for graph in common
        if before[graph].seconds is not None and not now[graph].is_within(before[graph].limit)
    )
    later = [graph for graph in lost if now[graph].seconds is not None]
    return (
        f"On the {len(common)} graphs that both were measured on, {BEFORE} solves {solved[0]} and "
        f"{NOW} {solved[1]} within {limit} s. Solved {BEFORE} and not {NOW} within {limit} s: "
        f"{', '.join(map(str, lost)) or 'none'}; {NOW} solves {len(later)} of these "
        f"{len(lost)} within {max(LIMITS[:2])} s.\n"
    )


def methods_table(runs: Mapping[str, list[Run]]) -> str:
    """Graphs that each method answered, and its median and longest time."""
    by_method: dict[str, list[float]] = {}
    for run in runs.get(NOW, []):
        if run.seconds is not None:
            by_method.setdefault(run.method, []).append(run.seconds)
    return table(
        ["method that answered", "graphs", "median seconds", "longest"],
        (
            [
                f"`{method}`",
                str(len(times)),
                f"{statistics.median(times):.2f}",
                f"{max(times):.1f}",
            ]
            for method, times in sorted(by_method.items(), key=lambda item: -len(item[1]))
        ),
    )


def slices_table() -> str:
    """Slices of the portfolio, with their limits."""
    from boardsat.adapters.lazy_cuts.portfolio import PORTFOLIO, UNLIMITED

    return table(
        ["slice", "method", "limits, for all slices of the method so far"],
        (
            [
                str(number),
                method,
                ", ".join(
                    f"{limit:,} {unit}" for unit, limit in limits.items() if limit < UNLIMITED
                )
                or "none",
            ]
            for number, (method, limits) in enumerate(PORTFOLIO, 1)
        ),
    )


def ablation_table(runs: Mapping[str, list[Run]], graphs: range) -> str:
    """Graphs of a sample that each variant solves."""
    sample = {variant: [run for run in own if run.graph in graphs] for variant, own in runs.items()}
    complete = {variant: own for variant, own in sample.items() if own}
    order = [NOW, *sorted(variant for variant in complete if variant not in (NOW, BEFORE))]
    longest = min((run.limit for own in complete.values() for run in own), default=0)
    limits = [limit for limit in (1, 2, 5, 60) if limit <= longest]
    return table(
        ["variant", "graphs", *(f"solved within {limit} s" for limit in limits), "seconds in all"],
        (
            [
                variant,
                str(len(complete[variant])),
                *(str(sum(run.is_within(limit) for run in complete[variant])) for limit in limits),
                f"{sum(_score(run, longest) for run in complete[variant]):,.0f}",
            ]
            for variant in order
            if variant in complete
        ),
    )


def _score(run: Run, limit: int) -> float:
    """Return the CPU seconds of a run; the limit if it has no answer within it."""
    return run.seconds if run.seconds is not None and run.seconds <= limit else limit


def renewed(page: str) -> str:
    """Return the page with the tables that follow from docs/hamiltonian/runs.csv."""
    runs = variants(read_runs())
    page = put(page, "summary", summary_table(runs))
    page = put(page, "comparison", comparison(runs))
    page = put(page, "methods", methods_table(runs))
    page = put(page, "slices", slices_table())
    page = put(page, "ablation", ablation_table(runs, SAMPLE))
    return put(page, "harder ablation", ablation_table(runs, HARDER_SAMPLE))


def published_times(path: Path) -> dict[str, list[float]]:
    """Return the published CPU times of solved graphs by method."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    methods = [name for name in rows[0] if name != "graph"]
    return {method: [float(row[method]) for row in rows if row[method]] for method in methods}


def write_plot(runs: Mapping[str, list[Run]], published: Mapping[str, list[float]]) -> None:
    """Draw the number of graphs that are solved within a time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.6))
    axes = figure.add_subplot()
    for variant, colour in ((NOW, "C3"), (BEFORE, "C1")):
        own_runs = runs.get(variant, [])
        times = [run.seconds for run in own_runs if run.seconds is not None]
        if times:
            label = f"boardsat {variant}, {len(own_runs)} graphs measured here"
            axes.plot(*_cactus(times), label=label, color=colour, linewidth=2.2, zorder=3)
    by_number = sorted(published.items(), key=lambda item: -len(item[1]))
    for index, (method, times) in enumerate(by_number):
        style = ("-", "--", "-.", ":")[index % 4]
        shade = str(0.15 + 0.08 * index)
        axes.plot(*_cactus(times), label=f"{method}, published", linestyle=style, color=shade)
    for limit in LIMITS:
        axes.axvline(limit, color="0.85", linewidth=0.8, zorder=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="seconds of CPU", ylabel="graphs solved, of 501", ylim=(0, 510))
    axes.set_xlim(MIN_SECONDS, 2000)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
    with mpl.rc_context({"svg.hashsalt": "boardsat"}):
        figure.savefig(PLOT, format="svg", bbox_inches="tight", metadata={"Date": None})


def _cactus(times: Iterable[float]) -> tuple[list[float], list[int]]:
    """Return the sorted times, and the number of graphs that are solved by each."""
    ordered = [max(time, MIN_SECONDS) for time in sorted(times)]
    return ordered, [*range(1, len(ordered) + 1)]


def main(arguments: list[str]) -> None:
    if arguments:
        published, *sources = arguments
        kept = {(run.variant, run.graph): run for run in read_runs()} if RUNS.exists() else {}
        for variant, _, folder in (source.partition("=") for source in sources):
            new_runs = recorded_runs(variant, Path(folder))
            kept |= {(variant, run.graph): run for run in new_runs}
        write_runs(kept.values())
        write_plot(variants(read_runs()), published_times(Path(published)))
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
