"""`connected`: a list of `edges`, each with `from` and `to`: the true ones connect all their ends.

There is a clause for every set of vertices, that some edge leaves it: too many to write. So the
block has no clauses: it tells the header which variables are the edges, and a solver's model tells
which clauses it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.limits import LARGEST_INTEGER
from boardsat.generators.spec import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.families._context import Context
    from boardsat.generators.language.scope import Scope

SAYS = "one connected graph of the edges {edges}"
NEEDS = {"rounds": "100"}
KEYS = ("lazy", "otherwise")
LAZY = True

MOST_ROUNDS = 10**6
ENDS = ("from", "to")


def read(keys: dict[str, Item]) -> Texts:
    if "lazy" not in keys or not keys["lazy"].flag():
        raise keys["connected"].error(
            "`connected` has no clauses of its own",
            "write `lazy: true`: cuts are found while solving",
        )
    texts: dict[str, tuple[ExpressionText, ...]] = {}
    for entry in keys["connected"].items():
        parts = entry.mapping(("edges", *ENDS))
        for key in ("edges", *ENDS):
            if key not in parts:
                raise entry.error(
                    f"an edge needs `{key}`", "write `edges: E[i, j]`, `from: i`, `to: j`"
                )
            texts[key] = (*texts.get(key, ()), parts[key].source())
    return texts | {key: (keys[key].source(),) for key in ("rounds", "otherwise") if key in keys}


def block(c: Context) -> Block:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.language.expressions import Compiler
    from boardsat.generators.language.values import Frame

    edges = zip(c.texts("edges"), c.texts("from"), c.texts("to"), strict=True)
    about: dict[str, Any] = {
        "connected": [_edges(member, ends, c.scope) for member, *ends in edges],
        "rounds": _constant(c.text("rounds"), c.scope, 1, MOST_ROUNDS),
    }
    # A spec from elsewhere is the only encoding of whatever it says.
    if c.texts("otherwise") and "/" in c.spec:
        about["otherwise"] = c.text("otherwise").text
    condition = c.constraint.condition
    asked = condition is None or Compiler(c.scope, condition).condition(
        parse_expression(condition)
    ).run(Frame(1))
    return Block(c.name, c.place, lambda first: iter(()), lazy=about if asked else None)


def _edges(edges: ExpressionText, ends: list[ExpressionText], scope: Scope) -> dict[str, Any]:
    """A variable whose members are edges, and the two ends of each."""
    from boardsat.generators.language.literals import member

    fault = "edges are the members of one variable"
    variable, indices = member(edges, scope, fault, "edges: E[i, j]")
    return {
        "variable": variable,
        **{role: _end(end, indices, scope) for role, end in zip(ENDS, ends, strict=True)},
    }


def _end(source: ExpressionText, indices: list[str], scope: Scope) -> dict[str, int]:
    """An index of the edge, or the same vertex for all."""
    if source.text in indices:
        return {"index": indices.index(source.text)}
    return {"vertex": _constant(source, scope, 0, LARGEST_INTEGER)}


def _constant(source: ExpressionText, scope: Scope, least: int, most: int) -> int:
    from boardsat.generators.language.expressions import Compiler
    from boardsat.generators.language.values import Frame

    number = int(Compiler(scope, source).number(parse_expression(source)).run(Frame(1)))
    if not least <= number <= most:
        raise source.error(f"{number} is not a number from {least} to {most}", "write another")
    return number
