"""The output of a solver as lines, however it came in pieces, and however long a line is."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_LINE = 2**20
"""Longer lines come in pieces; a model on one line can be as long as the formula."""

_ATOM = re.compile(r"[a-z]\w*\(-?\d")
"""How a line of atoms begins."""


def lines_of(pieces: Iterable[bytes]) -> Iterable[str]:
    """Lines from pieces of output, however they were cut; no digits but 0 to 9 are digits."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece.replace(b"\r", b"")).split(b"\n")
        for line in whole:
            yield line.decode("ascii", "replace")
        if len(rest) > LONGEST_LINE:
            # Between two words, so that no number is cut.
            cut = rest.rfind(b" ", 2) + 1 or len(rest)
            yield rest[:cut].decode("ascii", "replace")
            rest = _continued(rest) + rest[cut:]
    if rest:
        yield rest.decode("ascii", "replace")


def _continued(line: bytes) -> bytes:
    """What the next piece of a long line begins with, to be read like the piece before."""
    bare = line[:1] in b" -0123456789" or _ATOM.match(line.decode("utf-8", "replace"))
    return b"v " if line[:2] == b"v " else b"" if bare else b"c "
