"""The header of a file: its projection, its name, its objects."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

import numpy as np

from boardsat.base.limits import current_part
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.boards import ANY, Board
from boardsat.generators.boards import _squares as squares
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.integers import OWN, Integer
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.literals import Listed, LiteralCompiler
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, Table
from boardsat.generators.schema import Spec
from boardsat.generators.sections.parameters import FIX, Setting


def variables(spec: Spec, scope: Scope) -> tuple[Variable | Integer, ...]:
    """Those of the spec that have their numbers, in its order."""
    known: dict[str, Variable | Integer] = {**scope.variables, **scope.integers}
    return tuple(known[each.name] for each in spec.variables if each.name in known)


def projection(spec: Spec, scope: Scope) -> Ints | None:
    """The variables that are counted over: whole ones by name, or `X[i] for ... if ...`."""
    if not spec.counting.projection:
        return None
    chosen = []
    for source in (each for part in spec.counting.projection for each in _names(part)):
        with current_part("the projection", source.place):
            tree = parse_expression(source)
            chosen.append(_projected(source, tree, scope))
    return distinct(np.concatenate(chosen))


def _names(source: ExpressionText) -> list[ExpressionText]:
    """`W, B` are two; commas of a `for` are its own."""
    if not re.fullmatch(r"\w+(\s*,\s*\w+)+", source.text):
        return [source]
    return [source._replace(text=name.strip()) for name in source.text.split(",")]


def _projected(source: ExpressionText, tree: Node, scope: Scope) -> Ints:
    if isinstance(tree, nodes.Name) and tree.name in scope.variables:
        variable = scope.variables[tree.name]
        return np.arange(variable.first, variable.first + variable.count)
    if isinstance(tree, nodes.Name) and tree.name in scope.integers:
        return scope.integers[tree.name].tables[OWN].astype(np.int64)
    part = LiteralCompiler(scope, source, NOTHING).part(tree)
    if not isinstance(part, Listed):
        raise source.error("a variable or `X[i] for ...` is needed", "name one", tree.at)
    literals = np.abs(part.gather(Frame(1))[0])
    return literals[literals <= MAX_INTEGER].astype(np.int64)


def stem(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> str:
    """What a file of this instance is called: problem, label, encoding."""
    encoding = spec.encoding if "/" in spec.name else ""
    graphs = [value.stem for value in settings.values() if isinstance(value, Graph)]
    parts = [spec.problem, *graphs, _label(spec, settings, scope), encoding]
    text = "-".join(part for part in parts if part)
    return re.sub(r"[^A-Za-z0-9_.,+-]+", "-", text)[:150]


def label_speaks_of(spec: Spec, names: Set[str]) -> bool:
    """Whether the label of an instance may need one of these names."""
    return spec.description.label is not None and bool(
        names & set(re.findall(r"\w+", spec.description.label.text))
    )


def _label(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> str:
    if spec.description.label is None:
        numbers = {k: v for k, v in settings.items() if type(v) is int}
        return "-".join(f"{name}{number}" for name, number in numbers.items())
    return filled(spec.description.label, scope)


def filled(source: ExpressionText, scope: Scope) -> str:
    """A text with its `{expression}` parts worked out."""

    def fill(match: re.Match[str]) -> str:
        inner = ExpressionText(match[1], source.place)
        return str(Compiler(scope, inner).constant(parse_expression(inner)))

    return re.sub(r"\{([^{}]*)\}", fill, source.text)


def holds(source: ExpressionText, scope: Scope) -> bool:
    """Whether a condition without rows holds."""
    return bool(Compiler(scope, source).condition(parse_expression(source)).run(Frame(1)))


def objects(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> dict[str, Any] | None:
    """What is counted: its name, how many models stand for one, and how many are known to be."""
    if spec.counting.objects is None:
        return None
    scope = _of_parameters(settings, scope)
    described: dict[str, Any] = {
        "name": filled(spec.counting.objects, scope),
        "models_per_solution": 1,
    }
    if source := spec.counting.models_per_solution:
        number = Compiler(scope, source).number(parse_expression(source)).run(Frame(1))
        if number < 1:
            raise source.error(f"{number} is no number of models for an object", "write 1 or more")
        described["models_per_solution"] = int(number)
    # Nobody has published how many there are with this and without that.
    for known in () if settings.get(FIX) else spec.counting.published:
        if known.condition is None or holds(known.condition, scope):
            return described | {"published": known.number, "cite": known.cite}
    return described


def unsat_message(
    spec: Spec, settings: Mapping[str, Setting], scope: Scope, board: Board | None
) -> str:
    """Return a sentence that states what unsatisfiability means, with algebraic square names.

    Empty if neither the spec nor `fix` requires one: readers of the file have a default.
    """
    is_own = any(parameter.name == FIX for parameter in spec.parameters)
    fixed = f" (fixed: {settings[FIX]})" if settings.get(FIX) and not is_own else ""
    if not spec.description.unsat_message:
        named = objects(spec, settings, scope)
        words = (
            f"there are no {named['name']}" if named else f"no solution: {spec.description.title}"
        )
        return f"{words}{fixed}" if fixed else ""
    scope = _of_parameters(settings, scope)
    if board is not None:
        scope.values["board"] = board.words
        for parameter in spec.parameters:
            place = settings[parameter.name]
            if parameter.type == "cell" and isinstance(place, int | str):
                scope.values[parameter.name] = squares.called(place, board.description)
    return filled(spec.description.unsat_message, scope) + fixed


def _of_parameters(settings: Mapping[str, Setting], scope: Scope) -> Scope:
    """Where a name means the parameter, even if the board has given it to something else."""
    chosen = {
        name: value
        for name, value in settings.items()
        # A cell that may be any has the number of the one outside the board.
        if not isinstance(value, Graph) and value != ANY
    }
    return replace(scope, values={**scope.values, **chosen})


def setting(value: Setting) -> Any:
    """A setting as the header shows it."""
    match value:
        case Graph():
            return value.construction or {"file": value.name, "sha256": value.sha256}
        case Table():
            return value.listed()
    return value


def edge_keys(board: Board | None) -> Ints | None:
    """The edges or arcs as numbers u * cells + v, where the header must list them."""
    if board is None or not board.edge_list:
        return None
    u, v = (board.moves if board.directed else board.edges).columns
    return u * board.cells + v
