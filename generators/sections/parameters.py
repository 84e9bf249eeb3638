"""Section `parameters:` of a spec: values from settings and defaults, and their bounds."""

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
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.build_limits import MAX_INTEGER, build_limits
from boardsat.generators.graphs.namespace import graph_of, offered
from boardsat.generators.language.expressions import Compiler, constant_number
from boardsat.generators.language.nodes import ExpressionText, names_in
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Table
from boardsat.generators.schema import Parameter, Spec
from boardsat.generators.sections import entries, tables
from boardsat.generators.sections.entries import Signs
from boardsat.generators.sections.tables import PARTS

Setting = int | bool | str | Table | Graph

GRAPH = "graph"
"""The shape of a board that is a graph."""

LONGEST_CHAIN = 50
"""Parameters of which each is in the default of the one before."""


def parameters_of(spec: Spec) -> tuple[Parameter, ...]:
    """Those that the spec declares, and the encodings that its constraints leave open."""
    declared = {parameter.name for parameter in spec.parameters}
    written = [constraint.constraint_type for constraint in spec.constraints if not constraint.lazy]
    named = [getattr(constraints.load(family), "ENCODINGS", "") for family in written]
    kinds = {kind for words in named for kind in words.split()}
    if any(declaration.values for declaration in spec.variables):
        kinds.add("int")
    chosen = [_choice(kind) for kind in encodings.kinds() if kind in kinds - declared]
    return (*(_offering_shapes(spec, parameter) for parameter in spec.parameters), *chosen)


def _choice(kind: str) -> Parameter:
    folder = encodings.load_kind(kind)
    default, choices = ExpressionText(folder.DEFAULT, ""), encodings.names(kind)
    return Parameter(kind, "choice", default, choices, folder.MEANS, "")


def _offering_shapes(spec: Spec, parameter: Parameter) -> Parameter:
    """A parameter that chooses a shape can take those for which the board's line is enough."""
    if parameter.type != "shape":
        return parameter
    return parameter._replace(choices=CompatibleShapes(spec.board_entry.options or {}))


def shape_parameter(spec: Spec) -> Parameter | None:
    """The one that chooses the board's shape, if any does."""
    named = (
        spec.board_entry.options["shape"].text
        if spec.board_entry.options and "shape" in spec.board_entry.options
        else ""
    )
    return next((p for p in spec.parameters if p.type == "shape" and p.name == named), None)


def _on_graph(spec: Spec, settings: Mapping[str, str]) -> bool:
    """Whether the board is a graph, whose file says what its vertices are called."""
    if spec.board_entry.options is None or "shape" not in spec.board_entry.options:
        return False
    chosen = settings.get(parameter.name) if (parameter := shape_parameter(spec)) else None
    return (chosen or spec.board_entry.options["shape"].text) == GRAPH


def resolve(spec: Spec, settings: Mapping[str, str]) -> dict[str, Setting]:
    """The value of every parameter; bounds that speak of the board are checked later."""
    parameters = {
        parameter.name: parameter for parameter in with_fix(parameters_of(spec), settings)
    }
    for key in settings:
        if key not in parameters:
            raise InputError(
                f"{spec.name} has no parameter {key!r}",
                suggest(key, parameters),
                as_set(key, settings[key]),
            )
    return _Resolver(parameters, settings, _on_graph(spec, settings)).all()


def settings_for(spec: Spec, values: Mapping[str, Any]) -> dict[str, str]:
    """The fewest settings under which a spec has these values; what it does not know is left out.

    A header tells every value, but a parameter that nobody has set may not fit the board's shape.
    """
    settings: dict[str, str] = {}
    with build_limits(spec.source.is_built_in):
        for parameter in with_fix(parameters_of(spec), values):
            name = parameter.name
            if name not in values:
                continue
            text = as_text(values[name])
            if parameter.default is None or as_text(_usual(spec, parameter, settings)) != text:
                settings[name] = text
    return settings


def _usual(spec: Spec, parameter: Parameter, settings: Mapping[str, str]) -> Setting:
    """What a parameter is if nobody sets it, and others are set so."""
    known = {each.name: each for each in with_fix(parameters_of(spec), {parameter.name})}
    return _Resolver(known, settings).value(parameter.name)


