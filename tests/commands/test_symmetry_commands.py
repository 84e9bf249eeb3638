"""`--break-symmetry` on the command line, in files, campaigns and programs: output and errors."""

from __future__ import annotations

import json

import pytest
from helpers.bad_commands import refused
from helpers.counts import counted
from helpers.solver_runs import boardsat

import boardsat as entrance
from boardsat.adapters.answer import Answer, TerminationReason, Usage
from boardsat.adapters.command_clock import CommandLimitError
from boardsat.adapters.dimacs.header import read_header
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.base.limits import NO_PART, Excess, Resource
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.instance.inputs import FormulaInput
from boardsat.workflows.count.burnside import burnside_total
from boardsat.workflows.count.counter_run import Count

QUICKLY = ("--counter", "enumeration")


@pytest.mark.parametrize(
    ("arguments", "classes", "all_", "fixed"),
    [
        (("queens", "-n", 8), 12, 92, {"180-degree rotation": 4}),
        (
            ("tour/undirected", "-n", 6),
            1245,
            9862,
            {"180-degree rotation": 78, "90-degree rotation": 10},
        ),
        (("tour/hve", "--set", "rows=5", "--set", "cols=6"), 3, 8, {"reflection": 8}),
        (("magic", "-n", 3), 1, 8, {}),
        (("costas", "-n", 6), 17, 116, {"diagonal reflection": 10}),
    ],
    ids=str,
)
def test_classes_and_all_are_the_published_numbers(arguments, classes, all_, fixed):
    """Known elsewhere: OEIS A002562 and A001441; tours that turns leave unchanged, by search."""
    counted_orbits = counted(*arguments, "--break-symmetry", *QUICKLY)
    assert (counted_orbits["count"], counted_orbits["total"]["count"]) == (classes, all_)
    some = {
        entry["name"]: entry["number"]
        for entry in counted_orbits["total"]["fixed"]
        if entry["number"]
    }
    assert some == fixed
    assert (
        counted_orbits["verdict"] == "agree" and counted_orbits["reference"]["name"] == "published"
    )
    assert counted_orbits["exact"] and "symmetries of" in counted_orbits["symmetry"]


@pytest.mark.slow
def test_pentominoes_fill_three_rows_as_is_known():
    sides = ("--set", "rows=3", "--set", "cols=20")
    counted_orbits = counted("polyominoes", *sides, "--break-symmetry", *QUICKLY)
    assert (counted_orbits["count"], counted_orbits["total"]["count"]) == (2, 8)


def test_a_board_reader_is_a_referee_of_all():
    sides = ("--set", "rows=5", "--set", "cols=6")
    counted_orbits = counted(
        "tour", *sides, "--break-symmetry", *QUICKLY, "--reference", "frontier"
    )
    assert counted_orbits["reference"]["count"] == counted_orbits["total"]["count"] == 8
    by_enumeration = counted(
        "tour", *sides, "--break-symmetry", *QUICKLY, "--reference", "enumeration"
    )
    assert by_enumeration["reference"]["count"] == by_enumeration["count"] == 3
    assert by_enumeration["verdict"] == "agree"


def test_text_shows_orbits_total_and_symmetry():
    outcome = boardsat("count", "queens", "-n", 6, "--break-symmetry", *QUICKLY).out.splitlines()
    assert outcome[0].startswith(
        "1 orbit of placements of the queens under 8 symmetries of the board"
    )
    assert outcome[1] == (
        "4 in all, by Burnside's lemma; unchanged by 2 reflections: 0, "
        "by a 180-degree rotation: 4, by 2 diagonal reflections: 0, by 2 90-degree rotations: 0"
    )
    assert outcome[2].startswith("symmetry: 8 symmetries of the board broken (2 reflections, 180-")
    assert outcome[2].endswith("proved by the constraints: one solution of each orbit is kept")


def test_symmetries_with_equal_names_are_reported_together():
    """But not where they leave other numbers unchanged; programs have each kind."""
    sides = ("--set", "rows=3", "--set", "cols=4", "--break-symmetry")
    open_tours = ("tour", *sides, "--set", "closed=false", "--set", "start=any", *QUICKLY)
    outcome = boardsat("count", *open_tours).out.splitlines()
    assert outcome[1].endswith("; unchanged by 2 reflections: 0, by a 180-degree rotation: 0")
    names = [entry["name"] for entry in counted(*open_tours)["total"]["fixed"]]
    assert names == ["reflection", "reflection", "180-degree rotation"]
    outcome = boardsat("count", "dominoes", *sides, *QUICKLY).out.splitlines()
    assert outcome[1].endswith(
        "by a reflection: 5, by a reflection: 1, by a 180-degree rotation: 3"
    )


def test_table_shows_the_total_count():
    outcome = boardsat("count", "queens", "-n", "4..5", "--break-symmetry", *QUICKLY)
    assert "under 8 symmetries of the board, exactly; 10 in all" in outcome.out


