"""Describe models and literals in terms of the variables of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from boardsat.adapters.answer import AnswerSet, Model, literals_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.dimacs.header_entries import Variable

_INDEX = re.compile(r"\{\s*(\w+)\s*(?:([+-])\s*(\d{1,9})\s*)?\}")
"""Placeholder of an index: `{i}`, or `{v + 1}` to count from 1."""

_LINE_WIDTH = 78


def true_lines(header: Header, model: Model) -> list[str]:
    """Return a line for each true variable, or `v` lines if the file names no variables."""
    if not header.variables:
        return _value_lines(model)
    lines = [
        line
        for variable in header.variables.values()
        for line in _member_lines(variable, header, model)
    ]
    return lines or ["no variable of the spec is true"]


def describe_literal(header: Header, literal: int) -> str:
    """Return the meaning of a literal, such as `not H[3, 7] (the tour goes from 3 to 7)`."""
    for variable in header.variables.values():
        if len(positions := (variable.ids == abs(literal)).nonzero()[0]):
            atom = _atom(variable, int(positions[0]), header)
            break
    else:
        atom = f"auxiliary variable {abs(literal)}" if header.variables else str(abs(literal))
    return atom if literal > 0 else f"not {atom}"


def _atom(variable: Variable, position: int, header: Header) -> str:
    """Return a Boolean member with its description, or a relation of an integer (`x >= 3`)."""
    if variable.integers is None:
        indices = variable.member_indices()[position]
        description = _description(variable, indices, header.parameters)
        name = _member_name(variable, indices)
        return f"{name} ({description})" if description else name
    members, last = (column[position] for column in variable.integers.literal_places())
    name = _member_name(variable, variable.member_indices()[members])
    match variable.integers.encoding:
        case "order":
            return f"{name} >= {last}"
        case "direct":
            return f"{name} = {last}"
    low = variable.integers.low[members]
    return f"bit {last} of {name} - {low}" if low else f"bit {last} of {name}"


def _member_lines(variable: Variable, header: Header, model: Model) -> Iterator[str]:
    """Yield a line for every true member of a variable, or for every integer with its value."""
    is_true = model[variable.ids] > 0
    integers = variable.integers
    numbers = integers.decode(is_true).tolist() if integers else [1] * int(is_true.sum())
    rows: Iterable[tuple[int, ...]] = [()] * len(numbers)
    if variable.shape:
        rows = zip(*(column.tolist() for column in variable.members(model > 0)), strict=True)
    for indices, number in zip(rows, numbers, strict=True):
        name = _member_name(variable, indices)
        value = {variable.name: number} if integers else {}
        if description := _description(variable, indices, header.parameters | value):
            yield f"{name}: {description}"
        else:
            yield f"{name} = {number}" if integers else name


def _member_name(variable: Variable, indices: tuple[int, ...]) -> str:
    return f"{variable.name}[{', '.join(map(str, indices))}]" if indices else variable.name


def _description(variable: Variable, indices: tuple[int, ...], values: Mapping[str, Any]) -> str:
    """Return the description of a member with its indices; empty if the spec has none."""
    named_indices = dict(zip(variable.index, indices, strict=False))
    return _fill_in(variable.description, {**values, **named_indices})


def _fill_in(description: str, values: Mapping[str, Any]) -> str:
    """Return the description with its placeholders replaced; unknown names stay as they are."""

    def fill(match: re.Match[str]) -> str:
        value = values.get(match[1])
        if match[2] is None or type(value) is not int:
            return match[0] if value is None else str(value)
        return str(value + int(match[2] + match[3]))

    return _INDEX.sub(fill, description)


def _value_lines(model: Model) -> list[str]:
    """Return `v` lines, as solvers print them."""
    literals = [*map(str, literals_of(model)), "0"]
    per_line = (_LINE_WIDTH - 1) // (len(str(len(model))) + 2)
    starts = range(0, len(literals), per_line)
    return [" ".join(["v", *literals[start : start + per_line]]) for start in starts]


def atoms_of(answer_set: AnswerSet) -> list[str]:
    """Return the atoms of an answer set, as clingo prints them."""
    atoms = [f"{name}({','.join(map(str, numbers))})" for name, numbers in answer_set]
    return atoms or ["no atom is shown"]
