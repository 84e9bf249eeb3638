"""Views in the header of a file: the variable that they show, its roles, and its drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import LARGEST
from boardsat.adapters.dimacs.header_variables import MAX_INDICES, Variable
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

Ints = npt.NDArray[np.int64]

VIEWS = {
    "order": ("cell", "position"),
    "arcs": ("from", "to"),
    "edges": ("from", "to"),
    "turned": ("from", "to"),
    "mark": ("cell",),
    "label": ("cell", "value"),
    "fill": ("cell",),
    "lines": ("from", "to"),
    "arrows": ("from", "to"),
    "walls": ("from", "to"),
    "list": ("index", "value"),
    "table": ("row", "column"),
    "pairs": ("from", "to"),
    "set": ("item",),
}
"""Required roles of the indices, by kind of view."""
MORE_ROLES = {"fill": ("value",), "table": ("value", "item")}
"""Optional roles, of which a view has at most one."""
OFF_BOARD = ("list", "table", "pairs", "set")
"""Views that need no board."""
VALUE_ROLES = {
    **dict.fromkeys(("label", "fill", "list", "table"), "value"),
    "order": "position",
}
"""Role of the value of an integer, by kind of view."""
LABEL_POSITIONS = ("cell", "corner", "left", "right", "above", "below")
"""Positions of a label: one of its roles."""
_TOURS = ("order", "arcs", "edges", "turned")
BOARD_STYLES = ("chess", "plain", "points")
COLOURS = (
    *("black", "grey", "white", "red", "orange", "yellow"),
    *("green", "teal", "blue", "purple", "pink", "brown"),
)
SPOTS = ("centre", "top left", "top right", "bottom left", "bottom right")

_MAX_LENGTH = 20
"""Maximum length of a sign or a word."""
_MAX_WORDS, _MAX_NAME_LENGTH = 100, 60


@dataclass(frozen=True)
class ViewStyle:
    """Options of the drawing of a view."""

    plus: int = 0
    """Offset of displayed values."""
    sign: str = ""
    colours: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Texts of the values 0, 1 and so on."""
    at: str = ""
    """Position in a cell; empty for the middle."""
    apart: bool = False
    """Whether the view begins a separate drawing."""
    name: str = ""
    """Title of a list or a table."""
    heads: tuple[str, str] = ("", "")
    """Headings of the rows and the columns of a table."""
    default: int | None = None
    """Value of an index that has none."""


@dataclass(frozen=True, eq=False)
class HeaderView:
    """View of the true members of a variable, or static view: numbers of each role."""

    kind: str
    variable: str = ""
    """Name of the variable. Empty for static views and atoms of a logic program."""
    atom: str = ""
    indices: Mapping[str, int] = field(default_factory=dict)
    """Positions of the indices of the variable, by role."""
    columns: Mapping[str, Ints] = field(default_factory=dict)
    """Numbers of all rows, by role, for roles that are not an index."""
    members: Ints | None = None
    """Member of every row. None if the rows are the members in order."""
    own: str = ""
    """Role of the value of an integer variable; empty for others."""
    style: ViewStyle = ViewStyle()

    @property
    def roles(self) -> tuple[str, ...]:
        return (*self.indices, *self.columns)

    @property
    def told(self) -> tuple[object, ...]:
        """All properties as comparable values, without titles."""
        columns = [(role, column.tolist()) for role, column in self.columns.items()]
        members = None if self.members is None else self.members.tolist()
        style = replace(self.style, name="", heads=("", ""))
        return (self.kind, self.variable, self.atom, dict(self.indices), columns, members, style)

    @property
    def place(self) -> str:
        """Position of a label."""
        return next((role for role in self.roles if role in LABEL_POSITIONS), "cell")

    def members_of(self, variable: Variable) -> Ints:
        """Return the member of every row."""
        return np.arange(len(variable.keys)) if self.members is None else self.members

    def numbers(self, variable: Variable, rows: Ints) -> dict[str, list[int]]:
        """Return the numbers of some rows, by role."""
        told = {role: column[rows].tolist() for role, column in self.columns.items()}
        if self.indices:
            keys = variable.keys[self.members_of(variable)[rows]]
            indices = np.unravel_index(keys, variable.shape)
            told |= {role: indices[place].tolist() for role, place in self.indices.items()}
        return told

    @property
    def is_direct(self) -> bool:
        """Whether each member is one row that its indices determine."""
        return not self.columns and self.members is None


