"""Partial assignments by the setting `fix`: what a solution must have or not, in words of views.

    a1          a mark, or a fill              !a1    none there, or: not a1
    a1=5        a label; a word instead of a number where the view has words
    a1-b3       an edge or a move, whichever way; on a directed board from the first to the second
    queen a1    by its sign, or the name of its variable, where several views have a square

Each becomes a constraint of its own, as if the spec had said it. So whatever knows of constraints
knows of it: sizes, files, counts, explanations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.algorithms import rotation_orbit
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board
from boardsat.generators.boards import _squares as squares
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.schema import Constraint
from boardsat.generators.sections.decode import Drawing, view_rows
from boardsat.generators.sections.parameters import FIX

CELLS = ("mark", "fill", "label")
PAIRS = ("edges", "arcs", "turned", "lines", "arrows", "walls")
"""Views that can be fixed. What a tour has at a position depends on where it begins."""

QUARTERS = {"90": 1, "180": 2}
"""Quarter rotations of a `turned` view, by the value of the parameter `turn` in degrees."""

MOST = 1000
"""Entries."""

REMEDY = "write for example a1, !a1, a1=5 or a1-b3"


class _Shown(NamedTuple):
    """What a view shows: a number for every row and role, and the member that each row is of."""

    kind: str
    variable: str
    names: tuple[str, ...]
    """By what it can be chosen: its sign, its variable."""
    roles: Mapping[str, Ints]
    members: list[str]
    """As they are written in a spec: `X[3, 4]`."""
    words: Sequence[str]
    ends: tuple[Ints, Ints] | None
    """Of integers the least and the largest value, for every row."""

    @property
    def has_values(self) -> bool:
        return self.ends is not None or "value" in self.roles


def fixed(text: str, drawing: Drawing, scope: Scope, board: Board | None) -> list[Constraint]:
    """Return one constraint for each entry of the setting."""
    if board is None:
        raise InputError("there is no board to fix anything on", "leave it out", FIX)
    entries = [entry.strip() for entry in text.split(",")]
    if not all(entries) or len(entries) > MOST:
        raise InputError(f"nothing between commas, or more than {MOST:,} of them", REMEDY, FIX)
    views = [_shown(view, drawing, scope, board) for view in drawing.decode]
    reader = _Reader([view for view in views if view is not None], board)
    return [constraint for entry in entries for constraint in reader.constraints(entry)]


def _shown(view: Mapping[str, Any], drawing: Drawing, scope: Scope, board: Board) -> _Shown | None:
    kind, name = view["view"], view["variable"]
    if kind not in (*CELLS, *PAIRS):
        return None
    variable = scope.members[name]
    rows, indices, roles = view_rows(
        view, variable, drawing.columns, ("cell", "value", "from", "to")
    )
    if not roles.keys() & {"cell", "from"}:
        return None  # beside a row, or at a corner
    if "value" in roles:
        roles["value"] = roles["value"] + view.get("plus", 0)
    integer = scope.integers.get(name)
    shown = _Shown(
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
    return _with_images(shown, scope, board) if kind == "turned" else shown


def _with_images(shown: _Shown, scope: Scope, board: Board) -> _Shown | None:
    """Return the view with a row for every image of a move under rotation, of the same member.

    None if the spec has no parameter `turn`, by which the answer is decoded.
    """
    turn = scope.values.get("turn")
    if not isinstance(turn, str) or turn not in QUARTERS:
        return None
    image = rotation_orbit.compute(board, QUARTERS[turn]).values
    roles = {role: image[cells].ravel() for role, cells in shown.roles.items()}
    members = [member for member in shown.members for _ in range(image.shape[1])]
    return shown._replace(roles=roles, members=members)


class _Reader:
    def __init__(self, views: list[_Shown], board: Board) -> None:
        self.views, self.board = views, board

    def constraints(self, entry: str) -> Iterator[Constraint]:
        """Yield the constraints of an entry: one of its members is true, or all are false."""
        negated, words = entry.startswith("!"), entry.removeprefix("!").split()
        if words[:1] == ["not"]:
            negated, words = not negated, words[1:]
        *names, place = words or [""]
        members = self._chosen(entry, names, place)
        clauses = [[f"not ({each})"] for each in members] if negated else [members]
        for literals in clauses:
            parts = tuple(ExpressionText(literal, FIX) for literal in literals)
            texts = {"clause": parts}
            yield Constraint(
                f"{FIX} {entry}", FIX, "clause", None, None, False, lazy=False, texts=texts
            )

    def _chosen(self, entry: str, names: list[str], place: str) -> list[str]:
        """Return the members, as literals of a spec, of the only view that matches the entry."""
        views = self._called(entry, names, place)
        # Views that show the same, or nothing there, leave no choice.
        found: dict[tuple[str, ...], _Shown] = {}
        for view in views:
            found.setdefault(tuple(dict.fromkeys(self._members(view, place))), view)
        found.pop((), None)
        if not found:
            fault = f"no {views[0].names[0]} can be {'on ' if '=' not in place else ''}{place}"
            raise InputError(f"{fault} (in {entry!r})", "leave it out", FIX)
        if len(found) > 1:
            words = " or ".join(f"{name} {place}" for name in _told_apart([*found.values()]))
            raise InputError(f"{entry!r} can mean {words}", "write which", FIX)
        (members,) = found
        return [*members]

    def _called(self, entry: str, names: list[str], place: str) -> list[_Shown]:
        """Return the views that have this name and show such values."""
        named = [view for view in self.views if not names or names in ([n] for n in view.names)]
        if views := [view for view in named if self._fits(view, place)]:
            return views
        known = [*dict.fromkeys(view.names[0] for view in self.views)]
        offered = f"; it shows {', '.join(known)}" if names and known else ""
        fault = f"no view of the spec shows what {entry!r} says{offered}"
        raise InputError(fault, self._remedy(), FIX)

    def _remedy(self) -> str:
        """Return a remedy that names the forms of entries that fit some view of the spec."""
        forms = [
            "a1-b3" if view.kind in PAIRS else "a1=5" if view.has_values else "a1"
            for view in self.views
        ]
        if not forms:
            return "use another encoding, or leave it out"
        return f"write for example {' or '.join([*dict.fromkeys(forms), f'!{forms[0]}'])}"

    def _fits(self, view: _Shown, place: str) -> bool:
        """Whether a view shows such things."""
        if view.kind in PAIRS:
            return self._ends(place) is not None
        return ("=" in place) == view.has_values and not self._is_pair(place)

    def _is_pair(self, place: str) -> bool:
        """Whether it can be nothing else."""
        try:
            is_label = place in self.board.description.get("labels", ())
            return not is_label and self._ends(place) is not None
        except InputError:
            return False

    def _members(self, view: _Shown, place: str) -> list[str]:
        if view.kind in PAIRS:
            return _at(view, self._joined(view, place))
        where, _, value = place.partition("=")
        at = view.roles["cell"] == self._cell(where)
        return _valued(view, at, value) if view.has_values else _at(view, at)

    def _joined(self, view: _Shown, place: str) -> Bools:
        ends = self._ends(place)
        assert ends is not None
        one, other = ends
        joined: Bools = (view.roles["from"] == one) & (view.roles["to"] == other)
        if not self.board.directed:
            joined |= (view.roles["from"] == other) & (view.roles["to"] == one)
        return joined

    def _ends(self, place: str) -> tuple[int, int] | None:
        """Return the two cells joined by a hyphen; labels of a graph may contain hyphens too."""
        wrong: InputError | None = None
        for at, sign in enumerate(place):
            if sign == "-":
                try:
                    return self._cell(place[:at]), self._cell(place[at + 1 :])
                except InputError as error:
                    wrong = error
        if wrong is not None and place not in self.board.description.get("labels", ()):
            raise wrong
        return None

    def _cell(self, word: str) -> int:
        """Return the cell with this label or chess name."""
        about = self.board.description
        if "labels" in about:
            if word not in about["labels"]:
                raise InputError(f"no vertex {word!r}", "use the labels of the graph", FIX)
            return int(about["labels"].index(word))
        if squares.have_names(about) and squares.is_name(word):
            try:
                place = squares.place_of(word, about["rows"], about["cols"])
            except InputError as error:
                raise error.at(FIX) from None
        elif word.isdecimal() and word.isascii() and len(word) < 10:
            place = int(word) - about.get("first", 0)
        else:
            raise InputError(f"{word!r} is no place of the board", REMEDY, FIX)
        if not 0 <= place < self.board.places:
            raise InputError(f"no place {word} on the board", REMEDY, FIX)
        if (cell := self.board.cell(place)) < 0:
            raise InputError(f"{word} is {self.board.describe_obstacle(place)}", "fix another", FIX)
        return cell


def _told_apart(views: list[_Shown]) -> list[str]:
    """Each by its sign, or by its variable where they have the same sign."""
    signs, variables = zip(*(view.names for view in views), strict=True)
    return [*(signs if len(set(signs)) == len(signs) else variables)]


def _at(view: _Shown, at: Bools) -> list[str]:
    return [view.members[row] for row in np.flatnonzero(at)]


def _valued(view: _Shown, at: Bools, value: str) -> list[str]:
    """Those that have a value; an integer is compared with it."""
    if value in view.words:
        number = view.words.index(value)
    elif value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 10:
        number = int(value)
    else:
        raise InputError(f"{value!r} is no number", REMEDY, FIX)
    if view.ends is None:
        return _at(view, at & (view.roles["value"] == number))
    low, high = view.ends
    return [
        f"{member} == {number}" for member in _at(view, at & (low <= number) & (number <= high))
    ]
