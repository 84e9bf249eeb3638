"""A block is the clauses of one constraint, produced in chunks on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardsat.generators.clauses.chunks import Chunk
from boardsat.generators.clauses.sums import Sums

if TYPE_CHECKING:
    from boardsat.generators.clauses.objective import SoftClauses


@dataclass(frozen=True)
class Block:
    name: str
    place: str
    produce: Callable[[int], Iterator[Chunk]]
    """The chunks in order, with fresh variables from the given number on."""
    keeps_counts: bool = True
    """Whether every model of the named variables extends to exactly one of the fresh ones."""
    lazy: dict[str, Any] | None = None
    """What its clauses leave out, for the header: they are found while solving."""
    sums: Callable[[], Iterator[Sums]] | None = None
    """What its clauses encode, where that is sums: they have no fresh variables."""
    told: tuple[dict[str, Any], ...] = ()
    """What it demands, in the words of a header, where that is that something is connected."""
    soft: Callable[[], Iterator[SoftClauses]] | None = None
    """What it wishes for, where it demands nothing: then it makes no clauses."""


def chain(blocks: Sequence[Block]) -> Block:
    """Several blocks of one constraint as one."""
    if len(blocks) == 1:
        return blocks[0]

    def produce(first: int) -> Iterator[Chunk]:
        for block in blocks:
            for chunk in block.produce(first):
                first += chunk.fresh
                yield chunk

    keeps_counts = all(block.keeps_counts for block in blocks)
    lazy = next((block.lazy for block in blocks if block.lazy), None)
    told = tuple(each for block in blocks for each in block.told)
    return Block(blocks[0].name, blocks[0].place, produce, keeps_counts, lazy, told=told)
