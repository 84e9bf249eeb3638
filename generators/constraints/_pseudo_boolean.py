"""Linear (pseudo-Boolean) constraints: normalized, then encoded once for equal weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
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
from boardsat.generators.language.values import full

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

IMPOSSIBLE = "the sum cannot meet the bound"


@dataclass(frozen=True)
class Bounded:
    """Sum of terms with a lower and an upper bound."""

    terms: list[Term]
    low: CompiledExpression | None
    high: CompiledExpression | None


def bounded_sum(c: ConstraintContext, constraint: Bounded) -> Block:
    """Return the block of a linear constraint for each row."""
    encoding = _Encoding(c.encoding("pb"), c.choices["card"], bool(c.texts("encoding")))

    def sums() -> Iterator[LinearConstraints]:
        for frame in frames_by_size(c.grounding, constraint.terms):
            gathered = gather_all(constraint.terms, frame)
            checkpoint()
            unbounded, constant = collected(gathered, frame.size)
            low, high = (
                None if bound is None else full(bound.run(frame), frame.size) - constant
                for bound in (constraint.low, constraint.high)
            )
            bounded = unbounded.tighten(low, high)
            c.check_satisfiable(bounded.high < bounded.low, frame, lambda _: IMPOSSIBLE)
            yield bounded

    def produce(first: int) -> Iterator[Chunk]:
        return produce_all((partial(encoding.chunks, linear) for linear in sums()), first)

    return Block(c.name, c.location, produce, encoding.count_preserving, linear=sums)


def encoded(sums: LinearConstraints, pb: str, card: str, first: int) -> Iterator[Chunk]:
    """Yield the clauses of normalized linear constraints in the named encodings."""
    return _Encoding(pb, card, False).chunks(sums, first)


# Normal form of sums.


def collected(gathered: Gathered, size: int) -> tuple[LinearConstraints, Ints]:
    """Return sums of distinct variables with positive weights, and the constant of each sum.

    The constant is the value of the sum if all of its literals are false. Weights are in decreasing
    order, except within chains. The sums have no bounds yet.
    """
    is_true, is_literal = gathered.literals == TRUE, np.abs(gathered.literals) != TRUE
    constant = np.zeros(size, np.int64)
    np.add.at(constant, gathered.rows[is_true], gathered.weights[is_true])
    chains = np.cumsum(gathered.heads)[is_literal]
    rows, literals, weights = (column[is_literal] for column in gathered[:3])
    # A negated literal is 1 minus its variable, so that the weights of a variable are added up.
    negated = literals < 0
    np.add.at(constant, rows[negated], weights[negated])
    indices, weights = _merge_variables(
        rows, np.abs(literals), np.where(negated, -weights, weights)
    )
    indices, weights = indices[weights != 0], weights[weights != 0]
    rows, literals, chains = rows[indices], literals[indices], chains[indices]
    # Literals are restored, and those of negative weight replaced by 1 minus their negation.
    negated = literals < 0
    np.add.at(constant, rows[negated], weights[negated])
    weights = np.where(negated, -weights, weights)
    negative = weights < 0
    np.add.at(constant, rows[negative], weights[negative])
    order, heads = _order(rows, np.abs(weights), chains, negative)
    literals = np.where(negative, -literals, literals)[order]
    weights = np.abs(weights)[order]
    starts = starts_of(np.bincount(rows, minlength=size))
    totals = np.diff(np.concatenate([[0], np.cumsum(weights)])[starts])
    return LinearConstraints(
        literals, starts, np.zeros(size, np.int64), totals, weights, heads
    ), constant


def _merge_variables(rows: Ints, variables: Ints, weights: Ints) -> tuple[Ints, Ints]:
    """Return the position of each variable's first occurrence in its row, and its total weight."""
    order = np.lexsort((variables, rows))
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (np.diff(rows[order]) != 0) | (np.diff(variables[order]) != 0)
    if is_new.all():
        return np.arange(len(rows)), weights
    firsts = order[is_new]
    totals = np.add.reduceat(weights[order], np.flatnonzero(is_new))
    original_order = np.argsort(firsts)
    return firsts[original_order], totals[original_order]


