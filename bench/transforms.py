"""Files transformed or compressed, against the same file as it is: CPU time of commands."""

from __future__ import annotations

from bench._measure import BOARDSAT, Row, best_process, scratch

REPETITIONS = 3
TOUR = (BOARDSAT, "cnf", "tour", "--enc")

CASES = (
    ("unary", ".cnf", ("--propagate",), 1.0),
    ("direct", ".cnf", ("--shuffle", "1"), 2.0),
    ("unary", ".cnf.gz", (), 5.0),
    ("unary", ".cnf.xz", (), 5.0),
)
"""Encoding of the 14x14 tour, ending of the file, options, and at most how many seconds."""


def run() -> list[Row]:
    return [_row(*case) for case in CASES]


def _row(encoding: str, ending: str, options: tuple[str, ...], seconds: float) -> Row:
    with scratch() as folder:
        plain, changed = folder / "plain.cnf", folder / f"other{ending}"
        tour = (*TOUR, encoding, "-n", "14")
        theirs = best_process(REPETITIONS, [*tour, "-o", str(plain)], plain).cpu
        size = plain.stat().st_size
        ours = best_process(REPETITIONS, [*tour, *options, "-o", str(changed)], changed).cpu
    what = " ".join(options) or ending.removeprefix(".cnf")
    return Row(
        f"{encoding} 14x14 {what}, {size / 1e6:.0f} MB, and as it is",
        f"{ours:.2f} s ({size / ours / 1e6:,.0f} MB/s)",
        f"{theirs:.2f} s",
        f"{ours / theirs:.1f} times",
        f"at most {seconds:g} s",
        ours <= seconds,
    )
