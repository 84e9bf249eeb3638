"""Solution of a problem: a board with views, such as tours, marks, labels and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from boardsat.adapters.boards import Board
from boardsat.base.dataclass import dataclass

Pair = tuple[int, int]

MARGINS = ("left", "right", "above", "below")
"""Positions of labels at the ends of rows and columns."""


@dataclass(frozen=True, kw_only=True)
class BaseView:
    """Base class of views, with their common options."""

    colours: tuple[str, ...] = ()
    """Names of colours: one, or one for each value. Empty for the default."""
    apart: bool = False
    """True if the view begins a separate drawing."""


@dataclass(frozen=True)
class Tour(BaseView):
    """Closed or open tour of a board."""

    order: tuple[int, ...]
    """Cells in the order of the visit, up to the first gap or repetition."""


@dataclass(frozen=True)
class Marks(BaseView):
    """Marked cells and their sign."""

    cells: frozenset[int]
    sign: str = "X"
    """Name of a piece or sign, or one character."""


@dataclass(frozen=True)
class Labels(BaseView):
    """Values of cells; in a correct solution every cell has exactly one."""

    values: tuple[tuple[int, ...], ...]
    """Values of every cell, or of every row or column for labels in a margin."""
    words: tuple[str, ...] = ()
    """Texts of the values 0, 1 and so on; other values are shown as numbers."""
    position: str = "cell"
    """`cell`, `corner` (the lower right one of a cell), or one of `MARGINS`."""
    alignment: str = ""
    """Alignment in the cell, such as `top left`; empty for the centre."""

    @property
    def is_main(self) -> bool:
        """True if the labels are in the centre of cells."""
        return self.position == "cell" and self.alignment in ("", "centre")

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class Fills(BaseView):
    """Filled cells; each value has its own colour, and lines separate different values."""

    values: tuple[tuple[int, ...], ...]
    """Values of every cell; empty for a cell that is not filled."""
    has_values: bool
    """False if all filled cells have the value 0, which is not shown."""
    sign: str = ""
    words: tuple[str, ...] = ()
    """Texts of the values 0, 1 and so on; other values are shown by colour alone."""

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
    """Texts of the values 0, 1 and so on; other values are shown as numbers."""

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class ListView(OffBoardView):
    """Values by index; in a correct solution every index has exactly one."""

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
    """Headings of rows and columns, which precede their numbers; empty for none."""
    content: str = ""
    """`value` or `item`; empty if cells are only chosen or not."""


@dataclass(frozen=True)
class PairsView(OffBoardView):
    """Pairs of a left and a right number."""

    pairs: tuple[Pair, ...] = ()
    left: tuple[int, ...] = ()
    """Domain of the left numbers."""
    right: tuple[int, ...] = ()
    """Domain of the right numbers."""


@dataclass(frozen=True)
class SetView(OffBoardView):
    """Subset of a domain."""

    items: tuple[int, ...] = ()
    domain: tuple[int, ...] = ()


AnyBoardView = Tour | Marks | Labels | Fills | Strokes | Walls
AnyOffBoardView = ListView | TableView | PairsView | SetView
View = AnyBoardView | AnyOffBoardView
AnyView = TypeVar("AnyView", bound=BaseView)


@dataclass(frozen=True)
class Solution:
    """Board and views of one solution."""

    board: Board
    view: View
    """First view of the model."""
    more_views: tuple[View, ...] = ()
    """Further views of the model."""
    regions: tuple[int, ...] = ()
    """Region of every cell; empty if the board has none."""
    given_cells: frozenset[int] = frozenset()
    """Cells whose content is given by the instance."""
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

    def of_kind(self, kind: type[AnyView]) -> list[AnyView]:
        """Return all views of one class, those of the model after static ones."""
        return [view for view in self.all_views if isinstance(view, kind)]

    def has_kind(self, *kinds: type[BaseView]) -> bool:
        """Return True if a view is of one of the classes."""
        return any(isinstance(view, kinds) for view in self.all_views)

    def drawings(self) -> list[Solution]:
        """Split the solution into drawings: views with `apart`, and second tours, begin a new one.

        Static views that need no board come last.
        """
        groups: list[list[View]] = [[self.view]]
        for view in self.more_views:
            group = groups[-1]
            is_second_tour = isinstance(view, Tour) and any(isinstance(v, Tour) for v in group)
            is_off_board = isinstance(view, OffBoardView) or isinstance(group[-1], OffBoardView)
            if view.apart or is_off_board or is_second_tour:
                groups.append([])
            groups[-1].append(view)
        board_views = tuple(v for v in self.static_views if not isinstance(v, OffBoardView))
        groups += [[view] for view in self.static_views if isinstance(view, OffBoardView)]
        return [
            replace(self, view=first, more_views=tuple(further), static_views=board_views)
            for first, *further in groups
        ]

    def single_views(self) -> Iterator[Solution]:
        """Yield a solution for every view of the model."""
        for view in self.views:
            yield replace(self, view=view, more_views=())
