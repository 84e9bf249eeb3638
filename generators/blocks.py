"""Blocks: the clauses of one constraint, produced in chunks on demand.

A chunk consists of clauses as tokens, groups of pairs, or XOR lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints, Tokens, columns, stack, within
from boardsat.generators.build_limits import CHUNK

if TYPE_CHECKING:
    from boardsat.generators.weights import SoftClauses


class LinearConstraints(NamedTuple):
    """Linear constraints, one for each row, before their encoding.

    The literals of all rows are concatenated, and none is constant. OPB and KNF files contain such
    constraints as they are; CNF needs an encoding.
    """

    literals: Tokens
    starts: Ints
    """Index of the first literal of each row, and the number of literals."""
    low: Ints
    """Lower bound of each row."""
    high: Ints
    """Upper bound of each row: its total weight if unbounded; below `low` if unsatisfiable."""
    weights: Ints | None = None
    """Positive weights of the literals; None for cardinality constraints."""
    heads: Bools | None = None
    """False for each literal that implies the one before it; None if no implications are known."""

    @property
    def sizes(self) -> Ints:
        """Number of literals of each row."""
        return np.diff(self.starts)

    @property
    def total_weights(self) -> Ints:
        """Sum of the weights of each row."""
        if self.weights is None:
            return self.sizes
        return np.diff(np.concatenate([[0], np.cumsum(self.weights)])[self.starts])

    @property
    def is_falsifiable(self) -> Bools:
        """True for each row that some assignment violates."""
        is_falsifiable: Bools = (self.low > 0) | (self.high < self.total_weights)
        return is_falsifiable

    @property
    def is_cardinality(self) -> bool:
        """True if all weights are 1, and no variable occurs twice in a row."""
        if self.weights is not None and (self.weights != 1).any():
            return False
        rows = np.repeat(np.arange(len(self.low)), self.sizes)
        order = np.lexsort((np.abs(self.literals), rows))
        is_repeated = np.diff(np.abs(self.literals)[order]) == 0
        return not bool((is_repeated & (np.diff(rows[order]) == 0)).any())

    def tighten(self, low: Ints | None, high: Ints | None) -> LinearConstraints:
        """Return the constraints with further bounds; None adds none."""
        low = self.low if low is None else np.maximum(low, self.low)
        high = self.high if high is None else np.minimum(high, self.high)
        return self._replace(low=low, high=high)


@dataclass(frozen=True)
class Rows:
    """Clauses as tokens, each ended by 0."""

    tokens: Tokens
    num_auxiliary: int = 0
    """Number of auxiliary variables that the clauses introduce."""
    encoding_counts: Mapping[str, int] = field(default_factory=dict)
    """Number of groups by encoding, if `auto` chooses it for each group by its size."""

    @property
    def clauses(self) -> int:
        return int(np.count_nonzero(self.tokens == 0))

    @property
    def literals(self) -> int:
        return len(self.tokens) - self.clauses

    @property
    def num_unit_clauses(self) -> int:
        """Number of clauses with one literal."""
        is_end = np.concatenate([[True], self.tokens == 0])
        return int(np.count_nonzero(is_end[:-2] & ~is_end[1:-1] & is_end[2:]))

    @property
    def num_bytes(self) -> int:
        return self.tokens.nbytes

    @property
    def xor_lines(self) -> int:
        return 0

    def rows(self) -> Iterator[Rows]:
        yield self


@dataclass(frozen=True)
class Pairs:
    """Pairs of all groups: binary clauses that are rendered without being stored."""

    group_literals: Tokens
    """Literals of all groups, concatenated."""
    starts: Ints
    """Index of the first literal of each group, and the number of literals."""

    num_auxiliary = 0
    num_unit_clauses = 0
    xor_lines = 0
    encoding_counts: ClassVar[Mapping[str, int]] = {}

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def clauses(self) -> int:
        return int(np.sum(self.sizes * (self.sizes - 1) // 2))

    @property
    def literals(self) -> int:
        return 2 * self.clauses

    @property
    def num_bytes(self) -> int:
        return self.group_literals.nbytes + self.starts.nbytes

    def rows(self) -> Iterator[Rows]:
        """Yield the clauses as tokens, in the order of the file, in bounded chunks."""
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            group = self.group_literals[start:stop]
            num_pairs = len(group) - 1 - np.arange(len(group))  # that begin with each literal
            low = 0
            while low < len(group) - 1:
                totals = np.cumsum(num_pairs[low:])
                high = low + max(1, int(np.searchsorted(totals, CHUNK, "right")))
                high = min(high, len(group) - 1)
                first = np.repeat(np.arange(low, high), num_pairs[low:high])
                second = first + 1 + within(num_pairs[low:high])
                yield Rows(stack(columns(group[first], group[second])))
                low = high


@dataclass(frozen=True)
class XorLines(Rows):
    """Native XOR constraints: an odd number of the literals of each line is true.

    A line has two or more literals. The header of a file counts the lines like clauses.
    """

    @property
    def num_unit_clauses(self) -> int:
        return 0

    @property
    def xor_lines(self) -> int:
        return self.clauses

    def rows(self) -> Iterator[Rows]:
        raise xor_lines_error("this operation needs clauses")


def split_rows(tokens: Tokens, num_auxiliary: int, size: int) -> Iterator[Rows]:
    """Yield clauses in chunks of about `size` tokens.

    The first chunk introduces all auxiliary variables.
    """
    ends = np.flatnonzero(tokens == 0) + 1
    start = 0
    while start < len(tokens):
        last = min(int(np.searchsorted(ends, start + size)), len(ends) - 1)
        yield Rows(tokens[start : ends[last]], num_auxiliary)
        start, num_auxiliary = int(ends[last]), 0
    if num_auxiliary:
        yield Rows(tokens[:0], num_auxiliary)


def xor_lines_error(reason: str) -> InputError:
    """Return the error of an operation that does not support XOR lines."""
    return InputError(
        f"the formula has XOR lines, and {reason}",
        "encode parity by clauses, with --set xor=chain",
    )


Chunk = Rows | Pairs

Producer = Callable[[int], Iterator[Chunk]]
"""Function that yields chunks, with auxiliary variables numbered from the argument on."""


class Block(NamedTuple):
    """Clauses of one constraint: the return value of a constraint type's `block`."""

    name: str
    """Name of the constraint."""
    location: str
    """Source location of the constraint."""
    produce: Producer
    """Function that yields the clauses, the same each time it is called."""
    count_preserving: bool = True
    """True if the variables of the spec determine the auxiliary ones."""
    lazy: dict[str, Any] | None = None
    """Header entry of the lazy constraint whose cuts are added while solving; None if complete."""
    linear: Callable[[], Iterator[LinearConstraints]] | None = None
    """Linear constraints that the clauses encode; None if the constraint is not linear."""
    connectivity: tuple[dict[str, Any], ...] = ()
    """Header entries of the connectivity constraints that the clauses encode."""
    soft: Callable[[], Iterator[SoftClauses]] | None = None
    """Soft clauses of a soft constraint, which has no hard clauses; None if it is hard."""


def produce_all(producers: Iterable[Producer], first: int) -> Iterator[Chunk]:
    """Yield the chunks of all producers, with auxiliary variables numbered consecutively."""
    for produce in producers:
        for chunk in produce(first):
            first += chunk.num_auxiliary
            yield chunk


def chain(blocks: Sequence[Block]) -> Block:
    """Return one block with the clauses of several blocks of a constraint."""
    if len(blocks) == 1:
        return blocks[0]
    return Block(
        blocks[0].name,
        blocks[0].location,
        partial(produce_all, [block.produce for block in blocks]),
        all(block.count_preserving for block in blocks),
        next((block.lazy for block in blocks if block.lazy), None),
        connectivity=tuple(entry for block in blocks for entry in block.connectivity),
    )
