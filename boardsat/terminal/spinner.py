"""A spinner with elapsed time, on a terminal only."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from boardsat.terminal.safe import escaped, unguarded


class Spinner:
    def __init__(self, what: str) -> None:
        self.what = escaped(what)
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
                file=unguarded(sys.stderr),
                flush=True,
            )
        if turn:
            print("\r\033[K", end="", file=unguarded(sys.stderr), flush=True)

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
