"""The input of a workflow: a formula, a program or a board, with its description."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boardsat.adapters import formats, solvers
from boardsat.adapters.boards import Board, GraphBoard, board_of, start_of
from boardsat.adapters.dimacs import filler
from boardsat.adapters.dimacs.check import keeping
from boardsat.adapters.dimacs.header import Header, read_header
from boardsat.adapters.dimacs.literal_weights import WEIGHTS_IGNORED, project_weights
from boardsat.adapters.dimacs.reader import Cnf, Summary, open_cnf
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.dimacs.values import MATERIALISED, MODEST
from boardsat.adapters.lazy_cuts.lazy_lines import read_lazy
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import Ability
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize

if TYPE_CHECKING:
    from fractions import Fraction

    from boardsat.adapters.formats._linear import Linear

_ORDERS = re.compile(rb"#script|#include")
_EDGES = 1000
"""On a line."""

PARITY_AS_CLAUSES = "encode parity by clauses, with --set xor=chain"
"""The remedy where xor lines are none."""

_MANY_VARIABLES = 2**21
_PER_LITERAL = 16
"""A file may have so many variables in any case, or so many for each literal in its clauses."""


@dataclass(frozen=True)
class Instance:
    """A problem as comments describe it, whether there is a formula of it or not."""

    path: str
    """Empty where there is no file."""
    header: Header
    comments: tuple[str, ...]
    own: bool = field(default=False, kw_only=True)
    """Whether this process has made it, so that it is what its header says."""

    @property
    def weighted(self) -> bool:
        """Whether the sum of its models' weights is asked for, as the counting competition asks."""
        return self.header.weights is not None or self.header.no_weights is not None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is so with its file or its graph, and perhaps not meant."""
        return tuple(self._graph.notes()) if self._graph else ()

    @property
    def vertices(self) -> list[str] | None:
        """What the file of a graph calls its vertices, in the order in which its board has them."""
        graph = self._graph
        return [*map(graph.name, range(graph.cells))] if graph else None

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters as a user would set them: a vertex by its label."""
        graph, told = self._graph, dict(self.header.parameters)
        if graph and type(told.get("start")) is int:
            told["start"] = graph.name(start_of(self.header, graph))
        return told

    @cached_property
    def _graph(self) -> GraphBoard | None:
        board = board_of(self.header) if self.header.board.get("shape") == "graph" else None
        return board if isinstance(board, GraphBoard) else None

    def board_for(self, solver: Solver) -> Board:
        """The board, if it is for such as this solver."""
        problem, board = self.header.problem, board_of(self.header)
        known = " and ".join(sorted(solver.problems or ["boards"]))
        fault = f"{solver.name} is for {known}, not for {problem or 'this'}"
        if self.header.symmetry:
            fault = f"{solver.name} reads the board, which has solutions that this formula has not"
        elif board is not None and (not solver.problems or problem in solver.problems):
            return board
        raise InputError(fault, "choose another solver")


