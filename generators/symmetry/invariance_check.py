"""Invariance check: proof that a permutation of variables maps solutions to solutions.

The permutation is applied to the constraints as they are before their encoding. If the result is
the same multiset of constraints, they are preserved. The check fails for a constraint that can only
be expressed with auxiliary variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, Words, clause_starts, distinct
from boardsat.generators.clauses.linear_constraints import LinearConstraints
from boardsat.generators.clauses.soft_clauses import SoftClauses
from boardsat.generators.formula import ConstraintClauses, Formula
from boardsat.generators.language.layout import Variable
from boardsat.generators.randomness.splitmix64 import hash_multisets, hash_rows

CLAUSE, SUM, WEIGHT, SOFT, EDGE, CELL = range(1, 7)


class InvarianceCheck:
    """Check of whether symmetries preserve the constraints of some sections of a formula."""

    def __init__(self, formula: Formula, sections: Sequence[ConstraintClauses]) -> None:
        self.formula, self.sections = formula, sections
        self.variables = {variable.name: variable for variable in formula.header.variables}
        identity = np.arange(formula.variables + 1, dtype=np.int32)
        cells = np.arange(formula.board.cells if formula.board else 0)
        hashes = self._hashes(np.concatenate([identity, -identity[:0:-1]]), cells)
        assert hashes is not None, "the identity permutes every variable"
        self.identity_hashes = hashes.tobytes()

    def holds(self, permutation: Tokens, image: Ints) -> bool:
        """Return True if a permutation of literals and cells preserves the constraints."""
        hashes = self._hashes(permutation, image)
        return hashes is not None and hashes.tobytes() == self.identity_hashes

    def find_hidden_constraint(self, permutation: Tokens) -> str:
        """Return the name of a constraint with a variable that is not permuted, or ''."""
        for section in self.sections:
            for tokens in _literals(section):
                if (permutation[tokens] == 0).any():
                    return section.name
        return ""

    def _hashes(self, permutation: Tokens, image: Ints) -> Words | None:
        """Return sorted hashes of the permuted constraints; None if a variable is not permuted."""
        if self.find_hidden_constraint(permutation):
            return None
        table = hash_rows(CLAUSE, permutation.astype(np.int64))
        pieces = [np.zeros(0, np.uint64)]
        for number, section in enumerate(self.sections):
            pieces += self._section_hashes(number, section, table, image)
        objective = self.formula.objective
        if objective is not None:
            pieces.append(_soft_hashes(objective.soft, table))
        return distinct(np.concatenate(pieces).view(np.int64)).view(np.uint64)

    def _section_hashes(
        self, number: int, section: ConstraintClauses, table: Words, image: Ints
    ) -> Iterator[Words]:
        if section.connectivity:
            # Two connectivity constraints are never equal, even with the same edges.
            for index, entry in enumerate(section.connectivity):
                for hashes in self._connectivity_hashes(entry, table, image):
                    yield hash_rows(index, hashes, np.full(len(hashes), number))
        elif section.encoded_linear is not None:
            for sums in section.encoded_linear():
                yield _linear_hashes(sums, table)
        else:
            for chunk in section.chunks():
                for rows in chunk.rows():
                    yield _clause_hashes(rows.tokens, table)

    def _connectivity_hashes(
        self, entry: Mapping[str, Any], table: Words, image: Ints
    ) -> Iterator[Words]:
        """Yield hashes of the edges or cells that are to be connected."""
        for groups in entry.values():
            for group in groups if isinstance(groups, list) else [groups]:
                variable = self.variables[group["variable"]]
                assert isinstance(variable, Variable)
                indices = variable.indices
                own = table[variable.first + np.arange(variable.count)]
                if "from" not in group:
                    yield hash_rows(CELL, own, image[indices[0]])
                    continue
                ends = (_mapped(_end(group[key], indices), image) for key in ("from", "to"))
                one, other = (hash_rows(EDGE, end) for end in ends)
                yield hash_rows(EDGE, own, one + other)


def _end(entry: dict[str, int], indices: Sequence[Ints]) -> Ints:
    if "index" in entry:
        return indices[entry["index"]]
    return np.full(len(indices[0]), entry["vertex"])


def _mapped(vertices: Ints, image: Ints) -> Ints:
    """Return the images of vertices; a vertex that is not a cell is fixed."""
    extended = np.arange(max(len(image), int(vertices.max(initial=-1)) + 1))
    extended[: len(image)] = image
    return extended[vertices]


def _literals(section: ConstraintClauses) -> Iterator[Tokens]:
    """Yield the literals of a section's constraints before their encoding."""
    if section.connectivity:
        return
    if section.encoded_linear is not None:
        yield from (sums.literals for sums in section.encoded_linear())
        return
    for chunk in section.chunks():
        for rows in chunk.rows():
            yield rows.tokens[rows.tokens != 0]


def _clause_hashes(tokens: Tokens, table: Words) -> Words:
    # The ends of clauses are hashed too, so that no multiset is empty.
    hashes = np.where(tokens == 0, np.uint64(1), table[tokens])
    return hash_multisets(hashes, clause_starts(tokens))


def _soft_hashes(soft: SoftClauses, table: Words) -> Words:
    """Return hashes of soft clauses; equal clauses are one, with the sum of their weights."""
    clauses, inverse = np.unique(_clause_hashes(soft.tokens, table), return_inverse=True)
    weights = np.zeros(len(clauses), np.int64)
    np.add.at(weights, inverse, soft.weights)
    return hash_rows(SOFT, clauses, weights)


def _linear_hashes(sums: LinearConstraints, table: Words) -> Words:
    rows, nonempty = np.flatnonzero(sums.demand), np.flatnonzero(sums.sizes > 0)
    weights = np.ones(len(sums.literals)) if sums.weights is None else sums.weights
    terms = hash_rows(WEIGHT, table[sums.literals], weights.astype(np.int64))
    hashes = np.zeros(len(sums.low), np.uint64)
    hashes[nonempty] = hash_multisets(terms, np.append(sums.starts[nonempty], sums.starts[-1]))
    low, high = np.maximum(sums.low, 0), np.minimum(sums.high, sums.most)
    return hash_rows(SUM, hashes[rows], low[rows], high[rows])
