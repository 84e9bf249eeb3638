"""Versions of programs: asked once, and kept with the identity of the image or the file.

The label of an image has the version of a package, and programs know better: CaDiCaL 1.7.4 of
Debian calls itself 1.7.3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from boardsat.base import user_cache
from boardsat.base.errors import BoardsatError

_LONGEST = 100


def said(image: str, line: Sequence[str], ask: Callable[[], str]) -> str:
    """What the program of an image answers to this command line; empty where it says nothing.

    For a program on PATH it is the file instead of the image, and its packages.
    """
    asked = hashlib.sha256(" ".join((image, *line)).encode()).hexdigest()[:32]
    name = f"version-{asked}"
    known = user_cache.content(name)[:_LONGEST].decode("utf-8", "replace")
    if known.endswith("\n") and known[:-1].isprintable():
        return known[:-1]
    try:
        version = ask()[: _LONGEST - 1]
    except BoardsatError:
        return ""
    user_cache.keep(name, f"{version}\n".encode())
    return version
