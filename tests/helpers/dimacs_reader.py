"""Helpers for tests of the DIMACS reader."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from hypothesis import strategies as st

from boardsat.adapters.dimacs import reader, text
from boardsat.adapters.dimacs.reader import DimacsError, Summary, open_cnf
from boardsat.adapters.dimacs.tokens import MAX_INTEGER

Clauses = list[list[int]]


@pytest.fixture(autouse=True, scope="module")
def scan_all() -> Iterator[None]:
    """Scan even the smallest block, which would be read by lines."""
    with mock.patch.object(reader, "_MIN_SCAN_BYTES", 0):
        yield


def split(literals: list[int]) -> Clauses:
    clauses: Clauses = [[]]
    for literal in literals:
        if literal:
            clauses[-1].append(literal)
        else:
            clauses.append([])
    assert clauses.pop() == [], "an array must end with its last clause"
    return clauses


def read(
    path: Path | str, strict: bool = True, block_bytes: int = text.BLOCK_BYTES
) -> tuple[Clauses, list[str], Summary]:
    clauses: Clauses = []
    with open_cnf(path, strict=strict, block_bytes=block_bytes) as cnf:
        for literals in cnf.chunks():
            assert literals.dtype == np.int32
            assert len(literals)
            clauses += split(literals.tolist())
        return clauses, [*cnf.comments, *cnf.later_comments], cnf.summary()


def outcome(data: bytes, strict: bool, block_bytes: int = text.BLOCK_BYTES) -> object:
    """Return the formula read from memory, or the text of the error."""
    stdin = SimpleNamespace(buffer=io.BytesIO(data))
    with mock.patch.object(sys, "stdin", stdin):
        try:
            return read("-", strict, block_bytes)
        except DimacsError as error:
            assert len(str(error).splitlines()) == 1
            return str(error)


numbers = st.integers(-MAX_INTEGER, MAX_INTEGER).map(str)
