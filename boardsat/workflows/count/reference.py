"""Reference counts: a published number or another counter's, and whether a count agrees with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from fractions import Fraction

PUBLISHED = "published"
"""Name of the reference that a spec cites, and key of its number in a header."""


class Agreement(StrEnum):
    """Agreement of two exact counts, or of an interval with a count, as answers print it."""

    AGREE = "agree"
    DISAGREE = "disagree"
    INSIDE = "inside"
    OUTSIDE = "outside"

    @property
    def contradicts(self) -> bool:
        return self in (Agreement.DISAGREE, Agreement.OUTSIDE)


class Comparable(Protocol):
    """Number of objects, exact or an estimate within an interval."""

    @property
    def objects(self) -> int | Fraction | None: ...

    @property
    def exact(self) -> bool: ...

    @property
    def interval(self) -> tuple[int, int] | None: ...


@dataclass(frozen=True)
class ReferenceCount:
    """Count to compare with, and its source."""

    name: str
    source: str
    """Citation, or the counter with its version and runtime."""
    objects: int | Fraction | None
    exact: bool = True
    interval: tuple[int, int] | None = None
    reason: str = ""
    """Reason why `objects` is None."""


@dataclass(frozen=True)
class CountComparison:
    """Comparison of the runs of a count with a reference count."""

    reference: ReferenceCount
    verdict: Agreement | None
    """Agreement of the median run. None if one of the two has no count."""
    each: tuple[Agreement | None, ...]
    """Agreement of each run."""


def published_reference(about: Mapping[str, Any]) -> ReferenceCount:
    """Return the published count that a spec cites for its objects."""
    if PUBLISHED not in about:
        raise InputError("no published count is known", "choose a counter as referee")
    return ReferenceCount(PUBLISHED, about["cite"], about[PUBLISHED])


def compare(
    median: Comparable, runs: Sequence[Comparable], reference: ReferenceCount
) -> CountComparison:
    """Compare a count and each of its runs with a reference count."""
    each = tuple(verdict(run, reference) for run in runs)
    return CountComparison(reference, verdict(median, reference), each)


def contradict(count: Comparable, other: Comparable) -> bool:
    """Return whether one of two counts must be wrong."""
    agreement = verdict(count, other)
    return agreement is not None and agreement.contradicts


def verdict(count: Comparable, other: Comparable) -> Agreement | None:
    """Return whether two counts can both be right; None if one of them has no number."""
    if count.objects is None or other.objects is None:
        return None
    if count.exact and other.exact:
        is_equal = count.objects == other.objects
        return Agreement.AGREE if is_equal else Agreement.DISAGREE
    # An exact count is an interval of one number.
    low, high = count.interval or (count.objects, count.objects)
    other_low, other_high = other.interval or (other.objects, other.objects)
    return Agreement.INSIDE if low <= other_high and other_low <= high else Agreement.OUTSIDE
