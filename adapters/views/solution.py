"""Solution of a problem: its board, and the views that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardsat.adapters.boards import Board
from boardsat.base.dataclass import dataclass

Pair = tuple[int, int]

MARGINS = ("left", "right", "above", "below")
"""Positions of labels beside rows and columns."""


@dataclass(frozen=True, kw_only=True)
class BaseView:
    """Base class of views, with their common options."""

    colours: tuple[str, ...] = ()
    """Names of colours: one, or one for each value. Empty for the default."""
    apart: bool = False
    """Whether the view begins a separate drawing."""


@dataclass(frozen=True)
class Tour(BaseView):
    """Tour: cells in the order of the visit, up to the first gap or repetition."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class Marks(BaseView):
    """Marked cells, and their sign: the name of a piece or sign, or one character."""

    cells: frozenset[int]
    sign: str = "X"


@dataclass(frozen=True)
class Labels(BaseView):
    """Values of cells; exactly one each in a correct solution."""

    values: tuple[tuple[int, ...], ...]
    """Values of every cell, or of every row or column for labels beside them."""
    words: tuple[str, ...] = ()
    """Texts of the values 0, 1 and so on; other values are shown as numbers."""
    place: str = "cell"
    at: str = ""
    """Position in the cell; empty for the middle."""

    @property
    def is_main(self) -> bool:
        """Whether the labels are in the middle of cells."""
        return self.place == "cell" and self.at in ("", "centre")

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class Fills(BaseView):
    """Filled cells; with values, each value has a colour, and lines separate different values."""

    values: tuple[tuple[int, ...], ...]
    has_values: bool
    sign: str = ""
    words: tuple[str, ...] = ()

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else ""


@dataclass(frozen=True)
class Strokes(BaseView):
    """Lines between pairs of cells, or arrows from the first to the second."""

    pairs: tuple[Pair, ...]
    has_heads: bool = False


@dataclass(frozen=True)
class Walls(BaseView):
    """Walls between pairs of neighbours."""

    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class OffBoardView(BaseView):
    """Base class of views that need no board."""

    name: str = ""
    words: tuple[str, ...] = ()

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class ListView(OffBoardView):
    """Values by index; exactly one each in a correct solution."""

    indices: tuple[int, ...] = ()
    values: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class TableView(OffBoardView):
    """Table whose cells are chosen or not, or have a value, or any number of items."""

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    cells: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """Contents of the cells, row by row."""
    heads: tuple[str, str] = ("", "")
    holds: str = ""
    """`value` or `item`; empty if cells are only chosen or not."""


@dataclass(frozen=True)
class PairsView(OffBoardView):
    """Pairs of a left and a right number; `left` and `right` are all possible numbers."""

    pairs: tuple[Pair, ...] = ()
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class SetView(OffBoardView):
    """Set of items, chosen from `among`."""

    items: tuple[int, ...] = ()
    among: tuple[int, ...] = ()


AnyBoardView = Tour | Marks | Labels | Fills | Strokes | Walls
AnyOffBoardView = ListView | TableView | PairsView | SetView
View = AnyBoardView | AnyOffBoardView


@dataclass(frozen=True)
class Solution:
    """Board and views of one solution."""

    board: Board
    view: View
    more_views: tuple[View, ...] = ()
    """Further views of the spec."""
    regions: tuple[int, ...] = ()
    """Region of every cell; empty if the board has none."""
    given: frozenset[int] = frozenset()
    """Cells that are given."""
    static_views: tuple[View, ...] = ()
    """Views that do not depend on the model."""
    board_style: str = ""
    """Style of the board: chess, plain or points; empty to choose by the views."""

    @property
    def views(self) -> tuple[View, ...]:
        """Views of the model."""
        return (self.view, *self.more_views)

    @property
    def all_views(self) -> tuple[View, ...]:
        return (*self.static_views, *self.views)

    @property
    def marks(self) -> list[Marks]:
        """All views of marks, which share one drawing, each with its own sign."""
        return [view for view in self.all_views if isinstance(view, Marks)]

    @property
    def labels(self) -> list[Labels]:
        return [view for view in self.all_views if isinstance(view, Labels)]

    @property
    def fills(self) -> list[Fills]:
        return [view for view in self.all_views if isinstance(view, Fills)]

    def drawings(self) -> list[Solution]:
        """Split the solution into drawings: views with `apart`, and second tours, begin a new one.

        Static views that need no board come last.
        """
        groups: list[list[View]] = [[self.view]]
        for view in self.more_views:
            has_tour = any(isinstance(other, Tour) for other in groups[-1])
            is_other = isinstance(view, OffBoardView) or isinstance(groups[-1][-1], OffBoardView)
            if view.apart or is_other or (isinstance(view, Tour) and has_tour):
                groups.append([])
            groups[-1].append(view)
        placed = tuple(view for view in self.static_views if not isinstance(view, OffBoardView))
        drawn = replace(self, static_views=placed)
        groups += [[view] for view in self.static_views if isinstance(view, OffBoardView)]
        return [replace(drawn, view=first, more_views=tuple(rest)) for first, *rest in groups]

    def single_views(self) -> Iterator[Solution]:
        """Yield a solution for every view of the model."""
        for view in self.views:
            yield replace(self, view=view, more_views=())
