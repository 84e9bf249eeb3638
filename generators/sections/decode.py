"""The `decode:` section: how a model is decoded and drawn, for the header of a file.

A view shows the members of a variable that are true. Mostly an index is a cell and another a value,
and the header names them. Where a cell or a value is worked out, or a `for` shows more than one
thing for a member, the header has them as columns: a number for every row.
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
"""The hidden column that tells which member of the variable a row shows."""

_BESIDE = {"left": "ranks", "right": "ranks", "above": "files", "below": "files"}
"""The sets of rows and columns that labels may stand beside."""


@dataclass
class Drawing:
    """Views of the header with the columns that they refer to."""

    decode: list[dict[str, Any]] = field(default_factory=list)
    static_views: list[dict[str, Any]] = field(default_factory=list)
    """Views that are drawn for every model."""
    columns: list[Ints] = field(default_factory=list)

    def add(self, shown: View, scope: Scope) -> None:
        _check_rows_and_columns(shown, scope)
        roles = dict(shown.indices)
        described: dict[str, Any] = {"view": shown.kind}
        variable: Variable | None = None
        indices: list[str] = []
        if shown.member is not None:
            name, indices = parse_member(
                shown.member, scope, "a view shows one variable", "arcs: H[i, j]", scope.members
            )
            described["variable"], variable = name, scope.members[name]
        described |= _own(shown, described.get("variable") in scope.integers)
        if variable is not None and shown.bindings is None and shown.condition is None:
            for role, source in shown.indices:
                if told := _index(role, source, indices, scope):
                    described |= told
                    extent = variable.shape[told[role]]
                    if role != "value" and shown.kind not in OFF_BOARD_VIEWS:
                        _check_range(role, source, extent - 1, 0, scope)
                    del roles[role]
        if roles or variable is None or shown.bindings or shown.condition:
            described |= self._worked_out(roles, shown, variable, indices, scope)
        if "default" in shown.options:
            described["default"] = constant_number(shown.options["default"], scope)
        (self.static_views if variable is None else self.decode).append(described | design(shown))

    def _worked_out(
        self,
        roles: dict[str, ExpressionText],
        shown: View,
        variable: Variable | None,
        indices: list[str],
        scope: Scope,
    ) -> dict[str, Any]:
        """The columns of roles that are not an index, and that of the members if it is needed."""
        start = _members(variable, indices) if variable is not None else Frame(1)
        outer: Bound = {name: None for name in start.columns if name != _MEMBER}
        grounding = _ground(shown, scope, outer)
        bound = {**outer, **grounding.bound}
        numbers = [_number(source, shown, scope, bound) for source in roles.values()]
        columns = _collected(numbers, grounding, start)
        described: dict[str, Any] = {"columns": {}}
        for (role, source), column in zip(roles.items(), columns, strict=False):
            least, most = int(column.min(initial=0)), int(column.max(initial=0))
            if role == "value":
                # Columns of a header have no signs.
                described["plus"] = least
            else:
                role_of = "position" if shown.kind in OFF_BOARD_VIEWS else role
                _check_range(role_of, source, most, least, scope)
            shown_from = least if role == "value" else 0
            described["columns"][role] = self._keep(column - shown_from)
        if variable is not None and (shown.bindings or shown.condition):
            described["members"] = self._keep(columns[-1])
        return described

    def _keep(self, column: Ints) -> int:
        self.columns.append(column)
        return len(self.columns) - 1


def _own(shown: View, is_integer: bool) -> dict[str, int]:
    """What is said of an integer: its value has a role by itself."""
    own, roles = VALUE_ROLES.get(shown.kind, ""), dict(shown.indices)
    if not is_integer:
        if own in VIEWS[shown.kind] and own not in roles:
            raise InputError(
                f"`{shown.kind}` needs `{own}`",
                f"name an index of its variable, for example `{own}: i`",
                shown.location,
            )
        return {}
    if not own:
        kinds = ", ".join(VALUE_ROLES)
        raise InputError(
            f"`{shown.kind}` does not show an integer", f"show it by {kinds}", shown.location
        )
    if own in roles:
        raise roles[own].error("an integer shows its own value", f"remove `{own}`")
    return {"plus": 0} if own == "value" else {}


def drawing(views: Sequence[View], scope: Scope) -> Drawing:
    found = Drawing()
    for shown in views:
        with current_part(f"the view `{shown.kind}`", shown.location):
            found.add(shown, scope)
    return found


# Roles that are an index.


def _index(
    role: str, source: ExpressionText, indices: list[str], scope: Scope
) -> dict[str, int] | None:
    """`v`, or `v + 1` where people count from 1; None for what must be worked out."""
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
                raise source.error(f"{number} is too large", "add less")
            return {role: indices.index(name), "plus": number if sign == "+" else -number}
    return None


# Roles that are worked out.


def _number(source: ExpressionText, shown: View, scope: Scope, bound: Bound) -> CompiledExpression:
    tree = parse_expression(source)
    if isinstance(tree, nodes.Name) and tree.name not in bound and not scope.is_known(tree.name):
        if shown.member is None:
            remedy = f"bind it: `for: {tree.name} in ...`"
            raise InputError(f"no name {tree.name!r}", remedy, source.location)
        fault = f"no index {tree.name!r} in `{shown.member.text}`"
        raise InputError(fault, suggest(tree.name, bound), source.location)
    return Compiler(scope, source, bound).number(tree)


def _members(variable: Variable, indices: list[str]) -> Frame:
    """A row for every member, with its indices."""
    named = {name: place for place, name in enumerate(indices) if name}
    checkpoint(16 * variable.count * (2 + len(variable.shape)))
    rows = {name: variable.indices[place] for name, place in named.items()}
    return Frame(variable.count, {**rows, _MEMBER: np.arange(variable.count)})


def _ground(shown: View, scope: Scope, outer: Bound) -> Grounding:
    """The `for` and the `if` of a view, for every member."""
    source = shown.bindings or shown.condition or ExpressionText("", shown.location)
    bindings = parse_bindings(shown.bindings) if shown.bindings else ()
    condition = parse_expression(shown.condition) if shown.condition else None
    return compile_grounding(scope, bindings, source, condition, shown.condition, outer)


def _collected(
    numbers: Sequence[CompiledExpression], grounding: Grounding, start: Frame
) -> list[Ints]:
    """The columns of all rows, and last that of the members where there are any."""
    hidden = [_MEMBER] if _MEMBER in start.columns else []

    def columns_of(frame: Frame) -> list[Ints]:
        told = [full(number.run(frame), frame.size) for number in numbers]
        return [*told, *(frame.columns[name] for name in hidden)]

    return collect(grounding, columns_of, len(numbers) + 1, start)


# Checks of indices.


def _check_rows_and_columns(shown: View, scope: Scope) -> None:
    """Raise InputError for walls or labels beside a row if the board has no rows and columns."""
    needed = [role for role, _ in shown.indices if role in LABEL_POSITIONS[1:]]
    if shown.kind == "walls":
        needed.append("walls")
    if needed and not isinstance(scope.values.get("files"), KeyedSet):
        raise InputError(
            f"`{needed[0]}` without rows and columns",
            "it needs a board such as a grid",
            shown.location,
        )


def _check_range(role: str, source: ExpressionText, most: int, least: int, scope: Scope) -> None:
    """Raise InputError if the numbers of cells, rows or columns exceed the board."""
    if least < 0:
        fault = f"{source.text!r} goes down to {least}"
        raise InputError(fault, "add to it so that it starts at 0", source.location)
    if role == "position":
        return
    what, extent = "cell", scope.values.get("cells")
    size = extent.size if isinstance(extent, TupleSet) else None
    if role in _BESIDE:
        lines = scope.values[_BESIDE[role]]
        assert isinstance(lines, KeyedSet)
        what, size = ("row" if _BESIDE[role] == "ranks" else "column"), lines.shape[0]
    if size is not None and most >= size:
        fault = f"{source.text!r} goes up to {most}, but the last {what} is {size - 1}"
        raise InputError(fault, f"name the index that is a {what}", source.location)


# What is said of all cells.


def regions(views: Sequence[View], scope: Scope) -> Ints | None:
    """The region of every cell: between cells of different ones a line is drawn."""
    found = _of_cells(views, "regions", scope)
    if found is None:
        return None
    source, name, cells = found
    compiled = Compiler(scope, source, {name: None}).number(parse_expression(source))
    numbers = full(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    if len(numbers) and numbers.min() < 0:
        raise source.error("a negative region", "add to it so that regions start at 0")
    return numbers


def given(views: Sequence[View], scope: Scope) -> Ints | None:
    """The cells whose content is part of the question, to be told apart from the answer."""
    found = _of_cells(views, "given", scope)
    if found is None:
        return None
    source, name, cells = found
    compiled = Compiler(scope, source, {name: None}).condition(parse_expression(source))
    holds = np.broadcast_to(compiled.run(Frame(len(cells), {name: cells})), len(cells))
    chosen: Ints = cells[holds]
    return chosen


def _of_cells(
    views: Sequence[View], option: str, scope: Scope
) -> tuple[ExpressionText, str, Ints] | None:
    """What one of the views says of all cells, what it calls a cell, and the cells."""
    said = [shown for shown in views if option in shown.options]
    if not said:
        return None
    if len(said) > 1:
        raise said[1].options[option].error(f"`{option}` is given twice", "give it once")
    source = said[0].options[option]
    cells = scope.values.get("cells")
    if not isinstance(cells, TupleSet):
        raise source.error("cells without a board", "add a `board`")
    name = dict(said[0].indices).get("cell")
    if name is None or not is_name(name.text):
        raise source.error(
            f"`{option}` of a cell without a name", "say it in a view with `cell: i`"
        )
    return source, name.text, cells.columns[0]


# How a view is drawn: its signs, colours and words.


COLOURS = (
    *("black", "grey", "white", "red", "orange", "yellow"),
    *("green", "teal", "blue", "purple", "pink", "brown"),
)
SIGNS = ("circle", "disc", "dot", "cross")
"""Signs that have no letter."""
SPOTS = ("centre", "top left", "top right", "bottom left", "bottom right")
"""Where in a cell a label may stand."""

_MOST_WORDS, _LONGEST_WORD, _LONGEST_NAME = 100, 20, 60


def design(shown: View) -> dict[str, Any]:
    """What the header of a file says of it."""
    said: dict[str, Any] = {}
    options = shown.options
    if "sign" in options:
        said["sign"] = _sign(options["sign"])
    if "colour" in options:
        said["colours"] = [
            _one_of(options["colour"], word, COLOURS, "colour")
            for word in _split(options["colour"])
        ]
    if "words" in options:
        said["words"] = _words(options["words"])
    if "at" in options:
        said["at"] = _one_of(options["at"], options["at"].text, SPOTS, "spot")
    if "name" in options:
        said["name"] = _line(options["name"])
    if heads := [_line(options[key]) if key in options else "" for key in ("rows", "columns")]:
        said |= {"heads": heads} if any(heads) else {}
    if "apart" in options:
        said["apart"] = _flag(options["apart"])
    return said


def _sign(source: ExpressionText) -> str:
    """The name of a chess piece or of another sign, or one character."""
    word = source.text.strip()
    known = (*FRIENDS, *SIGNS)
    if word not in known and (len(word) != 1 or not word.isprintable()):
        raise source.error(
            f"no sign {word[:20]!r}", f"write one character, or one of: {', '.join(known)}"
        )
    return word


def _split(source: ExpressionText) -> list[str]:
    words = source.text.replace(",", " ").split()
    if not 1 <= len(words) <= _MOST_WORDS:
        raise source.error(f"{len(words)} words", f"write 1 to {_MOST_WORDS} of them")
    return words


def _one_of(source: ExpressionText, word: str, known: tuple[str, ...], what: str) -> str:
    if word not in known:
        raise source.error(f"no {what} {word[:20]!r}", suggest(word, known))
    return word


def _line(source: ExpressionText) -> str:
    if len(source.text) > _LONGEST_NAME or not source.text.isprintable():
        raise source.error("no name to be shown", f"shorten it to {_LONGEST_NAME}")
    return source.text


def _flag(source: ExpressionText) -> bool:
    if source.text not in ("true", "false"):
        raise source.error(f"{source.text[:20]!r} is not a truth value", "write true or false")
    return source.text == "true"


def _words(source: ExpressionText) -> list[str]:
    """What is shown for the values 0, 1 and so on."""
    words = _split(source)
    for word in words:
        if len(word) > _LONGEST_WORD or not word.isprintable():
            raise source.error(
                f"no word to be shown: {word[:20]!r}", f"shorten it to {_LONGEST_WORD}"
            )
    return words


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
    """Return the rows of a view that `Drawing` described, with its columns of some roles."""
    members = columns[view["members"]] if "members" in view else np.arange(variable.count)
    indices = tuple(index[members] for index in variable.indices)
    listed = view.get("columns", {})
    shown = {
        role: columns[listed[role]] if role in listed else indices[view[role]]
        for role in roles
        if role in listed or role in view
    }
    return ViewRows(members, indices, shown)
