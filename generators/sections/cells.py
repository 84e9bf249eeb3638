"""Parameters of type `cell`, once the board is known: a place of it, the first free one, or any."""

from __future__ import annotations

from collections.abc import Container, Mapping

from boardsat.base.errors import InputError
from boardsat.generators.boards import ANY, Board
from boardsat.generators.boards import _squares as squares
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame
from boardsat.generators.schema import Parameter, Spec
from boardsat.generators.sections.parameters import Setting, blaming


def placed(
    spec: Spec,
    settings: Mapping[str, Setting],
    chosen: Container[str],
    scope: Scope,
    board: Board | None,
) -> dict[str, Setting]:
    """The settings, in which every cell is a free place of the board, or `any`."""
    found = dict(settings)
    for parameter in spec.parameters:
        if parameter.type != "cell":
            continue
        value = found[parameter.name]
        with blaming(parameter, value, chosen):
            if board is None:
                raise InputError(
                    "a cell without a board", "add a `board`, or make it an int", parameter.place
                )
            found[parameter.name] = _place(
                parameter, value, parameter.name in chosen, _Board(board, scope)
            )
    return found


def begins_outside(settings: Mapping[str, Setting], spec: Spec) -> bool:
    """Whether a cell is any one, so that the board gets one more to come from."""
    return any(settings[each.name] == ANY for each in spec.parameters if each.type == "cell")


class _Board:
    """A board, and the names that a spec knows of it."""

    def __init__(self, board: Board, scope: Scope) -> None:
        self.board, self.scope = board, scope

    def holds(self, source: ExpressionText | None) -> bool:
        if source is None:
            return False
        return bool(Compiler(self.scope, source).condition(parse_expression(source)).run(Frame(1)))

    def first(self) -> int:
        """The first place where nothing stands."""
        board = self.board
        return next(place for place in range(board.places) if board.cell(place) >= 0)


def _place(parameter: Parameter, value: Setting, is_chosen: bool, on: _Board) -> Setting:
    name, board = parameter.name, on.board
    if value == ANY:
        if on.holds(parameter.same):
            return on.first()
        if on.holds(parameter.any):
            return ANY
        raise InputError(f"{name} cannot be any cell here", f"set {name} to one", parameter.place)
    assert isinstance(value, int)
    if not 0 <= value < board.places:
        remedy = f"give a number from {squares.range_of(board.places, board.description)}"
        raise InputError(f"{name} = {value} is not on the board", remedy, parameter.place)
    if board.cell(value) >= 0:
        return value
    if not is_chosen and on.holds(parameter.same):
        return on.first()
    where = squares.called(value, board.description)
    raise InputError(
        f"{name} = {where} is {board.standing(value)}",
        f"set {name} to a free place",
        parameter.place,
    )
