"""Samples: uniformity, checks, seeds and selection of samplers."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from helpers.counts import file, need_some
from helpers.recordings import outcome
from helpers.requirements import SOLVER_MARKS, outside
from helpers.solver_runs import boardsat

import boardsat as entrance
from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.run_solver import parse_output
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.samplers import enumeration
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.workflows.count import portfolio

NAMES = [name for name in solvers.names() if solvers.load(name).is_sampler]
SAMPLERS = [pytest.param(name, marks=SOLVER_MARKS.get(name, ())) for name in NAMES]
OF_FORMULAS = [
    sampler
    for name, sampler in zip(NAMES, SAMPLERS, strict=True)
    if solvers.load(name).input_format == "formula"
]


def run_sample(*arguments: object, code: int = 10) -> dict[str, Any]:
    output = boardsat("sample", *arguments, "--json")
    assert output.code == code, output.err
    result: dict[str, Any] = json.loads(output.out)
    return result


def boards(sample: dict[str, Any]) -> list[str]:
    return [json.dumps(board["board"]) for board in sample["boards"]]


def queens(n: int) -> set[str]:
    """Return all placements of queens by trying every order of columns."""
    result = set()
    for columns in permutations(range(n)):
        rows = range(n)
        if len({columns[r] + r for r in rows}) == len({columns[r] - r for r in rows}) == n:
            board = [[int(columns[row] == column) for column in rows] for row in rows]
            result.add(json.dumps(board))
    return result


def chi_squared(draws: Counter[str], cells: int) -> float:
    expected = draws.total() / cells
    return sum((n - expected) ** 2 / expected for n in draws.values()) + expected * (
        cells - len(draws)
    )


@pytest.mark.parametrize("sampler", OF_FORMULAS)
def test_placements_are_drawn_uniformly(sampler: str) -> None:
    need_some(sampler)
    result = run_sample("queens", "-n", 5, "-k", 600, "--seed", 3, "--sampler", sampler)
    draws = Counter(boards(result))
    assert draws.keys() == queens(5)
    # The quantile 0.999 of nine degrees of freedom; so few are listed by all.
    assert chi_squared(draws, 10) < 27.9
    assert result["count"] == 10 and result["sampler"] == sampler
    assert all(board["checked"] == ["model", "board"] for board in result["boards"])


def test_tours_are_drawn_on_the_board() -> None:
    arguments = ("tour", "--set", "rows=5", "--set", "cols=6", "-k", 400)
    result = run_sample(*arguments, "--seed", 2)
    draws = Counter(boards(result))
    assert len(draws) == result["count"] == 8 and result["sampler"] == "frontier"
    assert chi_squared(draws, 8) < 24.3
    assert (
        result["uniform"] == "exactly"
        and result["uniformity_factor"] is None
        and result["independent"]
    )
    assert all(board["checked"] == ["board"] for board in result["boards"])
    assert boards(run_sample(*arguments, "--seed", 2)) == boards(result)
    assert boards(run_sample(*arguments, "--seed", 3)) != boards(result)
    # A longer sample begins like a shorter one.
    assert boards(run_sample(*arguments[:-1], 5, "--seed", 2)) == boards(result)[:5]


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (("--set", "closed=false"), 304),
        (("--set", "closed=false", "--set", "start=any"), 1_728),
    ],
)
def test_open_tours_are_found_with_cuts(arguments: tuple[str, ...], count: int) -> None:
    result = run_sample("tour", "-n", 5, *arguments, "-k", 30)
    assert result["count"] == count
    assert len(set(boards(result))) > 20
    firsts = {flat(board["board"]).index(1) for board in result["boards"]}
    assert firsts == {0} if count == 304 else len(firsts) > 5


def test_cycles_of_undirected_and_directed_graphs_are_drawn(tmp_path: Path) -> None:
    """Directed cycles are drawn from the formula, as frontier does not support them."""
    graph = file(tmp_path, "1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n", "complete.txt")
    result = run_sample("hamilton", "--set", f"graph={graph}", "-k", 60)
    assert result["count"] == len(set(boards(result))) == 3 and result["sampler"] == "frontier"
    arcs = file(tmp_path, "a -> b\nb -> c\nc -> a\na -> c\nc -> b\nb -> a\n", "arcs.txt")
    result = run_sample("hamilton", "--set", f"graph={arcs}", "-k", 40)
    assert result["count"] == len(set(boards(result))) == 2 and result["sampler"] == "enumeration"


@pytest.mark.parametrize("sampler", OF_FORMULAS)
def test_models_of_external_file_are_drawn(sampler: str, tmp_path: Path) -> None:
    """Over its projection, with a variable that no clause has, and without those it leaves out."""
    need_some(sampler)
    path = file(tmp_path, "c ind 1 2 5 0\np cnf 5 2\n1 2 0\n-3 4 0\n")
    result = run_sample(path, "-k", 300, "--sampler", sampler)
    draws = Counter(
        json.dumps([literal for literal in board["model"] if abs(literal) in (1, 2, 5)])
        for board in result["boards"]
    )
    assert result["count"] == len(draws) == 6
    assert chi_squared(draws, 6) < 20.5


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_sample_of_unsatisfiable_problem_is_empty(sampler: str) -> None:
    need_some(sampler)
    problem, arguments = ("queens", "-n", 3), "3 queens do not fit on 3x3"
    if sampler == "frontier":
        problem, arguments = ("tour", "-n", 5), "there is no closed tour of 5x5 by a knight"
    output = boardsat("sample", *problem, "--sampler", sampler)
    assert output.code == 20 and output.out.startswith("UNSATISFIABLE: ")
    assert output.out.splitlines()[1] == arguments
    assert "NOT checked" in output.out and "board 1" not in output.out


def test_the_words_of_an_answer() -> None:
    output = boardsat("sample", "tour", "-n", 6, "-k", 2)
    assert output.code == 10
    lines = output.out.splitlines()
    assert lines[0].startswith("2 boards drawn at random from 9,862 closed tours: frontier ")
    assert lines[1].startswith("uniform: exactly") and lines[1].endswith("seed 0")
    assert lines[2] == "sampler: frontier (exact, and quick here)"
    assert lines[4] == "board 1" and lines[-1] == "checked: board"


@outside
def test_almost_uniform_sampler_if_no_exact_one_finishes(monkeypatch: pytest.MonkeyPatch) -> None:
    need_some("unigen")

    monkeypatch.setattr(portfolio, "trial_limits", lambda *_: Limits(wall=0.001))
    output = boardsat("sample", "queens", "-n", 6, "-k", 1)
    assert output.code == 10, output.err
    assert "uniform: almost, " in output.out and "within a factor of 17" in output.out
    assert "sampler: unigen (almost uniform: enumeration found no sample within" in output.out


def test_diverse_selects_distant_boards() -> None:
    result = run_sample("tour", "-n", 6, "-k", 4, "--diverse")
    assert len(result["boards"]) == 4 and result["num_draws"] == 200 and not result["independent"]
    tours = [steps(board["board"]) for board in result["boards"]]
    nearest = min(len(a - b) for a in tours for b in tours if a is not b)
    assert nearest == result["min_distance"] > 8 and result["distance_unit"] == "edge"


def test_diverse_selects_equal_boards_once() -> None:
    result = run_sample("queens", "-n", 6, "-k", 9, "--diverse")
    assert set(boards(result)) == queens(6) and len(result["boards"]) == 4
    assert result["min_distance"] == 8 + 4 and result["distance_unit"] == "variable"


def flat(board: list[list[int]]) -> list[int]:
    return [number for row in board for number in row]


def steps(board: list[list[int]]) -> set[frozenset[int]]:
    """The edges of a closed tour."""
    places = {number: index for index, number in enumerate(flat(board))}
    size = len(places)
    return {frozenset((places[n], places[n % size + 1])) for n in range(1, size + 1)}


def test_svg_files_are_numbered(tmp_path: Path) -> None:
    assert boardsat("sample", "queens", "-n", 6, "-k", 2, "--svg", tmp_path / "q.svg").code == 10
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q-1.svg", "q-2.svg"]
    assert boardsat("sample", "queens", "-n", 6, "-k", 1, "--svg", tmp_path / "q.svg").code == 10
    assert (tmp_path / "q.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("queens", "--sampler", "cadical"), "cadical is not a sampler"),
        (("queens", "--sampler", "frontier"), "frontier solves only hamilton and tour, not queens"),
        (("queens", "--sampler", "nobody"), "no solver 'nobody'"),
        (("queens", "-k", "0"), "must be a number from 1 to"),
        (("queens", "-k", "many"), "must be a number from 1 to 100000 (got 'many')"),
        (("tour", "--enc", "cuts"), "lazy"),
        (("tour", "--sampler", "frontier", "--propagate"), "frontier does not read a formula"),
        (("queens", "-n", "4..5"), "the options name several instances"),
        (("queens", "--svg", "q.png"), "--svg writes SVG"),
    ],
)
def test_invalid_options_are_one_line(arguments: tuple[str, ...], fault: str) -> None:
    output = boardsat("sample", *arguments)
    assert output.code == 2 and fault in output.one_line()


def test_sample_rejects_invalid_projection(tmp_path: Path) -> None:
    """Two boards with one projection: each would be drawn half as often."""
    spec = file(
        tmp_path,
        "title: two\nboard: {shape: grid, rows: 1, cols: 2}\nvariables:\n  R:\n"
        "    for: i in cells\n    description: on {i}\n"
        "  S:\n    for: i in cells\n    description: not used\n"
        "constraints:\n  - for: i in cells\n    clause: R[i] or S[i]\nprojection: S\n"
        "decode:\n  - mark: R[i]\n    cell: i\n    sign: rook\n",
        "two.yaml",
    )
    output = boardsat("sample", spec, "-k", 1)
    assert output.code == 2 and "the projection is not proved valid" in output.one_line()


@pytest.mark.parametrize("sampler", ["", *SAMPLERS])
@pytest.mark.parametrize("clauses", ["1 2 0\n-1 -2 0\n", "1 0\n-1 0\n"])
def test_samplers_reject_weights(sampler: str, clauses: str, tmp_path: Path) -> None:
    """The weights are rejected for a satisfiable and an unsatisfiable formula."""
    if sampler:
        need_some(sampler)
    weights = "c p weight 1 0.25 0\nc p weight -1 0.75 0\n"
    path = file(tmp_path, f"p cnf 2 2\n{weights}{clauses}")
    output = boardsat("sample", path, "-k", 1, *(["--sampler", sampler] if sampler else []))
    fault = r"draw models (almost )?uniformly from formulas with weights; remove the weights"
    assert (
        output.code == 2 and re.search(f"{path}: .*{fault}", output.one_line()) and not output.out
    )


def test_sample_rejects_weights_of_a_problem() -> None:
    fault = (
        "reliability/edges: enumeration does not draw models uniformly from formulas with weights"
    )
    output = boardsat("sample", "reliability", "--set", "graph=cycle 5", "-k", 1)
    assert output.code == 2 and fault in output.one_line() and not output.out
    for weighted in ("reliability", entrance.build("reliability", graph="cycle 5")):
        settings = {"graph": "cycle 5"} if isinstance(weighted, str) else {}
        with pytest.raises(entrance.BoardsatError, match=fault):
            entrance.sample(weighted, k=1, **settings)


def test_break_symmetry_draws_orbits() -> None:
    """The ten placements of five queens form two orbits."""
    result = run_sample("queens", "-n", 5, "-k", 40, "--break-symmetry")
    assert result["count"] == len(set(boards(result))) == 2
    assert result["symmetry"].startswith("8 symmetries of the board broken")
    output = boardsat("sample", "queens", "-n", 5, "-k", 1, "--break-symmetry").out.splitlines()
    assert f"symmetry: {result['symmetry']}" in output
    by_library = entrance.sample("queens", n=5, k=40, break_symmetry=True)
    assert by_library.boards == [board["board"] for board in result["boards"]]
    unbroken = run_sample("queens", "-n", 5, "-k", 1)
    assert unbroken["symmetry"] is None and unbroken["count"] == 10


def test_time_limit_gives_no_sample() -> None:
    arguments = ("sample", "tour", "-n", 8, "-k", 1, "--sampler", "frontier", "--timeout", 0.3)
    output = boardsat(*arguments)
    assert output.code == 0 and output.out.startswith("no sample (")
    assert output.out.splitlines()[-1] == "to obtain a sample: raise the time limit: --timeout 3"


def test_enumeration_sampler_rejects_too_many_models(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(enumeration, "MAX_MODELS", 2)
    path = file(tmp_path, "p cnf 2 1\n1 2 0\n")
    assert enumeration.main("cadical195", str(path), "1", "0") == 1
    assert capsys.readouterr().err == "the formula has more than 2 models\n"


@pytest.mark.parametrize(
    "text",
    [
        "s SATISFIABLE\ns mc 3\n",
        "s SATISFIABLE\ns mc 3\nv 1 2\n",
        "s SATISFIABLE\ns mc 3\nv 1 x 0\n",
        "s SATISFIABLE\ns mc 3\nv 1 0 2 0\n",
        "s SATISFIABLE\ns mc 3\nv 1 -4 0\n",
        "s SATISFIABLE\ns mc 3\nv 1 2 3 1 2 3 0\n",
        "s SATISFIABLE\ns mc 0\nv 1 2 3 0\n",
    ],
)
def test_invalid_sampler_output_is_an_error(text: str) -> None:
    with pytest.raises(BoardsatError):
        parse_output("sampling", 3, outcome(text.encode(), 10))


def test_sampler_output_is_parsed() -> None:
    text = b"s SATISFIABLE\ns mc 3\nv 1 -2\nv 3 0\nv 1 0\n"
    result = parse_output("sampling", 3, outcome(text, 10))
    assert result.samples == [(1, -2, 3), (1,)] and result.count == 3


def test_wrong_sample_is_rejected(tmp_path: Path) -> None:
    """Use a sampler file of the user that prints an assignment which is not a model."""
    program = tmp_path / "liar"
    program.write_text("#!/bin/sh\nprintf 's SATISFIABLE\\ns mc 2\\nv -1 -2 0\\n'\nexit 10\n")
    program.chmod(0o755)
    solver = file(
        tmp_path,
        f"title: a liar\nprogram: {program}\ncommand: '{program} {{{{ file }}}}'\n"
        "dialect: sampling\ncan: sample\n",
        "liar.yaml",
    )
    path = file(tmp_path, "p cnf 2 1\n1 2 0\n")
    output = boardsat("sample", path, "-k", 1, "--sampler", solver, "--runtime", "native")
    assert (
        output.code == WrongAnswerError.exit_code and "WRONG MODEL from liar" in output.one_line()
    )


def test_sample_from_python() -> None:
    result = entrance.sample("queens", n=6, k=3, seed=5)
    assert isinstance(result, entrance.SampleResult)
    assert result.status is Status.SATISFIABLE and result.count == 4 and result.is_uniform
    assert len(result) == 3 and {json.dumps(board) for board in result.boards} <= queens(6)
    assert result[0].to_svg().startswith("<svg")
    assert [solved.model for solved in result] == [
        result[0].model,
        result[1].model,
        result[2].model,
    ]
    assert str(result).startswith("3 boards drawn at random from 4 placements of the queens: ")
    with pytest.raises(
        entrance.BoardsatError, match=r"k must be an integer from 1 to 100,000 \(got 0\)"
    ):
        entrance.sample("queens", n=6, k=0)
    none = entrance.sample("queens", n=3, k=1)
    assert none.status is Status.UNSATISFIABLE and len(none) == 0 and none.boards == []


def test_uniformity_factor_requires_almost_uniform_sampler(tmp_path: Path) -> None:
    text = "title: t\nprogram: p\ncommand: p {{ file }}\ndialect: sampling\ncan: almost-sample\n"
    with pytest.raises(BoardsatError, match="`can: almost-sample` requires `factor`"):
        solvers.load(str(file(tmp_path, text, "a.yaml")))
    with pytest.raises(BoardsatError, match="`factor` must be a factor from 1 to 3600"):
        solvers.load(str(file(tmp_path, f"{text}factor: none\n", "b.yaml")))
    assert solvers.load(str(file(tmp_path, f"{text}factor: 3\n", "c.yaml"))).uniformity_factor == 3
