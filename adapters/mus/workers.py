"""Worker processes that find and confirm cores of clause groups: tasks and results."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from boardsat.adapters.answer import Status, TerminationReason, Usage
from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.lazy_cuts.connectivity_cuts import LazyGraph
from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.mus.extraction import CoreTask
from boardsat.adapters.runtimes import Limits, Outcome, Task, child_python, native
from boardsat.base import scratch
from boardsat.base.errors import SolverError, WrongAnswerError

EXTRACTION_LIBRARY, VERIFICATION_LIBRARY = "glucose41", "cadical195"
"""Solvers of python-sat that find a core and confirm it."""

_WORKER = "boardsat.adapters.mus.extraction"

Tokens = npt.NDArray[np.int32]

DEFAULT_ROUNDS = 1_000
"""Default limit on rounds of cuts in one query."""


@dataclass(frozen=True)
class FoundCore:
    """Result of the search for a core of the groups."""

    status: Status
    groups: tuple[int, ...] = ()
    """Groups of the core; empty unless the status is UNSATISFIABLE."""
    is_minimal: bool = False
    is_smallest: bool = False
    end: TerminationReason = TerminationReason.FINISHED
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0))


@dataclass(frozen=True)
class Confirmation:
    """Result of a second solver on a core."""

    is_core: bool | None
    """True if the groups are unsatisfiable; None if not decided in time."""
    needed: frozenset[int]
    """Groups without which the others have a model, which was checked."""
    needless: frozenset[int]
    """Groups without which the others are still unsatisfiable."""
    usage: Usage


def find_core(clauses: GroupedClauses, limits: Limits, seconds: float | None = None) -> FoundCore:
    """Find a core of the groups and minimize it; `seconds` limits the minimization."""
    with clauses.task_file(range(len(clauses.groups)), seconds) as task_path:
        outcome = _run("find", EXTRACTION_LIBRARY, task_path, limits)
    status, keywords = Status.UNKNOWN, set[str]()
    core: tuple[int, ...] = ()
    for keyword, numbers in _lines(outcome):
        if keyword == "satisfiable":
            status = Status.SATISFIABLE
        elif keyword == "core":
            status, core = Status.UNSATISFIABLE, tuple(map(clauses.group, numbers))
        keywords.add(keyword)
    return FoundCore(
        status,
        core,
        "minimal" in keywords,
        "smallest" in keywords,
        outcome.termination,
        outcome.usage,
    )


def confirm_core(clauses: GroupedClauses, core: Collection[int], limits: Limits) -> Confirmation:
    """Check with a second solver that groups are a core, and which of them are necessary."""
    with clauses.task_file(core) as task_path:
        outcome = _run("verify", VERIFICATION_LIBRARY, task_path, limits)
    is_core, needed, needless = None, set[int](), set[int]()
    models = _ModelChecker(clauses, core)
    checkers = {number: cut_checker(graph).is_cut for number, graph in clauses.lazy.items()}
    for keyword, numbers in _lines(outcome):
        if keyword == "cut":
            _check_cut(clauses, checkers, numbers)
        elif keyword in ("unsatisfiable", "satisfiable"):
            is_core = keyword == "unsatisfiable"
        elif keyword == "without":
            group = clauses.group(numbers[0])
            models.check(numbers[1:], group)
            needed.add(group)
        elif keyword == "needless":
            needless.add(clauses.group(numbers[0]))
    return Confirmation(is_core, frozenset(needed), frozenset(needless), outcome.usage)


def _run(command: str, library: str, task_path: str, limits: Limits) -> Outcome:
    argv = child_python.module_command(_WORKER, command, library, task_path)
    environment = child_python.child_environment()
    outcome = native.run_command(argv, Task(task_path, limits), environment=environment)
    if outcome.termination is TerminationReason.FINISHED and outcome.errors.size:
        raise SolverError(f"{library} failed: {outcome.errors.tail()}")
    return outcome


def _lines(outcome: Outcome) -> Iterator[tuple[str, list[int]]]:
    """Yield the keyword and numbers of each complete line: a limit can truncate the last one."""
    *lines, _ = b"".join(outcome.output.pieces()).split(b"\n")
    for line in lines:
        keyword, *numbers = line.split()
        yield keyword.decode("ascii"), [*map(int, numbers)]


def _check_cut(
    clauses: GroupedClauses, checkers: Mapping[int, Callable[[list[int]], bool]], cut: list[int]
) -> None:
    """Raise WrongAnswerError if a cut does not follow from the constraint of its group."""
    group = clauses.group(-cut[0])
    if not checkers[group](cut[1:]):
        raise WrongAnswerError(
            f"the cut {cut[1:]} does not follow from the lazy constraint",
            "report a bug of boardsat",
        )


class _ModelChecker:
    """Checker of models that satisfy all groups but one."""

    def __init__(self, clauses: GroupedClauses, core: Collection[int]) -> None:
        numbers = sorted(core)
        blocks: list[Tokens] = [clauses.background, *(clauses.groups[number] for number in numbers)]
        self.tokens = np.concatenate(blocks)
        self.ends = np.flatnonzero(self.tokens == 0)
        sizes = [np.count_nonzero(block == 0) for block in blocks]
        self.owner = np.repeat([-1, *numbers], sizes)
        self.literals = 2 * (clauses.variables + len(clauses.groups)) + 1

    def check(self, model: list[int], omitted_group: int) -> None:
        """Raise WrongAnswerError if the model falsifies a clause of another group."""
        # A negative literal indexes the table from the end.
        is_true = np.zeros(self.literals, np.bool_)
        is_true[np.array(model, np.int64)] = True
        is_true[0] = False
        satisfied = np.diff(np.cumsum(is_true[self.tokens])[self.ends], prepend=0) > 0
        if not (satisfied | (self.owner == omitted_group)).all():
            raise WrongAnswerError(f"a model of {VERIFICATION_LIBRARY} falsifies a clause")


@dataclass(frozen=True)
class GroupedClauses:
    """Clauses in groups, numbered from 0, and background clauses; each clause ends with 0."""

    variables: int
    background: Tokens
    groups: Sequence[Tokens]
    lazy: Mapping[int, LazyGraph]
    """Graphs of the lazy constraints, by group."""
    rounds: int = DEFAULT_ROUNDS

    def selector(self, group: int) -> int:
        """Return the selector variable of a group."""
        return self.variables + 1 + group

    def group(self, selector: int) -> int:
        """Return the group of a selector variable."""
        return selector - self.variables - 1

    @contextmanager
    def task_file(self, included: Collection[int], seconds: float | None = None) -> Iterator[str]:
        """Write the task of a worker for some of the groups; yield its path."""
        numbers = sorted(included)
        selectors = [self.selector(number) for number in numbers]
        tokens = [_with_selector(self.groups[n], self.selector(n)) for n in numbers]
        all_tokens = np.concatenate([self.background, *tokens]).astype(np.int32)
        num_variables = self.variables + len(self.groups)
        header = b"p cnf %d %d\n" % (num_variables, int(np.count_nonzero(all_tokens == 0)))
        graphs = [
            (self.selector(number), type(graph).__name__, graph)
            for number, graph in self.lazy.items()
            if number in included
        ]
        with scratch.folder() as folder:
            path, task_path = folder / "groups.cnf", folder / "task.json"
            scratch.write(path, [header, clause_lines(all_tokens)])
            task = CoreTask(str(path), selectors, graphs, self.rounds, seconds)
            scratch.write(task_path, [json.dumps(task).encode("ascii")])
            yield str(task_path)


def _with_selector(tokens: Tokens, selector: int) -> Tokens:
    """Insert the negated selector before the literals of each clause."""
    ends = np.flatnonzero(tokens == 0)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    return np.insert(tokens, starts, -selector).astype(np.int32)
