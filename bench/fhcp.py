"""Hamiltonian cycles of large sparse graphs, as in the FHCP challenge, beside CP-SAT's circuit.

Every graph is a TSPLIB file (.hcp), and both read it: CPU seconds of whole commands with a limit,
FHCP_SECONDS (60 unless said). FHCP_FOLDER names a folder with such files, those of the challenge or
others; without it graphs of these kinds are made, of 300 to 10,000 vertices.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import resource
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench._measure import PYTHON, Process, Row, answer_of, process, scratch
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

OUT_OF_TIME = -9
"""The exit code of a process whose CPU time has run out."""

ANSWERS = ("SATISFIABLE", "UNSATISFIABLE")


def run() -> list[Row]:
    seconds = int(os.environ.get("FHCP_SECONDS", "60"))
    rows, ours, theirs = [], [], []
    with scratch() as folder:
        for name, path in _files(folder):
            mine, encoding, answer = _boardsat(path, seconds)
            other, said = _cp_sat(path, seconds)
            assert not answer or not said or answer == said, name
            ours.append(mine)
            theirs.append(other)
            shown = f"{_shown(mine)}, {encoding}" if answer else _shown(mine)
            rows.append(Row(f"{name}: {answer or said or 'not known'}", shown, _shown(other)))
            print(*rows[-1].cells[:3], sep=" | ", file=sys.stderr, flush=True)
    median = [_shown(statistics.median(times)) for times in (ours, theirs)]
    solved = map(_solved, (ours, theirs))
    return [*rows, Row(f"solved within {seconds} s of CPU time", *solved), Row("median", *median)]


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    if given := os.environ.get("FHCP_FOLDER"):
        yield from ((path.stem, path) for path in sorted(Path(given).glob("*.hcp")))
        return
    path = folder / "graph.hcp"
    for text in MADE:
        graph = graph_of_setting("", text, "graph", int)
        edges = "".join(f"{u + 1} {v + 1}\n" for u, v in graph.edges.tolist())
        head = f"NAME : graph\nTYPE : HCP\nDIMENSION : {graph.vertices}\n"
        path.write_text(f"{head}EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{edges}-1\nEOF\n")
        yield text, path


def _boardsat(path: Path, seconds: int) -> tuple[float, str, str]:
    """Return the CPU seconds of the whole command, the encoding that answered, and the answer."""
    words = ("--set", f"graph={path}", "--runtime", "embedded", "--cpu", str(seconds), "--json")
    done = answer_of("solve", "hamilton", *words)
    told = json.loads(done.output)
    if told["status"] not in ANSWERS or done.cpu > seconds:
        return math.inf, "", ""
    encoding = told["instance"]["encoding"]
    if told["fallback_encoding"]:
        encoding += f", then {told['fallback_encoding'].partition('/')[2]}"
    return done.cpu, encoding, told["status"]


def _cp_sat(path: Path, seconds: int) -> tuple[float, str]:
    if importlib.util.find_spec("ortools") is None:
        return math.nan, ""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [PYTHON, "-m", "bench._cpsat_cycle", str(path)]
    done: Process = process(command, (0, OUT_OF_TIME), limit)
    said = done.output.strip()
    return (done.cpu, said) if said in ANSWERS else (math.inf, "")


def _solved(times: Sequence[float]) -> str:
    if any(map(math.isnan, times)):
        return "-"
    return f"{sum(map(math.isfinite, times))} of {len(times)}"


def _shown(seconds: float) -> str:
    if math.isnan(seconds):
        return "-"
    return f"{seconds:.2f} s" if math.isfinite(seconds) else "none"
