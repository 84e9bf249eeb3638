"""The GBD hash of a formula: the MD5 of its clause tokens, joined by single spaces.

Header and comments are left out, so files that differ in them alone have the same hash. It is the
key of the Global Benchmark Database, and names a benchmark across collections.
"""

from __future__ import annotations

import hashlib

from boardsat.adapters.dimacs.copies import without_comments
from boardsat.adapters.dimacs.reader import validate
from boardsat.adapters.dimacs.text import opened


def gbd_hash(path: str) -> str:
    """Of a strict DIMACS file, compressed or not; streamed, in bounded memory."""
    validate(path)
    # No part in a protocol that must be safe: the field has agreed on it as a name.
    digest = hashlib.md5(usedforsecurity=False)
    between = b""
    with opened(path) as blocks:
        for text in without_comments(blocks):
            tokens = b" ".join(text.split())
            if tokens:
                digest.update(between + tokens)
                between = b" "
    return digest.hexdigest()
