"""A formula from constraints that are numbers already: clauses, and sums in any encoding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.chunks import Chunk, Rows
from boardsat.generators.constraints._linear import Gathered
from boardsat.generators.constraints._sums import collected, encoded
from boardsat.generators.formula import Formula, Header, count
from boardsat.generators.limits import outside_limits

CHUNK = 2**20
"""Tokens of clauses that are passed on at a time."""


@dataclass(frozen=True)
class LinearSums:
    """Sums of literals side by side, and the numbers between which each must lie."""

    literals: Tokens
    weights: Ints
    starts: Ints
    low: Ints | None = None
    high: Ints | None = None


@dataclass(frozen=True)
class Restated:
    name: str
    variables: int
    clauses: Tokens
    """Each ended by 0."""
    sums: Mapping[str, LinearSums]
    """By what they are about."""


def formula_of(stated: Restated, choices: Mapping[str, str] | None = None) -> Formula:
    """The formula in the encodings that are chosen by their kinds, or the usual ones."""
    defaults = {kind: encodings.load_kind(kind).DEFAULT for kind in ("card", "pb")}
    chosen = {**defaults, **(choices or {})}
    blocks = [Block("clauses", stated.name, lambda first: _chunks(stated.clauses))]
    for name, sums in stated.sums.items():
        blocks.append(_block(name, stated.name, sums, chosen))
    with outside_limits():
        return count(_header(stated.name), stated.variables, blocks)


def _chunks(tokens: Tokens) -> Iterator[Chunk]:
    ends = np.flatnonzero(tokens == 0) + 1
    start = 0
    while start < len(tokens):
        place = min(int(np.searchsorted(ends, start + CHUNK)), len(ends) - 1)
        yield Rows(tokens[start : ends[place]])
        start = int(ends[place])


def _block(name: str, place: str, of: LinearSums, chosen: Mapping[str, str]) -> Block:
    size = len(of.starts) - 1
    rows = np.repeat(np.arange(size), np.diff(of.starts))
    gathered = Gathered(rows, of.literals, of.weights, np.ones(len(rows), np.bool_))
    sums, constant = collected(gathered, size)
    low = None if of.low is None else of.low - constant
    high = None if of.high is None else of.high - constant

    def produce(first: int) -> Iterator[Chunk]:
        return encoded(sums.between(low, high), chosen["pb"], chosen["card"], first)

    return Block(name, place, produce, keeps_counts=False)


def _header(name: str) -> Header:
    return Header(
        spec="",
        sha256="",
        title=name,
        cite="",
        parameters={},
        board=None,
        edges=None,
        none="",
        stem=name,
        variables=(),
        decode=(),
        always=(),
        columns=(),
        ground="",
        regions=None,
        given=None,
        projection=None,
        keeps_counts=False,
    )
