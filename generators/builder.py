"""Builder of formulas: names of a spec are resolved in order, then constraints are compiled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError, UnsupportedError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators import algorithms, constraints, encodings, randomness
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.assignments import fixed
from boardsat.generators.blocks import Block, chain
from boardsat.generators.boards import Board
from boardsat.generators.build_limits import build_limits
from boardsat.generators.clause_groups import (
    CompiledConstraint,
    CurrentRow,
    GroupBuilder,
    GroupedFormula,
)
from boardsat.generators.constraints._context import ConstraintContext
from boardsat.generators.dimacs import header_entries
from boardsat.generators.formula import Description, Formula, Header, HeaderViews, count
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.namespace import graph_namespace
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, Table, Value
from boardsat.generators.schema import Constraint, Definition, Spec, VariableDeclaration
from boardsat.generators.sections import decode, parameters
from boardsat.generators.sections.board import (
    begins_outside,
    board_of,
    place_cells,
    resolve_square_names,
)
from boardsat.generators.sections.define import collect, define, ground
from boardsat.generators.sections.objective import compile_goal, objective_of, weights_of
from boardsat.generators.sections.parameters import FIX
from boardsat.generators.sections.variables import (
    check_description,
    declare,
    declare_integer,
    integer_blocks,
)
from boardsat.generators.spec.defaults import DefaultException
from boardsat.generators.weights import Objective, WeightedLiterals

IMAGE = "image"
"""Name of the table of images in `symmetry_condition`."""


Settings = Mapping[str, Any] | None
"""Values of parameters by name: texts as on the command line, numbers, truth values or lists."""


def build(spec: Spec, settings: Settings = None, native_constraints: str = "") -> Formula:
    """Return the formula of a spec; nothing is written.

    `native_constraints` names the constraints that stay unencoded: "linear" or "cardinality".
    """
    with _builder(spec, settings) as builder:
        return builder.formula(native_constraints)


def build_grouped(
    spec: Spec, settings: Settings = None, split: Collection[int] | None = None
) -> GroupedFormula:
    """Return the formula with a group of clauses for every constraint.

    With `split`, only these constraints are built, with a group for every row of their `for`.
    """
    with _builder(spec, settings) as builder:
        return builder.grouped(split)


def build_header(spec: Spec, settings: Settings, name: str) -> tuple[Header, Board]:
    """Return a header without variables for a file of that name, and the board of the spec."""
    with _builder(spec, settings) as builder:
        board = builder.build_board()
        if board is None:
            raise InputError(f"{spec.name} must have a board", "add `board`", spec.source.file)
        stem = header_entries.stem(spec._replace(name=name), builder.settings, builder.scope)
        ground = board.with_outside() if begins_outside(builder.settings, spec) else board
        # Projection, style and views refer to variables, which are not declared here.
        builder.spec = spec._replace(
            counting=spec.counting._replace(projection=()),
            board_entry=spec.board_entry._replace(style=""),
            decode=(),
        )
        return replace(builder.header(board), stem=stem), ground


def describe(spec: Spec, settings: Settings) -> Description:
    """Return the description of an instance without building its formula."""
    with _builder(spec, settings) as builder:
        return builder.described(builder.build_board())


def supports_board(spec: Spec, settings: Settings) -> bool:
    """Return False if the spec does not support the board; True for invalid settings too."""
    try:
        with _builder(spec, settings) as builder:
            builder.build_board()
    except UnsupportedError:
        return False
    except InputError:
        pass
    return True


def exception_for(
    spec: Spec, settings: Settings, exceptions: Sequence[DefaultException]
) -> tuple[str, str] | None:
    """Return the encoding of the first exception that holds on the board, and its reason.

    None if no exception holds, the settings are invalid or the board exceeds the limits.
    """
    try:
        with _builder(spec, settings) as builder:
            builder.build_board()
            for exception in exceptions:
                for name, source in exception.definitions.items():
                    definition = Definition(name, source.location, source)
                    builder.scope.values[name] = _defined(definition, builder.scope)
                if header_entries.holds(exception.condition, builder.scope):
                    reason = header_entries.filled(exception.because, builder.scope)
                    return exception.encoding, reason
    except InputError:
        pass
    return None


def stem(spec: Spec, settings: Settings = None) -> str:
    """Return the name of an instance."""
    with _builder(spec, settings) as builder:
        builder.build_board()
        # Definitions can be slow to compute, and few labels refer to them.
        if header_entries.label_speaks_of(
            spec, {definition.name for definition in spec.definitions}
        ):
            builder.define()
        return header_entries.stem(spec, builder.settings, builder.scope)


@contextmanager
def _builder(spec: Spec, settings: Settings) -> Iterator[_Builder]:
    """Yield a builder of the spec, within the limits of built-in specs or of outside input."""
    with build_limits(spec.source.is_built_in), current_part("the spec"):
        texts = {name: parameters.as_text(value) for name, value in (settings or {}).items()}
        yield _Builder(spec, parameters.resolve(spec, texts), frozenset(texts))


def _defined(definition: Definition, scope: Scope) -> Value:
    """Return the value of a definition."""
    with current_part(repr(definition.name), definition.location):
        checkpoint()
        return define(definition, scope)


@dataclass
class _Builder:
    spec: Spec
    settings: dict[str, parameters.Setting]
    chosen: frozenset[str]
    """Names of the parameters that the user has set."""
    scope: Scope = field(default_factory=lambda: Scope(algorithms=dict(randomness.functions())))
    ground: Board | None = None
    """Board, extended by a cell outside it if paths may start anywhere. None without a board."""

    def build_board(self) -> Board | None:
        """Return the board; enter the names that it and the settings define into the scope."""
        self._offer_settings()
        # The board's size, which square names depend on, may be an expression of settings.
        self.settings = resolve_square_names(self.spec, self.settings, self.scope)
        self._offer_settings()
        self._offer_graphs()
        with current_part("the board", self.spec.board_entry.location):
            board = board_of(self.spec, self.settings, self.chosen, self.scope)
            if board:
                self._offer(board)
        self.settings = place_cells(self.spec, self.settings, self.chosen, self.scope, board)
        parameters.check_against_board(self.spec, self.settings, self.chosen, self.scope, board)
        if board:
            ground = board
            if begins_outside(self.settings, self.spec):
                ground = board.with_outside()
                self._offer(ground)
            self.ground = ground
            self._name_cells(ground)
            self.scope.algorithms |= algorithms.bind_algorithms(ground)
            # An empty table setting is filled with the default value for every cell.
            for name, value in self.settings.items():
                if isinstance(value, Table) and value.values.shape == (0,):
                    filled = np.full(board.cells, value.missing or 0, np.int64)
                    self.scope.values[name] = Table(filled, value.missing)
        return board

    def define(self) -> None:
        for definition in self.spec.definitions:
            self._check_new_name(definition.name, definition.location)
            self.scope.values[definition.name] = _defined(definition, self.scope)

    def _offer(self, board: Board) -> None:
        self.scope.values.update(board.namespace())

    def _offer_settings(self) -> None:
        for name, value in self.settings.items():
            # The value of `fix` is not a name of the language.
            if not isinstance(value, Graph) and not (name == FIX and self._fix):
                self.scope.values[name] = value

    def _offer_graphs(self) -> None:
        """Enter the namespaces of graph parameters other than the board's own into the scope."""
        board = (self.spec.board_entry.options or {}).get("file")
        for name, value in self.settings.items():
            if isinstance(value, Graph) and (board is None or board.text != name):
                self.scope.values.update(graph_namespace(name, value))

    def formula(self, native_constraints: str) -> Formula:
        board = self.build_board()
        self.define()
        named = self._declare()
        constraints = self._constraints(board)
        blocks = [self._compiled(constraint) for constraint in constraints]
        objective = self._objective(constraints, blocks)
        of_integers = self._of_integers(named + 1)
        best = objective()
        blocks = [*of_integers, *(block for block in blocks if block.soft is None)]
        formula = count(self.header(board, blocks), named, blocks, native_constraints)
        return replace(
            formula,
            objective=best,
            board=self.ground,
            declared_symmetry=self._declared_symmetry(),
            weights=self._weights(formula.header.projection),
        )

    def _declared_symmetry(self) -> Callable[[Ints], bool] | None:
        """Return the test of `symmetry_condition`, compiled once to report its errors early."""
        source, ground = self.spec.symmetry_condition, self.ground
        if source is None or ground is None:
            return None

        def is_symmetry(image: Ints) -> bool:
            scope = replace(self.scope, values={**self.scope.values, IMAGE: Table(image)})
            compiled = Compiler(scope, source).condition(parse_expression(source))
            return bool(compiled.run(Frame(1)))

        is_symmetry(np.arange(ground.cells))
        return is_symmetry

    def _weights(self, projection: Ints | None) -> WeightedLiterals | None:
        return weights_of(self.spec, self.scope, projection) if self.spec.is_weighted else None

    def _objective(
        self, constraints: Sequence[Constraint], blocks: Sequence[Block]
    ) -> Callable[[], Objective | None]:
        """Compile the objective; return a function that computes it once integers have literals."""
        if not self.spec.optimises:
            return lambda: None
        goal = self.spec.objective
        paid = compile_goal(goal, self.scope)
        return lambda: objective_of(goal, paid, constraints, blocks)

    def grouped(self, split: Collection[int] | None) -> GroupedFormula:
        """Return groups of whole constraints, or with `split` rows of these constraints alone."""
        board = self.build_board()
        self.define()
        named = self._declare()
        compiled = []
        for number, constraint in enumerate(self._constraints(board)):
            if split is None or number in split:
                current = None if split is None else CurrentRow()
                block = self._compiled(constraint, current)
                if block.soft is None:
                    compiled.append(CompiledConstraint(number, constraint, block, current))
        builder = GroupBuilder(named + 1)
        background = builder.background(self._of_integers(named + 1))
        groups = [group for entry in compiled for group in builder.groups(entry)]
        header = self.header(board, [entry.block for entry in compiled])
        return GroupedFormula(header, named, builder.first - 1, background, tuple(groups))

    def _constraints(self, board: Board | None) -> tuple[Constraint, ...]:
        """Return the constraints of the spec, and those of the setting `fix`."""
        if not self._fix:
            return self.spec.constraints
        drawing = decode.drawing(self.spec.decode, self.scope)
        return (*self.spec.constraints, *fixed(self._fix, drawing, self.scope, board))

    @property
    def _fix(self) -> str:
        """Value of the setting `fix`; empty if the spec itself declares a parameter `fix`."""
        declared = any(parameter.name == FIX for parameter in self.spec.parameters)
        return "" if declared else str(self.settings.get(FIX, ""))

    def _compiled(self, constraint: Constraint, current: CurrentRow | None = None) -> Block:
        choices = {k: str(self.settings[k]) for k in encodings.kinds() if k in self.settings}
        name = self.spec.name
        with current_part(f"the constraint {constraint.name!r}", constraint.location):
            return compile_constraint(constraint, name, self.scope, choices, current)

    def _of_integers(self, first: int) -> list[Block]:
        """Return the blocks that define integers; all constraints must have requested literals."""
        places = {declaration.name: declaration.location for declaration in self.spec.variables}
        return integer_blocks(self.scope.integers, places, first)

    def _declare(self) -> int:
        """Declare all variables; return their number."""
        first = 1
        for declaration in self.spec.variables:
            self._check_new_name(declaration.name, declaration.location)
            with current_part(f"the variable {declaration.name!r}", declaration.location):
                first = self._declare_one(declaration, first)
        return first - 1

    def _declare_one(self, declaration: VariableDeclaration, first: int) -> int:
        """Declare a variable; return the number after its last member."""
        if declaration.values is None:
            variable = declare(declaration, first, self.scope)
            check_description(declaration, variable, self.settings)
            self.scope.variables[declaration.name] = variable
            return variable.first + variable.count
        name = str(self.settings["int"])
        integer = declare_integer(declaration, first, self.scope, name)
        check_description(declaration, integer.members, self.settings)
        self.scope.integers[declaration.name] = integer
        return first + integer.count

    def _name_cells(self, board: Board) -> None:
        """Enter cell parameters into the scope: the cell of the place that the user named."""
        for parameter in self.spec.parameters:
            if parameter.type == "cell":
                setting = self.settings[parameter.name]
                assert isinstance(setting, int | str)
                self.scope.values[parameter.name] = board.cell(setting)

    def described(self, board: Board | None) -> Description:
        spec = self.spec
        return Description(
            spec=spec.name,
            sha256=spec.source.sha256,
            title=spec.description.title,
            cite=spec.description.cite,
            parameters={
                name: header_entries.setting(value) for name, value in self.settings.items()
            },
            board=dict(board.description) if board else None,
            edges=header_entries.edge_keys(board),
            unsat_message=header_entries.unsat_message(spec, self.settings, self.scope, board),
        )

    def header(self, board: Board | None, blocks: Sequence[Block] = ()) -> Header:
        spec = self.spec
        drawing = decode.drawing(spec.decode, self.scope)
        return Header(
            **vars(self.described(board)),
            stem=header_entries.stem(spec, self.settings, self.scope),
            variables=header_entries.variables(spec, self.scope),
            views=HeaderViews(
                model_views=tuple(drawing.decode),
                static_views=tuple(drawing.static_views),
                columns=tuple(drawing.columns),
                board_style=spec.board_entry.style,
                regions=decode.regions(spec.decode, self.scope),
                given_cells=decode.given(spec.decode, self.scope),
            ),
            projection=header_entries.projection(spec, self.scope),
            count_preserving=spec.counting.is_count_preserving,
            objects=header_entries.objects(spec, self.settings, self.scope),
            lazy=tuple(block.lazy for block in blocks if block.lazy),
        )

    def _check_new_name(self, name: str, location: str) -> None:
        """Raise InputError if a name is already defined."""
        if self.scope.is_known(name):
            raise InputError(f"the name {name!r} is already defined", "use another name", location)


