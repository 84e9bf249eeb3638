"""Encoding of linear constraints that are given as arrays, such as those of an OPB file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.blocks import Block, Chunk, split_rows
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.constraints._linear import Gathered
from boardsat.generators.constraints._pseudo_boolean import collected, encoded
from boardsat.generators.formula import Formula, Header, count

CHUNK_TOKENS = 2**20


@dataclass(frozen=True)
class WeightedSums:
    """Linear constraints, concatenated: sums of literals with weights of any sign, and bounds."""

    literals: Tokens
    weights: Ints
    starts: Ints
    low: Ints | None = None
    high: Ints | None = None


def encode(
    name: str,
    variables: int,
    clauses: Tokens,
    constraints: Mapping[str, WeightedSums],
    choices: Mapping[str, str] | None = None,
) -> Formula:
    """Return the formula of clauses and linear constraints, which are encoded.

    Parameters
    ----------
    name : str
        Title of the formula.
    variables : int
        Number of variables without auxiliary ones.
    clauses : array
        Clauses, each ended by 0.
    constraints : mapping
        Linear constraints by the name of the section that they become.
    choices : mapping, optional
        Encodings of `card` and `pb`. Default: those that a spec has by default.
    """
    defaults = {kind: encodings.load_kind(kind).DEFAULT for kind in ("card", "pb")}
    chosen = {**defaults, **(choices or {})}
    blocks = [Block("clauses", name, lambda first: split_rows(clauses, 0, CHUNK_TOKENS))]
    blocks += [_block(title, name, sums, chosen) for title, sums in constraints.items()]
    with outside_limits():
        return count(Header(title=name, stem=name), variables, blocks)


def _block(name: str, place: str, of: WeightedSums, chosen: Mapping[str, str]) -> Block:
    size = len(of.starts) - 1
    rows = np.repeat(np.arange(size), np.diff(of.starts))
    gathered = Gathered(rows, of.literals, of.weights, np.ones(len(rows), np.bool_))
    sums, constant = collected(gathered, size)
    low = None if of.low is None else of.low - constant
    high = None if of.high is None else of.high - constant

    def produce(first: int) -> Iterator[Chunk]:
        return encoded(sums.tighten(low, high), chosen["pb"], chosen["card"], first)

    return Block(name, place, produce, count_preserving=False)
