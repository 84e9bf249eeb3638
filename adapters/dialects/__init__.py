"""Dialects by their names: that in the file of a solver is the lower-case name of a class."""

from __future__ import annotations

from boardsat.adapters.dialects.sampling import SamplingDialect
from boardsat.adapters.dialects.solvers import (
    AnyDialect,
    ClingoDialect,
    CompetitionDialect,
    CountingDialect,
    DratDialect,
    IncrementalDialect,
    LratDialect,
    MinisatDialect,
    OptimumDialect,
    TourDialect,
)

__all__ = ["DIALECTS", "ClingoDialect", "CompetitionDialect", "DratDialect"]

DIALECTS = {
    c.__name__.removesuffix("Dialect").lower(): c
    for c in (
        CompetitionDialect,
        MinisatDialect,
        AnyDialect,
        CountingDialect,
        SamplingDialect,
        IncrementalDialect,
        OptimumDialect,
        TourDialect,
        DratDialect,
        LratDialect,
        ClingoDialect,
    )
}
