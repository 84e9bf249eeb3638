"""`connected:` the edges that hold join all vertices to one graph. It makes no clauses.

There is a clause for every set of vertices, that some edge leaves it: too many to write. So the
header says which variables are the edges, and a solver's model tells which clauses it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generators.expressions import Compiler
from generators.families.blocks import Block
from generators.limits import LARGEST_INTEGER
from generators.nodes import Source
from generators.scope import Scope
from generators.spec import Constraint, Spec, View
from generators.syntax import parse_expression
from generators.values import Frame
from generators.views import member

MOST_ROUNDS = 10**6


def no_clauses(constraint: Constraint) -> Block:
    return Block(constraint.name, constraint.place, lambda first: iter(()))


def described(spec: Spec, scope: Scope) -> Iterator[dict[str, Any]]:
    """For the header, every such constraint of a spec that is switched on."""
    for constraint in spec.constraints:
        lazy, condition = constraint.lazy, constraint.condition
        if lazy is None:
            continue
        about: dict[str, Any] = {
            "connected": [_edges(view, scope) for view in lazy.edges],
            "rounds": _constant(lazy.rounds, scope, 1, MOST_ROUNDS),
        }
        # A spec from elsewhere is the only encoding of whatever it says.
        if lazy.otherwise and "/" in spec.name:
            about["otherwise"] = lazy.otherwise
        if condition is None or Compiler(scope, condition).condition(
            parse_expression(condition)
        ).run(Frame(1)):
            yield about


def _edges(view: View, scope: Scope) -> dict[str, Any]:
    """A variable whose members are edges, and the two ends of each."""
    fault = "edges are the members of one variable"
    variable, indices = member(view.member, scope, fault, "edges: E[i, j]")
    ends = {role: _end(source, indices, scope) for role, source in view.indices}
    return {"variable": variable, **ends}


def _end(source: Source, indices: list[str], scope: Scope) -> dict[str, int]:
    """An index of the edge, or the same vertex for all."""
    if source.text in indices:
        return {"index": indices.index(source.text)}
    return {"vertex": _constant(source, scope, 0, LARGEST_INTEGER)}


def _constant(source: Source, scope: Scope, least: int, most: int) -> int:
    number = int(Compiler(scope, source).number(parse_expression(source)).run(Frame(1)))
    if not least <= number <= most:
        raise source.error(f"{number} is no number from {least} to {most}", "write another")
    return number
