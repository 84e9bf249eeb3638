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
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.language.expressions import constant_condition, constant_number
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.schema import Parameter, Spec
from boardsat.generators.sections.parameters import (
    GRAPH,
    Setting,
    relocate_errors,
    setting_location,
    shape_parameter,
)


def board_of(
    spec: Spec, values: Mapping[str, Setting], settings: Set[str], scope: Scope
) -> Board | None:
    """Return the board of a spec; None without a board.

    `settings` are the names of the parameters that the user has set.
    """
    if spec.board_entry.options is None:
        return None
    return _BoardSection(spec, spec.board_entry.options, values, scope).board(settings)


def resolve_square_names(
    spec: Spec, values: Mapping[str, Setting], scope: Scope
) -> dict[str, Setting]:
    """Return the values with numbers for named squares: start=b2, enemies=rook@c3."""
    if spec.board_entry.options is None:
        return dict(values)
    return _BoardSection(spec, spec.board_entry.options, values, scope).resolve_names()


class _BoardSection:
    """Section `board:` with the values of the parameters that its options refer to."""

    def __init__(
        self,
        spec: Spec,
        options: Mapping[str, ExpressionText],
        values: Mapping[str, Setting],
        scope: Scope,
    ) -> None:
        self.spec, self.values, self.scope = spec, values, scope
        self.options = {key: source for key, source in options.items() if key != "shape"}
        if "shape" not in options:
            raise InputError(
                "a board needs a `shape`",
                f"choose from: {', '.join(boards.names())}",
                spec.board_entry.location,
            )
        self.source = options["shape"]
        self.is_parameter = shape_parameter(spec) is not None
        self.shape = str(values[self.source.text]) if self.is_parameter else self.source.text

    def board(self, settings: Set[str]) -> Board:
        module = boards.load(self.shape, self.source.location)
        options = {key: source for key, source in self.options.items() if key in module.OPTIONS}
        if self.is_parameter:
            self._check_settings(options.values(), settings)
        else:
            self._check_options(module)
        values = {key: self._value(source, module.OPTIONS[key]) for key, source in options.items()}
        if missing := [key for key in boards.required_options(module) if key not in values]:
            raise InputError(
                f"a {self.shape} board needs `{missing[0]}`",
                f"add `{missing[0]}` to `board:`",
                self.source.location,
            )
        for key in pieces.PIECE_OPTIONS.keys() & values.keys():
            if squares.contains_name(values[key]):
                values[key] = self._number_squares(key, values[key])
        try:
            board: Board = module.build(**values)
            self._check_guards(board)
            self._check_arcs(board)
        except InputError as error:
            raise self._relocate(error, options, settings) from None
        return board

    def _relocate(
        self, error: InputError, options: Mapping[str, ExpressionText], settings: Set[str]
    ) -> InputError:
        """Return the error, located at the settings that the wrong option refers to.

        If the error names no option, it is located at the settings that any option refers to.
        """
        sources = [options[error.location]] if error.location in options else [*options.values()]
        used = self._parameters_in(sources) & settings
        locations = [
            setting_location(name, self.values[name]) for name in self.values if name in used
        ]
        line = sources[0].location if len(sources) == 1 else self.spec.board_entry.location
        return error.at(", ".join(locations), line) if locations else error.at(line)

    def resolve_names(self) -> dict[str, Setting]:
        cells = {p.name for p in self.spec.parameters if p.type == "cell"}
        if self.shape == GRAPH and "file" in self.options:
            return self._resolve_labels(cells)
        texts = {self.options[key].text for key in pieces.PIECE_OPTIONS if key in self.options}
        values = dict(self.values)
        for name in (cells | texts) & values.keys():
            value = values[name]
            if isinstance(value, str) and squares.contains_name(value):
                numbers = self._number_squares(name, value)
                values[name] = int(numbers) if name in cells else numbers
        return values

    def _resolve_labels(self, cells: Set[str]) -> dict[str, Setting]:
        """Return the values with numbers for the labels of vertices."""
        graph: Graph = self._value(self.options["file"], Graph)
        values = dict(self.values)
        for name in cells:
            value = values[name]
            # A vertex may have the label `any`.
            if isinstance(value, str) and (value != ANY or value in graph.labels):
                try:
                    values[name] = graph.vertex(value)
                except InputError as error:
                    raise error.at(setting_location(name, value)) from None
        return values

    def _number_squares(self, name: str, text: str) -> str:
        size = self._rows_and_cols()
        try:
            if size is None:
                raise InputError(
                    f"the squares of a {self.shape} board have no names", "give numbers"
                )
            return squares.replace_names(text, *size)
        except InputError as error:
            raise error.at(f"{name}={text[:40]}") from None

    def _rows_and_cols(self) -> tuple[int, int] | None:
        """Return rows and columns if they are the only numbers of the board's shape, else None."""
        options = boards.load(self.shape, self.source.location).OPTIONS
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
                    f"a {self.shape} board has no option {key!r}",
                    suggest(key, module.OPTIONS),
                    source.location,
                )

    def _check_settings(self, options: Iterable[ExpressionText], settings: Set[str]) -> None:
        """Raise InputError if the user sets a parameter that the chosen shape does not use."""
        used = self._parameters_in(options)
        for name in sorted(self._parameters_in(self.options.values()) & settings - used):
            raise InputError(
                f"a {self.shape} board has no `{name}`",
                f"its parameters are: {', '.join(sorted(used))}",
                f"{name}={self.values[name]}",
            )

    def _parameters_in(self, sources: Iterable[ExpressionText]) -> set[str]:
        """Return the parameters that options refer to, also by the defaults of other parameters."""
        defaults = {p.name: p.default for p in self.spec.parameters if p.type == "int"}
        names: set[str] = set()
        pending = list(sources)
        while pending:
            for name in re.findall(r"\w+", pending.pop().text):
                if name in self.values and name not in names:
                    names.add(name)
                    pending += [default] if (default := defaults.get(name)) else []
        return names

    def _check_guards(self, board: Board) -> None:
        """Raise InputError for enemies if the spec does not use `guards`."""
        texts = [
            source.text
            for constraint in self.spec.constraints
            for sources in ((constraint.bindings,), *constraint.texts.values())
            for source in sources
            if source is not None
        ]
        if board.guards.size and not any(re.search(r"\bguards\b", text) for text in texts):
            raise InputError(
                f"{self.spec.name} does not support enemies, which need variables of positions",
                "use an encoding with positions, such as tour/unary",
                "enemies",
            )

    def _check_arcs(self, board: Board) -> None:
        """Raise UnsupportedError for a directed graph if the spec's edges are undirected."""
        if board.directed and any(view.kind == "edges" for view in self.spec.decode):
            remedy = "give an undirected graph"
            if self.spec.name.startswith("hamilton/"):
                remedy = "use an encoding with moves, such as hamilton/hve or hamilton/binary"
            raise UnsupportedError(
                f"{self.spec.name} does not support directed graphs: its edges are undirected",
                remedy,
            )

    def _value(self, source: ExpressionText, kind: type) -> Any:
        """Return the value of an option: a number, the value of a parameter, or the text itself."""
        if kind is int:
            return constant_number(source, self.scope)
        value = self.values.get(source.text, source.text)
        if not isinstance(value, kind):
            type_name = "text" if kind is str else kind.__name__.lower()
            raise InputError(
                f"{source.text!r} must be a parameter of type {type_name}",
                "declare it under `params`",
                source.location,
            )
        return value


