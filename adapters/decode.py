"""A model and the header of its file, back to what the problem asked for: a tour, marks or labels.

Decoding follows the views that the header names. It takes the model at its word: whether the result
obeys the rules of the problem is for `rules` to say, which shares nothing with any encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from adapters.answer import AnswerSet, Model
from adapters.boards import Board, Grid, board_of, start_of
from adapters.errors import AdapterError
from adapters.header import Header


@dataclass(frozen=True)
class Tour:
    """Cells in the order of the visit, as far as it can be followed."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class Marks:
    """The chosen cells."""

    cells: frozenset[int]


@dataclass(frozen=True)
class Labels:
    """The values that each cell has: one, if all is well."""

    values: tuple[tuple[int, ...], ...]


Picture = Tour | Marks | Labels

Roles = dict[str, list[int]]
"""The indices of what holds, by their role in the view: all cells, and the position of each."""


@dataclass(frozen=True)
class Solution:
    board: Board
    picture: Picture


def decode(header: Header, model: Model) -> Solution | None:
    """The solution that a model stands for, or None where the file does not say how to read it."""

    def roles_of(view: dict[str, Any]) -> Roles:
        indices = header.variables[view["variable"]].members(model > 0)
        return {role: indices[place].tolist() for role, place in _places(view)}

    return _solution(header, roles_of)


def decode_answer_set(header: Header, atoms: AnswerSet) -> Solution | None:
    """The same of a logic program, whose views name atoms where others name variables."""

    def roles_of(view: dict[str, Any]) -> Roles:
        members = [numbers for name, numbers in atoms if name == view["atom"]]
        return {role: [numbers[place] for numbers in members] for role, place in _places(view)}

    return _solution(header, roles_of)


def _places(view: dict[str, Any]) -> list[tuple[str, int]]:
    """Which index has which role."""
    return [(role, place) for role, place in view.items() if type(place) is int]


def _solution(header: Header, roles_of: Callable[[dict[str, Any]], Roles]) -> Solution | None:
    try:
        board = board_of(header)
        if board is None or not header.views:
            return None
        view = header.views[0]
        picture = _PICTURES[view["view"]](roles_of(view), board, header)
        _refuse_strangers(picture, board)
        return Solution(board, picture)
    except (ValueError, LookupError, AssertionError) as error:
        raise AdapterError(
            f"the header of the file does not fit its formula ({error!r})", "write the file again"
        ) from None


def _refuse_strangers(picture: Picture, board: Board) -> None:
    """Cells that the board has not: an index of a variable may be anything."""
    cells: Iterable[int] = ()
    match picture:
        case Tour(cells) | Marks(cells):
            pass
    if strange := [cell for cell in cells if not 0 <= cell < board.cells]:
        raise LookupError(f"cell {strange[0]} of {board.cells}")


def _order(roles: Roles, board: Board, header: Header) -> Tour:
    pairs = sorted(zip(roles["position"], roles["cell"], strict=True))
    return Tour(tuple(cell for _, cell in pairs))


def _arcs(roles: Roles, board: Board, header: Header) -> Tour:
    following: dict[int, list[int]] = {}
    for origin, target in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(origin, []).append(target)
    return Tour(_follow(following, start_of(header, board)))


def _edges(roles: Roles, board: Board, header: Header) -> Tour:
    following: dict[int, list[int]] = {}
    for u, v in zip(roles["from"], roles["to"], strict=True):
        following.setdefault(u, []).append(v)
        following.setdefault(v, []).append(u)
    return Tour(_follow(following, start_of(header, board)))


def _turned(roles: Roles, board: Board, header: Header) -> Tour:
    """The moves that are said, and all of them again after every turn of the board."""
    assert isinstance(board, Grid)
    following: dict[int, list[int]] = {}
    for degrees in range(0, 360, int(header.parameters["turn"])):
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


def _mark(roles: Roles, board: Board, header: Header) -> Marks:
    return Marks(frozenset(roles["cell"]))


def _label(roles: Roles, board: Board, header: Header) -> Labels:
    values: list[list[int]] = [[] for _ in range(board.cells)]
    for cell, value in zip(roles["cell"], roles["value"], strict=True):
        values[cell].append(value)
    return Labels(tuple(tuple(part) for part in values))


_PICTURES: dict[str, Callable[[Roles, Board, Header], Picture]] = {
    "order": _order,
    "arcs": _arcs,
    "edges": _edges,
    "turned": _turned,
    "mark": _mark,
    "label": _label,
}