@dataclass(frozen=True)
class Problem(Instance):
    """A formula on disk, and what it says about itself."""

    summary: Summary
    trusted: bool = False
    """Whether a solver may have the file as it is: we have just written it, or it has no comments.

    What stands in a file does not count: anybody can write that it is one of ours.
    """

    linear: Linear | None = None
    """What the file says, where its format is not CNF."""

    @property
    def notes(self) -> tuple[str, ...]:
        ignored = self.header.no_projection
        told = [f"{ignored} (it is ignored here)"] if ignored else []
        if self.header.objective and not (self.linear and self.linear.optimises):
            wanted = self.header.objective.noun
            told.append(f"any solution was asked for, not the one with the {wanted}")
        told += [WEIGHTS_IGNORED] if self.weighted else []
        return (*self.summary.grave, *told, *super().notes)

    @property
    def variables(self) -> int:
        return max(self.summary.variables, self.summary.actual_variables)

    @property
    def clauses(self) -> int:
        return self.summary.actual_clauses

    def projection(self) -> np.ndarray:
        """The variables that are counted over: all, where the file names none."""
        if self.header.no_projection is not None:
            raise self.header.no_projection
        named = self.header.projection
        if named is None:
            return np.arange(1, self.variables + 1)
        return np.unique(named)

    def weights(self) -> dict[int, Fraction] | None:
        """Those of literals that are counted over; None where a number of models is asked for."""
        if self.header.no_weights is not None:
            raise self.header.no_weights
        known = self.header.weights
        return (
            None if known is None else project_weights(known, self.projection().tolist(), self.path)
        )

    def refuse_lazy(self) -> None:
        """For counting, which needs a formula that says all: this has models that are no boards."""
        if self.header.lazy:
            problem = self.header.problem
            other = read_lazy(self.header, self.path).otherwise
            raise InputError(
                "lazy: its cuts are found while solving, so it cannot be counted",
                f"count {problem}/{other}" if problem and other else "use another encoding",
                str(self.header.about.get("spec", self.path)),
            )

    def refuse_xor_lines(self, whose: str, decides: bool = False) -> None:
        """For all that knows only clauses; where a solver is to decide, there are others."""
        if self.summary.xor_lines:
            remedy = PARITY_AS_CLAUSES
            if decides:
                able = [name for name in solvers.names() if Ability.XOR in solvers.load(name).can]
                remedy = f"choose --solver {' or '.join(able)}, or {remedy}"
            raise InputError(
                f"it has {pluralize(self.summary.xor_lines, 'xor line')}, which {whose}",
                remedy,
                "" if self.own else self.path,
            )

    def refuse_weights(self, who: str, remedy: str) -> None:
        """For those who would leave the weights of literals out of a count."""
        if self.weighted:
            place = str(self.header.about.get("spec", "")) if self.own else self.path
            raise InputError(f"its literals have weights, which {who}", remedy, place)

    def refuse_sums(self) -> None:
        """For whoever reads clauses alone."""
        if self.linear is not None:
            form = formats.ending_of(self.path).upper()
            remedy = "make CNF of it: `boardsat cnf FILE -o FILE.cnf`"
            if self.linear.optimises:
                remedy = "write its problem as CNF: `boardsat cnf PROBLEM --format cnf`"
            raise InputError(f"it is {form}, and only CNF is read here", remedy, self.path)

    def decision_variables(self) -> np.ndarray:
        """The variables that a board is read from; without a view, the spec's own, or all."""
        known = self.header.variables
        names = {view.variable for view in self.header.views} or known.keys()
        if not names:
            return np.arange(1, self.variables + 1)
        return np.unique(np.concatenate([known[name].ids for name in names]))


@dataclass(frozen=True)
class ProgramFile(Instance):
    """A logic program on disk, and what it says about itself."""

    @property
    def heuristic(self) -> str | None:
        """The search that it means; no other word of a file may go to a command line."""
        return "Domain" if self.header.about.get("heuristic") == "Domain" else None


def open_program(path: str, own: bool = False) -> ProgramFile:
    """Read the comments that it begins with; whether the rest is a program is for clingo to say."""
    try:
        with Path(path).open("rb") as file:
            # What describes the board stands at the beginning, and a line may have no end.
            lines = file.read(filler.KEPT).decode("utf-8", "replace").split("\n")
            size = file.seek(0, os.SEEK_END)
        comments = [line[2:].rstrip() for line in takewhile(_is_comment, lines)]
        if not own:
            _refuse_orders(path)
    except OSError as error:
        raise InputError(
            f"cannot read the program: {error.strerror}", "give a readable file", path
        ) from None
    header = read_header(comments, place=path, room=MATERIALISED if own else max(MODEST, size))
    board_of(header, path)
    return ProgramFile(path, header, tuple(comments), own=own)


def _is_comment(line: str) -> bool:
    return line.startswith("% ")


def _refuse_orders(path: str) -> None:
    """A program may run Python or Lua, or read other files: clingo obeys, and nobody was asked."""
    before = b""
    with Path(path).open("rb") as file:
        while block := file.read(2**20):
            if found := _ORDERS.search(before + block):
                raise InputError(
                    f"`{found[0].decode()}` in a program from elsewhere is refused",
                    "remove it, or run clingo by hand",
                    path,
                )
            before = block[-16:]


