"""Clauses in groups, as workers read them: one file, in which each group has a selector."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs.copies import clause_lines
from boardsat.adapters.lazy_cuts.finding import LazyGraph
from boardsat.adapters.mus.selecting import CoreTask
from boardsat.base import scratch

Tokens = npt.NDArray[np.int32]

ROUNDS = 1_000
"""Rounds of cuts for one question, where a file does not say."""


@dataclass(frozen=True)
class GroupedClauses:
    """Each clause is ended by 0; the groups have numbers from 0 on."""

    variables: int
    background: Tokens
    groups: Sequence[Tokens]
    lazy: Mapping[int, LazyGraph]
    """The groups that are more than their clauses: what must be connected."""
    rounds: int = ROUNDS

    def selector(self, group: int) -> int:
        return self.variables + 1 + group

    def group(self, selector: int) -> int:
        return selector - self.variables - 1

    @contextmanager
    def written(self, chosen: Collection[int], seconds: float | None = None) -> Iterator[str]:
        """A task about some of the groups, in a file: the others are not there."""
        numbers = sorted(chosen)
        selectors = [self.selector(number) for number in numbers]
        tokens = [_selected(self.groups[n], self.selector(n)) for n in numbers]
        everything = np.concatenate([self.background, *tokens]).astype(np.int32)
        top = self.variables + len(self.groups)
        head = b"p cnf %d %d\n" % (top, int(np.count_nonzero(everything == 0)))
        graphs = [
            (self.selector(number), type(graph).__name__, graph)
            for number, graph in self.lazy.items()
            if number in chosen
        ]
        with scratch.folder() as folder:
            path, about = folder / "groups.cnf", folder / "task.json"
            scratch.write(path, [head, clause_lines(everything)])
            task = CoreTask(str(path), selectors, graphs, self.rounds, seconds)
            scratch.write(about, [task.written().encode("ascii")])
            yield str(about)


def _selected(tokens: Tokens, selector: int) -> Tokens:
    """The clauses, each with the negated selector before its literals."""
    ends = np.flatnonzero(tokens == 0)
    begins = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    return np.insert(tokens, begins, -selector).astype(np.int32)
