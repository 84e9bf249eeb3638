"""Answers of external MaxSAT and pseudo-Boolean solvers, in the formats of competitions."""

from __future__ import annotations

from pathlib import Path

import pytest

WCNF = "h 1 2 0\n2 -1 0\n3 -2 0\n"
OPB = "* #variable= 2 #constraint= 1\nmin: +2 x1 +3 x2 ;\n+1 x1 +1 x2 >= 1 ;\n"
ONE = "h 1 0\n2 -1 0\n"


def check_answer(boardsat, folder: Path, name: str, text: str, answer: str):
    (folder / name).write_text(text)
    (folder / "answer.txt").write_text(answer)
    return boardsat("check", folder / name, folder / "answer.txt")


@pytest.mark.parametrize(
    ("name", "text", "model"),
    [
        ("f.wcnf", WCNF, "v 1 -2 0"),
        ("f.wcnf", WCNF, "v 1 -2"),
        ("f.wcnf", WCNF, "v 1\nv -2"),
        ("f.wcnf", WCNF, "v 10"),
        ("f.opb", OPB, "v x1 -x2"),
        ("f.opb", OPB, "v x1\nv -x2 0"),
        ("f.wcnf", ONE, "v 1"),
        ("f.wcnf", ONE, "v 1\nv 0"),
        ("f.wcnf", ONE, "v 1 0"),
    ],
)
def test_check_reads_models_of_all_competitions(boardsat, tmp_path, name, text, model):
    output = check_answer(boardsat, tmp_path, name, text, f"o 7\no 2\ns OPTIMUM FOUND\n{model}\n")
    assert (output.code, output.err) == (0, ""), output
    assert b"its value is 2; " in output.out


@pytest.mark.parametrize(
    ("answer", "code", "fault"),
    [
        ("o 3\ns OPTIMUM FOUND\nv 1 -2 0\n", 1, "reports 3, but its model costs 2"),
        ("s SATISFIABLE\no 1\nv 10\n", 1, "reports 1, but its model costs 2"),
        ("o 2\ns OPTIMUM FOUND\nv 1\n", 2, "answer.txt: the model ends without its 0"),
        ("o 2\ns OPTIMUM FOUND\nv y1 -y2\n", 2, "answer.txt: 'y1' is not a literal"),
        ("s OPTIMUM FOUND\nv 00\n", 1, "WRONG MODEL"),
    ],
)
def test_check_rejects_wrong_or_malformed_answer(boardsat, tmp_path, answer, code, fault):
    output = check_answer(boardsat, tmp_path, "f.wcnf", WCNF, answer)
    assert output.code == code and fault in output.err, output


def test_solve_of_a_single_forced_variable_gives_the_optimum(boardsat, tmp_path):
    (tmp_path / "one.wcnf").write_text(ONE)
    output = boardsat("solve", tmp_path / "one.wcnf", "--runtime", "embedded")
    assert (
        output.code == 30 and b"minimum: 2\nv 1 0\nchecked: model, cost, optimum" in output.out
    ), output
