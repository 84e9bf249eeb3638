"""SVG pictures: what people see on them, and what a screen reader says."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.rendering.svg import svg
from boardsat.adapters.views.solution import Labels, Marks, Solution, Strokes, Tour

KNIGHT = frozenset([(1, 2)])
IMAGE = Path(__file__).parents[2] / "docs/images/tour.svg"
Element = ElementTree.Element


def board(rows: int, cols: int) -> Grid:
    return Grid(rows, cols, KNIGHT)


def some_tour(rows: int, cols: int) -> Tour:
    """Any order will do for a drawing."""
    return Tour(tuple(np.random.default_rng(1).permutation(rows * cols).tolist()))


def drawn(solution: Solution, closed: bool = True) -> Element:
    return ElementTree.fromstring(svg(solution, closed))


def named(root: Element, kind: str) -> list[Element]:
    return [e for e in root.iter() if e.tag.rpartition("}")[2] == kind]


def at(element: Element) -> tuple[float, float]:
    x, y = ("cx", "cy") if element.tag.endswith("circle") else ("x", "y")
    return float(element.get(x, "nan")), float(element.get(y, "nan"))


def tiles_of(root: Element) -> list[tuple[float, float]]:
    return [at(e) for e in named(root, "rect") if e.get("width") == "40"]


def texts(root: Element) -> dict[str, tuple[float, float]]:
    return {e.text or "": at(e) for e in named(root, "text")}


# Boards and tours.


def test_files_go_to_the_right_and_rank_one_is_below() -> None:
    root = drawn(Solution(board(3, 28), some_tour(3, 28)))
    tiles = tiles_of(root)
    middles = [(x + 20, y + 20) for x, y in tiles]
    names = [e for e in named(root, "text") if not (e.text or "").isdigit()]
    assert [e.text for e in names] == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab"]
    assert [at(e)[0] for e in names] == [x for x, _ in middles[:28]]
    ranks = [e for e in named(root, "text") if at(e)[0] < tiles[0][0]]
    rows = zip("321", (0, 28, 56), strict=True)
    assert [(e.text, at(e)[1]) for e in ranks] == [(name, middles[k][1]) for name, k in rows]


@pytest.mark.parametrize("closed", [True, False])
def test_no_line_crosses_a_number(closed: bool) -> None:
    """A disc under every number, over every line; and the number has room on it."""
    root = drawn(Solution(board(8, 8), some_tour(8, 8)), closed)
    parts = list(root)
    lines = [k for k, e in enumerate(parts) if e.tag.endswith("path")]
    discs = {at(e): (k, float(e.get("r", 0))) for k, e in enumerate(parts) if "circle" in e.tag}
    assert len(discs) == 64
    numbers = [(k, e) for k, e in enumerate(parts) if e.tag.endswith("text") and at(e) in discs]
    assert sorted(int(e.text or 0) for _, e in numbers) == list(range(1, 65))
    for k, e in numbers:
        disc, radius = discs[at(e)]
        assert max(lines) < disc < k
        # A digit is about 0.56 of its size wide.
        half = 0.28 * float(e.get("font-size", 0)) * len(e.text or "")
        assert math.hypot(half, 0.36 * float(e.get("font-size", 0))) < radius


@pytest.mark.parametrize("closed", [True, False])
def test_every_move_has_its_direction_and_start_and_end_are_marked(closed: bool) -> None:
    root = drawn(Solution(board(5, 5), some_tour(5, 5)), closed)
    colours = {at(e): e.get("fill") for e in named(root, "circle")}
    centre = {e.text: at(e) for e in named(root, "text") if at(e) in colours}
    filled = [e.get("d", "") for e in named(root, "path") if e.get("fill") != "none"]
    heads = [
        np.array([float(n) for n in re.findall(r"-?[\d.]+", head)]).reshape(3, 2)
        for head in "".join(filled).split("Z")[:-1]
    ]
    assert len(heads) == (25 if closed else 24)
    for number, (tip, left, right) in enumerate(heads, 1):
        origin, target = (np.array(centre[str(k)]) for k in (number, number % 25 + 1))
        way, shown = target - origin, tip - (left + right) / 2
        cosine = way @ shown / np.linalg.norm(way) / np.linalg.norm(shown)
        assert cosine > 0.98 and np.linalg.norm(target - tip) < 20
    usual = colours[centre["2"]]
    marked = [number for number in range(1, 26) if colours[centre[str(number)]] != usual]
    assert marked == ([1] if closed else [1, 25])
    assert closed or colours[centre["1"]] != colours[centre["25"]]


@pytest.mark.parametrize(("side", "shown"), [(20, True), (21, False)])
def test_large_boards_leave_numbers_out(side: int, shown: bool) -> None:
    root = drawn(Solution(board(side, side), some_tour(side, side)), closed=False)
    assert len(named(root, "circle")) == (side * side if shown else 2)
    assert (str(side * side) in texts(root)) == shown
    assert "t" in texts(root), "files keep their names"


@pytest.mark.parametrize("closed", [True, False])
def test_a_title_says_what_the_picture_shows(closed: bool) -> None:
    root = drawn(Solution(board(5, 6), some_tour(5, 6)), closed)
    assert root.get("role") == "img"
    assert root[0].tag.endswith("title")
    kind = "A closed tour of 5x6 in 30 moves" if closed else "An open tour of 5x6, 30 cells"
    assert (root[0].text or "").startswith(kind)


def test_there_is_a_margin_on_every_side() -> None:
    root = drawn(Solution(board(4, 7), some_tour(4, 7)))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    places = tiles_of(root)
    assert min(min(place) for place in places) >= 10
    assert max(x + 40 for x, _ in places) <= width - 10
    assert max(y + 40 for _, y in places) <= height - 10
    assert all(0 < x < width and 0 < y < height for x, y in texts(root).values())


# Marks, values, graphs.


def test_marks_of_two_views_differ_and_share_a_square() -> None:
    one, other = Marks(frozenset([0, 1]), "A"), Marks(frozenset([1, 2]), "B")
    root = drawn(Solution(board(1, 3), one, (other,)))
    words = [(e.text, at(e)) for e in named(root, "text")]
    assert [word for word, _ in words] == ["A", "A", "B", "B"]
    assert words[1][1][0] < words[2][1][0], "side by side on the square of both"
    fills = {at(e): e.get("fill") for e in named(root, "circle")}
    assert fills[words[0][1]] == fills[words[1][1]] != fills[words[2][1]] == fills[words[3][1]]
    assert root[0].text == "2 times A and 2 times B on 1x3"


def test_a_sign_is_no_markup() -> None:
    root = drawn(Solution(board(1, 2), Marks(frozenset([0]), "<")))
    assert [e.text for e in named(root, "text")] == ["<"]


def test_pieces_stand_on_a_chess_board_and_letters_on_a_plain_one() -> None:
    queens = drawn(Solution(board(2, 2), Marks(frozenset([0]), "queen")))
    assert texts(queens).keys() == {"♛", "a", "b", "1", "2"}
    plain = drawn(Solution(board(2, 2), Marks(frozenset([0]), "X")))
    assert texts(plain).keys() == {"X"}


def test_a_sudoku_has_lines_between_boxes_and_clues_are_bold() -> None:
    values = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    labels = Labels(tuple((value,) for value in values))
    regions = tuple(cell // 8 * 2 + cell % 4 // 2 for cell in range(16))
    root = drawn(Solution(board(4, 4), labels, (), regions, frozenset([0, 5])))
    words = named(root, "text")
    assert [int(e.text or 0) for e in words] == values
    bold = [k for k, e in enumerate(words) if e.get("font-weight") == "bold"]
    assert bold == [0, 5]
    clues = {words[k].get("fill") for k in bold}
    assert clues.isdisjoint(words[k].get("fill") for k in range(16) if k not in bold)
    inner, frame = (e.get("d", "") for e in named(root, "path"))
    x, y = (place + 20 for place in at(words[5]))
    ends = [tuple(map(float, end)) for end in re.findall(r"([\d.]+) ([\d.]+)", inner)]
    lines = list(zip(ends[::2], ends[1::2], strict=True))
    upright = [line for line in lines if line[0][0] == line[1][0] == x]
    level = [line for line in lines if line[0][1] == line[1][1] == y]
    assert (len(upright), len(level), len(lines)) == (4, 4, 8) and frame.endswith("Z")


def test_views_that_stand_apart_are_drawn_below_one_another() -> None:
    one, other = Labels(((1,), (2,))), Labels(((3,), ()), apart=True)
    root = drawn(Solution(board(1, 2), one, (other,)))
    assert [e.text for e in named(root, "text")] == ["1", "2", "3"]
    (group,) = named(root, "g")
    height = float(drawn(Solution(board(1, 2), one)).get("height", 0))
    assert group.get("transform") == f"translate(0 {height:g})"
    assert float(root.get("height", 0)) == 2 * height


def test_vertices_of_different_colours_look_different() -> None:
    edges = frozenset((a, b) for b in range(12) for a in range(b))
    root = drawn(Solution(GraphBoard(12, 1, edges), Labels(tuple((k + 1,) for k in range(12)))))
    assert len({e.get("fill") for e in named(root, "circle")}) == 12
    assert texts(root).keys() == {str(k + 1) for k in range(12)}
    assert root[0].text == "12 values on a graph of 12 vertices"


@pytest.mark.parametrize("labels", [(), ("alpha", "beta", "gamma", "delta", "epsilon")])
@pytest.mark.parametrize("picture", [Marks(frozenset({1, 3}), "D"), Strokes(((0, 1), (2, 3)))])
def test_vertices_without_a_sign_are_drawn_too_and_all_have_names(
    picture: Marks | Strokes, labels: tuple[str, ...]
) -> None:
    graph = GraphBoard(5, 1, frozenset({(0, 1), (1, 2), (2, 3), (3, 4)}), labels)
    root = drawn(Solution(graph, picture))
    assert len({at(e) for e in named(root, "circle")}) == 5
    names = Counter(labels or map(str, range(1, 6)))
    assert Counter(e.text for e in named(root, "text")) - Counter({"D": 2}) == names


# The picture of the README.


def test_the_picture_of_the_readme_is_what_is_drawn_now() -> None:
    """A closed tour, read from the picture and drawn again."""
    root = ElementTree.fromstring(IMAGE.read_text("utf-8"))
    cell = {(x + 20, y + 20): number for number, (x, y) in enumerate(tiles_of(root))}
    moves = {int(e.text or 0): cell[at(e)] for e in named(root, "text") if at(e) in cell}
    order = tuple(moves[number] for number in range(1, 65))
    steps = zip(order, (*order[1:], order[0]), strict=True)
    assert all(abs((a // 8 - b // 8) * (a % 8 - b % 8)) == 2 for a, b in steps)
    assert svg(Solution(board(8, 8), Tour(order))) == IMAGE.read_text("utf-8")
