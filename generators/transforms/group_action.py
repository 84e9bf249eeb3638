"""Group action: the symmetries of a board as permutations of the variables of a formula.

The views of a variable determine its image: the variable of a queen on a1 is mapped to that of a
queen on h1. Values and indices that are not cells are fixed. An edge is undirected, unless both of
its directions are variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens, Words, clause_starts, distinct, within
from boardsat.generators.blocks import LinearConstraints
from boardsat.generators.formula import ConstraintClauses, Formula
from boardsat.generators.language.layout import Integer, Variable
from boardsat.generators.randomness.splitmix64 import hash_multisets, hash_rows
from boardsat.generators.sections.decode import view_rows
from boardsat.generators.weights import SoftClauses

ARCS = "arcs"
ENDS = ("cell", "from", "to")
VALUES = ("value", "position")


@dataclass(frozen=True)
class _Rows:
    """Rows of a view: members of its variable, the cells they are on, and other values."""

    kind: int
    member: Ints
    ends: tuple[Ints, ...]
    values: tuple[Ints, ...]


@dataclass(frozen=True)
class _DecodedVariable:
    """Variable that boards are decoded from, with the rows of all its views."""

    variable: Variable | Integer
    members: Variable
    rows: list[_Rows]

    def images(self, image: Ints, is_reversed: bool) -> Ints | None:
        """Return the image of every member, -1 if it is in no view; None if one has no image.

        Edges are first compared with their direction. If that fails, they are compared without it;
        if that fails too, members are compared by cells alone, as values may be mere colours.
        """
        for hash_function in (_directed, _undirected, _cells_alone):
            members = self._hashes(hash_function, np.arange(len(image)), False)
            matches = _match(members, self._hashes(hash_function, image, is_reversed))
            if matches is not None:
                return matches
        return None

    def _hashes(self, hash_function: Callable[..., Words], image: Ints, is_reversed: bool) -> Words:
        """Return a hash for each member of the variable, or 0 if it is not in any view.

        The hash is that of its rows in the views, after the symmetry `image` maps their cells.
        """
        hashes = np.zeros(self.members.count, np.uint64)
        for rows in self.rows:
            ends = [image[end] for end in rows.ends]
            row_hashes = hash_function(rows.kind, ends[::-1] if is_reversed else ends, rows.values)
            np.add.at(hashes, rows.member, row_hashes)
        return hashes


def _directed(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    return hash_rows(kind, *ends, *values)


def _undirected(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    pair = hash_rows(kind, ends[0]) + hash_rows(kind, ends[-1])
    return hash_rows(kind, pair, *values)


def _cells_alone(kind: int, ends: Sequence[Ints], values: Sequence[Ints]) -> Words:
    return _undirected(kind, ends, ())


def _match(hashes: Words, image_hashes: Words) -> Ints | None:
    """Return for every member the one with the hash of its image; None if not a bijection."""
    visible = np.flatnonzero(hashes)
    order, images = (visible[np.argsort(column[visible])] for column in (hashes, image_hashes))
    is_bijection = np.array_equal(hashes[order], image_hashes[images])
    if not is_bijection or (np.diff(hashes[order].view(np.int64)) == 0).any():
        return None
    matches = np.full(len(hashes), -1)
    matches[images] = order
    return matches


class Action:
    """Action of the symmetries of a board on the variables of a formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.decoded = _decoded_variables(formula)
        self.has_only_arcs = all(view["view"] == ARCS for view in formula.header.views.model_views)

    @property
    def decoded_variables(self) -> Ints:
        """Variables that boards are decoded from, in order."""
        assert self.formula.board is not None
        identity = self.permutation(np.arange(self.formula.board.cells))
        assert identity is not None
        return np.flatnonzero(identity[: self.formula.variables + 1])

    def permutation(self, image: Ints, is_reversed: bool = False) -> Tokens | None:
        """Return the image of every literal; negative literals count from the end.

        0 for a variable that no view shows. None if the symmetry does not permute the variables.
        """
        table = np.zeros(self.formula.variables + 1, np.int32)
        for decoded in self.decoded:
            target = decoded.images(image, is_reversed)
            if target is None or not _fill(table, decoded.variable, target):
                return None
        return np.concatenate([table, -table[:0:-1]])


def _fill(table: Tokens, variable: Variable | Integer, target: Ints) -> bool:
    """Enter the images of a variable's literals; return False if integers differ in range."""
    if isinstance(variable, Variable):
        visible = np.flatnonzero(target >= 0)
        table[variable.first + visible] = variable.first + target[visible]
        return True
    ranges = (variable.low, variable.high, variable.widths)
    if (target < 0).any() or any((column != column[target]).any() for column in ranges):
        return False
    for name, literals in variable.tables.items():
        starts = variable.starts[name]
        counts = np.diff(starts)
        rows = np.repeat(np.arange(len(counts)), counts)
        images = literals[starts[target[rows]] + within(counts)]
        undecided = np.abs(literals) <= len(table) - 1
        table[np.abs(literals[undecided])] = np.sign(literals[undecided]) * images[undecided]
    return True


def _decoded_variables(formula: Formula) -> list[_DecodedVariable]:
    header = formula.header
    variables = {variable.name: variable for variable in header.variables}
    decoded: dict[str, _DecodedVariable] = {}
    for kind, view in enumerate(header.views.model_views):
        variable = variables[view["variable"]]
        members = variable.members if isinstance(variable, Integer) else variable
        entry = decoded.setdefault(variable.name, _DecodedVariable(variable, members, []))
        entry.rows.append(_rows(kind, view, members, header.views.columns))
    return list(decoded.values())


def _rows(kind: int, view: Mapping[str, Any], members: Variable, columns: Sequence[Ints]) -> _Rows:
    member, indices, roles = view_rows(view, members, columns, (*ENDS, *VALUES))
    ends = tuple(roles[role] for role in ENDS if role in roles)
    if not ends:
        raise InputError(
            f"symmetry breaking needs views of cells, and `{view['view']}` does not show any",
            "omit --break-symmetry",
        )
    values = [roles[role] for role in VALUES if role in roles]
    if not view.get("columns", {}).keys() & {*ENDS}:
        named = {view[role] for role in roles if role in view}
        values += [index for position, index in enumerate(indices) if position not in named]
    return _Rows(kind, member, ends, tuple(values))


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
                literals = table[variable.first + np.arange(variable.count)]
                if "from" not in group:
                    yield hash_rows(CELL, literals, image[indices[0]])
                    continue
                ends = (_mapped(_end(group[key], indices), image) for key in ("from", "to"))
                u, v = (hash_rows(EDGE, end) for end in ends)
                yield hash_rows(EDGE, literals, u + v)


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
    rows, nonempty = np.flatnonzero(sums.is_falsifiable), np.flatnonzero(sums.sizes > 0)
    weights = np.ones(len(sums.literals)) if sums.weights is None else sums.weights
    terms = hash_rows(WEIGHT, table[sums.literals], weights.astype(np.int64))
    hashes = np.zeros(len(sums.low), np.uint64)
    hashes[nonempty] = hash_multisets(terms, np.append(sums.starts[nonempty], sums.starts[-1]))
    low, high = np.maximum(sums.low, 0), np.minimum(sums.high, sums.total_weights)
    return hash_rows(SUM, hashes[rows], low[rows], high[rows])
