"""Whether two counts can both be right: a count, and that of a referee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from fractions import Fraction

PUBLISHED = "published"


class Agreement(StrEnum):
    """Of two exact counts, or of an estimate and its interval; in the words of answers."""

    AGREE = "agree"
    DISAGREE = "disagree"
    INSIDE = "inside"
    OUTSIDE = "outside"

    @property
    def contradicts(self) -> bool:
        return self in (Agreement.DISAGREE, Agreement.OUTSIDE)


class Comparable(Protocol):
    """What can be compared: a number of objects that is exact, or an estimate in an interval."""

    @property
    def objects(self) -> int | Fraction | None: ...

    @property
    def exact(self) -> bool: ...

    @property
    def interval(self) -> tuple[int, int] | None: ...


@dataclass(frozen=True)
class Referee:
    """A count to compare with, and who says so."""

    name: str
    source: str
    objects: int | Fraction | None
    exact: bool = True
    interval: tuple[int, int] | None = None
    reason: str = ""


@dataclass(frozen=True)
class CountComparison:
    """What a referee says of a count."""

    referee: Referee
    verdict: Agreement | None
    """None where one of the two has no count."""
    each: tuple[Agreement | None, ...]
    """The same for every seed."""


def published(about: Mapping[str, Any]) -> Referee:
    """What stands in books on what is counted, as the spec cites them."""
    if PUBLISHED not in about:
        raise InputError("no published count is known", "choose a counter as referee")
    return Referee(PUBLISHED, about["cite"], about[PUBLISHED])


def compared(middle: Comparable, runs: Sequence[Comparable], referee: Referee) -> CountComparison:
    each = tuple(verdict(run, referee) for run in runs)
    return CountComparison(referee, verdict(middle, referee), each)


def contradict(found: Comparable, other: Comparable) -> bool:
    """Whether one of two counts must be wrong."""
    word = verdict(found, other)
    return word is not None and word.contradicts


def verdict(found: Comparable, other: Comparable) -> Agreement | None:
    """Whether two counts can both be right; None where one of them is not there."""
    if found.objects is None or other.objects is None:
        return None
    if found.exact and other.exact:
        agree = found.objects == other.objects
        return Agreement.AGREE if agree else Agreement.DISAGREE
    # An exact count is an interval of one number.
    least, most = found.interval or (found.objects, found.objects)
    low, high = other.interval or (other.objects, other.objects)
    return Agreement.INSIDE if least <= high and low <= most else Agreement.OUTSIDE
