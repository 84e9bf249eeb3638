"""Names of graph constructions and modifications; graphs of expressions such as `gnm 10 20 1`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from boardsat.base.errors import InputError, prefix_faults
from boardsat.base.limits import current_part
from boardsat.base.text import pluralize
from boardsat.generators.build_limits import MAX_INTEGER

if TYPE_CHECKING:
    from fractions import Fraction

    from boardsat.generators.graphs.labelled_graph import Graph
    from boardsat.generators.schema import Parameter


class GraphFunction(NamedTuple):
    """Function of a module of this package that constructs or modifies a graph."""

    module: str
    parameters: str
    """Parameters as in messages: `P` is a probability, `...` repeats the one before it."""


def _functions(module: str, *usages: str) -> dict[str, GraphFunction]:
    """Return the functions of a module by name, given as `NAME PARAMETER ...`."""
    signatures = (usage.partition(" ") for usage in usages)
    return {name: GraphFunction(module, parameters) for name, _, parameters in signatures}


_DIGRAPHS = _functions("digraphs", "path LENGTH", "tree HEIGHT", "pyramid HEIGHT")

CONSTRUCTIONS: Mapping[str, Mapping[str, GraphFunction]] = {
    "": {
        **_functions("simple", "complete N", "empty N", "path N", "cycle N", "star N"),
        **_functions("simple", "grid A ...", "torus A ..."),
        **_functions("simple", "gnp N P SEED", "gnm N M SEED", "gnd N D SEED"),
        **_functions("cubic", "petersen N K", "flower K", "cubiccuts M N C SEED"),
        **_functions("cubic", "triangulation N SEED", "cubicplanar N SEED"),
    },
    "digraph": _DIGRAPHS,
    "dag": _DIGRAPHS,
    "bipartite": {
        **_functions("bipartite", "complete L R", "empty L R", "shift L R V ..."),
        **_functions("bipartite", "glrp L R P SEED", "glrm L R M SEED"),
        **_functions("bipartite", "glrd L R D SEED", "regular L R D SEED"),
    },
}
"""Constructions by kind of graph, the parameter `kind` of a spec; empty for simple graphs."""

MODIFICATIONS: Mapping[str, Mapping[str, GraphFunction]] = {
    "": {
        **_functions("modifications", "addedges M SEED", "plantclique K SEED", "splitedges K SEED"),
        **_functions("modifications", "plantcycle SEED", "ring M", "xor K SEED", "tutte K SEED"),
    },
    "bipartite": _functions("modifications", "addedges M SEED", "plantbiclique A B SEED"),
}
"""Functions that may follow a construction, by kind of graph."""

EXAMPLES = {"": "complete 5", "digraph": "path 4", "dag": "pyramid 3", "bipartite": "complete 4 3"}
"""Construction of each kind, for messages."""

_ARGUMENT = re.compile(r"-?[0-9]{1,10}|[0-9]{0,10}\.[0-9]{1,18}|[A-Za-z_]\w*", re.ASCII)
_PROBABILITY = "P"


def is_construction(kind: str, text: str) -> bool:
    """Return True if a setting is a construction with arguments, and not the name of a file."""
    name, *arguments = text.split(" ")
    return (
        name in CONSTRUCTIONS[kind] and bool(arguments) and all(map(_ARGUMENT.fullmatch, arguments))
    )


def construction_error(kind: str, text: str) -> InputError | None:
    """Return the error of a setting that was probably meant as a construction, else None."""
    name, *arguments = text.split(" ")
    functions = CONSTRUCTIONS[kind]
    if name in functions and not arguments:
        usage = f"{name} {functions[name].parameters}"
        return InputError(f"the construction `{name}` needs arguments", f"write `{usage}`")
    if name not in functions and any(name in names for names in CONSTRUCTIONS.values()):
        fault = f"`{name}` does not construct a {kind or 'simple'} graph"
        return InputError(fault, f"choose from: {', '.join(functions)}")
    return None


def graph_file_parameters(
    parameters: Iterable[Parameter], settings: Mapping[str, str]
) -> list[str]:
    """Return the names of the parameters whose setting is a graph file."""
    return [
        parameter.name
        for parameter in parameters
        if parameter.type == "graph"
        and parameter.name in settings
        and not is_construction(parameter.kind, settings[parameter.name])
    ]


def construct(kind: str, text: str, number_of: Callable[[str], int]) -> Graph:
    """Return the graph of an expression: a construction, and any number of modifications.

    Parameters
    ----------
    kind : str
        Key of `CONSTRUCTIONS`.
    text : str
        Names and arguments, separated by single spaces: `cycle 9 plantclique n 6`.
    number_of : callable
        Value of an argument that is a name.

    Raises
    ------
    InputError
        If a function is unknown, or an argument is invalid.
    """
    modifications = MODIFICATIONS.get(kind, {})
    with current_part("the graph", text):
        graph: Graph | None = None
        expression = []
        for name, *arguments in _split_calls(text):
            if graph and name not in modifications:
                choices = (
                    f"choose from: {', '.join(modifications)}" if modifications else "remove it"
                )
                raise InputError(f"`{name}` does not modify a {kind or 'simple'} graph", choices)
            function = (modifications if graph else CONSTRUCTIONS[kind])[name]
            with prefix_faults(name):
                numbers = _parse_arguments(name, function.parameters, arguments, number_of)
                module = importlib.import_module(f"{__package__}.{function.module}")
                graph = getattr(module, name)(*((graph,) if graph else ()), *numbers)
            expression += [name, *map(_canonical_argument, arguments, numbers)]
    assert graph is not None
    return replace(graph, construction=" ".join(expression))


def _split_calls(text: str) -> list[list[str]]:
    """Split an expression before each modification; each part is a name and its arguments."""
    first, *tokens = text.split(" ")
    calls = [[first]]
    for token in tokens:
        if any(token in functions for functions in MODIFICATIONS.values()):
            calls.append([])
        calls[-1].append(token)
    return calls


def _parse_arguments(
    name: str, usage: str, arguments: list[str], number_of: Callable[[str], int]
) -> list[int | Fraction]:
    parameters = usage.split()
    is_variadic = parameters[-1] == "..."
    minimum = len(parameters) - is_variadic
    if len(arguments) < minimum or (len(arguments) > minimum and not is_variadic):
        expected = f"{'at least ' if is_variadic else ''}{pluralize(minimum, 'argument')}"
        raise InputError(f"expected {expected} (got {len(arguments)})", f"write `{name} {usage}`")
    return [
        _probability(argument, number_of)
        if parameters[min(index, minimum - 1)] == _PROBABILITY
        else _integer(argument, number_of)
        for index, argument in enumerate(arguments)
    ]


def _integer(text: str, number_of: Callable[[str], int]) -> int:
    if "." in text:
        raise InputError(f"{text} is not an integer", f"try {text.partition('.')[0] or 0}")
    number = int(text) if text.lstrip("-").isdigit() else number_of(text)
    if abs(number) > MAX_INTEGER:
        raise InputError(f"{number} is too large", f"the limit is {MAX_INTEGER}")
    return number


def _probability(text: str, number_of: Callable[[str], int]) -> Fraction:
    from fractions import Fraction

    probability = Fraction(text) if text[0] in "0123456789." else Fraction(number_of(text))
    if not 0 <= probability <= 1:
        raise InputError(f"p must be between 0 and 1 (got {text})", "write a number such as 0.5")
    return probability


def _canonical_argument(text: str, number: int | Fraction) -> str:
    """Return an argument for the header: its digits as written, or the value of a name."""
    return text if text[0] in "0123456789." else str(number)
