"""WCNF files: chosen by option or ending, read with the lines of faults, refused if unfit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.formats import wcnf
from boardsat.generators import build, find, write
from boardsat.instance.formula_file import open_formula


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("h 1 0\np wcnf 3 4 10\n", ":2: the `p` line of the format before 2022"),
        ("c x\n\nh 1 2\n", ":3: the clause has no 0 at its end"),
        ("3 1 0 2 0\n", ":1: the line has more than one clause"),
        ("0 1 0\n", ":1: weights must be at least 1"),
        ("9999999999999999999 1 0\n", ":1: a number is too large"),
        ("999999999999999999 1 0\n" * 5, "must be below 2**62 (got 4,999,999,999,999,999,995)"),
        ("h 99999999999 0\n", ":1: a number is too large"),
        ("h 1 x 0\n", ":1: the line 'h 1 x 0' is malformed"),
        ("h 1 \0 0\n", ":1: the line contains binary zeros"),
        ("c words\n", "the file has no constraints"),
        ("", "the file has no constraints"),
        ("h 900000000 0\n", "900,000,000 variables, but only 1 literal"),
    ],
)
def test_malformed_file_is_rejected_with_its_line(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "f.wcnf"
    path.write_text(text)
    with pytest.raises(DimacsError) as error:
        open_formula(str(path))
    assert fault in str(error.value)


@pytest.mark.parametrize("form", ["wcnf", "opb", "knf"])
def test_a_file_that_was_cut_off_is_refused(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"f.{form}"
    write(build(find("fewest_queens"), {"n": "3"}, form), str(path))
    lines = path.read_text().splitlines(keepends=True)
    open_formula(str(path))
    path.write_text("".join(lines[:-1]))
    with pytest.raises(
        DimacsError,
        match=r"declares (18|\d+ variables)",
    ):
        open_formula(str(path))


def test_spaces_blank_lines_and_a_missing_line_end_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "f.wcnf"
    path.write_text("c one\n\n h\t1  -2 0 \r\nc two\n  4 2 0\n7 0")
    read = wcnf.read(str(path))
    assert read.hard.literals.tolist() == [1, -2] and list(read.soft_clauses()) == [(4, [2])]
    assert (read.variables, read.base_cost, read.comments) == (2, 7, ("one", "two"))
    model = np.array([0, 1, -1], np.int8)
    assert read.first_false(model) is None and read.cost(model) == 11
    assert read.first_false(-model) == "constraint 1 (1 -2)"


def test_line_may_be_longer_than_a_block(tmp_path: Path) -> None:
    path = tmp_path / "f.wcnf"
    literals = " ".join(map(str, range(1, 200_001)))
    path.write_text(f"h {literals} 0\n1 -1 0\n")
    read = wcnf.read(str(path))
    assert (read.variables, len(read.hard), len(read.soft)) == (200_000, 1, 1)


def test_formats_are_chosen_by_option_or_ending(boardsat, tmp_path):
    assert boardsat("cnf", "fewest_queens", "-n", "2").out.count(b"\nh ") == 4
    plain = tmp_path / "q.cnf"
    outcome = boardsat("cnf", "fewest_queens", "-n", "2", "-o", plain)
    assert b"note: CNF has no objective; what to minimize is a comment" in outcome.out
    assert b"\np cnf 4 4\n" in plain.read_bytes() and b"\nc objective " in plain.read_bytes()
    outcome = boardsat("solve", plain)
    assert (
        outcome.code == 10
        and b"any solution was requested, not the one with the minimum" in outcome.out
    )
    boardsat("cnf", "queens", "-n", "4", "--format", "wcnf", "-o", f"{tmp_path}/new/")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["queens-4-squares.wcnf"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (
            ("cnf", "tour", "--enc", "cuts", "-o", "t.wcnf"),
            "the format wcnf does not support lazy constraints",
        ),
        (
            ("cnf", "queens", "-o", "q.cnf", "--format", "wcnf"),
            "--format is wcnf, but the suffix of -o is .cnf",
        ),
        (
            ("cnf", "queens", "-o", "q.wcnf", "--projection", "show"),
            "of format wcnf has no projection",
        ),
        (
            ("solve", "q.wcnf", "--solver", "cadical"),
            "cadical does not optimise formulas with an objective; choose rc2",
        ),
        (("solve", "q.cnf", "--solver", "rc2"), "rc2 reads WCNF"),
        (("solve", "fewest_queens", "--models", "2"), "rc2 finds a single best board"),
        (("solve", "fewest_queens", "-o", "q.wcnf"), "-o writes CNF"),
        (("count", "q.wcnf", "--counter", "enumeration"), "the format must be CNF here (got WCNF)"),
    ],
)
def test_incompatible_options_for_wcnf_are_one_line(
    boardsat, arguments, fault, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("q.wcnf").write_text("h 1 2 0\n1 -1 0\n")
    Path("q.cnf").write_text("p cnf 1 1\n1 0\n")
    outcome = boardsat(*arguments)
    assert outcome.code == 2 and fault in outcome.err and outcome.err.count("\n") == 1
