"""Progress displays on a terminal: a bar for writing a file, and a spinner with elapsed time."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from boardsat.terminal.streams import escape_controls, unescaped_stream

BAR_DELAY_SECONDS = 1.0
"""Time before a bar appears; a tenth of it passes between two changes."""


class Progress:
    """Progress bar of a file that is written."""

    def __init__(self, clauses: int, quiet: bool = False) -> None:
        # About 16 bytes a clause: a bar need not be exact.
        self.expected = max(1, 16 * clauses)
        self.shown = sys.stderr is not None and sys.stderr.isatty() and not quiet
        self.begun = self.drawn = time.monotonic()
        self.done = 0
        self.visible = False

    def advance(self, size: int) -> None:
        self.done += size
        now = time.monotonic()
        if (
            self.shown
            and now - self.begun > BAR_DELAY_SECONDS
            and now - self.drawn > BAR_DELAY_SECONDS / 10
        ):
            self.drawn, self.visible = now, True
            part = min(0.99, self.done / self.expected)
            bar = "#" * round(30 * part)
            print(
                f"\r[{bar:<30}] {part:4.0%}  {self.done / 1e6:,.0f} MB",
                end="",
                file=unescaped_stream(sys.stderr),
                flush=True,
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.visible:
            print("\r\033[K", end="", file=unescaped_stream(sys.stderr), flush=True)


class Spinner:
    """Context manager that displays a step and its elapsed time."""

    def __init__(self, what: str) -> None:
        self.what = escape_controls(what)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._spin, daemon=True)

    def _spin(self) -> None:
        begun = time.monotonic()
        turn = 0
        while not self.stop.wait(0.2):
            mark = "|/-\\"[turn % 4]
            turn += 1
            print(
                f"\r{mark} {self.what}, {time.monotonic() - begun:.0f} s ",
                end="",
                file=unescaped_stream(sys.stderr),
                flush=True,
            )
        if turn:
            print("\r\033[K", end="", file=unescaped_stream(sys.stderr), flush=True)

    def __enter__(self) -> Spinner:
        if sys.stderr.isatty():
            self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop.set()
        if self.thread.is_alive():
            self.thread.join()