def _order(rows: Ints, weights: Ints, chains: Ints, negative: Bools) -> tuple[Ints, Bools]:
    """Return the order by row and decreasing weight, and the heads of chains in that order.

    Chains stay together, and are reversed if their literals are negated.
    """
    indices: Ints = np.arange(len(rows))
    _, chains = np.unique(chains, return_inverse=True)
    sizes = np.bincount(chains)
    negated = np.bincount(chains, negative)
    # If only some literals of a chain are negated, they do not imply each other any more.
    broken = ((negated > 0) & (negated < sizes))[chains]
    chains = np.where(broken, len(sizes) + indices, chains)
    largest = np.zeros(len(sizes) + len(rows), np.int64)
    np.maximum.at(largest, chains, weights)
    order = np.lexsort((np.where(negative, -indices, indices), chains, -largest[chains], rows))
    heads = np.ones(len(rows), np.bool_)
    heads[1:] = np.diff(chains[order]) != 0
    return order, heads


# Encoding.


@dataclass(frozen=True)
class _Encoding:
    pb: str
    card: str
    is_named: bool
    """True if the constraint names the encoding, which then applies to equal weights too."""

    @property
    def count_preserving(self) -> bool:
        kinds = [("pb", self.pb)] if self.is_named else [("pb", self.pb), ("card", self.card)]
        return all(encodings.load(*kind).COUNT_PRESERVING for kind in kinds)

    def chunks(self, sums: LinearConstraints, first: int) -> Iterator[Chunk]:
        """Yield the clauses of all rows; those with equal weights and bounds have one pattern."""
        assert sums.weights is not None and sums.heads is not None
        kinds: list[GroupKind] = []
        kind_of_row = np.zeros(len(sums.low), np.int64)
        codes = 2 * sums.weights + sums.heads
        for size in np.unique(sums.sizes).tolist():
            rows = np.flatnonzero(sums.sizes == size)
            table = np.empty((len(rows), size + 2), np.int64)
            table[:, :size] = codes[sums.starts[rows][:, None] + np.arange(size)]
            table[:, size], table[:, size + 1] = sums.low[rows], sums.high[rows]
            distinct_rows, number = np.unique(table, axis=0, return_inverse=True)
            kind_of_row[rows] = len(kinds) + number.reshape(-1)
            kinds += [self.kind(row[:-2], int(row[-2]), int(row[-1])) for row in distinct_rows]
        return iter(instantiate_groups(sums.literals, sums.starts, kinds, kind_of_row, first))

    def kind(self, codes: Ints, low: int, high: int) -> GroupKind:
        checkpoint()
        normalized = _normalize(codes >> 1, codes & 1 == 1, low, high)
        if normalized.is_decided:
            return GroupKind(normalized.complete)
        encoding: tuple[str, str, encodings.Group] = ("pb", self.pb, normalized.weights)
        if normalized.is_cardinality and not self.is_named:
            encoding = ("card", self.card, len(normalized.chains))
        bounds = normalized.low, normalized.high
        return encoded_kind(*encoding, bounds, self.is_named, normalized.complete)


# Normal form of a linear constraint.


MAX_PASSES = 64
"""Maximum passes of normalization; the result is correct after any number of them."""

Chain = list[tuple[int, int]]
"""Inputs, numbered from 1, with their weights; each implies its predecessor."""


