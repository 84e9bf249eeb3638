"""Linear constraints between two bounds: brought into normal form, then encoded by their kinds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import TRUE, Bools, Ints, Pattern, starts_of
from boardsat.generators.blocks import Block, Chunk, LinearConstraints, produce_all
from boardsat.generators.constraints._clauses import (
    GroupKind,
    encoded_kind,
    frames_by_size,
    instantiate_groups,
)
from boardsat.generators.constraints._linear import Gathered, Term, gather_all
from boardsat.generators.encodings import Weights
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.values import Frame, full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

IMPOSSIBLE = "a bound that the sum cannot meet"


@dataclass(frozen=True)
class Bounded:
    """Sum of terms with a lower and an upper bound."""

    terms: list[Term]
    low: CompiledExpression | None
    high: CompiledExpression | None


def bounded_sum(c: ConstraintContext, of: Bounded) -> Block:
    encoding = _Encoding(c.encoding("pb"), c.choices["card"], bool(c.texts("encoding")))

    def sums() -> Iterator[LinearConstraints]:
        for frame in frames_by_size(c.grounding, of.terms):
            gathered = gather_all(of.terms, frame)
            checkpoint()
            ordered = _bounded(*collected(gathered, frame.size), frame, of)
            c.check_satisfiable(ordered.high < ordered.low, frame, lambda _: IMPOSSIBLE)
            yield ordered

    def produce(first: int) -> Iterator[Chunk]:
        return produce_all((partial(encoding.chunks, linear) for linear in sums()), first)

    return Block(c.name, c.location, produce, encoding.count_preserving, linear=sums)


def encoded(sums: LinearConstraints, pb: str, card: str, first: int) -> Iterator[Chunk]:
    """Yield the clauses of collected linear constraints in the named encodings."""
    return _Encoding(pb, card, False).chunks(sums, first)


# One form.


def collected(of: Gathered, size: int) -> tuple[LinearConstraints, Ints]:
    """Return sums with distinct variables and positive weights in decreasing order, and constants.

    The constant of a sum is its value if none of its literals is true. The sums have no bounds yet.
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
    """Return the sums with the bounds of every row, reduced by their constants."""
    low = full(of.low.run(frame), frame.size) - constant if of.low else None
    high = full(of.high.run(frame), frame.size) - constant if of.high else None
    return sums.tighten(low, high)


def _once(rows: Ints, variables: Ints, weights: Ints) -> tuple[Ints, Ints]:
    """Return the position of each variable's first occurrence in its row, and its total weight."""
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
    """Order by row and decreasing weight; a chain stays together, reversed if negated."""
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


# Kinds of sums.


@dataclass(frozen=True)
class _Encoding:
    pb: str
    card: str
    named: bool
    """True if the constraint names the encoding itself, which then applies to equal weights too."""

    @property
    def count_preserving(self) -> bool:
        kinds = [("pb", self.pb)] if self.named else [("pb", self.pb), ("card", self.card)]
        return all(encodings.load(*kind).COUNT_PRESERVING for kind in kinds)

    def chunks(self, sums: LinearConstraints, first: int) -> Iterator[Chunk]:
        """Yield the clauses of all constraints; rows of equal weights and bounds are of a kind."""
        assert sums.weights is not None and sums.heads is not None
        kinds: list[GroupKind] = []
        which = np.zeros(len(sums.low), np.int64)
        codes = 2 * sums.weights + sums.heads
        for size in np.unique(sums.sizes).tolist():
            rows = np.flatnonzero(sums.sizes == size)
            table = np.empty((len(rows), size + 2), np.int64)
            table[:, :size] = codes[sums.starts[rows][:, None] + np.arange(size)]
            table[:, size], table[:, size + 1] = sums.low[rows], sums.high[rows]
            different, number = np.unique(table, axis=0, return_inverse=True)
            which[rows] = len(kinds) + number.reshape(-1)
            kinds += [self.kind_of(row[:-2], int(row[-2]), int(row[-1])) for row in different]
        return iter(instantiate_groups(sums.literals, sums.starts, kinds, which, first))

    def kind_of(self, codes: Ints, low: int, high: int) -> GroupKind:
        checkpoint()
        simple = normalized(codes >> 1, codes & 1 == 1, low, high)
        if simple.is_known:
            return GroupKind(simple.around)
        chosen: tuple[str, str, encodings.Group] = ("pb", self.pb, simple.weights)
        if simple.is_count and not self.named:
            chosen = ("card", self.card, len(simple.chains))
        return encoded_kind(*chosen, (simple.low, simple.high), self.named, simple.around)


# Linear constraints in normal form.


