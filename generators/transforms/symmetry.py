"""Symmetry breaking: of every orbit of solutions under the symmetry group, one is kept.

The group consists of the symmetries of the board that map solutions to solutions. That they do is
proved by the constraints, or declared by the spec (`symmetry_condition`); cells that the user has
fixed are checked in either case. If an undirected tour has two models, one for each direction, a
symmetry may also reverse the direction.

Solutions are compared lexicographically, false before true. If no symmetry maps a solution to a
smaller one, it is the lex-leader of its orbit. This transform comes before all others, while the
clauses are still those of the spec.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, Tokens, columns, distinct, stack
from boardsat.generators.blocks import Chunk, Rows
from boardsat.generators.boards import Board, BoardSymmetry, shape_symmetries
from boardsat.generators.boards._symmetries import IDENTITY
from boardsat.generators.formula import ClauseCounter, FixedClass, Formula
from boardsat.generators.language.values import TupleSet
from boardsat.generators.sections.parameters import FIX
from boardsat.generators.spec.catalogue import choices_of
from boardsat.generators.spec.defaults import COUNT
from boardsat.generators.transforms.group_action import Action, InvarianceCheck

NAME = "the least solution of each orbit"

PROOF, DECLARATION = "proved by the constraints", "declared by the spec"
"""Evidence that symmetries map solutions to solutions, as headers describe it."""

OPTION = "--break-symmetry"
OMIT = f"omit {OPTION}"
MAX_PERMUTED_VARIABLES = 2**25
"""Maximum product of symmetries and variables: each symmetry permutes all variables."""

SymmetryKey = tuple[bytes, bool]
"""Image of all cells, and True if the direction of tours is reversed."""


def transform(formula: Formula) -> Formula:
    if formula.weights is not None:
        fault = "symmetry breaking does not support literal weights: they may differ in an orbit"
        raise InputError(fault, OMIT, OPTION)
    group = group_of(formula)
    counter = ClauseCounter(formula.variables + 1)
    section = counter.encoded(NAME, OPTION, lambda first: _lex_leader(group, first))
    elements = ", ".join(many(name, number) for name, number in group.names.items())
    note = {
        "transform": "symmetry",
        "elements": len(group.elements),
        "description": f"{group.title} broken ({elements}), {group.evidence}: "
        "one solution of each orbit is kept",
    }
    header = replace(
        formula.header,
        objects=_orbits(formula.header.objects, group),
        transforms=(*formula.header.transforms, note),
    )
    return replace(
        formula,
        header=header,
        variables=counter.first - 1,
        sections=(*formula.sections, section),
        fixed_point_formulas=lambda: _fixed_classes(formula, group),
    )


def _orbits(objects: dict[str, Any] | None, group: SymmetryGroup) -> dict[str, Any] | None:
    """Return the `objects` of the header: orbits, which have no published count."""
    if objects is None:
        return None
    return {"name": f"orbits of {objects['name']} under {group.title}", "models_per_solution": 1}


# The symmetry group of a formula.


@dataclass(frozen=True)
class Symmetry:
    """Element of the group."""

    name: str
    image: Ints = field(repr=False)
    """Image of every cell."""
    is_reversing: bool
    """True if the direction of tours is reversed too."""
    permutation: Tokens = field(repr=False)
    """Image of every literal; negative literals count from the end."""

    @property
    def is_identity(self) -> bool:
        return not self.is_reversing and np.array_equal(self.image, np.arange(len(self.image)))

    @property
    def key(self) -> SymmetryKey:
        return self.image.tobytes(), self.is_reversing

    def after(self, first: Symmetry) -> SymmetryKey:
        """Return the key of the composition: `first`, and then this symmetry."""
        return self.image[first.image].tobytes(), self.is_reversing != first.is_reversing

    def inverse(self) -> SymmetryKey:
        """Return the key of the inverse."""
        return np.argsort(self.image).tobytes(), self.is_reversing


@dataclass(frozen=True)
class SymmetryGroup:
    """Symmetries of a formula, with the identity."""

    elements: tuple[Symmetry, ...]
    decoded_variables: Ints
    """Variables that solutions are decoded from, in order."""
    evidence: str
    """PROOF or DECLARATION."""

    @property
    def title(self) -> str:
        """Text such as `8 symmetries of the board`."""
        is_reversing = any(element.is_reversing for element in self.elements)
        domain = "board and direction" if is_reversing else "the board"
        return f"{len(self.elements):,} symmetries of {domain}"

    @property
    def nontrivial(self) -> tuple[Symmetry, ...]:
        """Elements other than the identity."""
        return tuple(element for element in self.elements if not element.is_identity)

    @property
    def names(self) -> dict[str, int]:
        """Number of nontrivial elements by name."""
        return dict(Counter(element.name for element in self.nontrivial))

    @cached_property
    def classes(self) -> list[list[Symmetry]]:
        """Conjugacy classes without the identity, each joined with that of the inverses.

        The elements of a class have equally many fixed points.
        """
        by_key = {element.key: element for element in self.elements}
        classes: list[list[Symmetry]] = []
        classified: set[SymmetryKey] = set()
        for element in self.nontrivial:
            if element.key in classified:
                continue
            keys = {element.key, element.inverse()}
            for conjugator in self.elements:
                inverse = by_key[conjugator.inverse()]
                conjugate = by_key[by_key[conjugator.after(element)].after(inverse)]
                keys |= {conjugate.key, conjugate.inverse()}
            classes.append([member for member in self.elements if member.key in keys])
            classified |= keys
        return classes


def many(name: str, number: int) -> str:
    """Return a name with its number, `2 reflections`; without the number if it is 1."""
    return name if number == 1 else pluralize(number, name)


def group_of(formula: Formula) -> SymmetryGroup:
    """Return the symmetry group of a formula; raise InputError if it is trivial."""
    name, board = formula.header.spec, formula.board
    if board is None:
        raise InputError(f"symmetry breaking needs a board, and {name} has none", OMIT, OPTION)
    symmetries = board_symmetries(board)
    if len(symmetries) < 2:
        trivial = "no symmetry of the board preserves its moves, holes and pieces"
        unknown = f"symmetries of a {board.description['shape']} are not supported"
        raise InputError(trivial if symmetries else unknown, OMIT, OPTION)
    if len(symmetries) * formula.variables > MAX_PERMUTED_VARIABLES:
        fault = f"symmetries times variables must be at most {MAX_PERMUTED_VARIABLES:,}"
        got = f"{len(symmetries)} * {formula.variables:,}"
        raise InputError(f"{fault} (got {got})", "use a smaller board", OPTION)
    if not formula.header.views.model_views:
        fault = f"symmetry breaking needs views of the solution, and {name} has none"
        raise InputError(fault, OMIT, OPTION)
    action = Action(formula)
    candidates = list(_permuting_symmetries(formula, action, symmetries))
    elements, evidence = _preserving(formula, candidates)
    if len(elements) < 2:
        fault = f"no symmetry of the board {_missing_evidence(formula, candidates)}"
        raise InputError(fault, _remedy(name), OPTION)
    keys = {element.key for element in elements}
    # Symmetries that preserve constraints are a group; those that a spec declares may not be one.
    is_subset = evidence == DECLARATION and len(elements) < len(candidates)
    if is_subset and any(a.after(b) not in keys for a in elements for b in elements):
        fault = "the symmetries for which `symmetry_condition` is true must form a group"
        raise InputError(fault, "let it hold for compositions of symmetries too", name)
    return SymmetryGroup(tuple(elements), action.decoded_variables, evidence)


def _permuting_symmetries(
    formula: Formula, action: Action, symmetries: list[BoardSymmetry]
) -> Iterator[Symmetry]:
    """Yield the symmetries of the board that permute the variables.

    If tours have two models, they are followed by their compositions with reversal.
    """
    models = (formula.header.objects or {}).get("models_per_solution", 1)
    if models not in (1, 2) or (models == 2 and not action.has_only_arcs):
        raise InputError(
            f"each solution must have one model (in {formula.header.spec} it has {models})",
            _remedy(formula.header.spec),
            OPTION,
        )
    for is_reversing in (False, True)[:models]:
        for symmetry in symmetries:
            permutation = action.permutation(symmetry.image, is_reversing)
            if permutation is not None:
                name = symmetry.name
                if is_reversing:
                    name = "reversal" if name == IDENTITY else f"reversing {name}"
                yield Symmetry(name, symmetry.image, is_reversing, permutation)


def _remedy(spec: str) -> str:
    """Return a remedy that names another encoding for counting, if the problem has one."""
    problem, slash, encoding = spec.partition("/")
    names = [name for name in choices_of(problem)[COUNT] if name != encoding] if slash else []
    return f"{OMIT}, or try another encoding, such as {names[0]}" if names else OMIT


def _preserving(formula: Formula, elements: list[Symmetry]) -> tuple[list[Symmetry], str]:
    """Return the symmetries that preserve solutions, and the evidence."""
    is_declared, sections = formula.declared_symmetry, formula.sections
    if is_declared is not None:
        elements = [element for element in elements if is_declared(element.image)]
        sections = tuple(s for s in sections if s.name.startswith(f"{FIX} "))
    check = InvarianceCheck(formula, sections)
    preserving = [e for e in elements if check.holds(e.permutation, e.image)]
    return preserving, PROOF if is_declared is None else DECLARATION


def _missing_evidence(formula: Formula, elements: list[Symmetry]) -> str:
    """Return the end of the sentence that says why no symmetry preserves the solutions."""
    if len(elements) < 2:
        return f"permutes the variables of {formula.header.spec}"
    if formula.declared_symmetry is not None:
        return f"preserves the solutions of {formula.header.spec} with its fixed literals"
    check = InvarianceCheck(formula, formula.sections)
    if name := check.find_hidden_constraint(elements[0].permutation):
        return f"is proved to preserve the solutions: {name!r} has variables that no view shows"
    return "preserves the constraints, with given cells and fixed literals"


def board_symmetries(board: Board) -> list[BoardSymmetry]:
    """Return the symmetries of a board that preserve moves and pieces, with the identity.

    Their images are cells. A graph has none.
    """
    symmetries: dict[bytes, BoardSymmetry] = {}
    for symmetry in shape_symmetries(board):
        cells = _cell_images(board, symmetry.image)
        if cells is not None and _preserves_board(board, symmetry.image, cells):
            symmetries.setdefault(cells.tobytes(), BoardSymmetry(symmetry.name, cells))
    return list(symmetries.values())


def _cell_images(board: Board, places: Ints) -> Ints | None:
    """Return the image of every cell, the cell outside fixed; None if one is mapped to a hole."""
    inside = board.cells - board.outside
    cell_at = np.arange(inside) if board.cell_at is None else board.cell_at
    cells = cell_at[places[np.flatnonzero(cell_at >= 0)]]
    if (cells < 0).any():
        return None
    return np.concatenate([cells, np.arange(inside, board.cells)])


def _preserves_board(board: Board, places: Ints, cells: Ints) -> bool:
    return all(_preserves_pairs(pairs, cells) for pairs in (board.moves, board.guards)) and all(
        _preserves_pieces(board, kind, places) for kind in ("friends", "enemies")
    )


def _preserves_pairs(pairs: TupleSet, cells: Ints) -> bool:
    first, second = pairs.columns
    keys, image_keys = first * len(cells) + second, cells[first] * len(cells) + cells[second]
    return np.array_equal(distinct(keys), distinct(image_keys))


def _preserves_pieces(board: Board, kind: str, places: Ints) -> bool:
    pieces = board.description.get(kind, ())
    return {*map(tuple, pieces)} == {(name, int(places[place])) for name, place in pieces}


# Clauses of the lex-leader, and of the fixed points that Burnside's lemma counts.


def _lex_leader(group: SymmetryGroup, first: int) -> Iterator[Chunk]:
    for element in group.nontrivial:
        rows = _at_most_image(group.decoded_variables, element.permutation, first)
        first += rows.num_auxiliary
        yield rows


def _at_most_image(variables: Ints, permutation: Tokens, first: int) -> Rows:
    """Return the lex-leader clauses: a solution is lexicographically at most its image.

    The auxiliary variable after each comparison is true if and only if both are equal so far. As
    this is an equivalence, the number of models is preserved.
    """
    x, y = _comparisons(variables, permutation)
    equal = first + np.arange(max(len(x) - 1, 0))
    pieces = [stack(columns(-x[:1], y[:1])), stack(columns(-equal, -x[1:], y[1:]))]
    if len(equal):
        begin = equal[:1]
        pieces.append(stack(columns(-begin, x[:1], -y[:1])))
        pieces.append(stack(columns(begin, -x[:1]), columns(begin, y[:1])))
    previous, current, a, b = equal[:-1], equal[1:], x[1:-1], y[1:-1]
    pieces.append(stack(columns(-current, previous), columns(-current, a, -b)))
    pieces.append(stack(columns(current, -previous, -a), columns(current, -previous, b)))
    return Rows(np.concatenate(pieces), len(equal))


def _comparisons(variables: Ints, permutation: Tokens) -> tuple[Ints, Ints]:
    """Return the variables to compare, and their images.

    The last variable of each cycle is omitted: its comparison follows from the others.
    """
    position = np.zeros(int(variables.max(initial=0)) + 1, np.int64)
    position[variables] = np.arange(len(variables))
    following = position[permutation[variables]]
    last = np.arange(len(variables))
    while not np.array_equal(last, last[following]):
        last = np.maximum(last, last[following])
    compared = np.flatnonzero(last != np.arange(len(variables)))
    return variables[compared], variables[following[compared]]


def _fixed_classes(formula: Formula, group: SymmetryGroup) -> list[FixedClass]:
    """Return for every class of symmetries the formula of the fixed points of one element."""
    return [
        FixedClass(members[0].name, len(members), _fixed_points(formula, group, members[0]))
        for members in group.classes
    ]


def _fixed_points(formula: Formula, group: SymmetryGroup, element: Symmetry) -> Formula:
    """Return the formula of the solutions that equal their image.

    Along a cycle of the permutation each variable implies the next one.
    """
    variables = group.decoded_variables
    moved = variables[element.permutation[variables] != variables]
    rows = Rows(stack(columns(-moved, element.permutation[moved])))
    counter = ClauseCounter(formula.variables + 1)
    section = counter.encoded(f"unchanged by a {element.name}", "", lambda _: iter([rows]))
    return replace(formula, sections=(*formula.sections, section))
