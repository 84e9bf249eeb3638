"""What all pictures are made of: a canvas that knows where cells are, words, dots, colours."""

from __future__ import annotations

from abc import ABC, abstractmethod

from adapters.tiles import Point

SIDE = 40
"""Units of a tile's side."""

PATH, START = "#1f4e79", "#b3261e"


class Canvas(ABC):
    """A board on a page: its size, what lies under a solution, and where cells and moves are."""

    width: int
    height: int

    @abstractmethod
    def centre(self, cell: int) -> Point: ...

    @abstractmethod
    def ground(self) -> list[str]:
        """The board itself."""

    @abstractmethod
    def labels(self, order: tuple[int, ...]) -> list[str]:
        """What to write where a tour comes by."""

    def is_straight(self, a: int, b: int) -> bool:
        """Whether a move is one straight line."""
        return True

    def detour(self, a: int, b: int, numbers: tuple[int, int]) -> list[str]:
        """A move that is not, from a cell with one number to that with the other."""
        return []


def word(at: Point, text: str, size: float, colour: str = "#000") -> str:
    """In the middle of a point."""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:.0f}" text-anchor="middle" '
        f'dy="0.35em" fill="{colour}">{text}</text>'
    )


def dot(at: Point, radius: float, fill: str, stroke: str = "none") -> str:
    return (
        f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="{fill}" '
        f'stroke="{stroke}"/>'
    )


def line(d: str, colour: str, more: str = "") -> str:
    """A path that is not filled."""
    return f'<path d="{d}" fill="none" stroke="{colour}" {more}/>'
