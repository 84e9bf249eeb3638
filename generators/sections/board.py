"""Section `board:` of a spec: the board by its shape and options, and the cells on it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Set
from types import ModuleType
from typing import Any

from boardsat.base.errors import InputError, UnsupportedError
from boardsat.base.text import suggest
from boardsat.generators import boards
from boardsat.generators.boards import ANY, Board
from boardsat.generators.boards import _pieces as pieces
from boardsat.generators.boards import _squares as squares
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.language.expressions import constant_condition, constant_number
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.schema import Parameter, Spec
from boardsat.generators.sections.parameters import GRAPH, Setting, as_set, blaming, shape_parameter


def board_of(
    spec: Spec, values: Mapping[str, Setting], chosen: Set[str], scope: Scope
) -> Board | None:
    """The board of a spec, or None; `chosen` are the parameters that the user has set."""
    if spec.board_entry.options is None:
        return None
    return _BoardLine(spec, spec.board_entry.options, values, scope).board(chosen)


def with_numbers(spec: Spec, values: Mapping[str, Setting], scope: Scope) -> dict[str, Setting]:
    """The values, with the numbers of squares that users have named: start=b2, enemies=rook@c3."""
    if spec.board_entry.options is None:
        return dict(values)
    return _BoardLine(spec, spec.board_entry.options, values, scope).with_numbers()


class _BoardLine:
    def __init__(
        self,
        spec: Spec,
        line: dict[str, ExpressionText],
        values: Mapping[str, Setting],
        scope: Scope,
    ) -> None:
        self.spec, self.values, self.scope = spec, values, scope
        self.options = {key: source for key, source in line.items() if key != "shape"}
        if "shape" not in line:
            raise InputError(
                "a board needs a `shape`",
                f"choose from: {', '.join(boards.names())}",
                spec.board_entry.location,
            )
        self.source = line["shape"]
        self.is_parameter = shape_parameter(spec) is not None
        self.name = str(values[self.source.text]) if self.is_parameter else self.source.text

    def board(self, chosen: Set[str]) -> Board:
        module = boards.load(self.name, self.source.location)
        known = {key: source for key, source in self.options.items() if key in module.OPTIONS}
        if self.is_parameter:
            self._check_chosen(known.values(), chosen)
        else:
            self._check_options(module)
        values = {key: self._value(source, module.OPTIONS[key]) for key, source in known.items()}
        if missing := [key for key in boards.required_options(module) if key not in values]:
            raise InputError(
                f"a {self.name} board needs `{missing[0]}`", "add it", self.source.location
            )
        for key in pieces.PIECE_OPTIONS.keys() & values.keys():
            if squares.contains_name(values[key]):
                values[key] = self._numbered(key, values[key])
        try:
            board: Board = module.build(**values)
            self._check_guards(board)
            self._check_arcs(board)
        except InputError as error:
            raise self._blaming(error, known, chosen) from None
        return board

    def _blaming(
        self, error: InputError, known: Mapping[str, ExpressionText], chosen: Set[str]
    ) -> InputError:
        """At what the user has set of the board, all of it or the option that has the error."""
        sources = [known[error.place]] if error.place in known else [*known.values()]
        used = self._parameters_in(sources)
        guilty = [as_set(name, self.values[name]) for name in self.values if name in used & chosen]
        line = sources[0].location if len(sources) == 1 else self.spec.board_entry.location
        return error.at(", ".join(guilty), line) if guilty else error.at(line)

    def with_numbers(self) -> dict[str, Setting]:
        cells = {each.name for each in self.spec.parameters if each.type == "cell"}
        if self.name == GRAPH and "file" in self.options:
            return self._with_vertices(cells)
        texts = {self.options[key].text for key in pieces.PIECE_OPTIONS if key in self.options}
        found = dict(self.values)
        for name in (cells | texts) & found.keys():
            value = found[name]
            if isinstance(value, str) and squares.contains_name(value):
                numbers = self._numbered(name, value)
                found[name] = int(numbers) if name in cells else numbers
        return found

    def _with_vertices(self, cells: Set[str]) -> dict[str, Setting]:
        """The values, with the numbers of vertices for the labels that users have given."""
        graph: Graph = self._value(self.options["file"], Graph)
        found = dict(self.values)
        for name in cells:
            value = found[name]
            # A vertex may have that very name.
            if isinstance(value, str) and (value != ANY or value in graph.labels):
                try:
                    found[name] = graph.vertex(value)
                except InputError as error:
                    raise error.at(f"{name}={value[:40]}") from None
        return found

    def _numbered(self, name: str, text: str) -> str:
        size = self._rows_and_cols()
        try:
            if size is None:
                raise InputError(
                    f"the squares of a {self.name} board have no names", "give numbers"
                )
            return squares.replace_names(text, *size)
        except InputError as error:
            raise error.at(f"{name}={text[:40]}") from None

    def _rows_and_cols(self) -> tuple[int, int] | None:
        """Of a board that is nothing but rows and columns."""
        options = boards.load(self.name, self.source.location).OPTIONS
        numbers = [key for key, kind in options.items() if kind is int]
        if numbers != ["rows", "cols"] or not self.options.keys() >= {"rows", "cols"}:
            return None
        rows, cols = (self._value(self.options[key], int) for key in numbers)
        return rows, cols

    def _check_options(self, module: ModuleType) -> None:
        """Raise InputError for an option that the shape does not have."""
        for key, source in self.options.items():
            if key not in module.OPTIONS:
                raise InputError(
                    f"no option {key!r} of a {self.name} board",
                    suggest(key, module.OPTIONS),
                    source.location,
                )

    def _check_chosen(self, known: Iterable[ExpressionText], chosen: Set[str]) -> None:
        """Raise InputError if the user sets a parameter that the chosen shape does not use."""
        used = self._parameters_in(known)
        for name in sorted(self._parameters_in(self.options.values()) & chosen - used):
            raise InputError(
                f"a {self.name} board has no `{name}`",
                f"leave it out, or use another shape: this one has {', '.join(sorted(used))}",
                f"{name}={self.values[name]}",
            )

    def _parameters_in(self, sources: Iterable[ExpressionText]) -> set[str]:
        """The parameters that options name, and those that the defaults of these name."""
        defaults = {p.name: p.default for p in self.spec.parameters if p.type == "int"}
        found: set[str] = set()
        ahead = list(sources)
        while ahead:
            for name in re.findall(r"\w+", ahead.pop().text):
                if name in self.values and name not in found:
                    found.add(name)
                    ahead += [default] if (default := defaults.get(name)) else []
        return found

    def _check_guards(self, board: Board) -> None:
        """Raise UnsupportedError for enemies if the spec does not use `guards`."""
        texts = [
            source.text
            for constraint in self.spec.constraints
            for sources in ((constraint.bindings,), *constraint.texts.values())
            for source in sources
            if source is not None
        ]
        if board.guards.size and not any(re.search(r"\bguards\b", text) for text in texts):
            raise InputError(
                f"{self.spec.name} does not support enemies: it does not say what is visited first",
                "use an encoding with positions, such as tour/unary",
                "enemies",
            )

    def _check_arcs(self, board: Board) -> None:
        """Raise UnsupportedError for a directed graph if the spec's edges are undirected."""
        if board.directed and any(view.kind == "edges" for view in self.spec.decode):
            raise UnsupportedError(
                f"{self.spec.name} does not support directed graphs: its edges have no direction",
                "use an encoding with moves, such as hamilton/hve or hamilton/binary",
            )

    def _value(self, source: ExpressionText, kind: type) -> Any:
        """A number is an expression; a text or a graph names a parameter, or is the text itself."""
        if kind is int:
            return constant_number(source, self.scope)
        named = self.values.get(source.text, source.text)
        if not isinstance(named, kind):
            wanted = "text" if kind is str else kind.__name__.lower()
            raise InputError(
                f"{source.text!r} is not a parameter of type {wanted}",
                "declare it under params",
                source.location,
            )
        return named


