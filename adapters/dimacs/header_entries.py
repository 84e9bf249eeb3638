"""Entries of a header: variables with their members, and views that display them.

A variable has the indices and numbers of its members and, for integers, their values. The value of
an integer is its lower bound plus the weights of its true literals. The weight of a literal is 1
for `order`, its position for `direct`, and a power of two for `binary`. A view has the displayed
variable, the roles of its indices, and the style of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import MAX_HEADER_NUMBERS, MAX_NUMBER, HeaderLimits
from boardsat.base.dataclass import dataclass
from boardsat.base.json_data import MalformedError
from boardsat.base.text import pluralize

Ints = npt.NDArray[np.int64]

# Variables.

Lists = Mapping[str, list[str]]
"""Lines of numbers by the name of their variable."""

Bools = npt.NDArray[np.bool_]

ENCODINGS = ("order", "direct", "binary")

LIST_KEYWORDS = ("keys", "ids", "lows", "highs")
"""Keywords of lines with numbers of a variable."""

MAX_INDICES = 20


@dataclass(frozen=True)
class Variable:
    """Indexed variable of a spec: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    """Position of each member in the shape, row by row."""
    ids: Ints
    """Variable of the formula for each member; for integers, for each literal of each member."""
    index: tuple[str, ...] = ()
    """Names of the indices."""
    description: str = ""
    """Description of a member, with placeholders `{i}` for indices."""
    integers: Integers | None = None
    """Encoding of the values, if the members are integers."""

    def members(self, is_true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """Return the indices of the true members, one array for each index."""
        keys = self.keys[is_true[self.ids]] if self.integers is None else self.keys
        return tuple(np.unravel_index(keys, self.shape))

    def member_indices(self) -> list[tuple[int, ...]]:
        """Return the indices of each member, in the order of `keys`."""
        if not self.shape:
            return [()] * len(self.keys)
        columns = np.unravel_index(self.keys, self.shape)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def numbers_by_indices(self) -> dict[tuple[int, ...], int]:
        """Return the variable of the formula for each member.

        A member of an integer variable has several, distinguished by a last index k: the literal
        means "at least k" (`order`), "equal to k" (`direct`), or is bit k of the difference from
        the lower bound (`binary`).
        """
        indices = self.member_indices()
        if self.integers is not None:
            members, last = self.integers.literal_places()
            indices = [
                (*indices[m], k) for m, k in zip(members.tolist(), last.tolist(), strict=True)
            ]
        return dict(zip(indices, self.ids.tolist(), strict=True))


def read_variable(
    entries: dict[str, Any], lists: Mapping[str, Lists], num_variables: int, limits: HeaderLimits
) -> Variable:
    """Parse a variable from the entries of its line and its lists of keys, numbers and bounds."""
    name = header_values.text(entries, "name")
    if not name.isidentifier():
        raise header_values.malformed("`name`", "be an identifier", name)
    shape = tuple(header_values.integers(entries, "shape", 0, MAX_NUMBER))
    max_count = min(num_variables, MAX_HEADER_NUMBERS)
    count = header_values.integer(entries, "count", 0, max_count)
    first = header_values.integer(entries, "first", 1, MAX_NUMBER)
    if len(shape) > MAX_INDICES or math.prod(shape) > 2**62:
        constraint = f"have at most {MAX_INDICES} numbers, and a product of at most 2**62"
        raise header_values.malformed("`shape`", constraint, shape)
    limits.count_numbers(count)
    integers, num_members = None, count
    if "values" in entries:
        lows, highs = (lists[keyword].get(name, []) for keyword in ("lows", "highs"))
        integers = read_integers(entries, lows, highs, limits)
        num_members = len(integers.low)
        if (num_literals := int(integers.widths.sum())) != count:
            constraint = f"be {num_literals}, the number of literals of its values"
            raise header_values.malformed(f"`count` of {name!r}", constraint, count)
    keys, ids = lists["keys"].get(name), lists["ids"].get(name)
    member_keys = (
        np.arange(num_members)
        if keys is None
        else header_values.expand_runs(keys, HeaderLimits(num_members))
    )
    numbers = first + np.arange(count) if ids is None else header_values.zero_terminated(ids)
    for keyword, column, size, low, high in (
        ("keys", member_keys, num_members, 0, math.prod(shape) - 1),
        ("ids", numbers, count, 1, num_variables),
    ):
        subject = f"the {keyword} of {name!r}"
        if len(column) != size:
            raise header_values.malformed(subject, f"be {pluralize(size, 'number')}", len(column))
        for number in column[(column < low) | (column > high)][:1].tolist():
            raise header_values.malformed(subject, f"be from {low:,} to {high:,}", number)
    index = tuple(map(str, header_values.json_list(entries, "index")))
    description = header_values.line(entries, "description")
    return Variable(name, shape, member_keys, numbers, index, description, integers)


class Integers(NamedTuple):
    """Integer encoding of the members of a variable: bounds and literals."""

    encoding: str
    low: Ints
    high: Ints

    @property
    def widths(self) -> Ints:
        """Number of literals of each member of the variable."""
        ranges = self.high - self.low
        if self.encoding != "binary":
            return ranges + (self.encoding == "direct")
        bits = np.zeros(len(ranges), np.int64)
        for bit in range(int(ranges.max(initial=0)).bit_length()):
            bits += ranges >= 1 << bit
        return bits

    def decode(self, is_true: Bools) -> Ints:
        """Return the values of all members, from the truth values of all literals."""
        member, weights = self._literal_weights()
        offsets = np.zeros(len(self.low), np.int64)
        np.add.at(offsets, member[is_true], weights[is_true])
        return self.low + offsets

    def encode(self, numbers: Ints) -> Bools:
        """Return the truth values of all literals, from the values of all members."""
        member, weights = self._literal_weights()
        offsets: Ints = (numbers - self.low)[member]
        is_true: Bools = offsets & weights > 0
        if self.encoding == "order":
            is_true = self._positions() < offsets
        elif self.encoding == "direct":
            is_true = weights == offsets
        return is_true

    def literal_places(self) -> tuple[Ints, Ints]:
        """Return for every literal its member, and its bound (order), value (direct) or bit."""
        member, position = np.repeat(np.arange(len(self.low)), self.widths), self._positions()
        if self.encoding == "binary":
            return member, position
        return member, self.low[member] + position + (self.encoding == "order")

    def in_bounds(self, numbers: Ints) -> bool:
        """Return whether the value of every member is within its bounds."""
        return bool(((self.low <= numbers) & (numbers <= self.high)).all())

    def _literal_weights(self) -> tuple[Ints, Ints]:
        """Return the member and the weight of every literal."""
        member = np.repeat(np.arange(len(self.low)), self.widths)
        position = self._positions()
        match self.encoding:
            case "order":
                return member, np.ones(len(position), np.int64)
            case "direct":
                return member, position
        return member, 1 << position

    def _positions(self) -> Ints:
        """Return the position of every literal among those of its member."""
        widths = self.widths
        ends = np.cumsum(widths)
        return np.arange(int(widths.sum())) - np.repeat(ends - widths, widths)


def read_integers(
    entries: dict[str, Any], lows: list[str], highs: list[str], limits: HeaderLimits
) -> Integers:
    """Parse the encoding of an integer variable, with common or individual bounds."""
    integers = entries["values"]
    if type(integers) is not dict:
        raise header_values.malformed("`values`", "be a mapping", integers)
    encoding = header_values.text(integers, "encoding")
    if encoding not in ENCODINGS:
        raise header_values.malformed("`encoding`", f"be one of {', '.join(ENCODINGS)}", encoding)
    members = header_values.integer(integers, "members", 0, MAX_HEADER_NUMBERS)
    base = header_values.integer(integers, "low", -MAX_NUMBER, MAX_NUMBER)
    limits.count_numbers(2 * members)
    if lows or highs:
        low, high = (
            base + header_values.expand_runs(lines, HeaderLimits(members))
            for lines in (lows, highs)
        )
    else:
        top = header_values.integer(integers, "high", -MAX_NUMBER, MAX_NUMBER)
        low, high = (np.full(members, bound, np.int64) for bound in (base, top))
    if not len(low) == len(high) == members:
        constraint = f"be {members:,} lower and {members:,} upper bounds"
        raise header_values.malformed("the bounds", constraint, (len(low), len(high)))
    if (low > high).any() or (high > MAX_NUMBER).any():
        raise MalformedError(f"bounds must leave a value, and be at most {MAX_NUMBER:,}")
    return Integers(encoding, low, high)


# Views.

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
"""Kinds of views that do not need a board."""
VALUE_ROLES = {
    **dict.fromkeys(("label", "fill", "list", "table"), "value"),
    "order": "position",
}
"""Role of the value of an integer, by kind of view."""
LABEL_POSITIONS = ("cell", "corner", "left", "right", "above", "below")
"""Roles that state the position of a label; every label has one of them."""
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
    """Position of a text in its cell: one of SPOTS. Empty for the centre."""
    apart: bool = False
    """True if the view begins a separate drawing."""
    name: str = ""
    """Title of a list or a table."""
    heads: tuple[str, str] = ("", "")
    """Headings of the rows and the columns of a table."""
    default: int | None = None
    """Value that a list displays for an index without a value. None for no value."""


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
