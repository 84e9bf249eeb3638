"""Problems compared with families of CNFgen: equal variables and equal clauses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from bench._cnfgen import Family, differ, families  # noqa: E402

FAMILIES = pytest.mark.parametrize("family", families(), ids=lambda family: family.name)


@FAMILIES
def test_clauses_equal_cnfgen(family: Family) -> None:
    for size in family.sizes[2:4] or family.sizes:
        assert not differ(family, size), size


@FAMILIES
@pytest.mark.slow
def test_clauses_equal_cnfgen_at_every_size(family: Family) -> None:
    assert len(family.sizes) >= 5 or family.sizes == ({},)
    for size in family.sizes:
        assert not differ(family, size), size


def test_no_family_of_cnfgen_is_missing() -> None:
    """Families listed by the help of CNFgen, except the one that reads a formula from a file."""
    from cnfgen.clitools.cmdline import get_formula_helpers  # type: ignore[import-untyped]

    compared = {family.cnfgen.split()[0] for family in families()}
    assert {helper.name for helper in get_formula_helpers()} - {"dimacs"} == compared
