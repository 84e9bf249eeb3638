"""Decision diagram (Een and Sorensson 2006; Abio and others, JAIR 2012): a node is a partial sum.

Partial sums are one node if no values of the remaining inputs distinguish them, so the diagram is
reduced. A node is equivalent to "from this partial sum the bounds are met in the end", by four
clauses, or by six if there are two bounds. A level decides a chain of inputs: the false ones follow
the true ones.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, clean, columns, stack
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import HUGE, MAX_TOKENS

COUNT_PRESERVING = True

MIN_TOKENS_PER_EDGE = 2
"""Minimum average number of tokens of an edge: many nodes turn out to be equal."""


def tokens(weights: Weights, low: int, high: int, limit: int = MAX_TOKENS) -> int:
    made = _make(weights, low, high, limit)
    return len(made[0]) if made else HUGE


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    made = _make(weights, low, high, MAX_TOKENS)
    assert made and (x[0], fresh) == (1, len(x) + 1)
    return made


@lru_cache(maxsize=4)
def _make(weights: Weights, low: int, high: int, limit: int) -> tuple[Tokens, int] | None:
    """Return the clauses over slots from 1 on; None if they have more than about `limit` tokens."""
    diagram = _Diagram(weights, low, high, limit)
    if not diagram.build():
        return None
    slot = len(weights.values)
    first = fresh = slot + 1
    pieces: list[Tokens] = []
    end = diagram.sums[-1]
    values = np.where((low <= end) & (end <= high), TRUE, FALSE)
    for children in reversed(diagram.children):
        following = values[children]
        # From the last input of the chain on: if all are true, the last child follows.
        values = following[:, -1]
        for index in reversed(range(children.shape[1] - 1)):
            nodes, values = _nodes(slot, values, following[:, index], first)
            pieces.append(_define(first, slot, nodes, low > 0, high < diagram.total))
            first += len(nodes[0])
            slot -= 1
    (root,) = values.tolist()
    tokens = np.concatenate([*pieces, stack(columns(np.array([root])))])
    if root == first - 1 >= fresh:
        # The root is true, and so needs no variable.
        tokens[tokens == root], tokens[tokens == -root] = TRUE, FALSE
        first -= 1
    return clean(tokens), first - fresh


def _nodes(x: int, true: Ints, false: Ints, first: int) -> tuple[tuple[Ints, Ints], Ints]:
    """Return the true and the false child of each new node, and the node of every given pair."""
    # A node with equal children is its child; one with constant children is the input.
    nodes = np.where((true == FALSE) & (false == TRUE), -x, true)
    nodes = np.where((true == TRUE) & (false == FALSE), x, nodes)
    is_new = (true != false) & (np.abs(nodes) != x)
    keys = (true[is_new].astype(np.int64) << 32) + false[is_new]
    _, indices, node_of_key = np.unique(keys, return_index=True, return_inverse=True)
    nodes[is_new] = first + node_of_key
    return (true[is_new][indices], false[is_new][indices]), nodes


def _define(first: int, x: int, children: tuple[Ints, Ints], low: bool, high: bool) -> Tokens:
    """Return clauses of "the node is equivalent to its child for the value of x", for all nodes."""
    true, false = children
    node = first + np.arange(len(true))
    if low and high:
        more_clauses = [
            columns(-node, x, false),
            columns(node, -x, -true),
            columns(-node, true, false),
            columns(node, -true, -false),
        ]
    else:
        if low:
            x, true, false = -x, false, true
        # With one bound, the children imply each other in one direction.
        more_clauses = [columns(-node, false), columns(node, -true)]
    return stack(columns(-node, -x, true), columns(node, x, -false), *more_clauses)


class _Diagram:
    """Levels of the diagram, one for each chain: partial sums (nodes) and their children."""

    def __init__(self, weights: Weights, low: int, high: int, limit: int) -> None:
        self.low, self.high, self.total = low, high, sum(weights.values)
        self.steps: list[Ints] = []
        """Partial sums of each chain: total weights of its first 0, 1, 2, ... inputs, up to all."""
        start = 0
        for length in weights.chains:
            chain = weights.values[start : start + length]
            self.steps.append(np.array([*accumulate(chain, initial=0)]))
            start += length
        totals = [int(step[-1]) for step in self.steps]
        self.max_sums = [*accumulate(totals, initial=0)]
        """Largest partial sum on each level."""
        self.sums = [np.zeros(1, np.int64)]
        self.children: list[Ints] = []
        """Number of the child on the next level, for each node and step."""
        self.thresholds = {len(totals): np.array([low, high + 1])}
        """Thresholds by level, for some levels; partial sums between adjacent ones are one node."""
        self.edges_left = limit // MIN_TOKENS_PER_EDGE

    def build(self) -> bool:
        """Build all levels; return False if the diagram is too large.

        Sums are computed from the first level on, and thresholds from the last level back, each
        time those that are fewer, until they meet. Then the remaining sums are computed.
        """
        level, end = 0, len(self.steps)
        while level < end and self.edges_left > 0:
            num_sums = len(self.sums[-1]) * len(self.steps[level])
            num_thresholds = len(self.thresholds[end]) * len(self.steps[end - 1])
            self.edges_left -= min(num_sums, num_thresholds)
            if num_sums <= num_thresholds:
                self._step_forward()
                level += 1
            else:
                end -= 1
                self._step_back(end)
        if self.edges_left > 0 and level:
            self.sums[level], node_of_sum = self._distinct(self.sums[level], level)
            self.children[-1] = node_of_sum[self.children[-1]]
        while level < len(self.steps) and self.edges_left > 0:
            self.edges_left -= len(self.sums[-1]) * len(self.steps[level])
            self._step_forward()
            level += 1
        return self.edges_left > 0

    def _step_forward(self) -> None:
        """Add the level after the last one."""
        level = len(self.children)
        totals = self._decide(self.sums[-1][:, None] + self.steps[level], level + 1)
        sums, node_of_sum = self._distinct(totals.reshape(-1), level + 1)
        self.sums.append(sums)
        self.children.append(node_of_sum.reshape(totals.shape))

    def _step_back(self, level: int) -> None:
        """Compute the thresholds of a level from those of the next one."""
        thresholds = np.unique(self.thresholds[level + 1][:, None] - self.steps[level])
        is_reachable = (thresholds <= self.max_sums[level]) | (thresholds == self.high + 1)
        self.thresholds[level] = thresholds[(thresholds > 0) & is_reachable]

    def _decide(self, sums: Ints, level: int) -> Ints:
        """Replace all sums that cannot meet the bounds by one sum, and all that must by another."""
        remaining = self.total - self.max_sums[level]
        is_met = (sums >= self.low) & (sums + remaining <= self.high)
        is_missed = (sums > self.high) | (sums + remaining < self.low)
        return np.where(is_missed, self.high + 1, np.where(is_met, self.low, sums))

    def _distinct(self, sums: Ints, level: int) -> tuple[Ints, Ints]:
        """Return one sum for each node, and the number of the node for every sum."""
        thresholds = self.thresholds.get(level)
        effects = sums if thresholds is None else np.searchsorted(thresholds, sums, "right")
        _, indices, node_of_sum = np.unique(effects, return_index=True, return_inverse=True)
        return sums[indices], node_of_sum
