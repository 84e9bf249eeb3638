"""Progress displays on a terminal: a bar for writing a file, and a spinner with elapsed time."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from boardsat.terminal.streams import escape_controls, unescaped_stream

BAR_DELAY_SECONDS = 1.0
"""Time in seconds before a bar appears; it is redrawn ten times as often."""


class Progress:
    """Progress bar for writing a formula file.

    Parameters
    ----------
    clauses : int
        Number of clauses of the formula.
    quiet : bool
        True to display nothing.
    """

    def __init__(self, clauses: int, quiet: bool = False) -> None:
        # About 16 bytes for each clause: a bar need not be exact.
        self.expected_bytes = max(1, 16 * clauses)
        self.enabled = sys.stderr is not None and sys.stderr.isatty() and not quiet
        self.start_time = self.draw_time = time.monotonic()
        self.written_bytes = 0
        self.visible = False

    def advance(self, size: int) -> None:
        """Count written bytes, and redraw the bar from time to time."""
        self.written_bytes += size
        now = time.monotonic()
        if (
            self.enabled
            and now - self.start_time > BAR_DELAY_SECONDS
            and now - self.draw_time > BAR_DELAY_SECONDS / 10
        ):
            self.draw_time, self.visible = now, True
            fraction = min(0.99, self.written_bytes / self.expected_bytes)
            bar = "#" * round(30 * fraction)
            print(
                f"\r[{bar:<30}] {fraction:4.0%}  {self.written_bytes / 1e6:,.0f} MB",
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

    def __init__(self, step: str) -> None:
        self.step = escape_controls(step)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._spin, daemon=True)

    def _spin(self) -> None:
        start_time = time.monotonic()
        num_frames = 0
        while not self.stop.wait(0.2):
            mark = "|/-\\"[num_frames % 4]
            num_frames += 1
            print(
                f"\r{mark} {self.step}, {time.monotonic() - start_time:.0f} s ",
                end="",
                file=unescaped_stream(sys.stderr),
                flush=True,
            )
        if num_frames:
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
