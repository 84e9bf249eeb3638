"""Counts: by every counter, over every kind of projection, and beside those of others."""

from __future__ import annotations

import itertools
import json
import random
import re
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside import asks, lacking, outside
from running import RUNTIMES, SOLVERS, Said, boardsat, instance, need, nothing_left
from support import is_lazy, mostly_slow

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, End, Status, Usage
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import PREFERRED, Limits, choose, runtime
from boardsat.adapters.solvers import Solver
from boardsat.commands._wanted import COUNT, several
from boardsat.counting import choosing, clock, projections, workflow
from boardsat.counting import runs as counting
from boardsat.counting.comparing import Referee, verdict
from boardsat.counting.question import CountQuestion
from boardsat.counting.remedies import remedy
from boardsat.counting.runs import Count, median
from boardsat.generators import build, find, transform, write
from boardsat.generators.catalogue import encodings_of
from boardsat.problem import open_problem
from boardsat.rebuilding import is_built_alike
from boardsat.solving.asking import SolveRequest

COUNTERS = [solver for solver in SOLVERS if solver.counts and solver.reads == "formula"]
PLACES = [
    pytest.param(solver, where, id=f"{solver.name}-{where}", marks=asks(where))
    for solver in COUNTERS
    for where in PREFERRED
    if (where == "embedded" and solver.embedded) or (where != "embedded" and solver.command)
]
CLASP = pytest.param("clasp", marks=outside)
"""No library has it."""
EXACT = [solver for solver in COUNTERS if "count" in solver.can]


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    with nothing_left():
        yield


def need_some(counter: str) -> None:
    """Skip, unless it can run somewhere."""
    try:
        choose(solvers.load(counter))
    except AdapterError as error:
        lacking(counter, str(error))


def counted(*words: object, code: int = 0) -> dict[str, Any]:
    said = boardsat("count", *words, "--json")
    assert said.code == code, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def file(folder: Path, text: str) -> Path:
    path = folder / "formula.cnf"
    path.write_text(text)
    return path


# The same formulas to every counter.

CASES = {
    "p cnf 2 2\n1 0\n-1 0\n": 0,
    "p cnf 1 1\n0\n": 0,
    "p cnf 0 0\n": 1,
    "p cnf 4 0\n": 16,
    "p cnf 3 1\n1 2 3 0\n": 7,
    "p cnf 6 1\n1 -2 0\n": 48,
    "c ind 1 2 0\np cnf 3 1\n1 2 3 0\n": 4,
    "c ind 3 0\nc ind 1 0\np cnf 3 2\n1 2 0\n-1 -2 0\n": 4,
    "c ind 0\np cnf 3 1\n1 2 3 0\n": 1,
    "c ind 0\np cnf 3 2\n1 0\n-1 0\n": 0,
    "c ind 1 4 5 0\np cnf 6 2\n1 2 3 0\n-1 0\n": 4,
    "c ind 4 5 6 0\np cnf 6 1\n1 2 3 0\n": 8,
    "c t pmc\np cnf 3 1\nc p show 1 2 0\n1 2 3 0\n": 4,
    "c ind 2 0\np cnf 9 1\n1 2 3 0": 2,
}


@pytest.mark.parametrize(("solver", "where"), PLACES)
@pytest.mark.parametrize("part", mostly_slow(range(6), [0]))
def test_small_formulas(solver: Solver, where: str, part: int, tmp_path: Path) -> None:
    need(solver, where)
    for text, number in list(CASES.items())[part::6]:
        path = file(tmp_path, text)
        found = counted(path, "--counter", solver.name, "--runtime", where)
        assert (found["count"], found["models"]) == (number, number), text
        assert found["exact"] == ("count" in solver.can)
        assert (found["projection"], found["verdict"]) == ("unchecked", None)
        assert found["runtime"] == where


def models_over(clauses: list[list[int]], variables: int, projection: list[int]) -> int:
    """By trying every assignment."""
    seen = set()
    for values in itertools.product((False, True), repeat=variables):
        if all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses):
            seen.add(tuple(values[v - 1] for v in projection))
    return len(seen)


