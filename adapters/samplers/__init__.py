"""Samplers of the embedded runtime: worker processes that print random models or tours.

A sampler of models draws literals of the projection; `extend_models` completes them to models.
Random numbers are portable: SplitMix64 with rejection sampling. Word number i of a seed s is
mix(s + (i + 1) * GOLDEN) modulo 2^64 (Steele, Lea and Flood, OOPSLA 2014). To draw below a limit n
whose predecessor n - 1 has b bits, ceil(b / 64) words are joined, highest first, and their lowest b
bits are the number; numbers from n on are rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice

LIBRARY = "cadical195"

GOLDEN = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = 2**64 - 1


def random_words(seed: int) -> Iterator[int]:
    """Yield the 64-bit words of a seed."""
    for index in count(1):
        mixed = seed + index * GOLDEN & MASK
        mixed = (mixed ^ mixed >> 30) * FIRST & MASK
        mixed = (mixed ^ mixed >> 27) * SECOND & MASK
        yield mixed ^ mixed >> 31


def numbers_below(limit: int, size: int, seed: int) -> list[int]:
    """Return independent uniform numbers.

    Parameters
    ----------
    limit : int
        Exclusive upper bound of the numbers, at least 1; it may exceed 64 bits.
    size : int
        Number of numbers.
    seed : int
        Seed. Equal arguments give equal numbers on all machines.

    Returns
    -------
    list of int
        Numbers from 0 to limit - 1.

    Examples
    --------
    >>> numbers_below(6, 5, seed=1)
    [1, 3, 1, 0, 5]
    """
    words, bits = random_words(seed), (limit - 1).bit_length()
    numbers: list[int] = []
    while len(numbers) < size:
        number = 0
        for random_word in islice(words, max(1, -(-bits // 64))):
            number = number << 64 | random_word
        number &= (1 << bits) - 1
        numbers += [number] if number < limit else []
    return numbers


def free_literals(variables: Sequence[int], bits: int) -> list[int]:
    """Return a literal of each unconstrained variable, positive if the bit at its index is 1."""
    return [v if bits >> index & 1 else -v for index, v in enumerate(variables)]


def extend_models(
    clauses: Iterable[Sequence[int]], samples: Iterable[tuple[tuple[int, ...], list[int]]]
) -> Iterator[list[int]]:
    """Yield a model of the clauses for each sample, with the literals of the sample.

    A sample is a pair: literals of constrained variables, and literals of unconstrained ones. The
    latter replace those in the model that the SAT solver finds.
    """
    from pysat.solvers import Solver

    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        models: dict[tuple[int, ...], list[int]] = {}
        for literals, free_part in samples:
            if literals not in models:
                if not solver.solve(assumptions=literals):
                    raise RuntimeError("the sample is not the projection of a model")
                models[literals] = solver.get_model()
            free = {abs(literal) for literal in free_part}
            yield [*(x for x in models[literals] if abs(x) not in free), *free_part]
