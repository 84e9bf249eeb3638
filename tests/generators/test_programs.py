"""Logic programs: exactly the tours that the formulas have, by every method, on every board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import clingo
import pytest
from helpers.formulas import GRAPHS, mostly_slow, shipped
from helpers.solver_runs import RUNTIMES, boardsat, require_solver
from helpers.tour_search import (
    BOARDS,
    GRAPH_EDGES,
    Neighbours,
    Tour,
    decoded_tours,
    leaper,
    search_tours,
)

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import Limits, Task, load_runtime
from boardsat.generators import InputError, find, program
from boardsat.generators.asp import methods, render
from boardsat.instance.formula_file import open_program

RECORDED = Path(__file__).parents[1] / "recorded"
CLINGO = solvers.load("clingo")

SLOW_METHODS = ["sequence-every", "sequence-every-warnsdorff", "sequence-once-warnsdorff"]
"""Methods that do not enumerate all tours of 5x5 or 5x6 within a minute."""
QUICK = ["acyclic", "reachability"]
"""One of each kind; the others are for `make test-all`."""
SOME = mostly_slow(methods(), QUICK)


def all_tours(text: str) -> list[Tour]:
    """Return the tours of all answer sets of the program, sorted; clingo runs in this process."""
    control = clingo.Control(["0", *(["--heuristic=Domain"] if "#heuristic" in text else [])])
    control.add("base", [], text)
    control.ground([("base", [])])
    start = int(re.findall(r"^start\((\d+)\)\.$", text, re.M)[0])
    with control.solve(yield_=True) as answer_sets:
        return sorted(tour_of(model.symbols(shown=True), start) for model in answer_sets)


def tour_of(symbols: Iterable[clingo.Symbol], start: int) -> Tour:
    """Return the tour of atoms: positions by time, or moves followed from the start."""
    atoms = list(symbols)
    (name,) = {atom.name for atom in atoms} or {"move"}
    pairs = dict([number.number for number in atom.arguments] for atom in atoms)
    assert len(pairs) == len(atoms)
    if name == "visit":
        return tuple(pairs[time] for time in range(1, len(pairs) + 1))
    tour = [start]
    while (following := pairs.pop(tour[-1], start)) != start:
        tour.append(following)
    assert pairs == {}, "moves beside the tour"
    return tuple(tour)


def of_tour(method: str, **settings: Any) -> str:
    return program(find("tour", "binary"), settings, method)


# The same tours.

BOARDS_WITH_ALL_TOURS: dict[str, tuple[int, dict[str, Any], tuple[int, int]]] = {
    "5x5": (304, {"n": 5, "closed": False}, (5, 5)),
    "5x6": (8, {"rows": 5, "cols": 6, "one_direction": True}, (5, 6)),
    "3x10": (16, {"rows": 3, "cols": 10, "one_direction": True}, (3, 10)),
}


@cache
def known_tours(board: str) -> list[Tour]:
    """Return the tours of a board, by the formula and by depth-first search, which must agree."""
    number, settings, sides = BOARDS_WITH_ALL_TOURS[board]
    neighbours = leaper(*sides, (1, 2))
    by_formula = sorted(decoded_tours(shipped("tour/binary", **settings)))
    if settings.get("closed", True):
        by_search = [tour for tour in search_closed(neighbours) if tour[1] < tour[-1]]
    else:
        by_search = list(search_tours(neighbours, 0, closed=False))
    assert by_formula == sorted(by_search)
    assert len(by_formula) == number
    return by_formula


def search_closed(neighbours: Neighbours) -> Iterator[Tour]:
    """Closed tours from cell 0, by going wherever no cell ahead is left without two neighbours."""

    def go_on(path: Tour, ahead: frozenset[int]) -> Iterator[Tour]:
        if not ahead and 0 in neighbours[path[-1]]:
            yield path
        usable = ahead | {path[-1], 0}
        if all(sum(cell in usable for cell in neighbours[i]) > 1 for i in ahead):
            for cell in neighbours[path[-1]]:
                if cell in ahead:
                    yield from go_on((*path, cell), ahead - {cell})

    return go_on((0,), frozenset(range(1, len(neighbours))))


@pytest.mark.parametrize(
    "board", mostly_slow(BOARDS_WITH_ALL_TOURS, list(BOARDS_WITH_ALL_TOURS)[1:2])
)
@pytest.mark.parametrize(
    "method",
    mostly_slow((method for method in methods() if method not in SLOW_METHODS), ["acyclic"]),
)
def test_exactly_the_tours_of_the_formula(method: str, board: str) -> None:
    tours = all_tours(of_tour(method, **BOARDS_WITH_ALL_TOURS[board][1]))
    assert tours == known_tours(board)


@pytest.mark.parametrize(
    "board", mostly_slow(BOARDS_WITH_ALL_TOURS, list(BOARDS_WITH_ALL_TOURS)[1:2])
)
@pytest.mark.parametrize("method", SLOW_METHODS)
def test_every_tour_of_the_formula_is_an_answer_set(method: str, board: str) -> None:
    """Methods whose enumeration does not end: each tour is requested by facts instead."""
    tours = known_tours(board)
    facts = (f"known({k},{t},{c})." for k, tour in enumerate(tours) for t, c in enumerate(tour, 1))
    picked = f"{{ pick(0..{len(tours) - 1}) }} = 1. :- pick(K), known(K,T,C), not visit(T,C)."
    text = "\n".join([of_tour(method, **BOARDS_WITH_ALL_TOURS[board][1]), *facts, picked])
    assert all_tours(text) == tours


@pytest.mark.parametrize("method", SOME)
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), mostly_slow(BOARDS, BOARDS[:1]))
def test_other_leapers(
    method: str,
    rows: int,
    cols: int,
    moves: str,
    steps: Iterable[tuple[int, int]],
) -> None:
    for start, closed in product((0, rows * cols // 2), (True, False)):
        settings = {"rows": rows, "cols": cols, "moves": moves, "start": start, "closed": closed}
        expected = sorted(search_tours(leaper(rows, cols, *steps), start, closed))
        assert all_tours(of_tour(method, **settings)) == expected, settings


@pytest.mark.parametrize("method", SOME)
@pytest.mark.parametrize("graph", mostly_slow(GRAPH_EDGES, ("wheel",)))
def test_small_graphs(method: str, graph: str, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[graph]
    n = max((v for edge in edges for v in edge), default=0) + 1
    path = tmp_path / f"{graph}.col"
    lines = [f"p edge {n} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    near = [[v for edge in edges for v in edge if i in edge and v != i] for i in range(n)]
    for start, closed in product({0, n - 1}, (True, False)):
        settings = {"graph": path, "start": start + 1, "closed": closed}
        text = program(find("hamilton", "direct"), settings, method)
        assert all_tours(text) == sorted(search_tours(near, start, closed)), settings


@pytest.mark.parametrize("method", ["acyclic", "sequence-both"])
def test_one_direction_counts_each_tour_once(method: str) -> None:
    directed = all_tours(of_tour(method, rows=3, cols=4, moves="wazir"))
    once = all_tours(of_tour(method, rows=3, cols=4, moves="wazir", one_direction=True))
    assert len(directed) == 2 * len(once) > 0
    assert sorted([*once, *((t[0], *t[:0:-1]) for t in once)]) == directed


# The text.


@pytest.mark.parametrize("method", methods())
def test_comments_describe_the_board_like_formula_headers(method: str, tmp_path: Path) -> None:
    path = tmp_path / "cube.lp"
    path.write_text(program(find("hamilton", "direct"), {"graph": GRAPHS / "cube.hcp"}, method))
    header = open_program(str(path)).header
    formula = shipped("hamilton/direct", graph=GRAPHS / "cube.hcp").header
    assert (header.problem, header.board.options) == ("hamilton", formula.board)
    assert header.board.edges is not None and formula.edges is not None
    assert header.board.edges.tolist() == formula.edges.tolist()
    assert header.parameters == formula.parameters
    assert header.metadata["method"] == method
    directed = "#heuristic" in path.read_text()
    assert header.metadata["heuristic"] == ("Domain" if directed else None)
    assert directed == method.endswith("-warnsdorff")


@pytest.mark.parametrize(
    ("case", "settings", "method"),
    [
        ("sat", {"rows": 3, "cols": 4, "closed": False}, "acyclic"),
        ("unsat", {"n": 3}, "reachability"),
        ("limit", {"n": 6}, "sequence-once-warnsdorff"),
    ],
)
def test_recorded_programs_equal_rendered_ones(
    case: str, settings: dict[str, Any], method: str, tmp_path: Path
) -> None:
    options = [token for key, value in settings.items() for token in ("--set", f"{key}={value}")]
    target = tmp_path / "x.lp"
    outcome = boardsat("asp", "tour", *map(str.lower, options), "--method", method, "-o", target)
    assert outcome.code == 0 and outcome.err == ""
    assert target.read_text() == of_tour(method, **settings)
    assert target.read_text() == (RECORDED / f"{case}.lp").read_text()


def test_a_file_is_named_after_the_instance(tmp_path: Path) -> None:
    outcome = boardsat("asp", "tour", "-n", 8, "--method", "reachability", "-o", f"{tmp_path}/")
    (path,) = tmp_path.iterdir()
    assert path.name == "tour-8x8-closed-reachability.lp"
    size = len(path.read_bytes())
    assert re.fullmatch(rf"{path}: 64 cells, 336 steps, {size:,} bytes, [\d.]+ s\n", outcome.out)
    assert render(find("tour", "unary"), {"n": "8"}, "reachability").stem == path.stem


def test_problem_without_program_is_one_line(tmp_path: Path) -> None:
    for fault, spec, settings, method in (
        ("no method 'acyclc'; did you mean 'acyclic'?", find("tour", "unary"), {}, "acyclc"),
        ("there is no logic program for 'queens/squares'", find("queens"), {}, "acyclic"),
        ("no parameter 'colour'", find("tour", "unary"), {"colour": 1}, "acyclic"),
        (
            "start=99: start = 99 is not on the board",
            find("tour", "unary"),
            {"n": 5, "start": 99},
            "acyclic",
        ),
    ):
        with pytest.raises(InputError, match=re.escape(fault)):
            program(spec, settings, method)
    spec_file = tmp_path / "tour.yaml"
    spec_file.write_text("title: Mine\nextends: tour/unary\n")
    with pytest.raises(InputError, match="there is no logic program for 'tour'"):
        program(find(str(spec_file)))


# From the command line.


def solved(*arguments: object, where: str = "embedded") -> Any:
    outcome = boardsat("solve", *arguments, "--solver", "clingo", "--runtime", where, "--json")
    assert outcome.err == ""
    return json.loads(outcome.out)


@pytest.mark.parametrize("method", mostly_slow([None, *methods()], [None, *methods()[::3]]))
def test_boards_are_found_and_checked(method: str | None) -> None:
    chosen = ["--method", method] if method else []
    board = ["--set", "rows=3", "--set", "cols=4", "--set", "closed=false"]
    results = solved("tour", *board, *chosen, "--models", 20)
    expected = [
        [[tour.index(4 * row + column) + 1 for column in range(4)] for row in range(3)]
        for tour in search_tours(leaper(3, 4, (1, 2)), 0, closed=False)
    ]
    assert sorted(result["board"] for result in results) == sorted(expected)
    for result in results:
        assert (result["status"], result["checked"]) == ("SATISFIABLE", ["board"])
        assert {"choices", "conflicts", "grounding", "solving"} <= result["statistics"].keys()
        assert ("--heuristic=Domain" in result["command"]) == ("warnsdorff" in (method or ""))


@pytest.mark.parametrize("where", RUNTIMES)
def test_a_few_of_many(where: str) -> None:
    require_solver(CLINGO, where)
    results = solved("tour", "-n", 6, "--models", 5, "--seed", 1, where=where)
    assert len({str(result["board"]) for result in results}) == 5


def test_a_seed_changes_the_search_and_the_same_seed_repeats_it() -> None:
    boards = [str(solved("tour", "-n", 10, "--seed", seed)["board"]) for seed in (1, 2, 1)]
    assert boards[0] == boards[2] != boards[1]


def test_no_tour_and_no_end() -> None:
    result = solved("tour", "-n", 3)
    assert (result["status"], result["unchecked"]) == ("UNSATISFIABLE", ["proof"])
    result = solved("tour", "-n", 12, "--method", "sequence-once", "--timeout", 1)
    assert (result["status"], result["reason"]) == ("UNKNOWN", "time limit")


def test_program_is_solved_from_its_file_alone(tmp_path: Path) -> None:
    path, printed = tmp_path / "tour.lp", tmp_path / "answer.txt"
    path.write_text(of_tour("sequence-both", rows=3, cols=4, closed=False))
    board = solved(path)["board"]
    printed.write_text("".join(_output(path)))
    output = boardsat("decode", path, printed).out
    assert [[int(token) for token in line.split()] for line in output.splitlines()] == board


def _output(path: Path) -> Iterable[str]:
    outcome = load_runtime("embedded").run(CLINGO, Task(str(path), Limits()))
    return (piece.decode() for piece in outcome.output.pieces())


def test_answer_set_that_is_not_a_tour_is_a_wrong_answer(tmp_path: Path) -> None:
    path = tmp_path / "tour.lp"
    text = of_tour("acyclic", n=5, closed=False)
    path.write_text(re.sub(r"^#edge.*$|^:-.*$", "", text, flags=re.M) + ":- move(0,_).\n")
    outcome = boardsat("solve", path, "--solver", "clingo", "--runtime", "embedded")
    assert outcome.code == 1
    assert "WRONG BOARD: it is an answer set of the program, but the tour visits 1" in outcome.err


STRANGE = [
    "",
    '% boardsat {"heuristic": "Domain --outf=3"}\n',
    "% boardsat 3\n",
    "% boardsat {\n",
    '% boardsat {"heuristic": ["--outf=3"]}\n',
    "% board [1]\n% parameters 1\n",
]


@pytest.mark.parametrize("comments", mostly_slow(STRANGE, STRANGE[:2]))
def test_external_program_is_solved_and_unchecked(comments: str, tmp_path: Path) -> None:
    path = tmp_path / "other.lp"
    path.write_text(f"{comments}p(1).\n")
    result = solved(path)
    assert (result["status"], result["board"]) == ("SATISFIABLE", None)
    assert (result["checked"], result["unchecked"]) == ([], ["board"])
    assert not any("heuristic" in token or "outf" in token for token in result["command"])


def test_error_in_a_program_is_reported_as_crash(tmp_path: Path) -> None:
    path = tmp_path / "bad.lp"
    path.write_text("move(0,\n")
    result = solved(path)
    assert result["end"] == "crash" and "syntax error" in result["reason"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["tour", "--solver", "clingo", "--shuffle", "1"],
            "--shuffle: clingo does not read a formula",
        ),
        (
            ["tour", "--solver", "clingo", "--three-cnf"],
            "--three-cnf: clingo does not read a formula",
        ),
        (
            ["tour", "--solver", "clingo", "--proof"],
            "clingo does not write proofs about logic programs; no solver",
        ),
        (["tour", "--solver", "clingo", "--method", "x"], "no method 'x'"),
        (["queens", "--solver", "clingo"], "there is no logic program for 'queens/squares'"),
        (["x.cnf", "--solver", "clingo"], "clingo does not solve CNF formulas; choose cadical"),
        (["x.lp", "--solver", "clingo"], "x.lp: cannot read the program"),
        (
            ["x.lp", "--solver", "clingo", "--method", "acyclic"],
            "--method does not apply",
        ),
        (
            ["x.lp", "--solver", "cadical"],
            "cadical does not solve logic programs; choose clingo",
        ),
        (
            ["tour", "--enc", "unary", "--method", "acyclic"],
            "cadical does not solve logic programs; choose clingo",
        ),
    ],
)
def test_contradictory_options_are_one_line(arguments: list[str], complaint: str) -> None:
    outcome = boardsat("solve", *arguments)
    assert outcome.code == 2 and complaint in outcome.one_line()
