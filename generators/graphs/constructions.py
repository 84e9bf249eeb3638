"""Constructions by name: what each takes, which texts name one, and the graph that a text names."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.base.limits import current_part
from boardsat.base.text import pluralize
from boardsat.generators.build_limits import MAX_INTEGER

if TYPE_CHECKING:
    from fractions import Fraction

    from boardsat.generators.graphs.labelled_graph import Graph
    from boardsat.generators.schema import Parameter

SIMPLE = {
    "complete": "N",
    "empty": "N",
    "path": "N",
    "cycle": "N",
    "star": "N",
    "grid": "A ...",
    "torus": "A ...",
    "gnp": "N P SEED",
    "gnm": "N M SEED",
    "gnd": "N D SEED",
}
CUBIC = {"petersen": "N K", "flower": "K", "cubiccuts": "M N C SEED"}
PLANAR = {"triangulation": "N SEED", "cubicplanar": "N SEED"}
DIRECTED = {"path": "LENGTH", "tree": "HEIGHT", "pyramid": "HEIGHT"}
BIPARTITE = {
    "complete": "L R",
    "empty": "L R",
    "shift": "L R V ...",
    "glrp": "L R P SEED",
    "glrm": "L R M SEED",
    "glrd": "L R D SEED",
    "regular": "L R D SEED",
}
Files = Mapping[str, Mapping[str, str]]
"""By the file that has them: names, and the arguments of each."""

KINDS: Mapping[str, Files] = {
    "": {"simple": SIMPLE, "cubic": CUBIC, "planar": PLANAR},
    "digraph": {"digraphs": DIRECTED},
    "dag": {"digraphs": DIRECTED},
    "bipartite": {"bipartite": BIPARTITE},
}
"""The constructions of every kind of graph."""

CHANGES: Mapping[str, Files] = {
    "": {
        "modifications": {
            "addedges": "M SEED",
            "plantclique": "K SEED",
            "splitedges": "K SEED",
            "plantcycle": "SEED",
            "ring": "M",
            "xor": "K SEED",
            "tutte": "K SEED",
        },
    },
    "bipartite": {"modifications": {"addedges": "M SEED", "plantbiclique": "A B SEED"}},
}
"""What may follow a construction."""

EXAMPLES = {"": "complete 5", "digraph": "path 4", "dag": "pyramid 3", "bipartite": "complete 4 3"}

_WORD = re.compile(r"-?[0-9]{1,10}|[0-9]{0,10}\.[0-9]{1,18}|[A-Za-z_]\w*", re.ASCII)
PROBABILITY = "P"


def names_one(kind: str, text: str) -> bool:
    """Whether it is a construction, and not the name of a file: a name, and at least one word."""
    name, *arguments = text.split(" ") if text else [""]
    known = _arguments_of(KINDS[kind])
    return name in known and bool(arguments) and all(map(_WORD.fullmatch, arguments))


def missed(kind: str, text: str) -> InputError | None:
    """What is wrong with a text that is not the name of one, but was perhaps meant to be."""
    name, *arguments = text.split(" ") if text else [""]
    known = _arguments_of(KINDS[kind])
    if name in known and not arguments:
        return InputError(f"`{name}` lacks its arguments", f"write `{name} {known[name]}`")
    if name not in known and any(name in _arguments_of(files) for files in KINDS.values()):
        fault = f"`{name}` constructs no {kind or 'simple'} graph"
        return InputError(fault, f"choose from: {', '.join(known)}")
    return None


def named_files(parameters: Iterable[Parameter], settings: Mapping[str, str]) -> list[str]:
    """The parameters that are set to the name of a file, which a graph is read from."""
    return [
        each.name
        for each in parameters
        if each.type == "graph"
        and each.name in settings
        and not names_one(each.kind, settings[each.name])
    ]


def construct(kind: str, text: str, number: Callable[[str], int]) -> Graph:
    """The graph that a text names; a word that is no number is a name of one.

    After the construction may stand changes of it, each with its own arguments.
    """
    changes = _arguments_of(CHANGES.get(kind, {}))
    with current_part("the graph", text):
        made: Graph | None = None
        shown = []
        for name, *words in _steps(text.split(" ")):
            if made and name not in changes:
                fault = f"`{name}` does not go with a {kind or 'simple'} graph"
                raise InputError(
                    fault, f"choose from: {', '.join(changes)}" if changes else "omit it"
                )
            files = (CHANGES if made else KINDS)[kind]
            arguments = _arguments(name, words, _arguments_of(files)[name], number)
            file = next(file for file, names in files.items() if name in names)
            module = importlib.import_module(f"{__package__}.{file}")
            made = getattr(module, name)(*((made,) if made else ()), *arguments)
            shown += [name, *map(_shown, words, arguments)]
    assert made is not None
    return replace(made, construction=" ".join(shown))


def _arguments_of(files: Files) -> dict[str, str]:
    return {name: pattern for names in files.values() for name, pattern in names.items()}


def _steps(words: list[str]) -> list[list[str]]:
    """A construction and its changes, each a name with its words."""
    found = [words[:1]]
    for word in words[1:]:
        if any(word in _arguments_of(files) for files in CHANGES.values()):
            found.append([])
        found[-1].append(word)
    return found


def _arguments(
    name: str, words: list[str], pattern: str, number: Callable[[str], int]
) -> list[int | Fraction]:
    wanted = pattern.split()
    least = len(wanted) - (wanted[-1] == "...")
    if len(words) < least or (len(words) > least and wanted[-1] != "..."):
        fault = f"`{name}` has {pluralize(len(words), 'argument')}"
        raise InputError(fault, f"write `{name} {pattern}`")
    return [
        _probability(word, number)
        if wanted[min(place, least - 1)] == PROBABILITY
        else _whole(word, number)
        for place, word in enumerate(words)
    ]


def _whole(word: str, number: Callable[[str], int]) -> int:
    if "." in word:
        raise InputError(f"{word} is not a whole number", "write digits alone")
    value = int(word) if word.lstrip("-").isdigit() else number(word)
    if abs(value) > MAX_INTEGER:
        raise InputError(f"{value} is too large", f"the limit is {MAX_INTEGER}")
    return value


def _probability(word: str, number: Callable[[str], int]) -> Fraction:
    from fractions import Fraction

    value = Fraction(word) if word[0] in "0123456789." else Fraction(number(word))
    if not 0 <= value <= 1:
        raise InputError(f"{word} is not a probability", "write a number from 0 to 1, such as 0.5")
    return value


def _shown(word: str, value: int | Fraction) -> str:
    """As it is written in the header of a file: numbers alone."""
    return word if word[0] in "0123456789." else str(value)
