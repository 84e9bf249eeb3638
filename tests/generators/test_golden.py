"""Golden files: the exact CNF of a small instance of every spec and transform.

After a change that is meant, write them again and look at the difference:

    PYTHONPATH=tests python tests/generators/test_golden.py && git diff tests/golden
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.formulas import catalogue, clauses_of, shipped, text_of, tiny
from pysat.formula import CNF

from boardsat.generators import Formula, transform

FOLDER = Path(__file__).parents[1] / "golden"

TRANSFORMS: dict[str, dict[str, Any]] = {
    "propagate": {"propagate": True},
    "three_cnf-chain": {"three_cnf": "chain"},
    "three_cnf-equivalences": {"three_cnf": "equivalences"},
    "shuffle": {"shuffle": 1},
    "symmetry": {"symmetry": True},
    "all": {"propagate": True, "three_cnf": "auto", "shuffle": 2},
}


def transformed(options: dict[str, Any]) -> Formula:
    """Return a transformed formula that has a unit clause and clauses of four literals."""
    return transform(shipped("latin/minimal", n=4, givens="1..............."), **options)


CASES: dict[str, Callable[[], Formula]] = {
    **{name.replace("/", "-"): lambda name=name: tiny(name) for name in catalogue()},
    **{name: lambda options=options: transformed(options) for name, options in TRANSFORMS.items()},
}


@pytest.mark.parametrize("case", CASES)
def test_the_file_is_the_same(case: str) -> None:
    path = FOLDER / f"{case}.cnf"
    assert path.exists(), f"no {path.name} yet; write it as the first lines of this file say"
    formula = CASES[case]()
    assert text_of(formula) == path.read_bytes()
    theirs = CNF(from_file=str(path))
    assert (theirs.nv, theirs.clauses) == (formula.variables, clauses_of(formula))


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for case, make in CASES.items():
        (FOLDER / f"{case}.cnf").write_bytes(text_of(make()))
