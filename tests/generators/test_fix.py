"""`fix`: prescribed parts of a solution, checked against all solutions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import Done
from helpers.formulas import GRAPHS
from pysat.solvers import Solver

from boardsat.adapters import solvers
from boardsat.adapters.rendering.text import solution_to_json
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.adapters.views import Tour
from boardsat.adapters.views.decoder import decode
from boardsat.campaign.runner.records import SolverIdentity
from boardsat.campaign.runner.solver_selection import SolverConfig
from boardsat.generators import InputError, build, find, stem
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.instance.inputs import CatalogueInput, temporary_formula_file
from boardsat.workflows.validate import run_matrix

Run = Callable[..., Done]


def boards(name: str, **settings: object) -> set[str]:
    """All solutions, as they are drawn; a tour by its edges."""
    formula = build(find(name), settings)
    with temporary_formula_file(formula) as problem:
        header = problem.header
    drawings = set()
    counted = problem.projection().tolist()
    with Solver("cadical195") as solver:
        for tokens in formula.arrays():
            for clause in np.split(tokens, np.flatnonzero(tokens == 0) + 1)[:-1]:
                solver.add_clause(clause[:-1].tolist())
        while solver.solve():
            literals = solver.get_model()
            model = np.zeros(formula.variables + 1, np.int8)
            model[1:] = np.sign(literals[: formula.variables])
            solution = decode(header, model)
            assert solution is not None
            drawings.add(_drawn(solution))
            solver.add_clause([-literals[v - 1] for v in counted])
    return drawings


def _drawn(solution: object) -> str:
    picture = solution.view  # type: ignore[attr-defined]
    if isinstance(picture, Tour):
        order = picture.order
        edges = {tuple(sorted(pair)) for pair in zip(order, (*order[1:], order[0]), strict=True)}
        return str(sorted(edges))
    return json.dumps(solution_to_json(solution))  # type: ignore[arg-type]


def _square(name: str, rows: int, cols: int) -> int:
    return (rows - int(name[1:])) * cols + ord(name[0]) - ord("a")


def _has_edge(board: str, first: str, second: str, rows: int, cols: int) -> bool:
    return str(tuple(sorted((_square(first, rows, cols), _square(second, rows, cols))))) in board


@pytest.mark.parametrize("square", ["a5", "c3", "e1"])
def test_fixed_and_excluded_queens_select_boards(square: str) -> None:
    every = boards("queens/squares", n=5)
    cell = _square(square, 5, 5)
    matching = {board for board in every if json.loads(board)[cell // 5][cell % 5]}
    assert boards("queens/squares", n=5, fix=f"queen {square}") == matching
    assert boards("queens/squares", n=5, fix=f"!{square}") == every - matching
    assert boards("queens/squares", n=5, fix=f"not queen {square}") == every - matching


@pytest.mark.parametrize("encoding", ["uve", "hve", "binary"])
def test_moves_of_a_tour_have_no_direction(encoding: str) -> None:
    size = {"rows": 5, "cols": 6}
    every = boards(f"tour/{encoding}", **size)
    assert len(every) == 8
    matching = {board for board in every if _has_edge(board, "c1", "e2", 5, 6)}
    assert 0 < len(matching) < 8
    assert boards(f"tour/{encoding}", **size, fix="e2-c1") == matching
    assert boards(f"tour/{encoding}", **size, fix="!c1-e2") == every - matching


@pytest.mark.parametrize("turn", [90, 180])
def test_move_of_symmetric_tour_is_fixed_in_every_rotation(turn: int) -> None:
    """Both moves are images of each other; one variable represents both."""
    settings = {"n": 6, "turn": turn}
    every = boards("symmetric/binary", **settings)
    for first, second in (("c1", "e2"), ("d6", "b5")):
        matching = {board for board in every if _has_edge(board, first, second, 6, 6)}
        assert 0 < len(matching) < len(every)
        assert boards("symmetric/binary", **settings, fix=f"{first}-{second}") == matching
        assert boards("symmetric/binary", **settings, fix=f"!{second}-{first}") == every - matching


@pytest.mark.parametrize(
    ("name", "text", "remedy"),
    [
        ("queens", "a1-b3", "write for example a1 or !a1"),
        ("symmetric", "a1", "write for example a1-b3 or !a1-b3"),
        ("latin", "a1", "write for example a1=5 or !a1=5"),
        ("tour/direct", "a1-b3", "use another encoding, or remove the setting"),
    ],
)
def test_remedy_for_unfit_entry_names_forms_that_fit(name: str, text: str, remedy: str) -> None:
    with pytest.raises(InputError) as error:
        CatalogueInput(name, None, {"fix": text}).formula("solve")
    assert str(error.value) == f"fix: no view of the spec shows {text!r}; {remedy}"


@pytest.mark.parametrize(("name", "size"), [("latin/direct", 12), ("magic/integers", 8)])
def test_labels_have_values(name: str, size: int) -> None:
    every = boards(name, n=3)
    assert len(every) == size
    matching = {board for board in every if str(json.loads(board)[0][0]) == "2"}
    assert 0 < len(matching) < size
    assert boards(name, n=3, fix="a3=2") == matching
    assert boards(name, n=3, fix="!a3=2") == every - matching


def test_of_several_views_the_sign_or_the_variable_is_named() -> None:
    settings = {"n": 3, "queens": 1}
    white = boards("queen_armies/squares", **settings, fix="W a3")
    black = boards("queen_armies/squares", **settings, fix="B a3")
    assert white and black and not white & black
    for text in ("a3", "!a3"):
        with pytest.raises(InputError) as error:
            boards("queen_armies/squares", **settings, fix=text)
        assert str(error.value) == f"fix: {text!r} is ambiguous; write W a3 or B a3"


def test_vertices_have_the_labels_of_their_graph(tmp_path: Path) -> None:
    graph = tmp_path / "labels.txt"
    graph.write_text("a b-c\nb-c d\nd e\ne a\nb-c e\na d\n")
    every = boards("hamilton/uve", graph=str(graph))
    with_it = boards("hamilton/uve", graph=str(graph), fix="a-b-c")
    assert 0 < len(with_it) < len(every)
    assert boards("hamilton/uve", graph=str(graph), fix="!b-c-a") == every - with_it


@pytest.mark.parametrize(
    ("name", "settings", "text", "fault"),
    [
        ("queens", {}, "z9", "no square 'z9' on a board of 8 x 8"),
        ("queens", {}, "a1=3", "no view of the spec shows 'a1=3'"),
        ("queens", {}, "a1-b2", "no view of the spec shows 'a1-b2'"),
        ("queens", {}, "rook a1", "no view of the spec shows 'rook a1' (its views show queen)"),
        ("queens", {}, "a1,,b2", "the setting must have 1 to 1,000 entries, separated by commas"),
        ("queens", {}, "#", "'#' is not a place of the board"),
        ("tour", {}, "a1-a2", "no E can be on a1-a2"),
        ("tour", {"holes": "c3"}, "a1-c3", "c3 is a hole"),
        ("tour/direct", {}, "a1=3", "no view of the spec shows 'a1=3'"),
        ("latin", {}, "a1=9", "no X can be a1=9"),
        ("latin", {}, "a1=red", "the value must be a number (got 'red')"),
        ("magic", {}, "a1=17", "no V can be a1=17"),
        ("waerden", {}, "a1", "the spec must have a board"),
        ("hamilton", {"graph": str(GRAPHS / "cube.hcp")}, "1-99", "the board has no place 99"),
    ],
)
def test_invalid_fix_entry_is_one_line(
    name: str, settings: dict[str, str], text: str, fault: str
) -> None:
    with pytest.raises(InputError) as error:
        CatalogueInput(name, None, {**settings, "fix": text}).formula("solve")
    assert fault in str(error.value) and error.value.location == "fix"


def test_header_records_fixed_entries_only_if_there_are_any() -> None:
    spec = find("queens")
    assert "fix" not in build(spec, {"n": 4}).header.parameters
    formula = build(spec, {"n": 4, "fix": "b4, !a1"})
    assert formula.header.parameters["fix"] == "b4, !a1"
    assert formula.header.unsat_message.endswith(" (fixed: b4, !a1)")
    assert formula.header.objects == {"name": "placements of the queens", "models_per_solution": 1}
    assert stem(spec, {"n": 4, "fix": "b4"}) == "queens-4-squares"
    with temporary_formula_file(formula) as problem:
        assert rebuilds_identically(problem)


def test_board_solvers_reject_fix(boardsat: Run) -> None:
    arguments = ("tour", "-n", 6, "--fix", "a1-b3")
    outcome = boardsat("solve", *arguments, "--solver", "warnsdorff")
    assert outcome.code == 0 and b"heuristics do not support fix" in outcome.out
    outcome = boardsat("count", *arguments, "--counter", "frontier")
    assert outcome.code == 3 and b"the frontier method does not support --fix" in outcome.out
    outcome = boardsat("asp", *arguments)
    assert outcome.code == 2 and "logic programs do not support fix" in outcome.err


def test_validation_selects_solvers_that_support_fix(tmp_path: Path) -> None:
    settings = {"rows": "5", "cols": "6", "fix": "c1-e2"}
    instances, skipped = run_matrix.instances("tour", run_matrix.ALL, settings, tmp_path, Limits())
    assert {instance.encoding for instance in instances} > {"uve", "binary"}
    # It shows the position of every square, which depends on where a tour begins.
    assert [instance.name for instance in skipped] == ["direct"]
    chosen = [
        SolverConfig(SolverIdentity(name, RuntimeName.EMBEDDED, ""), solvers.load(name), False)
        for name in ("cadical", "clingo", "frontier", "warnsdorff")
    ]
    jobs = run_matrix.jobs(instances, chosen, Limits(), None)
    assert {job.identity.name for job in jobs} == {"cadical"}


def test_commands_apply_fixed_entries(boardsat: Run) -> None:
    outcome = boardsat("explain", "tour", "-n", 6, "--fix", "!a1-b3", "--json")
    json_output = json.loads(outcome.out)
    assert outcome.code == 20 and {
        (entry["constraint"], entry["subject"]) for entry in json_output["core"]
    } == {
        ("every square has two edges, or one and is an end", "a1"),
        ("fix !a1-b3", ""),
    }
    outcome = boardsat("size", "queens", "-n", 4, "--fix", "b4", "--json")
    assert outcome.code == 0 and json.loads(outcome.out)["unit_clauses"] == 1
    outcome = boardsat("cnf", "queens", "--fix", "z9")
    assert outcome.code == 2 and outcome.err.startswith("boardsat: --fix z9: no square 'z9'")


def spec_with_its_own() -> Iterator[str]:
    yield "title: own\nparams:\n  fix: 3\nvariables:\n  X:\n    for: i in range(fix)\n"
    yield "constraints:\n  - clause: X[0]\n"


def test_a_spec_may_have_a_parameter_of_that_name(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("".join(spec_with_its_own()))
    assert CatalogueInput(str(path), None, {"fix": "5"}).formula("solve").variables == 5


def test_unsat_message_of_custom_spec_names_fixed_entries(boardsat: Run, tmp_path: Path) -> None:
    path = tmp_path / "rook.yaml"
    spec = """\
title: A rook
board: {shape: grid, rows: 2, cols: 2}
variables:
  R: {for: i in cells}
constraints:
  - exactly_one: R[i] for i in cells
decode:
  - mark: R[i]
    cell: i
"""
    for objects, message in (
        ("", "no solution: A rook"),
        ("counted_objects: rooks\n", "there are no rooks"),
    ):
        path.write_text(f"{objects}{spec}")
        output = boardsat("solve", path, "--fix", "a1, b2", "--runtime", "embedded").out.decode()
        assert f"{message} (fixed: a1, b2)" in output.splitlines(), output
