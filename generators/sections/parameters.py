"""Section `params:` of a spec: values from settings and defaults, and their bounds."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from string import ascii_letters
from typing import Any

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import current_part
from boardsat.base.text import pluralize, suggest
from boardsat.generators import constraints, encodings
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import ANY, Board, CompatibleShapes
from boardsat.generators.boards import _squares as squares
from boardsat.generators.build_limits import MAX_INTEGER, build_limits
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.namespace import graph_namespace, graph_of_setting
from boardsat.generators.language.expressions import Compiler, constant_number
from boardsat.generators.language.nodes import ExpressionText, names_in
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Table
from boardsat.generators.schema import Parameter, Spec
from boardsat.generators.sections import tables

Setting = int | bool | str | Table | Graph
"""Value of a parameter."""

GRAPH = "graph"
"""Shape of a board that is a graph."""

MAX_DEFAULT_CHAIN = 50
"""Maximum number of parameters each of which occurs in the default of the one before."""

FIX = "fix"
"""Parameter of every spec: literals that are fixed, in the notation of the board."""

_FIX = Parameter(
    FIX,
    "text",
    ExpressionText("", ""),
    (),
    "literals that are fixed, in the notation of the board: a1, !c3, a1=5, a1-b3",
    "",
)


def parameters_of(spec: Spec, settings: Container[str] = ()) -> tuple[Parameter, ...]:
    """Return the declared parameters, a parameter for each open encoding, and `fix` if it is set.

    An encoding is open if a constraint type has several and the spec does not choose one.
    """
    types = [constraint.constraint_type for constraint in spec.constraints if not constraint.lazy]
    kinds = {
        kind for name in types for kind in getattr(constraints.load(name), "ENCODINGS", "").split()
    }
    if any(declaration.values for declaration in spec.variables):
        kinds.add("int")
    parameters = [_with_shapes(spec, parameter) for parameter in spec.parameters]
    declared = {parameter.name for parameter in parameters}
    parameters += [_encoding(kind) for kind in encodings.kinds() if kind in kinds - declared]
    if FIX in settings and FIX not in declared:
        parameters.append(_FIX)
    return tuple(parameters)


def _encoding(kind: str) -> Parameter:
    folder = encodings.load_kind(kind)
    default, choices = ExpressionText(folder.DEFAULT, ""), encodings.names(kind)
    return Parameter(kind, "choice", default, choices, folder.MEANS, "")


def _with_shapes(spec: Spec, parameter: Parameter) -> Parameter:
    """Return the parameter; one of type `shape` gets as choices the shapes that fit the options."""
    if parameter.type != "shape":
        return parameter
    return parameter._replace(choices=CompatibleShapes(spec.board_entry.options or {}))


def shape_parameter(spec: Spec) -> Parameter | None:
    """Return the parameter that determines the shape of the board; None if it is fixed."""
    shape = (spec.board_entry.options or {}).get("shape")
    named = (p for p in spec.parameters if p.type == "shape" and shape and p.name == shape.text)
    return next(named, None)


def _is_on_graph(spec: Spec, settings: Mapping[str, str]) -> bool:
    """Return True if the board is a graph, whose file has the labels of its vertices."""
    shape = (spec.board_entry.options or {}).get("shape")
    if shape is None:
        return False
    parameter = shape_parameter(spec)
    return ((settings.get(parameter.name) if parameter else None) or shape.text) == GRAPH


def resolve(spec: Spec, settings: Mapping[str, str]) -> dict[str, Setting]:
    """Return the value of every parameter; bounds that refer to the board are checked later."""
    parameters = {parameter.name: parameter for parameter in parameters_of(spec, settings)}
    for key in settings:
        if key not in parameters:
            raise InputError(
                f"{spec.name} has no parameter {key!r}",
                suggest(key, parameters),
                setting_location(key, settings[key]),
            )
    return _Resolver(parameters, settings, _is_on_graph(spec, settings)).all()


def settings_for(spec: Spec, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the fewest settings under which the parameters of a spec have these values.

    Names that are not parameters of the spec are ignored. A header has the values of all
    parameters, but those that the shape of the board does not use must not be set.
    """
    settings: dict[str, str] = {}
    with build_limits(spec.source.is_built_in):
        parameters = {parameter.name: parameter for parameter in parameters_of(spec, values)}
        for name, parameter in parameters.items():
            if name not in values:
                continue
            text = as_text(values[name])
            # The default may depend on the settings so far.
            resolver = _Resolver(parameters, settings)
            if parameter.default is None or as_text(resolver.value(name)) != text:
                settings[name] = text
    return settings


