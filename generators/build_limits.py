"""Limits of a spec and of building a formula: no spec from outside can hang or fill a machine.

A spec that ships with boardsat, named by the user, may take the memory that is available, and any
time. A spec from outside, and any spec named by a file (a campaign, a header, an archive), has
default limits of CPU time and memory, which the user can multiply.

Integers in specs stay below 2**31, so that a product of two of them fits an int64 column exactly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import ceil
from pathlib import Path

from boardsat.base.errors import InputError
from boardsat.base.limits import Clock, Excess, Resource, check_seconds, limits

MAX_INTEGER = 2**31 - 2
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

BUILD_SECONDS = 4.0
"""CPU time in which a formula of outside input is built: ten times that of the largest in use."""

BUILD_BYTES = 400_000_000
"""Memory in which a formula of outside input is built."""

MAX_ROWS_PER_SECOND = 2.5e8
"""Rows of a `for` that no machine exceeds: more rows than fit in the time are not begun."""

MAX_FACTOR = 1000
"""Maximum factor by which the user can multiply the limits of outside input."""

FACTOR_VARIABLE = "BOARDSAT_BUILD_LIMIT"
"""Environment variable of the factor, which child processes inherit."""

_outside: ContextVar[bool] = ContextVar("_outside", default=False)


@contextmanager
def outside_input() -> Iterator[None]:
    """Apply the limits of outside input meanwhile, even to specs that ship with boardsat.

    For specs and settings that a file names: a campaign, a header, an archive.
    """
    token = _outside.set(True)
    try:
        yield
    finally:
        _outside.reset(token)


def build_limits(is_built_in: bool) -> AbstractContextManager[Clock]:
    """Limit the building of a formula meanwhile, by where its spec comes from."""
    if is_built_in and not _outside.get():
        return limits(memory=available_memory(), error=_too_large_for_machine)
    return outside_limits()


def outside_limits() -> AbstractContextManager[Clock]:
    """Limit work on input from outside meanwhile."""
    factor = build_limit_factor()
    return limits(cpu=factor * BUILD_SECONDS, memory=factor * BUILD_BYTES, error=_too_large)


def check_rows(rows: int) -> None:
    """Raise an error if so many rows of a `for` cannot be visited within the limits of time."""
    check_seconds(rows / MAX_ROWS_PER_SECOND)


def available_memory() -> int | None:
    """Return the bytes of memory that new work can use without swapping; None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    sizes = {
        name: int(size.split()[0]) for name, _, size in (line.partition(":") for line in lines)
    }
    return 1024 * sizes["MemAvailable"] if "MemAvailable" in sizes else None


def _too_large(excess: Excess) -> InputError:
    """Return the error of outside input that exceeds the default limits."""
    kind = "memory" if excess.resource is Resource.MEMORY else "time"
    factor = build_limit_factor()
    needed = ceil(excess.needed * factor / excess.limit)
    much = f"at least {needed:,} times what" if needed > 2 * factor else "more than"
    remedy = _remedy(excess)
    # Where it is unknown how much is still to come, twice as much is worth a try.
    if (more := max(needed, 2 * factor)) <= MAX_FACTOR:
        remedy += f"; --build-limit {more} allows more"
    fault = f"{excess.part.name} needs too much {kind}: {much} making a formula may take"
    return InputError(fault, remedy, excess.part.location)


def _too_large_for_machine(excess: Excess) -> InputError:
    """Return the error of a built-in spec that exceeds the memory of the machine."""
    fault = (
        f"{excess.part.name} needs too much memory: at least {excess.needed / 1e9:,.1f} GB, "
        f"and {excess.limit / 1e9:,.1f} GB are available"
    )
    return InputError(fault, _remedy(excess), excess.part.location)


def _remedy(excess: Excess) -> str:
    remedy = "use smaller parameters, smaller sets, or an earlier `if`"
    return f"{excess.part.remedy} takes less; or {remedy}" if excess.part.remedy else remedy


def build_limit_factor() -> int:
    """Return the factor by which the user multiplies the limits of outside input."""
    text = os.environ.get(FACTOR_VARIABLE, "") or "1"
    return _parse_factor(text, f"{FACTOR_VARIABLE}={text[:40]}")


def _parse_factor(text: str, location: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) < 5
    if not is_number or not 1 <= int(text) <= MAX_FACTOR:
        remedy = f"give a whole number from 1 to {MAX_FACTOR}"
        raise InputError("not a factor of limits", remedy, location)
    return int(text)


@contextmanager
def build_limit(factor: str | None) -> Iterator[None]:
    """Multiply the limits of outside input meanwhile, here and in child processes."""
    before = os.environ.get(FACTOR_VARIABLE, "")
    if factor is not None:
        parsed = _parse_factor(factor, f"--build-limit {factor[:40]}")
        os.environ[FACTOR_VARIABLE] = str(parsed)
    try:
        yield
    finally:
        os.environ[FACTOR_VARIABLE] = before
