"""Limits of specs and of building formulas: outside input cannot exhaust time or memory.

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
"""Maximum nesting of lists and mappings in a spec; libyaml itself has no limit."""

YAML_NODES = 20_000
"""Maximum number of texts, lists and mappings in a spec."""

EXPRESSION_TOKENS = 400
EXPRESSION_DEPTH = 30
EXPRESSION_HEIGHT = 100
"""Maximum number of tokens, nesting of brackets, and height of the tree of an expression: far below
the limits of the Python interpreter."""

BOUND_NAMES = 20
"""Maximum number of names that a `for` binds; each is a column of every chunk of rows."""

BOUND_COLUMNS = 40
"""Maximum number of columns of these names; a tuple of k numbers has k columns."""

CHUNK = 2**15
"""Maximum number of rows that are processed at a time."""

BUILD_SECONDS = 4.0
"""Limit of CPU time for outside input: ten times that of the largest formula in use."""

BUILD_BYTES = 400_000_000
"""Limit of memory for outside input."""

MAX_ROWS_PER_SECOND = 2.5e8
"""Rate that no machine exceeds: a `for` with more rows than fit in the time is not started."""

MAX_FACTOR = 1000
"""Maximum factor by which the user can multiply the limits of outside input."""

FACTOR_VARIABLE = "BOARDSAT_BUILD_LIMIT"
"""Environment variable of the factor, which child processes inherit."""

_outside: ContextVar[bool] = ContextVar("_outside", default=False)


@contextmanager
def outside_input() -> Iterator[None]:
    """Context manager: apply the limits of outside input even to specs that ship with boardsat.

    For specs and settings that a file names: a campaign, a header, an archive.
    """
    token = _outside.set(True)
    try:
        yield
    finally:
        _outside.reset(token)


def build_limits(is_built_in: bool) -> AbstractContextManager[Clock]:
    """Context manager: limit the building of a formula, depending on the origin of its spec."""
    if is_built_in and not _outside.get():
        return limits(memory=available_memory(), error=_too_large_for_machine)
    return outside_limits()


def outside_limits() -> AbstractContextManager[Clock]:
    """Context manager: limit work on outside input."""
    factor = build_limit_factor()
    return limits(cpu=factor * BUILD_SECONDS, memory=factor * BUILD_BYTES, error=_too_large)


def check_rows(rows: int) -> None:
    """Raise an error if this number of rows cannot be visited within the limits of time."""
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
    resource = "memory" if excess.resource is Resource.MEMORY else "time"
    factor = build_limit_factor()
    needed = ceil(excess.needed * factor / excess.limit)
    amount = f"at least {needed:,} times" if needed > 2 * factor else "more than"
    remedy = _remedy(excess)
    # If the remaining work is unknown, twice the limit is worth a try.
    if (suggested := max(needed, 2 * factor)) <= MAX_FACTOR:
        remedy += f"; --build-limit {suggested} allows more"
    fault = f"{excess.part.name} needs too much {resource}: {amount} the limit for a formula"
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
        fault = f"the factor must be a whole number between 1 and {MAX_FACTOR}"
        raise InputError(fault, "try 2", location)
    return int(text)


@contextmanager
def build_limit(factor: str | None) -> Iterator[None]:
    """Context manager: multiply the limits of outside input, also in child processes."""
    previous = os.environ.get(FACTOR_VARIABLE, "")
    if factor is not None:
        parsed = _parse_factor(factor, f"--build-limit {factor[:40]}")
        os.environ[FACTOR_VARIABLE] = str(parsed)
    try:
        yield
    finally:
        os.environ[FACTOR_VARIABLE] = previous
