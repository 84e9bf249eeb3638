"""Section `decode:` of a spec: views, which decode and draw a model, as headers describe them.

A view shows the true members of a variable. Usually one index is the cell and another the value,
and the header names them. If a cell or value is computed, or a `for` shows several things for a
member, the header has columns instead: a number for every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.base.text import suggest
from boardsat.generators.arrays import Ints
from boardsat.generators.boards._pieces import FRIENDS
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.expressions import Compiler, constant_number
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.literals import parse_member
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Bound, Scope
from boardsat.generators.language.syntax import is_name, parse_bindings, parse_expression
from boardsat.generators.language.values import Frame, KeyedSet, TupleSet, full
from boardsat.generators.schema import LABEL_POSITIONS, OFF_BOARD_VIEWS, VALUE_ROLES, VIEWS, View
from boardsat.generators.sections.define import collect

_MEMBER = "#member"
"""Hidden column with the member of the variable that a row shows."""

_LINES = {"left": "ranks", "right": "ranks", "above": "files", "below": "files"}
"""Keyed set of the rows (ranks) or columns (files) that have labels, by position of the label."""


@dataclass
class Drawing:
    """Views of the header with the columns that they refer to."""

    decode: list[dict[str, Any]] = field(default_factory=list)
    static_views: list[dict[str, Any]] = field(default_factory=list)
    """Views that are drawn for every model."""
    columns: list[Ints] = field(default_factory=list)

    def add(self, view: View, scope: Scope) -> None:
        """Append the description of a view; raise InputError if the view is invalid."""
        _check_rows_and_columns(view, scope)
        roles = dict(view.indices)
        entry: dict[str, Any] = {"view": view.kind}
        variable: Variable | None = None
        indices: list[str] = []
        if view.member is not None:
            name, indices = parse_member(
                view.member, scope, "a view must show one variable", "arcs: H[i, j]", scope.members
            )
            entry["variable"], variable = name, scope.members[name]
        entry |= _integer_entry(view, entry.get("variable") in scope.integers)
        if variable is not None and view.bindings is None and view.condition is None:
            for role, source in view.indices:
                if index_entry := _index_entry(role, source, indices, scope):
                    entry |= index_entry
                    extent = variable.shape[index_entry[role]]
                    if role != "value" and view.kind not in OFF_BOARD_VIEWS:
                        _check_range(role, source, extent - 1, 0, scope)
                    del roles[role]
        if roles or variable is None or view.bindings or view.condition:
            entry |= self._column_entry(roles, view, variable, indices, scope)
        if "default" in view.options:
            entry["default"] = constant_number(view.options["default"], scope)
        (self.static_views if variable is None else self.decode).append(entry | design(view))

    def _column_entry(
        self,
        roles: dict[str, ExpressionText],
        view: View,
        variable: Variable | None,
        indices: list[str],
        scope: Scope,
    ) -> dict[str, Any]:
        """Append columns of computed roles, and of members if needed; return the header entry."""
        start = _members(variable, indices) if variable is not None else Frame(1)
        outer: Bound = {name: None for name in start.columns if name != _MEMBER}
        grounding = _ground(view, scope, outer)
        bound = {**outer, **grounding.bound}
        numbers = [_number(source, view, scope, bound) for source in roles.values()]
        columns = _collect_columns(numbers, grounding, start)
        entry: dict[str, Any] = {"columns": {}}
        for (role, source), column in zip(roles.items(), columns, strict=False):
            least, largest = int(column.min(initial=0)), int(column.max(initial=0))
            if role == "value":
                # Columns of a header have no signs.
                entry["plus"] = least
            else:
                checked_role = "position" if view.kind in OFF_BOARD_VIEWS else role
                _check_range(checked_role, source, largest, least, scope)
            offset = least if role == "value" else 0
            entry["columns"][role] = self._add_column(column - offset)
        if variable is not None and (view.bindings or view.condition):
            entry["members"] = self._add_column(columns[-1])
        return entry

    def _add_column(self, column: Ints) -> int:
        """Append a column; return its index."""
        self.columns.append(column)
        return len(self.columns) - 1


def _integer_entry(view: View, is_integer: bool) -> dict[str, int]:
    """Return the entry of the value in a view of an integer; empty for a Boolean variable.

    Raise InputError if the view names a role for the value of an integer, or if it lacks a role
    for that of a Boolean variable.
    """
    value_role, roles = VALUE_ROLES.get(view.kind, ""), dict(view.indices)
    if not is_integer:
        if value_role in VIEWS[view.kind] and value_role not in roles:
            raise InputError(
                f"`{view.kind}` needs `{value_role}`",
                f"name an index of its variable, for example `{value_role}: i`",
                view.location,
            )
        return {}
    if not value_role:
        kinds = ", ".join(VALUE_ROLES)
        raise InputError(
            f"`{view.kind}` cannot show an integer", f"use one of: {kinds}", view.location
        )
    if value_role in roles:
        fault = f"the view of an integer must not have `{value_role}`"
        raise roles[value_role].error(fault, f"remove `{value_role}`")
    return {"plus": 0} if value_role == "value" else {}


def drawing(views: Sequence[View], scope: Scope) -> Drawing:
    """Return the views as headers describe them."""
    drawing = Drawing()
    for view in views:
        with current_part(f"the view `{view.kind}`", view.location):
            drawing.add(view, scope)
    return drawing


def _index_entry(
    role: str, source: ExpressionText, indices: list[str], scope: Scope
) -> dict[str, int] | None:
    """Return the entry of a role that is an index, such as `v` or `v + 1`; None for any other."""
    match parse_expression(source):
        case nodes.Name(name=name) if name in indices:
            return {role: indices.index(name)} | ({"plus": 0} if role == "value" else {})
        case nodes.Binary(operator="+" | "-" as sign, left=nodes.Name(name=name), right=right) if (
            role == "value" and name in indices
        ):
            try:
                number = int(Compiler(scope, source).number(right).run(Frame(1)))
            except InputError:
                return None
            if abs(number) > MAX_INTEGER:
                fault = f"the number must be at most {MAX_INTEGER} (got {abs(number)})"
                raise source.error(fault, "use a smaller number")
            return {role: indices.index(name), "plus": number if sign == "+" else -number}
    return None


def _number(source: ExpressionText, view: View, scope: Scope, bound: Bound) -> CompiledExpression:
    """Compile a computed role."""
    tree = parse_expression(source)
    if isinstance(tree, nodes.Name) and tree.name not in bound and not scope.is_known(tree.name):
        if view.member is None:
            remedy = f"bind it: `for: {tree.name} in ...`"
            raise InputError(f"unknown name {tree.name!r}", remedy, source.location)
        fault = f"`{view.member.text}` has no index {tree.name!r}"
        raise InputError(fault, suggest(tree.name, bound), source.location)
    return Compiler(scope, source, bound).number(tree)


def _members(variable: Variable, indices: list[str]) -> Frame:
    """Return a row for every member, with its named indices."""
    checkpoint(16 * variable.count * (2 + len(variable.shape)))
    columns = {name: variable.indices[k] for k, name in enumerate(indices) if name}
    return Frame(variable.count, {**columns, _MEMBER: np.arange(variable.count)})


def _ground(view: View, scope: Scope, outer: Bound) -> Grounding:
    """Compile the `for` and `if` of a view, which extend the rows of members."""
    source = view.bindings or view.condition or ExpressionText("", view.location)
    bindings = parse_bindings(view.bindings) if view.bindings else ()
    condition = parse_expression(view.condition) if view.condition else None
    return compile_grounding(scope, bindings, source, condition, view.condition, outer)


def _collect_columns(
    numbers: Sequence[CompiledExpression], grounding: Grounding, start: Frame
) -> list[Ints]:
    """Return the columns of all rows; the last one has the members if the view shows a variable."""
    hidden = [_MEMBER] if _MEMBER in start.columns else []

    def columns_of(frame: Frame) -> list[Ints]:
        columns = [full(number.run(frame), frame.size) for number in numbers]
        return [*columns, *(frame.columns[name] for name in hidden)]

    return collect(grounding, columns_of, len(numbers) + 1, start)


def _check_rows_and_columns(view: View, scope: Scope) -> None:
    """Raise InputError for walls or labels beside a row if the board has no rows and columns."""
    keys = [role for role, _ in view.indices if role in LABEL_POSITIONS[1:]]
    if view.kind == "walls":
        keys.append("walls")
    if keys and not isinstance(scope.values.get("files"), KeyedSet):
        fault = f"`{keys[0]}` needs a board with rows and columns"
        raise InputError(fault, "use a board such as a grid", view.location)


def _check_range(role: str, source: ExpressionText, largest: int, least: int, scope: Scope) -> None:
    """Raise InputError if a role has cells, rows or columns that are not on the board."""
    if least < 0:
        fault = f"{source.text!r} must be at least 0 (got {least})"
        raise InputError(fault, "add a number so that it starts at 0", source.location)
    if role == "position":
        return
    kind, cells = "cell", scope.values.get("cells")
    size = cells.size if isinstance(cells, TupleSet) else None
    if role in _LINES:
        lines = scope.values[_LINES[role]]
        assert isinstance(lines, KeyedSet)
        kind, size = ("row" if _LINES[role] == "ranks" else "column"), lines.shape[0]
    if size is not None and largest >= size:
        fault = f"{source.text!r} must be at most {size - 1}, the last {kind} (got {largest})"
        raise InputError(fault, f"name the index that is a {kind}", source.location)


# Options that apply to all cells.


def regions(views: Sequence[View], scope: Scope) -> Ints | None:
    """Return the region of every cell; None if the spec has no regions."""
    option = _cell_option(views, "regions", scope)
    if option is None:
        return None
    source, name, cells = option
    compiled = Compiler(scope, source, {name: None}).number(parse_expression(source))
    numbers = full(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    if len(numbers) and numbers.min() < 0:
        fault = f"regions must be at least 0 (got {numbers.min()})"
        raise source.error(fault, "add a number so that they start at 0")
    return numbers


def given(views: Sequence[View], scope: Scope) -> Ints | None:
    """Return the cells whose content is part of the question; None if the spec has no `given`."""
    option = _cell_option(views, "given", scope)
    if option is None:
        return None
    source, name, cells = option
    compiled = Compiler(scope, source, {name: None}).condition(parse_expression(source))
    holds = np.broadcast_to(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    given_cells: Ints = cells[holds]
    return given_cells


def _cell_option(
    views: Sequence[View], option: str, scope: Scope
) -> tuple[ExpressionText, str, Ints] | None:
    """Return an option, the name of the cell in it, and all cells; None if no view has it."""
    views = [view for view in views if option in view.options]
    if not views:
        return None
    if len(views) > 1:
        raise (
            views[1]
            .options[option]
            .error(f"`{option}` must occur once (got {len(views)})", "remove the others")
        )
    source = views[0].options[option]
    cells = scope.values.get("cells")
    if not isinstance(cells, TupleSet):
        raise source.error(f"`{option}` needs a board", "add a `board`")
    name = dict(views[0].indices).get("cell")
    if name is None or not is_name(name.text):
        raise source.error(
            f"`{option}` must be in a view whose `cell` is a name",
            "move it to a view with `cell: i`",
        )
    return source, name.text, cells.columns[0]


# Options of drawing: signs, colours and words.


COLOURS = (
    *("black", "grey", "white", "red", "orange", "yellow"),
    *("green", "teal", "blue", "purple", "pink", "brown"),
)
SIGNS = ("circle", "disc", "dot", "cross")
"""Names of signs that are not letters."""
SPOTS = ("centre", "top left", "top right", "bottom left", "bottom right")
"""Positions of a label in its cell."""

_MAX_WORDS, _MAX_WORD_LENGTH, _MAX_NAME_LENGTH = 100, 20, 60


def design(view: View) -> dict[str, Any]:
    """Return the drawing options of a view, as headers describe them."""
    entry: dict[str, Any] = {}
    options = view.options
    if "sign" in options:
        entry["sign"] = _sign(options["sign"])
    if "colour" in options:
        entry["colours"] = [
            _one_of(options["colour"], colour, COLOURS, "colour")
            for colour in _split(options["colour"])
        ]
    if "words" in options:
        entry["words"] = _words(options["words"])
    if "at" in options:
        entry["at"] = _one_of(options["at"], options["at"].text, SPOTS, "spot")
    if "name" in options:
        entry["name"] = _line(options["name"])
    heads = [_line(options[key]) if key in options else "" for key in ("rows", "columns")]
    if any(heads):
        entry["heads"] = heads
    if "apart" in options:
        entry["apart"] = _flag(options["apart"])
    return entry


def _sign(source: ExpressionText) -> str:
    """Return the name of a chess piece or another sign, or one character."""
    sign = source.text.strip()
    names = (*FRIENDS, *SIGNS)
    if sign not in names and (len(sign) != 1 or not sign.isprintable()):
        remedy = f"write one character, or one of: {', '.join(names)}"
        raise source.error(f"unknown sign {sign[:20]!r}", remedy)
    return sign


def _split(source: ExpressionText) -> list[str]:
    labels = source.text.replace(",", " ").split()
    if not 1 <= len(labels) <= _MAX_WORDS:
        fault = f"the list must have 1 to {_MAX_WORDS} words (got {len(labels)})"
        raise source.error(fault, "separate words by spaces or commas")
    return labels


def _one_of(source: ExpressionText, name: str, choices: tuple[str, ...], kind: str) -> str:
    """Return a name that is one of the choices; raise InputError for any other."""
    if name not in choices:
        raise source.error(f"unknown {kind} {name[:20]!r}", suggest(name, choices))
    return name


def _line(source: ExpressionText) -> str:
    if len(source.text) > _MAX_NAME_LENGTH or not source.text.isprintable():
        fault = f"a displayed name must have at most {_MAX_NAME_LENGTH} printable characters"
        raise source.error(f"{fault} (got {len(source.text)})", "shorten it")
    return source.text


def _flag(source: ExpressionText) -> bool:
    if source.text not in ("true", "false"):
        fault = f"the value must be true or false (got {source.text[:20]!r})"
        raise source.error(fault, "write true or false")
    return source.text == "true"


def _words(source: ExpressionText) -> list[str]:
    """Return the words for the values 0, 1 and so on."""
    labels = _split(source)
    for label in labels:
        if len(label) > _MAX_WORD_LENGTH or not label.isprintable():
            fault = f"a displayed word must have at most {_MAX_WORD_LENGTH} printable characters"
            raise source.error(f"{fault} (got {label[:20]!r})", "shorten it")
    return labels


class ViewRows(NamedTuple):
    """Rows of a view of the header: each shows a member of its variable."""

    members: Ints
    indices: tuple[Ints, ...]
    """Indices of each row's member."""
    roles: dict[str, Ints]
    """Columns of the roles that the view has."""


def view_rows(
    view: Mapping[str, Any], variable: Variable, columns: Sequence[Ints], roles: Iterable[str]
) -> ViewRows:
    """Return the rows of a view, given by its header entry, with the columns of these roles."""
    members = columns[view["members"]] if "members" in view else np.arange(variable.count)
    indices = tuple(index[members] for index in variable.indices)
    column_of = view.get("columns", {})
    role_columns = {
        role: columns[column_of[role]] if role in column_of else indices[view[role]]
        for role in roles
        if role in column_of or role in view
    }
    return ViewRows(members, indices, role_columns)
