"""Our problems beside CNFgen's families: the same variables, and the same clauses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from bench._cnfgen import Family, as_set, families, ours, theirs  # noqa: E402

FAMILIES = pytest.mark.parametrize("family", families(), ids=lambda family: family.name)


def compare(family: Family, sizes: slice) -> None:
    for size in family.sizes[sizes]:
        our_variables, our_clauses = ours(family, size)
        their_variables, their_clauses = theirs(family, size)
        assert our_variables == their_variables, size
        if family.order:
            assert our_clauses == their_clauses, size
        else:
            assert as_set(our_clauses) == as_set(their_clauses), size


@FAMILIES
def test_clauses_are_those_of_cnfgen(family: Family) -> None:
    compare(family, slice(2, 4))


@FAMILIES
@pytest.mark.slow
def test_clauses_are_those_of_cnfgen_at_every_size(family: Family) -> None:
    assert len(family.sizes) >= 5
    compare(family, slice(None))
