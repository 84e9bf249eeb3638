"""Guarantees of the transforms about models, clauses and numbers, on random small formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest
from helpers.formulas import (
    Clauses,
    check_sizes,
    chunks_of,
    clauses_of,
    examples,
    extendable_assignments,
    make,
    models_of,
    shipped,
    text_of,
)
from hypothesis import example, given
from hypothesis import strategies as st

from boardsat.generators import Formula, InputError, transform
from boardsat.generators.blocks import Chunk, Pairs, Rows, XorLines
from boardsat.generators.formula import ConstraintClauses
from boardsat.generators.option_values import THREE_CNF
from boardsat.generators.transforms import propagate, shuffle
from boardsat.generators.transforms.spool import Spool

VARIABLES = 7
LARGEST_SEED = 2**64 - 1

literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
short = st.lists(literals, min_size=1, max_size=3, unique_by=abs)
cnfs = st.lists(short | short | st.lists(literals, min_size=1, max_size=7), max_size=12)
seeds = st.sampled_from([0, 1, 2, 99, LARGEST_SEED])


def formula_of(clauses: Clauses, count_preserving: bool = True) -> Formula:
    """Return the formula with these clauses, built from a spec."""
    return make(
        variables={"X": {"for": f"i in range({VARIABLES})"}},
        constraints=[
            {
                "clause": [f"X[{abs(x) - 1}] == {str(x > 0).lower()}" for x in clause] or "false",
                "empty": "unsatisfiable",
            }
            for clause in clauses
        ],
        projection="X[i] for i in range(0, 7, 2)",
        count_preserving=count_preserving,
    )


# Splitting into clauses of three.


@examples(60)
@given(cnfs, st.sampled_from(THREE_CNF), st.booleans())
@example([[1, 2, 3, 4], []], "auto", True)
def test_split_clauses_have_the_same_models(clauses: Clauses, choice: str, counted: bool) -> None:
    formula = formula_of(clauses, counted)
    split = transform(formula, three_cnf=choice)
    pieces = check_sizes(split)
    assert all(len(clause) <= 3 for clause in pieces)
    assert split.num_spec_variables == formula.num_spec_variables
    is_unique = dict(extendable_assignments(VARIABLES, pieces))
    assert set(is_unique) == models_of(formula)
    keeps = choice == "equivalences" or (choice == "auto" and counted)
    assert all(is_unique.values()) or not keeps
    assert split.header.count_preserving == (counted and keeps)


@pytest.mark.parametrize("length", range(1, 8))
def test_the_size_of_a_split_clause(length: int) -> None:
    formula = formula_of([list(range(1, length + 1))])
    links = max(1, length - 2)
    fresh = links - 1
    chain = transform(formula, three_cnf="chain")
    assert (chain.clauses, chain.variables) == (links, VARIABLES + fresh)
    split = transform(formula, three_cnf="equivalences")
    assert (split.clauses, split.variables) == (links + 2 * fresh, VARIABLES + fresh)


def test_a_split_chain_meets_link_by_link_and_short_clauses_stay() -> None:
    split = transform(
        formula_of([[1, 2, 3], [-1, 2, -3, 4, 5], [6], [4, 5, 6, 7]]), three_cnf="chain"
    )
    assert clauses_of(split) == [
        [1, 2, 3],
        [-1, 2, 8],
        [-8, -3, 9],
        [-9, 4, 5],
        [6],
        [4, 5, 10],
        [-10, 6, 7],
    ]


def test_only_equivalences_keep_counts() -> None:
    formula = formula_of([[1, 2, 3, 4, 5, 6, 7]])
    chain = transform(formula, three_cnf="chain")
    assert not all(single for _, single in extendable_assignments(VARIABLES, clauses_of(chain)))
    assert not chain.header.count_preserving


# Shuffling.


def restored(formula: Formula) -> Clauses:
    """The clauses with the original numbers, each sorted, and sorted."""
    assert formula.header.renamed is not None
    renamed = formula.header.renamed.tolist()
    assert sorted(renamed) == list(range(formula.variables + 1))
    original = {new: old for old, new in enumerate(renamed)}
    clauses = check_sizes(formula)
    return sorted(sorted(original[abs(x)] * (1 if x > 0 else -1) for x in c) for c in clauses)


@examples(60)
@given(cnfs, seeds)
@example([[1, 2], [], [-3]], 1)
def test_shuffled_clauses_are_the_same_under_other_names(clauses: Clauses, seed: int) -> None:
    formula = formula_of(clauses)
    shuffled = transform(formula, shuffle=seed)
    assert restored(shuffled) == sorted(map(sorted, clauses))
    assert (shuffled.variables, shuffled.num_spec_variables) == (
        formula.variables,
        formula.num_spec_variables,
    )
    renamed = shuffled.header.renamed
    assert shuffled.header.projection.tolist() == sorted(renamed[v] for v in (1, 3, 5, 7))
    assert clauses_of(transform(formula_of(clauses), shuffle=seed)) == clauses_of(shuffled)


def test_everything_is_moved_by_a_shuffle() -> None:
    formula = shipped("queens/squares", n=6)
    clauses = clauses_of(formula)
    shuffled = transform(formula, shuffle=1)
    renamed = shuffled.header.renamed
    moved = [[int(renamed[abs(x)]) * (1 if x > 0 else -1) for x in clause] for clause in clauses]
    result = clauses_of(shuffled)
    assert renamed.tolist() != list(range(37)), "variables"
    assert sorted(result, key=sorted) != sorted(moved, key=sorted), "literals in their clauses"
    assert list(map(sorted, result)) != list(map(sorted, moved)), "clauses"
    assert clauses_of(transform(formula, shuffle=2)) != result, "by the seed"


def test_two_shuffles_in_a_row_tell_the_last_numbers() -> None:
    formula = formula_of([[1, -2, 3], [2, 4], [-7], [5, 6, -1, 2]])
    twice = transform(transform(formula, shuffle=3), shuffle=4)
    assert restored(twice) == sorted(map(sorted, clauses_of(formula)))
    assert [note["seed"] for note in twice.header.transforms] == [3, 4]


@pytest.mark.parametrize("tokens", [20, 1000])
def test_spools_do_not_show_in_a_shuffle(tokens: int) -> None:
    """The shuffle is independent of the spool size and of where spools are stored."""
    formula = shipped("tour/binary", n=4)
    expected = text_of(transform(formula, shuffle=5))
    on_disk = mock.patch.object(shuffle, "Spool", lambda in_memory: Spool(in_memory=0))
    with mock.patch.object(shuffle, "SPOOL_TOKENS", tokens), chunks_of(100), on_disk:
        assert text_of(transform(shipped("tour/binary", n=4), shuffle=5)) == expected


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_has_bounds(seed: int) -> None:
    with pytest.raises(InputError, match="seed"):
        transform(formula_of([]), shuffle=seed)


# Unit propagation.


def propagated(clauses: Clauses) -> tuple[set[int], Clauses] | None:
    """Return implied literals and remaining clauses, by naive propagation; None for a conflict."""
    units: set[int] = set()
    while True:
        open_clauses = [[x for x in c if -x not in units] for c in clauses if not units & set(c)]
        if [] in open_clauses:
            return None
        is_uniquenits = {c[0] for c in open_clauses if len(c) == 1}
        if not is_uniquenits:
            return units, open_clauses
        if any(-x in is_uniquenits for x in is_uniquenits):
            return None
        units |= is_uniquenits


@examples(150)
@given(cnfs)
@example([[1, 2], [], [-3]])
@example([[-1, 2], [3], [-2, 4, 5], [-3, 1], [6, 7], [-6, 7]])
def test_propagation_finds_all_that_follows_and_keeps_the_rest(clauses: Clauses) -> None:
    formula = formula_of(clauses)
    with mock.patch.object(propagate, "Spool", partial(Spool, in_memory=9)):
        result = transform(formula, propagate=True)
        propagated_clauses = check_sizes(result)
    expected = propagated(clauses)
    if expected is None:
        assert len(propagated_clauses) == 2
        assert propagated_clauses[0] == [-propagated_clauses[1][0]]
    else:
        units, open_clauses = expected
        assert propagated_clauses == [[x] for x in sorted(units, key=abs)] + open_clauses
    assert models_of(result) == models_of(formula)
    assert result.variables == formula.variables
    assert clauses_of(transform(result, propagate=True)) == propagated_clauses


@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize("order", [1, -1, 37])
def test_chains_are_followed_in_both_directions(order: int, rows: int) -> None:
    """100 steps, each of which follows from the one before; 37 spreads them over all chunks."""
    formula = make(
        params={"step": str(order)},
        variables={"X": {"for": "i in range(101)"}},
        constraints=[
            {"for": "i in range(101)", "if": "i == 50", "clause": "X[0]"},
            {"for": "i in range(100)", "clause": "X[step * i % 100] -> X[step * i % 100 + 1]"},
        ],
    )
    with chunks_of(rows), mock.patch.object(propagate, "Spool", partial(Spool, in_memory=64)):
        assert clauses_of(transform(formula, propagate=True)) == [[i] for i in range(1, 102)]


def test_pairs_are_propagated_and_split_and_shuffled_like_others() -> None:
    formula = make(
        variables={"X": {"for": "i in range(40)"}},
        constraints=[{"at_most_one": "X[i] for i in range(40)"}, {"clause": "X[7]"}],
    )
    units = [[v if v == 8 else -v] for v in range(1, 41)]
    assert clauses_of(transform(formula, propagate=True)) == units
    assert clauses_of(transform(formula, three_cnf="chain")) == clauses_of(formula)
    assert restored(transform(formula, shuffle=1)) == sorted(map(sorted, clauses_of(formula)))


@examples(100)
@given(cnfs, st.lists(st.lists(literals, max_size=5), max_size=4), cnfs)
@example([[1]], [[-1, 2, 3], [-2, -3]], [])
@example([], [[-1, -1, 2], [-3, 4, 5]], [[1], [3]])
def test_groups_are_propagated_as_their_pairs_are(
    earlier: Clauses, groups: Clauses, later: Clauses
) -> None:
    """The result has the same clauses, or a conflict at the same variable."""
    chunks = [_rows(earlier), _pairs(groups), _rows(later)]
    written_out = [rows for chunk in chunks for rows in chunk.rows()]
    grouped, plain = (
        transform(_of_chunks(chunk_list), propagate=True) for chunk_list in (chunks, written_out)
    )
    assert check_sizes(grouped) == check_sizes(plain)


def test_pairs_that_stay_are_not_written_out() -> None:
    """Groups are rendered several times as fast as their pairs and take less memory."""
    result = transform(_of_chunks([_pairs([[1, 2, 3, 4], [5, 6]]), _rows([[-2]])]), propagate=True)
    (pairs,) = result.sections[1].chunks()
    assert isinstance(pairs, Pairs)
    assert check_sizes(result) == [[1], [-2], [3], [4], [5, 6]]


def test_xor_lines_are_never_taken_for_clauses() -> None:
    """Propagation called without a check for XOR lines rejects them."""
    formula = _of_chunks([XorLines(np.array([1, 2, 0], np.int32)), _rows([[-2]])])
    with pytest.raises(InputError, match="the formula has XOR lines"):
        propagate.transform(formula)


def _rows(clauses: Clauses) -> Rows:
    return Rows(np.array([x for clause in clauses for x in (*clause, 0)], np.int32))


def _pairs(groups: Clauses) -> Pairs:
    return Pairs(
        np.array([x for group in groups for x in group], np.int32),
        np.cumsum([0, *map(len, groups)]),
    )


def _of_chunks(chunks: Sequence[Chunk]) -> Formula:
    clauses, units, literals = (
        sum(getattr(chunk, size) for chunk in chunks)
        for size in ("clauses", "num_unit_clauses", "literals")
    )
    section = ConstraintClauses("all", 0, clauses, units, literals, lambda: iter(chunks))
    return replace(formula_of([]), sections=(section,))


def test_a_formula_without_variables_stays_as_it_is() -> None:
    for options in ({"propagate": True}, {"three_cnf": "auto"}, {"shuffle": 1}):
        assert clauses_of(transform(make(), **options)) == []


# All of them together.


@examples(60)
@given(cnfs, seeds, st.sampled_from(THREE_CNF))
def test_transforms_compose(clauses: Clauses, seed: int, choice: str) -> None:
    formula = formula_of(clauses)
    result = transform(formula, propagate=True, three_cnf=choice, shuffle=seed)
    names = [note["transform"] for note in result.header.transforms]
    assert names == ["propagate", "split", "shuffle"]
    back = restored(result)
    assert all(len(clause) <= 3 for clause in back)
    is_unique = dict(extendable_assignments(VARIABLES, back))
    assert set(is_unique) == models_of(formula)
    assert all(is_unique.values()) or not result.header.count_preserving


def test_transform_does_not_change_its_input() -> None:
    formula = shipped("queens/squares", n=5)
    original_text = text_of(formula)
    transform(formula, propagate=True, three_cnf="auto", shuffle=1)
    assert text_of(formula) == original_text


# The spool.


@pytest.mark.parametrize("in_memory", [0, 1, 40, 10**6])
def test_spool_is_read_repeatedly_in_both_directions(in_memory: int) -> None:
    arrays: list[Any] = [np.arange(k, dtype=np.int32) for k in (5, 0, 1, 9, 2, 30)]
    spool = Spool(in_memory)
    for array in arrays:
        spool.append(array)
    contents = [array.tolist() for array in arrays if len(array)]
    for _ in range(2):
        assert [array.tolist() for array in spool] == contents
        assert [array.tolist() for array in reversed(spool)] == contents[::-1]
    assert spool.bytes == 4 * sum(map(len, contents))


def test_a_way_of_splitting_that_there_is_not_is_refused():
    with pytest.raises(InputError, match="unknown choice 'chains'; did you mean 'chain'"):
        transform(shipped("queens/squares", n=4), three_cnf="chains")
