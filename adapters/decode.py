"""A model and the header of its file to a solution: a tour, marks or labels.

Decoding follows the views that the header names. It takes the model at its word: whether the result
obeys the rules of the problem is for `rules` to say, which shares nothing with any encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from boardsat.adapters.answer import AnswerSet, Model
from boardsat.adapters.boards import Board, Grid, begins_anywhere, board_of, start_of
from boardsat.adapters.counts import counted
from boardsat.adapters.dimacs import values
from boardsat.adapters.dimacs.header import VIEWS, Header
from boardsat.adapters.errors import AdapterError


@dataclass(frozen=True)
class Tour:
    """Cells in the order of the visit, as far as it can be followed."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class Marks:
    """The chosen cells, and what stands on them: the name of a chess piece, or one character."""

    cells: frozenset[int]
    sign: str = "X"


@dataclass(frozen=True)
class Labels:
    """The values that each cell has, as they are shown: one, if all is well."""

    values: tuple[tuple[int, ...], ...]


Picture = Tour | Marks | Labels

View = dict[str, Any]
"""A view as the header tells it."""

Roles = dict[str, list[int]]
"""The indices of what holds, by their role in the view: all cells, and the position of each."""


@dataclass(frozen=True)
class Solution:
    board: Board
    picture: Picture
    more: tuple[Picture, ...] = ()
    """What the other views of the spec show."""
    regions: tuple[int, ...] = ()
    """The region of every cell; empty where there are none."""
    given: frozenset[int] = frozenset()
    """The cells that the question fills."""

    @property
    def marks(self) -> list[Marks]:
        """Marks of all views: they share one drawing, each with its own sign."""
        return [each for each in (self.picture, *self.more) if isinstance(each, Marks)]

    def apart(self) -> list[Solution]:
        """The drawings that it takes: one with all marks, and one for every view after it."""
        others = [each for each in self.more if not isinstance(each, Marks)]
        first = replace(self, more=tuple(each for each in self.more if isinstance(each, Marks)))
        return [first, *(replace(self, picture=each, more=()) for each in others)]


def decode(header: Header, model: Model) -> Solution | None:
    """The solution that a model stands for, or None where the file does not say how to read it."""

    def roles_of(view: View) -> Roles:
        indices = header.variables[view["variable"]].members(model > 0)
        return {role: indices[place].tolist() for role, place in _places(view)}

    return _solution(header, roles_of)


def decode_answer_set(header: Header, atoms: AnswerSet) -> Solution | None:
    """The same of a logic program, whose views name atoms where others name variables."""

    def roles_of(view: View) -> Roles:
        members = [numbers for name, numbers in atoms if name == view["atom"]]
        return {role: [numbers[place] for numbers in members] for role, place in _places(view)}

    return _solution(header, roles_of)


def _places(view: View) -> list[tuple[str, int]]:
    """Which index has which role."""
    return [(role, view[role]) for role in VIEWS[view["view"]]]


def _solution(header: Header, roles_of: Callable[[View], Roles]) -> Solution | None:
    try:
        board = board_of(header)
        if board is None or not header.views:
            return None
        pictures = []
        for view in _with_signs(header.views):
            picture = _PICTURES[view["view"]](roles_of(view), board, header, view)
            pictures.append(
                _on_board(picture, board) if begins_anywhere(header.parameters) else picture
            )
            _refuse_strangers(pictures[-1], board)
        first, *more = pictures
        return Solution(board, first, tuple(more), *_questions(header, board))
    except (ValueError, LookupError, AssertionError) as error:
        raise AdapterError(
            f"the header of the file does not fit its formula ({error!r})", "write the file again"
        ) from None


def _on_board(picture: Picture, board: Board) -> Picture:
    """A tour that may begin anywhere comes from a cell outside, of which nobody is told."""
    if isinstance(picture, Tour) and picture.order[:1] == (board.cells,):
        return Tour(picture.order[1:])
    return picture


def _with_signs(views: Sequence[View]) -> list[View]:
    """Marks that have no sign get a letter: the first of the variable's name, if it is free."""
    taken = {view["sign"] for view in views}
    signed = []
    for view in views:
        sign = view["sign"]
        if view["view"] == "mark" and not sign:
            letters = f"{view.get('variable', view.get('atom', ''))}{ascii_uppercase}"
            sign = next((letter for letter in letters.upper() if letter not in taken), "X")
            taken.add(sign)
        signed.append(view | {"sign": sign})
    return signed


def _questions(header: Header, board: Board) -> tuple[tuple[int, ...], frozenset[int]]:
    """The regions of the board, and the cells that are given."""
    regions = () if header.regions is None else tuple(header.regions.tolist())
    given = frozenset() if header.given is None else frozenset(header.given.tolist())
    if regions and len(regions) != board.cells:
        raise LookupError(f"{counted(len(regions), 'region')} of {counted(board.cells, 'cell')}")
    _refuse_strangers(Marks(given), board)
    return regions, given


def _refuse_strangers(picture: Picture, board: Board) -> None:
    """Cells that the board has not: an index of a variable may be anything."""
    cells: Iterable[int] = ()
    match picture:
        case Tour(order=cells) | Marks(cells=cells):
            pass
    if strange := [cell for cell in cells if not 0 <= cell < board.cells]:
        raise LookupError(f"cell {strange[0]} of {board.cells}")


def _order(roles: Roles, board: Board, header: Header, view: View) -> Tour:
    pairs = sorted(zip(roles["position"], roles["cell"], strict=True))
    return Tour(tuple(cell for _, cell in pairs))


def _arcs(roles: Roles, board: Board, header: Header, view: View) -> Tour:
    following: dict[int, list[int]] = {}
    for origin, target in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(origin, []).append(target)
    return Tour(_follow(following, start_of(header, board)))


def _edges(roles: Roles, board: Board, header: Header, view: View) -> Tour:
    following: dict[int, list[int]] = {}
    for u, v in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(u, []).append(v)
        following.setdefault(v, []).append(u)
    return Tour(_follow(following, start_of(header, board)))


def _turned(roles: Roles, board: Board, header: Header, view: View) -> Tour:
    """The moves that are said, and all of them again after every turn of the board."""
    assert isinstance(board, Grid)
    following: dict[int, list[int]] = {}
    for degrees in range(0, 360, int(values.text(header.parameters, "turn"))):
        for origin, target in zip(roles["from"], roles["to"], strict=True):
            turned = following.setdefault(board.turned(origin, degrees), [])
            turned.append(board.turned(target, degrees))
    return Tour(_follow(following, start_of(header, board)))


def _follow(following: dict[int, list[int]], start: int) -> tuple[int, ...]:
    """From the start along the arcs until a cell comes again or none follows."""
    order, seen, cell = [start], {start}, start
    while ahead := [cell for cell in following.get(cell, []) if cell not in seen]:
        cell = ahead[0]
        order.append(cell)
        seen.add(cell)
    return tuple(order)


def _mark(roles: Roles, board: Board, header: Header, view: View) -> Marks:
    return Marks(frozenset(roles["cell"]), view["sign"])


def _label(roles: Roles, board: Board, header: Header, view: View) -> Labels:
    found: list[list[int]] = [[] for _ in range(board.cells)]
    for cell, value in zip(roles["cell"], roles["value"], strict=True):
        found[cell].append(value + view["plus"])
    return Labels(tuple(tuple(part) for part in found))


_PICTURES: dict[str, Callable[[Roles, Board, Header, View], Picture]] = {
    "order": _order,
    "arcs": _arcs,
    "edges": _edges,
    "turned": _turned,
    "mark": _mark,
    "label": _label,
}
