"""The generator of random numbers once more, in plain Python: what a seed must give for ever."""

from __future__ import annotations

from collections.abc import Iterator


def words(seed: int) -> Iterator[int]:
    """By the program in Steele, Lea and Flood, which keeps a state."""
    state = seed % 2**64
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def below(source: Iterator[int], limit: int) -> int:
    for word in source:
        number, rest = divmod(word * limit, 2**64)
        if rest >= 2**64 % limit:
            return number
    raise AssertionError


def column_by_column(source: Iterator[int], n: int, k: int, rows: int) -> list[tuple[int, ...]]:
    """Subsets by Floyd's way, the first number of every row before the second of any."""
    chosen: list[list[int]] = [[] for _ in range(rows)]
    for largest in range(n - k, n):
        for row in chosen:
            number = below(source, largest + 1)
            row.append(largest if number in row else number)
    return [tuple(sorted(row)) for row in chosen]