# Parameters of type `cell`, once the board is known.


def place_cells(
    spec: Spec,
    settings: Mapping[str, Setting],
    chosen: Container[str],
    scope: Scope,
    board: Board | None,
) -> dict[str, Setting]:
    """Return the settings with every cell as a free place of the board, or `any`."""
    found = dict(settings)
    for parameter in spec.parameters:
        if parameter.type != "cell":
            continue
        value = found[parameter.name]
        with blaming(parameter, value, chosen):
            if board is None:
                raise InputError(
                    "a cell without a board", "add a `board`, or make it an int", parameter.location
                )
            found[parameter.name] = _place(
                parameter, value, parameter.name in chosen, _Board(board, scope)
            )
    return found


def begins_outside(settings: Mapping[str, Setting], spec: Spec) -> bool:
    """Whether a cell is any one, so that the board gets one more to come from."""
    return any(settings[each.name] == ANY for each in spec.parameters if each.type == "cell")


class _Board:
    """A board, and the names that a spec knows of it."""

    def __init__(self, board: Board, scope: Scope) -> None:
        self.board, self.scope = board, scope

    def holds(self, source: ExpressionText | None) -> bool:
        return source is not None and constant_condition(source, self.scope)

    def first(self) -> int:
        """The first place where nothing stands."""
        board = self.board
        return next(place for place in range(board.places) if board.cell(place) >= 0)


def _place(parameter: Parameter, value: Setting, is_chosen: bool, on: _Board) -> Setting:
    name, board = parameter.name, on.board
    if value == ANY:
        if on.holds(parameter.cell.same):
            return on.first()
        if on.holds(parameter.cell.any):
            return ANY
        raise InputError(
            f"{name} cannot be any cell here", f"set {name} to one", parameter.location
        )
    assert isinstance(value, int)
    if not 0 <= value < board.places:
        remedy = f"give a number from {squares.place_range(board.places, board.description)}"
        raise InputError(f"{name} = {value} is not on the board", remedy, parameter.location)
    if board.cell(value) >= 0:
        return value
    if not is_chosen and on.holds(parameter.cell.same):
        return on.first()
    where = squares.place_label(value, board.description)
    raise InputError(
        f"{name} = {where} is {board.describe_obstacle(value)}",
        f"set {name} to a free place",
        parameter.location,
    )
