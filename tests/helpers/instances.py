"""Small instances of every spec that ships, for the tests that go through them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from boardsat.generators import Formula, build, find, transform
from boardsat.generators.sections.parameters import parameters_of
from boardsat.generators.spec.catalogue import encodings_of, problems
from helpers.problem_settings import small_settings

TRANSFORMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "propagated": {"propagate": True},
    "three": {"three_cnf": "auto"},
    "shuffled": {"shuffle": 7},
    "all": {"propagate": True, "three_cnf": "equivalences", "shuffle": 2**64 - 1},
}

Case = tuple[str, Mapping[str, str], str]
"""A spec, its settings, and what is done to it: a key of TRANSFORMS."""


def specs() -> list[str]:
    return [f"{problem}/{encoding}" for problem in problems() for encoding in encodings_of(problem)]


def small_instances(spec: str) -> list[dict[str, str]]:
    """The settings of the small instances of a spec; what it does not know is left out."""
    known = {parameter.name for parameter in parameters_of(find(spec))}
    return [
        {key: value for key, value in settings.items() if key in known}
        for settings in small_settings(spec.partition("/")[0])
    ]


def cases() -> Iterator[Case]:
    """All small instances as they are, and the first of each spec with every transform."""
    for spec in specs():
        yield from cases_of(spec)


def cases_of(spec: str, part: slice = slice(None)) -> list[Case]:
    """Those of one spec, or a part of them; the first is the first instance as it is."""
    found = [
        (spec, settings, done)
        for number, settings in enumerate(small_instances(spec))
        for done in (TRANSFORMS if number == 0 else ("plain",))
    ]
    return found[part]


FULLY_SWEPT = ("colouring", "sudoku", "tour")
"""Problems of which `make test` tries all cases: on a graph, with givens, on a board."""

FIRST, OTHERS = slice(1), slice(1, None)


def sweep(turn: int) -> list[ParameterSet]:
    """Specs and parts of their cases, for a test that goes through these.

    The first case of one in three encodings, and of one encoding of some problems all; the rest is
    slow. Tests whose turns differ meet different encodings.
    What is not read before the test runs costs nothing where it does not.
    """
    found = []
    for problem in problems():
        for number, encoding in enumerate(encodings_of(problem)):
            spec, is_whole = f"{problem}/{encoding}", number == 0 and problem in FULLY_SWEPT
            is_its_turn = len(found) // 2 % 3 == turn
            for part, what, is_quick in (
                (FIRST, "first", is_whole or is_its_turn),
                (OTHERS, "others", is_whole),
            ):
                marks = [] if is_quick else [pytest.mark.slow]
                found.append(pytest.param(spec, part, id=f"{spec}-{what}", marks=marks))
    return found


def case_id(value: object) -> str | None:
    """The name of a case in pytest's output."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={Path(word).name}" for key, word in value.items())
    return None


def case_name(case: Case) -> str:
    return f"{case[0]} {case_id(case[1])} {case[2]}"


def formula_of(case: Case) -> Formula:
    spec, settings, done = case
    return transform(build(find(spec), settings), **TRANSFORMS[done])


def options_of(case: Case) -> list[str]:
    """The same on the command line, after its command."""
    spec, settings, done = case
    words = [spec]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    chosen = TRANSFORMS[done]
    words += ["--propagate"] if "propagate" in chosen else []
    words += ["--three-cnf", chosen["three_cnf"]] if "three_cnf" in chosen else []
    words += ["--shuffle", str(chosen["shuffle"])] if "shuffle" in chosen else []
    return words
