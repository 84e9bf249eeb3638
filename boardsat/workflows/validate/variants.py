"""Equivalent instances: changes that must keep the answer and the count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from boardsat.adapters.boards import GraphBoard, Grid, board_of
from boardsat.adapters.boards._pieces import Pieces
from boardsat.adapters.dimacs.header import Header
from boardsat.generators import encodings
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.validate.run_matrix import PlannedInstance, write_instance

Make = Callable[[Path], PlannedInstance]
"""Writes a formula into a folder."""

SEED = 1
"""Of the shuffle: any would do, but the same again after an interrupt."""


def variants(instance: PlannedInstance) -> Iterator[tuple[str, Make]]:
    """All that make sense for the instance: the name of each, and who writes it."""
    if instance.spec is None:
        return
    header = open_formula(instance.file).header
    # What is fixed would have to move with the board.
    for name, change in () if header.parameters.get("fix") else _CHANGES.items():
        changed = change(header)
        if changed:
            settings = {**instance.settings, **changed}
            yield name, partial(write_instance, replace(instance, settings=settings, variant=name))
    if instance.xor_lines:
        return  # which transforms do not change
    shuffled, short = (replace(instance, variant=name) for name in ("shuffled", "three-cnf"))
    yield shuffled.variant, partial(write_instance, shuffled, shuffle=SEED)
    yield short.variant, partial(write_instance, short, three_cnf="auto")


def _transposed(header: Header) -> dict[str, str]:
    return _moved(header, lambda row, column, board: (column, row), exchange=True)


def _reflected(header: Header) -> dict[str, str]:
    return _moved(header, lambda row, column, board: (row, board.cols - 1 - column))


def _moved(
    header: Header, place: Callable[[int, int, Grid], tuple[int, int]], exchange: bool = False
) -> dict[str, str]:
    """What parameters become when every square goes to another place; only those that change."""
    board, known = board_of(header), header.parameters
    if not isinstance(board, Grid) or not _is_plain(board):
        return {}
    cols = board.rows if exchange else board.cols
    target = []
    for cell in range(board.cells):
        row, column = place(*divmod(cell, board.cols), board)
        target.append(row * cols + column)
    changed: dict[str, Any] = {}
    if "rows" in known and "cols" in known:
        rows, columns = known["rows"], known["cols"]
        changed |= {"rows": columns, "cols": rows} if exchange else {}
    elif exchange and board.rows != board.cols:
        return {}
    if isinstance(known.get("start"), int):
        changed["start"] = target[known["start"]]
    if known.get("givens"):
        givens = [0] * board.cells
        for cell, given in enumerate(known["givens"]):
            givens[target[cell]] = given
        changed["givens"] = ",".join(map(str, givens))
        known = {**known, "givens": ",".join(map(str, known["givens"]))}
    return {key: str(value) for key, value in changed.items() if value != known[key]}


def _is_plain(board: Grid) -> bool:
    """Holes and pieces would have to be turned with the board."""
    return board.pieces == Pieces()


def _other_start(header: Header) -> dict[str, str]:
    """A closed tour begins anywhere."""
    board, known = board_of(header), header.parameters
    if board is None or "start" not in known or not known.get("closed") or board.cells < 2:
        return {}
    other = (known["start"] + 1) % board.cells
    return {"start": board.name(other) if isinstance(board, GraphBoard) else str(other)}


def _other_at_most_one(header: Header) -> dict[str, str]:
    present = header.parameters.get("amo")
    others = [name for name in encodings.names("amo") if name != present]
    return {"amo": others[-1]} if present else {}


_CHANGES = {
    "transposed": _transposed,
    "reflected": _reflected,
    "another start": _other_start,
    "another at-most-one": _other_at_most_one,
}