# Parameters of type `cell`, resolved when the board is known.


def place_cells(
    spec: Spec,
    values: Mapping[str, Setting],
    settings: Container[str],
    scope: Scope,
    board: Board | None,
) -> dict[str, Setting]:
    """Return the values, with a free place or `any` for every parameter of type `cell`."""
    placed = dict(values)
    for parameter in spec.parameters:
        if parameter.type != "cell":
            continue
        name = parameter.name
        with relocate_errors(parameter, values[name], settings):
            if board is None:
                raise InputError(
                    f"{name} is a cell, which needs a board",
                    "add a `board`, or declare it with `type: int`",
                    parameter.location,
                )
            placed[name] = _place(parameter, values[name], name in settings, board, scope)
    return placed


def begins_outside(values: Mapping[str, Setting], spec: Spec) -> bool:
    """Return True if a `cell` parameter is `any`: paths then start at a cell outside the board."""
    return any(values[p.name] == ANY for p in spec.parameters if p.type == "cell")


def _place(
    parameter: Parameter, value: Setting, is_set: bool, board: Board, scope: Scope
) -> Setting:
    """Return the place of a `cell` parameter; the first free one if all give the same formula."""

    def holds(condition: ExpressionText | None) -> bool:
        return condition is not None and constant_condition(condition, scope)

    def first() -> int:
        return next(place for place in range(board.places) if board.cell(place) >= 0)

    name = parameter.name
    if value == ANY:
        if holds(parameter.cell.same):
            return first()
        if holds(parameter.cell.any):
            return ANY
        raise InputError(
            f"{name} cannot be `any` here", f"set {name} to one cell", parameter.location
        )
    assert isinstance(value, int)
    if not 0 <= value < board.places:
        remedy = f"give a number from {squares.place_range(board.places, board.description)}"
        raise InputError(f"{name} = {value} is not on the board", remedy, parameter.location)
    if board.cell(value) >= 0:
        return value
    if not is_set and holds(parameter.cell.same):
        return first()
    square = squares.place_label(value, board.description)
    raise InputError(
        f"{name} = {square} is {board.describe_obstacle(value)}",
        f"set {name} to a free place",
        parameter.location,
    )
