"""Views in the header of a file: displayed variable, roles of its indices, and drawing style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import MAX_NUMBER
from boardsat.adapters.dimacs.header_variables import MAX_INDICES, Variable
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError

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
OPTIONAL_ROLES = {"fill": ("value",), "table": ("value", "item")}
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

_MAX_TEXT_LENGTH = 20
"""Maximum length of a sign or of the text of a value."""
_MAX_VALUES, _MAX_TITLE_LENGTH = 100, 60


@dataclass(frozen=True)
class ViewStyle:
    """Options of the drawing of a view."""

    plus: int = 0
    """Offset of displayed values."""
    sign: str = ""
    """Text that marks a cell; empty for the default."""
    colours: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Texts of the values 0, 1 and so on."""
    at: str = ""
    """Position of a text in its cell, one of SPOTS; empty for the middle."""
    apart: bool = False
    """True if the view begins a separate drawing."""
    name: str = ""
    """Title of a list or a table."""
    heads: tuple[str, str] = ("", "")
    """Headings of the rows and the columns of a table."""
    default: int | None = None
    """Value of an index that has none."""


@dataclass(frozen=True, eq=False)
class HeaderView:
    """View of the true members of a variable, or static view with a column of numbers per role."""

    kind: str
    variable: str = ""
    """Name of the variable. Empty for static views and atoms of a logic program."""
    atom: str = ""
    """Name of the displayed atoms of a logic program. Empty for other views."""
    indices: Mapping[str, int] = field(default_factory=dict)
    """Positions of the indices of the variable, by role."""
    columns: Mapping[str, Ints] = field(default_factory=dict)
    """Numbers of all rows, by role, for roles that are not an index."""
    members: Ints | None = None
    """Member of every row. None if the rows are the members in order."""
    value_role: str = ""
    """Role of the value of an integer variable; empty for others."""
    style: ViewStyle = ViewStyle()

    @property
    def roles(self) -> tuple[str, ...]:
        return (*self.indices, *self.columns)

    @property
    def comparison_key(self) -> tuple[object, ...]:
        """Properties that determine what is displayed, without titles."""
        columns = [(role, column.tolist()) for role, column in self.columns.items()]
        members = None if self.members is None else self.members.tolist()
        style = replace(self.style, name="", heads=("", ""))
        return (self.kind, self.variable, self.atom, dict(self.indices), columns, members, style)

    @property
    def label_position(self) -> str:
        """Position of a label relative to the board: one of LABEL_POSITIONS."""
        return next((role for role in self.roles if role in LABEL_POSITIONS), "cell")

    def members_of(self, variable: Variable) -> Ints:
        """Return the index of the member of every row."""
        return np.arange(len(variable.keys)) if self.members is None else self.members

    def numbers(self, variable: Variable, rows: Ints) -> dict[str, list[int]]:
        """Return the numbers of some rows, by role."""
        numbers = {role: column[rows].tolist() for role, column in self.columns.items()}
        if self.indices:
            keys = variable.keys[self.members_of(variable)[rows]]
            indices = np.unravel_index(keys, variable.shape)
            numbers |= {role: indices[position].tolist() for role, position in self.indices.items()}
        return numbers

    @property
    def is_direct(self) -> bool:
        """True if each member of the variable is one row, with its indices as numbers."""
        return not self.columns and self.members is None


def read_view(
    entries: dict[str, Any], variables: Mapping[str, Variable], columns: Mapping[int, Ints]
) -> HeaderView:
    """Parse a view of a variable or of the atoms of a logic program."""
    kind = _kind(entries)
    name, value_role, num_indices, count = "", "", MAX_INDICES, None
    if "atom" not in entries:
        name = header_values.text(entries, "variable")
        if name not in variables:
            raise MalformedError(f"the variable {name[:30]!r} is not declared")
        num_indices, count = len(variables[name].shape), len(variables[name].keys)
        value_role = _value_role(kind, variables[name])
    role_columns = _columns(entries, columns)
    members = _members(entries, columns, count)
    roles = [role for role in _roles(kind, {**entries, **role_columns}) if role != value_role]
    indices = {
        role: header_values.integer(entries, role, 0, num_indices - 1)
        for role in roles
        if role not in role_columns
    }
    lengths = {len(column) for column in role_columns.values()}
    if members is not None:
        lengths.add(len(members))
    elif role_columns and count is not None:
        lengths.add(count)
    if len(lengths) > 1:
        raise header_values.malformed("columns", "have equal lengths", sorted(lengths))
    return HeaderView(
        kind,
        name,
        header_values.text(entries, "atom"),
        indices,
        {role: role_columns[role] for role in roles if role in role_columns},
        members,
        value_role,
        _style(entries, kind),
    )


def _value_role(kind: str, variable: Variable) -> str:
    """Return the role of the value of an integer variable; empty for other variables."""
    if variable.integers is None:
        return ""
    if kind not in VALUE_ROLES:
        kinds = ", ".join(VALUE_ROLES)
        raise header_values.malformed("a view of integers", f"be one of {kinds}", kind)
    return VALUE_ROLES[kind]


