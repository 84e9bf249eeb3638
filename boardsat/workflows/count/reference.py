"""Reference counts, published or by another counter, and their comparison with a count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from fractions import Fraction

PUBLISHED = "published"
"""Name of the published reference count, and key of its number in a header."""


class Agreement(StrEnum):
    """Agreement of two exact counts, or of an exact count with the interval of an estimate."""

    AGREE = "agree"
    DISAGREE = "disagree"
    INSIDE = "inside"
    OUTSIDE = "outside"

    @property
    def contradicts(self) -> bool:
        return self in (Agreement.DISAGREE, Agreement.OUTSIDE)


class Comparable(Protocol):
    """Number of objects, exact or an estimate within an interval.

    Attributes
    ----------
    objects : int, Fraction or None
        Number of objects, or weighted count. None if no number is available.
    exact : bool
        True for an exact number, False for an estimate.
    interval : tuple of int or None
        Bounds guaranteed by an estimate, both inclusive. None if exact.
    """

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
    run_verdicts: tuple[Agreement | None, ...]
    """Agreement of each run."""


def published_reference(objects: Mapping[str, Any]) -> ReferenceCount:
    """Return the published count from the header entry of the objects."""
    if PUBLISHED not in objects:
        raise InputError(
            "no published count is known for this instance",
            "name a counter, such as `--reference enumeration`",
            f"--reference {PUBLISHED}",
        )
    return ReferenceCount(PUBLISHED, objects["cite"], objects[PUBLISHED])


def compare(
    median: Comparable, runs: Sequence[Comparable], reference: ReferenceCount
) -> CountComparison:
    """Compare a count and each of its runs with a reference count."""
    run_verdicts = tuple(verdict(run, reference) for run in runs)
    return CountComparison(reference, verdict(median, reference), run_verdicts)


def contradict(count: Comparable, reference: Comparable) -> bool:
    """Return whether two counts contradict each other, so that one must be wrong."""
    agreement = verdict(count, reference)
    return agreement is not None and agreement.contradicts


def verdict(count: Comparable, reference: Comparable) -> Agreement | None:
    """Return the agreement of two counts; None if one of them has no number."""
    if count.objects is None or reference.objects is None:
        return None
    if count.exact and reference.exact:
        is_equal = count.objects == reference.objects
        return Agreement.AGREE if is_equal else Agreement.DISAGREE
    # An exact count is an interval of one number.
    low, high = count.interval or (count.objects, count.objects)
    other_low, other_high = reference.interval or (reference.objects, reference.objects)
    return Agreement.INSIDE if low <= other_high and other_low <= high else Agreement.OUTSIDE
