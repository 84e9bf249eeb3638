"""What is to be connected, as a constraint says it: edges of a variable, or cells of the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardsat.base.limits import checkpoint
from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.limits import LARGEST_INTEGER
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item, check_keys

if TYPE_CHECKING:
    from boardsat.generators.arrays import Ints, Tokens
    from boardsat.generators.connectivity.literal_graph import LiteralGraph
    from boardsat.generators.constraints._context import Context
    from boardsat.generators.language.scope import Scope
    from boardsat.generators.language.values import TupleSet

EDGES = ("edges", "from", "to")
CELLS = ("cells", "cell")
ALL, TOUCHED = "all", "touched"
"""Which vertices are to be connected: the ends of all edges, or of those that are true."""

SHORT = "write `E[i, j]` for edges"
SHORT_OR_CELLS = f"{SHORT}, or `W[i]` for cells"


def read_what(family: str, keys: dict[str, Item], may_be_cells: bool) -> Texts:
    """The texts under `edges`, `from` and `to` of every entry, or under `cells` and `cell`."""
    item, texts = keys[family], dict[str, tuple[ExpressionText, ...]]()
    for entry in item.items():
        parts = _short(entry, may_be_cells) if entry.is_scalar else _long(entry, may_be_cells)
        for key, text in parts.items():
            texts[key] = (*texts.get(key, ()), text)
    if "cells" in texts and len(texts["cells"]) + len(texts.get("edges", ())) > 1:
        raise item.error("cells go with nothing else", "write one entry, or edges alone")
    return texts | {family: texts.get("edges", ()) + texts.get("cells", ())}


def _short(entry: Item, may_be_cells: bool) -> dict[str, ExpressionText]:
    """`E[i, j]` stands for edges from i to j, `W[i]` for cells i."""
    source = entry.source()
    remedy = SHORT_OR_CELLS if may_be_cells else SHORT
    match parse_expression(source):
        case nodes.Index(indices=(nodes.Name(name=i), nodes.Name(name=j))):
            ends = (ExpressionText(name, source.place) for name in (i, j))
            return dict(zip(EDGES, (source, *ends), strict=True))
        case (
            nodes.Index(indices=(nodes.Name(name=i),))
            | nodes.Unary(operator="not", operand=nodes.Index(indices=(nodes.Name(name=i),)))
        ) if may_be_cells:
            return {"cells": source, "cell": ExpressionText(i, source.place)}
    raise source.error("edges are the members of one variable", remedy)


def _long(entry: Item, may_be_cells: bool) -> dict[str, ExpressionText]:
    parts = entry.mapping()
    keys = CELLS if may_be_cells and "cells" in parts else EDGES
    check_keys(parts, keys if "cells" in parts or not may_be_cells else (*EDGES, *CELLS))
    for key in keys:
        if key not in parts:
            what, example = (
                ("an edge", "`edges: E[i, j]`, `from: i`, `to: j`")
                if keys is EDGES
                else ("a cell", "`cells: W[i]`, `cell: i`")
            )
            raise entry.error(f"{what} needs `{key}`", f"write {example}")
    return {key: parts[key].source() for key in keys}


@dataclass(frozen=True)
class Edges:
    """A variable whose members are edges, and the two ends of each: an index, or one vertex."""

    variable: str
    ends: tuple[dict[str, int], dict[str, int]]

    def told(self) -> dict[str, Any]:
        """As the header tells it."""
        return {"variable": self.variable, "from": self.ends[0], "to": self.ends[1]}


@dataclass(frozen=True)
class Cells:
    """A variable whose members, or the others where it is negated, are the chosen cells."""

    variable: str
    negated: bool

    def told(self) -> dict[str, Any]:
        return {"variable": self.variable, "negated": self.negated}


def edges_of_entries(c: Context) -> list[Edges]:
    sources, starts, ends = (c.texts(key) for key in EDGES)
    entries = zip(sources, starts, ends, strict=True)
    return [_edges(source, start, end, c.scope) for source, start, end in entries]


def _edges(
    source: ExpressionText, start: ExpressionText, end: ExpressionText, scope: Scope
) -> Edges:
    from boardsat.generators.language.literals import member

    fault = "edges are the members of one variable"
    variable, indices = member(source, scope, fault, "edges: E[i, j]")
    return Edges(variable, (_end(start, indices, scope), _end(end, indices, scope)))


def _end(source: ExpressionText, indices: list[str], scope: Scope) -> dict[str, int]:
    """An index of the edge, or the same vertex for all."""
    if source.text in indices:
        return {"index": indices.index(source.text)}
    return {"vertex": constant(source, scope, 0, LARGEST_INTEGER)}


def constant(source: ExpressionText, scope: Scope, least: int, most: int) -> int:
    """A number that is the same everywhere."""
    from boardsat.generators.language.expressions import Compiler
    from boardsat.generators.language.values import Frame

    number = int(Compiler(scope, source).number(parse_expression(source)).run(Frame(1)))
    if not least <= number <= most:
        raise source.error(f"{number} is not a number from {least} to {most}", "write another")
    return number


def cells_of_entry(c: Context) -> Cells:
    from boardsat.generators.language.literals import member

    source = c.text("cells")
    tree = parse_expression(source)
    negated = isinstance(tree, nodes.Unary) and tree.operator == "not"
    inner = ExpressionText(source.text.removeprefix("not").strip(), source.place)
    fault = "cells are the members of one variable, or those that are not"
    variable, indices = member(inner if negated else source, c.scope, fault, "cells: W[i]")
    if indices != [c.text("cell").text]:
        raise source.error("its only index is the cell", "write `cells: W[i]`, `cell: i`")
    # Every board tells whether a cell is outside it.
    if c.scope.values.get("outside") != 0:
        raise source.error("cells are connected by the moves of a board", "add a `board`")
    size = c.scope.variables[variable].shape[0]
    if size > _set_of_board(c.scope, "cells").size:
        raise source.error(f"{variable}[{size - 1}] is no cell of the board", "use its `cells`")
    return Cells(variable, negated)


def graph_of_edges(c: Context, groups: list[Edges], which: str) -> LiteralGraph:
    """Vertices are the ends of edges, numbered anew."""
    import numpy as np

    from boardsat.generators.arrays import TRUE
    from boardsat.generators.connectivity.literal_graph import LiteralGraph
    from boardsat.generators.ragged import distinct

    count = sum(c.scope.variables[group.variable].count for group in groups)
    checkpoint(64 * count)
    parts = [_members(group, c.scope) for group in groups]
    us, vs, ids = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    names = distinct(np.concatenate([us, vs]))
    ends = np.searchsorted(names, us), np.searchsorted(names, vs)
    chosen = np.full(len(names), TRUE, np.int32) if which == ALL else None
    return LiteralGraph(len(names), ends, ids, chosen)


def _members(group: Edges, scope: Scope) -> tuple[Ints, Ints, Tokens]:
    """The ends of all members, and their numbers."""
    import numpy as np

    variable = scope.variables[group.variable]
    keys = np.arange(variable.count) if variable.keys is None else variable.keys
    indices = np.unravel_index(keys, variable.shape)
    start, end = (
        indices[about["index"]] if "index" in about else np.full(len(keys), about["vertex"])
        for about in group.ends
    )
    return start, end, (variable.first + np.arange(len(keys))).astype(np.int32)


def graph_of_cells(c: Context, cells: Cells) -> LiteralGraph:
    """A cell without a member is one whose variable is false."""
    import numpy as np

    from boardsat.generators.arrays import FALSE
    from boardsat.generators.connectivity.literal_graph import LiteralGraph

    variable = c.scope.variables[cells.variable]
    edges, size = _set_of_board(c.scope, "edges"), _set_of_board(c.scope, "cells").size
    u, v = edges.columns
    checkpoint(64 * (size + edges.size))
    literals = np.full(size, FALSE, np.int32)
    keys = np.arange(variable.count) if variable.keys is None else variable.keys
    literals[keys] = variable.first + np.arange(len(keys))
    return LiteralGraph(size, (u, v), None, -literals if cells.negated else literals)


def _set_of_board(scope: Scope, name: str) -> TupleSet:
    from boardsat.generators.language.values import TupleSet

    found = scope.values[name]
    assert isinstance(found, TupleSet)
    return found
