"""What is asked about: the spec that a user names, or that of a file, and its formula in words."""

from __future__ import annotations

from typing import Any

from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.dimacs.header_values import MATERIALISED
from boardsat.base.errors import InputError
from boardsat.generators import Formula, Spec, find
from boardsat.generators.clause_groups import GroupedFormula
from boardsat.generators.dimacs.document import preamble
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.formula_file import Instance
from boardsat.instance.header_verification import rebuilds_identically, settings_from_header
from boardsat.instance.inputs import CatalogueInput, FileInput

Asked = tuple[Spec, dict[str, Any]]
"""A spec with its settings."""


def spec_of(source: CatalogueInput) -> Asked:
    """The spec that a user names, or the default of its problem for such a board."""
    return source.spec(SOLVE), dict(source.settings)


def spec_of_file(name: str) -> Asked:
    """The spec that a file was made from: only if that gives the same clauses."""
    with FileInput(name).formula_file(SOLVE) as problem:
        if not rebuilds_identically(problem):
            raise InputError(
                "it cannot be built again from its header, so its clauses have no names",
                "name the problem or the spec, with its settings",
                name,
            )
        header = problem.header
        spec = find(header.problem, header.encoding).from_outside()
        return spec, settings_from_header(spec, header)


def described_formula(formula: GroupedFormula) -> Instance:
    """A formula that is in no file, with all that its comments would tell."""
    whole = Formula(formula.header, formula.named, formula.variables, ())
    lines = preamble(whole, "none").decode("ascii").splitlines()
    comments = tuple(line[2:] for line in lines if line.startswith("c "))
    header = read_header(comments, formula.variables, "", MATERIALISED)
    return Instance("", header, comments, generated_here=True)
