"""Keys of connectivity constraints: the edges or cells that are to be connected, and how.

Specs are read without NumPy; `_connectivity` makes the clauses.
"""

from __future__ import annotations

from boardsat.generators.language import nodes
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item, check_keys

EDGES = ("edges", "from", "to")
CELLS = ("cells", "cell")
ALL, TOUCHED = "all", "touched"
"""Vertices that are to be connected: the ends of all edges, or those of true edges."""


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