def as_text(value: Any) -> str:
    """Return a value as written on the command line; for a NetworkX graph, the text of a file."""
    match value:
        case bool():
            return str(value).lower()
        case Graph():
            return value.construction or value.name
        case Table():
            return as_text(value.as_lists())
        case _ if hasattr(value, "is_directed"):
            from boardsat.generators.graphs.file_formats import gml

            return gml.text_of(value)
        case list() | tuple() if any(isinstance(row, list | tuple) for row in value):
            return ";".join(map(_row_text, value))
        case list() | tuple():
            return _row_text(value)
    return str(value)


def _row_text(entries: Sequence[Any]) -> str:
    """Join entries by commas; a comma also follows a single number, which else is read as signs."""
    texts = [
        tables.SEPARATOR.join(map(str, entry)) if isinstance(entry, list | tuple) else str(entry)
        for entry in entries
    ]
    return f"{texts[0]}," if len(texts) == 1 and len(texts[0]) > 1 else ",".join(texts)


def setting_location(name: str, value: Setting) -> str:
    """Return a setting as the location of an error; only its name if it has several lines."""
    text = as_text(value)
    return name if "\n" in text.strip() else f"{name}={text[:40]}"


@contextmanager
def relocate_errors(
    parameter: Parameter, value: Setting, settings: Container[str]
) -> Iterator[None]:
    """Report errors at the setting if the user has set the parameter, and otherwise in the spec."""
    try:
        yield
    except InputError as error:
        if parameter.name not in settings:
            raise
        raise error.at(setting_location(parameter.name, value), parameter.location) from None


