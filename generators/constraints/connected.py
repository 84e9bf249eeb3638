"""`connected`: edges or cells, and which of their `vertices`: what is chosen lies in one component.

Written out by an encoding of generators/encodings/connected, or lazily: then there are no clauses,
the header says what is to be connected, and a solver's model tells which clauses it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item, check_keys

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "one connected component of {connected}"
KEYS = ("vertices", "encoding", "lazy", "rounds", "fallback")
ENCODINGS = "connected"

EDGES = ("edges", "from", "to")
CELLS = ("cells", "cell")
ALL, TOUCHED = "all", "touched"
"""Vertices that are to be connected: the ends of all edges, or those of true edges."""


def read(keys: dict[str, Item]) -> Texts:
    texts = read_edges("connected", keys, may_be_cells=True)
    if "vertices" in keys:
        source = keys["vertices"].source()
        if "cells" in texts:
            raise keys["vertices"].error("`vertices` goes with edges, not with cells", "remove it")
        if source.text not in (ALL, TOUCHED):
            fault = f"`vertices` cannot be {source.text!r}"
            raise keys["vertices"].error(fault, f"write {ALL} or {TOUCHED}")
        texts["vertices"] = (source,)
    return texts | read_mode(keys)


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints import _connectivity as connectivity

    if c.texts("cells"):
        cells = connectivity.cells_of_entry(c)
        entry: dict[str, Any] = {"cells": cells.to_json()}
        return connectivity.connectivity_block(
            c, entry, lambda: connectivity.graph_of_cells(c, cells)
        )
    edges = connectivity.edges_of_entries(c)
    which = c.text("vertices").text if c.texts("vertices") else ALL
    entry = {"connected" if which == ALL else TOUCHED: [group.to_json() for group in edges]}
    return connectivity.connectivity_block(
        c, entry, lambda: connectivity.graph_of_edges(c, edges, which == ALL)
    )


def read_edges(family: str, keys: dict[str, Item], may_be_cells: bool) -> Texts:
    """Read `edges`, `from` and `to` of every entry, or `cells` and `cell` of the only one."""
    item, texts = keys[family], dict[str, tuple[ExpressionText, ...]]()
    for entry in item.items():
        parts = _short(entry, may_be_cells) if entry.is_scalar else _long(entry, may_be_cells)
        for key, text in parts.items():
            texts[key] = (*texts.get(key, ()), text)
    if "cells" in texts and len(texts["cells"]) + len(texts.get("edges", ())) > 1:
        raise item.error("cells go with nothing else", "write one entry, or edges alone")
    return texts | {family: texts.get("edges", ()) + texts.get("cells", ())}


def _short(entry: Item, may_be_cells: bool) -> dict[str, ExpressionText]:
    """Read a short form: `E[i, j]` for edges from i to j, `W[i]` or `not W[i]` for cells i."""
    source = entry.source()
    match parse_expression(source):
        case nodes.Index(indices=(nodes.Name(name=i), nodes.Name(name=j))):
            ends = (ExpressionText(name, source.location) for name in (i, j))
            return dict(zip(EDGES, (source, *ends), strict=True))
        case (
            nodes.Index(indices=(nodes.Name(name=i),))
            | nodes.Unary(operator="not", operand=nodes.Index(indices=(nodes.Name(name=i),)))
        ) if may_be_cells:
            return {"cells": source, "cell": ExpressionText(i, source.location)}
    remedy = "write `E[i, j]` for edges" + (", or `W[i]` for cells" if may_be_cells else "")
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


def read_mode(keys: dict[str, Item]) -> Texts:
    """Read `encoding`, or `lazy` with `rounds` and `fallback`."""
    lazy = "lazy" in keys and keys["lazy"].flag()
    for key in ("encoding",) if lazy else ("rounds", "fallback"):
        if key in keys:
            fault = f"`{key}` {'does not go with' if lazy else 'needs'} `lazy: true`"
            raise keys[key].error(fault, "remove it" if lazy else "write that too, or remove it")
    names = ("encoding", "rounds", "fallback", *(("lazy",) if lazy else ()))
    return {key: (keys[key].source(),) for key in names if key in keys}
