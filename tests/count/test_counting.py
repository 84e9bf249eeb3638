"""Counts by every counter, over projections, and compared with references."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from helpers.counts import (
    CLASP,
    counted,
    counted_or_not,
    file,
    models_over,
    need_some,
)
from helpers.formulas import mostly_slow
from helpers.requirements import runtime_marks
from helpers.solver_runs import (
    RUNTIMES,
    SOLVERS,
    boardsat,
    instance,
    leaves_nothing,  # noqa: F401
    require_solver,
)

from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.runtimes import RUNTIME_NAMES, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.generators import build, find
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.workflows.count.counter_run import Count, median
from boardsat.workflows.count.reference import ReferenceCount, verdict

COUNTERS = [solver for solver in SOLVERS if solver.is_counter and solver.input_format == "formula"]
PLACES = [
    pytest.param(solver, where, id=f"{solver.name}-{where}", marks=runtime_marks(where))
    for solver in COUNTERS
    for where in RUNTIME_NAMES
    if where in solver.runtimes
]
EXACT = [solver for solver in COUNTERS if "count" in solver.capabilities]


# Every counter on the same formulas.

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
@pytest.mark.parametrize("offset", mostly_slow(range(6), [0]))
def test_small_formulas_are_counted_by_every_counter(
    solver: Solver, where: str, offset: int, tmp_path: Path
) -> None:
    require_solver(solver, where)
    for text, number in list(CASES.items())[offset::6]:
        path = file(tmp_path, text)
        result = counted(path, "--counter", solver.name, "--runtime", where)
        assert (result["count"], result["models"]) == (number, number), text
        assert result["exact"] == ("count" in solver.capabilities)
        assert (result["projection"], result["verdict"]) == ("unchecked", None)
        assert result["runtime"] == where


@pytest.mark.parametrize("seed", mostly_slow(range(6), [1]))
def test_random_projections_are_counted_by_every_counter(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    variables = chance.randint(3, 9)
    clauses = [
        [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 3)]
        for _ in range(chance.randint(1, 3 * variables))
    ]
    projection = sorted(chance.sample(range(1, variables + 1), chance.randint(0, variables)))
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    literals = " ".join(map(str, [*projection, 0]))
    text = "\n".join([f"c ind {literals}", f"p cnf {variables} {len(clauses)}", *lines, ""])
    path = file(tmp_path, text)
    number = models_over(clauses, variables, projection)
    for solver in COUNTERS:
        where = "embedded" if "embedded" in solver.runtimes else "native"
        if load_runtime(where).unavailable_reason(solver) is None:
            result = counted(path, "--counter", solver.name, "--runtime", where)
            # So few models are counted exactly even where an estimate was asked for.
            assert result["count"] == number, solver.name


# Tours, by every encoding and on the board.

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
"""Instances that every counter counts quickly in every encoding."""


def keeping_counts(problem: str) -> list[str]:
    return [e for e in encodings_of(problem) if find(problem, e).counting.is_count_preserving]


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
    arguments = [token for pair in settings for token in ("--set", pair)]
    frontier = counted("tour", "--enc", encoding, *arguments, "--counter", "frontier")
    assert frontier["exact"] and frontier["projection"] == "valid"
    assert frontier["count"] == number
    for solver in EXACT:
        where = "embedded" if "embedded" in solver.runtimes else "native"
        if load_runtime(where).unavailable_reason(solver) is not None:
            continue
        result = counted_or_not(
            *("tour", "--enc", encoding, *arguments, "--counter", solver.name, "--runtime", where),
            *("--reference", "none", "--cpu", 60),
        )
        if solver.name == "ganak" and encoding not in ELIMINATING and result["count"] is None:
            # It may take long where squares have positions, but nothing else may stop it.
            assert result["reason"] == "CPU limit"
            continue
        assert (result["count"], result["models"]) == (frontier["count"], frontier["models"])


def offers(encoding: str, parameter: str) -> bool:
    return any(p.name == parameter for p in find("tour", encoding).parameters)


@pytest.mark.slow
@pytest.mark.parametrize("board", [("3", "12", 176), ("6", "6", 9862)])
@pytest.mark.parametrize("encoding", keeping_counts("tour"))
@pytest.mark.parametrize("counter", ["frontier", CLASP])
def test_larger_tours_agree_with_published(
    encoding: str, board: tuple[str, str, int], counter: str
) -> None:
    need_some(counter)
    rows, cols, number = board
    arguments = ("tour", "--enc", encoding, "--set", f"rows={rows}", "--set", f"cols={cols}")
    result = counted(*arguments, "--counter", counter, "--timeout", 200)
    assert (result["count"], result["verdict"]) == (number, "agree")


@pytest.mark.slow
@pytest.mark.parametrize("counter", ["ganak", "enumeration"])
@pytest.mark.parametrize("encoding", [e for e in ELIMINATING if e != "relative"])
def test_larger_tours_agree_with_search(encoding: str, counter: str) -> None:
    """Count 6x6 with the encodings on which ganak and enumeration are fast enough."""
    result = counted("tour", "--enc", encoding, "-n", 6, "--counter", counter)
    assert (result["count"], result["verdict"]) == (9862, "agree")


ANYWHERE = {"closed": False, "start": "any"}
OPEN = [{"n": 5}, {"n": 6}, {"n": 7}, *({"rows": 4, "cols": c} for c in (3, 5, 6, 7, 8))]


def published() -> list[Any]:
    """Every published count of a spec that can be computed in little time."""
    sides = [(6, 6), (3, 10), (3, 12), (3, 14), (3, 16), (5, 6), (5, 8), (5, 10)]
    sides += [(6, 7), (6, 8), (6, 9), (6, 10)]
    return [
        ("tour/binary", {"n": 5, "closed": False}, "frontier"),
        *(("tour/binary", {**size, **ANYWHERE}, "frontier") for size in OPEN),
        *(("tour/binary", {"rows": r, "cols": c}, "frontier") for r, c in sides),
        *(("queens/squares", {"n": n}, "enumeration") for n in range(4, 10)),
    ]


@pytest.mark.parametrize(
    ("spec", "settings", "counter"),
    mostly_slow(published(), [published()[index] for index in (0, 1, 9, -5)]),
)
def test_published_counts_agree_with_counters(
    spec: str, settings: dict[str, object], counter: str, tmp_path: Path
) -> None:
    result = counted(instance(tmp_path, spec, **settings), "--counter", counter)
    assert result["verdict"] == "agree"
    assert result["reference"]["name"] == "published" and result["reference"]["source"]


def test_published_counts_are_tested_unless_out_of_reach() -> None:
    tried = {}
    for case in published():
        spec, settings, _ = case
        objects = build(find(*str(spec).split("/")), settings).header.objects
        assert objects is not None
        tried.setdefault(spec, set()).add(objects["published"])
    assert {p.number for p in find("tour", "binary").counting.published} - tried["tour/binary"] == {
        13267364410532
    }
    assert {p.number for p in find("queens").counting.published} - tried["queens/squares"] == {
        724,
        2680,
        14200,
    }


@pytest.mark.parametrize("encoding", mostly_slow(["binary", "unary"], ["binary"]))
def test_fixed_direction_halves_models_not_tours(encoding: str) -> None:
    arguments = (
        "tour",
        "--enc",
        encoding,
        "--set",
        "rows=5",
        "--set",
        "cols=6",
        "--counter",
        "ganak",
    )
    undirected = counted(*arguments)
    directed = counted(*arguments, "--set", "one_direction=true")
    assert (undirected["count"], undirected["models"], undirected["objects"]) == (
        8,
        16,
        "closed tours",
    )
    assert (directed["count"], directed["models"], directed["objects"]) == (8, 8, "closed tours")


def test_the_words_of_an_answer() -> None:
    board = ("--enc", "binary", "--set", "rows=5", "--set", "cols=6")
    output = boardsat("count", "tour", *board, "--counter", "ganak")
    first, second, third = output.out.splitlines()
    assert re.match(r"8 closed tours \(16 models\), exactly: ganak [\d.]+ \(pyganak\), ", first)
    why = "it is exactly the variables that the board is read from"
    assert second == f"projection: valid, {why} (H, 124 of 269 variables)"
    assert third == "published: 8 (OEIS A175881), agrees"


@pytest.mark.parametrize("where", RUNTIMES)
def test_estimate_has_an_interval(where: str) -> None:
    solver = next(solver for solver in SOLVERS if solver.name == "approxmc")
    require_solver(solver, where)
    arguments = ("queens", "-n", 8, "--counter", "approxmc", "--runtime", where, "--seed", 7)
    result = counted(*arguments, "--epsilon", 0.5)
    assert not result["exact"] and result["confidence"] == 0.8
    low, high = result["interval"]
    assert low == -(-result["models"] * 2 // 3) and high == result["models"] * 3 // 2
    assert result["verdict"] == "inside" and low <= 92 <= high
    assert result["runs"][0]["command"].count("--seed=7") or where == "embedded"


def test_repeat_reports_the_median() -> None:
    arguments = ("queens", "-n", 6, "--counter", "approxmc", "--repeat", 3, "--seed", 5)
    result = counted(*arguments)
    assert len(result["runs"]) == 3
    assert result["count"] == sorted(run["count"] for run in result["runs"])[1]
    output = boardsat("count", *arguments)
    assert "median of 3 seeds: 4, 4, 4" in output.out and output.out.endswith("3 of 3 inside\n")


# Verdicts.


def made_up(objects: int | None, interval: tuple[int, int] | None = None) -> Count:
    usage = Usage(0.0)
    answer = Answer(
        Status.UNKNOWN, "", SolverRun("x", "1", "native", TerminationReason.FINISHED, 0, usage)
    )
    return Count(objects, objects, interval is None, interval, answer)


@pytest.mark.parametrize(
    ("result", "reference", "expected"),
    [
        (made_up(8), ReferenceCount("a", "", 8), "agree"),
        (made_up(8), ReferenceCount("a", "", 9), "disagree"),
        (made_up(8, (5, 14)), ReferenceCount("a", "", 5), "inside"),
        (made_up(8, (5, 14)), ReferenceCount("a", "", 14), "inside"),
        (made_up(8, (5, 14)), ReferenceCount("a", "", 15), "outside"),
        (made_up(8, (5, 14)), ReferenceCount("a", "", 4), "outside"),
        (made_up(8), ReferenceCount("a", "", 20, False, (8, 30)), "inside"),
        (made_up(8), ReferenceCount("a", "", 20, False, (9, 30)), "outside"),
        (made_up(8, (5, 14)), ReferenceCount("a", "", 20, False, (14, 30)), "inside"),
        (made_up(None), ReferenceCount("a", "", 8), None),
        (made_up(8), ReferenceCount("a", "", None), None),
        (made_up(0, (0, 0)), ReferenceCount("a", "", 0), "inside"),
    ],
)
def test_verdict_of_two_counts(
    result: Count, reference: ReferenceCount, expected: str | None
) -> None:
    assert verdict(result, reference) == expected


def test_median_omits_unfinished_runs() -> None:
    assert median([made_up(9), made_up(None)]).objects == 9
    assert median([made_up(9), made_up(3), made_up(5), made_up(7)]).objects == 5
    assert median([made_up(None)]).objects is None


def test_disagreeing_reference_gives_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("title: t\nextends: queens/squares\npublished:\n  - count: 5\n    cite: me\n")
    arguments = (path, "-n", 6, "--counter", "ganak")
    result = counted(*arguments, code=1)
    assert (result["count"], result["verdict"]) == (4, "disagree")
    assert counted(*arguments, "--reference", "none")["verdict"] is None
    result = counted(*arguments, "--reference", "enumeration")
    assert result["verdict"] == "agree" and result["reference"]["name"] == "enumeration"


def test_count_not_a_multiple_of_models_is_rejected(tmp_path: Path) -> None:
    path = Path(instance(tmp_path, "queens/squares", n=5))
    path.write_text(
        path.read_text().replace('"models_per_solution": 1', '"models_per_solution": 4')
    )
    output = boardsat("count", path, "--counter", "ganak")
    assert output.code == 1
    assert (
        "WRONG COUNT from ganak: 10 models, not a multiple of 4 (models of each"
        in output.one_line()
    )
