"""What is to be seen of a solution: its board, and pictures that lie on it one over the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from boardsat.adapters.boards import Board

Pair = tuple[int, int]

BESIDE = ("left", "right", "above", "below")
"""Places of labels beside rows and columns."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What all pictures may say of themselves."""

    colours: tuple[str, ...] = ()
    """Names of colours: one, or one for each value."""
    apart: bool = False
    """Whether it begins a drawing of its own."""


@dataclass(frozen=True)
class Tour(Shown):
    """Cells in the order of the visit, as far as it can be followed."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class Marks(Shown):
    """The chosen cells, and what stands on them: the name of a piece or sign, or one character."""

    cells: frozenset[int]
    sign: str = "X"


@dataclass(frozen=True)
class Labels(Shown):
    """The values that each cell has, as they are shown: one, if all is well."""

    values: tuple[tuple[int, ...], ...]
    """Of every cell; of every row or column where labels stand beside them."""
    words: tuple[str, ...] = ()
    """What is shown for the values 0, 1 and so on."""
    place: str = "cell"
    at: str = ""
    """Where in the cell: in the middle, unless it is said."""

    @property
    def is_main(self) -> bool:
        """Whether it stands in the middle of cells."""
        return self.place == "cell" and self.at in ("", "centre")

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class Fills(Shown):
    """Cells with a colour; where it is one for every value, lines lie between different ones."""

    values: tuple[tuple[int, ...], ...]
    has_values: bool
    sign: str = ""
    words: tuple[str, ...] = ()

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else ""


@dataclass(frozen=True)
class Strokes(Shown):
    """Pairs of cells that are joined by a line, or by an arrow from the first to the second."""

    pairs: tuple[Pair, ...]
    has_heads: bool = False


@dataclass(frozen=True)
class Walls(Shown):
    """Pairs of neighbours that have a wall between them."""

    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Unplaced(Shown):
    """What stands on no board."""

    name: str = ""
    words: tuple[str, ...] = ()

    def word(self, value: int) -> str:
        return self.words[value] if 0 <= value < len(self.words) else str(value)


@dataclass(frozen=True)
class Listing(Unplaced):
    """A value for every index, in their order: one, if all is well."""

    indices: tuple[int, ...] = ()
    values: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Tabulated(Unplaced):
    """What is in each row and column: whether something is, a value, or any number of items."""

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    cells: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """Row by row."""
    heads: tuple[str, str] = ("", "")
    holds: str = ""
    """`value` or `item`; empty where a cell is only chosen or not."""


@dataclass(frozen=True)
class Matched(Unplaced):
    """Pairs of two numbers; each may be any of its side."""

    pairs: tuple[Pair, ...] = ()
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Chosen(Unplaced):
    """Some of all items."""

    items: tuple[int, ...] = ()
    among: tuple[int, ...] = ()


OnBoard = Tour | Marks | Labels | Fills | Strokes | Walls
OffBoard = Listing | Tabulated | Matched | Chosen
Picture = OnBoard | OffBoard


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
    always: tuple[Picture, ...] = ()
    """What the question shows, whatever the answer."""
    ground: str = ""
    """What the board looks like: chess, plain or points; empty where the pictures decide."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Of the answer."""
        return (self.picture, *self.more)

    @property
    def everything(self) -> tuple[Picture, ...]:
        return (*self.always, *self.pictures)

    @property
    def marks(self) -> list[Marks]:
        """Marks of all views: they share one drawing, each with its own sign."""
        return [each for each in self.everything if isinstance(each, Marks)]

    @property
    def labels(self) -> list[Labels]:
        return [each for each in self.everything if isinstance(each, Labels)]

    @property
    def fills(self) -> list[Fills]:
        return [each for each in self.everything if isinstance(each, Fills)]

    def apart(self) -> list[Solution]:
        """The drawings that it takes: a view that is to stand apart begins one, so does a tour.

        What the question gives without a board comes after them.
        """
        groups: list[list[Picture]] = [[self.picture]]
        for each in self.more:
            has_tour = any(isinstance(other, Tour) for other in groups[-1])
            is_other = isinstance(each, Unplaced) or isinstance(groups[-1][-1], Unplaced)
            if each.apart or is_other or (isinstance(each, Tour) and has_tour):
                groups.append([])
            groups[-1].append(each)
        placed = tuple(each for each in self.always if not isinstance(each, Unplaced))
        drawn = replace(self, always=placed)
        groups += [[each] for each in self.always if isinstance(each, Unplaced)]
        return [replace(drawn, picture=first, more=tuple(rest)) for first, *rest in groups]

    def each(self) -> Iterator[Solution]:
        """Every view of the answer by itself."""
        for picture in self.pictures:
            yield replace(self, picture=picture, more=())