@pytest.mark.parametrize("seed", mostly_slow(range(6), [1]))
def test_random_formulas_with_random_projections(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    variables = chance.randint(3, 9)
    clauses = [
        [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 3)]
        for _ in range(chance.randint(1, 3 * variables))
    ]
    projection = sorted(chance.sample(range(1, variables + 1), chance.randint(0, variables)))
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    shown = " ".join(map(str, [*projection, 0]))
    text = "\n".join([f"c ind {shown}", f"p cnf {variables} {len(clauses)}", *lines, ""])
    path = file(tmp_path, text)
    number = models_over(clauses, variables, projection)
    for solver in COUNTERS:
        where = "embedded" if solver.embedded else "native"
        if runtime(where).available(solver) is None:
            found = counted(path, "--counter", solver.name, "--runtime", where)
            # So few models are counted exactly even where an estimate was asked for.
            assert found["count"] == number, solver.name


# Tours: by every encoding, and without one.

BOARDS = {
    "5x6": (["rows=5", "cols=6"], 8),
    "3x10": (["rows=3", "cols=10"], 16),
    "3x3 king": (["rows=3", "cols=3", "moves=king"], 16),
    "5x5 open": (["rows=5", "cols=5", "closed=false"], 304),
    "4x4 wazir": (["rows=4", "cols=4", "moves=wazir"], 6),
    "3x5 king with a hole": (["rows=3", "cols=5", "moves=king", "holes=7"], 100),
    "4x4 camel and wazir": (["rows=4", "cols=4", "moves=camel+wazir"], 3270),
    "3x4 zebra and wazir, open": (["rows=3", "cols=4", "moves=zebra+wazir", "closed=false"], 64),
}


ELIMINATING = ("undirected", "uve", "hve", "relative")
"""Encodings without positions."""

QUICK = ("3x4 zebra and wazir, open",)
"""What every counter is done with soon, in every encoding."""


def keeping_counts(problem: str) -> list[str]:
    return [e for e in encodings_of(problem) if find(problem, e).keeps_counts]


@pytest.mark.parametrize(
    "board",
    mostly_slow(BOARDS, QUICK),
)
@pytest.mark.parametrize(
    "encoding",
    mostly_slow(keeping_counts("tour"), ["binary"]),
)
def test_all_counters_agree_on_tours(encoding: str, board: str) -> None:
    settings, number = BOARDS[board]
    if "closed=false" in settings and not offers(encoding, "closed"):
        pytest.skip(f"{encoding} has closed tours only")
    words = [word for pair in settings for word in ("--set", pair)]
    frontier = counted("tour", "--enc", encoding, *words, "--counter", "frontier")
    assert frontier["exact"] and frontier["projection"] == "valid"
    assert frontier["count"] == number
    for solver in EXACT:
        where = "embedded" if solver.embedded else "native"
        if runtime(where).available(solver) is not None:
            continue
        found = counted(
            *("tour", "--enc", encoding, *words, "--counter", solver.name, "--runtime", where),
            *("--referee", "none", "--cpu", 60),
        )
        if solver.name == "ganak" and encoding not in ELIMINATING and found["count"] is None:
            # It may take long where squares have positions, but nothing else may stop it.
            assert found["reason"] == "CPU limit"
            continue
        assert (found["count"], found["models"]) == (frontier["count"], frontier["models"])


def offers(encoding: str, parameter: str) -> bool:
    return any(p.name == parameter for p in find("tour", encoding).parameters)


@pytest.mark.slow
@pytest.mark.parametrize("board", [("3", "12", 176), ("6", "6", 9862)])
@pytest.mark.parametrize("encoding", keeping_counts("tour"))
@pytest.mark.parametrize("counter", ["frontier", CLASP])
def test_larger_tours(encoding: str, board: tuple[str, str, int], counter: str) -> None:
    need_some(counter)
    rows, cols, number = board
    words = ("tour", "--enc", encoding, "--set", f"rows={rows}", "--set", f"cols={cols}")
    found = counted(*words, "--counter", counter, "--timeout", 200)
    assert (found["count"], found["verdict"]) == (number, "agree")


@pytest.mark.slow
@pytest.mark.parametrize("counter", ["ganak", "enumeration"])
@pytest.mark.parametrize("encoding", [e for e in ELIMINATING if e != "relative"])
def test_larger_tours_by_search(encoding: str, counter: str) -> None:
    """Of 6x6; with other encodings ganak takes very long, as enumeration does with unary."""
    found = counted("tour", "--enc", encoding, "-n", 6, "--counter", counter)
    assert (found["count"], found["verdict"]) == (9862, "agree")