def test_an_estimate_claims_nothing_of_all():
    from helpers.counts import need_some

    need_some("approxmc")
    counted_orbits = counted("queens", "-n", 6, "--break-symmetry", "--counter", "approxmc")
    assert counted_orbits["total"] == {
        "count": None,
        "reason": "it requires an exact count",
        "fixed": [],
    }
    assert counted_orbits["verdict"] is None


def test_solve_prints_the_broken_symmetry_and_the_unsat_message():
    outcome = boardsat("solve", "queens", "-n", 6, "--break-symmetry", "--models", 5)
    assert outcome.out.count("SATISFIABLE: ") - outcome.out.count("UNSATISFIABLE: ") == 1
    assert "symmetry: 8 symmetries" in outcome.out and "there are no more" in outcome.out
    none = boardsat("solve", "queens", "-n", 3, "--break-symmetry", "--json")
    json_output = json.loads(none.out)
    assert none.code == 20 and json_output["words"] == "3 queens do not fit on 3x3"
    assert json_output["symmetry"].startswith("8 symmetries of the board broken")
    lazy = boardsat("solve", "tour", "-n", 6, "--break-symmetry")
    assert lazy.code == 10 and "checked: model, board" in lazy.out


def test_a_fallback_breaks_the_same_symmetries():
    """After one round of cuts another encoding is solved, and its tour is a model of the first."""
    rounds = ("--set", "rounds=1", "--seed", 1)
    for n in (6, 8):
        outcome = boardsat("solve", "tour", "--enc", "cuts", "-n", n, "--break-symmetry", *rounds)
        assert outcome.code == 10, outcome.err
        assert "checked: model, board" in outcome.out


def test_file_records_its_symmetry_breaking_and_is_rebuilt(tmp_path):
    path = tmp_path / "queens.cnf"
    outcome = boardsat("cnf", "queens", "-n", 6, "--break-symmetry", "--shuffle", 3, "-o", path)
    assert "symmetry: 8 symmetries of the board broken" in outcome.out
    problem = open_formula(str(path))
    assert problem.header.symmetry.startswith("8 symmetries of the board broken")
    assert rebuilds_identically(problem)
    counted_orbits = counted(path, *QUICKLY)
    assert (
        counted_orbits["count"] == 1
        and counted_orbits["total"] is None
        and counted_orbits["reference"] is None
    )
    assert counted_orbits["objects"].startswith("orbits of placements")
    plain = tmp_path / "plain.cnf"
    boardsat("cnf", "queens", "-n", 6, "-o", plain)
    lines = path.read_text().splitlines()
    (transform_line,) = [
        line for line in lines if line.startswith('c transform {"transform": "symmetry"')
    ]
    text = plain.read_text()
    forged = tmp_path / "forged.cnf"
    forged.write_text(text.replace("c ind", f"{transform_line}\nc ind", 1))
    assert not rebuilds_identically(open_formula(str(forged)))


def test_break_symmetry_for_board_readers_is_rejected(tmp_path):
    path = tmp_path / "tour.cnf"
    boardsat("cnf", "tour", "--enc", "uve", "-n", 6, "--break-symmetry", "-o", path)
    fault = (
        "reads the board, without the symmetry breaking of this formula; "
        "`boardsat solvers` lists others"
    )
    assert fault in refused("count", path, "--counter", "frontier")
    assert fault in refused("solve", path, "--solver", "warnsdorff")
    assert "--break-symmetry: frontier does not read a formula" in refused(
        "count", "tour", "--break-symmetry", "--counter", "frontier"
    )


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("queens", "-n", 1), "no symmetry of the board preserves its moves, holes and pieces"),
        (("queens", "-n", 6, "--fix", "a1"), ""),
        (("queens", "-n", 6, "--fix", "a2"), "no symmetry of the board preserves the constraints"),
        (("hamilton", "--set", "graph=complete 5"), "symmetries of a graph are not supported"),
        (("tour/direct", "-n", 6), "each solution must have one model (in tour/direct it has 2)"),
        (
            ("tour/unary", "-n", 6, "--set", "one_direction=true"),
            "no symmetry of the board preserves the solutions of tour/unary",
        ),
        (
            ("tour/undirected", "-n", 6, "--fix", "a6-c5"),
            "no symmetry of the board preserves the solutions of tour/undirected",
        ),
        (("skyscrapers", "-n", 3, "--set", "top=123"), "has variables that no view shows"),
        (("ramsey",), "symmetry breaking needs a board, and ramsey"),
        (("tour/cuts", "--set", "shape=torus", "-n", 60), "too many symmetries"),
    ],
    ids=str,
)
def test_break_symmetry_without_symmetry_is_one_line(arguments, fault, tmp_path):
    path = tmp_path / "x.cnf"
    if not fault:
        assert boardsat("cnf", *arguments, "--break-symmetry", "-o", path).code == 0
        return
    assert fault in refused("cnf", *arguments, "--break-symmetry", "-o", path)
    assert not path.exists()


