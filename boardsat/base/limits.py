"""Limits of time and memory: the clock of the current context, tested at checkpoints.

    with limits(cpu=4.0, memory=400 * 10**6):
        with current_part("the table 't'", "spec.yaml:12"):
            checkpoint(8 * rows)  # raises LimitError before the table is allocated

The clock is a context variable, so each thread and task has its own limits. Code is not
interrupted, and signals are not used: long loops call `checkpoint()` between pieces of work, and
code that allocates a large array calls `checkpoint(nbytes)` before. Nested limits apply together.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import NamedTuple

from boardsat.base.errors import BoardsatError

PERIOD_SECONDS = 0.01
"""Minimum time between two readings of the clocks: most pieces of work take less."""

MAX_UNCHECKED_BYTES = 2**20
"""Maximum size of an array that is allocated without reading the memory in use."""

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Resource(StrEnum):
    """Resource whose limit is reached."""

    WALL = "wall-clock time"
    CPU = "CPU time"
    MEMORY = "memory"


class CurrentPart(NamedTuple):
    """Part of the input that is being processed, for messages."""

    name: str = ""
    location: str = ""
    remedy: str = ""
    """Alternative for this part that needs less time or memory."""


class Excess(NamedTuple):
    """Limit that was reached, or that the next piece of work would exceed."""

    resource: Resource
    limit: float
    """Limit in seconds or bytes."""
    needed: float
    """Minimum number of seconds or bytes that are needed."""
    part: CurrentPart


class LimitError(BoardsatError):
    """Limit of time or memory that was reached, or that the next allocation would exceed."""

    def __init__(self, excess: Excess, fault: str = "", remedy: str = "") -> None:
        self.excess, (name, location, alternative_remedy) = excess, excess.part
        is_memory = excess.resource is Resource.MEMORY
        limit = f"{excess.limit:,.0f} bytes" if is_memory else f"{excess.limit:g} s"
        default = f"{name or 'the work'} needs more {excess.resource} than the limit of {limit}"
        super().__init__(fault or default, remedy or alternative_remedy, "" if fault else location)


ErrorFactory = Callable[[Excess], BoardsatError]

NO_PART = CurrentPart()

_clock: ContextVar[Clock | None] = ContextVar("_clock", default=None)
_current_part: ContextVar[CurrentPart] = ContextVar("_current_part", default=NO_PART)


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes; 0 if unknown."""
    try:
        return _PAGE_BYTES * int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0


