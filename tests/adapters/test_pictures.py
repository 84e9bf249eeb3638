"""SVG pictures: elements and their positions, and titles for screen readers."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.rendering.svg import solution_to_svg
from boardsat.adapters.views import Labels, Marks, Solution, Strokes, Tour

KNIGHT = frozenset([(1, 2)])
IMAGE = Path(__file__).parents[2] / "docs/images/tour.svg"
Element = ElementTree.Element


def board(rows: int, cols: int) -> Grid:
    return Grid(rows, cols, KNIGHT)


def some_tour(rows: int, cols: int) -> Tour:
    """Return a random order of the cells; a drawing needs no valid tour."""
    return Tour(tuple(np.random.default_rng(1).permutation(rows * cols).tolist()))


def draw_svg(solution: Solution, closed: bool = True) -> Element:
    return ElementTree.fromstring(solution_to_svg(solution, closed))


def elements_named(root: Element, tag: str) -> list[Element]:
    return [e for e in root.iter() if e.tag.rpartition("}")[2] == tag]


def position_of(element: Element) -> tuple[float, float]:
    x, y = ("cx", "cy") if element.tag.endswith("circle") else ("x", "y")
    return float(element.get(x, "nan")), float(element.get(y, "nan"))


def tiles_of(root: Element) -> list[tuple[float, float]]:
    return [position_of(e) for e in elements_named(root, "rect") if e.get("width") == "40"]


def texts(root: Element) -> dict[str, tuple[float, float]]:
    return {e.text or "": position_of(e) for e in elements_named(root, "text")}


# Boards and tours.


def test_chess_board_names_files_to_the_right_and_ranks_upwards() -> None:
    root = draw_svg(Solution(board(3, 28), some_tour(3, 28)))
    tiles = tiles_of(root)
    middles = [(x + 20, y + 20) for x, y in tiles]
    names = [e for e in elements_named(root, "text") if not (e.text or "").isdigit()]
    assert [e.text for e in names] == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab"]
    assert [position_of(e)[0] for e in names] == [x for x, _ in middles[:28]]
    ranks = [e for e in elements_named(root, "text") if position_of(e)[0] < tiles[0][0]]
    rows = zip("321", (0, 28, 56), strict=True)
    assert [(e.text, position_of(e)[1]) for e in ranks] == [
        (name, middles[k][1]) for name, k in rows
    ]


@pytest.mark.parametrize("closed", [True, False])
def test_numbers_of_a_tour_are_on_discs_over_all_lines(closed: bool) -> None:
    """Every number fits on its disc."""
    root = draw_svg(Solution(board(8, 8), some_tour(8, 8)), closed)
    elements = list(root)
    lines = [k for k, e in enumerate(elements) if e.tag.endswith("path")]
    discs = {
        position_of(e): (k, float(e.get("r", 0)))
        for k, e in enumerate(elements)
        if "circle" in e.tag
    }
    assert len(discs) == 64
    numbers = [
        (k, e) for k, e in enumerate(elements) if e.tag.endswith("text") and position_of(e) in discs
    ]
    assert sorted(int(e.text or 0) for _, e in numbers) == list(range(1, 65))
    for k, e in numbers:
        disc, radius = discs[position_of(e)]
        assert max(lines) < disc < k
        # The width of a digit is about 0.56 of the font size.
        half = 0.28 * float(e.get("font-size", 0)) * len(e.text or "")
        assert math.hypot(half, 0.36 * float(e.get("font-size", 0))) < radius


@pytest.mark.parametrize("closed", [True, False])
def test_moves_have_arrowheads_and_start_and_end_are_coloured(closed: bool) -> None:
    root = draw_svg(Solution(board(5, 5), some_tour(5, 5)), closed)
    colours = {position_of(e): e.get("fill") for e in elements_named(root, "circle")}
    centres = {
        e.text: position_of(e) for e in elements_named(root, "text") if position_of(e) in colours
    }
    filled = [e.get("d", "") for e in elements_named(root, "path") if e.get("fill") != "none"]
    heads = [
        np.array([float(n) for n in re.findall(r"-?[\d.]+", head)]).reshape(3, 2)
        for head in "".join(filled).split("Z")[:-1]
    ]
    assert len(heads) == (25 if closed else 24)
    for number, (tip, left_corner, right_corner) in enumerate(heads, 1):
        origin, target = (np.array(centres[str(k)]) for k in (number, number % 25 + 1))
        move, arrow = target - origin, tip - (left_corner + right_corner) / 2
        cosine = move @ arrow / np.linalg.norm(move) / np.linalg.norm(arrow)
        assert cosine > 0.98 and np.linalg.norm(target - tip) < 20
    default_colour = colours[centres["2"]]
    coloured = [
        number for number in range(1, 26) if colours[centres[str(number)]] != default_colour
    ]
    assert coloured == ([1] if closed else [1, 25])
    assert closed or colours[centres["1"]] != colours[centres["25"]]


@pytest.mark.parametrize(("side", "has_numbers"), [(20, True), (21, False)])
def test_large_boards_have_no_numbers(side: int, has_numbers: bool) -> None:
    root = draw_svg(Solution(board(side, side), some_tour(side, side)), closed=False)
    assert len(elements_named(root, "circle")) == (side * side if has_numbers else 2)
    assert (str(side * side) in texts(root)) == has_numbers
    assert "t" in texts(root), "files are named on large boards, too"


@pytest.mark.parametrize("closed", [True, False])
def test_title_describes_the_tour(closed: bool) -> None:
    root = draw_svg(Solution(board(5, 6), some_tour(5, 6)), closed)
    assert root.get("role") == "img"
    assert root[0].tag.endswith("title")
    description = "A closed tour of 5x6 in 30 moves" if closed else "An open tour of 5x6, 30 cells"
    assert (root[0].text or "").startswith(description)


def test_picture_has_a_margin_on_every_side() -> None:
    root = draw_svg(Solution(board(4, 7), some_tour(4, 7)))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    tiles = tiles_of(root)
    assert min(min(tile) for tile in tiles) >= 10
    assert max(x + 40 for x, _ in tiles) <= width - 10
    assert max(y + 40 for _, y in tiles) <= height - 10
    assert all(0 < x < width and 0 < y < height for x, y in texts(root).values())


# Marks, values, graphs.


def test_marks_of_two_views_have_different_colours_and_share_a_square() -> None:
    first_marks, second_marks = Marks(frozenset([0, 1]), "A"), Marks(frozenset([1, 2]), "B")
    root = draw_svg(Solution(board(1, 3), first_marks, (second_marks,)))
    signs = [(e.text, position_of(e)) for e in elements_named(root, "text")]
    assert [sign for sign, _ in signs] == ["A", "A", "B", "B"]
    assert signs[1][1][0] < signs[2][1][0], "the signs are side by side on the common square"
    fills = {position_of(e): e.get("fill") for e in elements_named(root, "circle")}
    assert fills[signs[0][1]] == fills[signs[1][1]] != fills[signs[2][1]] == fills[signs[3][1]]
    assert root[0].text == "2 times A and 2 times B on 1x3"


def test_sign_is_escaped() -> None:
    root = draw_svg(Solution(board(1, 2), Marks(frozenset([0]), "<")))
    assert [e.text for e in elements_named(root, "text")] == ["<"]


def test_board_style_is_chess_for_pieces_and_plain_for_letters() -> None:
    queens = draw_svg(Solution(board(2, 2), Marks(frozenset([0]), "queen")))
    assert texts(queens).keys() == {"♛", "a", "b", "1", "2"}
    plain = draw_svg(Solution(board(2, 2), Marks(frozenset([0]), "X")))
    assert texts(plain).keys() == {"X"}


def test_sudoku_has_lines_between_boxes_and_bold_clues() -> None:
    values = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    labels = Labels(tuple((value,) for value in values))
    regions = tuple(cell // 8 * 2 + cell % 4 // 2 for cell in range(16))
    root = draw_svg(Solution(board(4, 4), labels, (), regions, frozenset([0, 5])))
    digits = elements_named(root, "text")
    assert [int(e.text or 0) for e in digits] == values
    bold = [k for k, e in enumerate(digits) if e.get("font-weight") == "bold"]
    assert bold == [0, 5]
    clue_colours = {digits[k].get("fill") for k in bold}
    assert clue_colours.isdisjoint(digits[k].get("fill") for k in range(16) if k not in bold)
    inner, frame = (e.get("d", "") for e in elements_named(root, "path"))
    x, y = (coordinate + 20 for coordinate in position_of(digits[5]))
    ends = [tuple(map(float, end)) for end in re.findall(r"([\d.]+) ([\d.]+)", inner)]
    lines = list(zip(ends[::2], ends[1::2], strict=True))
    vertical = [line for line in lines if line[0][0] == line[1][0] == x]
    horizontal = [line for line in lines if line[0][1] == line[1][1] == y]
    assert (len(vertical), len(horizontal), len(lines)) == (4, 4, 8) and frame.endswith("Z")


def test_views_with_apart_are_stacked() -> None:
    first_labels, second_labels = Labels(((1,), (2,))), Labels(((3,), ()), apart=True)
    root = draw_svg(Solution(board(1, 2), first_labels, (second_labels,)))
    assert [e.text for e in elements_named(root, "text")] == ["1", "2", "3"]
    (group,) = elements_named(root, "g")
    height = float(draw_svg(Solution(board(1, 2), first_labels)).get("height", 0))
    assert group.get("transform") == f"translate(0 {height:g})"
    assert float(root.get("height", 0)) == 2 * height


def test_vertices_with_different_values_have_different_colours() -> None:
    edges = frozenset((a, b) for b in range(12) for a in range(b))
    root = draw_svg(Solution(GraphBoard(12, 1, edges), Labels(tuple((k + 1,) for k in range(12)))))
    assert len({e.get("fill") for e in elements_named(root, "circle")}) == 12
    assert texts(root).keys() == {str(k + 1) for k in range(12)}
    assert root[0].text == "12 values on a graph of 12 vertices"


@pytest.mark.parametrize("labels", [(), ("alpha", "beta", "gamma", "delta", "epsilon")])
@pytest.mark.parametrize("view", [Marks(frozenset({1, 3}), "D"), Strokes(((0, 1), (2, 3)))])
def test_vertices_without_content_are_drawn_with_names(
    view: Marks | Strokes, labels: tuple[str, ...]
) -> None:
    graph = GraphBoard(5, 1, frozenset({(0, 1), (1, 2), (2, 3), (3, 4)}), labels)
    root = draw_svg(Solution(graph, view))
    assert len({position_of(e) for e in elements_named(root, "circle")}) == 5
    names = Counter(labels or map(str, range(1, 6)))
    assert Counter(e.text for e in elements_named(root, "text")) - Counter({"D": 2}) == names


# The picture of the README.


def test_picture_of_the_readme_is_up_to_date() -> None:
    """The tour that is read from the picture is closed, and drawn as the same picture."""
    root = ElementTree.fromstring(IMAGE.read_text("utf-8"))
    cell = {(x + 20, y + 20): number for number, (x, y) in enumerate(tiles_of(root))}
    moves = {
        int(e.text or 0): cell[position_of(e)]
        for e in elements_named(root, "text")
        if position_of(e) in cell
    }
    order = tuple(moves[number] for number in range(1, 65))
    steps = zip(order, (*order[1:], order[0]), strict=True)
    assert all(abs((a // 8 - b // 8) * (a % 8 - b % 8)) == 2 for a, b in steps)
    assert solution_to_svg(Solution(board(8, 8), Tour(order))) == IMAGE.read_text("utf-8")