PASSES = 64
"""Maximum passes of normalization; the result is correct after any number of them."""

Chain = list[tuple[int, int]]
"""Inputs, numbered from 1, with their weights; each implies the one before."""


@dataclass(frozen=True)
class NormalizedConstraint:
    """Linear constraint in normal form: implied inputs are fixed, the others remain in chains."""

    inputs: int
    units: tuple[int, ...]
    """Fixed inputs: positive if true, negative if false."""
    chains: tuple[Chain, ...]
    """Chains of the remaining inputs; empty if the constraint is decided."""
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        """True if the remaining inputs do not affect whether the bounds are met."""
        return not self.chains

    @property
    def weights(self) -> Weights:
        each = tuple(weight for chain in self.chains for _, weight in chain)
        return Weights(each, tuple(map(len, self.chains)))

    @property
    def is_count(self) -> bool:
        """True for a cardinality constraint."""
        return all(len(chain) == 1 and chain[0][1] == 1 for chain in self.chains)

    def around(self, pattern: Pattern | None = None) -> Pattern:
        """Return the pattern of all inputs, given that of the remaining ones."""
        known = [token for unit in self.units for token in (unit, 0)]
        if pattern is None:
            possible = self.low <= 0 <= self.high
            return Pattern(self.inputs, 0, np.array(known if possible else [0], np.int32))
        slots = [slot for chain in self.chains for slot, _ in chain]
        fresh = self.inputs + 1 + np.arange(pattern.num_auxiliary)
        numbers = np.concatenate([[0], slots, fresh]).astype(np.int32)
        tokens = numbers[np.abs(pattern.tokens)] * np.sign(pattern.tokens)
        whole = np.concatenate([np.array(known, np.int32), tokens])
        return Pattern(self.inputs, pattern.num_auxiliary, whole)


def normalized(weights: Ints, heads: Bools, low: int, high: int) -> NormalizedConstraint:
    chains: list[Chain] = []
    for slot, (weight, head) in enumerate(zip(weights.tolist(), heads.tolist(), strict=True), 1):
        if head:
            chains.append([])
        chains[-1].append((slot, weight))
    sum_ = _Sum(chains, low, high)
    for _ in range(PASSES):
        before = sum_.low, sum_.high, len(sum_.units), sum_.total
        sum_.decide()
        sum_.saturate()
        sum_.divide()
        if before == (sum_.low, sum_.high, len(sum_.units), sum_.total):
            break
    left = () if sum_.is_known else tuple(sum_.chains)
    return NormalizedConstraint(len(weights), tuple(sum_.units), left, sum_.low, sum_.high)


class _Sum:
    def __init__(self, chains: list[Chain], low: int, high: int) -> None:
        self.chains, self.low, self.high = chains, low, high
        self.units: list[int] = []
        self._clip()

    @property
    def total(self) -> int:
        return sum(weight for chain in self.chains for _, weight in chain)

    @property
    def is_known(self) -> bool:
        return self.low > self.high or (self.low == 0 and self.high == self.total)

    def _clip(self) -> None:
        self.low, self.high = max(self.low, 0), min(self.high, self.total)

    def decide(self) -> None:
        """Fix inputs that would exceed the upper bound to false, and indispensable ones to true."""
        if self.is_known:
            return
        total, low, high = self.total, self.low, self.high
        left = []
        for chain in self.chains:
            sums = [*accumulate((weight for _, weight in chain), initial=0)]
            needed = sum(total - sums[-1] + before < low for before in sums[:-1])
            possible = sum(after <= high for after in sums[1:])
            self.units += [slot for slot, _ in chain[:needed]]
            self.units += [-slot for slot, _ in chain[possible:]]
            self.low -= sums[needed]
            self.high -= sums[needed]
            left.append(chain[needed:possible])
        self.chains = [chain for chain in left if chain]
        self._clip()

    def saturate(self) -> None:
        """Saturate: reduce weights to the lower bound if there is no upper bound."""
        if self.is_known or self.high < self.total:
            return
        for place, chain in enumerate(self.chains):
            sums = accumulate((weight for _, weight in chain), initial=0)
            capped = np.diff([min(reached, self.low) for reached in sums]).tolist()
            slots = [slot for slot, _ in chain]
            self.chains[place] = [(s, w) for s, w in zip(slots, capped, strict=True) if w]
        self.high = self.total

    def divide(self) -> None:
        """Divide weights and bounds by the greatest common divisor of the weights."""
        common = gcd(*(weight for chain in self.chains for _, weight in chain))
        if common > 1:
            self.chains = [[(s, w // common) for s, w in chain] for chain in self.chains]
            self.low, self.high = -(-self.low // common), self.high // common
