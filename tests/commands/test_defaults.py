"""Defaults: the encoding of a problem for solving and counting, and lists of instances."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.formulas import mostly_slow, one_in, text_of
from helpers.problem_settings import tiny_settings
from helpers.solver_runs import boardsat

from boardsat.generators import InputError, build, find, size
from boardsat.generators.spec import catalogue
from boardsat.generators.spec.catalogue import choices_of, defaults_of, encodings_of, problems
from boardsat.generators.spec.defaults import COUNT, PURPOSES, SOLVE, WRITE, read_defaults
from boardsat.generators.yaml_reader import read_yaml

SEVERAL = [problem for problem in problems() if len(encodings_of(problem)) > 1]


def settings_of(problem: str) -> list[str]:
    settings = tiny_settings(problem)
    return [token for key, value in settings.items() for token in ("--set", f"{key}={value}")]


@pytest.mark.parametrize("problem", problems())
def test_every_problem_has_one_default_per_purpose(problem: str) -> None:
    chosen = defaults_of(problem)
    assert chosen.keys() == PURPOSES.keys() and set(chosen.values()) <= set(encodings_of(problem))
    # A file is to be complete, and so is what is counted; all its models are to be boards, once.
    assert not find(problem, chosen[WRITE]).is_lazy
    counted = find(problem, chosen[COUNT])
    assert counted.counting.is_count_preserving and not counted.is_lazy
    for purpose in PURPOSES:
        assert find(problem, purpose=purpose).encoding == chosen[purpose]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("solve: a\ncount: a\n", "x.yaml:1: no encoding to write with; write `write: ENCODING`"),
        ("solve: a\nsolve: b\n", "x.yaml:2: the key 'solve' must occur once; remove one of them"),
        ("solve: a\ncount: c\n", "x.yaml:2: no encoding 'c' to count with; choose from: a, b"),
        ("solve: [a, b]\n", "x.yaml:1: the value must be a text, not a list or mapping; "),
        ("solve: a, c\n", "x.yaml:1: no encoding 'c' to solve with; choose from: a, b"),
        (
            "solve: a,\n",
            "x.yaml:1: names must not be empty; write names with commas between them",
        ),
        ("draw: a\n", "x.yaml:1: unknown key 'draw'; choose from: count, solve, write"),
    ],
)
def test_invalid_defaults_are_rejected(text: str, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        read_defaults(read_yaml(text, "x.yaml"), ["a", "b"])
    assert str(caught.value).startswith(fault)


def test_defaults_fall_back_to_further_encodings() -> None:
    """For boards that the first one does not support."""
    item = read_yaml("solve: a, b\ncount: b\nwrite: b,a\n", "x.yaml")
    assert read_defaults(item, ["a", "b"]) == {
        "solve": ["a", "b"],
        "count": ["b"],
        "write": ["b", "a"],
    }
    for problem in problems():
        for purpose, names in choices_of(problem).items():
            assert defaults_of(problem)[purpose] == names[0]
            assert purpose != COUNT or all(
                find(problem, name).counting.is_count_preserving for name in names
            )
            assert purpose == SOLVE or not any(find(problem, name).is_lazy for name in names)


def test_problem_with_several_encodings_requires_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "p/one.yaml").write_text("")
    assert set(defaults_of("p").values()) == {"one"}
    (tmp_path / "p/two.yaml").write_text("")
    with pytest.raises(InputError, match=r"specs/p/problem\.yaml: .* needs `defaults`"):
        defaults_of("p")


@pytest.mark.parametrize("problem", one_in(3, problems()))
def test_cnf_without_encoding_writes_the_default(problem: str, tmp_path: Path) -> None:
    target = tmp_path / "x.cnf"
    outcome = boardsat("cnf", problem, *settings_of(problem), "-o", target)
    name = f"{problem}/{defaults_of(problem)[WRITE]}"
    assert outcome.code == 0
    assert (f"\nencoding: {name} (the default for files)\n" in outcome.out) == (problem in SEVERAL)
    assert target.read_bytes() == text_of(build(find(name), tiny_settings(problem)))


@pytest.mark.parametrize("problem", mostly_slow(SEVERAL, ["colouring", "tour"]))
def test_solve_names_the_default_encoding(problem: str) -> None:
    outcome = boardsat(
        "solve", problem, *settings_of(problem), "--runtime", "embedded", "--timeout", 20
    )
    assert outcome.code == 10
    name = f"{problem}/{defaults_of(problem)[SOLVE]}"
    assert outcome.out.endswith(f"\nencoding: {name} (the default for solving)\n")


def test_solve_with_encoding_prints_no_default() -> None:
    for arguments in (["tour/binary"], ["tour", "--enc", "binary"]):
        outcome = boardsat("size", *arguments, "-n", 5)
        assert "default" not in outcome.out and "closed-binary" in outcome.out
    assert "default" not in boardsat("size", "queens", "-n", 5).out


def test_default_encoding_solves_small_unsat_and_large_boards() -> None:
    limits = ("--runtime", "embedded", "--timeout", 30)
    assert boardsat("solve", "tour", "-n", 5, *limits).code == 20
    assert boardsat("solve", "tour", "-n", 30, *limits).code == 10


def test_list_names_the_default_encodings() -> None:
    outcome = boardsat("list", "tour")
    assert "  default: cuts for solving, undirected for counting, hve for files\n" in outcome.out
    line = " ".join(boardsat("list", "hamilton").out.split())
    assert (
        " default: cuts or hve for solving, undirected or hve for counting, hve for files" in line
    )
    assert "  default: direct\n" in boardsat("list", "sudoku").out
    listed = json.loads(boardsat("list", "--json").out)
    for problem in problems():
        printed_defaults = {
            p: e["encoding"] for e in listed if e["problem"] == problem for p in e["default_for"]
        }
        assert printed_defaults == defaults_of(problem)


# Lists of instances.


def rows_of(table: str) -> list[list[str]]:
    return [line.split() for line in table.splitlines()[2:] if not line.startswith("encoding")]


def test_size_of_range_equals_single_sizes() -> None:
    arguments = ("size", "tour", "--enc", "binary,unary", "-n", "5..6,8")
    expected = [
        size(build(find("tour", encoding), {"n": n}))
        for encoding in ("binary", "unary")
        for n in (5, 6, 8)
    ]
    assert json.loads(boardsat(*arguments, "--json").out) == expected
    keys = ("variables", "clauses", "unit_clauses", "literals", "bytes")
    rows = [[sizes["name"], *(f"{sizes[key]:,}" for key in keys)] for sizes in expected]
    assert rows_of(boardsat(*arguments).out) == rows


def test_size_accepts_all_encodings_and_ranges() -> None:
    arguments = ("size", "tour", "--enc", "all", "--set", "rows=3..4", "--set", "cols=5")
    names = [row[0] for row in rows_of(boardsat(*arguments).out)]
    assert names == [f"tour-{r}x5-closed-{e}" for e in encodings_of("tour") for r in (3, 4)]


def test_text_parameter_with_comma_is_one_value() -> None:
    """`1..2` are four signs of a latin square."""
    assert "latin-2-direct" in boardsat("size", "latin", "-n", 2, "--set", "givens=1..2").out


def test_cnf_of_range_writes_into_a_folder(tmp_path: Path) -> None:
    outcome = boardsat("cnf", "tour", "--enc", "binary,hve", "-n", "5..6", "-o", f"{tmp_path}/")
    names = [f"tour-{n}x{n}-closed-{e}.cnf" for e in ("binary", "hve") for n in (5, 6)]
    assert [row[0] for row in rows_of(outcome.out)] == [f"{tmp_path}/{name}" for name in names]
    for name in names:
        _, board, _, encoding = name.removesuffix(".cnf").split("-")
        expected = text_of(build(find("tour", encoding), {"n": board[0]}))
        assert (tmp_path / name).read_bytes() == expected


def test_cnf_with_equal_file_names_is_rejected(tmp_path: Path) -> None:
    arguments = (
        "cnf",
        "tour",
        "--enc",
        "cuts",
        "-n",
        6,
        "--set",
        "rounds=5..6",
        "-o",
        f"{tmp_path}/",
    )
    outcome = boardsat(*arguments)
    assert outcome.code == 2 and "two instances would have this file name" in outcome.one_line()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["solve", "projection"])
def test_command_for_one_instance_rejects_a_range(command: str) -> None:
    outcome = boardsat(command, "tour", "-n", "5..6")
    assert outcome.code == 2
    assert outcome.one_line() == (
        "boardsat: tour: the options name several instances, but this command accepts one; "
        "size, cnf and count accept several\n"
    )