class Clock:
    """Resources used since the clock was created, and their limits.

    The CPU time is that of the current thread, so a clock must be tested in the thread that created
    it.

    Parameters
    ----------
    wall, cpu : float, optional
        Limits in seconds. None: unlimited.
    memory : int, optional
        Limit of the growth of this process in bytes. None: unlimited.
    error : callable
        Makes the exception to raise from an `Excess`.
    started_wall : float, optional
        Time at which the wall-clock time begins, by the monotonic clock. None: now.
    """

    def __init__(
        self,
        wall: float | None = None,
        cpu: float | None = None,
        memory: int | None = None,
        error: ErrorFactory = LimitError,
        started_wall: float | None = None,
    ) -> None:
        self.wall, self.cpu, self.memory, self.error = wall, cpu, memory, error
        self.outer = _clock.get()
        """Clock of the enclosing limits, which apply too; None outside of limits."""
        self.started_wall = time.monotonic() if started_wall is None else started_wall
        self.started_cpu = time.thread_time()
        self.started_memory = resident_bytes()
        self.last_reading = 0.0
        """Time of the last test of the limits, by the monotonic clock."""

    @property
    def used_wall(self) -> float:
        return time.monotonic() - self.started_wall

    @property
    def wall_left(self) -> float:
        """Seconds until the wall-clock limit; infinite if unlimited."""
        return inf if self.wall is None else self.wall - self.used_wall

    @property
    def used_cpu(self) -> float:
        return time.thread_time() - self.started_cpu

    @property
    def used_memory(self) -> int:
        return max(0, resident_bytes() - self.started_memory)

    def charge(self, wall: float = 0.0, cpu: float = 0.0) -> None:
        """Add seconds that a child process has used; negative numbers subtract."""
        self.started_wall -= wall
        self.started_cpu -= cpu

    def check(self, nbytes: int = 0) -> None:
        """Raise an error if a limit is reached, or if `nbytes` more would exceed it."""
        now = time.monotonic()
        if now - self.last_reading < PERIOD_SECONDS and nbytes < MAX_UNCHECKED_BYTES:
            return
        self.check_now(nbytes)
        self.last_reading = now

    def check_now(self, nbytes: int = 0) -> None:
        """Check all limits, even if the last check was less than PERIOD_SECONDS ago."""
        if self.memory is not None and (memory := self.used_memory + nbytes) > self.memory:
            # The prediction is reproducible, unlike the memory in use.
            raise self.exceeded(Resource.MEMORY, nbytes if nbytes > self.memory else memory)
        if self.wall is not None and (wall := self.used_wall) >= self.wall:
            raise self.exceeded(Resource.WALL, wall)
        if self.cpu is not None and (cpu := self.used_cpu) >= self.cpu:
            raise self.exceeded(Resource.CPU, cpu)
        if self.outer is not None:
            self.outer.check_now(nbytes)

    def check_seconds(self, seconds: float) -> None:
        """Raise an error if work of this minimum duration would reach a limit of time."""
        for resource, limit in ((Resource.WALL, self.wall), (Resource.CPU, self.cpu)):
            if limit is not None and seconds >= limit:
                raise self.exceeded(resource, seconds)
        if self.outer is not None:
            self.outer.check_seconds(seconds)

    def exceeded(self, resource: Resource, needed: float) -> BoardsatError:
        """Return the error of a limit that is exceeded by the current part."""
        limit = {Resource.WALL: self.wall, Resource.CPU: self.cpu}.get(resource, self.memory)
        return self.error(Excess(resource, limit or 0, needed, _current_part.get()))


@contextmanager
def limits(
    wall: float | None = None,
    cpu: float | None = None,
    memory: int | None = None,
    error: ErrorFactory = LimitError,
) -> Iterator[Clock]:
    """Limit the work in the context, in addition to the enclosing limits.

    Parameters
    ----------
    wall, cpu : float, optional
        Seconds from now on. None: unlimited.
    memory : int, optional
        Bytes by which this process may grow from now on. None: unlimited.
    error : callable, optional
        Makes the exception to raise from an `Excess`.
    """
    with ambient(Clock(wall, cpu, memory, error)) as clock:
        yield clock


@contextmanager
def ambient(clock: Clock) -> Iterator[Clock]:
    """Let checkpoints in the context test this clock."""
    token = _clock.set(clock)
    try:
        yield clock
    finally:
        _clock.reset(token)


def checkpoint(nbytes: int = 0) -> None:
    """Raise an error if a limit is reached, or if allocating `nbytes` more would exceed it.

    Call it between pieces of work that take milliseconds, and before each large allocation.

    Parameters
    ----------
    nbytes : int
        Bytes that will be allocated next.

    Raises
    ------
    LimitError
        Or the error that the innermost exceeded limit specifies.

    Examples
    --------
    >>> with limits(memory=10**6):
    ...     checkpoint(10**9)
    Traceback (most recent call last):
        ...
    boardsat.base.limits.LimitError: the work needs more memory than the limit of 1,000,000 bytes
    """
    if (clock := _clock.get()) is not None:
        clock.check(nbytes)


def check_seconds(seconds: float) -> None:
    """Raise an error if work of this minimum duration would reach a limit of time."""
    if (clock := _clock.get()) is not None:
        clock.check_seconds(seconds)


@contextmanager
def current_part(name: str, location: str = "") -> Iterator[None]:
    """Name the part of the input that is processed in the context, for errors of limits."""
    token = _current_part.set(CurrentPart(name, location))
    try:
        yield
    finally:
        _current_part.reset(token)


@contextmanager
def alternative(remedy: str) -> Iterator[None]:
    """Name an alternative to the work in the context, as the remedy of errors of limits."""
    token = _current_part.set(_current_part.get()._replace(remedy=remedy))
    try:
        yield
    finally:
        _current_part.reset(token)
