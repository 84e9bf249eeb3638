"""Helpers for tests of commands that fail."""

from __future__ import annotations

from pathlib import Path

from helpers.solver_runs import boardsat

HERE = ("--runtime", "embedded", "--solver", "minisat")

SMALL = "p cnf 2 1\n1 2 0\n"


def file(folder: Path, text: str, name: str = "x.cnf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def refused(*arguments: object) -> str:
    outcome = boardsat(*arguments)
    assert outcome.code == 2, outcome
    return outcome.one_line()
