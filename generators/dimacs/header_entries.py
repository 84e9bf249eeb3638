"""Parts of a header: projection, file stem, counted objects and unsatisfiability message."""

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
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.layout import OWN, Integer, Variable
from boardsat.generators.language.literals import LiteralCompiler
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, Table
from boardsat.generators.schema import Spec
from boardsat.generators.sections.parameters import FIX, Setting


def variables(spec: Spec, scope: Scope) -> tuple[Variable | Integer, ...]:
    """Return the declared variables in the order of the spec."""
    layouts: dict[str, Variable | Integer] = {**scope.variables, **scope.integers}
    return tuple(layouts[entry.name] for entry in spec.variables if entry.name in layouts)


def projection(spec: Spec, scope: Scope) -> Ints | None:
    """Return the projection: variables by name, or members as `X[i] for ... if ...`."""
    if not spec.counting.projection:
        return None
    chosen = []
    entries = spec.counting.projection
    for source in (source for entry in entries for source in _names(entry)):
        with current_part("the projection", source.location):
            tree = parse_expression(source)
            chosen.append(_projected(source, tree, scope))
    return distinct(np.concatenate(chosen))


def _names(source: ExpressionText) -> list[ExpressionText]:
    """Return the parts of a list of names such as `W, B`; a comprehension is one part."""
    if not re.fullmatch(r"\w+(\s*,\s*\w+)+", source.text):
        return [source]
    return [source._replace(text=name.strip()) for name in source.text.split(",")]


def _projected(source: ExpressionText, tree: Node, scope: Scope) -> Ints:
    if isinstance(tree, nodes.Name) and tree.name in scope.variables:
        variable = scope.variables[tree.name]
        return np.arange(variable.first, variable.first + variable.count)
    if isinstance(tree, nodes.Name) and tree.name in scope.integers:
        return scope.integers[tree.name].tables[OWN].astype(np.int64)
    selection = LiteralCompiler(scope, source, NOTHING).literals(tree)
    if selection.grounding is None:
        raise source.error("a variable or `X[i] for ...` is needed", "name one", tree.at)
    literals = np.abs(selection.gather(Frame(1))[0])
    return literals[literals <= MAX_INTEGER].astype(np.int64)


def stem(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> str:
    """Return the stem of the file's name: problem, label and encoding."""
    encoding = spec.encoding if "/" in spec.name else ""
    graphs = [value.stem for value in settings.values() if isinstance(value, Graph)]
    labels = [spec.problem, *graphs, _label(spec, settings, scope), encoding]
    text = "-".join(filter(None, labels))
    return re.sub(r"[^A-Za-z0-9_.,+-]+", "-", text)[:150]


def label_speaks_of(spec: Spec, names: Set[str]) -> bool:
    """Return True if the label of an instance contains one of these names."""
    return spec.description.label is not None and bool(
        names & set(re.findall(r"\w+", spec.description.label.text))
    )


def _label(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> str:
    if spec.description.label is None:
        numbers = {k: v for k, v in settings.items() if type(v) is int}
        return "-".join(f"{name}{number}" for name, number in numbers.items())
    return filled(spec.description.label, scope)


def filled(source: ExpressionText, scope: Scope) -> str:
    """Return a text with its `{expression}` parts replaced by their values."""

    def fill(match: re.Match[str]) -> str:
        inner = ExpressionText(match[1], source.location)
        return str(Compiler(scope, inner).constant(parse_expression(inner)))

    return re.sub(r"\{([^{}]*)\}", fill, source.text)


def holds(source: ExpressionText, scope: Scope) -> bool:
    """Return the value of a condition without bound names."""
    return bool(Compiler(scope, source).condition(parse_expression(source)).run(Frame(1)))


def objects(spec: Spec, settings: Mapping[str, Setting], scope: Scope) -> dict[str, Any] | None:
    """Return the counted objects: name, models per object and published count."""
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
            raise source.error(
                f"`models_per_solution` must be at least 1 (got {number})", "write 1 or more"
            )
        described["models_per_solution"] = int(number)
    # Published counts do not apply to fixed literals.
    for count in () if settings.get(FIX) else spec.counting.published:
        if count.condition is None or holds(count.condition, scope):
            return described | {"published": count.number, "cite": count.cite}
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
        sentence = (
            f"there are no {named['name']}" if named else f"no solution: {spec.description.title}"
        )
        return f"{sentence}{fixed}" if fixed else ""
    scope = _of_parameters(settings, scope)
    if board is not None:
        scope.values["board"] = board.caption
        for parameter in spec.parameters:
            cell = settings[parameter.name]
            if parameter.type == "cell" and isinstance(cell, int | str):
                scope.values[parameter.name] = squares.place_label(cell, board.description)
    return filled(spec.description.unsat_message, scope) + fixed


def _of_parameters(settings: Mapping[str, Setting], scope: Scope) -> Scope:
    """Return a scope in which parameters take precedence over names of the board."""
    chosen = {
        name: value
        for name, value in settings.items()
        # A cell set to `any` has the number of the cell outside the board.
        if not isinstance(value, Graph) and value != ANY
    }
    return replace(scope, values={**scope.values, **chosen})


def setting(value: Setting) -> Any:
    """Return the header entry of a setting."""
    match value:
        case Graph():
            return value.construction or {"file": value.name, "sha256": value.sha256}
        case Table():
            return value.as_lists()
    return value


def edge_keys(board: Board | None) -> Ints | None:
    """Return the edges or arcs as numbers u * cells + v; None if the header need not list them."""
    if board is None or not board.edge_list:
        return None
    u, v = (board.moves if board.directed else board.edges).columns
    return u * board.cells + v
