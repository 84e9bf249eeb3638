"""Small instances of every spec of the catalogue, for tests that iterate over them."""

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
"""Spec, settings and transforms (a key of `TRANSFORMS`) of an instance."""


def specs() -> list[str]:
    return [f"{problem}/{encoding}" for problem in problems() for encoding in encodings_of(problem)]


def small_instances(spec: str) -> list[dict[str, str]]:
    """Return the settings of the small instances of a spec, limited to its parameters."""
    names = {parameter.name for parameter in parameters_of(find(spec))}
    return [
        {key: value for key, value in settings.items() if key in names}
        for settings in small_settings(spec.partition("/")[0])
    ]


def cases() -> Iterator[Case]:
    """Yield all small instances, and the first one of each spec with every transform."""
    for spec in specs():
        yield from cases_of(spec)


def cases_of(spec: str, selection: slice = slice(None)) -> list[Case]:
    """Return cases of one spec; the first one is its first instance without transforms."""
    cases = [
        (spec, settings, transform_name)
        for number, settings in enumerate(small_instances(spec))
        for transform_name in (TRANSFORMS if number == 0 else ("plain",))
    ]
    return cases[selection]


FULLY_SWEPT = ("colouring", "sudoku", "tour")
"""Problems of which `make test` tries all cases: with a graph, with givens, on a board."""

FIRST, OTHERS = slice(1), slice(1, None)


def sweep(turn: int) -> list[ParameterSet]:
    """Return test parameters: a spec, and a slice of its cases.

    Quick are the first case of every third encoding, and all cases of one encoding of some
    problems. Tests with different turns (0 to 2) select different encodings. The specs are read
    only when the test runs.
    """
    parameters = []
    for problem in problems():
        for number, encoding in enumerate(encodings_of(problem)):
            spec, is_full = f"{problem}/{encoding}", number == 0 and problem in FULLY_SWEPT
            is_selected = len(parameters) // 2 % 3 == turn
            for selection, label, is_quick in (
                (FIRST, "first", is_full or is_selected),
                (OTHERS, "others", is_full),
            ):
                marks = [] if is_quick else [pytest.mark.slow]
                parameters.append(pytest.param(spec, selection, id=f"{spec}-{label}", marks=marks))
    return parameters


def case_id(value: object) -> str | None:
    """Return the name of settings in the output of pytest."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={Path(setting).name}" for key, setting in value.items())
    return None


def case_name(case: Case) -> str:
    return f"{case[0]} {case_id(case[1])} {case[2]}"


def formula_of(case: Case) -> Formula:
    spec, settings, transform_name = case
    return transform(build(find(spec), settings), **TRANSFORMS[transform_name])


def options_of(case: Case) -> list[str]:
    """Return the arguments of `boardsat cnf` for a case."""
    spec, settings, transform_name = case
    arguments = [spec]
    for key, setting in settings.items():
        arguments += ["--set", f"{key}={setting}"]
    transforms = TRANSFORMS[transform_name]
    arguments += ["--propagate"] if "propagate" in transforms else []
    arguments += ["--three-cnf", transforms["three_cnf"]] if "three_cnf" in transforms else []
    arguments += ["--shuffle", str(transforms["shuffle"])] if "shuffle" in transforms else []
    return arguments
