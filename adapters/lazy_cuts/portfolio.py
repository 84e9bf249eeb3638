"""Portfolio for Hamiltonian cycles: methods in slices that grow, on one graph and one formula.

Slices are measured in rounds, conflicts and combinations, not in seconds, so that a seed gives the
same answer on any machine. A method continues in its next slice where it stopped. The process of
the incremental solver runs the portfolio.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from boardsat.adapters.lazy_cuts.two_factor import CycleGraph

Clause = list[int]

CUTS, TREE_DECOMPOSITION, CONTRACTION = "cuts", "tree decomposition", "contraction"

UNLIMITED = 2**62

MIN_ROUNDS = 300
"""Minimum round limit of a formula for using the portfolio; below it, only cuts are tried."""

PORTFOLIO: tuple[tuple[str, dict[str, int]], ...] = (
    (CUTS, {"rounds": 20, "conflicts": 5_000}),
    (TREE_DECOMPOSITION, {"combinations": 200_000_000}),
    (CONTRACTION, {"rounds": 100, "conflicts": 8_000}),
    (CUTS, {"rounds": 100, "conflicts": 20_000}),
    (CONTRACTION, {"rounds": 300, "conflicts": 40_000}),
    (CUTS, {"rounds": 300, "conflicts": 60_000}),
    (CONTRACTION, {"rounds": 1_000, "conflicts": 500_000}),
    (TREE_DECOMPOSITION, {"combinations": 2_000_000_000}),
    (CUTS, {"rounds": 2_000, "conflicts": 500_000}),
    (CONTRACTION, {"rounds": 10_000, "conflicts": 5_000_000}),
    (CUTS, {"rounds": UNLIMITED, "conflicts": UNLIMITED}),
)
"""Slices in their order: a method, and limits on its work in all slices so far. A method that does
not support the graph is skipped. The workflow passes this table to the process of the solver."""


class Result(NamedTuple):
    """Result of a method: a model of the formula with its cuts, or a refutation."""

    model: Clause | None
    """Literals of the model. None if the formula with its cuts is unsatisfiable."""


class LimitedSolver(Protocol):
    """Incremental SAT solver whose calls can be limited in conflicts."""

    def add(self, clauses: Iterable[Clause]) -> None: ...

    def model(self, assumptions: Iterable[int] = ()) -> Clause | None: ...

    def limited_model(self, conflicts: int) -> tuple[bool, Clause | None]:
        """Return whether the formula was decided within a number of conflicts, and its model."""
        ...

    def conflicts(self) -> int:
        """Return the number of conflicts so far."""
        ...


class Method(Protocol):
    """Method of the portfolio; raises UnsuitableGraphError for graphs that it does not support."""

    def advance(self, limits: dict[str, int]) -> Result | None:
        """Continue up to the limits in all slices; return None if it decided nothing."""
        ...

    def work(self) -> dict[str, int]:
        """Return the work in all slices, in the units of the limits."""
        ...


class UnsuitableGraphError(Exception):
    """Graph that a method does not support."""


class CycleTask(NamedTuple):
    """Formula whose models are 2-factors of a graph, and a solver that has its clauses."""

    graph: CycleGraph
    solver: LimitedSolver
    units: frozenset[int]
    """Unit clauses of the formula."""
    new_solver: Callable[[], LimitedSolver]
    """Function that returns a solver without clauses."""
    first_model: Clause | None = None
    """Model that the first round of cuts begins with, instead of one that the solver finds."""


class Cuts:
    """Rounds of solving, joining the cycles of the 2-factor, and adding subtour cuts."""

    def __init__(self, task: CycleTask) -> None:
        self.task = task
        self.rounds = 0
        self.is_joined = False
        self.first_model = task.first_model

    def work(self) -> dict[str, int]:
        return {"rounds": self.rounds, "conflicts": self.task.solver.conflicts()}

    def advance(self, limits: dict[str, int]) -> Result | None:
        solver, graph = self.task.solver, self.task.graph
        while self.rounds < limits["rounds"]:
            conflicts_left = limits["conflicts"] - solver.conflicts()
            if conflicts_left <= 0:
                break
            model, self.first_model = self.first_model, None
            if model is None:
                is_decided, model = solver.limited_model(conflicts_left)
                if not is_decided:
                    break
            self.rounds += 1
            if model is None:
                return Result(None)
            factor = graph.two_factor(model)
            if factor is None:
                raise UnsuitableGraphError
            if len(factor.cycles) == 1:
                return Result(model)
            cuts = factor.cuts()
            num_cycles = len(factor.cycles)
            factor.join()
            if len(factor.cycles) == 1:
                joined_model = model_of_cycle(self.task, factor.edges())
                if joined_model is not None:
                    self.is_joined = True
                    return Result(joined_model)
            elif len(factor.cycles) < num_cycles:
                cuts += factor.cuts()
            for cut in cuts:
                print("c cut", *cut, 0)
            solver.add(cuts)
        return None


class TreeDecomposition:
    """Dynamic programming over a tree decomposition of small width."""

    def __init__(self, task: CycleTask) -> None:
        from boardsat.adapters.lazy_cuts import tree_decomposition

        self.task = task
        edges = {
            ends: variable
            for variable, ends in task.graph.ends.items()
            if -variable not in task.units
        }
        elimination = tree_decomposition.eliminate(task.graph.vertices, edges)
        if not elimination.is_complete:
            raise UnsuitableGraphError
        required = [ends for ends, variable in edges.items() if variable in task.units]
        self.program = tree_decomposition.CycleProgram(elimination, edges, required)

    def work(self) -> dict[str, int]:
        return {"combinations": self.program.combinations}

    def advance(self, limits: dict[str, int]) -> Result | None:
        self.program.advance(limits["combinations"])
        if not self.program.is_finished:
            return None
        if self.program.cycle is None:
            return Result(None)
        variables = self.task.graph.variables
        model = model_of_cycle(self.task, [variables[u][v] for u, v in self.program.cycle])
        if model is None:
            # Further clauses, such as symmetry breaking, exclude this cycle but perhaps no other.
            raise UnsuitableGraphError
        return Result(model)


class Contraction:
    """Rounds of cuts on the core that remains after contracting the sparse parts of the graph."""

    def __init__(self, task: CycleTask) -> None:
        from boardsat.adapters.lazy_cuts import contraction, tree_decomposition

        self.task = task
        self.rounds = 0
        edges = {
            ends: variable
            for variable, ends in task.graph.ends.items()
            if -variable not in task.units
        }
        elimination = tree_decomposition.eliminate(
            task.graph.vertices, edges, contraction.MAX_DEGREE
        )
        if not elimination.order:
            raise UnsuitableGraphError
        required = [ends for ends, variable in edges.items() if variable in task.units]
        program = tree_decomposition.CycleProgram(elimination, edges, required)
        self.solver = task.new_solver()
        self.graph: contraction.ContractedGraph | None = None
        if program.contract(UNLIMITED):
            self.graph = contraction.ContractedGraph(
                elimination, program, set(map(frozenset, required))
            )
            self.solver.add(self.graph.clauses)

    def work(self) -> dict[str, int]:
        return {"rounds": self.rounds, "conflicts": self.solver.conflicts()}

    def advance(self, limits: dict[str, int]) -> Result | None:
        if self.graph is None:
            return Result(None)
        while self.rounds < limits["rounds"]:
            conflicts_left = limits["conflicts"] - self.solver.conflicts()
            if conflicts_left <= 0:
                break
            is_decided, model = self.solver.limited_model(conflicts_left)
            if not is_decided:
                break
            self.rounds += 1
            if model is None:
                return Result(None)
            true = {literal for literal in model if literal > 0}
            cycles = self.graph.cycles(true)
            if len(cycles) > 1:
                self.solver.add(self.graph.cuts(cycles))
                continue
            variables = self.task.graph.variables
            edges = [variables[u][v] for u, v in self.graph.expand(true)]
            cycle_model = model_of_cycle(self.task, edges)
            if cycle_model is None:
                # Further clauses, such as symmetry breaking, exclude this cycle.
                raise UnsuitableGraphError
            return Result(cycle_model)
        return None


METHODS: dict[str, Callable[[CycleTask], Method]] = {
    CUTS: Cuts,
    TREE_DECOMPOSITION: TreeDecomposition,
    CONTRACTION: Contraction,
}
"""Classes of the methods by name."""


class Decision(NamedTuple):
    """Result of a portfolio, and the method that decided."""

    method: str
    result: Result
    is_joined: bool
    """True if cycles were joined by exchanging edges."""


class PortfolioRun(NamedTuple):
    """Outcome of a portfolio."""

    decision: Decision | None
    """Result and method. None if no method decided."""
    rounds: int
    """Number of rounds of cuts."""


def run_portfolio(task: CycleTask, slices: Sequence[tuple[str, dict[str, int]]]) -> PortfolioRun:
    """Run the slices until a method decides.

    The work and the CPU time of each slice are printed as a comment.
    """
    methods: dict[str, Method | None] = {}
    result: Result | None = None
    for name, limits in slices:
        start = time.process_time()
        try:
            if name not in methods:
                methods[name] = None
                methods[name] = METHODS[name](task)
            method = methods[name]
            if method is None:
                continue
            before = method.work()
            result = method.advance(limits)
            work = {unit: number - before[unit] for unit, number in method.work().items()}
            amounts = "".join(f" {number} {unit}," for unit, number in work.items())
            print(f"c slice {name}:{amounts} {time.process_time() - start:.3f} s")
        except UnsuitableGraphError:
            methods[name] = None
            if name == CUTS:
                # Models are not 2-factors of the graph, so the other methods would decide another
                # problem: the open tour of a single cell has the degree 1.
                break
        if result is not None:
            break
    cuts = methods.get(CUTS)
    rounds = cuts.rounds if isinstance(cuts, Cuts) else 0
    is_joined = isinstance(cuts, Cuts) and cuts.is_joined
    decision = None if result is None else Decision(name, result, is_joined)
    return PortfolioRun(decision, rounds)


def model_of_cycle(task: CycleTask, edges: Iterable[int]) -> Clause | None:
    """Return the model with exactly the given edges; None if a clause excludes it."""
    chosen = set(edges)
    return task.solver.model(
        variable if variable in chosen else -variable for variable in task.graph.ends
    )
