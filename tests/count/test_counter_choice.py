"""Selection of counters, time limits and suggestions of `boardsat count`."""

from __future__ import annotations

import itertools
import json
import re
import time
from argparse import Namespace
from pathlib import Path

import pytest
from helpers.counts import (
    CLASP,
    counted,
    file,
    need_some,
)
from helpers.formulas import is_lazy
from helpers.solver_runs import (
    CommandOutput,
    boardsat,
    instance,
    leaves_nothing,  # noqa: F401
)

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import SolverError
from boardsat.commands._instance_options import COUNT, select_instances
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.count import counter_run as counting
from boardsat.workflows.count import portfolio
from boardsat.workflows.count.portfolio import projection_limits, trial_limits
from boardsat.workflows.count.workflow import count_suggestion

# Invalid input, and runs without a count.

OVER = ("time limit", "the limit of 0.3 s was reached while the formula was made")
"""On a busy machine making the formula may take all the time that there is."""


def test_projection_beyond_the_variables_is_one_line(tmp_path: Path) -> None:
    path = file(tmp_path, "c ind 1 9 0\np cnf 3 1\n1 2 3 0\n")
    for command in ("count", "projection"):
        output = boardsat(command, path)
        assert output.code == 2
        assert "the variables of the projection must be at most 3 (got 9)" in output.one_line()


@pytest.mark.parametrize("counter", ["approxmc", "ganak", "enumeration", CLASP])
def test_counter_with_time_limit_gives_no_count(counter: str) -> None:
    need_some(counter)
    arguments = ("count", "tour", "--enc", "binary", "-n", 8, "--counter", counter)
    output = boardsat(*arguments, "--timeout", 0.3)
    assert output.code == 3
    assert output.out.startswith("no count within 0.3 s: ")
    assert output.out.splitlines()[-1] == (
        "to obtain a count: raise the time limit: --timeout 3, or omit --counter"
    )
    result = counted(*arguments[1:], "--timeout", 0.3, code=3)
    assert result["count"] is None and result["interval"] is None and result["verdict"] is None
    assert result["reason"] in OVER


def test_graph_too_wide_for_frontier_gives_no_count(tmp_path: Path) -> None:
    graph = tmp_path / "complete.txt"
    graph.write_text("".join(f"{u} {v}\n" for u, v in itertools.combinations(range(40), 2)))
    arguments = ("hamilton", "--enc", "binary", "--set", f"graph={graph}", "--counter", "frontier")
    output = boardsat("count", *arguments)
    assert output.out.startswith("no count (crash, exit code 1: the frontier must have fewer than ")


def refused(*arguments: object) -> CommandOutput:
    output = boardsat("count", *arguments)
    assert output.code == 2
    output.one_line()
    return output


def test_invalid_options_are_one_line() -> None:
    queens = ("queens", "-n", 5)
    assert "cadical does not count models" in refused(*queens, "--counter", "cadical").err
    assert "no solver 'gnk'" in refused(*queens, "--counter", "gnk").err
    assert (
        "--epsilon must be a number from 0.01 to 100 (got '-1')"
        in refused(*queens, "--epsilon", -1).err
    )
    assert (
        "--delta must be a number from 0.0001 to 0.9999 (got '1')"
        in refused(*queens, "--delta", 1).err
    )
    assert (
        "--repeat must be a number from 1 to 1000 (got '0')" in refused(*queens, "--repeat", 0).err
    )
    latin = ("latin", "--enc", "direct", "-n", 3, "--counter", "ganak")
    assert "no published count is known" in refused(*latin, "--reference", "published").err
    assert (
        "frontier solves only hamilton and tour, not queens"
        in refused(*queens, "--counter", "frontier").err
    )


def test_unsupported_counter_options_are_rejected(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=5)
    result = counting.count(open_formula(path), "ganak")
    assert (result.objects, result.models, result.exact, result.interval) == (10, 10, True, None)


