"""Rendered clauses against plain f-strings, mainly where the number of digits changes."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from helpers.formulas import chunks_of, clauses_of, examples, one_in, shipped, text_of
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators.arrays import put_rows
from boardsat.generators.blocks import Chunk, Pairs, Rows
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.dimacs import clause_text as render
from boardsat.generators.dimacs.clause_text import LiteralTable, Renderer, measure

LARGEST_VARIABLES = [9, 10, 99, 1000, 12345, 999_999, 1_000_000, 3_400_000, 10**7, MAX_INTEGER]
"""Numbers of variables: a table of one word each up to a million, two words beyond."""

renderer = cache(Renderer)


def borders(largest: int) -> list[int]:
    """Numbers up to the largest whose length, or that of a neighbour, is new."""
    near = {power + k for power in (10**e for e in range(10)) for k in (-2, -1, 0, 1)}
    return sorted(v for v in near | {largest - 1, largest} if 1 <= v <= largest)


def signed(largest: int) -> st.SearchStrategy[int]:
    numbers = st.sampled_from(borders(largest)) | st.integers(1, largest)
    return numbers.flatmap(lambda v: st.sampled_from([v, -v]))


def text(chunk: Chunk, largest: int) -> str:
    """Return the text; each piece is copied, because it is valid until the next request only."""
    return b"".join(bytes(piece) for piece in renderer(largest).text(chunk)).decode("ascii")


def plain(clauses: list[list[int]]) -> str:
    return "".join("".join(f"{x} " for x in clause) + "0\n" for clause in clauses)


def rows_from(clauses: list[list[int]]) -> Rows:
    return Rows(np.array([x for clause in clauses for x in (*clause, 0)], np.int32))


def pairs_from(groups: list[list[int]]) -> Pairs:
    starts = np.cumsum([0, *map(len, groups)])
    return Pairs(np.array([x for group in groups for x in group], np.int32), starts)


def check_pairs(groups: list[list[int]], largest: int) -> None:
    pairs = pairs_from(groups)
    expected = plain([list(pair) for group in groups for pair in combinations(group, 2)])
    assert text(pairs, largest) == expected
    assert measure(pairs) == len(expected)
    assert pairs.clauses == expected.count("\n")
    assert "".join(text(rows, largest) for rows in pairs.rows()) == expected


@pytest.mark.parametrize("largest", one_in(3, LARGEST_VARIABLES))
def test_every_border_in_every_clause_length(largest: int) -> None:
    numbers = [sign * v for v in borders(largest) for sign in (1, -1)]
    clauses = [numbers[: k + 1][::-1] for k in range(len(numbers))] + [[], [], numbers]
    assert text(rows_from(clauses), largest) == plain(clauses)
    assert measure(rows_from(clauses)) == len(plain(clauses))


@examples(60)
@given(st.data(), st.sampled_from(LARGEST_VARIABLES))
def test_rows(data: st.DataObject, largest: int) -> None:
    clauses = data.draw(st.lists(st.lists(signed(largest), max_size=6), max_size=20))
    rows = rows_from(clauses)
    assert text(rows, largest) == plain(clauses)
    assert measure(rows) == len(plain(clauses))
    assert (rows.clauses, rows.literals) == (len(clauses), sum(map(len, clauses)))
    assert rows.num_unit_clauses == sum(len(clause) == 1 for clause in clauses)


def test_rows_of_one_million_after_another() -> None:
    """The table of a million is created once it is worth it, and not used for another million."""
    ends = (1, 10**6 - 1, 10**6, 10**6 + 1, 2 * 10**6, 2 * 10**6 + 1, 2_300_000)
    one_by_one = [[[v, -v], []] for v in ends for _ in range(3)]
    across = [[[10**6, -(10**6) - 1]], [[-5]], [], [[2_299_999, 2_000_002], [-2_300_000]]]
    table = LiteralTable(2_300_000)
    million_table = mock.Mock(wraps=table._million_table)
    with (
        mock.patch.object(render, "MILLION_TABLE_THRESHOLD", 2),
        mock.patch.object(table, "_million_table", million_table),
    ):
        for clauses in [*one_by_one, *across, *one_by_one[::-1]]:
            assert table.text(rows_from(clauses).tokens).decode("ascii") == plain(clauses)
    # Up and down again over three millions, of which the last is entered anew.
    assert million_table.call_count == 6


@examples(60)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=100), st.booleans())
def test_rows_are_put_in_their_places(kinds: list[int], sort: bool) -> None:
    """Rows of kind k have k + 1 numbers; sorted rows are consecutive."""
    kinds = sorted(kinds) if sort else kinds
    starts = np.cumsum([0, *(kind + 1 for kind in kinds)])
    flat = np.zeros(starts[-1], np.int32)
    for kind in set(kinds):
        members = np.flatnonzero(np.array(kinds) == kind)
        put_rows(flat, starts[members], np.repeat(members[:, None], kind + 1, 1).astype(np.int32))
    assert flat.tolist() == [at for at, kind in enumerate(kinds) for _ in range(kind + 1)]


@examples(60)
@given(st.data(), st.sampled_from(LARGEST_VARIABLES))
def test_pairs_of_mixed_signs_and_lengths(data: st.DataObject, largest: int) -> None:
    check_pairs(data.draw(st.lists(st.lists(signed(largest), max_size=20), max_size=4)), largest)


@pytest.mark.parametrize("largest", [v for v in LARGEST_VARIABLES if v > 1000])
@pytest.mark.parametrize("sign", [1, -1])
def test_pairs_of_neighbours_across_a_border(sign: int, largest: int) -> None:
    """Groups as in at-most-one constraints: ascending, of one sign, with runs of equal length."""
    ends = [v for v in (10, 100, 1000, 10**4, 10**5, 10**6, 10**7, largest) if v <= largest]
    groups = [[sign * v for v in range(max(1, end - 40), end + 1)] for end in ends]
    check_pairs([[], *groups, groups[0][:1], groups[-1][:2]], largest)


@pytest.mark.parametrize("numbers", [range(1, 400), range(9700, 10100), range(1, 10**5, 307)])
def test_groups_with_text_of_several_pieces_are_rendered(numbers: range) -> None:
    check_pairs([[-v for v in numbers]], 10**5)


def test_groups_too_large_for_blocks_of_lines() -> None:
    with mock.patch.object(render, "MAX_GROUP_SIZE", 5):
        check_pairs([list(range(8, 12)), list(range(95, 103))], 1000)


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_pairs_are_written_out_in_chunks(chunk: int) -> None:
    with chunks_of(chunk):
        check_pairs([[-v for v in range(90, 120)], [5], [], [4, -3, 2]], 1000)


def test_more_rows_than_go_out_at_a_time() -> None:
    clauses = [[v, -v - 1, 7 * v] for v in range(1, 40_000)]
    assert text(rows_from(clauses), 300_000) == plain(clauses)


@pytest.mark.parametrize("name", ["tour/direct", "tour/unary", "sudoku/minimal"])
def test_files_are_rendered_completely(name: str) -> None:
    formula = shipped(name)
    head, body = text_of(formula).decode("ascii").split("p cnf ")
    numbers, body = body.split("\n", 1)
    clauses = clauses_of(formula)
    assert all(line.startswith("c ") for line in head.splitlines())
    assert numbers == f"{formula.variables} {len(clauses)}"
    assert body == plain(clauses)
