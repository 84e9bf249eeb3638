"""`connected`: the `vertices` are connected by true edges, or the selected cells by moves.

The constraint is encoded by one of generators/encodings/connected, or it is lazy: the header
describes it, and cuts are added while solving for models that violate it.
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
"""Values of `vertices`: the ends of all edges, or only the ends of true edges."""


def read(keys: dict[str, Item]) -> Texts:
    texts = read_edges("connected", keys, may_be_cells=True)
    if "vertices" in keys:
        source = keys["vertices"].source()
        if "cells" in texts:
            raise keys["vertices"].error("`vertices` cannot be combined with cells", "remove it")
        if source.text not in (ALL, TOUCHED):
            fault = f"`vertices` must be {ALL} or {TOUCHED} (got {source.text!r})"
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


def read_edges(constraint_type: str, keys: dict[str, Item], may_be_cells: bool) -> Texts:
    """Read `edges`, `from` and `to` of every entry, or `cells` and `cell` of the only one."""
    item, texts = keys[constraint_type], dict[str, tuple[ExpressionText, ...]]()
    for entry in item.items():
        read_entry = _short if entry.is_scalar else _long
        for key, text in read_entry(entry, may_be_cells).items():
            texts[key] = (*texts.get(key, ()), text)
    if "cells" in texts and len(texts["cells"]) + len(texts.get("edges", ())) > 1:
        fault = "an entry with cells must be the only entry"
        raise item.error(fault, "remove the other entries")
    return texts | {constraint_type: texts.get("edges", ()) + texts.get("cells", ())}


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
    raise source.error("edges must be members of a variable", remedy)


def _long(entry: Item, may_be_cells: bool) -> dict[str, ExpressionText]:
    texts = entry.mapping()
    keys = CELLS if may_be_cells and "cells" in texts else EDGES
    check_keys(texts, keys if "cells" in texts or not may_be_cells else (*EDGES, *CELLS))
    for key in keys:
        if key not in texts:
            noun, example = (
                ("edges", "`edges: E[i, j]`, `from: i`, `to: j`")
                if keys is EDGES
                else ("cells", "`cells: W[i]`, `cell: i`")
            )
            raise entry.error(f"an entry of {noun} needs `{key}`", f"write {example}")
    return {key: texts[key].source() for key in keys}


def read_mode(keys: dict[str, Item]) -> Texts:
    """Read `encoding`, or `lazy` with `rounds` and `fallback`."""
    lazy = "lazy" in keys and keys["lazy"].flag()
    for key in ("encoding",) if lazy else ("rounds", "fallback"):
        if key in keys:
            fault = f"`{key}` {'cannot be combined with' if lazy else 'needs'} `lazy: true`"
            raise keys[key].error(fault, "remove one of them" if lazy else "add `lazy: true`")
    names = ("encoding", "rounds", "fallback", *(("lazy",) if lazy else ()))
    return {key: (keys[key].source(),) for key in names if key in keys}