class _Resolver:
    """Resolver of parameters, whose defaults may refer to other parameters."""

    def __init__(
        self,
        parameters: Mapping[str, Parameter],
        settings: Mapping[str, str],
        is_on_graph: bool = False,
    ) -> None:
        self.parameters, self.settings = parameters, settings
        self.is_on_graph = is_on_graph
        self.scope = Scope()
        self.values: dict[str, Setting] = {}
        self.pending: list[str] = []
        """Parameters whose defaults are being evaluated, from the outermost on."""

    def all(self) -> dict[str, Setting]:
        values = {name: self.value(name) for name in self.parameters}
        # Cells have numbers only when the board is known.
        names = {name for name, parameter in self.parameters.items() if parameter.type != "cell"}
        for name, parameter in self.parameters.items():
            with relocate_errors(parameter, values[name], self.settings):
                check_bounds(parameter, values[name], self.scope, names)
        return values

    def value(self, name: str) -> Setting:
        if name not in self.values:
            parameter = self.parameters[name]
            if name in self.pending:
                cycle = " -> ".join([*self.pending[self.pending.index(name) :], name])
                raise InputError(
                    f"the defaults of parameters form a cycle: {cycle}",
                    "give one of them a number",
                    parameter.location,
                )
            if len(self.pending) >= MAX_DEFAULT_CHAIN:
                raise InputError(
                    f"defaults refer to each other in a chain of more than {MAX_DEFAULT_CHAIN} "
                    "parameters",
                    "give one of them a number",
                    parameter.location,
                )
            self.pending.append(name)
            self.values[name] = value = self.evaluate(parameter)
            self.pending.pop()
            if isinstance(value, int | str | Table):
                self.scope.values[name] = value
        return self.values[name]

    def evaluate(self, parameter: Parameter) -> Setting:
        name, default = parameter.name, parameter.default
        text = self.settings.get(name)
        if text is None and default is None:
            raise InputError(
                f"the parameter {name!r} must be set", f"add --set {name}=...", parameter.location
            )
        if parameter.type == "graph":
            return self.graph(parameter, text)
        if text is not None:
            # The labels of vertices are in the file of the graph.
            if parameter.type == "cell" and self.is_on_graph:
                return text
            with relocate_errors(parameter, text, self.settings):
                return self.read(parameter, text)
        assert default is not None
        if parameter.type not in ("int", "bool", "cell"):
            try:
                return self.read(parameter, default.text)
            except InputError as error:
                is_about_text = error.location == setting_location(name, default.text)
                raise error.at(default.location if is_about_text else error.location) from None
        value = self.constant(default)
        if isinstance(value, bool) != (parameter.type == "bool") or isinstance(value, str):
            raise default.error(
                f"the default of {name} must be of type {parameter.type}", "change it, or the type"
            )
        return value

    def graph(self, parameter: Parameter, text: str | None) -> Graph:
        """Return the graph of a user's file or of a construction."""
        location = parameter.location if text is None else setting_location(parameter.name, text)
        if text is None:
            assert parameter.default is not None
            text = parameter.default.text
        return graph_of_setting(parameter.kind, text, location, self.number_of)

    def number_of(self, name: str) -> int:
        """Return the value of a parameter that is a number."""
        value = self.value(name) if name in self.parameters else None
        if not isinstance(value, int) or isinstance(value, bool):
            fault = f"an argument must be a number or the name of a parameter (got {name!r})"
            raise InputError(fault, "write digits, or name a parameter of type int")
        return value

    def constant(self, source: ExpressionText) -> int | bool | str:
        """Return the value of an expression of other parameters."""
        tree = parse_expression(source)
        for name in names_in(tree):
            parameter = name.partition(".")[0]
            if parameter in self.parameters:
                value = self.value(parameter)
                if isinstance(value, Graph) and parameter != name:
                    self.scope.values |= graph_namespace(parameter, value)
        constant: int | bool | str = Compiler(self.scope, source).constant(tree)
        return constant

    def number(self, source: ExpressionText) -> int:
        value = self.constant(source)
        if isinstance(value, bool | str):
            raise source.error("the value must be a number", "write an expression of parameters")
        return value

    def read(self, parameter: Parameter, text: str) -> Setting:
        """Return the value that a text specifies."""
        if parameter.type != "numbers":
            return _read(parameter, text)
        entries, location = parameter.entries, setting_location(parameter.name, text)
        with current_part(f"the table {parameter.name!r}", parameter.location):
            missing = self.number(entries.missing) if entries.missing else 0
            signs = tables.Signs.of(entries.signs, missing)
            if entries.shape is None:
                return Table(tables.read_cells(text, signs, location), missing)
            shape = tables.parse_shape(entries.shape, self.number)
            return tables.read_table(text, shape, signs, location)


def _read(parameter: Parameter, text: str) -> int | bool | str:
    """Return the value that a text specifies for a parameter that is not a table."""
    name, location = parameter.name, setting_location(parameter.name, text)
    may_be_any = parameter.cell.same is not None or parameter.cell.any is not None
    match parameter.type:
        case "cell" if squares.is_name(text) or (text == ANY and may_be_any):
            return text
        case "int" | "cell":
            digits = text.removeprefix("-")
            if not digits.isdecimal() or not digits.isascii():
                remedy = "write digits alone"
                remedy += ", or a square such as b2" if parameter.type == "cell" else ""
                remedy += ", or any" if may_be_any else ""
                raise InputError(f"{name} must be a whole number", remedy, location)
            digits = digits.lstrip("0") or "0"
            if len(digits) > 10 or int(digits) > MAX_INTEGER:
                fault = f"{name} must be between -{MAX_INTEGER} and {MAX_INTEGER}"
                raise InputError(fault, "", location)
            return -int(digits) if text.startswith("-") else int(digits)
        case "bool":
            if text not in ("true", "false"):
                raise InputError(f"{name} must be true or false", "", location)
            return text == "true"
        case "choice" | "shape":
            if text not in parameter.choices:
                fault = f"{name} has no choice {text[:40]!r}"
                raise InputError(fault, suggest(text, parameter.choices), location)
            return text
    if len(text) > 1000 or not text.isprintable():
        fault = f"{name} must be one line of at most 1000 printable characters"
        raise InputError(fault, "", location)
    return text


# Bounds of a parameter: `min` and `max` of a number or of all entries, and its `keys`.