def published() -> list[Any]:
    """Every published count of a spec that can be computed in little time."""
    sides = [(3, 10), (3, 12), (3, 14), (5, 6), (5, 8), (6, 6), (6, 7), (6, 8)]
    return [
        *(("tour/binary", {"rows": r, "cols": c}, "frontier") for r, c in sides),
        ("tour/binary", {"n": 5, "closed": False}, "frontier"),
        *(("queens/squares", {"n": n}, "enumeration") for n in range(4, 10)),
    ]


@pytest.mark.parametrize(
    ("spec", "settings", "counter"),
    mostly_slow(published(), [published()[place] for place in (5, 8, 10)]),
)
def test_published_counts_are_true(
    spec: str, settings: dict[str, object], counter: str, tmp_path: Path
) -> None:
    found = counted(instance(tmp_path, spec, **settings), "--counter", counter)
    assert found["verdict"] == "agree"
    assert found["referee"]["name"] == "published" and found["referee"]["source"]


def test_all_published_counts_are_tried_but_those_out_of_reach() -> None:
    tried = {}
    for case in published():
        spec, settings, _ = case
        objects = build(find(*str(spec).split("/")), settings).header.objects
        assert objects is not None
        tried.setdefault(spec, set()).add(objects["published"])
    assert {p.number for p in find("tour", "binary").published} - tried["tour/binary"] == {
        13267364410532
    }
    assert {p.number for p in find("queens").published} - tried["queens/squares"] == {
        724,
        2680,
        14200,
    }


@pytest.mark.parametrize("encoding", mostly_slow(["binary", "unary"], ["binary"]))
def test_a_direction_halves_the_models_and_not_the_tours(encoding: str) -> None:
    words = ("tour", "--enc", encoding, "--set", "rows=5", "--set", "cols=6", "--counter", "ganak")
    both = counted(*words)
    one = counted(*words, "--set", "one_direction=true")
    assert (both["count"], both["models"], both["objects"]) == (8, 16, "closed tours")
    assert (one["count"], one["models"], one["objects"]) == (8, 8, "closed tours")


def test_the_words_of_an_answer() -> None:
    board = ("--enc", "binary", "--set", "rows=5", "--set", "cols=6")
    said = boardsat("count", "tour", *board, "--counter", "ganak")
    first, second, third = said.out.splitlines()
    assert first.startswith("8 closed tours (16 models), exactly: ganak pyganak ")
    why = "it is exactly the variables that the board is read from"
    assert second == f"projection: valid, {why} (H, 124 of 269 variables)"
    assert third == "referee: 8 (OEIS A175881): agree"


