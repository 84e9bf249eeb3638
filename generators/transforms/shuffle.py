"""Renames variables, and permutes clauses and the literals in them, all determined by a seed.

Clauses are sorted by a random-looking key of their number. A formula that does not fit in memory is
first dealt out into spools by the leading bits of the keys; the result is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.chunks import Chunk, Rows
from boardsat.generators.errors import InputError
from boardsat.generators.formula import Formula, Section
from boardsat.generators.limits import CHUNK
from boardsat.generators.ragged import clause_starts, distinct, take_rows
from boardsat.generators.transforms.hashing import mix
from boardsat.generators.transforms.spool import Spool

VARIABLES, LITERALS, CLAUSES = 1, 2, 3
"""Streams of the seed."""

SPOOL_TOKENS = 2**21
"""Tokens that are sorted at a time (8 MB)."""


def shuffle(formula: Formula, seed: int) -> Formula:
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed {seed} is out of range", "give one from 0 to 2**64 - 1")
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
    everything = Section(
        "shuffled clauses",
        formula.variables - formula.named,
        formula.clauses,
        formula.units,
        formula.literals,
        lambda: _sorted(formula, renamed, seed),
    )
    return replace(formula, header=header, sections=(everything,))


def _sorted(formula: Formula, renamed: Tokens, seed: int) -> Iterator[Chunk]:
    tokens = formula.literals + formula.clauses
    bits = max(0, (tokens // SPOOL_TOKENS).bit_length())
    spools = [Spool(in_memory=2**18) for _ in range(1 << bits)]
    numbers = [Spool(in_memory=2**18) for _ in range(1 << bits)]
    number = 0
    for array in formula.arrays():
        starts = clause_starts(array)
        count = len(starts) - 1
        clauses = np.arange(number, number + count)
        number += count
        changed = _permute_literals(_rename(array, renamed), clauses, seed)
        keys = mix(seed, CLAUSES, clauses)
        bucket = ((keys >> np.uint64(63 - bits)) >> np.uint64(1)).astype(np.int64)
        for which in distinct(bucket).tolist():
            members = np.flatnonzero(bucket == which)
            spools[which].append(take_rows(changed, starts, members))
            numbers[which].append(clauses[members].view(np.int32))
    for spool, spooled_numbers in zip(spools, numbers, strict=True):
        yield from _sort(spool, spooled_numbers, seed)


def _rename(tokens: Tokens, renamed: Tokens) -> Tokens:
    return renamed[np.abs(tokens)] * np.sign(tokens)


def _permute_literals(tokens: Tokens, clauses: Ints, seed: int) -> Tokens:
    """The literals of each clause in another order; its 0 stays last."""
    starts = clause_starts(tokens)
    length = np.diff(starts)
    place = np.arange(len(tokens)) - np.repeat(starts[:-1], length)
    owner = np.repeat(np.arange(len(length)), length)
    key = mix(seed, LITERALS, np.repeat(clauses, length) * 4099 + place) >> np.uint64(34)
    key[tokens == 0] = 1 << 30
    return tokens[np.argsort((owner.astype(np.uint64) << np.uint64(31)) | key, kind="stable")]


def _sort(spool: Spool, numbers: Spool, seed: int) -> Iterator[Chunk]:
    arrays = list(spool)
    if not arrays:
        return
    tokens = np.concatenate(arrays)
    clauses = np.concatenate(list(numbers)).view(np.int64)
    starts = clause_starts(tokens)
    order = np.argsort(mix(seed, CLAUSES, clauses), kind="stable")
    for low in range(0, len(order), CHUNK):
        yield Rows(take_rows(tokens, starts, order[low : low + CHUNK]))
