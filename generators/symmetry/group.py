"""Symmetry group of a formula: the symmetries of its board that map solutions to solutions.

That they do is proved by the constraints, or declared by the spec (`symmetry_condition`). Cells
that the user has fixed are checked in either case. Where an undirected tour has two models, one for
each direction, a symmetry may also reverse the direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, Tokens, distinct
from boardsat.generators.boards import Board, BoardSymmetry, shape_symmetries
from boardsat.generators.boards._symmetries import IDENTITY
from boardsat.generators.formula import Formula
from boardsat.generators.language.values import TupleSet
from boardsat.generators.sections.parameters import FIX
from boardsat.generators.spec.catalogue import choices_of
from boardsat.generators.spec.defaults import COUNT
from boardsat.generators.symmetry.group_action import Action, InvarianceCheck

PROOF, PROMISE = "proof", "promise"
OPTION = "--break-symmetry"
LEAVE = "leave it out"
MAX_PERMUTED_VARIABLES = 2**25
"""Maximum product of symmetries and variables: each symmetry permutes all variables."""


@dataclass(frozen=True)
class Symmetry:
    """Element of the group."""

    name: str
    image: Ints = field(repr=False)
    """Image of every cell."""
    reverses: bool
    """Whether the direction of tours is reversed too."""
    permutation: Tokens = field(repr=False)
    """Image of every literal; negative literals count from the end."""

    @property
    def is_nothing(self) -> bool:
        return not self.reverses and bool((self.image == np.arange(len(self.image))).all())

    @property
    def key(self) -> tuple[bytes, bool]:
        return self.image.tobytes(), self.reverses

    def after(self, other: Symmetry) -> tuple[bytes, bool]:
        """Return the key of the composition, in which the other is applied first."""
        return self.image[other.image].tobytes(), self.reverses != other.reverses


@dataclass(frozen=True)
class SymmetryGroup:
    """Symmetries of a formula, with the identity."""

    elements: tuple[Symmetry, ...]
    decided: Ints
    """Variables that solutions are decoded from, in order."""
    by: str
    """PROOF or PROMISE: the evidence that solutions are mapped to solutions."""

    @property
    def words(self) -> str:
        """Text such as `8 symmetries of the board`."""
        reverses = any(each.reverses for each in self.elements)
        of = "board and direction" if reverses else "the board"
        return f"{len(self.elements):,} symmetries of {of}"

    @property
    def others(self) -> tuple[Symmetry, ...]:
        """Elements other than the identity."""
        return tuple(each for each in self.elements if not each.is_nothing)

    @property
    def names(self) -> dict[str, int]:
        """Number of elements other than the identity by name."""
        return dict(Counter(each.name for each in self.others))

    @cached_property
    def classes(self) -> list[list[Symmetry]]:
        """Conjugacy classes without the identity, each joined with that of the inverses.

        The elements of a class have equally many fixed points.
        """
        by_key = {each.key: each for each in self.elements}
        inverse = {each.key: self._inverse(each) for each in self.elements}
        classes: list[list[Symmetry]] = []
        classified: set[tuple[bytes, bool]] = set()
        for element in self.others:
            if element.key in classified:
                continue
            keys = {element.key, inverse[element.key]}
            for other in self.elements:
                back = by_key[inverse[other.key]]
                conjugate = by_key[by_key[other.after(element)].after(back)]
                keys |= {conjugate.key, inverse[conjugate.key]}
            classes.append([by_key[key] for key in keys])
            classified |= keys
        return classes

    @staticmethod
    def _inverse(element: Symmetry) -> tuple[bytes, bool]:
        inverse = np.empty_like(element.image)
        inverse[element.image] = np.arange(len(inverse))
        return inverse.tobytes(), element.reverses


def many(name: str, number: int) -> str:
    """Return a name with its number, `2 reflections`; without the number if it is 1."""
    return name if number == 1 else pluralize(number, name)


def group_of(formula: Formula) -> SymmetryGroup:
    """Return the symmetry group of a formula; raise InputError if it is trivial."""
    name, board = formula.header.spec, formula.board
    if board is None:
        raise InputError(f"{name} has no board to turn", LEAVE, OPTION)
    symmetries = board_symmetries(board)
    if len(symmetries) < 2:
        trivial = "no rotation or reflection of the board keeps its moves and what stands on it"
        unknown = f"no symmetries of a {board.description['shape']} are known"
        raise InputError(trivial if symmetries else unknown, LEAVE, OPTION)
    if len(symmetries) * formula.variables > MAX_PERMUTED_VARIABLES:
        number = pluralize(len(symmetries), "symmetry", "symmetries")
        fault = f"too much: {number} of {pluralize(formula.variables, 'variable')}"
        raise InputError(fault, "use a smaller board", OPTION)
    if not formula.header.views.model_views:
        raise InputError(f"{name} has no view that shows a solution", LEAVE, OPTION)
    action = Action(formula)
    fitting = list(_fitting(formula, action, symmetries))
    elements, evidence = _preserving(formula, fitting)
    if len(elements) < 2:
        fault = f"no symmetry of the board {_missing_evidence(formula, fitting)}"
        raise InputError(fault, _remedy(name), OPTION)
    keys = {element.key for element in elements}
    # Symmetries that preserve constraints are a group; those that a spec declares may not be one.
    is_subset = evidence == PROMISE and len(elements) < len(fitting)
    if is_subset and any(one.after(other) not in keys for one in elements for other in elements):
        raise InputError("what `symmetry_condition` promises is no group", "correct it", name)
    return SymmetryGroup(tuple(elements), action.decided, evidence)


def _fitting(
    formula: Formula, action: Action, symmetries: list[BoardSymmetry]
) -> Iterator[Symmetry]:
    """Yield the symmetries that permute the variables; reversed too if tours have two models."""
    models = (formula.header.objects or {}).get("models_per_solution", 1)
    if models not in (1, 2) or (models == 2 and not action.arcs_alone):
        raise InputError(
            f"a solution has {pluralize(models, 'model')} in {formula.header.spec}",
            _remedy(formula.header.spec),
            OPTION,
        )
    for reverses in range(models):
        for symmetry in symmetries:
            image, is_reversed = symmetry.image, bool(reverses)
            permutation = action.permutation(image, is_reversed)
            if permutation is not None:
                name = _name(symmetry.name, is_reversed)
                yield Symmetry(name, image, is_reversed, permutation)


def _remedy(spec: str) -> str:
    """Return a remedy that names the problem's other encoding for counting, if it has one."""
    problem, slash, encoding = spec.partition("/")
    others = [name for name in choices_of(problem)[COUNT] if name != encoding] if slash else []
    return f"{LEAVE}, or try another encoding, such as {others[0]}" if others else LEAVE