# Automatic selection.


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Make some solvers unavailable."""

    def select_runtime(solver: Solver, name: str) -> str:
        if solver.name in names:
            raise SolverError(f"{solver.name} cannot run here")
        return "embedded"

    monkeypatch.setattr(portfolio, "select_runtime", select_runtime)


def test_few_boards_are_counted_by_enumeration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "ganak", "approxmc")
    output = boardsat("count", "queens", "-n", 8)
    first, second, third, fourth = output.out.splitlines()
    assert first.startswith("92 placements of the queens, exactly: enumeration ")
    assert second == "counter: enumeration (exact, and quick here)"
    assert third.startswith("projection: valid") and fourth.endswith("(OEIS A000170), agrees")
    assert output.code == 0 and output.err == ""


@pytest.mark.parametrize("counter", [(), ("--counter", "frontier")])
def test_tours_are_counted_on_the_board(counter: tuple[str, ...]) -> None:
    result = counted("tour", "-n", 6, *counter)
    assert (result["count"], result["verdict"], result["counter"]) == (9862, "agree", "frontier")
    assert (result["models"], result["projection"]) == (None, "not needed")
    assert result["instance"] == "tour-6x6-closed"
    assert result["counter_reason"] == ("" if counter else "exact, and quick here")


def test_named_encoding_is_counted_by_its_formula() -> None:
    arguments = ("tour", "--set", "rows=3", "--set", "cols=4", "--set", "moves=king")
    for options in (["--enc", "uve"], ["--three-cnf"]):
        result = counted(*arguments, *options)
        assert (result["count"], result["models"], result["counter"]) == (120, 120, "enumeration")
        assert result["projection"] == "valid"


def test_file_is_counted_by_its_clauses(tmp_path: Path) -> None:
    path = Path(instance(tmp_path, "tour/uve", rows=3, cols=4, moves="king"))
    head, variables, clauses, body = re.split(r"p cnf (\d+) (\d+)\n", path.read_text())
    path.write_text(f"{head}p cnf {variables} {int(clauses) + 1}\n1 0\n{body}")
    result = counted(path)
    assert 0 < result["count"] < 120 and result["counter"] == "enumeration"


def test_estimate_if_no_exact_counter_finishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "MAX_TRIALS_SECONDS", 0.0)
    without(monkeypatch)
    output = boardsat("count", "queens", "-n", 6, "--seed", 1)
    first, _, chosen, *_ = output.out.splitlines()
    assert first.startswith("4 placements of the queens, about: approxmc ")
    why = r"enumeration found no count within 0\.0\d+ s; (ganak found no count within 0\.0\d+ s)"
    report = re.fullmatch(rf"counter: approxmc \(an estimate: {why}\)", chosen)
    assert report, chosen
    limit_text = r"within the remaining \d+ s of 120 s; --timeout sets another limit"
    line = rf"boardsat: {re.escape(report[1])}; approxmc estimates the count now, {limit_text}\n"
    assert re.fullmatch(line, output.err), output.err


def test_estimate_options_select_an_estimator() -> None:
    result = counted("queens", "-n", 5, "--epsilon", 0.5, "--runtime", "embedded")
    assert (result["counter"], result["epsilon"], result["confidence"]) == ("approxmc", 0.5, 0.8)
    assert result["counter_reason"] == "an estimate: --epsilon requests it"


def test_remedy_if_no_counter_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "MAX_TRIALS_SECONDS", 0.02)
    without(monkeypatch, "ganak", "approxmc")
    line = refused("queens", "-n", 12).err
    result = "enumeration found no count within 0.02 s; ganak cannot run here; approxmc cannot run"
    assert result in line and "--counter enumeration" in line
    assert "pip install 'boardsat[counting]'" in line


def test_timeout_limits_the_whole_count() -> None:
    result = counted("latin", "-n", 9, "--timeout", 0.3, "--runtime", "embedded", code=3)
    assert result["count"] is None and result["reason"] in OVER
    if result["reason"] != OVER[0]:
        return
    # On a busy machine the start of the first alone may take all the time that there is.
    ends = r"enumeration found no count .*; (ganak found no count|no time was left for ganak)"
    assert re.search(ends, result["counter_reason"]), result["counter_reason"]


def test_board_of_verified_formula_is_counted_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(portfolio, "MAX_TRIALS_SECONDS", 8.0)
    without(monkeypatch, "enumeration", "ganak")
    board = ("--set", "rows=5", "--set", "cols=6")
    path = instance(tmp_path, "tour/binary", rows=5, cols=6)
    for arguments in (("tour", "--enc", "binary", *board), (path,)):
        result = counted(*arguments)
        assert (result["count"], result["models"], result["counter"]) == (8, 16, "frontier")
        assert "on the board of this formula" in result["counter_reason"]
        assert (result["encoding"], result["projection"]) == ("tour/binary", "valid")


def test_count_at_limit_suggests_board_counter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(portfolio, "MIN_REPORTED_SECONDS", 0.0)
    without(monkeypatch)
    begun = time.monotonic()
    output = boardsat("count", "tour", "-n", 8, "--timeout", 2)
    assert output.code == 3 and time.monotonic() - begun < 15
    first, *_, compared, last = output.out.splitlines()
    assert first.startswith("no count within 2 s: approxmc ")
    assert compared.startswith("published: 13,267,364,410,532 (McKay")
    assert last == "to obtain a count: count exactly, without a limit: --counter frontier"
    frontier, *attempts, estimate = output.err.splitlines()
    assert re.fullmatch(r"boardsat: frontier .* within 0\.\d+ s; trying enumeration", frontier)
    assert all(attempt.endswith("; trying ganak") for attempt in attempts)
    assert "approxmc estimates the count now" in estimate


def test_trials_share_the_time_limit() -> None:
    used, shares = 0.0, []
    for waiting in ([10, 5, 5], [5, 5], [5]):
        limits = trial_limits(Limits(wall=20.0), 20.0 - used, used, waiting)
        assert limits.cpu == waiting[0] and limits.memory == portfolio.MAX_TRIAL_BYTES
        shares.append(limits.wall)
        used += limits.wall or 0
    assert shares == pytest.approx([5, 2.5, 2.5])  # half of the limit
    usual = Limits(wall=portfolio.DEFAULT_TIMEOUT)
    limit = trial_limits(usual, usual.wall, 0, [10, 5, 5]).wall
    assert limit == pytest.approx(portfolio.MAX_TRIALS_SECONDS / 2)
    assert trial_limits(usual, 0.5, 0, [10]).wall == 0.5
    assert projection_limits(usual.wall).wall == portfolio.DEFAULT_TIMEOUT / 4
    assert projection_limits(None).wall == portfolio.MAX_PROJECTION_SECONDS
    assert trial_limits(Limits(cpu=3.0, memory=9), None, 0, [10]).memory == 9


def test_reference_counter_gets_remaining_time() -> None:
    arguments = (
        "tour",
        "--enc",
        "binary",
        "-n",
        8,
        "--counter",
        "ganak",
        "--reference",
        "enumeration",
    )
    result = counted(*arguments, "--timeout", 0.5, code=3)
    assert result["reference"] is None and result["limit"] == 0.5


def test_suggestion_names_the_encoding_for_counting() -> None:
    for spec, suggested in (
        ("tour/binary", "tour/undirected"),
        ("tour/undirected", ""),
        ("x/y", ""),
    ):
        header = Header({"spec": spec})
        advice = count_suggestion(None, header, [], Limits(wall=60), TerminationReason.TIME)
        assert ("count tour/undirected" in advice) == bool(suggested)
        assert advice.endswith("raise the time limit: --timeout 600")
        assert "--timeout" not in count_suggestion(
            None, header, [], Limits(wall=60), TerminationReason.MEMORY
        )
        assert count_suggestion(None, header, [], Limits(wall=60), TerminationReason.CRASH) == ""


def test_several_counts_are_printed_as_table() -> None:
    output = boardsat("count", "queens", "-n", "4..5")
    rows = [re.split(r"  +", line) for line in output.out.splitlines()[2:]]
    kind = "placements of the queens, exactly"
    assert [(row[0], row[1], row[2], row[3], row[5]) for row in rows] == [
        (f"queens-{n}", str(number), kind, "enumeration", "agree")
        for n, number in ((4, 2), (5, 10))
    ]
    listed = json.loads(boardsat("count", "queens", "-n", "4,6", "--json").out)
    assert [(entry["instance"], entry["count"]) for entry in listed] == [
        ("queens-4", 2),
        ("queens-6", 4),
    ]


def test_failed_count_leaves_the_other_rows() -> None:
    arguments = ("count", "tour", "--set", "rows=3", "--set", "cols=4", "--set", "moves=king")
    output = boardsat(*arguments, "--enc", "cuts,uve")
    assert output.code == 2 and output.err == ""
    bad, good = output.out.splitlines()[2:]
    assert "a lazy formula cannot be counted" in bad and "120  closed tours, exactly" in good


def test_encoding_all_selects_countable_encodings() -> None:
    options = Namespace(problem="tour", encoding="all", n="5", set=[])
    names = [instance.spec.encoding for instance in select_instances(options, COUNT)]
    assert names == [name for name in encodings_of("tour") if not is_lazy(f"tour/{name}")]


CUSTOM_SPEC = """title: a word in every row
board: {shape: grid, rows: 3, cols: 4}
variables:
  B: {for: i in cells}
