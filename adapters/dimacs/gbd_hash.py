"""The GBD hash of a formula: the MD5 of its clause tokens, joined by single spaces.

Header and comments are not hashed, so files that differ only in them have the same hash. It is the
key of the Global Benchmark Database, and identifies a benchmark across collections. The tokens of
XOR lines are hashed unchanged, including `x`; the database has no such formulas.
"""

from __future__ import annotations

import hashlib

from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.rewrite import CommentFilter


class GbdHash:
    """GBD hash of a strict DIMACS file whose text is passed in blocks, as a `Sink`."""

    def __init__(self) -> None:
        # MD5 is the convention of the field: the hash is a name, not a protection.
        self._digest = hashlib.md5(usedforsecurity=False)
        self._filter = CommentFilter()
        self._separator = b""

    def update(self, block: bytes) -> None:
        tokens = b" ".join(self._filter.clauses_in(block).split())
        if tokens:
            self._digest.update(self._separator + tokens)
            self._separator = b" "

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def gbd_hash(path: str) -> str:
    """Return the GBD hash of a strict DIMACS file, compressed or not, in bounded memory."""
    gbd = GbdHash()
    with open_cnf(path, text=(gbd,)) as cnf:
        for _ in cnf.pieces():
            pass
    return gbd.hexdigest()
