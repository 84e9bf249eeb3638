"""Hamiltonian cycles of large sparse graphs, as in the FHCP challenge, compared with rivals.

CPU seconds of whole commands, Python included; every cycle is checked without code of boardsat.
Without FHCP_FOLDER, graphs of 300 to 10,000 vertices are generated. Variables of the environment:

FHCP_FOLDER    folder or tar archive of graphs (.col, .hcp); `published.csv` there is compared
FHCP_GRAPHS    numbers of graphs, as `79, 363, 1-473/8`; default: all
FHCP_SECONDS   CPU limit of a run; default: 60
FHCP_SEEDS     seeds, as `1 2 3`; default: the solver's own
FHCP_SOLVERS   `boardsat`, `cp-sat`, `clingo`; default: boardsat, and without FHCP_FOLDER cp-sat
FHCP_OPTIONS   further options of `boardsat solve hamilton`
FHCP_PROGRAM   boardsat of another clone
FHCP_RESULTS   folder of records: runs that it has are not repeated; `boardsat results` reads it

The records are in the store of campaigns. `boardsat run` does not measure them: its times are those
of the solver alone, and its plan generates the formulas, which a portfolio chooses while it runs.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import math
import os
import resource
import shlex
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

from bench._cycle_graphs import GraphFile, graph_files, parse_selection
from bench._measure import BOARDSAT, PYTHON, Process, Row, process, scratch
from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.runtimes import Limits
from boardsat.campaign.folder import open_results
from boardsat.campaign.runner.records import (
    CLOCK,
    Artifacts,
    Attempt,
    Execution,
    FormulaSource,
    Job,
    Question,
    RunOutcome,
    RunRecord,
    RunTask,
    SolverIdentity,
    host_name,
)
from boardsat.campaign.runner.store import Store
from boardsat.generators.graphs.namespace import graph_of_setting

MADE = (
    *("gnd 1000 3 2", "gnd 10000 3 4", "cubicplanar 1000 2", "cubicplanar 10000 4"),
    *("triangulation 500 1", "triangulation 2000 2"),
    *("cubiccuts 20 100 1 2", "cubiccuts 50 60 2 3", "cubiccuts 100 100 1 4"),
    *("petersen 500 7", "petersen 3001 2", "petersen 23 3 ring 20", "petersen 41 2 ring 5"),
    *("flower 101", "flower 1000"),
    *("gnd 300 3 1 tutte 40 2", "cubicplanar 300 3 tutte 20 1"),
    *("gnd 500 6 1 xor 200 2", "cubicplanar 500 1 xor 10 3"),
    *("gnd 600 3 5 splitedges 60 1", "triangulation 400 2 splitedges 100 1"),
    *("empty 1000 plantcycle 1 addedges 300 2", "empty 10000 plantcycle 1 addedges 10000 2"),
)

LIMITS = (5, 15, 60, 300)
"""CPU limits in seconds for which the table counts the solved graphs."""

ANSWERS = ("SATISFIABLE", "UNSATISFIABLE")
EXIT_CODES = range(-64, 256)
"""Exit codes of a run: one without an answer, or one that is killed, counts as not solved."""
RIVALS = {"cp-sat": ("ortools", "_cpsat_cycle"), "clingo": ("clingo", "_clingo_cycle")}
"""Package and module of the other solvers."""

Times = Mapping[int, float]
"""CPU seconds of the solved graphs by their numbers."""


@dataclass(frozen=True)
class Answer:
    """Output of a run."""

    status: str
    method: str = ""
    cycle: tuple[int, ...] = ()
    statistics: Mapping[str, float] | None = None
    reason: str = ""


def run() -> list[Row]:
    seconds = int(os.environ.get("FHCP_SECONDS", "60"))
    seeds = [int(seed) for seed in os.environ.get("FHCP_SEEDS", "").split()] or [None]
    source = os.environ.get("FHCP_FOLDER")
    solvers = os.environ.get("FHCP_SOLVERS", "boardsat" if source else "boardsat cp-sat").split()
    with ExitStack() as stack:
        folder = stack.enter_context(scratch())
        graphs = _graphs(Path(source) if source else None, folder)
        results = Path(os.environ.get("FHCP_RESULTS", folder / "results"))
        _, store = stack.enter_context(open_results(results, __doc__ or ""))
        jobs = [
            (graph, _job(graph, name, seconds, seed))
            for graph in graphs
            for name in solvers
            if name == "boardsat" or importlib.util.find_spec(RIVALS[name][0])
            for seed in seeds
        ]
        records = [_record(graph, job, store) for graph, job in jobs]
    rows = [] if source else [_graph_row(graph, records) for graph in graphs]
    published = _published(Path(source), graphs) if source else {}
    return [*rows, *_summary(records, published, seconds)]


def _graphs(source: Path | None, folder: Path) -> list[GraphFile]:
    """Return the selected graphs of the source; generated ones without a source."""
    if source is None:
        return list(_generated(folder))
    selection = parse_selection(os.environ.get("FHCP_GRAPHS", ""))
    graphs = graph_files(source, folder)
    return [graph for graph in graphs if selection is None or graph.number in selection]


def _generated(folder: Path) -> Iterator[GraphFile]:
    for text in MADE:
        graph = graph_of_setting("", text, "graph", int)
        edges = "".join(f"{u + 1} {v + 1}\n" for u, v in graph.edges.tolist())
        head = f"NAME : graph\nTYPE : HCP\nDIMENSION : {graph.vertices}\n"
        path = folder / f"{text.replace(' ', '_')}.hcp"
        path.write_text(f"{head}EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{edges}-1\nEOF\n")
        yield GraphFile(path)


def _job(graph: GraphFile, solver: str, seconds: int, seed: int | None) -> Job:
    return Job(
        Question("hamilton", "", "", None, graph.sha256, RunTask.DECIDE, graph.name),
        SolverIdentity(solver, "embedded", _version(solver), _options(solver)),
        FormulaSource(str(graph.path)),
        Limits(cpu=float(seconds)),
        Attempt(seed),
    )


def _options(solver: str) -> str:
    return os.environ.get("FHCP_OPTIONS", "") if solver == "boardsat" else ""


@cache
def _program() -> str:
    return os.environ.get("FHCP_PROGRAM", BOARDSAT)


@cache
def _version(solver: str) -> str:
    """Return the version of a package, or the commit of the clone that the program is in."""
    if solver != "boardsat":
        return version(RIVALS[solver][0])
    clone = str(Path(_program()).absolute().parent)
    command = ["git", "-C", clone, "describe", "--always", "--dirty", "--abbrev=10"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False)
    return commit.stdout.strip() or version("boardsat")


def _record(graph: GraphFile, job: Job, store: Store) -> RunRecord:
    """Return the record of a job, which is run if the store has none."""
    if record := store.records.get(job.key):
        return record
    seconds = int(job.limits.cpu or 0)
    command, parse = _command(graph, job, seconds)

    def limit() -> None:
        # boardsat keeps the limit for its whole process tree.
        if job.identity.name != "boardsat":
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    measured = process(command, EXIT_CODES, limit)
    answer = parse(measured)
    if answer.status not in ANSWERS or measured.cpu > seconds:
        answer = replace(answer, status="UNKNOWN", cycle=())
    elif answer.status == "SATISFIABLE" and not graph.has_cycle(answer.cycle):
        raise RuntimeError(f"{graph.name}: {job.identity.name} printed a false cycle")
    solved = answer.status in ANSWERS
    record = RunRecord(
        job.key,
        replace(job.question, encoding=answer.method),
        job.identity,
        job.limits,
        job.attempt,
        RunOutcome(
            answer.status,
            answer.reason,
            TerminationReason.FINISHED if solved else TerminationReason.CPU,
            checked=("cycle",) if answer.cycle else (),
        ),
        usage=Usage(measured.wall, measured.cpu),
        execution=Execution(
            tuple(command),
            answer.statistics or {},
            host_name(),
            load=round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
            clock=CLOCK,
        ),
        artifacts=Artifacts(tour=answer.cycle or None),
    )
    store.keep(record)
    time = _seconds(measured.cpu if solved else math.inf)
    line = (graph.name, job.identity.name, answer.status, answer.method, time, answer.reason)
    print(*line, sep=" | ", file=sys.stderr, flush=True)
    return record


def _command(
    graph: GraphFile, job: Job, seconds: int
) -> tuple[list[str], Callable[[Process], Answer]]:
    """Return the command of a run, and the parser of its output."""
    solver, seed = job.identity.name, job.attempt.seed
    if solver != "boardsat":
        module = f"bench.{RIVALS[solver][1]}"
        return [PYTHON, "-m", module, str(graph.path), str(seed or 0)], _parse_rival
    chosen = ["--seed", str(seed)] if seed is not None else []
    options = [*shlex.split(job.identity.setup), *chosen, "--cpu", str(seconds), "--json"]
    setting = ["--set", f"graph={graph.path}", "--runtime", "embedded"]
    return [_program(), "solve", "hamilton", *setting, *options], _parse_boardsat


def _parse_boardsat(measured: Process) -> Answer:
    try:
        answer = json.loads(measured.output)
    except json.JSONDecodeError:
        lines = measured.errors.strip().splitlines()
        return Answer("UNKNOWN", reason=lines[-1] if lines else f"exit code {measured.code}")
    method = answer["method"] or answer["instance"]["encoding"]
    if answer["fallback_encoding"]:
        method = answer["fallback_encoding"].partition("/")[2]
    positions = answer["board"] if answer["status"] == "SATISFIABLE" else []
    cycle = [label for _, label in sorted(zip(positions, answer["vertices"], strict=False))]
    counts = {"rounds": answer["rounds"], "cuts": answer["cuts"]}
    return Answer(answer["status"], method, tuple(map(int, cycle)), counts, answer["reason"])


def _parse_rival(measured: Process) -> Answer:
    lines = measured.output.splitlines()
    if not lines:
        return Answer("UNKNOWN", reason=f"exit code {measured.code}")
    return Answer(lines[0], cycle=tuple(map(int, lines[1].split())) if lines[1:] else ())


def _graph_row(graph: GraphFile, records: Sequence[RunRecord]) -> Row:
    """Return the row of a generated graph; raise ValueError if two answers differ."""
    runs = [record for record in records if record.question.instance == graph.name]
    statuses = {record.outcome.status for record in runs if record.solved}
    if len(statuses) > 1:
        raise ValueError(f"{graph.name}: one solver has a cycle, another one proves none")
    cells = {
        record.identity.name: f"{record.usage.cpu:.2f} s {record.question.encoding}".strip()
        if record.solved
        else "none"
        for record in runs
    }
    status = next(iter(statuses), "UNKNOWN")
    return Row(f"{graph.name}: {status}", cells["boardsat"], cells.get("cp-sat", "-"))


def _published(source: Path, graphs: Sequence[GraphFile]) -> dict[str, Times]:
    """Return the published times of the selected graphs by method; empty if there are none."""
    path = (source if source.is_dir() else source.parent) / "published.csv"
    if not path.is_file():
        return {}
    numbers = {graph.number for graph in graphs}
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if int(row["graph"]) in numbers]
    methods = [name for name in (rows[0] if rows else ()) if name != "graph"]
    return {
        method: {int(row["graph"]): float(row[method]) for row in rows if row[method]}
        for method in methods
    }


def _summary(
    records: Sequence[RunRecord], published: Mapping[str, Times], seconds: int
) -> Iterator[Row]:
    """Yield the numbers of solved graphs within each limit, and the median times."""
    columns: dict[str, list[float]] = {}
    for record in records:
        seed = record.attempt.seed
        solver = record.identity.name + ("" if seed is None else f", seed {seed}")
        time = record.usage.cpu if record.solved else None
        columns.setdefault(solver, []).append(math.inf if time is None else time)
    for limit in [*(limit for limit in LIMITS if limit < seconds), seconds]:
        theirs = _published_cell(published, limit)
        for solver, times in columns.items():
            solved = f"{sum(time <= limit for time in times)} of {len(times)}"
            yield Row(f"{solver}, solved within {limit} s of CPU", solved, theirs)
    for solver, times in columns.items():
        yield Row(f"{solver}, median", _seconds(statistics.median(times)))


def _published_cell(published: Mapping[str, Times], limit: int) -> str:
    """Return how many graphs the best published method, and the best of each graph, solved."""
    if not published:
        return "-"
    solved = {
        method: {number for number, time in times.items() if time <= limit}
        for method, times in published.items()
    }
    best = max(solved, key=lambda method: len(solved[method]))
    return f"{len(solved[best])} {best}, {len(set().union(*solved.values()))} any"


def _seconds(time: float) -> str:
    return f"{time:.2f} s" if math.isfinite(time) else "none"
