"""Helpers for tests of bad input."""

from __future__ import annotations


def one_line(err: str) -> str:
    """The one line on standard error, after its form was checked."""
    assert err.startswith("boardsat: ")
    assert err.endswith("\n") and err.count("\n") == 1
    fault, semicolon, remedy = err.removeprefix("boardsat: ").rstrip("\n").partition("; ")
    assert fault and semicolon and remedy, f"no remedy in {err!r}"
    assert err.rstrip("\n").isprintable()
    assert "Traceback" not in err
    return err.rstrip("\n")
