"""The symmetries that a formula has: those of its board that turn solutions into solutions.

That they do is proved by its constraints, or promised by its spec. What the user fixes is always
looked at. Where two models stand for one tour, which goes either way, a symmetry may turn its
direction too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.boards import Turn
from boardsat.generators.boards._turns import NOTHING
from boardsat.generators.formula import Formula
from boardsat.generators.sections.fix_parameter import FIX
from boardsat.generators.spec.catalogue import choices_of
from boardsat.generators.spec.defaults import COUNT
from boardsat.generators.symmetry.acting import Action
from boardsat.generators.symmetry.elements import symmetries
from boardsat.generators.symmetry.proving import Stated

PROOF, PROMISE = "proof", "promise"
OPTION = "--symmetry"
LEAVE = "leave it out"
MOST = 2**25
"""Symmetries times variables: each permutes all of them."""


@dataclass(frozen=True)
class Symmetry:
    """One element of the group."""

    name: str
    image: Ints = field(repr=False)
    """The cell that every cell comes to."""
    reverses: bool
    """Whether it turns the direction of tours too."""
    permutation: Tokens = field(repr=False)
    """For every literal the one that it becomes; negative ones count from the end."""

    @property
    def is_nothing(self) -> bool:
        return not self.reverses and bool((self.image == np.arange(len(self.image))).all())

    @property
    def key(self) -> tuple[bytes, bool]:
        return self.image.tobytes(), self.reverses

    def after(self, other: Symmetry) -> tuple[bytes, bool]:
        """The key of the one that does both, the other first."""
        return self.image[other.image].tobytes(), self.reverses != other.reverses


@dataclass(frozen=True)
class SymmetryGroup:
    elements: tuple[Symmetry, ...]
    decided: Ints
    """The variables that solutions are read from, in order."""
    by: str
    """Whether there is a `proof` or a `promise` that they keep solutions."""

    @property
    def words(self) -> str:
        """For people: 8 symmetries of the board."""
        reverses = any(each.reverses for each in self.elements)
        of = "board and direction" if reverses else "the board"
        return f"{len(self.elements):,} symmetries of {of}"

    @property
    def others(self) -> tuple[Symmetry, ...]:
        """All that do something."""
        return tuple(each for each in self.elements if not each.is_nothing)

    @property
    def names(self) -> dict[str, int]:
        """How many of them are called so."""
        return dict(Counter(each.name for each in self.others))

    @cached_property
    def classes(self) -> list[list[Symmetry]]:
        """Those that do something, together where they leave equally many solutions unchanged.

        That is so of an element, its inverse, and both seen from elsewhere on the board.
        """
        known = {each.key: each for each in self.elements}
        inverse = {each.key: self._inverse(each) for each in self.elements}
        found: dict[tuple[bytes, bool], list[Symmetry]] = {}
        taken: set[tuple[bytes, bool]] = set()
        for each in self.others:
            if each.key in taken:
                continue
            keys = {each.key, inverse[each.key]}
            for other in self.elements:
                back = known[inverse[other.key]]
                turned = known[known[other.after(each)].after(back)]
                keys |= {turned.key, inverse[turned.key]}
            found[each.key] = [known[key] for key in keys]
            taken |= keys
        return list(found.values())

    @staticmethod
    def _inverse(element: Symmetry) -> tuple[bytes, bool]:
        inverse = np.empty_like(element.image)
        inverse[element.image] = np.arange(len(inverse))
        return inverse.tobytes(), element.reverses


def many(name: str, number: int) -> str:
    """2 half turns; of one its name alone."""
    if number == 1:
        return name
    words, by, degrees = name.partition(" by ")
    return f"{number:,} {words}s{by}{degrees}"


def group_of(formula: Formula) -> SymmetryGroup:
    """The group, of two elements at least; an error that says why there is none."""
    name, board = formula.header.spec, formula.board
    if board is None:
        raise InputError(f"{name} has no board to turn", LEAVE, OPTION)
    turns = symmetries(board)
    if len(turns) < 2:
        alone = "no turn or reflection of the board keeps its moves and what stands on it"
        shape = board.description["shape"]
        fault = alone if turns else f"no symmetries of a {shape} are known"
        raise InputError(fault, LEAVE, OPTION)
    if len(turns) * formula.variables > MOST:
        sizes = (
            pluralize(len(turns), "symmetry", "symmetries"),
            pluralize(formula.variables, "variable"),
        )
        raise InputError(f"too much: {' of '.join(sizes)}", "use a smaller board", OPTION)
    if not formula.header.decode:
        raise InputError(f"{name} has no view that shows a solution", LEAVE, OPTION)
    action = Action(formula)
    fitting = list(_fitting(formula, action, turns))
    kept, by = _kept(formula, fitting)
    if len(kept) < 2:
        fault = f"no symmetry of the board {_why_not(formula, fitting)}"
        raise InputError(fault, _remedy(name), OPTION)
    keys = {each.key for each in kept}
    # All of them are a group, and so are those that keep constraints; a promise may be wrong.
    chosen = by == PROMISE and len(kept) < len(fitting)
    if chosen and any(one.after(other) not in keys for one in kept for other in kept):
        raise InputError("what `symmetric` promises is no group", "correct it", name)
    return SymmetryGroup(tuple(kept), action.decided, by)


def _fitting(formula: Formula, action: Action, turns: list[Turn]) -> Iterator[Symmetry]:
    """Those that act on the variables, with both directions where a solution has both."""
    each = (formula.header.objects or {}).get("models_each", 1)
    if each not in (1, 2) or (each == 2 and not action.arcs_alone):
        raise InputError(
            f"a solution has {pluralize(each, 'model')} in {formula.header.spec}",
            _remedy(formula.header.spec),
            OPTION,
        )
    for reverses in range(each):
        for turn in turns:
            permutation = action.permutation(turn.image, bool(reverses))
            if permutation is not None:
                yield Symmetry(_name(turn, bool(reverses)), turn.image, bool(reverses), permutation)


def _remedy(spec: str) -> str:
    """With the encoding in which solutions are counted, if the problem has others than this."""
    problem, slash, encoding = spec.partition("/")
    others = [name for name in choices_of(problem)[COUNT] if name != encoding] if slash else []
    return f"{LEAVE}, or try another encoding, such as {others[0]}" if others else LEAVE


def _name(turn: Turn, reverses: bool) -> str:
    if not reverses:
        return turn.name
    return "reversal" if turn.name == NOTHING else f"reversing {turn.name}"


def _kept(formula: Formula, elements: list[Symmetry]) -> tuple[list[Symmetry], str]:
    """Those that keep solutions, and how that is known."""
    promise = formula.promise
    if promise is None:
        stated = Stated(formula, formula.sections)
        return [each for each in elements if _is_kept(stated, each)], PROOF
    fixed = [section for section in formula.sections if section.name.startswith(f"{FIX} ")]
    stated = Stated(formula, fixed)
    return [e for e in elements if promise(e.image) and _is_kept(stated, e)], PROMISE


def _is_kept(stated: Stated, element: Symmetry) -> bool:
    return stated.are_kept(element.permutation, element.image)


def _why_not(formula: Formula, elements: list[Symmetry]) -> str:
    if len(elements) < 2:
        return f"fits the variables of {formula.header.spec}"
    if formula.promise is not None:
        return f"keeps the solutions of {formula.header.spec}, as it stands or is fixed"
    hidden = Stated(formula, formula.sections).hidden(elements[0].permutation)
    if hidden:
        return f"is proved to keep the solutions: {hidden!r} has variables that no view shows"
    return "keeps the constraints, with what is given or fixed"