def as_text(value: Any) -> str:
    """A value as it is set on the command line."""
    match value:
        case bool():
            return str(value).lower()
        case Graph():
            return value.construction or value.name
        case Table():
            return as_text(value.listed())
        case list() | tuple() if any(isinstance(row, list | tuple) for row in value):
            return ";".join(map(_row_text, value))
        case list() | tuple():
            return _row_text(value)
    return str(value)


def _row_text(entries: Sequence[Any]) -> str:
    """Entries with commas; one that stands alone keeps its own, or it would be read as signs."""
    words = [
        PARTS.join(map(str, each)) if isinstance(each, list | tuple) else str(each)
        for each in entries
    ]
    return f"{words[0]}," if len(words) == 1 and len(words[0]) > 1 else ",".join(words)


class _Resolver:
    def __init__(
        self,
        parameters: dict[str, Parameter],
        settings: Mapping[str, str],
        on_graph: bool = False,
    ) -> None:
        self.parameters, self.settings = parameters, settings
        self.on_graph = on_graph
        self.scope = Scope()
        self.done: dict[str, Setting] = {}
        self.under_way: list[str] = []

    def all(self) -> dict[str, Setting]:
        for name in self.parameters:
            self.value(name)
        # The number of a cell may be known only when the board is.
        known = {name for name, each in self.parameters.items() if each.type != "cell"}
        for parameter in self.parameters.values():
            value = self.done[parameter.name]
            with blaming(parameter, value, self.settings):
                check_bounds(parameter, value, self.scope, known)
        return {name: self.done[name] for name in self.parameters}

    def value(self, name: str) -> Setting:
        if name not in self.done:
            parameter = self.parameters[name]
            if name in self.under_way:
                circle = " -> ".join([*self.under_way[self.under_way.index(name) :], name])
                raise InputError(
                    f"the defaults of parameters form a cycle: {circle}",
                    "give one of them a number",
                    parameter.location,
                )
            if len(self.under_way) >= LONGEST_CHAIN:
                raise InputError(
                    f"a default that takes more than {LONGEST_CHAIN} others one after the other",
                    "give one of them a number",
                    parameter.location,
                )
            self.under_way.append(name)
            self.done[name] = value = self.evaluate(parameter)
            self.under_way.pop()
            if isinstance(value, int | str | Table):
                self.scope.values[name] = value
        return self.done[name]

    def evaluate(self, parameter: Parameter) -> Setting:
        if parameter.type == "graph" and (parameter.default or parameter.name in self.settings):
            return self.graph(parameter)
        if parameter.name in self.settings:
            text = self.settings[parameter.name]
            # What a vertex is called, the file of the graph decides.
            if parameter.type == "cell" and self.on_graph:
                return text
            with blaming(parameter, text, self.settings):
                return self.read(parameter, text)
        if parameter.default is None:
            raise InputError(
                f"parameter {parameter.name!r} has no default",
                f"give --set {parameter.name}=...",
                parameter.location,
            )
        if parameter.type not in ("int", "bool", "cell"):
            try:
                return self.read(parameter, parameter.default.text)
            except InputError as error:
                if parameter.type == "numbers":
                    own = error.place == as_set(parameter.name, parameter.default.text)
                    raise error.at(parameter.default.location if own else error.place) from None
                raise parameter.default.error(
                    f"a default that is {error.fault}", error.remedy
                ) from None
        value = self.constant(parameter.default)
        if isinstance(value, bool) != (parameter.type == "bool") or isinstance(value, str):
            raise parameter.default.error(
                f"the default is not of type {parameter.type}", "change it, or the type"
            )
        assert isinstance(value, int)
        return value

    def graph(self, parameter: Parameter) -> Graph:
        """A file of the user's, or a construction."""
        chosen, default = parameter.name in self.settings, parameter.default
        text = self.settings[parameter.name] if chosen or default is None else default.text
        place = as_set(parameter.name, text) if chosen else parameter.location
        return graph_of(parameter.kind, text, place, self.named)

    def named(self, name: str) -> int:
        """The number that is a parameter's."""
        value = self.value(name) if name in self.parameters else None
        if not isinstance(value, int) or isinstance(value, bool):
            fault = f"{name!r} is neither a number nor a parameter that is one"
            raise InputError(fault, "write digits, or the name of a parameter")
        return value

    def constant(self, source: ExpressionText) -> int | bool | str:
        """The value of an expression of other parameters."""
        tree = parse_expression(source)
        for name in names_in(tree):
            whole = name.partition(".")[0]
            if whole in self.parameters:
                value = self.value(whole)
                if isinstance(value, Graph) and whole != name:
                    self.scope.values |= offered(whole, value)
        result: int | bool | str = Compiler(self.scope, source).constant(tree)
        return result

    def number(self, source: ExpressionText) -> int:
        value = self.constant(source)
        if isinstance(value, bool | str):
            raise source.error("a number is needed", "write one, or an expression of parameters")
        return value

    def read(self, parameter: Parameter, text: str) -> Setting:
        """The value that a user's text stands for."""
        if parameter.type != "numbers":
            return read(parameter, text)
        with current_part(f"the table {parameter.name!r}", parameter.location):
            missing = self.number(parameter.entries.missing) if parameter.entries.missing else 0
            signs, place = Signs.of(parameter.entries.signs, missing), as_set(parameter.name, text)
            if parameter.entries.shape is None:
                return Table(entries.read(text, place, signs), missing)
            shape = tables.shape_of(parameter.entries.shape, self.number)
            return tables.read(text, shape, signs, place)


