"""Input of `boardsat solve` that prints the size of a large formula."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from boardsat.base.text import pluralize
from boardsat.instance.inputs import CatalogueInput
from boardsat.terminal.progress import Spinner

if TYPE_CHECKING:
    from boardsat.generators import Formula

LARGE_FORMULA_CLAUSES = 10_000_000
"""Minimum number of clauses for printing the size; usual instances have a hundredth of it."""


class AnnouncedInput(CatalogueInput):
    """Input that prints the size of a large formula: writing it takes minutes and gigabytes."""

    def formula(self, purpose: str) -> Formula:
        with Spinner(f"building the formula of {self.name}"):
            formula = super().formula(purpose)
        if formula.clauses >= LARGE_FORMULA_CLAUSES:
            variables = pluralize(formula.variables, "variable")
            size = f"{variables}, {pluralize(formula.clauses, 'clause')}"
            print(f"boardsat: {formula.header.stem}: {size}", file=sys.stderr, flush=True)
        return formula