@dataclass
class _LinearConstraint:
    """Linear constraint during normalization: implied inputs are fixed, others are in chains."""

    num_inputs: int
    chains: list[Chain]
    """Chains of the remaining inputs."""
    low: int
    high: int
    units: list[int] = field(default_factory=list)
    """Fixed inputs: positive if true, negative if false."""

    @property
    def total(self) -> int:
        return sum(weight for chain in self.chains for _, weight in chain)

    @property
    def state(self) -> tuple[int, int, int, int]:
        """Numbers that a pass of normalization leaves unchanged only if it is the last one."""
        return self.low, self.high, len(self.units), self.total

    @property
    def is_decided(self) -> bool:
        """True if the remaining inputs do not affect whether the bounds are met."""
        return self.low > self.high or (self.low == 0 and self.high == self.total)

    @property
    def weights(self) -> Weights:
        values = tuple(weight for chain in self.chains for _, weight in chain)
        return Weights(values, tuple(map(len, self.chains)))

    @property
    def is_cardinality(self) -> bool:
        """True for a cardinality constraint."""
        return all(len(chain) == 1 and chain[0][1] == 1 for chain in self.chains)

    def complete(self, pattern: Pattern | None = None) -> Pattern:
        """Return the pattern of all inputs, given that of the remaining ones."""
        unit_clauses = [token for unit in self.units for token in (unit, 0)]
        if pattern is None:
            is_satisfiable = self.low <= 0 <= self.high
            constant = np.array(unit_clauses if is_satisfiable else [0], np.int32)
            return Pattern(self.num_inputs, 0, constant)
        slots = [slot for chain in self.chains for slot, _ in chain]
        auxiliary = self.num_inputs + 1 + np.arange(pattern.num_auxiliary)
        numbers = np.concatenate([[0], slots, auxiliary]).astype(np.int32)
        tokens = numbers[np.abs(pattern.tokens)] * np.sign(pattern.tokens)
        all_tokens = np.concatenate([np.array(unit_clauses, np.int32), tokens])
        return Pattern(self.num_inputs, pattern.num_auxiliary, all_tokens)

    def clip(self) -> None:
        """Limit the bounds to the possible sums."""
        self.low, self.high = max(self.low, 0), min(self.high, self.total)

    def fix_implied(self) -> None:
        """Fix inputs that the lower bound needs to true, those above the upper bound to false."""
        if self.is_decided:
            return
        total, low, high = self.total, self.low, self.high
        chains = []
        for chain in self.chains:
            sums = [*accumulate((weight for _, weight in chain), initial=0)]
            needed = sum(total - sums[-1] + partial < low for partial in sums[:-1])
            possible = sum(partial <= high for partial in sums[1:])
            self.units += [slot for slot, _ in chain[:needed]]
            self.units += [-slot for slot, _ in chain[possible:]]
            self.low -= sums[needed]
            self.high -= sums[needed]
            chains.append(chain[needed:possible])
        self.chains = [chain for chain in chains if chain]
        self.clip()

    def saturate(self) -> None:
        """Reduce weights to the lower bound if there is no upper bound."""
        if self.is_decided or self.high < self.total:
            return
        for index, chain in enumerate(self.chains):
            sums = accumulate((weight for _, weight in chain), initial=0)
            capped = np.diff([min(partial, self.low) for partial in sums]).tolist()
            slots = [slot for slot, _ in chain]
            self.chains[index] = [(s, w) for s, w in zip(slots, capped, strict=True) if w]
        self.high = self.total

    def divide(self) -> None:
        """Divide weights and bounds by the greatest common divisor of the weights."""
        common = gcd(*(weight for chain in self.chains for _, weight in chain))
        if common > 1:
            self.chains = [[(s, w // common) for s, w in chain] for chain in self.chains]
            self.low, self.high = -(-self.low // common), self.high // common


def _normalize(weights: Ints, heads: Bools, low: int, high: int) -> _LinearConstraint:
    """Return the normal form of a constraint; a chain begins at each head."""
    chains: list[Chain] = []
    for slot, (weight, head) in enumerate(zip(weights.tolist(), heads.tolist(), strict=True), 1):
        if head:
            chains.append([])
        chains[-1].append((slot, weight))
    constraint = _LinearConstraint(len(weights), chains, low, high)
    constraint.clip()
    for _ in range(MAX_PASSES):
        state = constraint.state
        constraint.fix_implied()
        constraint.saturate()
        constraint.divide()
        if constraint.state == state:
            break
    return constraint
