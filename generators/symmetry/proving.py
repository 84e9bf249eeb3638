"""Whether a symmetry keeps the constraints of a formula, so that it turns solutions into solutions.

It permutes variables. If the constraints as they are stated, before their encoding, are then the
same ones as before, in whatever order, it keeps them: that is a proof. Where one cannot be stated
without auxiliary variables, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, Words
from boardsat.generators.clauses.objective import SoftClauses
from boardsat.generators.clauses.sums import Sums
from boardsat.generators.formula import Formula, Section
from boardsat.generators.language.layout import Variable
from boardsat.generators.ragged import clause_starts, distinct
from boardsat.generators.symmetry.words import ordered_words, unordered_words

CLAUSE, SUM, WEIGHT, SOFT, EDGE, CELL = range(1, 7)


class Stated:
    """The constraints of sections, as they are stated."""

    def __init__(self, formula: Formula, sections: Sequence[Section]) -> None:
        self.formula, self.sections = formula, sections
        self.known = {variable.name: variable for variable in formula.header.variables}
        nothing = np.arange(formula.variables + 1, dtype=np.int32)
        cells = np.arange(formula.board.cells if formula.board else 0)
        before = self._words(np.concatenate([nothing, -nothing[:0:-1]]), cells)
        assert before is not None, "every variable is itself"
        self.before = before.tobytes()

    def are_kept(self, permutation: Tokens, image: Ints) -> bool:
        """By a symmetry that permutes the literals and the cells so."""
        after = self._words(permutation, image)
        return after is not None and after.tobytes() == self.before

    def hidden(self, permutation: Tokens) -> str:
        """The name of a constraint that speaks of a variable that is not permuted, if any does."""
        for section in self.sections:
            for tokens in _literals(section):
                if (permutation[tokens] == 0).any():
                    return section.name
        return ""

    def _words(self, permutation: Tokens, image: Ints) -> Words | None:
        """One for every row of every constraint, in order; None where one is not permuted."""
        table = ordered_words(CLAUSE, permutation.astype(np.int64))
        pieces = [np.zeros(0, np.uint64)]
        for number, section in enumerate(self.sections):
            for tokens in _literals(section):
                if (permutation[tokens] == 0).any():
                    return None
            pieces += self._of_section(number, section, table, image)
        objective = self.formula.objective
        if objective is not None:
            pieces.append(_of_soft(objective.soft, table))
        return distinct(np.concatenate(pieces).view(np.int64)).view(np.uint64)

    def _of_section(
        self, number: int, section: Section, table: Words, image: Ints
    ) -> Iterator[Words]:
        if section.told:
            # Of two such demands none takes the place of the other.
            for each, told in enumerate(section.told):
                for words in self._of_connected(told, table, image):
                    yield ordered_words(each, words, np.full(len(words), number))
        elif section.stated is not None:
            for sums in section.stated():
                yield _of_sums(sums, table)
        else:
            for chunk in section.chunks():
                for rows in chunk.rows():
                    yield _of_clauses(rows.tokens, table)

    def _of_connected(self, told: Mapping[str, Any], table: Words, image: Ints) -> Iterator[Words]:
        """The edges or cells of which there is to be one component."""
        for groups in told.values():
            for group in groups if isinstance(groups, list) else [groups]:
                variable = self.known[group["variable"]]
                assert isinstance(variable, Variable)
                keys = np.arange(variable.count) if variable.keys is None else variable.keys
                indices = np.unravel_index(keys, variable.shape)
                own = table[variable.first + np.arange(variable.count)]
                if "from" not in group:
                    yield ordered_words(CELL, own, image[indices[0]])
                    continue
                ends = (_turned(_end(group[way], indices), image) for way in ("from", "to"))
                one, other = (ordered_words(EDGE, end) for end in ends)
                yield ordered_words(EDGE, own, one + other)


def _end(about: dict[str, int], indices: Sequence[Ints]) -> Ints:
    if "index" in about:
        return indices[about["index"]]
    return np.full(len(indices[0]), about["vertex"])


def _turned(vertices: Ints, image: Ints) -> Ints:
    """Where vertices come to; one that is no cell stays."""
    longer = np.arange(max(len(image), int(vertices.max(initial=-1)) + 1))
    longer[: len(image)] = image
    return longer[vertices]


def _literals(section: Section) -> Iterator[Tokens]:
    """Those of which a section is stated."""
    if section.told:
        return
    if section.stated is not None:
        yield from (sums.literals for sums in section.stated())
        return
    for chunk in section.chunks():
        for rows in chunk.rows():
            yield rows.tokens[rows.tokens != 0]


def _of_clauses(tokens: Tokens, table: Words) -> Words:
    """Without their ends, of which each clause has one: so none is empty."""
    words = np.where(tokens == 0, np.uint64(1), table[tokens])
    return unordered_words(words, clause_starts(tokens))


def _of_soft(soft: SoftClauses, table: Words) -> Words:
    """A clause that stands there twice is paid for twice."""
    clauses, place = np.unique(_of_clauses(soft.tokens, table), return_inverse=True)
    weights = np.zeros(len(clauses), np.int64)
    np.add.at(weights, place, soft.weights)
    return ordered_words(SOFT, clauses, weights)


def _of_sums(sums: Sums, table: Words) -> Words:
    rows, some = np.flatnonzero(sums.demand), np.flatnonzero(sums.sizes > 0)
    weights = np.ones(len(sums.literals)) if sums.weights is None else sums.weights
    words = ordered_words(WEIGHT, table[sums.literals], weights.astype(np.int64))
    found = np.zeros(len(sums.low), np.uint64)
    found[some] = unordered_words(words, np.append(sums.starts[some], sums.starts[-1]))
    low, high = np.maximum(sums.low, 0), np.minimum(sums.high, sums.most)
    return ordered_words(SUM, found[rows], low[rows], high[rows])