constraints:
  - for: r in range(3)
    clause: B[i] for i in ranks[r]
"""


@pytest.mark.parametrize("how", ["auto", "chain", "equivalences"])
def test_variables_added_by_transforms_are_not_counted(how: str, tmp_path: Path) -> None:
    """Each of three rows has 2**4 - 1 ways to hold something."""
    spec = file(tmp_path, CUSTOM_SPEC, "own.yaml")
    result = counted(spec, "--three-cnf", how, "--counter", "enumeration")
    assert result["count"] == 15**3
    assert boardsat("projection", spec, "--three-cnf", how).out.startswith("valid: ")


def test_unchecked_projection_names_its_author(tmp_path: Path) -> None:
    spec = file(tmp_path, CUSTOM_SPEC, "own.yaml")
    for how, arguments in (
        ("chain", "set by the spec, unchecked (B, 12 of 15 variables)"),
        ("auto", "all variables (default) (B, auxiliary variables, 15 of 15 variables)"),
    ):
        report = boardsat("count", spec, "--three-cnf", how).out
        assert f"projection: {arguments}\n" in report
    foreign = file(tmp_path, "p cnf 2 1\nc ind 1 0\n1 2 0\n")
    assert (
        "projection: set by the file, unchecked (1 of 2 variables)"
        in boardsat("count", foreign).out
    )
