"""Reading files strictly, with all checks: DIMACS of the 14x14 tour, and the other formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bench._measure import Row, best_of, scratch
from boardsat.adapters import formats
from boardsat.adapters.dimacs.reader import validate
from boardsat.generators import build, find, write

TARGET, FORMAT_TARGET = 100, 25
"""Megabytes per second, of DIMACS and of the other formats."""

COMMENTS = 300_000


def run() -> list[Row]:
    with scratch() as folder:
        plain = _written(folder / "tour.cnf", "tour/direct", 14)
        rows = [_row("reading", plain, lambda: validate(plain), TARGET)]
        named = _commented(plain, folder / "named.cnf")
        rows.append(_row("reading with comments", named, lambda: validate(named), TARGET))
        for form, spec, n in (
            ("knf", "tour/direct", 14),
            ("opb", "tour/direct", 14),
            ("wcnf", "queens/squares", 80),
        ):
            path = _written(folder / f"formula.{form}", spec, n)
            read = formats.load(form).read
            rows.append(_row(f"reading {form}", path, lambda: read(path), FORMAT_TARGET))  # noqa: B023
    return rows


def _written(path: Path, spec: str, n: int) -> Path:
    write(build(find(*spec.split("/")), {"n": n}, path.suffix[1:]), str(path))
    return path


def _commented(path: Path, target: Path) -> Path:
    """Write a copy with many comments before the header, as names of variables are."""
    text = path.read_bytes()
    header = text.index(b"p cnf")
    comments = b"".join(b"c variable %d\n" % number for number in range(COMMENTS))
    target.write_bytes(text[:header] + comments + text[header:])
    return target


def _row(name: str, path: Path, read: Callable[[], object], target: int) -> Row:
    seconds, plain = best_of(5, read, path.read_bytes)
    size = path.stat().st_size
    speed = size / seconds / 1e6
    return Row(
        f"{name}, of plain reading",
        f"{speed:,.0f} MB/s",
        f"{size / plain / 1e6:,.0f} MB/s",
        f"{plain / seconds:.0%}",
        f"at least {target} MB/s",
        speed >= target,
    )