def test_a_spec_promises_a_group_or_is_refused(tmp_path):
    spec = tmp_path / "mine.yaml"
    text = """
title: Two cells that are apart
{promise}
board: {{shape: grid, rows: 3, cols: 3}}
variables:
  M:
    for: i in cells
  N:
    for: k in range(2)
constraints:
  - exactly: 2
    of: M[i] for i in cells
  - clause: N[0] or M[0] or not M[0]
decode:
  - mark: M[i]
    cell: i
"""
    spec.write_text(text.format(promise="symmetry_condition: image[0] != 6"))
    assert "the symmetries for which `symmetry_condition` is true must form a group" in refused(
        "cnf", spec, "--break-symmetry"
    )
    spec.write_text(text.format(promise="symmetry_condition: image[0] == start"))
    assert "unknown name 'start'" in refused("cnf", spec)
    spec.write_text(text.format(promise="symmetry_condition: image[4] == 4"))
    assert "mine-" not in boardsat("cnf", spec, "--break-symmetry").err


def test_campaigns_name_it_and_ask_something_else(tmp_path):
    path = tmp_path / "campaign.yaml"
    path.write_text(
        "instances:\n  - {problem: queens, set: {n: 5}, symmetry: [false, true]}\n"
        "counters: [enumeration]\nlimits: {timeout: 60}\n"
    )
    outcome = boardsat("run", path, "-o", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    json_output = json.loads(boardsat("results", tmp_path / "out", "--json").out)
    assert {row["instance"]: row["objects"] for row in json_output} == {
        "queens-5-squares": 10,
        "queens-5-squares-symmetry": 2,
    }
    page = tmp_path / "report.html"
    assert boardsat("report", tmp_path / "out", "--html", page).code == 0
    assert "counts of" not in page.read_text(), "two questions, and no contradiction"


def test_programs_have_it_too(tmp_path):
    counted_orbits = entrance.count("queens", n=5, break_symmetry=True, counter="enumeration")
    assert (counted_orbits.count, counted_orbits.total_count) == (2, 10)
    formula = entrance.build("queens", n=5, break_symmetry=True)
    rebuilt = entrance.build("queens", n=5).transform(break_symmetry=True)
    assert list(formula.clauses()) == list(rebuilt.clauses())
    result = entrance.count(formula, counter="enumeration")
    assert result.total_count == 10
    assert entrance.solve("queens", n=5, break_symmetry=True).instance.header.symmetry
    path = tmp_path / "queens.cnf"
    formula.write(path)
    with pytest.raises(entrance.BoardsatError, match="cannot be changed for a formula"):
        entrance.count(path, break_symmetry=True)


@pytest.mark.parametrize(
    "line",
    [
        '{"transform": "symmetry"}',
        '{"transform": "symmetry", "description": 3}',
        '{"transform": "symmetry"',
    ],
)
def test_a_header_that_does_not_tell_it_is_refused(line):
    ours = 'boardsat {"format": 2}'
    with pytest.raises(BoardsatError, match="`c transform` line is malformed"):
        read_header([ours, f"transform {line}"])
    entry = '{"transform": "symmetry", "description": "all"}'
    assert read_header([ours, f"transform {entry}"]).symmetry == "all"
    with pytest.raises(BoardsatError, match="must occur once"):
        read_header([ours, f"transform {entry}", f"transform {entry}"])


def enumerated() -> Answer:
    return entrance.count("queens", n=5, counter="enumeration").median.answer


def test_counts_that_do_not_go_together_are_wrong():
    """Two classes, but more solutions that a symmetry leaves unchanged than there could be."""
    source, answer = (
        FormulaInput(entrance.build("queens", n=5, break_symmetry=True)._formula),
        enumerated(),
    )
    with pytest.raises(WrongAnswerError, match="WRONG COUNT from enumeration: 2 orbits"):
        wrong = Count(20, 20, True, None, answer)
        burnside_total(source, Count(2, 2, True, None, answer), lambda _: wrong)


def test_a_limit_does_not_take_the_classes_away():
    built, answer = entrance.build("queens", n=5, break_symmetry=True)._formula, enumerated()

    def count(problem: FormulaFile) -> Count:
        excess = Excess(Resource.WALL, 1.0, 1.0, NO_PART)
        raise CommandLimitError(
            excess, TerminationReason.TIME, "the formula was written", Usage(1.0)
        )

    total = burnside_total(FormulaInput(built), Count(2, 2, True, None, answer), count)
    assert total is not None and total.objects is None
    fault = "the limit of 1 s was reached while the formula was written"
    assert total.text() == f"in all: unknown ({fault})"


def test_total_count_is_omitted_for_invalid_projections(tmp_path):
    (tmp_path / "two.yaml").write_text(
        "title: t\ncount_preserving: true\nboard: {shape: grid, rows: 1, cols: 2}\n"
        "variables:\n  R: {for: i in cells}\n  Q: {for: i in cells}\n"
        "constraints:\n  - at_least_one:\n      - Q[i] for i in cells\n"
        "      - R[i] for i in cells\n"
        "projection: Q\ndecode:\n  - mark: Q[i]\n    cell: i\n  - mark: R[i]\n    cell: i\n"
    )
    outcome = boardsat(
        "count", tmp_path / "two.yaml", "--allow-invalid-projection", "--break-symmetry"
    )
    assert "\nin all: unknown (the projection is not known to be valid)\n" in outcome.out, outcome