def check_against_board(
    spec: Spec,
    values: Mapping[str, Setting],
    settings: Container[str],
    scope: Scope,
    board: Board | None,
) -> None:
    """Raise InputError for a value outside bounds that refer to the board, or a wrong length."""
    for parameter in spec.parameters:
        value = values[parameter.name]
        if parameter.type == "cell":
            continue  # place_cells has checked it
        with relocate_errors(parameter, value, settings):
            check_bounds(parameter, value, scope, cols=_cols(board))
            if parameter.entries.shape is not None or not isinstance(value, Table):
                continue
            if board and len(value.values) not in (0, board.cells):
                raise InputError(
                    f"{parameter.name} must have an entry for each cell, or none "
                    f"(got {pluralize(len(value.values), 'entry', 'entries')} "
                    f"for {pluralize(board.cells, 'cell')})",
                    "add or remove entries",
                    parameter.location,
                )


def _cols(board: Board | None) -> int | None:
    """Return the number of columns of a board with all cells, row by row; None for another."""
    if board is None or board.cells < board.places or "layers" in board.description:
        return None
    return board.description.get("cols")


def check_bounds(
    parameter: Parameter,
    value: Setting,
    scope: Scope,
    names: Set[str] | None = None,
    cols: int | None = None,
) -> None:
    """Raise InputError for a value outside `min` and `max`, or an entry that `keys` rules out.

    With `names`, only numbers are checked, and only by bounds in which no other names occur.
    """
    if parameter.entries.keys and names is None:
        _check_keys(parameter, value, scope)
    for bound, sign in ((parameter.bounds.minimum, -1), (parameter.bounds.maximum, 1)):
        if bound is None:
            continue
        if names is not None and (
            isinstance(value, Table) or not names_in(parse_expression(bound)) <= names
        ):
            continue
        limit = constant_number(bound, scope)
        numbers = value.values.reshape(-1) if isinstance(value, Table) else np.array([value])
        wrong = np.flatnonzero(((numbers - limit) * sign > 0) & _is_present(value, numbers))
        if len(wrong):
            position = _position(parameter, int(wrong[0]), value, cols)
            relation, direction = ("least", "more") if sign < 0 else ("most", "less")
            fault = f"{parameter.name} must be at {relation} {limit}"
            fault += f" (got {numbers[wrong[0]]}{position})"
            raise InputError(fault, f"give {limit} or {direction}", parameter.location)


def _is_present(value: Setting, numbers: Ints) -> Bools:
    """Return True for the entries that are not missing."""
    missing = value.missing if isinstance(value, Table) else None
    present: Bools = np.ones(len(numbers), np.bool_) if missing is None else numbers != missing
    return present


def _check_keys(parameter: Parameter, value: Setting, scope: Scope) -> None:
    """Raise InputError if an entry's index does not occur in the table that `keys` names."""
    name = parameter.entries.keys
    table = scope.values.get(name)
    if not isinstance(table, Table) or not isinstance(value, Table) or value.values.ndim > 1:
        raise InputError(
            f"`keys: {name}` must name a table, and {parameter.name} must be a list",
            "name a parameter of type numbers",
            parameter.location,
        )
    indices = np.flatnonzero(_is_present(value, value.values))
    for index in indices[~np.isin(indices, table.values)][:1]:
        raise InputError(
            f"{parameter.name} has an entry for {_key(index)}, which does not occur in {name}",
            f"remove {_key(index)}=...",
            parameter.location,
        )


def _key(index: int) -> str:
    """Return the key of an entry of a list: a letter, or its index."""
    return ascii_letters[index] if index < len(ascii_letters) else str(index)


def _position(parameter: Parameter, index: int, value: Setting, cols: int | None) -> str:
    """Return the position of an entry of a table; empty for a number."""
    if not isinstance(value, Table):
        return ""
    if parameter.entries.keys:
        return f" for {_key(index)}"
    if value.values.ndim > 1:
        row, column, *_ = np.unravel_index(index, value.values.shape)
        return f" in row {row + 1}, column {column + 1}"
    # A table without a declared shape has an entry for every cell.
    if cols is not None and parameter.entries.shape is None:
        return f" in {tables.row_and_column(index, cols)}"
    return f" in entry {index + 1}"
