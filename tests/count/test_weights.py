"""Weights of literals in specs, files and counts, against brute force and pyganak."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from helpers.counts import counted, file, need_some
from helpers.formulas import make, text_of
from helpers.solver_runs import boardsat
from helpers.weighted_formulas import Weighed, read_back

from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.solvers.output_parsers import CountingParser
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators import Formula, build, parse, transform, write
from boardsat.generators.dimacs.document import preamble
from boardsat.generators.spec.catalogue import encodings_of, find
from boardsat.instance.formula_file import open_formula

SPEC = """
title: Independent sets of a grid, each vertex with its weight
params: {n: 3, a: 2}
board: {shape: grid, rows: n, cols: n, moves: wazir}
variables:
  X:
    for: i in cells
    description: cell {i} is chosen
    weight_true: (i % 3 + a) / 7
    weight_false: 0.25
constraints:
  - name: no two neighbours are chosen
    for: (i, j) in edges
    clause: not X[i] or not X[j]
  - name: some of the first row are chosen
    at_least: 1
    of: X[i] for i in ranks[0]
decode:
  - {mark: "X[i]", cell: i, sign: rook}
"""


def weighted(**settings: Any) -> Formula:
    return build(parse(SPEC), settings)


def spec_file(folder: Path) -> Path:
    return file(folder, SPEC, "sets.yaml")


# Counters against brute force.


def by_worker(name: str, path: str, capfd: pytest.CaptureFixture[str]) -> Fraction | None:
    """The very worker of a counter, in this process."""
    if name == "ganak":
        pytest.importorskip("pyganak")
        from boardsat.adapters.workers import ganak

        code = ganak.main(path, "1")
    else:
        from boardsat.adapters.workers import enumeration

        code = enumeration.main("cadical195", path)
    output = CountingParser(0)
    for line in capfd.readouterr().out.splitlines():
        output.feed(line)
    assert output.status is (Status.SATISFIABLE if code == 10 else Status.UNKNOWN)
    return output.weighted_count


@pytest.mark.parametrize("name", ["enumeration", "ganak"])
def test_counts_of_random_formulas_agree_with_brute_force(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    totals = set()
    for seed in range(60):
        question = Weighed.of(seed)
        problem = open_formula(str(file(tmp_path, question.text)))
        with rewrite.write_canonical(
            problem.summary,
            problem.path,
            projection=problem.projection().tolist(),
            weights=problem.weights(),
        ) as path:
            assert by_worker(name, path, capfd) == question.total, seed
        totals.add(question.total)
    assert 0 in totals and len(totals) > 30


@pytest.mark.parametrize("counter", ["enumeration", "ganak"])
def test_external_weighted_file_is_counted(counter: str, tmp_path: Path) -> None:
    need_some(counter)
    for seed in (3, 8):
        question = Weighed.of(seed)
        result = counted(file(tmp_path, question.text), "--counter", counter)
        assert Fraction(result["weighted"]["fraction"]) == question.total
        assert result["count"] is None and result["models"] is None and result["exact"]


def test_weighted_count_of_zero_does_not_imply_unsat(tmp_path: Path) -> None:
    path = file(tmp_path, "c t wmc\np cnf 1 0\nc p weight 1 0 0\nc p weight -1 0 0\n")
    result = counted(path)
    assert result["weighted"] == {"fraction": "0", "decimal": "0"}


def test_weighted_file_is_read_by_pyganak() -> None:
    """Which is of floating-point numbers, and shares no code with ours."""
    pyganak = pytest.importorskip("pyganak")
    for formula in (weighted(), transform(weighted(), three_cnf="chain", shuffle=5)):
        file_ = read_back(text_of(formula).decode())
        counter = pyganak.WeightedCounter(seed=1)
        counter.new_vars(file_.variables)
        counter.add_clauses(file_.clauses)
        for literal, weight in file_.weights.items():
            counter.set_lit_weight(literal, float(weight))
        if file_.projection is not None:
            counter.set_sampling_set(file_.projection)
        assert counter.count() == pytest.approx(float(file_.total), rel=1e-12)


# Weights of specs, written and transformed.


def test_weights_of_a_spec_are_counted() -> None:
    lines = text_of(weighted()).decode().splitlines()
    assert lines[0] == "c t wmc"
    start = lines.index(next(line for line in lines if line.startswith("p cnf"))) + 1
    assert lines[start : start + 4] == [
        *("c p weight 1 2/7 0", "c p weight -1 0.25 0"),
        *("c p weight 2 3/7 0", "c p weight -2 0.25 0"),
    ]
    assert read_back(text_of(weighted()).decode()).total > 0


CHANGES: list[dict[str, Any]] = [
    {"shuffle": 1},
    {"propagate": True},
    {"three_cnf": "chain"},
    {"three_cnf": "equivalences", "shuffle": 2, "propagate": True},
]


@pytest.mark.parametrize("projection", [None, "show"])
@pytest.mark.parametrize("changes", CHANGES)
def test_transforms_preserve_the_weighted_count(
    changes: dict[str, Any], projection: str | None, tmp_path: Path
) -> None:
    plain = read_back(text_of(weighted(n=2)).decode()).total
    target = tmp_path / "changed.cnf"
    write(transform(weighted(n=2), **changes), str(target), projection)
    text = target.read_text()
    result = read_back(text)
    assert result.total == plain and text.count("c p weight") == 8
    assert text.startswith("c t wmc" if result.projection is None else "c t pwmc")
    problem = open_formula(str(target))
    assert problem.weights() == result.weights


def test_fixed_literals_preserve_their_weight() -> None:
    formula = make(
        variables={"X": {"for": "i in range(2)", "weight_true": "1 / 3", "weight_false": "5"}},
        constraints=[{"clause": "X[0]"}, {"clause": "not X[0] or X[1]"}],
    )
    result = read_back(text_of(transform(formula, propagate=True)).decode())
    assert result.total == Fraction(1, 9)


def test_weighted_count_supports_all_projection_forms() -> None:
    """Weights are written beside each of them."""
    formula = transform(weighted(n=2), three_cnf="chain")
    for form, kind in (("ind", "pwmc"), ("show", "pwmc"), ("none", "wmc")):
        text = preamble(formula, form).decode()
        assert text.startswith(f"c t {kind}\n") and text.count("c p weight") == 8


def test_long_weights_are_exact() -> None:
    cases = {"1 / 3": "1/3", "0.123456789": "0.123456789", "6 / 4": "1.5"}
    cases |= {"1 / 1024": "0.0009765625"}
    cases |= {"3 * 4 / (2 + 4)": "2", "7 - 5": "2", "1 / 2147483646": "1/2147483646"}
    for text, output in cases.items():
        formula = make(variables={"X": {"weight_true": text}}, constraints=[])
        assert f"c p weight 1 {output} 0\nc p weight -1 1 0" in text_of(formula).decode(), text


WRONG = {
    "1 + 1 / 3": "put the numerator in brackets",
    "1 / 2 / 3": "unexpected '/'",
    "1 / 0": "the denominator of a weight must be at least 1",
    "-1": "the numerator of a weight must be at least 0",
    "0.1234567890": "unexpected '.'",
    "Y": "unknown name 'Y'",
    "1 /": "unexpected end",
}


@pytest.mark.parametrize("text", WRONG)
def test_invalid_weight_is_rejected(text: str) -> None:
    with pytest.raises(InputError, match=WRONG[text].replace("(", r"\(")):
        make(variables={"X": {"weight_true": text}}, constraints=[])


def test_spec_features_that_exclude_weights_are_rejected() -> None:
    weight = {"weight_true": "2"}
    for section, fault in (
        ({"models_per_solution": "2"}, "cannot be combined with weights"),
        ({"variables": {"X": {**weight, "values": "1..3"}}}, "has `values`"),
        ({"variables": {"Y": {}, "X": {**weight, "begins_with": "Y"}}}, "`begins_with`"),
        ({"variables": {"Y": {}, "X": weight}, "projection": "Y"}, "must be in the projection"),
        ({"define": {"a": "1 / 2"}}, "unexpected '/'"),
    ):
        sections: dict[str, Any] = {
            "variables": {"X": weight},
            "counted_objects": "things",
            **section,
        }
        with pytest.raises(InputError, match=fault):
            make(**sections)


@pytest.mark.parametrize("form", ["wcnf", "opb", "knf"])
def test_other_formats_reject_weights(form: str, tmp_path: Path) -> None:
    output = boardsat("cnf", spec_file(tmp_path), "-o", tmp_path / f"sets.{form}")
    assert output.code == 2 and "does not support literal weights" in output.one_line()
    assert not (tmp_path / f"sets.{form}").exists()


# External files.

READ = {
    "0.25": Fraction(1, 4),
    "25e-2": Fraction(1, 4),
    "2.5E-1": Fraction(1, 4),
    "1/4": Fraction(1, 4),
    ".5": Fraction(1, 2),
    "+3.": Fraction(3),
    "1e+3": Fraction(1000),
}


def header_of(*lines: str, variables: int = 3) -> Any:
    return read_header([*lines], variables)


@pytest.mark.parametrize("text", READ)
def test_external_weight_notations_are_read(text: str) -> None:
    header = header_of("t wmc", f"p weight 1 {text} 0", "p weight -1 1 0")
    assert header.counting.weights == {1: READ[text], -1: 1}


REFUSED = {
    "p weight 1 -0.5 0": "negative",
    "p weight 1 0.5": "each line must be a literal, its weight and 0 (got '1 0.5')",
    "p weight 1 1/0 0": "the denominator of a weight must not be 0 (got 1/0)",
    "p weight 4 1 0": "(got 4)",
    "p weight 0 1 0": "each line must be a literal, its weight and 0 (got '0 1 0')",
    "p weight 1 nan 0": "weights must be decimals or fractions (got 'nan')",
    "p weight 1 1e999 0": "weights must have at most 400 digits (got '1e999')",
    "p weight 1 0x3 0": "weights must be decimals or fractions (got '0x3')",
    "p weight 1 1_0 0": "weights must be decimals or fractions (got '1_0')",
    "p weight 1 ٣ 0": "weights must be decimals or fractions (got '٣')",
    f"p weight 1 {'1' * 401} 0": "weights must have at most 400 digits (got '111",
    "p weight 1 0.5 0": "but -1 has none",
    "t mc": "unweighted count",
}


@pytest.mark.parametrize("line", REFUSED)
def test_invalid_weight_is_an_error_only_when_counting(line: str, tmp_path: Path) -> None:
    header = header_of(line, "p weight 2 1 0", "p weight -2 1 0")
    assert header.counting.weights is None and REFUSED[line] in str(header.counting.weights_error)
    text = f"c {line}\np cnf 3 1\nc p weight 2 1 0\nc p weight -2 1 0\n1 2 3 0\n"
    problem = open_formula(str(file(tmp_path, text)))
    assert problem.weighted and any("ignored here" in note for note in problem.notes)
    with pytest.raises(BoardsatError, match="the weights of literals are malformed"):
        problem.weights()


def test_smallest_weight_is_counted(tmp_path: Path) -> None:
    text = "c t wmc\np cnf 1 1\nc p weight 1 1e-399 0\nc p weight -1 1 0\n1 0\n"
    output = boardsat("count", file(tmp_path, text), "--runtime", "embedded")
    assert output.out.startswith("weighted count of models: 1E-399, exactly: "), output


def test_different_weights_of_one_literal_are_rejected() -> None:
    same = header_of("p weight 1 0.5 0", "p weight 1 1/2 0", "p weight -1 1 0")
    assert same.counting.weights == {1: Fraction(1, 2), -1: 1}
    assert "two different" in str(
        header_of("p weight 1 0.5 0", "p weight 1 1 0").counting.weights_error
    )


def test_weights_outside_the_projection_are_rejected(tmp_path: Path) -> None:
    lines = "c p show 1 0\nc p weight 2 0.5 0\nc p weight -2 1 0\n1 2 0\n"
    output = boardsat("count", file(tmp_path, f"c t pwmc\np cnf 2 1\n{lines}"))
    assert (
        output.code == 2
        and "variable 2 has a weight but is not in the projection" in output.one_line()
    )


# Commands that support weights or reject them.


def test_weighted_count_is_a_fraction_and_a_decimal(tmp_path: Path) -> None:
    output = boardsat("count", spec_file(tmp_path), "-n", 2)
    total = read_back(text_of(weighted(n=2)).decode()).total
    assert output.code == 0 and output.out.startswith(
        f"weighted count of models: {total}, about 0."
    )
    table = boardsat("count", spec_file(tmp_path), "-n", "1..2").out
    assert "weighted models, exactly" in table and str(total) in table


APPROXMC = "approxmc does not estimate counts of formulas with weights; remove the weights"


def test_named_counter_without_weights_is_rejected(tmp_path: Path) -> None:
    for arguments, fault in (
        (("--counter", "approxmc"), APPROXMC),
        (("--epsilon", "0.5"), APPROXMC),
        (("--counter", "enumeration", "--reference", "approxmc"), APPROXMC),
        (("--reference", "published"), "no published count"),
    ):
        if fault == APPROXMC:
            need_some("approxmc")
        output = boardsat("count", spec_file(tmp_path), "-n", 2, *arguments)
        assert output.code == 2 and fault in output.one_line(), arguments


def test_solve_notes_ignored_weights_and_validate_rejects_them(tmp_path: Path) -> None:
    output = boardsat("solve", spec_file(tmp_path), "-n", 2, "--runtime", "embedded")
    assert output.code == 10 and "note: the literals have weights" in output.out
    output = boardsat("validate", spec_file(tmp_path), "-n", 2)
    assert output.code == 2 and "validate does not support literal weights" in output.one_line()


def test_archive_rejects_weights(tmp_path: Path) -> None:
    spec_file(tmp_path)
    head = "title: sets\nauthors: [A]\ndate: 2026-11-18\nlicense: CC0-1.0\n"
    campaign = file(tmp_path, f"{head}instances:\n  - problem: sets.yaml\n", "a.yaml")
    output = boardsat("archive", "create", tmp_path / "archive", campaign)
    assert output.code == 2 and "the literals have weights" in output.one_line()


def test_campaign_rejects_counting_weights(tmp_path: Path) -> None:
    spec_file(tmp_path)
    text = "instances:\n  - {problem: sets.yaml, set: {n: 2}}\ncounters: [enumeration]\n"
    output = boardsat("run", file(tmp_path, text, "c.yaml"), "-o", tmp_path / "results")
    report = boardsat("results", tmp_path / "results", "--json").out
    assert (
        "the literals have weights, which no record of a run has"
        in output.out + output.err + report
    )


def test_problems_of_board_counters_have_no_weights() -> None:
    for problem in ("tour", "hamilton"):
        assert not any(find(problem, name).is_weighted for name in encodings_of(problem))
