"""What a symmetry does with variables: what a view shows of each is turned with the board.

A member that shows a queen on a1 comes to the one that shows it on h1. Values stay, and so do
indices that are no cells. An edge is the same from either end, unless both ways are members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens, Words
from boardsat.generators.formula import Formula
from boardsat.generators.language.integers import Integer
from boardsat.generators.language.layout import Variable
from boardsat.generators.ragged import within
from boardsat.generators.symmetry.words import ordered_words

ARCS = "arcs"
ENDS = ("cell", "from", "to")
VALUES = ("value", "position")


@dataclass(frozen=True)
class _Rows:
    """What a view shows: of which member, on which cells, and what else is so of it."""

    kind: int
    member: Ints
    ends: tuple[Ints, ...]
    rest: tuple[Ints, ...]


@dataclass(frozen=True)
class _Shown:
    """A variable that boards are read from."""

    variable: Variable | Integer
    members: Variable
    rows: tuple[_Rows, ...]

    def targets(self, image: Ints, reversed_: bool) -> Ints | None:
        """Of every member the one that it becomes, -1 where it is not shown; None: there is none.

        Ends of an edge change places only if no member is found otherwise. Where cells alone tell
        members apart, as of dominoes, a value may be no more than a colour.
        """
        for words in (_directed, _undirected, _cells_alone):
            before = self._words(words, np.arange(len(image)), False)
            after = self._words(words, image, reversed_)
            found = _matched(before, after)
            if found is not None:
                return found
        return None

    def _words(self, words: Callable[..., Words], image: Ints, reversed_: bool) -> Words:
        """A word for what every member shows; 0 for nothing."""
        found = np.zeros(self.members.count, np.uint64)
        for rows in self.rows:
            ends = [image[end] for end in rows.ends]
            word = words(rows.kind, ends[::-1] if reversed_ else ends, rows.rest)
            np.add.at(found, rows.member, word)
        return found


def _directed(kind: int, ends: Sequence[Ints], rest: Sequence[Ints]) -> Words:
    return ordered_words(kind, *ends, *rest)


def _undirected(kind: int, ends: Sequence[Ints], rest: Sequence[Ints]) -> Words:
    together = ordered_words(kind, ends[0]) + ordered_words(kind, ends[-1])
    return ordered_words(kind, together, *rest)


def _cells_alone(kind: int, ends: Sequence[Ints], rest: Sequence[Ints]) -> Words:
    return _undirected(kind, ends, ())


def _matched(before: Words, after: Words) -> Ints | None:
    """Of every member the one whose word its own has become."""
    shown = np.flatnonzero(before)
    order, turned = (shown[np.argsort(words[shown])] for words in (before, after))
    same = np.array_equal(before[order], after[turned])
    if not same or (np.diff(before[order].view(np.int64)) == 0).any():
        return None
    found = np.full(len(before), -1)
    found[turned] = order
    return found


class Action:
    """How the symmetries of a board act on the variables of a formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.shown = _all_shown(formula)
        self.arcs_alone = all(view["view"] == ARCS for view in formula.header.decode)

    @property
    def decided(self) -> Ints:
        """The variables that boards are read from, in order."""
        nothing = self.permutation(np.arange(self._cells))
        assert nothing is not None
        return np.flatnonzero(nothing[: self.formula.variables + 1])

    @property
    def _cells(self) -> int:
        assert self.formula.board is not None
        return self.formula.board.cells

    def permutation(self, image: Ints, reversed_: bool = False) -> Tokens | None:
        """For every literal, negative ones counted from the end, the one that it becomes.

        0 for what no view shows. None where the symmetry does not fit the variables.
        """
        table = np.zeros(self.formula.variables + 1, np.int32)
        for shown in self.shown:
            target = shown.targets(image, reversed_)
            if target is None or not _put(table, shown.variable, target):
                return None
        return np.concatenate([table, -table[:0:-1]])


def _put(table: Tokens, variable: Variable | Integer, target: Ints) -> bool:
    """Write down what the literals of every member become, if integers have the same values."""
    if isinstance(variable, Variable):
        kept = np.flatnonzero(target >= 0)
        table[variable.first + kept] = variable.first + target[kept]
        return True
    sizes = (variable.low, variable.high, variable.widths)
    if (target < 0).any() or any((each != each[target]).any() for each in sizes):
        return False
    for what, literals in variable.tables.items():
        starts = variable.starts(what)
        counts = np.diff(starts)
        rows = np.repeat(np.arange(len(counts)), counts)
        taken = literals[starts[target[rows]] + within(counts)]
        open_ = np.abs(literals) <= len(table) - 1
        table[np.abs(literals[open_])] = np.sign(literals[open_]) * taken[open_]
    return True


def _all_shown(formula: Formula) -> list[_Shown]:
    header = formula.header
    known = {variable.name: variable for variable in header.variables}
    views: dict[str, list[_Rows]] = {}
    for kind, view in enumerate(header.decode):
        variable = known[view["variable"]]
        members = variable.members if isinstance(variable, Integer) else variable
        views.setdefault(variable.name, []).append(_rows(kind, view, members, header.columns))
    return [
        _Shown(variable, variable.members if isinstance(variable, Integer) else variable, (*rows,))
        for name, rows in views.items()
        for variable in [known[name]]
    ]


def _rows(kind: int, view: Mapping[str, Any], members: Variable, columns: Sequence[Ints]) -> _Rows:
    keys = np.arange(members.count) if members.keys is None else members.keys
    member = columns[view["members"]] if "members" in view else np.arange(len(keys))
    indices = np.unravel_index(keys[member], members.shape) if members.shape else ()
    told = view.get("columns", {})
    roles = {
        role: columns[told[role]] if role in told else indices[view[role]]
        for role in (*ENDS, *VALUES)
        if role in told or role in view
    }
    ends = tuple(roles[role] for role in ENDS if role in roles)
    if not ends:
        raise InputError(
            f"the view `{view['view']}` shows nothing on a cell, so there is nothing to turn",
            "leave --symmetry out",
        )
    rest = [roles[role] for role in VALUES if role in roles]
    if not told.keys() & {*ENDS}:
        named = {view[role] for role in roles if role in view}
        rest += [index for place, index in enumerate(indices) if place not in named]
    return _Rows(kind, member, ends, tuple(rest))
