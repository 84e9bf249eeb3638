"""Worker processes that find and confirm cores of clause groups: tasks and results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from boardsat.adapters.answer import Status, TerminationReason, Usage
from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.lazy_cuts.connectivity_cuts import LazyGraph
from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.mus.selector_solver import CoreTask
from boardsat.adapters.runtimes import Limits, Outcome, Task, child_python, native
from boardsat.base import scratch
from boardsat.base.errors import SolverError, WrongAnswerError

FINDER, REFEREE = "glucose41", "cadical195"
"""Libraries of python-sat: the second confirms the core that the first finds."""

SECTIONS = "boardsat.adapters.mus"

Tokens = npt.NDArray[np.int32]

ROUNDS = 1_000
"""Default limit on rounds of cuts in one query."""


@dataclass(frozen=True)
class FoundCore:
    """Unsatisfiable groups; empty if the status is not UNSATISFIABLE."""

    status: Status
    groups: tuple[int, ...] = ()
    is_minimal: bool = False
    is_smallest: bool = False
    end: TerminationReason = TerminationReason.FINISHED
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0))


@dataclass(frozen=True)
class Confirmation:
    """Result of a second solver on a core."""

    is_core: bool | None
    """Whether the groups are unsatisfiable; None if not decided in time."""
    needed: frozenset[int]
    """Groups without which the others have a model, which was checked."""
    needless: frozenset[int]
    """Groups without which the others are still unsatisfiable."""
    usage: Usage


def find_core(clauses: GroupedClauses, limits: Limits, seconds: float | None = None) -> FoundCore:
    """Find a core of the groups and minimize it for at most so many seconds."""
    with clauses.task_file(range(len(clauses.groups)), seconds) as about:
        outcome = _run("extraction", FINDER, about, limits)
    status, said = Status.UNKNOWN, set[str]()
    core: tuple[int, ...] = ()
    for word, numbers in _lines(outcome):
        if word == "satisfiable":
            status = Status.SATISFIABLE
        elif word == "core":
            status, core = Status.UNSATISFIABLE, tuple(map(clauses.group, numbers))
        said.add(word)
    return FoundCore(
        status, core, "minimal" in said, "smallest" in said, outcome.termination, outcome.usage
    )


def confirm_core(clauses: GroupedClauses, core: Collection[int], limits: Limits) -> Confirmation:
    """Check with a second solver that groups are a core, and which of them are necessary."""
    with clauses.task_file(core) as about:
        outcome = _run("verification", REFEREE, about, limits)
    is_core, needed, needless = None, set[int](), set[int]()
    models = _Models(clauses, core)
    checkers = {number: cut_checker(graph).is_cut for number, graph in clauses.lazy.items()}
    for word, numbers in _lines(outcome):
        if word == "cut":
            _check_cut(clauses, checkers, numbers)
        elif word in ("unsatisfiable", "satisfiable"):
            is_core = word == "unsatisfiable"
        elif word == "without":
            group = clauses.group(numbers[0])
            models.check(numbers[1:], group)
            needed.add(group)
        elif word == "needless":
            needless.add(clauses.group(numbers[0]))
    return Confirmation(is_core, frozenset(needed), frozenset(needless), outcome.usage)


def _run(module: str, library: str, about: str, limits: Limits) -> Outcome:
    command = child_python.module_command(f"{SECTIONS}.{module}", library, about)
    environment = child_python.child_environment()
    outcome = native.run_command(command, Task(about, limits), environment=environment)
    if outcome.termination is TerminationReason.FINISHED and outcome.errors.size:
        raise SolverError(f"{library} failed: {outcome.errors.tail()}", "report it")
    return outcome


def _lines(outcome: Outcome) -> Iterator[tuple[str, list[int]]]:
    """Yield the keyword and numbers of each complete line: a limit can truncate the last one."""
    *lines, _ = b"".join(outcome.output.pieces()).split(b"\n")
    for line in lines:
        word, *numbers = line.split()
        yield word.decode("ascii"), [*map(int, numbers)]


def _check_cut(
    clauses: GroupedClauses, checkers: Mapping[int, Callable[[list[int]], bool]], cut: list[int]
) -> None:
    group = clauses.group(-cut[0])
    if not checkers[group](cut[1:]):
        raise WrongAnswerError(f"a cut that does not follow: {cut[1:]}", "report it")


class _Models:
    """Check of models of all groups but one against the other clauses."""

    def __init__(self, clauses: GroupedClauses, core: Collection[int]) -> None:
        numbers = sorted(core)
        parts: list[Tokens] = [clauses.background, *(clauses.groups[number] for number in numbers)]
        self.tokens = np.concatenate(parts)
        self.ends = np.flatnonzero(self.tokens == 0)
        sizes = [np.count_nonzero(part == 0) for part in parts]
        self.owner = np.repeat([-1, *numbers], sizes)
        self.literals = 2 * (clauses.variables + len(clauses.groups)) + 1

    def check(self, model: list[int], without: int) -> None:
        # A negative literal counts from the end.
        true = np.zeros(self.literals, np.bool_)
        true[np.array(model, np.int64)] = True
        true[0] = False
        satisfied = np.diff(np.cumsum(true[self.tokens])[self.ends], prepend=0) > 0
        if not (satisfied | (self.owner == without)).all():
            raise WrongAnswerError(f"{REFEREE} gave a model that breaks a clause", "report it")


@dataclass(frozen=True)
class GroupedClauses:
    """Clauses in groups, numbered from 0, and background clauses; each clause ends with 0."""

    variables: int
    background: Tokens
    groups: Sequence[Tokens]
    lazy: Mapping[int, LazyGraph]
    """Lazy constraints of groups."""
    rounds: int = ROUNDS

    def selector(self, group: int) -> int:
        return self.variables + 1 + group

    def group(self, selector: int) -> int:
        return selector - self.variables - 1

    @contextmanager
    def task_file(self, chosen: Collection[int], seconds: float | None = None) -> Iterator[str]:
        """Write the task of a worker, with the chosen groups only; yield its path."""
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
            scratch.write(about, [task.to_json().encode("ascii")])
            yield str(about)


def _selected(tokens: Tokens, selector: int) -> Tokens:
    """Insert the negated selector before the literals of each clause."""
    ends = np.flatnonzero(tokens == 0)
    begins = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    return np.insert(tokens, begins, -selector).astype(np.int32)
