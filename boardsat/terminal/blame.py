"""An error of a setting is told by what made it: `-n 0`, `--set start=z9`, a line of a file."""

from __future__ import annotations

import argparse

from boardsat.base.errors import InputError


def by_option(error: InputError, options: argparse.Namespace) -> InputError:
    """The same error, with the words that the user wrote for its place."""
    given: dict[str, str] = dict(options.filed.places) if "filed" in options else {}
    for word in getattr(options, "set", None) or ():
        given[word.partition("=")[0]] = f"--set {word}"
    if (n := getattr(options, "n", None)) is not None:
        given["n"] = f"-n {n or repr(n)}"
    if (fixed := getattr(options, "fix", None)) is not None:
        given["fix"] = f"--fix {fixed}"
    names = [part.partition("=")[0] for part in error.place.split(", ")]
    if not all(name in given for name in names):
        return error
    return error.at(" ".join(_short(given[name]) for name in names))


def _short(word: str) -> str:
    """A long text, such as a puzzle, by the name of its setting alone."""
    return word if len(word) <= 60 and "\n" not in word.strip() else word.partition("=")[0]
