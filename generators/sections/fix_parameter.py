"""The one parameter that every spec takes: `fix`, which is there only if somebody chooses it."""

from __future__ import annotations

from collections.abc import Container

from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import Parameter

FIX = "fix"
MEANS = "what must hold or must not, in words of the board: a1, !c3, a1=5, a1-b3"


def with_fix(parameters: tuple[Parameter, ...], chosen: Container[str]) -> tuple[Parameter, ...]:
    """The parameters of a spec, and this one; a spec may have one of its own that is called so."""
    if FIX not in chosen or any(parameter.name == FIX for parameter in parameters):
        return parameters
    default = ExpressionText("", "")
    return (*parameters, Parameter(FIX, "text", default, None, None, (), MEANS, ""))