def _name(name: str, is_reversed: bool) -> str:
    if not is_reversed:
        return name
    return "reversal" if name == IDENTITY else f"reversing {name}"


def _preserving(formula: Formula, elements: list[Symmetry]) -> tuple[list[Symmetry], str]:
    """Return the symmetries that preserve solutions, and the evidence: PROOF or PROMISE."""
    is_declared = formula.declared_symmetry
    if is_declared is None:
        check = InvarianceCheck(formula, formula.sections)
        return [e for e in elements if check.holds(e.permutation, e.image)], PROOF
    fixed = [section for section in formula.sections if section.name.startswith(f"{FIX} ")]
    check = InvarianceCheck(formula, fixed)
    preserving = [
        e for e in elements if is_declared(e.image) and check.holds(e.permutation, e.image)
    ]
    return preserving, PROMISE


def _missing_evidence(formula: Formula, elements: list[Symmetry]) -> str:
    if len(elements) < 2:
        return f"fits the variables of {formula.header.spec}"
    if formula.declared_symmetry is not None:
        return f"keeps the solutions of {formula.header.spec}, as it stands or is fixed"
    check = InvarianceCheck(formula, formula.sections)
    hidden = check.find_hidden_constraint(elements[0].permutation)
    if hidden:
        return f"is proved to keep the solutions: {hidden!r} has variables that no view shows"
    return "keeps the constraints, with what is given or fixed"


def board_symmetries(board: Board) -> list[BoardSymmetry]:
    """Return the symmetries of a board that preserve moves and pieces, with the identity.

    Their images are cells. A graph has none.
    """
    symmetries: dict[bytes, BoardSymmetry] = {}
    for symmetry in shape_symmetries(board):
        cells = _cells(board, symmetry.image)
        if cells is not None and _preserves_board(board, symmetry.image, cells):
            symmetries.setdefault(cells.tobytes(), BoardSymmetry(symmetry.name, cells))
    return list(symmetries.values())


def _cells(board: Board, places: Ints) -> Ints | None:
    """Return the image of every cell, the cell outside fixed; None if one is mapped to a hole."""
    inside = board.cells - board.outside
    at = np.arange(inside) if board.cell_at is None else board.cell_at
    place = np.flatnonzero(at >= 0)
    cells = at[places[place]]
    if (cells < 0).any():
        return None
    return np.concatenate([cells, np.arange(inside, board.cells)])


def _preserves_board(board: Board, places: Ints, cells: Ints) -> bool:
    return all(_preserves_pairs(pairs, cells) for pairs in (board.moves, board.guards)) and all(
        _preserves_pieces(board, kind, places) for kind in ("friends", "enemies")
    )


def _preserves_pairs(pairs: TupleSet, cells: Ints) -> bool:
    one, other = pairs.columns
    before, after = one * len(cells) + other, cells[one] * len(cells) + cells[other]
    return np.array_equal(distinct(before), distinct(after))


def _preserves_pieces(board: Board, kind: str, places: Ints) -> bool:
    pieces = board.description.get(kind, ())
    return {*map(tuple, pieces)} == {(name, int(places[place])) for name, place in pieces}
