"""Decision diagram (Een and Sorensson 2006; Abio and others, JAIR 2012): a node is a sum so far.

Sums so far that the rest cannot tell apart are one node, so the diagram is the reduced one. Each
is equivalent to "with such a sum so far the bounds hold in the end", by four clauses, or by six
where there are two bounds. After a false input of a chain, the rest of the chain is passed over.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, clean, columns, stack
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import HUGE, MOST

COUNT_PRESERVING = True

NODE = 2
"""Tokens that a node takes at least, on average: many turn out to be the same."""


def tokens(weights: Weights, low: int, high: int, most: int = MOST) -> int:
    made = _made(weights, low, high, most)
    return len(made[0]) if made else HUGE


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    made = _made(weights, low, high, MOST)
    assert made and (x[0], fresh) == (1, len(x) + 1)
    return made


@lru_cache(maxsize=4)
def _made(weights: Weights, low: int, high: int, most: int) -> tuple[Tokens, int] | None:
    """The clauses over slots from 1 on; none where they are more than `most` tokens, about."""
    diagram = _Diagram(weights, low, high, most)
    if not diagram.draw():
        return None
    slot = len(weights.each)
    first = fresh = slot + 1
    parts: list[Tokens] = []
    end = diagram.sums[-1]
    values = np.where((low <= end) & (end <= high), TRUE, FALSE)
    for children in reversed(diagram.children):
        following = values[children]
        # From the last input of the chain on: if all are true, what follows is the last child.
        values = following[:, -1]
        for place in reversed(range(children.shape[1] - 1)):
            nodes, values = _choices(slot, values, following[:, place], first)
            parts.append(_equivalent(first, slot, nodes, low > 0, high < diagram.total))
            first += len(nodes[0])
            slot -= 1
    (root,) = values.tolist()
    made = np.concatenate([*parts, stack(columns(np.array([root])))])
    if root == first - 1 >= fresh:
        # The first node holds, and so needs no variable.
        made[made == root], made[made == -root] = TRUE, FALSE
        first -= 1
    return clean(made), first - fresh


def _choices(x: int, true: Ints, false: Ints, first: int) -> tuple[tuple[Ints, Ints], Ints]:
    """What follows a true and a false input at each different node, and which node each is."""
    # Where nothing depends on the input, it is what follows; where all does, the input itself.
    nodes = np.where((true == FALSE) & (false == TRUE), -x, true)
    nodes = np.where((true == TRUE) & (false == FALSE), x, nodes)
    fresh = (true != false) & (np.abs(nodes) != x)
    keys = (true[fresh].astype(np.int64) << 32) + false[fresh]
    _, places, which = np.unique(keys, return_index=True, return_inverse=True)
    nodes[fresh] = first + which
    return (true[fresh][places], false[fresh][places]), nodes


def _equivalent(first: int, x: int, nodes: tuple[Ints, Ints], low: bool, high: bool) -> Tokens:
    """Each node from `first` on is what follows its input, true or false."""
    true, false = nodes
    node = first + np.arange(len(true))
    if low and high:
        either = [
            columns(-node, x, false),
            columns(node, -x, -true),
            columns(-node, true, false),
            columns(node, -true, -false),
        ]
    else:
        if low:
            x, true, false = -x, false, true
        # A sum so far that is good enough with one more is so without; or the other way round.
        either = [columns(-node, false), columns(node, -true)]
    return stack(columns(-node, -x, true), columns(node, x, -false), *either)


class _Diagram:
    """Level by level, one for every chain, the sums so far that matter and where each leads."""

    def __init__(self, weights: Weights, low: int, high: int, most: int) -> None:
        self.low, self.high, self.total = low, high, sum(weights.each)
        self.steps: list[Ints] = []
        """For every chain what its first inputs count together: none, one, two, all of them."""
        start = 0
        for length in weights.chains:
            each = weights.each[start : start + length]
            self.steps.append(np.array([*accumulate(each, initial=0)]))
            start += length
        totals = [int(step[-1]) for step in self.steps]
        self.before = [*accumulate(totals, initial=0)]
        self.sums = [np.zeros(1, np.int64)]
        self.children: list[Ints] = []
        """Of every node, for each of those steps, the number of the node on the next level."""
        self.edges = {len(totals): np.array([low, high + 1])}
        """Of some levels where sums begin that the rest tells apart from lesser ones."""
        self.room = most // NODE

    def draw(self) -> bool:
        """Sums from the start and edges from the end grow, the fewer of them first, and meet."""
        level, end = 0, len(self.steps)
        while level < end and self.room > 0:
            forth = len(self.sums[-1]) * len(self.steps[level])
            back = len(self.edges[end]) * len(self.steps[end - 1])
            self.room -= min(forth, back)
            if forth <= back:
                self._step()
                level += 1
            else:
                end -= 1
                self._step_back(end)
        if self.room > 0 and level:
            kept, which = self._told_apart(self.sums[level], level)
            self.sums[level] = kept
            self.children[-1] = which[self.children[-1]]
        while level < len(self.steps) and self.room > 0:
            self.room -= len(self.sums[-1]) * len(self.steps[level])
            self._step()
            level += 1
        return self.room > 0

    def _step(self) -> None:
        """From the last level to the next."""
        level = len(self.children)
        totals = self._settled(self.sums[-1][:, None] + self.steps[level], level + 1)
        kept, which = self._told_apart(totals.reshape(-1), level + 1)
        self.sums.append(kept)
        self.children.append(which.reshape(totals.shape))

    def _step_back(self, level: int) -> None:
        """From the edges of the next level to those of this one."""
        edges = np.unique(self.edges[level + 1][:, None] - self.steps[level])
        matter = (edges > 0) & ((edges <= self.before[level]) | (edges == self.high + 1))
        self.edges[level] = edges[matter]

    def _settled(self, sums: Ints, level: int) -> Ints:
        """One sum for all from which the bounds cannot be met, one for those that meet them."""
        rest = self.total - self.before[level]
        met = (sums >= self.low) & (sums + rest <= self.high)
        missed = (sums > self.high) | (sums + rest < self.low)
        return np.where(missed, self.high + 1, np.where(met, self.low, sums))

    def _told_apart(self, sums: Ints, level: int) -> tuple[Ints, Ints]:
        """One sum of each kind, and the number of the kind of every sum."""
        edges = self.edges.get(level)
        kinds = sums if edges is None else np.searchsorted(edges, sums, "right")
        _, places, which = np.unique(kinds, return_index=True, return_inverse=True)
        return sums[places], which
