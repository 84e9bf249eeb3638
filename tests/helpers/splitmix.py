"""SplitMix64 and sampling in plain Python: second implementation, for every version."""

from __future__ import annotations

from collections.abc import Iterator


def words(seed: int) -> Iterator[int]:
    """Yield the words of SplitMix64, as in the program of Steele, Lea and Flood (2014)."""
    state = seed % 2**64
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def below(source: Iterator[int], limit: int) -> int:
    """Return the next number below a limit (Lemire 2019)."""
    for random_word in source:
        number, lower_bits = divmod(random_word * limit, 2**64)
        if lower_bits >= 2**64 % limit:
            return number
    raise AssertionError


def column_by_column(source: Iterator[int], n: int, k: int, rows: int) -> list[tuple[int, ...]]:
    """Return sorted subsets of k numbers below n (Floyd 1987), drawn column by column."""
    subsets: list[list[int]] = [[] for _ in range(rows)]
    for largest in range(n - k, n):
        for row in subsets:
            number = below(source, largest + 1)
            row.append(largest if number in row else number)
    return [tuple(sorted(row)) for row in subsets]
