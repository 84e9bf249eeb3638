"""Graph files, selections and checked cycles of the benchmark on FHCP graphs."""

from __future__ import annotations

import itertools
import sys
import tarfile
from pathlib import Path

import pytest
from helpers.syntax_trees import ROOT

sys.path.insert(0, str(ROOT))

from bench._cycle_graphs import GraphFile, graph_files, parse_selection
from bench._measure import process
from bench.fhcp import run

PETERSEN = [
    *((v, v % 5 + 1) for v in range(1, 6)),
    *((v, v + 5) for v in range(1, 6)),
    *((v + 5, (v + 1) % 5 + 6) for v in range(1, 6)),
]
K4 = list(itertools.combinations(range(1, 5), 2))


def write_col(path: Path, edges: list[tuple[int, int]], header: str = "p edge") -> Path:
    vertices = max(map(max, edges))
    lines = [f"{header} {vertices} {len(edges)}", *(f"e {u} {v}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_hcp(path: Path, edges: list[tuple[int, int]]) -> Path:
    pairs = "".join(f"{v} {u}\n" for u, v in reversed(edges))
    path.write_text(
        f"NAME : x\nTYPE : HCP\nDIMENSION : {max(map(max, edges))}\n"
        f"EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{pairs}-1\nEOF\n"
    )
    return path


@pytest.mark.parametrize("header", ["p edge", "p col", "p"])
def test_col_and_hcp_files_of_one_graph_have_one_hash(header: str, tmp_path: Path) -> None:
    col = GraphFile(write_col(tmp_path / "graph7.col", PETERSEN, header))
    hcp = GraphFile(write_hcp(tmp_path / "graph7.hcp", PETERSEN))
    assert col.vertices == hcp.vertices == 10
    assert col.edges == hcp.edges == {(min(edge), max(edge)) for edge in PETERSEN}
    assert col.number == hcp.number == 7
    assert col.sha256 == hcp.sha256
    assert col.sha256 != GraphFile(write_col(tmp_path / "x.col", PETERSEN[1:])).sha256


def test_graphs_of_archive_are_in_numeric_order(tmp_path: Path) -> None:
    names = ("graph10.col", "graph9.col", "graph101.col")
    source, scratch = tmp_path / "source", tmp_path / "scratch"
    source.mkdir()
    scratch.mkdir()
    with tarfile.open(source / "graphs.tar.xz", "w:xz") as archive:
        for name in names:
            archive.add(write_col(tmp_path / name, K4), name)
    assert [graph.number for graph in graph_files(source, scratch)] == [9, 10, 101]


def test_selection_is_numbers_and_ranges_with_steps() -> None:
    assert parse_selection("79, 1-17/8\n30-31") == {79, 1, 9, 17, 30, 31}
    assert parse_selection(" ") is None
    for text in ("1-9/0", "-3", "a", "1..3"):
        with pytest.raises(ValueError, match="ranges as"):
            parse_selection(text)


def test_check_accepts_exactly_the_hamiltonian_cycles(tmp_path: Path) -> None:
    edges = [*itertools.pairwise(range(1, 6)), (5, 1), (1, 3), (2, 5)]
    graph = GraphFile(write_col(tmp_path / "x.col", edges))
    pairs = {frozenset(edge) for edge in edges}
    for order in itertools.permutations(range(1, 6)):
        steps = {frozenset((order[i], order[i - 1])) for i in range(5)}
        assert graph.has_cycle(order) == (steps <= pairs)
    for cycle in ((), (1, 2, 3, 4), (1, 2, 3, 4, 5, 1), (1, 2, 3, 4, 6), (1, 2, 3, 4, 4)):
        assert not graph.has_cycle(cycle)


def test_benchmark_resumes_and_counts_beside_published_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs, results = tmp_path / "graphs", tmp_path / "results"
    graphs.mkdir()
    write_col(graphs / "graph1.col", K4)
    write_col(graphs / "graph2.col", PETERSEN)
    write_col(graphs / "graph3.col", K4[1:])
    (graphs / "published.csv").write_text("graph,slow,fast\n1,7.5,0.1\n2,,\n3,3.5,\n")
    for name, value in {
        "FOLDER": graphs,
        "RESULTS": results,
        "SECONDS": "30",
        "GRAPHS": "1-2",
    }.items():
        monkeypatch.setenv(f"FHCP_{name}", str(value))
    rows = run()
    assert ("boardsat, solved within 5 s of CPU", "2 of 2", "1 fast, 1 any") in {
        (row.benchmark, row.ours, row.theirs) for row in rows
    }
    # A record is not measured again: the command cannot be run any more.
    monkeypatch.setattr("bench.fhcp.process", None)
    assert run() == rows
    monkeypatch.setenv("FHCP_GRAPHS", "3")
    monkeypatch.setattr("bench.fhcp.process", process)
    assert run()[0].theirs == "1 slow, 1 any"
