"""Parameters of type `graph`: the file that a user names, or a construction: `complete 5`."""

from __future__ import annotations

import os
from collections.abc import Callable

from boardsat.base.errors import InputError
from boardsat.generators.boards._graph_files import Graph, read_graph
from boardsat.generators.graphs.constructions import construct, missed, names_one
from boardsat.generators.graphs.offers import of_kind


def graph_of(kind: str, text: str, place: str, number: Callable[[str], int]) -> Graph:
    """The graph; an error is one of the place, unless it is one of the file."""
    named = names_one(kind, text)
    if not named and (meant := missed(kind, text)) and not os.path.exists(text):  # noqa: PTH110
        raise meant.at(place)
    graph = None if named else read_graph(text, kind)
    try:
        return of_kind(graph or construct(kind, text, number), kind)
    except InputError as error:
        raise error.at(place) from None
