"""Colouring argument: the sizes of the two classes of a bipartite graph may exclude a tour.

A closed tour alternates between the colours and needs as many cells of one as of the other. An open
tour may have one more of the colour that it begins on. For a knight this excludes closed tours of
every rectangle with an odd number of cells.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boardsat.adapters.boards import shortest_cycle
from boardsat.adapters.heuristics import NoTourError, Search
from boardsat.base.text import plural_form, pluralize


def refute(search: Search) -> None:
    """Raise NoTourError if the cells are too few or unreachable, or their colours exclude a tour.

    Parameters
    ----------
    search : Search
        Board and start.
    """
    if search.board_neighbours is None:
        _refute(search, (0,) if search.closed else (0, 1))
    elif not search.directed:
        # A tour from any cell may begin on either colour. On a directed graph, cells that the
        # first cell does not reach may precede it.
        search = replace(search, neighbours=search.board_neighbours, start=0, board_neighbours=None)
        _refute(search, (-1, 0, 1))


def _refute(search: Search, possible_excesses: tuple[int, ...]) -> None:
    """Raise NoTourError unless the excess of the start's colour is a possible one."""
    min_cells = shortest_cycle(search.directed)
    if search.closed and search.neighbours.cells < min_cells:
        raise NoTourError(f"a closed tour has at least {min_cells} cells")
    if unreachable := int(np.count_nonzero(search.distances < 0)):
        verb = plural_form(unreachable, "is", "are")
        raise NoTourError(f"{pluralize(unreachable, 'cell')} {verb} unreachable")
    if search.colours is None:
        return
    other_colour = int(np.count_nonzero(search.colours))
    start_colour = search.neighbours.cells - other_colour
    if start_colour - other_colour not in possible_excesses:
        raise NoTourError(
            f"{start_colour:,} and {pluralize(other_colour, 'cell')} of the two colours"
        )