@pytest.mark.parametrize("where", RUNTIMES)
def test_an_estimate_and_its_interval(where: str) -> None:
    solver = next(solver for solver in SOLVERS if solver.name == "approxmc")
    need(solver, where)
    words = ("queens", "-n", 8, "--counter", "approxmc", "--runtime", where, "--seed", 7)
    found = counted(*words, "--epsilon", 0.5)
    assert not found["exact"] and found["confidence"] == 0.8
    least, most = found["interval"]
    assert least == -(-found["models"] * 2 // 3) and most == found["models"] * 3 // 2
    assert found["verdict"] == "inside" and least <= 92 <= most
    assert found["runs"][0]["command"].count("--seed=7") or where == "embedded"


def test_several_seeds_and_their_median() -> None:
    words = ("queens", "-n", 6, "--counter", "approxmc", "--repeat", 3, "--seed", 5)
    found = counted(*words)
    assert len(found["runs"]) == 3
    assert found["count"] == sorted(run["count"] for run in found["runs"])[1]
    said = boardsat("count", *words)
    assert "median of 3 seeds: 4, 4, 4" in said.out and said.out.endswith("3 of 3 inside\n")


# Verdicts.


def made_up(objects: int | None, interval: tuple[int, int] | None = None) -> Count:
    usage = Usage(0.0)
    answer = Answer(Status.UNKNOWN, "", None, None, End.FINISHED, 0, usage, "x", "1", "native", ())
    return Count(objects, objects, interval is None, interval, answer)


@pytest.mark.parametrize(
    ("found", "other", "word"),
    [
        (made_up(8), Referee("a", "", 8), "agree"),
        (made_up(8), Referee("a", "", 9), "disagree"),
        (made_up(8, (5, 14)), Referee("a", "", 5), "inside"),
        (made_up(8, (5, 14)), Referee("a", "", 14), "inside"),
        (made_up(8, (5, 14)), Referee("a", "", 15), "outside"),
        (made_up(8, (5, 14)), Referee("a", "", 4), "outside"),
        (made_up(8), Referee("a", "", 20, False, (8, 30)), "inside"),
        (made_up(8), Referee("a", "", 20, False, (9, 30)), "outside"),
        (made_up(8, (5, 14)), Referee("a", "", 20, False, (14, 30)), "inside"),
        (made_up(None), Referee("a", "", 8), None),
        (made_up(8), Referee("a", "", None), None),
        (made_up(0, (0, 0)), Referee("a", "", 0), "inside"),
    ],
)
def test_verdicts(found: Count, other: Referee, word: str | None) -> None:
    assert verdict(found, other) == word


def test_the_median_leaves_out_what_was_not_counted() -> None:
    assert median([made_up(9), made_up(None)]).objects == 9
    assert median([made_up(9), made_up(3), made_up(5), made_up(7)]).objects == 5
    assert median([made_up(None)]).objects is None


def test_a_referee_that_disagrees_is_exit_code_1(tmp_path: Path) -> None:
    path = Path(instance(tmp_path, "queens/squares", n=6))
    path.write_text(path.read_text().replace('"published": 4', '"published": 5'))
    found = counted(path, "--counter", "ganak", code=1)
    assert (found["count"], found["verdict"]) == (4, "disagree")
    assert counted(path, "--counter", "ganak", "--referee", "none")["verdict"] is None
    found = counted(path, "--counter", "ganak", "--referee", "enumeration")
    assert found["verdict"] == "agree" and found["referee"]["name"] == "enumeration"


def test_a_count_that_no_number_of_objects_gives_is_loud(tmp_path: Path) -> None:
    path = Path(instance(tmp_path, "queens/squares", n=5))
    path.write_text(path.read_text().replace('"models_each": 1', '"models_each": 4'))
    said = boardsat("count", path, "--counter", "ganak")
    assert said.code == 1
    assert "WRONG COUNT from ganak: 10 models, but 4 for each" in said.one_line()


# Projections.


def judged(*words: object, code: int = 0) -> dict[str, Any]:
    said = boardsat("projection", *words, "--json")
    assert said.code == code, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


@pytest.mark.parametrize("projection", mostly_slow(["ind", "show", "none"], ["none"]))
@pytest.mark.parametrize(
    "encoding",
    mostly_slow(
        (e for e in encodings_of("tour") if not is_lazy(f"tour/{e}")), ["binary", "direct", "ve"]
    ),
)
def test_the_projections_of_tours_are_valid(encoding: str, projection: str) -> None:
    words = ("tour", "--enc", encoding, "--set", "rows=3", "--set", "cols=4")
    valid = find("tour", encoding).keeps_counts or projection != "none"
    words += ("--set", "moves=king", "--projection", projection)
    found = judged(*words, code=0 if valid else 1)
    assert found["projection"] == ("valid" if valid else "invalid")
    assert (found["boards"] == []) == valid


def projected(path: str, projection: list[int]) -> Path:
    """The file with another projection."""
    lines = Path(path).read_text().splitlines()
    kept = [line for line in lines if not line.startswith("c ind ")]
    shown = " ".join(map(str, [*projection, 0]))
    target = Path(path).with_name("projected.cnf")
    target.write_text("\n".join([f"c ind {shown}", *kept, ""]))
    return target


def test_a_subset_of_the_moves_can_be_enough_and_is_proved_so(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/binary", rows=5, cols=6)
    header = open_problem(path).header
    moves = header.variables["H"]
    origin, _ = np.unravel_index(moves.keys, moves.shape)
    # Of the moves out of a square one is made: the last follows from the others.
    spared = {int(moves.ids[np.flatnonzero(origin == cell)[-1]]) for cell in np.unique(origin)}
    fewer = [v for v in moves.ids.tolist() if v not in spared]
    found = judged(projected(path, fewer))
    assert found["projection"] == "valid" and "Padoa" in found["reason"]
    number = counted(projected(path, fewer), "--counter", "ganak")
    assert (number["count"], number["projection"]) == (8, "valid")


def test_too_few_variables_are_refuted_by_two_boards(tmp_path: Path) -> None:
    """Every fourth of the moves, as a paper projected an encoding with the same moves."""
    path = projected(instance(tmp_path, "tour/binary", n=6), list(range(1, 161, 4)))
    found = judged(path, code=1)
    assert found["projection"] == "invalid" and "two different boards" in found["reason"]
    first, second = found["boards"]
    assert first != second
    for board in (first, second):
        assert is_closed_tour(board)
    one, other = found["models"]
    assert all((v in one) == (v in other) for v in range(1, 161, 4))
    said = boardsat("projection", path)
    assert said.code == 1 and said.out.count("\n") == 15


def is_closed_tour(rows: list[list[int]]) -> bool:
    place = {number: (r, c) for r, row in enumerate(rows) for c, number in enumerate(row)}
    around = [place[k] for k in range(1, len(place) + 1)]
    steps = itertools.pairwise([*around, around[0]])
    jumps = {(abs(a - c), abs(b - d)) for (a, b), (c, d) in steps}
    return len(place) == sum(map(len, rows)) and jumps <= {(1, 2), (2, 1)}


def test_too_many_variables_are_refuted_by_one_board(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    text = Path(path).read_text().replace("p cnf 16 ", "p cnf 17 ")
    free = file(tmp_path, text)
    found = judged(projected(str(free), list(range(1, 18))), code=1)
    assert "the same board has two different projections" in found["reason"]
    assert found["boards"][0] == found["boards"][1]


def test_without_enough_time_a_projection_is_unknown(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/direct", n=8)
    header = open_problem(path).header
    fewer = header.variables["V"].ids.tolist()[1:]
    found = judged(projected(path, fewer), "--timeout", 0.05)
    assert (found["projection"], found["reason"]) == ("unknown", "time limit")


def test_a_file_from_elsewhere_is_judged_by_all_its_variables(tmp_path: Path) -> None:
    text = "p cnf 3 3\n1 -3 0\n-1 3 0\n1 2 0\n"
    assert judged(file(tmp_path, text))["projection"] == "valid"
    assert judged(file(tmp_path, f"c ind 1 2 0\n{text}"))["projection"] == "valid"
    found = judged(file(tmp_path, f"c ind 1 3 0\n{text}"), code=1)
    assert found["projection"] == "invalid" and found["boards"] == []
    said = boardsat("projection", file(tmp_path, f"c ind 1 3 0\n{text}"))
    assert said.out.splitlines()[2].startswith("true: 1")


@pytest.mark.parametrize("seed", mostly_slow(range(8), [0]))
def test_verdicts_are_those_of_all_models(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    variables = 5
    clauses = [
        [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 2)]
        for _ in range(chance.randint(1, 6))
    ]
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    everything = list(range(1, variables + 1))
    for size in range(variables):
        chosen = sorted(chance.sample(everything, size))
        shown = " ".join(map(str, [*chosen, 0]))
        text = "\n".join([f"c ind {shown}", f"p cnf {variables} {len(lines)}", *lines, ""])
        problem = open_problem(str(file(tmp_path, text)))
        found = projections.validate(problem, SolveRequest("minisat", "embedded"))
        determined = models_over(clauses, variables, chosen) == models_over(
            clauses, variables, everything
        )
        assert (found.word == "valid") == determined


def test_count_refuses_an_invalid_projection_unless_told(tmp_path: Path) -> None:
    path = projected(instance(tmp_path, "tour/binary", rows=5, cols=6), [1, 2, 3])
    said = boardsat("count", path, "--counter", "ganak")
    assert said.code == 2
    assert "the projection is invalid: two different boards" in said.one_line()
    assert "--any-projection" in said.one_line()
    found = counted(path, "--counter", "approxmc", "--any-projection", code=1)
    assert (found["projection"], found["verdict"]) == ("invalid", "outside")


# Bad input, and ends that are no answer.


def test_a_projection_outside_the_formula_is_one_line(tmp_path: Path) -> None:
    path = file(tmp_path, "c ind 1 9 0\np cnf 3 1\n1 2 3 0\n")
    for command in ("count", "projection"):
        said = boardsat(command, path)
        assert said.code == 2
        assert "the projection has variable 9, the formula 3" in said.one_line()


@pytest.mark.parametrize("counter", ["approxmc", "ganak", "enumeration", CLASP])
def test_a_counter_that_takes_too_long_is_no_count(counter: str) -> None:
    need_some(counter)
    words = ("count", "tour", "--enc", "binary", "-n", 8, "--counter", counter)
    said = boardsat(*words, "--timeout", 0.3)
    assert said.code == 3
    assert said.out.startswith("no count within 0.3 s: ")
    assert said.out.splitlines()[-1] == (
        "to have a count: give it more time: --timeout 3, or leave --counter out"
    )
    found = counted(*words[1:], "--timeout", 0.3, code=3)
    assert found["count"] is None and found["interval"] is None and found["verdict"] is None
    assert found["reason"] == "time limit"


def test_a_graph_too_wide_for_the_frontier_is_no_count(tmp_path: Path) -> None:
    graph = tmp_path / "complete.txt"
    graph.write_text("".join(f"{u} {v}\n" for u, v in itertools.combinations(range(40), 2)))
    words = ("hamilton", "--enc", "binary", "--set", f"graph={graph}", "--counter", "frontier")
    said = boardsat("count", *words)
    assert said.out.startswith("no count (crash, exit code 1: a frontier of ")


def refused(*words: object) -> Said:
    said = boardsat("count", *words)
    assert said.code == 2
    said.one_line()
    return said


def test_bad_options_are_one_line() -> None:
    queens = ("queens", "-n", 5)
    assert "cadical does not count models" in refused(*queens, "--counter", "cadical").err
    assert "no solver 'gnk'" in refused(*queens, "--counter", "gnk").err
    assert "is not a number" in refused(*queens, "--epsilon", -1).err
    assert "is not a number" in refused(*queens, "--delta", 1).err
    assert "is not a number" in refused(*queens, "--repeat", 0).err
    latin = ("latin", "--enc", "direct", "-n", 3, "--counter", "ganak")
    assert "no published count is known" in refused(*latin, "--referee", "published").err
    assert "frontier is for hamilton and tour" in refused(*queens, "--counter", "frontier").err


def test_counters_are_never_asked_for_more_than_they_can(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=5)
    found = counting.count(open_problem(path), counting.CountRequest("ganak"))
    assert (found.objects, found.models, found.exact, found.interval) == (10, 10, True, None)


# Where no counter is named.


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if these could not run here."""

    def choose(solver: Solver, wanted: str) -> str:
        if solver.name in names:
            raise AdapterError(f"{solver.name} cannot run here")
        return "embedded"

    monkeypatch.setattr(choosing, "choose", choose)


def test_a_few_boards_are_counted_exactly_with_python_sat_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "ganak", "approxmc")
    said = boardsat("count", "queens", "-n", 8)
    first, second, third, fourth = said.out.splitlines()
    assert first.startswith("92 placements of the queens, exactly: enumeration ")
    assert second == "counter: enumeration (exact, and quick here)"
    assert third.startswith("projection: valid") and fourth.endswith("(OEIS A000170): agree")
    assert said.code == 0 and said.err == ""


@pytest.mark.parametrize("counter", [(), ("--counter", "frontier")])
def test_tours_are_counted_on_the_board_and_need_no_encoding(counter: tuple[str, ...]) -> None:
    found = counted("tour", "-n", 6, *counter)
    assert (found["count"], found["verdict"], found["counter"]) == (9862, "agree", "frontier")
    assert (found["models"], found["projection"]) == (None, "not needed")
    assert found["instance"] == "tour-6x6-closed"
    assert found["chosen"] == ("" if counter else "exact, and quick here")


def test_an_encoding_that_is_named_is_what_is_counted() -> None:
    words = ("tour", "--set", "rows=3", "--set", "cols=4", "--set", "moves=king")
    for more in (["--enc", "uve"], ["--three-cnf"]):
        found = counted(*words, *more)
        assert (found["count"], found["models"], found["counter"]) == (120, 120, "enumeration")
        assert found["projection"] == "valid"


def test_a_file_is_counted_as_it_is_and_not_by_its_board(tmp_path: Path) -> None:
    path = Path(instance(tmp_path, "tour/uve", rows=3, cols=4, moves="king"))
    head, variables, clauses, rest = re.split(r"p cnf (\d+) (\d+)\n", path.read_text())
    path.write_text(f"{head}p cnf {variables} {int(clauses) + 1}\n1 0\n{rest}")
    found = counted(path)
    assert 0 < found["count"] < 120 and found["counter"] == "enumeration"


def test_an_estimate_where_no_exact_counter_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "TRIALS", 0.11)
    without(monkeypatch)
    said = boardsat("count", "queens", "-n", 6, "--seed", 1)
    first, _, chosen, *_ = said.out.splitlines()
    assert first.startswith("4 placements of the queens, about: approxmc ")
    why = r"enumeration found no count within 0\.05 s; (ganak found no count within 0\.0\d+ s)"
    told = re.fullmatch(rf"counter: approxmc \(an estimate: {why}\)", chosen)
    assert told, chosen
    left = r"within the \d+ s that are left of 120 s; --timeout gives another limit"
    line = rf"boardsat: {re.escape(told[1])}; approxmc estimates it now, {left}\n"
    assert re.fullmatch(line, said.err), said.err


def test_what_asks_for_an_estimate_gets_one() -> None:
    found = counted("queens", "-n", 5, "--epsilon", 0.5, "--runtime", "embedded")
    assert (found["counter"], found["epsilon"], found["confidence"]) == ("approxmc", 0.5, 0.8)
    assert found["chosen"] == "an estimate: --epsilon asks for it"


def test_the_remedy_where_nothing_can_count_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "TRIALS", 0.11)
    without(monkeypatch, "ganak", "approxmc")
    line = refused("queens", "-n", 6).err
    found = "enumeration found no count within 0.11 s; ganak cannot run here; approxmc cannot run"
    assert found in line and "--counter enumeration" in line
    assert "pip install 'boardsat[counting]'" in line


def test_no_time_is_spent_beyond_the_limit_of_all() -> None:
    found = counted("latin", "-n", 9, "--timeout", 0.3, "--runtime", "embedded", code=3)
    assert found["count"] is None and found["reason"] == "time limit"
    # On a busy machine the start of the first alone may take all the time that there is.
    ends = r"enumeration found no count .*; (ganak found no count|no time was left for ganak)"
    assert re.search(ends, found["chosen"]), found["chosen"]


def test_the_board_of_a_named_formula_is_counted_where_nothing_else_is_quick(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(clock, "TRIALS", 8.0)
    without(monkeypatch, "enumeration", "ganak")
    board = ("--set", "rows=5", "--set", "cols=6")
    path = instance(tmp_path, "tour/binary", rows=5, cols=6)
    for words in (("tour", "--enc", "binary", *board), (path,)):
        found = counted(*words)
        assert (found["count"], found["models"], found["counter"]) == (8, 16, "frontier")
        assert "on the board of this formula" in found["chosen"]
        assert (found["encoding"], found["projection"]) == ("tour/binary", "valid")


def changed(path: str, old: str, new: str) -> Path:
    text = Path(path).read_text()
    assert old in text
    target = Path(path).with_name("changed.cnf")
    target.write_text(text.replace(old, new, 1))
    return target


def test_a_file_is_what_its_header_says_only_if_it_can_be_built_again(tmp_path: Path) -> None:
    spec, settings = find("tour", "binary"), {"rows": 5, "cols": 6}
    path = instance(tmp_path, "tour/binary", **settings)
    assert is_built_alike(open_problem(path))
    for number, more in enumerate([(True, None, None), (False, "chain", 3), (True, "auto", 7)]):
        other = str(tmp_path / f"{number}.cnf")
        write(transform(build(spec, settings), *more), other)
        assert is_built_alike(open_problem(other))
    lines = Path(path).read_text().splitlines()
    last = changed(path, f"\n{lines[-1]}\n", f"\n{lines[-2]}\n")
    assert not is_built_alike(open_problem(str(last)))
    for old, new in (
        ('"spec": "tour/binary"', '"spec": "tour/unary"'),
        ('"spec": "tour/binary"', '"spec": "tour/nothing"'),
        ('"spec": "tour/binary"', '"spec": "nothing/binary"'),
        ('"start": 0', '"start": 1'),
        ('"closed": true', '"closed": false'),
        ('"n": 8', '"n": [8]'),
        ('"rows": 5, "cols": 6, "moves"', '"rows": 6, "cols": 5, "moves"'),
        ("c decode", 'c transform {"transform": "unheard of"}\nc decode'),
        ("c decode", "c transform {\nc decode"),
    ):
        assert not is_built_alike(open_problem(str(changed(path, old, new)))), new


def test_a_count_out_of_reach_ends_and_names_who_would_get_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workflow, "NOTICEABLE", 0.0)
    without(monkeypatch)
    begun = time.monotonic()
    said = boardsat("count", "tour", "-n", 8, "--timeout", 2)
    assert said.code == 3 and time.monotonic() - begun < 15
    first, *_, compared, last = said.out.splitlines()
    assert first.startswith("no count within 2 s: approxmc ")
    assert compared.startswith("referee: 13,267,364,410,532 (McKay")
    assert last == "to have a count: count exactly, without a limit: --counter frontier"
    frontier, enumeration, estimate = said.err.splitlines()
    assert re.fullmatch(r"boardsat: frontier .* within 0\.\d+ s; trying enumeration", frontier)
    assert enumeration.endswith("; trying ganak") and "approxmc estimates it now" in estimate


def test_the_limit_of_all_is_shared_by_everybody() -> None:
    given = clock.Clock(Limits(wall=20.0))
    shares = []
    for waiting in ([10, 5, 5], [5, 5], [5]):
        limits = given.for_trial(waiting)
        assert limits.cpu == waiting[0] and limits.memory == clock.MEMORY
        shares.append(limits.wall)
        given.spent_on_trials += limits.wall or 0
    assert shares == pytest.approx([5, 2.5, 2.5])  # half of the limit
    usual = clock.Clock(Limits(wall=clock.WHOLE))
    assert usual.for_trial([10, 5, 5]).wall == pytest.approx(clock.TRIALS / 2)
    assert usual.for_projection() == pytest.approx(clock.WHOLE / 4, abs=1)
    assert clock.Clock(Limits(wall=10.0), time.monotonic() - 11).is_over
    assert clock.Clock(Limits()).left() == Limits()


def test_a_referee_gets_what_is_left_and_is_not_asked_about_nothing() -> None:
    words = ("tour", "--enc", "binary", "-n", 8, "--counter", "ganak", "--referee", "enumeration")
    found = counted(*words, "--timeout", 0.5, code=3)
    assert found["referee"] is None and found["limit"] == 0.5


def test_another_encoding_is_advised_where_it_is_made_for_counting() -> None:
    plan = choosing.planned(CountQuestion(Limits()))
    for spec, meant in (("tour/binary", "tour/undirected"), ("tour/undirected", ""), ("x/y", "")):
        header = Header({"spec": spec})
        advice = remedy(plan, header, [], 60)
        assert ("count tour/undirected" in advice) == bool(meant)
        assert advice.endswith("give it more time: --timeout 600")


def test_several_counts_are_one_table() -> None:
    said = boardsat("count", "queens", "-n", "4..5")
    rows = [re.split(r"  +", line) for line in said.out.splitlines()[2:]]
    kind = "placements of the queens, exactly"
    assert [(row[0], row[1], row[2], row[3], row[5]) for row in rows] == [
        (f"queens-{n}", str(number), kind, "enumeration", "agree")
        for n, number in ((4, 2), (5, 10))
    ]
    listed = json.loads(boardsat("count", "queens", "-n", "4,6", "--json").out)
    assert [(each["instance"], each["count"]) for each in listed] == [
        ("queens-4", 2),
        ("queens-6", 4),
    ]


def test_a_count_that_fails_does_not_take_the_others_with_it() -> None:
    words = ("count", "tour", "--set", "rows=3", "--set", "cols=4", "--set", "moves=king")
    said = boardsat(*words, "--enc", "cuts,uve")
    assert said.code == 2 and said.err == ""
    bad, good = said.out.splitlines()[2:]
    assert "lazy: its cuts are found while solving" in bad and "120  closed tours, exactly" in good


def test_all_encodings_are_all_that_can_be_counted() -> None:
    options = Namespace(problem="tour", enc="all", n="5", set=[])
    names = [each.spec.encoding for each in several(options, COUNT)]
    assert names == [name for name in encodings_of("tour") if not is_lazy(f"tour/{name}")]