def read_view(
    about: dict[str, Any], variables: Mapping[str, Variable], columns: Mapping[int, Ints]
) -> HeaderView:
    """Parse a view of a variable or of the atoms of a logic program."""
    kind = _kind(about)
    name, own, most, count = "", "", MAX_INDICES, None
    if "atom" not in about:
        name = header_values.text(about, "variable")
        if name not in variables:
            raise MalformedError(f"no variable {name[:30]!r}")
        most, count = len(variables[name].shape), len(variables[name].keys)
        own = _own(kind, variables[name])
    told = _columns(about, columns, count)
    members = _members(about, columns, count)
    wanted = [role for role in _roles(kind, {**about, **told}) if role != own]
    indices = {
        role: header_values.number(about, role, 0, most - 1) for role in wanted if role not in told
    }
    rows = {len(column) for column in told.values()}
    if len(rows | ({len(members)} if members is not None else {count} if told else set())) > 1:
        raise MalformedError("its columns are of different lengths")
    return HeaderView(
        kind,
        name,
        header_values.text(about, "atom"),
        indices,
        {role: told[role] for role in wanted if role in told},
        members,
        own,
        _style(about, kind),
    )


def _own(kind: str, variable: Variable) -> str:
    if variable.integers is None:
        return ""
    if kind not in VALUE_ROLES:
        raise MalformedError(f"`{kind}` does not show an integer")
    return VALUE_ROLES[kind]


def read_static_view(about: dict[str, Any], columns: Mapping[int, Ints]) -> HeaderView:
    """Parse a static view."""
    kind = _kind(about)
    if kind in _TOURS:
        raise MalformedError(f"a view {kind!r} without a variable")
    told = _columns(about, columns, None)
    wanted = _roles(kind, told)
    if missing := [role for role in wanted if role not in told]:
        raise MalformedError(f"`{missing[0]}` has no column")
    if len({len(told[role]) for role in wanted}) > 1:
        raise MalformedError("its columns are of different lengths")
    return HeaderView(
        kind, columns={role: told[role] for role in wanted}, style=_style(about, kind)
    )


def read_board_style(about: dict[str, Any]) -> str:
    return _one_of(header_values.text(about, "ground"), BOARD_STYLES, "ground")


def _kind(about: dict[str, Any]) -> str:
    return _one_of(header_values.text(about, "view"), tuple(VIEWS), "view")


def _one_of(word: str, known: tuple[str, ...], what: str) -> str:
    if word not in known:
        raise MalformedError(f"no {what} {word[:30]!r}")
    return word


def _roles(kind: str, told: Mapping[str, Any]) -> list[str]:
    """Return the roles of a view."""
    needed = VIEWS[kind]
    if kind == "label":
        places = [place for place in LABEL_POSITIONS if place in told]
        needed = (*(places[:1] or ["cell"]), "value")
    return [*needed, *[role for role in MORE_ROLES.get(kind, ()) if role in told][:1]]


def _columns(
    about: dict[str, Any], columns: Mapping[int, Ints], count: int | None
) -> dict[str, Ints]:
    """Return the columns that a view refers to, by role."""
    told = about.get("columns", {})
    if type(told) is not dict:
        raise MalformedError("`columns` is not a mapping")
    return {role: _column(told, role, columns) for role in told}


def _column(told: dict[str, Any], key: str, columns: Mapping[int, Ints]) -> Ints:
    number = header_values.number(told, key, 0, LARGEST)
    if number not in columns:
        raise MalformedError(f"no column {number}")
    return columns[number]


def _members(about: dict[str, Any], columns: Mapping[int, Ints], count: int | None) -> Ints | None:
    if "members" not in about:
        return None
    members = _column(about, "members", columns)
    if count is None or (len(members) and members.max() >= count):
        raise MalformedError(f"a member of a variable that has {pluralize(count or 0, 'member')}")
    return members


def _style(about: dict[str, Any], kind: str) -> ViewStyle:
    # A label without `plus` is from a version that always added one.
    plus = {"plus": 1 if kind == "label" else 0} | about
    sign, at = header_values.line(about, "sign"), header_values.text(about, "at")
    if len(sign) > _MAX_LENGTH:
        raise MalformedError("`sign` is too long")
    colours = [_one_of(str(c), COLOURS, "colour") for c in header_values.listed(about, "colours")]
    words = [
        header_values.line({"words": word}, "words")
        for word in header_values.listed(about, "words")
    ]
    if max(len(words), len(colours)) > _MAX_WORDS or any(len(word) > _MAX_LENGTH for word in words):
        raise MalformedError("`words` or `colours` are too long")
    default = None
    if "default" in about:
        default = header_values.whole(about["default"], -LARGEST, LARGEST, "default")
    return ViewStyle(
        plus=header_values.number(plus, "plus", -LARGEST, LARGEST),
        sign=sign,
        colours=tuple(colours),
        words=tuple(words),
        at=_one_of(at, SPOTS, "spot") if at else "",
        apart=about.get("apart") is True,
        name=_short(about, "name"),
        heads=_heads(about),
        default=default,
    )


def _heads(about: dict[str, Any]) -> tuple[str, str]:
    words = header_values.listed(about, "heads") or ["", ""]
    if len(words) != 2:
        raise MalformedError("`heads` are not those of rows and of columns")
    rows, columns = (_short({"heads": word}, "heads") for word in words)
    return rows, columns


def _short(about: dict[str, Any], key: str) -> str:
    line = header_values.line(about, key)
    if len(line) > _MAX_NAME_LENGTH:
        raise MalformedError(f"`{key}` is too long")
    return line
