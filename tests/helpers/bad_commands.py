"""What tests of failures share."""

from __future__ import annotations

from pathlib import Path

from helpers.solver_runs import boardsat

HERE = ("--runtime", "embedded", "--solver", "minisat")

SMALL = "p cnf 2 1\n1 2 0\n"


def file(folder: Path, text: str, name: str = "x.cnf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def refused(*words: object) -> str:
    said = boardsat(*words)
    assert said.code == 2, said
    return said.one_line()
