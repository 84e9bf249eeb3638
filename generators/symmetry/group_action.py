"""Group action: the symmetries of a board as permutations of the variables of a formula.

A variable is mapped as its views show it: the one that shows a queen on a1 is mapped to the one
that shows it on h1. Values and indices that are not cells are fixed. An edge is undirected, unless
both of its directions are variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens, Words, within
from boardsat.generators.formula import Formula
from boardsat.generators.language.integers import Integer
from boardsat.generators.language.layout import Variable
from boardsat.generators.randomness.splitmix64 import hash_rows
from boardsat.generators.sections.decode import view_rows

ARCS = "arcs"
ENDS = ("cell", "from", "to")
VALUES = ("value", "position")


@dataclass(frozen=True)
class _Rows:
    """Rows of a view: members of its variable, the cells they are on, and other values."""

    kind: int
    member: Ints
    ends: tuple[Ints, ...]
    values: tuple[Ints, ...]


@dataclass(frozen=True)
class _DecodedVariable:
    """Variable that boards are decoded from, with the rows of all its views."""

    variable: Variable | Integer
    members: Variable
    rows: list[_Rows]

    def images(self, image: Ints, is_reversed: bool) -> Ints | None:
        """Return the image of every member, -1 if no view shows it; None if one has no image.

        The ends of an edge are exchanged only if it has no image otherwise. If cells alone
        distinguish the members, as for dominoes, values may be mere colours.
        """
        for hash_function in (_directed, _undirected, _cells_alone):
            members = self._hashes(hash_function, np.arange(len(image)), False)
            matches = _match(members, self._hashes(hash_function, image, is_reversed))
            if matches is not None:
                return matches
        return None

    def _hashes(self, hash_function: Callable[..., Words], image: Ints, is_reversed: bool) -> Words:
        """Return a hash of what every member shows after the symmetry; 0 if it shows nothing."""
        hashes = np.zeros(self.members.count, np.uint64)
        for rows in self.rows:
            ends = [image[end] for end in rows.ends]
            shown = hash_function(rows.kind, ends[::-1] if is_reversed else ends, rows.values)
            np.add.at(hashes, rows.member, shown)
        return hashes


def _directed(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    return hash_rows(kind, *ends, *values)


def _undirected(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    both = hash_rows(kind, ends[0]) + hash_rows(kind, ends[-1])
    return hash_rows(kind, both, *values)


def _cells_alone(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    return _undirected(kind, ends, ())


def _match(hashes: Words, image_hashes: Words) -> Ints | None:
    """Return for every member the one with the hash of its image; None if not a bijection."""
    shown = np.flatnonzero(hashes)
    order, images = (shown[np.argsort(column[shown])] for column in (hashes, image_hashes))
    is_bijection = np.array_equal(hashes[order], image_hashes[images])
    if not is_bijection or (np.diff(hashes[order].view(np.int64)) == 0).any():
        return None
    matches = np.full(len(hashes), -1)
    matches[images] = order
    return matches


class Action:
    """Action of the symmetries of a board on the variables of a formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.decoded = _decoded_variables(formula)
        self.arcs_alone = all(view["view"] == ARCS for view in formula.header.views.model_views)

    @property
    def decided(self) -> Ints:
        """Variables that boards are decoded from, in order."""
        assert self.formula.board is not None
        identity = self.permutation(np.arange(self.formula.board.cells))
        assert identity is not None
        return np.flatnonzero(identity[: self.formula.variables + 1])

    def permutation(self, image: Ints, is_reversed: bool = False) -> Tokens | None:
        """Return the image of every literal; negative literals count from the end.

        0 for a variable that no view shows. None if the symmetry does not permute the variables.
        """
        table = np.zeros(self.formula.variables + 1, np.int32)
        for decoded in self.decoded:
            target = decoded.images(image, is_reversed)
            if target is None or not _fill(table, decoded.variable, target):
                return None
        return np.concatenate([table, -table[:0:-1]])


def _fill(table: Tokens, variable: Variable | Integer, target: Ints) -> bool:
    """Enter the images of a variable's literals; return False if integers differ in range."""
    if isinstance(variable, Variable):
        shown = np.flatnonzero(target >= 0)
        table[variable.first + shown] = variable.first + target[shown]
        return True
    ranges = (variable.low, variable.high, variable.widths)
    if (target < 0).any() or any((column != column[target]).any() for column in ranges):
        return False
    for name, literals in variable.tables.items():
        starts = variable.starts(name)
        counts = np.diff(starts)
        rows = np.repeat(np.arange(len(counts)), counts)
        images = literals[starts[target[rows]] + within(counts)]
        undecided = np.abs(literals) <= len(table) - 1
        table[np.abs(literals[undecided])] = np.sign(literals[undecided]) * images[undecided]
    return True


def _decoded_variables(formula: Formula) -> list[_DecodedVariable]:
    header = formula.header
    variables = {variable.name: variable for variable in header.variables}
    decoded: dict[str, _DecodedVariable] = {}
    for kind, view in enumerate(header.views.model_views):
        variable = variables[view["variable"]]
        members = variable.members if isinstance(variable, Integer) else variable
        entry = decoded.setdefault(variable.name, _DecodedVariable(variable, members, []))
        entry.rows.append(_rows(kind, view, members, header.views.columns))
    return list(decoded.values())


def _rows(kind: int, view: Mapping[str, Any], members: Variable, columns: Sequence[Ints]) -> _Rows:
    member, indices, roles = view_rows(view, members, columns, (*ENDS, *VALUES))
    ends = tuple(roles[role] for role in ENDS if role in roles)
    if not ends:
        raise InputError(
            f"the view `{view['view']}` shows nothing on a cell, so there is nothing to turn",
            "leave --break-symmetry out",
        )
    values = [roles[role] for role in VALUES if role in roles]
    if not view.get("columns", {}).keys() & {*ENDS}:
        named = {view[role] for role in roles if role in view}
        values += [index for position, index in enumerate(indices) if position not in named]
    return _Rows(kind, member, ends, tuple(values))
