"""Partial assignments by the setting `fix`, in the notation of the views of a spec.

    a1          a mark or fill is on a1          !a1    or `not a1`: none is there
    a1=5        a label has the value 5; a word instead of a number if the view has words
    a1-b3       an edge or move; on a directed board from the first to the second cell
    queen a1    a sign or the name of a variable selects one of several views of a cell

Each entry becomes a constraint, as if it were written in the spec, so that sizes, files, counts and
explanations include it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board
from boardsat.generators.boards import _squares as squares
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.values import Table
from boardsat.generators.schema import Constraint
from boardsat.generators.sections.decode import Drawing, view_rows
from boardsat.generators.sections.parameters import FIX

CELL_VIEWS = ("mark", "fill", "label")
PAIR_VIEWS = ("edges", "arcs", "turned", "lines", "arrows", "walls")
"""Views that can be fixed; `order` cannot, as the position of a cell depends on the start."""

QUARTERS = {"90": 1, "180": 2}
"""Quarter rotations of a `turned` view, by the value of the parameter `turn` in degrees."""

MAX_ENTRIES = 1000

REMEDY = "write for example a1, !a1, a1=5 or a1-b3"


class _ViewRows(NamedTuple):
    """Rows of a view: for each row its member, and the cells and values that the member shows."""

    kind: str
    variable: str
    names: tuple[str, ...]
    """Names that select the view: its sign and its variable."""
    roles: Mapping[str, Ints]
    members: list[str]
    """Member of each row as it is written in a spec: `X[3, 4]`."""
    value_words: Sequence[str]
    """Words for the values 0, 1 and so on; empty if values are numbers."""
    ranges: tuple[Ints, Ints] | None
    """Least and largest value of the integer of each row; None for Boolean variables."""

    @property
    def has_values(self) -> bool:
        return self.ranges is not None or "value" in self.roles

    def members_at(self, rows: Bools) -> list[str]:
        """Return the members of some rows."""
        return [self.members[row] for row in np.flatnonzero(rows)]

    def members_with_value(self, rows: Bools, value: str) -> list[str]:
        """Return the members, or comparisons of integers, of the rows that show a value."""
        if value in self.value_words:
            number = self.value_words.index(value)
        elif value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 10:
            number = int(value)
        else:
            raise InputError(f"the value must be a number (got {value!r})", REMEDY, FIX)
        if self.ranges is None:
            return self.members_at(rows & (self.roles["value"] == number))
        low, high = self.ranges
        members = self.members_at(rows & (low <= number) & (number <= high))
        return [f"{member} == {number}" for member in members]


def fixed(text: str, drawing: Drawing, scope: Scope, board: Board | None) -> list[Constraint]:
    """Return a constraint for every entry of the setting."""
    if board is None:
        raise InputError("the spec must have a board", "remove the setting", FIX)
    entries = [entry.strip() for entry in text.split(",")]
    if not all(entries) or len(entries) > MAX_ENTRIES:
        fault = f"the setting must have 1 to {MAX_ENTRIES:,} entries, separated by commas"
        raise InputError(fault, REMEDY, FIX)
    views = [_rows_of_view(view, drawing, scope) for view in drawing.decode]
    parser = _Parser([view for view in views if view is not None], board)
    return [constraint for entry in entries for constraint in parser.constraints(entry)]


def _rows_of_view(view: Mapping[str, Any], drawing: Drawing, scope: Scope) -> _ViewRows | None:
    """Return the rows of a view; None if it cannot be fixed."""
    kind, name = view["view"], view["variable"]
    if kind not in (*CELL_VIEWS, *PAIR_VIEWS):
        return None
    variable = scope.members[name]
    rows, indices, roles = view_rows(
        view, variable, drawing.columns, ("cell", "value", "from", "to")
    )
    if not roles.keys() & {"cell", "from"}:
        return None  # labels of rows, columns or corners
    if "value" in roles:
        roles["value"] = roles["value"] + view.get("plus", 0)
    integer = scope.integers.get(name)
    view_of_members = _ViewRows(
        kind,
        name,
        (str(view.get("sign", name)), name),
        roles,
        [f"{name}[{', '.join(map(str, row))}]" for row in zip(*indices, strict=True)]
        if indices
        else [name] * len(rows),
        view.get("words", ()),
        (integer.low[rows], integer.high[rows]) if integer is not None else None,
    )
    return _with_images(view_of_members, scope) if kind == "turned" else view_of_members


def _with_images(view: _ViewRows, scope: Scope) -> _ViewRows | None:
    """Return the view with a row for every image of each move under rotation.

    All images of a move have the same member. None if the spec has no parameter `turn`, which
    states the rotation.
    """
    turn = scope.values.get("turn")
    if not isinstance(turn, str) or turn not in QUARTERS:
        return None
    orbits = scope.algorithms["rotation_orbit"](QUARTERS[turn])
    assert isinstance(orbits, Table)
    roles = {role: orbits.values[cells].ravel() for role, cells in view.roles.items()}
    order = orbits.values.shape[1]
    members = [member for member in view.members for _ in range(order)]
    return view._replace(roles=roles, members=members)


class _Parser:
    """Parser of the entries of the setting."""

    def __init__(self, views: list[_ViewRows], board: Board) -> None:
        self.views, self.board = views, board

    def constraints(self, entry: str) -> Iterator[Constraint]:
        """Yield the constraints of an entry: one of its members is true, or all are false."""
        negated, tokens = entry.startswith("!"), entry.removeprefix("!").split()
        if tokens[:1] == ["not"]:
            negated, tokens = not negated, tokens[1:]
        *names, target = tokens or [""]
        members = self._members_of_entry(entry, names, target)
        clauses = [[f"not ({member})"] for member in members] if negated else [members]
        for literals in clauses:
            texts = {"clause": tuple(ExpressionText(literal, FIX) for literal in literals)}
            yield Constraint(
                f"{FIX} {entry}", FIX, "clause", None, None, False, lazy=False, texts=texts
            )

    def _members_of_entry(self, entry: str, names: list[str], target: str) -> list[str]:
        """Return the members that show the target, of the only view that has some."""
        views = self._views_of_entry(entry, names, target)
        # Views with the same members, or with none, are not ambiguous.
        view_of: dict[tuple[str, ...], _ViewRows] = {}
        for view in views:
            view_of.setdefault(tuple(dict.fromkeys(self._members(view, target))), view)
        view_of.pop((), None)
        if not view_of:
            fault = f"no {views[0].names[0]} can be {'on ' if '=' not in target else ''}{target}"
            raise InputError(f"{fault} (in {entry!r})", "remove the entry", FIX)
        if len(view_of) > 1:
            choices = " or ".join(
                f"{name} {target}" for name in _distinct_names([*view_of.values()])
            )
            raise InputError(f"{entry!r} is ambiguous", f"write {choices}", FIX)
        (members,) = view_of
        return [*members]

    def _views_of_entry(self, entry: str, names: list[str], target: str) -> list[_ViewRows]:
        """Return the views that have the name, if there is one, and show such targets."""
        named = [view for view in self.views if not names or names in ([n] for n in view.names)]
        if views := [view for view in named if self._is_possible(view, target)]:
            return views
        signs = [*dict.fromkeys(view.names[0] for view in self.views)]
        choices = f" (its views show {', '.join(signs)})" if names and signs else ""
        raise InputError(f"no view of the spec shows {entry!r}{choices}", self._remedy(), FIX)

    def _remedy(self) -> str:
        """Return a remedy that names the forms of entries that fit some view of the spec."""
        forms = [
            "a1-b3" if view.kind in PAIR_VIEWS else "a1=5" if view.has_values else "a1"
            for view in self.views
        ]
        if not forms:
            return "use another encoding, or remove the setting"
        return f"write for example {' or '.join([*dict.fromkeys(forms), f'!{forms[0]}'])}"

    def _is_possible(self, view: _ViewRows, target: str) -> bool:
        """Return True if the view shows targets of this form."""
        if view.kind in PAIR_VIEWS:
            return self._ends(target) is not None
        return ("=" in target) == view.has_values and not self._is_pair(target)

    def _is_pair(self, target: str) -> bool:
        """Return True if the target must be a pair of cells, because no cell has this label."""
        try:
            is_label = target in self.board.description.get("labels", ())
            return not is_label and self._ends(target) is not None
        except InputError:
            return False

    def _members(self, view: _ViewRows, target: str) -> list[str]:
        if view.kind in PAIR_VIEWS:
            return view.members_at(self._joins(view, target))
        cell, _, value = target.partition("=")
        rows = view.roles["cell"] == self._cell(cell)
        return view.members_with_value(rows, value) if view.has_values else view.members_at(rows)

    def _joins(self, view: _ViewRows, target: str) -> Bools:
        """Return True for each row that shows the pair."""
        ends = self._ends(target)
        assert ends is not None
        u, v = ends
        origin, destination = view.roles["from"], view.roles["to"]
        joins: Bools = (origin == u) & (destination == v)
        if not self.board.directed:
            joins |= (origin == v) & (destination == u)
        return joins

    def _ends(self, target: str) -> tuple[int, int] | None:
        """Return the two cells on either side of a hyphen; None if the target is not a pair.

        Labels of vertices may contain hyphens too.
        """
        last_error: InputError | None = None
        for index, sign in enumerate(target):
            if sign == "-":
                try:
                    return self._cell(target[:index]), self._cell(target[index + 1 :])
                except InputError as error:
                    last_error = error
        if last_error is not None and target not in self.board.description.get("labels", ()):
            raise last_error
        return None

    def _cell(self, name: str) -> int:
        """Return the cell of a label, a square or a number."""
        board = self.board.description
        if "labels" in board:
            if name not in board["labels"]:
                fault = f"the graph has no vertex {name!r}"
                raise InputError(fault, "use the labels of the graph", FIX)
            return int(board["labels"].index(name))
        if squares.have_names(board) and squares.is_name(name):
            try:
                place = squares.place_of(name, board["rows"], board["cols"])
            except InputError as error:
                raise error.at(FIX) from None
        elif name.isdecimal() and name.isascii() and len(name) < 10:
            place = int(name) - board.get("first", 0)
        else:
            raise InputError(f"{name!r} is not a place of the board", REMEDY, FIX)
        if not 0 <= place < self.board.places:
            raise InputError(f"the board has no place {name}", REMEDY, FIX)
        if (cell := self.board.cell(place)) < 0:
            fault = f"{name} is {self.board.describe_obstacle(place)}"
            raise InputError(fault, "name a place with a cell", FIX)
        return cell


def _distinct_names(views: list[_ViewRows]) -> list[str]:
    """Return the signs of views, or their variables if two have the same sign."""
    signs, variables = zip(*(view.names for view in views), strict=True)
    return [*(signs if len(set(signs)) == len(signs) else variables)]
