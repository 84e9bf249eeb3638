"""The GBD hash of a formula: the MD5 of its clause tokens, joined by single spaces.

Header and comments are left out, so files that differ in them alone have the same hash. It is the
key of the Global Benchmark Database, and names a benchmark across collections. Of xor lines the
tokens are hashed as they stand, `x` included: the database has none.
"""

from __future__ import annotations

import hashlib

from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.rewrite import BareText


class GbdHash:
    """The hash of a strict DIMACS file whose text goes by, in blocks."""

    def __init__(self) -> None:
        # No part in a protocol that must be safe: the field has agreed on it as a name.
        self._digest = hashlib.md5(usedforsecurity=False)
        self._bare = BareText()
        self._between = b""

    def update(self, block: bytes) -> None:
        tokens = b" ".join(self._bare.of(block).split())
        if tokens:
            self._digest.update(self._between + tokens)
            self._between = b" "

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def gbd_hash(path: str) -> str:
    """Of a strict DIMACS file, compressed or not; streamed, in bounded memory."""
    found = GbdHash()
    with open_cnf(path, text=(found,)) as cnf:
        for _ in cnf.pieces():
            pass
    return found.hexdigest()