def read_static_view(entries: dict[str, Any], columns: Mapping[int, Ints]) -> HeaderView:
    """Parse a static view."""
    kind = _kind(entries)
    if kind in _TOURS:
        raise MalformedError(f"a view `{kind}` must have a variable")
    role_columns = _columns(entries, columns)
    roles = _roles(kind, role_columns)
    if missing_roles := [role for role in roles if role not in role_columns]:
        raise MalformedError(f"`{missing_roles[0]}` must have a column")
    if len(lengths := {len(role_columns[role]) for role in roles}) > 1:
        raise header_values.malformed("columns", "have equal lengths", sorted(lengths))
    return HeaderView(
        kind, columns={role: role_columns[role] for role in roles}, style=_style(entries, kind)
    )


def read_board_style(entries: dict[str, Any]) -> str:
    return _choice(header_values.text(entries, "ground"), BOARD_STYLES, "ground")


def _kind(entries: dict[str, Any]) -> str:
    return _choice(header_values.text(entries, "view"), tuple(VIEWS), "view")


def _choice(name: str, choices: tuple[str, ...], noun: str) -> str:
    """Return the name; raise MalformedError if it is not one of the choices."""
    if name not in choices:
        raise header_values.malformed(f"`{noun}`", f"be one of {', '.join(choices)}", name)
    return name


def _roles(kind: str, entries: Mapping[str, Any]) -> list[str]:
    """Return the roles of a view: the required ones, and the first optional one that occurs."""
    required = VIEWS[kind]
    if kind == "label":
        positions = [position for position in LABEL_POSITIONS if position in entries]
        required = (*(positions[:1] or ["cell"]), "value")
    return [*required, *[role for role in OPTIONAL_ROLES.get(kind, ()) if role in entries][:1]]


def _columns(entries: dict[str, Any], columns: Mapping[int, Ints]) -> dict[str, Ints]:
    """Return the columns that a view refers to, by role."""
    numbers = entries.get("columns", {})
    if type(numbers) is not dict:
        raise header_values.malformed("`columns`", "be a mapping", numbers)
    return {role: _column(numbers, role, columns) for role in numbers}


def _column(numbers: dict[str, Any], key: str, columns: Mapping[int, Ints]) -> Ints:
    number = header_values.integer(numbers, key, 0, MAX_NUMBER)
    if number not in columns:
        raise MalformedError(f"`{key}` refers to column {number}, which is missing")
    return columns[number]


def _members(
    entries: dict[str, Any], columns: Mapping[int, Ints], count: int | None
) -> Ints | None:
    """Return the member of every row; None if the rows are the members in order."""
    if "members" not in entries:
        return None
    members = _column(entries, "members", columns)
    if count is None or (len(members) and members.max() >= count):
        constraint = f"be below {count or 0:,}, the number of members of the variable"
        raise header_values.malformed("`members`", constraint, int(members.max(initial=0)))
    return members


def _style(entries: dict[str, Any], kind: str) -> ViewStyle:
    # A label without `plus` is from a version that always added one.
    plus = {"plus": 1 if kind == "label" else 0} | entries
    spot = header_values.text(entries, "at")
    colours = [
        _choice(str(colour), COLOURS, "colours")
        for colour in header_values.json_list(entries, "colours")
    ]
    texts = [
        _short_line({"words": text}, "words") for text in header_values.json_list(entries, "words")
    ]
    if (size := max(len(texts), len(colours))) > _MAX_VALUES:
        constraint = f"have at most {_MAX_VALUES} entries"
        raise header_values.malformed("`words` and `colours`", constraint, size)
    default = None
    if "default" in entries:
        default = header_values.integer(entries, "default", -MAX_NUMBER, MAX_NUMBER)
    return ViewStyle(
        plus=header_values.integer(plus, "plus", -MAX_NUMBER, MAX_NUMBER),
        sign=_short_line(entries, "sign"),
        colours=tuple(colours),
        words=tuple(texts),
        at=_choice(spot, SPOTS, "at") if spot else "",
        apart=entries.get("apart") is True,
        name=_short_line(entries, "name", _MAX_TITLE_LENGTH),
        heads=_heads(entries),
        default=default,
    )


def _heads(entries: dict[str, Any]) -> tuple[str, str]:
    heads = header_values.json_list(entries, "heads") or ["", ""]
    if len(heads) != 2:
        raise header_values.malformed("`heads`", "be two texts, for rows and columns", heads)
    rows, columns = (_short_line({"heads": head}, "heads", _MAX_TITLE_LENGTH) for head in heads)
    return rows, columns


def _short_line(entries: dict[str, Any], key: str, max_length: int = _MAX_TEXT_LENGTH) -> str:
    text = header_values.line(entries, key)
    if len(text) > max_length:
        constraint = f"have at most {max_length} characters"
        raise header_values.malformed(f"`{key}`", constraint, len(text))
    return text
