"""Second decoder: views of a model computed from the comments of a file alone.

It takes files that boardsat has accepted, so it checks nothing and shares no code with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from boardsat.adapters.boards.graph import NO_BOARD
from boardsat.adapters.views import (
    Fills,
    Labels,
    ListView,
    Marks,
    PairsView,
    SetView,
    Solution,
    Strokes,
    TableView,
    Tour,
    View,
    Walls,
)

ROLES = frozenset(
    (
        *("cell", "position", "from", "to", "value", "index", "row", "column", "item"),
        *("corner", "left", "right", "above", "below"),
    )
)
UNPLACED = ("list", "table", "pairs", "set")
_FIELD = re.compile(r"\{\s*(\w+)\s*(?:([+-])\s*(\d{1,9})\s*)?\}")
_RUN = re.compile(r"(\d+)(?:\+(\d+)(?:\*(-?\d+))?)?")


@dataclass(frozen=True)
class Rows:
    """The rows of a view: the numbers of each, by role, and whether its member is true."""

    entry: dict[str, Any]
    all: list[dict[str, int]]
    true: list[dict[str, int]]

    def column(self, *roles: str) -> list[tuple[int, ...]]:
        return sorted(tuple(row[role] for role in roles) for row in self.true)

    def domain(self, role: str) -> tuple[int, ...]:
        return tuple(sorted({row[role] for row in self.all}))

    @property
    def plus(self) -> int:
        default = 1 if self.entry["view"] == "label" else 0
        return int(self.entry.get("plus", default))


class Comments:
    """Comments of a file by their keyword."""

    def __init__(self, lines: list[str]) -> None:
        self.lines: dict[str, list[str]] = {}
        for line in lines:
            key, _, body = line.removeprefix("c ").partition(" ")
            self.lines.setdefault(key, []).append(body)

    def json(self, key: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines.get(key, [])]

    def numbers(self, key: str, name: str) -> list[int] | None:
        """Return the list with this name, runs expanded; None if there is none."""
        pairs = [line.partition(" ") for line in self.lines.get(key, [])]
        texts = [text for title, _, text in pairs if title == name]
        if not texts:
            return None
        numbers = []
        for run in _RUN.finditer(" ".join(texts)):
            first, count, step = int(run[1]), int(run[2] or 1), int(run[3] or 1)
            numbers += [first + step * k for k in range(count if run[2] else 1)]
        return numbers

    @property
    def parameters(self) -> dict[str, Any]:
        return next(iter(self.json("parameters")), {})


@dataclass(frozen=True)
class Family:
    """A variable: the indices of each member, and its truth value or the value of its integer."""

    entry: dict[str, Any]
    indices: list[tuple[int, ...]]
    values: list[int]
    has_integers: bool


def comments_of(data: bytes) -> Comments | None:
    """The comments; None for a file whose lines are not as boardsat writes them."""
    head, separator, body = data.partition(b"\np cnf ")
    lines = head.split(b"\n")
    is_plain = data.isascii() and b"\r" not in data and b"\nc" not in body and separator
    if not is_plain or not all(line.startswith(b"c ") for line in lines):
        return None
    return Comments([line.decode() for line in lines])


def families(comments: Comments, true: Collection[int]) -> dict[str, Family]:
    return {entry["name"]: _family(entry, comments, true) for entry in comments.json("variable")}


def _family(entry: dict[str, Any], comments: Comments, true: Collection[int]) -> Family:
    name, count = entry["name"], entry["count"]
    ids = comments.numbers("ids", name)
    ids = [entry["first"] + k for k in range(count)] if ids is None else [x for x in ids if x]
    holds = [number in true for number in ids]
    values = _integers(entry, comments, holds) if "values" in entry else [*map(int, holds)]
    keys = comments.numbers("keys", name)
    keys = list(range(len(values))) if keys is None else keys
    shape = entry.get("shape", [])
    return Family(entry, [_unravelled(key, shape) for key in keys], values, "values" in entry)


def _integers(entry: dict[str, Any], comments: Comments, holds: list[bool]) -> list[int]:
    values_entry, name = entry["values"], entry["name"]
    members = range(values_entry["members"])
    lows, highs = (comments.numbers(key, name) for key in ("lows", "highs"))
    low = [values_entry["low"] + (lows[k] if lows else 0) for k in members]
    high = [values_entry["low"] + highs[k] if highs else values_entry["high"] for k in members]
    values, passed = [], 0
    for least, largest in zip(low, high, strict=True):
        widths = {"order": largest - least, "direct": largest - least + 1}
        width = widths.get(values_entry["encoding"], (largest - least).bit_length())
        bits = holds[passed : passed + width]
        passed += width
        worth = {"order": lambda k: 1, "direct": lambda k: k, "binary": lambda k: 2**k}
        weights = [worth[values_entry["encoding"]](index) for index in range(width)]
        values.append(least + sum(w for w, bit in zip(weights, bits, strict=True) if bit))
    return values


def _unravelled(key: int, shape: list[int]) -> tuple[int, ...]:
    indices = []
    for side in reversed(shape):
        key, index = divmod(key, side)
        indices.append(index)
    return tuple(reversed(indices))


def _rows(entry: dict[str, Any], comments: Comments, families_of: dict[str, Family]) -> Rows:
    columns = {
        role: comments.numbers("column", str(number)) or []
        for role, number in entry.get("columns", {}).items()
    }
    members = [0] * max(map(len, columns.values()), default=0)
    family = families_of.get(entry.get("variable", ""))
    if family is not None:
        members = list(range(len(family.indices)))
        if "members" in entry:
            members = comments.numbers("column", str(entry["members"])) or []
    rows, true = [], []
    for row, member in enumerate(members):
        numbers = {role: column[row] for role, column in columns.items() if row < len(column)}
        if family is not None:
            indices = family.indices[member]
            for role in ROLES.intersection(entry) - set(columns):
                if type(index_number := entry[role]) is int and 0 <= index_number < len(indices):
                    numbers[role] = indices[index_number]
            if family.has_integers:
                numbers["position" if entry["view"] == "order" else "value"] = family.values[member]
        rows.append(numbers)
        if family is None or family.has_integers or family.values[member]:
            true.append(numbers)
    return Rows(entry, rows, true)


def check_solution(data: bytes, true: Collection[int], solution: Solution) -> None:
    """Check that every picture shows these true variables as its view specifies."""
    comments = comments_of(data)
    if comments is None:
        return
    families_of = families(comments, true)
    drawn = [entry for entry in comments.json("drawing") if "ground" not in entry]
    has_board = solution.board is not NO_BOARD
    for views, pictures in (
        (comments.json("decode"), solution.views),
        (drawn, solution.static_views),
    ):
        shown_views = [entry for entry in views if has_board or entry["view"] in UNPLACED]
        for entry, picture in zip(shown_views, pictures, strict=True):
            _check_picture(_rows(entry, comments, families_of), picture, comments)


def _check_picture(rows: Rows, picture: View, comments: Comments) -> None:
    match picture:
        case Tour(order=order):
            _check_tour(rows, order, comments)
        case Marks(cells=cells):
            assert {(cell,) for cell in cells} == set(rows.column("cell"))
        case Labels(values=values, position=position):
            assert _by_place(values) == _valued(rows, position, "value")
        case Fills(values=values, has_values=True):
            assert _by_place(values) == _valued(rows, "cell", "value")
        case Fills(values=values):
            assert [cell for cell, _ in _by_place(values)] == [c for (c,) in rows.column("cell")]
        case Strokes(pairs=pairs) | Walls(pairs=pairs):
            assert sorted(pairs) == rows.column("from", "to")
        case ListView(indices=indices, values=values):
            assert indices == rows.domain("index")
            valued_pairs = _valued(rows, "index", "value")
            if "default" in rows.entry:
                valued = {index for index, _ in valued_pairs}
                defaults = [(i, rows.entry["default"]) for i in indices if i not in valued]
                valued_pairs = sorted(valued_pairs + defaults)
            assert [
                (index, value)
                for index, cell_values in zip(indices, values, strict=True)
                for value in sorted(cell_values)
            ] == valued_pairs
        case TableView(rows=lines, columns=columns, cells=cells, content=content):
            assert (lines, columns) == (rows.domain("row"), rows.domain("column"))
            printed = sorted(
                (line, column, value)
                for line, line_cells in zip(lines, cells, strict=True)
                for column, cell_values in zip(columns, line_cells, strict=True)
                for value in cell_values
            )
            plus = rows.plus if content == "value" else 0
            assert printed == sorted(
                (row["row"], row["column"], row[content] + plus if content else 1)
                for row in rows.true
            )
        case PairsView(pairs=pairs, left=left, right=right):
            assert sorted(pairs) == rows.column("from", "to")
            assert (left, right) == (rows.domain("from"), rows.domain("to"))
        case SetView(items=items, domain=domain):
            assert [(item,) for item in items] == sorted(set(rows.column("item")))
            assert domain == rows.domain("item")
        case _:
            raise AssertionError(picture)


def _by_place(values: tuple[tuple[int, ...], ...]) -> list[tuple[int, int]]:
    return [
        (index, value) for index, cell_values in enumerate(values) for value in sorted(cell_values)
    ]


def _valued(rows: Rows, key: str, role: str) -> list[tuple[int, int]]:
    return sorted((row[key], row[role] + rows.plus) for row in rows.true)


def _check_tour(rows: Rows, order: tuple[int, ...], comments: Comments) -> None:
    """Check that a tour follows the true moves, or the positions."""
    if rows.entry["view"] == "order":
        by_position = [cell for _, cell in rows.column("position", "cell")]
        # An open tour from anywhere comes from a cell outside the board, which is not shown.
        starts_anywhere = comments.parameters.get("start") == "any"
        assert list(order) == by_position or (starts_anywhere and list(order) == by_position[1:])
        return
    if rows.entry["view"] == "turned" and "holes" in comments.json("board")[0]:
        return  # cells are numbered without them
    arcs = set(_arcs(rows, comments))
    assert set(pairwise(order)) <= arcs and len(set(order)) == len(order)
    assert not order or not any(a == order[-1] and b not in order for a, b in arcs)


def _arcs(rows: Rows, comments: Comments) -> Iterator[tuple[int, ...]]:
    board = comments.json("board")[0]
    for origin, target in rows.column("from", "to"):
        yield origin, target
        if rows.entry["view"] == "edges":
            yield target, origin
        elif rows.entry["view"] == "turned":
            last = board["rows"] * board["cols"] - 1
            yield last - origin, last - target
            if comments.parameters["turn"] == "90":
                for ends in ((origin, target), (last - origin, last - target)):
                    yield tuple(_quarter_turned(end, board["rows"]) for end in ends)


def _quarter_turned(cell: int, side: int) -> int:
    """The square that a rotation of a square board by 90 degrees maps another to."""
    row, column = divmod(cell, side)
    return column * side + side - 1 - row


def check_lines(data: bytes, true: Collection[int], lines: list[str]) -> None:
    """Check that each true variable is described as its spec specifies."""
    comments = comments_of(data)
    if comments is not None:
        families_of = families(comments, true).values()
        expected = [line for family in families_of for line in _lines(family, comments.parameters)]
        assert lines == (expected or ["no variable of the spec is true"])


def check_literals(true: Collection[int], lines: list[str], variables: int) -> None:
    """Check that the model is printed as literals."""
    tokens = " ".join(lines).replace("v ", "").split()
    assert tokens == [*(str(v if v in true else -v) for v in range(1, variables + 1)), "0"]


def _lines(family: Family, parameters: dict[str, Any]) -> Iterator[str]:
    entry = family.entry
    means = "".join(
        mark if mark.isprintable() else "?" for mark in _in_line(entry.get("description"))
    )
    for indices, value in zip(family.indices, family.values, strict=True):
        if not family.has_integers and not value:
            continue
        name = entry["name"] + (f"[{', '.join(map(str, indices))}]" if entry.get("shape") else "")
        names = parameters | dict(zip(map(str, entry.get("index", [])), indices, strict=False))
        if family.has_integers:
            names |= {entry["name"]: value}
        text = _FIELD.sub(lambda field, names=names: _filled(field, names), means)
        yield f"{name}: {text}" if text else f"{name} = {value}" if family.has_integers else name


def _in_line(text: Any) -> str:
    return " ".join((text or "").split())


def _filled(field: re.Match[str], names: dict[str, Any]) -> str:
    value = names.get(field[1])
    if value is None:
        return field[0]
    if field[2] is None:
        return str(value)
    if type(value) is not int:
        return str(value)
    return str(value + int(field[3]) if field[2] == "+" else value - int(field[3]))
