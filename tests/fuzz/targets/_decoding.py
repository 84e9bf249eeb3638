"""Decoding again, from the comments of a file alone: what its views show of a model.

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

    about: dict[str, Any]
    all: list[dict[str, int]]
    true: list[dict[str, int]]

    def column(self, *roles: str) -> list[tuple[int, ...]]:
        return sorted(tuple(row[role] for role in roles) for row in self.true)

    def domain(self, role: str) -> tuple[int, ...]:
        return tuple(sorted({row[role] for row in self.all}))

    @property
    def plus(self) -> int:
        default = 1 if self.about["view"] == "label" else 0
        return int(self.about.get("plus", default))


class Comments:
    """The comments of a file by their first word."""

    def __init__(self, lines: list[str]) -> None:
        self.lines: dict[str, list[str]] = {}
        for line in lines:
            word, _, rest = line.removeprefix("c ").partition(" ")
            self.lines.setdefault(word, []).append(rest)

    def json(self, word: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines.get(word, [])]

    def numbers(self, word: str, name: str) -> list[int] | None:
        """The list of a name, with its runs written out; None if there is none."""
        found = [line.partition(" ") for line in self.lines.get(word, [])]
        texts = [text for title, _, text in found if title == name]
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

    about: dict[str, Any]
    indices: list[tuple[int, ...]]
    values: list[int]
    has_integers: bool


def comments_of(data: bytes) -> Comments | None:
    """The comments; None for a file whose lines are not as boardsat writes them."""
    head, found, body = data.partition(b"\np cnf ")
    lines = head.split(b"\n")
    is_plain = data.isascii() and b"\r" not in data and b"\nc" not in body and found
    if not is_plain or not all(line.startswith(b"c ") for line in lines):
        return None
    return Comments([line.decode() for line in lines])


def families(comments: Comments, true: Collection[int]) -> dict[str, Family]:
    return {about["name"]: _family(about, comments, true) for about in comments.json("variable")}


def _family(about: dict[str, Any], comments: Comments, true: Collection[int]) -> Family:
    name, count = about["name"], about["count"]
    ids = comments.numbers("ids", name)
    ids = [about["first"] + k for k in range(count)] if ids is None else [x for x in ids if x]
    holds = [number in true for number in ids]
    values = _integers(about, comments, holds) if "values" in about else [*map(int, holds)]
    keys = comments.numbers("keys", name)
    keys = list(range(len(values))) if keys is None else keys
    shape = about.get("shape", [])
    return Family(about, [_unravelled(key, shape) for key in keys], values, "values" in about)


def _integers(about: dict[str, Any], comments: Comments, holds: list[bool]) -> list[int]:
    told, name = about["values"], about["name"]
    members = range(told["members"])
    lows, highs = (comments.numbers(word, name) for word in ("lows", "highs"))
    low = [told["low"] + (lows[k] if lows else 0) for k in members]
    high = [told["low"] + highs[k] if highs else told["high"] for k in members]
    values, passed = [], 0
    for least, largest in zip(low, high, strict=True):
        widths = {"order": largest - least, "direct": largest - least + 1}
        width = widths.get(told["encoding"], (largest - least).bit_length())
        bits = holds[passed : passed + width]
        passed += width
        worth = {"order": lambda k: 1, "direct": lambda k: k, "binary": lambda k: 2**k}
        weights = [worth[told["encoding"]](place) for place in range(width)]
        values.append(least + sum(w for w, bit in zip(weights, bits, strict=True) if bit))
    return values


def _unravelled(key: int, shape: list[int]) -> tuple[int, ...]:
    indices = []
    for side in reversed(shape):
        key, index = divmod(key, side)
        indices.append(index)
    return tuple(reversed(indices))


def _rows(about: dict[str, Any], comments: Comments, known: dict[str, Family]) -> Rows:
    columns = {
        role: comments.numbers("column", str(number)) or []
        for role, number in about.get("columns", {}).items()
    }
    members = [0] * max(map(len, columns.values()), default=0)
    family = known.get(about.get("variable", ""))
    if family is not None:
        members = list(range(len(family.indices)))
        if "members" in about:
            members = comments.numbers("column", str(about["members"])) or []
    found, true = [], []
    for row, member in enumerate(members):
        numbers = {role: column[row] for role, column in columns.items() if row < len(column)}
        if family is not None:
            indices = family.indices[member]
            for role in ROLES.intersection(about) - set(columns):
                if type(place := about[role]) is int and 0 <= place < len(indices):
                    numbers[role] = indices[place]
            if family.has_integers:
                numbers["position" if about["view"] == "order" else "value"] = family.values[member]
        found.append(numbers)
        if family is None or family.has_integers or family.values[member]:
            true.append(numbers)
    return Rows(about, found, true)


def check_solution(data: bytes, true: Collection[int], solution: Solution) -> None:
    """Every picture shows what the views say of these true variables."""
    comments = comments_of(data)
    if comments is None:
        return
    known = families(comments, true)
    drawn = [about for about in comments.json("drawing") if "ground" not in about]
    has_board = solution.board is not NO_BOARD
    for views, pictures in (
        (comments.json("decode"), solution.views),
        (drawn, solution.static_views),
    ):
        shown = [about for about in views if has_board or about["view"] in UNPLACED]
        for about, picture in zip(shown, pictures, strict=True):
            _check_picture(_rows(about, comments, known), picture, comments)


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
            found = _valued(rows, "index", "value")
            if "default" in rows.about:
                valued = {index for index, _ in found}
                rest = [(i, rows.about["default"]) for i in indices if i not in valued]
                found = sorted(found + rest)
            assert [
                (index, value)
                for index, held in zip(indices, values, strict=True)
                for value in sorted(held)
            ] == found
        case TableView(rows=lines, columns=columns, cells=cells, content=content):
            assert (lines, columns) == (rows.domain("row"), rows.domain("column"))
            shown = sorted(
                (line, column, value)
                for line, held in zip(lines, cells, strict=True)
                for column, parts in zip(columns, held, strict=True)
                for value in parts
            )
            plus = rows.plus if content == "value" else 0
            assert shown == sorted(
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
    return [(index, value) for index, held in enumerate(values) for value in sorted(held)]


def _valued(rows: Rows, place: str, role: str) -> list[tuple[int, int]]:
    return sorted((row[place], row[role] + rows.plus) for row in rows.true)


def _check_tour(rows: Rows, order: tuple[int, ...], comments: Comments) -> None:
    """It follows true moves as far as they lead, or the positions."""
    if rows.about["view"] == "order":
        by_position = [cell for _, cell in rows.column("position", "cell")]
        # An open tour from anywhere comes from a cell outside the board, which is not shown.
        starts_anywhere = comments.parameters.get("start") == "any"
        assert list(order) == by_position or (starts_anywhere and list(order) == by_position[1:])
        return
    if rows.about["view"] == "turned" and "holes" in comments.json("board")[0]:
        return  # cells are numbered without them
    arcs = set(_arcs(rows, comments))
    assert set(pairwise(order)) <= arcs and len(set(order)) == len(order)
    assert not order or not any(a == order[-1] and b not in order for a, b in arcs)


def _arcs(rows: Rows, comments: Comments) -> Iterator[tuple[int, ...]]:
    board = comments.json("board")[0]
    for origin, target in rows.column("from", "to"):
        yield origin, target
        if rows.about["view"] == "edges":
            yield target, origin
        elif rows.about["view"] == "turned":
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
    """The true variables are told in the words of the spec."""
    comments = comments_of(data)
    if comments is not None:
        known = families(comments, true).values()
        expected = [line for family in known for line in _lines(family, comments.parameters)]
        assert lines == (expected or ["no variable of the spec is true"])


def check_literals(true: Collection[int], lines: list[str], variables: int) -> None:
    """The model is told as literals."""
    tokens = " ".join(lines).replace("v ", "").split()
    assert tokens == [*(str(v if v in true else -v) for v in range(1, variables + 1)), "0"]


def _lines(family: Family, parameters: dict[str, Any]) -> Iterator[str]:
    about = family.about
    means = "".join(
        mark if mark.isprintable() else "?" for mark in _in_line(about.get("description"))
    )
    for indices, value in zip(family.indices, family.values, strict=True):
        if not family.has_integers and not value:
            continue
        name = about["name"] + (f"[{', '.join(map(str, indices))}]" if about.get("shape") else "")
        known = parameters | dict(zip(map(str, about.get("index", [])), indices, strict=False))
        if family.has_integers:
            known |= {about["name"]: value}
        text = _FIELD.sub(lambda field, known=known: _filled(field, known), means)
        yield f"{name}: {text}" if text else f"{name} = {value}" if family.has_integers else name


def _in_line(text: Any) -> str:
    return " ".join((text or "").split())


def _filled(field: re.Match[str], known: dict[str, Any]) -> str:
    value = known.get(field[1])
    if value is None:
        return field[0]
    if field[2] is None:
        return str(value)
    if type(value) is not int:
        return str(value)
    return str(value + int(field[3]) if field[2] == "+" else value - int(field[3]))
