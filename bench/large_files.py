"""Generation of large files: CPU time of commands, compared with writing the same bytes."""

from __future__ import annotations

from pathlib import Path

from bench._measure import BOARDSAT, Row, best_of, best_process, scratch

CASES = (("hve", 24, (), 0.7, 3), ("cuts", 1000, (), 20.0, 1))
"""Encoding and side of the tour, options, at most how many seconds, and how often it is made."""


def run() -> list[Row]:
    return [_row(*case) for case in CASES]


def _row(encoding: str, side: int, options: tuple[str, ...], seconds: float, times: int) -> Row:
    with scratch() as folder:
        path = folder / "tour.cnf"
        tour = [BOARDSAT, "cnf", "tour", "--enc", encoding, "-n", str(side), *options]
        ours = best_process(times, [*tour, "-o", str(path)], path).cpu
        size = path.stat().st_size
        (theirs,) = best_of(times, lambda: _copy(path, folder / "copy.cnf"))
    return Row(
        f"{encoding} {side}x{side}, {size / 1e6:,.0f} MB, and a copy of it",
        f"{ours:.2f} s ({size / ours / 1e6:,.0f} MB/s)",
        f"{theirs:.2f} s",
        f"{ours / theirs:.1f} times",
        f"at most {seconds:g} s",
        ours <= seconds,
    )


def _copy(source: Path, target: Path) -> None:
    """Through memory, as what is made comes from there."""
    target.unlink(missing_ok=True)
    with source.open("rb") as reader, target.open("wb") as writer:
        while piece := reader.read(2**18):
            writer.write(piece)
    target.unlink()
