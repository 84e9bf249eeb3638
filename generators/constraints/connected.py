"""`connected`: edges or cells, and which of their `vertices`: what is chosen lies in one component.

Written out by an encoding of generators/encodings/connected, or lazily: then there are no clauses,
the header says what is to be connected, and a solver's model tells which clauses it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardsat.generators.constraints._connectivity_keys import (
    ALL,
    TOUCHED,
    read_edges,
    read_mode,
)
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "one connected component of {connected}"
KEYS = ("vertices", "encoding", "lazy", "rounds", "fallback")
ENCODINGS = "connected"


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
        c, entry, lambda: connectivity.graph_of_edges(c, edges, which)
    )
