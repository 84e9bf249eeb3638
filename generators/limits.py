"""Limits of a spec, and the one budget for making a formula: no spec can hang or fill a machine.

Integers in specs stay below 2**31, so that a product of two of them fits an int64 column exactly.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint

LARGEST_INTEGER = 2**31 - 2
"""Largest number in a spec, and largest variable of a formula."""

SPEC_BYTES = 1_000_000
"""Largest spec file."""

YAML_DEPTH = 20
"""How deeply the lists and mappings of a spec may be nested; libyaml itself has no limit."""

YAML_NODES = 20_000
"""Texts, lists and mappings of a spec: what is repetitive is written with `for`."""

EXPRESSION_TOKENS = 400
EXPRESSION_DEPTH = 30
EXPRESSION_HEIGHT = 100
"""How long, how deeply in brackets and how tall as a tree one expression may be: far inside the
interpreter's own limits."""

BOUND_NAMES = 20
"""Names that one `for` may bind: each is a column of every chunk of rows."""

BOUND_COLUMNS = 40
"""Numbers that they may stand for together: a tuple of k numbers takes k columns."""

CHUNK = 2**15
"""Rows that are worked on at a time."""

WORK = 2**32
"""What making one formula may take, in operations on one number each (some seconds in all)."""

MEMORY = 400_000_000
"""Bytes that the arrays of one formula may take together while it is made."""

CALL = 2**9
"""A call on a whole column takes as long as so many operations, however short the column is."""

STEP = 350
"""A step of the interpreter takes as long as so many operations on a column."""

MOST_TIMES = 1000
TIMES = "BOARDSAT_WORK"
"""The variable of the environment by which a user asks for more; children inherit it."""


class WorkBudget:
    """The work and the memory that making one formula may take, and what has taken them.

    Everything is charged before it is done, as soon as its size is known.
    """

    def __init__(self, times: int | None = None) -> None:
        self.times = asked() if times is None else times
        self.work, self.memory = self.times * WORK, self.times * MEMORY
        self.spent = self.held = 0
        self.what, self.place, self.advice = "the spec", "", ""
        self.shares: Counter[tuple[str, str]] = Counter()

    @staticmethod
    def unlimited() -> WorkBudget:
        """For what is made of a formula that is there: its size is known."""
        budget = WorkBudget()
        budget.lift()
        return budget

    def enter(self, what: str, place: str) -> None:
        """From here on it is this part of the spec that spends."""
        self.what, self.place, self.advice = what, place, ""

    def advise(self, advice: str) -> None:
        """What takes less here, should this be too much."""
        self.advice = advice

    def spend(self, work: int) -> None:
        checkpoint()
        self.spent += work
        self.shares[self.what, self.place] += work
        self.foresee(0)

    def foresee(self, work: int) -> None:
        """Refuse work that is certain to come, before any of it is done."""
        if self.spent + work > self.work:
            raise self._refused("work", self.spent + work, self.work)

    def hold(self, size: int) -> None:
        """Memory that stays in use."""
        self.room(size)
        self.held += size

    def room(self, size: int) -> None:
        """Memory that is needed for a while."""
        checkpoint(size)
        if self.held + size > self.memory:
            raise self._refused("memory", self.held + size, self.memory)

    def afford(self, size: int) -> None:
        """Arrays made in one go: each byte is memory for a while, and about as much work."""
        self.room(size)
        self.spend(size)

    def lift(self) -> None:
        """What was made within its budget may be made again: it takes the same."""
        self.work = self.memory = sys.maxsize

    def _refused(self, kind: str, needed: int, limit: int) -> InputError:
        times = -(-needed * self.times // limit)
        much = f"at least {times:,} times what" if times > 2 * self.times else "more than"
        remedy = "use smaller parameters, smaller sets, or an earlier `if`"
        if self.advice:
            remedy = f"{self.advice} takes less; or {remedy}"
        # Where it is not known how much is still to come, twice as much is worth a try.
        if (more := max(times, 2 * self.times)) <= MOST_TIMES:
            remedy += f"; --work {more} allows more"
        fault = f"{self.what} needs too much {kind}: {much} making a formula may take"
        return InputError(f"{fault}{self._blamed(kind)}", remedy, self.place)

    def _blamed(self, kind: str) -> str:
        """Who has spent the most, where that is somebody else."""
        here = (self.what, self.place)
        (what, place), share = (self.shares.most_common(1) or [(here, 0)])[0]
        if kind != "work" or here == (what, place):
            return ""
        return f" ({share * 100 // self.work}% went into {what} at {place})"


def asked() -> int:
    """How many times the usual limits the user allows."""
    word = os.environ.get(TIMES, "") or "1"
    return _times(word, f"{TIMES}={word[:40]}")


def _times(word: str, place: str) -> int:
    digits = word.isascii() and word.isdecimal() and len(word) < 5
    if not digits or not 1 <= int(word) <= MOST_TIMES:
        remedy = f"give a whole number from 1 to {MOST_TIMES}"
        raise InputError("not a number of times", remedy, place)
    return int(word)


@contextmanager
def allowing(times: str | None) -> Iterator[None]:
    """For a while so many times the usual limits, here and in child processes."""
    before = os.environ.get(TIMES, "")
    if times is not None:
        os.environ[TIMES] = str(_times(times, f"--work {times[:40]}"))
    try:
        yield
    finally:
        os.environ[TIMES] = before
