"""A progress bar for long work, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from boardsat.terminal.safe import unguarded

PATIENCE = 1.0
"""Seconds before a bar appears, and a tenth of it between two changes."""


class Progress:
    def __init__(self, clauses: int, quiet: bool = False) -> None:
        # About 16 bytes a clause: a bar need not be exact, and must not cost a pass.
        self.expected = max(1, 16 * clauses)
        self.shown = sys.stderr is not None and sys.stderr.isatty() and not quiet
        self.begun = self.drawn = time.monotonic()
        self.done = 0
        self.visible = False

    def advance(self, size: int) -> None:
        self.done += size
        now = time.monotonic()
        if self.shown and now - self.begun > PATIENCE and now - self.drawn > PATIENCE / 10:
            self.drawn, self.visible = now, True
            part = min(0.99, self.done / self.expected)
            bar = "#" * round(30 * part)
            print(
                f"\r[{bar:<30}] {part:4.0%}  {self.done / 1e6:,.0f} MB",
                end="",
                file=unguarded(sys.stderr),
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
            print("\r\033[K", end="", file=unguarded(sys.stderr), flush=True)