def as_set(name: str, value: Setting) -> str:
    """A setting as the place of an error; one of many lines by its name alone."""
    text = as_text(value)
    return name if "\n" in text.strip() else f"{name}={text[:40]}"


@contextmanager
def blaming(parameter: Parameter, value: Setting, chosen: Container[str]) -> Iterator[None]:
    """An error about a value is one of the setting, if the user chose it, and not of the spec."""
    try:
        yield
    except InputError as error:
        if parameter.name not in chosen:
            raise
        raise error.at(as_set(parameter.name, value), parameter.location) from None


def read(parameter: Parameter, text: str) -> Setting:
    """The same of a parameter that is no table."""
    place = as_set(parameter.name, text)
    match parameter.type:
        case "cell" if squares.is_name(text) or (text == ANY and _may_be_any(parameter)):
            return text
        case "int" | "cell":
            digits = text.removeprefix("-")
            if not digits.isdecimal() or not digits.isascii():
                also = ", or a square such as b2" if parameter.type == "cell" else ""
                also += ", or any" if _may_be_any(parameter) else ""
                raise InputError("not a whole number", f"write digits alone{also}", place)
            digits = digits.lstrip("0") or "0"
            if len(digits) > 10 or int(digits) > MAX_INTEGER:
                raise InputError("too large", f"the limit is {MAX_INTEGER}", place)
            return -int(digits) if text.startswith("-") else int(digits)
        case "bool":
            if text not in ("true", "false"):
                raise InputError("not a truth value", "write true or false", place)
            return text == "true"
        case "choice" | "shape":
            if text not in parameter.choices:
                raise InputError("not one of the choices", suggest(text, parameter.choices), place)
            return text
    if len(text) > 1000 or not text.isprintable():
        raise InputError("not a short line of text", "use at most 1000 printable characters", place)
    return text


def _may_be_any(parameter: Parameter) -> bool:
    return parameter.cell.same is not None or parameter.cell.any is not None


def check_against_board(
    spec: Spec,
    values: Mapping[str, Setting],
    chosen: Container[str],
    scope: Scope,
    board: Board | None,
) -> None:
    """The checks that need the board: a bound that speaks of it, a list of the wrong length."""
    for parameter in spec.parameters:
        value = values[parameter.name]
        with blaming(parameter, value, chosen):
            if parameter.type == "cell":
                continue  # as place_cells has placed it
            check_bounds(parameter, value, scope, cols=_cols(board))
            if parameter.entries.shape is not None or not isinstance(value, Table):
                continue
            if board and len(value.values) not in (0, board.cells):
                raise InputError(
                    f"{parameter.name} has {pluralize(len(value.values), 'entry', 'entries')}",
                    f"the board has {pluralize(board.cells, 'cell')}: give one for each, or none",
                    parameter.location,
                )


