"""Shuffling: rename variables, and permute clauses and the literals in them, by a seed.

Clauses are sorted by a hash of their index. A formula that does not fit in memory is first
partitioned into spools by the leading bits of the hashes; the result is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens, Words, clause_starts, distinct, take_rows
from boardsat.generators.blocks import Chunk, Rows
from boardsat.generators.build_limits import CHUNK
from boardsat.generators.formula import ConstraintClauses, Formula
from boardsat.generators.randomness.splitmix64 import mix
from boardsat.generators.transforms.spool import Spool

VARIABLES, LITERALS, CLAUSES = 1, 2, 3
"""Streams of random numbers of a seed, by what they permute."""

SPOOL_TOKENS = 2**21  # tokens that are sorted at a time (8 MB)
PARTITION_TOKENS = 2**17  # about the number of tokens that are partitioned at a time (0.5 MB)
MAX_ODD_LENGTH_CLAUSES = 2**8  # up to this many clauses of another length are inserted singly


def transform(formula: Formula, seed: int) -> Formula:
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be between 0 and 2**64 - 1 (got {seed})", "try 1")
    renamed = np.zeros(formula.variables + 1, np.int32)
    renamed[1:][np.argsort(mix(seed, VARIABLES, np.arange(formula.variables)), kind="stable")] = (
        np.arange(1, formula.variables + 1)
    )
    header = formula.header
    header = replace(
        header,
        renamed=renamed if header.renamed is None else renamed[header.renamed],
        projection=None if header.projection is None else np.sort(renamed[header.projection]),
        transforms=(*header.transforms, {"transform": "shuffle", "seed": seed}),
    )
    everything = ConstraintClauses(
        "shuffled clauses",
        formula.variables - formula.num_spec_variables,
        formula.clauses,
        formula.num_unit_clauses,
        formula.literals,
        lambda: _sorted(formula, renamed, seed),
    )
    literals, objective, weights = _by_literal(renamed), formula.objective, formula.weights
    return replace(
        formula,
        header=header,
        sections=(everything,),
        objective=None if objective is None else objective.renamed(literals),
        weights=None if weights is None else weights.renamed(literals),
    )


def _by_literal(renamed: Tokens) -> Tokens:
    """Return the images of all literals; those of negative ones are at negative indices."""
    return np.concatenate([renamed, -renamed[:0:-1]])


def _sorted(formula: Formula, renamed: Tokens, seed: int) -> Iterator[Chunk]:
    tokens = formula.literals + formula.clauses
    bits = max(0, (tokens // SPOOL_TOKENS).bit_length())
    spools = [_KeyedSpool() for _ in range(1 << bits)]
    literals = _by_literal(renamed)
    number = 0
    for array in _joined(formula.arrays()):
        for rows, block in _blocks(array):
            clauses = number + rows
            keys = mix(seed, CLAUSES, clauses)
            permuted = _permute_literals(literals[block], clauses, seed)
            _partition(permuted, keys, spools, bits)
        number += int(np.count_nonzero(array == 0))
    for spool in spools:
        yield from spool.in_order()


def _joined(arrays: Iterable[Tokens]) -> Iterator[Tokens]:
    """Yield the clauses in larger arrays, because each array is partitioned to all spools."""
    pieces, size = [], 0
    for array in arrays:
        pieces.append(array)
        size += len(array)
        if size >= PARTITION_TOKENS:
            yield np.concatenate(pieces)
            pieces, size = [], 0
    if pieces:
        yield np.concatenate(pieces)


def _blocks(tokens: Tokens) -> Iterator[tuple[Ints, Tokens]]:
    """Yield the clauses of each length: their indices, and a table with a row for each."""
    starts = clause_starts(tokens)
    lengths = np.diff(starts)
    for length in distinct(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        if len(rows) == len(lengths):
            yield rows, tokens.reshape(-1, length)
        else:
            yield rows, tokens[starts[rows][:, None] + np.arange(length)]


def _permute_literals(block: Tokens, clauses: Ints, seed: int) -> Tokens:
    """Permute the literals of each clause in place; the 0 stays last."""
    size = block.shape[1] - 1
    indices = clauses * 4099
    if size == 2:
        # Most clauses of most formulas have two literals: exchanging them is faster than sorting.
        first, second = (mix(seed, LITERALS, indices + at) >> np.uint64(34) for at in (0, 1))
        exchanged = np.flatnonzero(second < first)
        block[exchanged, :2] = block[exchanged, 1::-1]
    elif size > 1:
        keys = mix(seed, LITERALS, indices[:, None] + np.arange(size)) >> np.uint64(34)
        order = np.argsort(keys, axis=1, kind="stable")
        block[:, :size] = np.take_along_axis(block, order, axis=1)
    return block


def _partition(block: Tokens, keys: Words, spools: Sequence[_KeyedSpool], bits: int) -> None:
    """Append each clause to the spool with the number given by the leading bits of its key."""
    spool_of = ((keys >> np.uint64(63 - bits)) >> np.uint64(1)).astype(np.uint16)
    # Numbers of 16 bits are sorted by counting them.
    order = np.argsort(spool_of, kind="stable")
    ends = np.cumsum(np.bincount(spool_of, minlength=len(spools)))
    block, keys = block.take(order, axis=0), keys[order]
    begin = 0
    for spool, end in zip(spools, ends.tolist(), strict=True):
        spool.append(block[begin:end], keys[begin:end])
        begin = end


class _KeyedSpool:
    """Spool of clauses with their keys, which are distinct, to be read in the order of the keys."""

    def __init__(self) -> None:
        self.tokens, self.keys = Spool(in_memory=2**18), Spool(in_memory=2**18)
        self.lengths: list[int] = []

    def append(self, block: Tokens, keys: Words) -> None:
        if len(block):
            self.lengths.append(block.shape[1])
            self.tokens.append(block.reshape(-1))
            self.keys.append(keys.view(np.int32))

    def in_order(self) -> Iterator[Chunk]:
        if not self.lengths:
            return
        # Clauses of one length are consecutive, so that most are gathered as rows of a table.
        by_length = np.argsort(self.lengths, kind="stable").tolist()
        blocks, keys = list(self.tokens), list(self.keys)
        tokens = np.concatenate([blocks[index] for index in by_length])
        order = np.argsort(np.concatenate([keys[index] for index in by_length]).view(np.uint64))
        del blocks, keys
        gather = _ClauseGather(tokens)
        for low in range(0, len(order), CHUNK):
            yield Rows(gather.rows(order[low : low + CHUNK]))


class _ClauseGather:
    """Gatherer of clauses, given by their indices, from clauses that are sorted by length."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens, self.starts = tokens, clause_starts(tokens)
        lengths = np.diff(self.starts)
        # Bounds between clauses of different lengths, and the longest run between two of them.
        bounds = np.concatenate([[0], np.flatnonzero(np.diff(lengths)) + 1, [len(lengths)]])
        longest = int(np.argmax(np.diff(bounds)))
        self.first, self.last = bounds[longest : longest + 2].tolist()
        begin, end = self.starts[[self.first, self.last]].tolist()
        self.common = tokens[begin:end].reshape(self.last - self.first, -1)

    def rows(self, order: Ints) -> Tokens:
        is_common = (order >= self.first) & (order < self.last)
        odd_positions = np.flatnonzero(~is_common)
        if len(odd_positions) > MAX_ODD_LENGTH_CLAUSES:
            return take_rows(self.tokens, self.starts, order)
        common = self.common.take(order[is_common] - self.first, axis=0)
        runs = np.split(common, odd_positions - np.arange(len(odd_positions)))
        pieces = [runs[0].reshape(-1)]
        for number, run in zip(order[odd_positions].tolist(), runs[1:], strict=True):
            begin, end = self.starts[number : number + 2]
            pieces += [self.tokens[begin:end], run.reshape(-1)]
        return np.concatenate(pieces)
