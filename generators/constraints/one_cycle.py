"""`one_cycle`: edges: the true ones form one cycle, which need not visit every vertex.

Every vertex has two true edges or none, some edge is true, and those that are true are connected:
that by an encoding of generators/encodings/connected, or lazily.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boardsat.generators.connectivity.entries import TOUCHED, read_what
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.constraints._context import Context

SAYS = "one cycle of the edges {one_cycle}"
KEYS = ("encoding", "lazy", "rounds", "fallback")
ENCODINGS = "connected"


def read(keys: dict[str, Item]) -> Texts:
    from boardsat.generators.connectivity.ways import read_way

    return read_what("one_cycle", keys, may_be_cells=False) | read_way(keys)


def block(c: Context) -> Block:
    from boardsat.generators.clauses.blocks import chain
    from boardsat.generators.connectivity import entries
    from boardsat.generators.connectivity.degrees import two_or_none
    from boardsat.generators.connectivity.ways import connecting

    edges = entries.edges_of_entries(c)
    graph = replace(entries.graph_of_edges(c, edges, TOUCHED), has_degree_two=True)
    told = {TOUCHED: [group.told() for group in edges]}
    return chain([two_or_none(c, graph), connecting(c, told, lambda: graph)])
