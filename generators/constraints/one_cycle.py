"""`one_cycle`: the true edges form one cycle, which need not visit every vertex.

Every vertex has two true edges or none, some edge is true, and the true edges are connected, by an
encoding of generators/encodings/connected or by lazy cuts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.constraints.connected import TOUCHED, read_edges, read_mode
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "one cycle of the edges {one_cycle}"
KEYS = ("encoding", "lazy", "rounds", "fallback")
ENCODINGS = "connected"


def read(keys: dict[str, Item]) -> Texts:
    return read_edges("one_cycle", keys, may_be_cells=False) | read_mode(keys)


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.blocks import chain
    from boardsat.generators.constraints import _connectivity as connectivity

    edges = connectivity.edges_of_entries(c)
    graph = connectivity.graph_of_edges(c, edges, spans_all=False)._replace(has_degree_two=True)
    entry = {TOUCHED: [group.to_json() for group in edges]}
    degrees = connectivity.even_degrees(c, graph)
    return chain([degrees, connectivity.connectivity_block(c, entry, lambda: graph)])
