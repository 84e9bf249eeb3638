"""The output of samplers, line by line, to a count and what was drawn."""

from __future__ import annotations

from boardsat.adapters.answer import Status
from boardsat.adapters.dialects.solvers import LITERALS, CountingDialect
from boardsat.base.errors import SolverError


class SamplingDialect(CountingDialect):
    """A count, then a `v` line that ends with 0 for every model or tour that was drawn."""

    def refuse_contradictions(self) -> None:
        super().refuse_contradictions()
        if self.literals or (self.status is Status.SATISFIABLE) != bool(self.samples):
            raise SolverError(
                "the sampler contradicts itself in status and samples", "run it by hand"
            )

    def add_literals(self, text: str) -> None:
        words = text.split()
        if not LITERALS.fullmatch(" ".join(words)):
            raise SolverError("a sample has a word that is not a number", "see its output")
        # A long line comes in pieces.
        self.literals += map(int, words)
        largest = max(map(abs, self.literals), default=0)
        if max(largest, len(self.literals) - 1) > self.variables or 0 in self.literals[:-1]:
            raise SolverError("a sample of another formula or board", "see its output")
        if self.literals[-1:] == [0]:
            self.samples.append(tuple(self.literals[:-1]))
            self.literals.clear()
