"""Counting without a named counter: exact ones for a short time each, then an estimate.

How long a moment is, the files of the counters say: `trial`, in seconds of CPU time. What fills the
memory of the machine meanwhile is not quick either.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from boardsat.adapters import solvers as solver_files
from boardsat.adapters.answer import Answer, End
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import Limits, choose
from boardsat.adapters.solvers import Solver
from boardsat.counting.workflow import Count, CountRequest, count
from boardsat.problem import Instance, Problem

MEMORY = 2**31
"""Bytes for a trial."""

MOMENT = 0.001
"""Seconds: what is left when all time is over."""

PATIENCE = 4
"""Seconds of wall time for each of CPU time, on a machine that has much to do."""


@dataclass
class Trials:
    """One count: what was tried in vain so far, and the time that is left for all of it."""

    request: CountRequest
    failed: list[str] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def exact(self, instance: Instance) -> Count | None:
        """The count of the first counter that is quick: of the board, or of the formula."""
        for solver in _counters("count", instance):
            where = self._where(solver)
            if where is None:
                continue
            if self.is_late:
                self.failed.append(f"no time was left for {solver.name}")
                continue
            request = self._request(solver, where)
            found = count(instance, request)
            if found.objects is not None:
                return found
            self.failed.append(f"{solver.name} {_why_not(found.answer, request.limits)}")
        return None

    def estimate(self, problem: Problem) -> CountRequest:
        """How to estimate it, in the time that is left."""
        for solver in _counters("estimate", problem):
            if where := self._where(solver):
                return replace(self._request(solver, where), limits=self.left())
        raise AdapterError(
            f"no exact count in a moment, and no estimate: {'; '.join(self.failed)}",
            "pip install 'boardsat[counting]', or wait for an exact one with --counter enumeration",
        )

    def _where(self, solver: Solver) -> str | None:
        try:
            return choose(solver, self.request.runtime)
        except AdapterError:
            self.failed.append(f"{solver.name} cannot run here")
            return None

    def _request(self, solver: Solver, where: str) -> CountRequest:
        left, patience = self.left(), PATIENCE * solver.trial
        limits = Limits(
            min(patience, left.wall or patience),
            min(solver.trial, left.cpu or solver.trial),
            min(MEMORY, left.memory or MEMORY),
        )
        seed = self.request.seed if solver.takes_seed(where) else None
        return replace(self.request, counter=solver.name, seed=seed, limits=limits)

    @property
    def is_late(self) -> bool:
        return self.left().wall == MOMENT

    def left(self) -> Limits:
        """What is left of the limits that were given; a trial that runs into one is the last."""
        limits = self.request.limits
        if limits.wall is None:
            return limits
        spent = time.monotonic() - self.begun
        return replace(limits, wall=max(limits.wall - spent, MOMENT))


def _why_not(answer: Answer, limits: Limits) -> str:
    """In a few words: of a crash, its last ones without their remedy."""
    if answer.end in (End.CPU, End.TIME):
        seconds = limits.cpu if answer.end is End.CPU else limits.wall
        return f"was not done in {seconds:.3g} s"
    return f"gave up ({answer.reason.split(': ')[-1].split(';')[0]})"


def _counters(ability: str, instance: Instance) -> Iterator[Solver]:
    """Those that can do it with what there is, the quickest to give up first."""
    reads = "formula" if isinstance(instance, Problem) else "board"
    solvers = [solver_files.load(name) for name in solver_files.names()]
    for solver in sorted(solvers, key=lambda each: (each.trial, each.name)):
        meant = not solver.problems or instance.header.problem in solver.problems
        tried = solver.trial or ability == "estimate"
        if ability in solver.can and solver.reads == reads and meant and tried:
            yield solver
