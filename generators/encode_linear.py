"""Encoding of linear constraints that are given as arrays, such as those of an OPB file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.clauses.blocks import Block, Chunk, split_rows
from boardsat.generators.constraints._linear import Gathered
from boardsat.generators.constraints._sums import collected, encoded
from boardsat.generators.formula import Formula, Header, HeaderViews, count

CHUNK_TOKENS = 2**20


@dataclass(frozen=True)
class WeightedSums:
    """Linear constraints side by side: sums of literals with any weights, and bounds of each."""

    literals: Tokens
    weights: Ints
    starts: Ints
    low: Ints | None = None
    high: Ints | None = None


@dataclass(frozen=True)
class LinearFormula:
    """Formula of clauses and linear constraints."""

    name: str
    variables: int
    clauses: Tokens
    """Clauses, each ended by 0."""
    constraints: Mapping[str, WeightedSums]
    """Linear constraints by the name of the section that they become."""


def encode(linear: LinearFormula, choices: Mapping[str, str] | None = None) -> Formula:
    """Return the formula in clauses, in the default encodings or those chosen for `card`, `pb`."""
    defaults = {kind: encodings.load_kind(kind).DEFAULT for kind in ("card", "pb")}
    chosen = {**defaults, **(choices or {})}
    clauses = Block(
        "clauses", linear.name, lambda first: split_rows(linear.clauses, 0, CHUNK_TOKENS)
    )
    blocks = [
        _block(name, linear.name, constraints, chosen)
        for name, constraints in linear.constraints.items()
    ]
    with outside_limits():
        return count(_header(linear.name), linear.variables, [clauses, *blocks])


def _block(name: str, place: str, of: WeightedSums, chosen: Mapping[str, str]) -> Block:
    size = len(of.starts) - 1
    rows = np.repeat(np.arange(size), np.diff(of.starts))
    gathered = Gathered(rows, of.literals, of.weights, np.ones(len(rows), np.bool_))
    sums, constant = collected(gathered, size)
    low = None if of.low is None else of.low - constant
    high = None if of.high is None else of.high - constant

    def produce(first: int) -> Iterator[Chunk]:
        return encoded(sums.between(low, high), chosen["pb"], chosen["card"], first)

    return Block(name, place, produce, count_preserving=False)


def _header(name: str) -> Header:
    return Header(
        spec="",
        sha256="",
        title=name,
        cite="",
        parameters={},
        board=None,
        edges=None,
        unsat_message="",
        stem=name,
        variables=(),
        views=HeaderViews(),
        projection=None,
        count_preserving=False,
    )
