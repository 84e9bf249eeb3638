"""Blocks of clauses: the clauses of one constraint, produced in chunks on demand.

A chunk is rows of tokens, groups of pairs, or xor lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints, Tokens, within
from boardsat.generators.build_limits import CHUNK
from boardsat.generators.clauses.patterns import columns, stack

if TYPE_CHECKING:
    from boardsat.generators.clauses.weights import SoftClauses


class LinearConstraints(NamedTuple):
    """Linear constraints, one for each row, with the literals of all rows side by side.

    No literal is constant. OPB and KNF write such constraints as they are; CNF needs an encoding.
    """

    literals: Tokens
    starts: Ints
    low: Ints
    high: Ints
    """Upper bounds: the sum of all weights if there is none; below `low` if unsatisfiable."""
    weights: Ints | None = None
    """Positive weights of the literals; None for cardinality constraints."""
    heads: Bools | None = None
    """False for each literal that implies the one before it; None if no implications are known."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def most(self) -> Ints:
        """Sum of the weights of each row."""
        if self.weights is None:
            return self.sizes
        return np.diff(np.concatenate([[0], np.cumsum(self.weights)])[self.starts])

    @property
    def demand(self) -> Bools:
        """True for the rows that some assignment violates."""
        falsifiable: Bools = (self.low > 0) | (self.high < self.most)
        return falsifiable

    @property
    def are_counts(self) -> bool:
        """True if all weights are 1, and no variable occurs twice in a row."""
        if self.weights is not None and (self.weights != 1).any():
            return False
        rows = np.repeat(np.arange(len(self.low)), self.sizes)
        order = np.lexsort((np.abs(self.literals), rows))
        is_repeated = np.diff(np.abs(self.literals)[order]) == 0
        return not bool((is_repeated & (np.diff(rows[order]) == 0)).any())

    def between(self, low: Ints | None, high: Ints | None) -> LinearConstraints:
        """Return the constraints with these bounds too."""
        low = self.low if low is None else np.maximum(low, self.low)
        high = self.high if high is None else np.minimum(high, self.high)
        return self._replace(low=low, high=high)


@dataclass(frozen=True)
class Rows:
    """Clauses as tokens."""

    tokens: Tokens
    num_auxiliary: int = 0
    """Number of auxiliary variables that these clauses introduce."""
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
        """Number of clauses with one literal, which is between two ends of clauses."""
        ends = np.concatenate([[True], self.tokens == 0])
        return int(np.count_nonzero(ends[:-2] & ~ends[1:-1] & ends[2:]))

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
    """All pairs of every group, as two-literal clauses that are rendered without being stored."""

    literals_of_groups: Tokens
    starts: Ints

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
        return self.literals_of_groups.nbytes + self.starts.nbytes

    def rows(self) -> Iterator[Rows]:
        """Yield the clauses as tokens, in the order of the file, in bounded chunks."""
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            group = self.literals_of_groups[start:stop]
            ahead = len(group) - 1 - np.arange(len(group))
            low = 0
            while low < len(group) - 1:
                high = low + max(1, int(np.searchsorted(np.cumsum(ahead[low:]), CHUNK, "right")))
                high = min(high, len(group) - 1)
                first = np.repeat(np.arange(low, high), ahead[low:high])
                second = first + 1 + within(ahead[low:high])
                yield Rows(stack(columns(group[first], group[second])))
                low = high


@dataclass(frozen=True)
class XorLines(Rows):
    """Native XOR constraints of two or more literals, an odd number of which is true.

    The header of a file counts their lines like clauses.
    """

    @property
    def num_unit_clauses(self) -> int:
        return 0

    @property
    def xor_lines(self) -> int:
        return self.clauses

    def rows(self) -> Iterator[Rows]:
        raise no_clauses("clauses are asked for")


def split_rows(tokens: Tokens, fresh: int, size: int) -> Iterator[Rows]:
    """Yield clauses in chunks of about `size` tokens; the first one has the fresh variables."""
    ends = np.flatnonzero(tokens == 0) + 1
    start = 0
    while start < len(tokens):
        last = min(int(np.searchsorted(ends, start + size)), len(ends) - 1)
        yield Rows(tokens[start : ends[last]], fresh)
        start, fresh = int(ends[last]), 0
    if fresh:
        yield Rows(tokens[:0], fresh)


def no_clauses(reason: str) -> InputError:
    """Return the error of an operation that needs clauses."""
    return InputError(
        f"it has xor lines, and {reason}",
        "encode parity by clauses, with --set xor=chain",
    )


Chunk = Rows | Pairs

Producer = Callable[[int], Iterator[Chunk]]
"""Function that returns chunks, with auxiliary variables from the given number on."""


class Block(NamedTuple):
    """Clauses of one constraint."""

    name: str
    place: str
    produce: Producer
    count_preserving: bool = True
    """True if the variables of the spec determine the auxiliary ones."""
    lazy: dict[str, Any] | None = None
    """Header entry of the lazy constraint whose cuts are added while solving; None if complete."""
    sums: Callable[[], Iterator[LinearConstraints]] | None = None
    """Linear constraints that the clauses encode; None if the constraint is not linear."""
    connectivity: tuple[dict[str, Any], ...] = ()
    """Header entries of the connectivity constraints that the clauses encode."""
    soft: Callable[[], Iterator[SoftClauses]] | None = None
    """Soft clauses of a soft constraint, which makes no hard clauses; None if it is hard."""


def produce_all(producers: Iterable[Producer], first: int) -> Iterator[Chunk]:
    """Yield the chunks of all producers, whose auxiliary variables are numbered on."""
    for produce in producers:
        for chunk in produce(first):
            first += chunk.num_auxiliary
            yield chunk


def chain(blocks: Sequence[Block]) -> Block:
    """Return the blocks of one constraint as one block."""
    if len(blocks) == 1:
        return blocks[0]

    count_preserving = all(block.count_preserving for block in blocks)
    lazy = next((block.lazy for block in blocks if block.lazy), None)
    connectivity = tuple(each for block in blocks for each in block.connectivity)
    return Block(
        blocks[0].name,
        blocks[0].place,
        partial(produce_all, [block.produce for block in blocks]),
        count_preserving,
        lazy,
        connectivity=connectivity,
    )
