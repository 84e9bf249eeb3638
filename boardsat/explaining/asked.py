"""Whose constraints are asked about: the spec that a user names, or that of a file."""

from __future__ import annotations

from typing import Any

from boardsat.adapters.errors import AdapterError
from boardsat.generators import Spec, find
from boardsat.generators.defaults import SOLVE
from boardsat.rebuilding import is_built_alike, settings_again
from boardsat.sources import File, Named

Asked = tuple[Spec, dict[str, Any]]
"""A spec with its settings."""


def spec_of(source: Named) -> Asked:
    """The spec that a user names, or the default of its problem for such a board."""
    return source.spec(SOLVE), dict(source.settings)


def spec_of_file(name: str) -> Asked:
    """The spec that a file was made from: only if that gives the same clauses."""
    with File(name).opened(SOLVE) as problem:
        if not is_built_alike(problem):
            raise AdapterError(
                "it cannot be built again from its header, so its clauses have no names",
                "name the problem or the spec, with its settings",
                name,
            )
        header = problem.header
        spec = find(header.problem, header.encoding)
        return spec, settings_again(spec, header)
