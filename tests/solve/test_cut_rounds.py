"""Rounds of cuts: fallback encodings, limits, and shuffled files."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.formulas import GRAPHS, catalogue, is_lazy
from helpers.lazy_tours import EMBEDDED_CUTS, board_options, graph_file, solve_json
from helpers.solutions import is_closed_tour
from helpers.solver_runs import (
    LOCAL_RUNTIMES,
    boardsat,
    instance,
    require_solver,
)
from helpers.tour_search import flower_snark

from boardsat.adapters import solvers
from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.lazy_cuts.lazy_constraints import variable_order
from boardsat.adapters.runtimes import MIN_TIME_LIMIT, Limits
from boardsat.generators import build, find, transform, write
from boardsat.generators.sections.parameters import settings_for
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve import lazy_formulas

LAZY = [name for name in catalogue() if is_lazy(name)]


# Shuffled files.


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
@pytest.mark.parametrize("change", [[], ["--three-cnf"], ["--propagate"]], ids=str)
def test_shuffled_lazy_files_are_solved(change: list[str], where: str, tmp_path: Path) -> None:
    require_solver(solvers.load("cadical"), where)
    file = tmp_path / "x.cnf"
    boardsat("cnf", "tour", "--enc", "cuts", "-n", 8, "--shuffle", 5, *change, "-o", file)
    code, result = solve_json(file, "--runtime", where)
    assert code == 10 and is_closed_tour(result["board"])


def test_variable_order_of_the_board_is_restored(tmp_path: Path) -> None:
    plain = open_formula(instance(tmp_path, "tour/cuts", n=6))
    assert variable_order(plain.header, plain.variables) is None
    path = str(tmp_path / "shuffled.cnf")
    write(transform(build(find("tour/cuts"), {"n": 6}), shuffle=3), path)
    problem = open_formula(path)
    order = variable_order(problem.header, problem.variables)
    assert order is not None and sorted(order) == list(range(1, problem.variables + 1))
    assert (order == problem.header.variables["E"].ids).all()


@pytest.mark.parametrize("solver", ["cadical", "glucose"], ids=["incremental", "by rounds"])
def test_answer_reports_joined_subtours(solver: str) -> None:
    """A tour that the solver alone did not find is not shown as its answer alone."""
    arguments = ("tour", "--enc", "cuts", "-n", 12, "--runtime", "embedded", "--solver", solver)
    code, result = solve_json(*arguments)
    assert (code, result["rounds"], result["cuts"], result["joined"]) == (10, 1, 0, True)
    line = "solved in 1 round, no cuts needed; subtours joined by exchanging edges"
    assert f"\n{line}\n" in boardsat("solve", *arguments).out


# Fallback after the last round.


@pytest.mark.parametrize("petals", [5, *(pytest.param(k, marks=pytest.mark.slow) for k in (7, 9))])
def test_flower_snarks_fall_back_to_another_encoding(petals: int, tmp_path: Path) -> None:
    path = graph_file(tmp_path, flower_snark(petals))
    arguments = ("--set", f"graph={path}", "--set", "rounds=2")
    code, result = solve_json("hamilton", *EMBEDDED_CUTS, *arguments)
    assert (code, result["rounds"], result["fallback_encoding"]) == (20, 2, "hamilton/uve")
    output = boardsat("solve", "hamilton", *EMBEDDED_CUTS, *arguments)
    assert "\nafter 2 rounds of cuts, solved instead: hamilton/uve\n" in output.out


def test_constructed_graph_falls_back_to_another_encoding() -> None:
    for start in ("0", "3"):
        arguments = ("--set", "graph=flower 5", "--set", "rounds=2", "--set", f"start={start}")
        code, result = solve_json("hamilton", *EMBEDDED_CUTS, *arguments)
        assert (code, result["fallback_encoding"]) == (20, "hamilton/uve")


@pytest.mark.slow
@pytest.mark.parametrize("petals", [5, 7, 9, 11])
def test_flower_snarks_fall_back_with_default_rounds(petals: int, tmp_path: Path) -> None:
    path = graph_file(tmp_path, flower_snark(petals))
    code, _ = solve_json("hamilton", *EMBEDDED_CUTS, "--set", f"graph={path}")
    assert code == 20


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
@pytest.mark.parametrize(("side", "closed"), [(6, True), (5, False)])
def test_tour_of_fallback_encoding_is_a_model(
    side: int, closed: bool, where: str, tmp_path: Path
) -> None:
    require_solver(solvers.load("cadical"), where)
    settings = {"n": side, "closed": closed, "rounds": 1}
    file = instance(tmp_path, "tour/cuts", **settings)
    target = tmp_path / "saved.cnf"
    outcome = []
    # Whichever needs more than a round.
    for seed in range(20):
        code, result = solve_json(file, "--runtime", where, "--seed", seed, "-o", target)
        assert code == 10 and result["checked"] == ["model", "board"]
        outcome.append(result["fallback_encoding"])
        if result["fallback_encoding"]:
            break
    assert outcome[-1] == "tour/uve"
    saved = open_formula(str(target))
    assert saved.header.metadata["spec"] == "tour/cuts"
    assert saved.clauses == open_formula(file).clauses + result["cuts"]


def test_petersen_graph_has_paths_but_no_cycle() -> None:
    petersen = f"graph={GRAPHS / 'petersen.col'}"
    code, result = solve_json("hamilton", *EMBEDDED_CUTS, "--set", petersen)
    assert code == 20
    code, result = solve_json(
        "hamilton", *EMBEDDED_CUTS, "--set", petersen, "--set", "closed=false"
    )
    assert code == 10 and result["checked"] == ["model", "board"]
    code, result = solve_json("hamilton", *EMBEDDED_CUTS, "--set", petersen, "--set", "rounds=1")
    assert (code, result["fallback_encoding"]) == (20, "hamilton/uve")


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_file_with_added_clause_has_no_fallback(where: str, tmp_path: Path) -> None:
    """Another encoding does not have them, so it is not taken."""
    require_solver(solvers.load("cadical"), where)
    file = Path(instance(tmp_path, "tour/cuts", rows=3, cols=8, rounds=1))
    lines = file.read_text().splitlines()
    (head,) = [k for k, line in enumerate(lines) if line.startswith("p cnf ")]
    variables, clauses = map(int, lines[head].split()[2:])
    lines[head] = f"p cnf {variables} {clauses + 1}"
    file.write_text("\n".join([*lines, f"1 {variables} 0", ""]))
    code, result = solve_json(file, "--runtime", where)
    assert (code, result["fallback_encoding"]) == (0, "")
    assert result["reason"] == (
        "not decided within the rounds of cuts (1); uve is not solved instead: the file cannot be "
        "built again from its header"
    )


def test_custom_spec_has_no_fallback_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("title: mine\nextends: tour/cuts\n")
    code, result = solve_json(
        path, *board_options(3, 8), "--set", "rounds=1", "--runtime", "embedded"
    )
    assert (code, result["status"], result["fallback_encoding"]) == (0, "UNKNOWN", "")


@pytest.mark.parametrize("name", LAZY)
def test_fallback_encodings_exist_and_are_not_lazy(name: str) -> None:
    problem = name.partition("/")[0]
    for constraint in find(name).constraints:
        for otherwise in constraint.texts.get("fallback", ()):
            assert otherwise.text in encodings_of(problem)
            assert not is_lazy(f"{problem}/{otherwise.text}")


@pytest.mark.parametrize(
    "settings",
    [
        {"n": "7"},
        {"rows": "5", "n": "6", "closed": "false", "start": "3"},
        {"shape": "hexagon", "n": "3"},
        {"shape": "box", "layers": "2", "rows": "3", "cols": "4", "moves": "knight+wazir"},
        {"n": "5", "holes": "0,24", "start": "1"},
    ],
    ids=str,
)
def test_settings_are_read_from_header(settings: dict[str, str]) -> None:
    """Parameters in the header of a file give the same board in another encoding."""
    report = build(find("tour/cuts"), settings).header
    uve = find("tour/uve")
    chosen = {"card": "binomial"}  # the encoding of bounds that the size of these chose
    assert settings_for(uve, report.parameters) == settings | chosen
    rebuilt = build(uve, settings_for(uve, report.parameters)).header
    assert rebuilt.board == report.board


def test_settings_accept_numbers() -> None:
    givens = "1.3...2........4"
    report = build(find("latin/direct"), {"n": "4", "givens": givens}).header.parameters
    chosen = settings_for(find("latin/minimal"), report)
    assert build(find("latin/minimal"), chosen).header.parameters["givens"] == report["givens"]
    assert chosen["n"] == "4"


# Limits.


def test_usage_of_rounds_is_added_up_against_limits() -> None:
    used = [Usage(1.0, 0.5, 100), Usage(2.0, 1.0, 50)]
    assert lazy_formulas.total_usage(used) == Usage(3.0, 1.5, 100)
    assert lazy_formulas.total_usage([*used, Usage(1.0)]) == Usage(4.0, None, None)
    assert lazy_formulas.remaining_limits(Limits(10, 4, 9), used) == Limits(7.0, 2.5, 9)
    assert lazy_formulas.remaining_limits(Limits(2, 1), used) == Limits(
        MIN_TIME_LIMIT, MIN_TIME_LIMIT
    )
    assert lazy_formulas.remaining_limits(Limits(), used) == Limits()
    assert lazy_formulas.reached_limit(Limits(wall=3), used) is TerminationReason.TIME
    assert lazy_formulas.reached_limit(Limits(wall=4, cpu=1.5), used) is TerminationReason.CPU
    assert (
        lazy_formulas.reached_limit(Limits(wall=4, cpu=2), used)
        is None
        is lazy_formulas.reached_limit(Limits(), used)
    )


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_time_limit_ends_the_rounds(where: str) -> None:
    require_solver(solvers.load("cadical"), where)
    arguments = ("tour", "--enc", "cuts", "-n", 100, "--runtime", where, "--timeout", 0.05)
    code, result = solve_json(*arguments)
    assert (code, result["status"], result["end"]) == (0, "UNKNOWN", "time limit")
    assert result["fallback_encoding"] == ""


@pytest.mark.outside
def test_rounds_run_embedded_unless_runtime_is_requested():
    require_solver(solvers.load("cadical"), "docker")
    _, result = solve_json("tour", "-n", 6, "--enc", "cuts")
    assert result["runtime"] == "embedded"
    _, result = solve_json("tour", "-n", 6, "--enc", "cuts", "--runtime", "docker")
    assert result["runtime"] == "docker"
