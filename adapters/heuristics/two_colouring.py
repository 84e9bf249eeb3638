"""Colouring argument: if the graph is bipartite, the two classes must have suitable sizes.

A closed tour alternates between the colours and needs as many cells of one as of the other. An open
tour may have one more of the colour that it begins on. This refutes every board with an odd number
of cells.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boardsat.adapters.boards import shortest_cycle
from boardsat.adapters.heuristics import NoTourError, Search
from boardsat.base.text import plural_form, pluralize


def refute(search: Search) -> None:
    """Raise NoTourError if cells are too few or unreachable, or the colours do not fit."""
    if search.inside is not None:
        if search.directed:
            return  # what its first cell does not reach may come before it
        # From outside the board it may begin on either colour.
        _refute(replace(search, neighbours=search.inside, start=0, inside=None), (-1, 0, 1))
        return
    _refute(search, (0,) if search.closed else (0, 1))


def _refute(search: Search, more: tuple[int, ...]) -> None:
    """Raise NoTourError unless the excess of the first cell's colour is one of `more`."""
    least = shortest_cycle(search.directed)
    if search.closed and search.neighbours.cells < least:
        raise NoTourError(f"a closed tour has at least {least} cells")
    if lost := int(np.count_nonzero(search.distances < 0)):
        raise NoTourError(
            f"{pluralize(lost, 'cell')} {plural_form(lost, 'is', 'are')} out of reach"
        )
    if search.colours is None:
        return
    other = int(np.count_nonzero(search.colours))
    own = search.neighbours.cells - other
    if own - other not in more:
        raise NoTourError(f"{own:,} and {pluralize(other, 'cell')} of the two colours")
