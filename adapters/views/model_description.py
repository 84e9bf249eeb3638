"""Describe a model: its true variables in the words of the spec, or its literals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from boardsat.adapters.answer import AnswerSet, Model, literals_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_variables import Integers, Variable

_INDEX = re.compile(r"\{\s*(\w+)\s*(?:([+-])\s*(\d{1,9})\s*)?\}")
"""Placeholder of an index: `{i}`, or `{v + 1}` to count from 1."""

_WIDTH = 78


def true_lines(header: Header, model: Model) -> list[str]:
    """Return a line for each true variable, or `v` lines if the file names no variables."""
    if not header.variables:
        return _literals(model)
    found = [
        line for variable in header.variables.values() for line in _members(variable, header, model)
    ]
    return found or ["no variable of the spec is true"]


def _members(variable: Variable, header: Header, model: Model) -> Iterator[str]:
    if variable.integers is not None:
        yield from _values(variable, variable.integers, header, model)
        return
    for row in _true(variable, model):
        name = f"{variable.name}[{', '.join(map(str, row))}]" if row else variable.name
        known = header.parameters | dict(zip(variable.index, row, strict=False))
        yield f"{name}: {_filled(variable.means, known)}" if variable.means else name


def _values(variable: Variable, integers: Integers, header: Header, model: Model) -> Iterator[str]:
    """Yield a line for every integer variable and its value."""
    told = integers.values(model[variable.ids] > 0).tolist()
    indices = np.unravel_index(variable.keys, variable.shape) if variable.shape else ()
    rows = zip(*(column.tolist() for column in indices), strict=True) if indices else [()]
    for row, value in zip(rows, told, strict=False):
        name = f"{variable.name}[{', '.join(map(str, row))}]" if row else variable.name
        known = header.parameters | dict(zip(variable.index, row, strict=False))
        means = _filled(variable.means, known | {variable.name: value})
        yield f"{name}: {means}" if means else f"{name} = {value}"


def _true(variable: Variable, model: Model) -> list[tuple[int, ...]]:
    """Return the indices of the true members of a variable."""
    if not variable.shape:
        return [() for number in variable.ids if model[number] > 0]
    return list(zip(*(column.tolist() for column in variable.members(model > 0)), strict=True))


def _filled(means: str, known: Mapping[str, Any]) -> str:
    """Return the description with its placeholders filled in."""

    def fill(match: re.Match[str]) -> str:
        value = known.get(match[1])
        if match[2] is None or type(value) is not int:
            return match[0] if value is None else str(value)
        return str(value + int(match[2] + match[3]))

    return _INDEX.sub(fill, means)


def _literals(model: Model) -> list[str]:
    """Return `v` lines, as solvers print them."""
    words = [*map(str, literals_of(model)), "0"]
    # Literals per line, by the width of the longest.
    step = (_WIDTH - 1) // (len(str(len(model))) + 2)
    return [" ".join(["v", *words[at : at + step]]) for at in range(0, len(words), step)]


def atoms_of(answer_set: AnswerSet) -> list[str]:
    """Return the atoms of an answer set, as clingo prints them."""
    shown = [f"{name}({','.join(map(str, numbers))})" for name, numbers in answer_set]
    return shown or ["no atom is shown"]