def compile_constraint(
    constraint: Constraint,
    spec: str,
    scope: Scope,
    choices: Mapping[str, str],
    current: CurrentRow | None = None,
) -> Block:
    """Return the block of a constraint; all names are resolved before anything is grounded."""
    scopes = (
        [scope] if constraint.for_each_size is None else _scopes(constraint.for_each_size, scope)
    )
    blocks: list[Block] = []
    for constraint_scope in scopes:
        checkpoint()
        context = ConstraintContext(constraint, spec, constraint_scope, choices, current)
        blocks.append(constraints.load(constraint.constraint_type).block(context))
    return (
        chain(blocks) if blocks else Block(constraint.name, constraint.location, lambda _: iter(()))
    )


def _scopes(source: ExpressionText, scope: Scope) -> Iterator[Scope]:
    """Yield a scope for every distinct value of `for_each_size`, in increasing order."""
    grounding = ground(scope, source)
    if len(grounding.bound) != 1 or grounding.width != 1:
        fault = "`for_each_size` must bind one name to numbers"
        raise source.error(fault, "write `k in range(n)`")
    (name,) = grounding.bound
    (values,) = collect(grounding, grounding.columns, 1)
    for value in distinct(values).tolist():
        yield replace(scope, values={**scope.values, name: value})
