"""What the best model has least or most of: its value, from what it pays."""

from __future__ import annotations

from dataclasses import dataclass

NOUNS = {"minimize": "minimum", "maximize": "maximum"}
GOALS = tuple(NOUNS)
MOST_VALUE = 2**62


@dataclass(frozen=True)
class Goal:
    """What the best model has least or most of."""

    word: str = GOALS[0]
    of: str = ""
    """In the words of the spec."""
    offset: int = 0
    """The value of a model that pays for nothing."""

    def value(self, cost: int) -> int:
        """Of a model that pays so much."""
        return self.offset + (cost if self.word == GOALS[0] else -cost)

    @property
    def noun(self) -> str:
        """What the best value is called."""
        return NOUNS[self.word]
