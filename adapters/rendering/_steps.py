"""Lines that form one path or cycle as the numbers of its steps, where text cannot draw them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from boardsat.adapters.views.solution import Pair, Solution, Strokes


def step_words(solution: Solution) -> list[str]:
    """The steps of the only lines on their cells; nothing where these are no path."""
    lines = [each for each in solution.everything if isinstance(each, Strokes)]
    if len(lines) != 1 or len(solution.everything) > 1 or lines[0].has_heads:
        return []
    number = {cell: step for step, cell in enumerate(_in_order(lines[0].pairs), 1)}
    return [str(number.get(cell, ".")) for cell in range(solution.board.cells)] if number else []


def _in_order(pairs: Sequence[Pair]) -> list[int]:
    """The cells of one path or cycle, from its first cell or its first end on; or nothing."""
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in pairs:
        beside[a].append(b)
        beside[b].append(a)
    if not beside or max(map(len, beside.values())) > 2:
        return []
    ends = [cell for cell, others in beside.items() if len(others) == 1]
    order = [min(ends or beside)]
    before = -1
    while following := [cell for cell in beside[order[-1]] if cell != before]:
        before = order[-1]
        if (after := min(following)) == order[0]:
            break
        order.append(after)
    return order if len(order) == len(beside) else []
