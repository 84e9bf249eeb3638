"""Weighted sums between two numbers: brought into one form row by row, then encoded by kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import TRUE, Bools, Ints, starts_of
from boardsat.generators.clauses.blocks import Block, Chunk
from boardsat.generators.clauses.linear_constraints import LinearConstraints
from boardsat.generators.constraints._clauses import frames_by_lists
from boardsat.generators.constraints._filling import GroupKind, fill_in
from boardsat.generators.constraints._linear import Gathered, Term, gather_all
from boardsat.generators.constraints._simplest import Simplest, simplest
from boardsat.generators.language.scope import Data
from boardsat.generators.language.values import Frame, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import Context

ORDERING = 400
"""The operations of bringing a literal to its place in its sum."""

LARGE = 2**18
"""Tokens from which on a sum may be refused, so that it is worth finding what takes less."""


@dataclass(frozen=True)
class Bounded:
    """A sum of terms, and between which numbers it lies."""

    terms: list[Term]
    low: Data | None
    high: Data | None


def bounded_sum(c: Context, of: Bounded) -> Block:
    encoding = _Encoding(c.encoding("pb"), c.choices["card"], bool(c.texts("encoding")))
    lists = [term.grounding for term in of.terms if term.grounding]

    def sums() -> Iterator[LinearConstraints]:
        for frame in frames_by_lists(c.grounding, lists, len(of.terms)):
            gathered = gather_all(of.terms, frame)
            checkpoint()
            ordered = _bounded(*collected(gathered, frame.size), frame, of)
            _refuse_impossible(ordered, frame, c.place, c.may_be_empty)
            yield ordered

    def produce(first: int) -> Iterator[Chunk]:
        for each in sums():
            for chunk in fill_in(each.literals, each.starts, *_kinds(each, encoding), first):
                first += chunk.fresh
                yield chunk

    return Block(c.name, c.place, produce, encoding.keeps_counts, sums=sums)


def encoded(sums: LinearConstraints, pb: str, card: str, first: int) -> Iterator[Chunk]:
    """The clauses of sums that are in order, in the encodings of these names."""
    kinds = _kinds(sums, _Encoding(pb, card, False))
    return iter(fill_in(sums.literals, sums.starts, *kinds, first))


# One form.


def collected(of: Gathered, size: int) -> tuple[LinearConstraints, Ints]:
    """Every variable once in its sum, with a positive weight, the largest first; no bounds yet.

    And of each of so many sums, what it is where none of its literals is true.
    """
    known = np.abs(of.literals) == TRUE
    constant = np.zeros(size, np.int64)
    np.add.at(constant, of.rows[of.literals == TRUE], of.weights[of.literals == TRUE])
    chains = np.cumsum(of.heads)[~known]
    rows, literals, weights = of.rows[~known], of.literals[~known], of.weights[~known]
    # A negated literal is 1 without its variable: so all that a variable counts is added up.
    negated = literals < 0
    np.add.at(constant, rows[negated], weights[negated])
    places, weights = _once(rows, np.abs(literals), np.where(negated, -weights, weights))
    places, weights = places[weights != 0], weights[weights != 0]
    rows, literals, chains = rows[places], literals[places], chains[places]
    # And back, and then a literal of negative weight is 1 without its negation.
    negated = literals < 0
    np.add.at(constant, rows[negated], weights[negated])
    weights = np.where(negated, -weights, weights)
    negative = weights < 0
    np.add.at(constant, rows[negative], weights[negative])
    order, heads = _order(rows, np.abs(weights), chains, negative)
    literals = np.where(negative, -literals, literals)[order]
    weights = np.abs(weights)[order]
    starts = starts_of(np.bincount(rows, minlength=size))
    most = np.diff(np.concatenate([[0], np.cumsum(weights)])[starts])
    return LinearConstraints(
        literals, starts, np.zeros(size, np.int64), most, weights, heads
    ), constant


def _bounded(
    sums: LinearConstraints, constant: Ints, frame: Frame, of: Bounded
) -> LinearConstraints:
    """The same between the bounds of every row."""
    low = full(of.low.run(frame), frame.size) - constant if of.low else None
    high = full(of.high.run(frame), frame.size) - constant if of.high else None
    return sums.between(low, high)


def _once(rows: Ints, variables: Ints, weights: Ints) -> tuple[Ints, Ints]:
    """Where each variable of a row first occurs, and all that it counts together."""
    order = np.lexsort((variables, rows))
    new = np.ones(len(order), np.bool_)
    new[1:] = (np.diff(rows[order]) != 0) | (np.diff(variables[order]) != 0)
    if new.all():
        return np.arange(len(rows)), weights
    firsts = order[new]
    totals = np.add.reduceat(weights[order], np.flatnonzero(new))
    back = np.argsort(firsts)
    return firsts[back], totals[back]


def _order(rows: Ints, weights: Ints, chains: Ints, negative: Bools) -> tuple[Ints, Bools]:
    """By rows, and the largest weights first; a chain stays together, backwards if negated."""
    places: Ints = np.arange(len(rows))
    _, chains = np.unique(chains, return_inverse=True)
    sizes = np.bincount(chains)
    negated = np.bincount(chains, negative)
    # Where only some of a chain are negated, they do not imply each other any more.
    broken = ((negated > 0) & (negated < sizes))[chains]
    chains = np.where(broken, len(sizes) + places, chains)
    largest = np.zeros(len(sizes) + len(rows), np.int64)
    np.maximum.at(largest, chains, weights)
    order = np.lexsort((np.where(negative, -places, places), chains, -largest[chains], rows))
    heads = np.ones(len(rows), np.bool_)
    heads[1:] = np.diff(chains[order]) != 0
    return order, heads


def _refuse_impossible(sums: LinearConstraints, frame: Frame, place: str, meant: bool) -> None:
    impossible = sums.high < sums.low
    if impossible.any() and not meant:
        row = int(np.argmax(impossible))
        raise InputError(
            f"a bound that the sum cannot meet{frame.describe(row)}",
            "exclude the row with `if`, or write `empty: unsatisfiable` if that is intended",
            place,
        )


# Kinds of sums.


def _kinds(sums: LinearConstraints, encoding: _Encoding) -> tuple[list[GroupKind], Ints]:
    """Those of sums with the same weights and bounds, and which each row has."""
    assert sums.weights is not None and sums.heads is not None
    kinds: list[GroupKind] = []
    which = np.zeros(len(sums.low), np.int64)
    codes = 2 * sums.weights + sums.heads
    for size in np.unique(sums.sizes).tolist():
        rows = np.flatnonzero(sums.sizes == size)
        table = np.empty((len(rows), size + 2), np.int64)
        table[:, :size] = codes[sums.starts[rows][:, None] + np.arange(size)]
        table[:, size], table[:, size + 1] = sums.low[rows], sums.high[rows]
        different, found = np.unique(table, axis=0, return_inverse=True)
        which[rows] = len(kinds) + found.reshape(-1)
        kinds += [encoding.kind_of(row[:-2], int(row[-2]), int(row[-1])) for row in different]
    return kinds, which


@dataclass(frozen=True)
class _Encoding:
    pb: str
    card: str
    named: bool
    """Whether the constraint itself names it: then it is for equal weights too."""

    @property
    def keeps_counts(self) -> bool:
        kinds = [("pb", self.pb)] if self.named else [("pb", self.pb), ("card", self.card)]
        return all(encodings.load(*kind).KEEPS_COUNTS for kind in kinds)

    def kind_of(self, codes: Ints, low: int, high: int) -> GroupKind:
        checkpoint()
        simple = simplest(codes >> 1, codes & 1 == 1, low, high)
        if simple.is_known:
            return GroupKind(simple.around)
        if self.named or not simple.is_count:
            return self._chosen(simple, "pb", self.pb, simple.weights)
        return self._chosen(simple, "card", self.card, len(simple.chains))

    def _chosen(self, simple: Simplest, kind: str, name: str, group: encodings.Group) -> GroupKind:
        bounds = simple.low, simple.high
        taken = encodings.choose(kind, name, group, *bounds)
        tokens = encodings.tokens(kind, taken, group, *bounds)
        return GroupKind(
            lambda: simple.around(encodings.pattern(kind, taken, group, *bounds, self.named)),
            tokens,
            "" if taken == name else taken,
        )