def open_problem(
    path: str, own: bool = False, lenient: bool = False, name: str | None = None
) -> Problem:
    """Read the header, and make sure that the rest is a formula.

    `own` is a file that this process has written, and nobody else since. A file whose header and
    clauses contradict each other is an error, unless one is lenient. `name` is what the user calls
    it, if it is a copy.
    """
    if form := formats.ending_of(path):
        return _read_linear(form, path, own, name)
    with open_cnf(path, strict=False, name=name) as cnf:
        return read_problem(cnf, path, own, lenient)


def _read_linear(form: str, path: str, own: bool, name: str | None) -> Problem:
    """The same of a file in another format."""
    linear: Linear = formats.load(form).read(path, name)
    # Not every format tells how many there are, and some may be in no constraint.
    told = read_header([each for each in linear.comments if each.startswith("boardsat ")])
    declared = told.about.get("variables")
    variables = max(linear.variables, declared if type(declared) is int else 0)
    linear.refuse_if_cut_off(told.about, name or path)
    literals = len(linear.hard.literals) + len(linear.soft.literals)
    counts = (variables, len(linear.hard)) * 2
    summary = Summary(name or path, *counts, literals, linear.lines, linear.bytes, ())
    room = MATERIALISED
    if not own:
        _refuse_absurd(summary, variables)
        room = max(MODEST, 2 * literals)
    header = read_header(linear.comments, variables, path, room)
    board_of(header, path)
    trusted = own or not linear.comments
    return Problem(path, header, linear.comments, summary, trusted, linear=linear, own=own)


def read_problem(cnf: Cnf, path: str, own: bool = False, lenient: bool = False) -> Problem:
    """The same of a file that is open, whose clauses nobody has read yet."""
    for _ in keeping(cnf, path, own):
        pass
    summary = cnf.summary()
    if summary.grave and not lenient:
        raise DimacsError(f"{summary.grave[0]}, or accept it with --lenient")
    variables = max(summary.variables, summary.actual_variables)
    room = MATERIALISED
    if not own:
        _refuse_absurd(summary, variables)
        room = max(MODEST, 2 * summary.literals)
    # The projection may stand after the `p cnf` line.
    header = read_header(cnf.comments + cnf.later_comments, variables, path, room)
    # A board that cannot be read is an error before the work, not after it.
    board_of(header, path)
    # Some solvers take weights for orders, and refuse them.
    trusted = (own and header.weights is None) or not (cnf.comments or cnf.later_comments)
    return Problem(path, header, tuple(cnf.comments), summary, trusted, own=own)


def _refuse_absurd(summary: Summary, variables: int) -> None:
    """A few bytes can declare billions of variables, and a model has a value for each."""
    if variables > max(_MANY_VARIABLES, _PER_LITERAL * summary.literals):
        literals = pluralize(summary.literals, "literal")
        raise DimacsError(
            f"{pluralize(variables, 'variable')}, but only {literals}",
            "correct the header, or renumber the variables",
            summary.name,
        )


def unknown(name: str) -> Instance:
    """One of which there is nothing yet but its name."""
    return Instance("", replace(read_header(()), about={"spec": name}), ())


def described(text: str) -> Instance:
    """An instance from comment lines alone, which this process has made."""
    comments = tuple(line.removeprefix("c ") for line in text.splitlines())
    return Instance("", read_header(comments), comments, own=True)


@contextmanager
def board_file(instance: Instance) -> Iterator[str]:
    """The comments that describe the board, in a file for a solver that reads no formula."""
    header = instance.header
    told = {"boardsat": header.about, "parameters": header.parameters, "board": header.board}
    lines = [f"{word} {json.dumps(about)}" for word, about in told.items()]
    # Not the comments that say so, which may stand anywhere in a file.
    edges = [] if header.edges is None else header.edges.tolist()
    lines += [
        f"edges {' '.join(map(str, edges[start : start + _EDGES]))}"
        for start in range(0, len(edges), _EDGES)
    ]
    with scratch.folder() as folder:
        path = folder / "board"
        scratch.write(path, (f"c {line}\n".encode("ascii") for line in lines))
        yield str(path)
