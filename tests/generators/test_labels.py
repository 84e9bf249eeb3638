"""Vertex labels of graph files: shown in every answer, accepted in settings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from helpers.solver_runs import boardsat

from boardsat.adapters.boards import GraphBoard, board_of
from boardsat.adapters.dimacs.header import read_header

GAPS = "3 7\n7 9\n9 3\n"
CITIES = 'graph { "New York" -- Boston -- "Los Angeles" -- "New York" }'


@pytest.fixture
def gaps(tmp_path: Path) -> Path:
    path = tmp_path / "gaps.txt"
    path.write_text(GAPS)
    return path


@pytest.fixture
def cities(tmp_path: Path) -> Path:
    path = tmp_path / "cities.dot"
    path.write_text(CITIES)
    return path


def run_json(command: str, *arguments: object) -> dict[str, object]:
    json_output: dict[str, object] = json.loads(
        boardsat(command, *map(str, arguments), "--runtime", "embedded", "--json").out
    )
    return json_output


def test_missing_numbers_are_not_vertices(gaps: Path) -> None:
    for problem, count in (("hamilton", 1), ("colouring", 6)):
        arguments = (problem, "--set", f"graph={gaps}", "--counter", "enumeration")
        if problem == "hamilton":
            arguments = (problem, "--set", f"graph={gaps}", "--counter", "frontier")
        assert run_json("count", *arguments)["count"] == count


@pytest.mark.parametrize("encoding", ["cuts", "unary", "direct"])
def test_a_path_begins_at_the_label(encoding: str, gaps: Path) -> None:
    arguments = ("hamilton", "--enc", encoding, "--set", f"graph={gaps}", "--set", "closed=false")
    for start, vertex in (("3", 0), ("7", 1), ("9", 2)):
        json_output = run_json("solve", *arguments, "--set", f"start={start}")
        assert json_output["vertices"] == ["3", "7", "9"]
        assert json_output["instance"]["settings"]["start"] == start  # type: ignore[index]
        assert json_output["board"][vertex] == 1  # type: ignore[index]
        assert json_output["checked"] == ["model", "board"]
    line = "boardsat: --set start=0: the graph has no vertex '0'; its vertices are 3, 7, 9"
    assert boardsat("cnf", *arguments, "--set", "start=0").one_line().strip() == line


def test_names_in_texts_and_pictures(cities: Path, tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    arguments = ("hamilton", "--set", f"graph={cities}", "--set", "start=Boston")
    output = boardsat("solve", *arguments, "--runtime", "embedded", "--svg", str(picture)).out
    assert re.search(
        "^Boston - (New York - Los Angeles|Los Angeles - New York) - Boston$", output, re.M
    )
    assert {">New York<", ">Boston<", ">Los Angeles<"} <= set(
        re.findall(">[^<>]*<", picture.read_text())
    )
    assert "from Boston</title>" in picture.read_text()
    output = boardsat("solve", "colouring", "--set", f"graph={cities}", "--runtime", "embedded").out
    assert len(re.findall(r"^(New York|Boston|Los Angeles): [123]$", output, re.M)) == 3


def test_file_is_decoded_and_solved_with_vertex_labels(cities: Path, tmp_path: Path) -> None:
    formula, answer = tmp_path / "x.cnf", tmp_path / "answer"
    arguments = ("--set", f"graph={cities}", "--set", "closed=false", "--set", "start=New York")
    boardsat("cnf", "hamilton/direct", *arguments, "-o", str(formula))
    cities.unlink()
    json_output = run_json("solve", formula)
    answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, json_output['model']))} 0\n")  # type: ignore[call-overload]
    output = boardsat("decode", str(formula), str(answer)).out
    assert re.search("^New York - (Boston - Los Angeles|Los Angeles - Boston)$", output, re.M)
    # The board is built again from the header, by another numbering.
    assert boardsat("solve", str(formula), "--solver", "backtracking").code == 10


def test_files_from_before_there_were_labels() -> None:
    header = read_header(
        [
            'boardsat {"format": 2}',
            'board {"shape": "graph", "vertices": 3, "first": 1}',
            "edges 1 5",
        ]
    )
    board = board_of(header)
    assert isinstance(board, GraphBoard)
    assert [board.name(cell) for cell in range(3)] == ["1", "2", "3"]


@pytest.mark.parametrize("labels", ['["a", "b"]', '["a", "b", "a"]', '["a", "", "b"]', "7", "[1]"])
def test_forged_labels(labels: str, tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text(
        'c boardsat {"format": 2, "spec": "hamilton/cuts"}\n'
        f'c board {{"shape": "graph", "vertices": 3, "labels": {labels}}}\np cnf 1 1\n1 0\n'
    )
    assert "the `c board` line is malformed" in boardsat("solve", str(path)).one_line()


def test_vertices_without_an_edge_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "x.col"
    path.write_text("p edge 10 3\ne 1 2\ne 2 3\ne 1 3\n")
    note = "7 vertices without an edge are part of the graph: 4, 5, 6, 7, 8, 9, 10"
    arguments = ("colouring", "--set", f"graph={path}")
    assert note in boardsat("cnf", *arguments, "-o", str(tmp_path / "x.cnf")).out
    assert run_json("solve", *arguments)["notes"] == [note]
    assert run_json("count", *arguments, "--counter", "enumeration")["notes"] == [note]
    path.write_text("p edge 14 1\ne 2 3\n")
    assert "4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more" in boardsat("solve", *arguments).out


def test_graph_is_named_after_its_file(gaps: Path, tmp_path: Path) -> None:
    boardsat("cnf", "hamilton", "--set", f"graph=@{gaps}", "-o", f"{tmp_path}/out/")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["hamilton-gaps-cycle-hve.cnf"]


def test_paths_from_any_vertex(gaps: Path, tmp_path: Path) -> None:
    """All six paths of a triangle; a vertex named `any` takes precedence."""
    arguments = (
        "hamilton",
        "--set",
        "closed=false",
        "--set",
        "start=any",
        "--counter",
        "enumeration",
    )
    assert run_json("count", *arguments, "--set", f"graph={gaps}")["count"] == 6
    path = tmp_path / "any.txt"
    path.write_text("any b\nb c\nc any\n")
    assert run_json("count", *arguments, "--set", f"graph={path}")["count"] == 2
