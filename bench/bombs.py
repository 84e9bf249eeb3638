"""Small hostile inputs: CPU time, memory and message of the command that rejects each."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten

from bench import _hostile
from bench._hostile import Bomb
from bench._measure import PYTHON, Row, process, scratch

SECONDS, MEMORY = 5, 500 * 10**6
"""Bounds of docs/security.md on CPU time, and on the memory of boardsat itself."""

MOST_SECONDS, MOST_MEMORY = 60, 3 * 10**9
"""Hard limits of each run."""

REFUSED = (1, 2)
HARMLESS = str.maketrans("|`", "/'")
HEAD = ("input", "bytes", "CPU time", "memory", "exit code", "message")


def run() -> list[Row]:
    print("|".join(("", *(f" {title} " for title in HEAD), "")))
    print("|".join(("", *("---" for _ in HEAD), "")))
    verdicts = [_report(name, make) for name, make in _inputs()]
    return [
        Row(
            "small hostile inputs",
            f"{sum(verdicts)} of {len(verdicts)} within bounds",
            target=f"{SECONDS} s and {MEMORY // 10**6} MB",
            met=all(verdicts),
        )
    ]


def _inputs() -> Iterator[tuple[str, Callable[[Path], object]]]:
    for make in (*_hostile.BOMBS, _hostile.silent):
        title = (make.__doc__ or "").strip().rstrip(".").removeprefix("Write ")
        yield title[:1].upper() + title[1:], make


def _report(name: str, make: Callable[[Path], object]) -> bool:
    """Print the line of one; whether it stayed within bounds."""
    with scratch() as folder, _made(make, folder) as bomb:
        outcome = process(
            [PYTHON, "-m", "bench._peak_memory", *bomb.arguments],
            good=range(-64, 256),
            prepare=_limit,
            **bomb.environment,
        )
        *_, peak = outcome.output.split() or ["0"]
        lines = (outcome.errors.strip() or outcome.output.strip()).splitlines()
        # An archive is told in a line for each of its files.
        message = next((line for line in lines if line.startswith("wrong")), lines[0])
        line = message.replace(f"{folder}/", "").removeprefix("boardsat: ").translate(HARMLESS)
    memory = int(peak) if peak.isdigit() else 0
    cells = (
        name[0].upper() + name[1:] if name[0].isalpha() else name,
        f"{bomb.size:,}" if bomb.size else "-",
        f"{outcome.cpu:.1f} s" if bomb.size else f"{outcome.cpu:.1f} s, after {outcome.wall:.0f} s",
        f"{memory / 1e6:.0f} MB" if memory else "-",
        str(outcome.code),
        f"`{shorten(line, 70, placeholder=' ...')}`",
    )
    print("|".join(("", *(f" {cell} " for cell in cells), "")), flush=True)
    return outcome.code in REFUSED and outcome.cpu <= SECONDS and 0 < memory <= MEMORY


@contextmanager
def _made(make: Callable[[Path], object], folder: Path) -> Iterator[Bomb]:
    """Yield a hostile input; some exist only while their process runs."""
    formula = make(folder)
    if isinstance(formula, Bomb):
        yield formula
    else:
        with formula as bomb:  # type: ignore[attr-defined]
            yield bomb


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