def _cols(board: Board | None) -> int | None:
    """The columns of a board whose cells are all there, row by row."""
    if board is None or board.cells < board.places or "layers" in board.description:
        return None
    return board.description.get("cols")


# Bounds of a parameter: `min` and `max` of a number or of all entries, and its `keys`.


def check_bounds(
    parameter: Parameter,
    value: int | bool | str | Table | Graph,
    scope: Scope,
    known: Set[str] | None = None,
    cols: int | None = None,
) -> None:
    """Check min and max; where names other than the known ones occur in them, that comes later."""
    if parameter.entries.keys and known is None:
        _check_keys(parameter, value, scope)
    for bound, sign in ((parameter.bounds.minimum, -1), (parameter.bounds.maximum, 1)):
        if bound is None:
            continue
        if known is not None and (
            isinstance(value, Table) or not names_in(parse_expression(bound)) <= known
        ):
            continue
        limit = constant_number(bound, scope)
        numbers = value.values.reshape(-1) if isinstance(value, Table) else np.array([value])
        wrong = np.flatnonzero(((numbers - limit) * sign > 0) & _is_there(value, numbers))
        if len(wrong):
            where = _entry(parameter, int(wrong[0]), value, cols)
            side, least = ("below", "at least") if sign < 0 else ("above", "at most")
            raise InputError(
                f"{parameter.name} = {numbers[wrong[0]]}{where} is {side} {limit}",
                f"give {least} {limit}",
                parameter.location,
            )


def _is_there(value: int | bool | str | Table | Graph, numbers: Ints) -> Bools:
    """Bounds are for entries that are there."""
    missing = value.missing if isinstance(value, Table) else None
    there: Bools = np.ones(len(numbers), np.bool_) if missing is None else numbers != missing
    return there


def _check_keys(
    parameter: Parameter, value: int | bool | str | Table | Graph, scope: Scope
) -> None:
    """An entry of a list is for a number that occurs in another table."""
    of = scope.values.get(parameter.entries.keys)
    if not isinstance(of, Table) or not isinstance(value, Table) or value.values.ndim > 1:
        raise InputError(
            f"`keys: {parameter.entries.keys}` is not for a list, or names no table",
            "name a parameter of type numbers",
            parameter.location,
        )
    named = np.flatnonzero(_is_there(value, value.values))
    for index in named[~np.isin(named, of.values)][:1]:
        raise InputError(
            f"an entry for {_key(index)}, and {parameter.entries.keys} has no {_key(index)}",
            "leave it out, or name another",
            parameter.location,
        )


def _key(index: int) -> str:
    """As a list names its entries."""
    return ascii_letters[index] if index < len(ascii_letters) else str(index)


def _entry(
    parameter: Parameter, number: int, value: int | bool | str | Table | Graph, cols: int | None
) -> str:
    """Which entry of a table, by rows where it or the board has them."""
    if not isinstance(value, Table):
        return ""
    if parameter.entries.keys:
        return f" for {_key(number)}"
    if value.values.ndim > 1:
        row, column, *_ = np.unravel_index(number, value.values.shape)
        return f" in row {row + 1}, column {column + 1}"
    # Without a shape it has an entry for every cell.
    by_rows = cols is not None and parameter.entries.shape is None
    return f" in {entries.whereabouts(number, cols or 1)}" if by_rows else f" in entry {number + 1}"


# The parameter `fix`, which every spec has.


FIX = "fix"
MEANS = "what must hold or must not, in words of the board: a1, !c3, a1=5, a1-b3"


def with_fix(parameters: tuple[Parameter, ...], chosen: Container[str]) -> tuple[Parameter, ...]:
    """The parameters of a spec, and this one; a spec may have one of its own that is called so."""
    if FIX not in chosen or any(parameter.name == FIX for parameter in parameters):
        return parameters
    default = ExpressionText("", "")
    return (*parameters, Parameter(FIX, "text", default, (), MEANS, ""))
