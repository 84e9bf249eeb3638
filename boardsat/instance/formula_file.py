"""Instances that workflows process: formula files, logic programs, and boards alone.

The header comments describe the board, the parameters and the variables.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boardsat.adapters import formats
from boardsat.adapters.answer import Model
from boardsat.adapters.boards import Board, GraphBoard, board_of, start_of
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.dimacs.header import Header, OutdatedHeaderError, read_header
from boardsat.adapters.dimacs.header_values import MAX_HEADER_NUMBERS, MIN_HEADER_NUMBERS
from boardsat.adapters.dimacs.lines import MAX_COMMENT_BYTES
from boardsat.adapters.dimacs.literal_weights import WEIGHTS_IGNORED, project_weights
from boardsat.adapters.dimacs.model_check import cache_clauses
from boardsat.adapters.dimacs.reader import Cnf, Summary, open_cnf
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import InputFeature
from boardsat.base import scratch
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import one_line, pluralize

if TYPE_CHECKING:
    from fractions import Fraction

    from boardsat.adapters.formats._linear_formula import LinearFormula

_DIRECTIVES = re.compile(rb"#script|#include")
_EDGES_PER_LINE = 1000

PARITY_AS_CLAUSES = "encode parity by clauses, with --set xor=chain"
"""Remedy for solvers and checkers that do not read XOR lines."""

_MAX_VARIABLES, _MAX_VARIABLES_PER_LITERAL = 2**21, 16
"""Limits of a file's number of variables, absolute and per literal; exceeding both is an error."""


@dataclass(frozen=True)
class Instance:
    """Problem with its settings, as header comments describe it, with or without a formula."""

    path: str
    """Path of the file. Empty for a board without a file."""
    header: Header
    comments: tuple[str, ...]
    generated_here: bool = field(default=False, kw_only=True)
    """True if this process generated the instance, so that the header needs no verification."""

    @property
    def weighted(self) -> bool:
        """True if literals have weights, so that a count is the sum of the models' weights."""
        return (
            self.header.counting.weights is not None
            or self.header.counting.weights_error is not None
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about the file or graph, for example about vertices without edges."""
        return tuple(self._graph.notes()) if self._graph else ()

    @property
    def symmetry_lines(self) -> list[str]:
        """Line that reports symmetry breaking. Empty if symmetries are not broken."""
        symmetry = self.header.symmetry
        return [f"symmetry: {one_line(symmetry)}"] if symmetry else []

    @property
    def vertices(self) -> list[str] | None:
        """Labels of a graph's vertices in the order of its board. None for other boards."""
        graph = self._graph
        return [*map(graph.name, range(graph.cells))] if graph else None

    @property
    def settings(self) -> dict[str, Any]:
        """Values of the parameters as a user sets them; a start vertex is given by its label."""
        graph, settings = self._graph, dict(self.header.parameters)
        if graph and type(settings.get("start")) is int:
            settings["start"] = graph.name(start_of(self.header, graph))
        return settings

    @cached_property
    def _graph(self) -> GraphBoard | None:
        board = board_of(self.header) if self.header.board.options.get("shape") == "graph" else None
        return board if isinstance(board, GraphBoard) else None

    def board_for(self, solver: Solver) -> Board:
        """Return the board; raise InputError if the solver does not solve this problem."""
        problem, board = self.header.problem, board_of(self.header)
        solved = " and ".join(sorted(solver.problems or ["boards"]))
        fault = f"{solver.name} solves only {solved}, not {problem or 'this problem'}"
        if self.header.symmetry:
            fault = f"{solver.name} reads the board, without the symmetry breaking of this formula"
        elif board is not None and solver.supports_problem(problem):
            return board
        raise InputError(fault, "`boardsat solvers` lists others")


@dataclass(frozen=True)
class FormulaFile(Instance):
    """Formula in a file, with the description in its header."""

    summary: Summary
    trusted: bool = False
    """True if solvers may read the file itself: this process wrote it, or it has no comments.

    Comments of other files could be commands to a solver, whatever their header claims.
    """

    linear: LinearFormula | None = None
    """Linear constraints of a file in another format. None for CNF."""

    @property
    def notes(self) -> tuple[str, ...]:
        projection_error = self.header.counting.projection_error
        notes = [f"{projection_error} (the projection is ignored)"] if projection_error else []
        if self.header.objective and not (self.linear and self.linear.has_objective):
            objective = self.header.objective.noun
            notes.append(f"any solution was requested, not the one with the {objective}")
        notes += [WEIGHTS_IGNORED] if self.weighted else []
        return (*self.summary.ambiguities, *notes, *super().notes)

    @property
    def variables(self) -> int:
        """Number of variables: maximum of the declared number and the largest variable."""
        return max(self.summary.variables, self.summary.actual_variables)

    @property
    def clauses(self) -> int:
        """Number of clauses in the file."""
        return self.summary.actual_clauses

    def model_of(self, true: Iterable[int]) -> Model:
        """Return the model in which exactly these variables are true."""
        model = np.full(self.variables + 1, -1, np.int8)
        model[list(true)] = 1
        return model

    def projection(self) -> np.ndarray:
        """Return the variables that models are counted over; all if the file has no projection.

        Raise an error if the projection lines of the file are invalid.
        """
        if self.header.counting.projection_error is not None:
            raise self.header.counting.projection_error
        projection = self.header.counting.projection
        if projection is None:
            return np.arange(1, self.variables + 1)
        return np.unique(projection)

    def weights(self) -> dict[int, Fraction] | None:
        """Return the weights of the projection's literals; None if models are not weighted.

        Raise an error if the weight lines of the file are invalid.
        """
        if self.header.counting.weights_error is not None:
            raise self.header.counting.weights_error
        weights = self.header.counting.weights
        if weights is None:
            return None
        return project_weights(weights, self.projection().tolist(), self.path)

    def require_complete(self) -> None:
        """Raise InputError if the formula is lazy: some of its models violate lazy constraints."""
        if self.header.lazy:
            problem = self.header.problem
            fallback = read_lazy_constraints(self.header, self.path).fallback
            raise InputError(
                "a lazy formula cannot be counted, as its cuts are found while solving",
                f"count {problem}/{fallback}" if problem and fallback else "use another encoding",
                str(self.header.metadata.get("spec", self.path)),
            )

    @property
    def clause_features(self) -> frozenset[InputFeature]:
        """Features of the file that a solver must support to read it."""
        xor_lines = [InputFeature.XOR_LINES] if self.summary.xor_lines else []
        return frozenset([InputFeature.CLAUSES, *xor_lines])

    def require_unweighted(self, objection: str, remedy: str) -> None:
        """Raise InputError if literals have weights; `objection` says what would happen to them."""
        if self.weighted:
            spec = str(self.header.metadata.get("spec", ""))
            location = spec if self.generated_here else self.path
            raise InputError(f"the literals have weights, which {objection}", remedy, location)

    def require_cnf(self) -> None:
        """Raise InputError if the format of the file is not CNF."""
        if self.linear is not None:
            format_name = formats.format_from_name(self.path).upper()
            remedy = "encode it: `boardsat cnf FILE -o FILE.cnf`"
            if self.linear.has_objective:
                remedy = "write the problem as CNF: `boardsat cnf PROBLEM --format cnf`"
            fault = f"the format must be CNF here (got {format_name})"
            raise InputError(fault, remedy, self.path)

    def decision_variables(self) -> np.ndarray:
        """Return the variables that determine the decoded board.

        They are the variables of the views; without views, those of the spec; without a spec, all.
        """
        variables = self.header.variables
        names = {view.variable for view in self.header.display.views} or variables.keys()
        if not names:
            return np.arange(1, self.variables + 1)
        return np.unique(np.concatenate([variables[name].ids for name in names]))

    @contextmanager
    def with_clauses(self, clauses: Sequence[Sequence[int]]) -> Iterator[FormulaFile]:
        """Yield a copy of the file with more clauses; the file itself if `clauses` is empty."""
        if not clauses:
            yield self
            return
        number = self.clauses + len(clauses)
        with rewrite.write_canonical(self.summary, self.path, clauses) as path:
            summary = self.summary._replace(notes=(), clauses=number, actual_clauses=number)
            summary = summary._replace(variables=self.variables)
            yield replace(self, path=path, summary=summary, trusted=True)


@dataclass(frozen=True)
class ProgramFile(Instance):
    """Logic program in a file, with the description in its first comments."""

    @property
    def heuristic(self) -> str | None:
        """Search heuristic for clingo's command line; None: clingo's default."""
        # No other text of a file reaches a command line.
        return "Domain" if self.header.metadata.get("heuristic") == "Domain" else None


def open_program(path: str, generated_here: bool = False) -> ProgramFile:
    """Read the comments at the beginning of a logic program; clingo parses the program.

    Parameters
    ----------
    path : str
        Path of the file.
    generated_here : bool
        True if this process wrote the file.

    Raises
    ------
    InputError
        If the file cannot be read, its header is malformed, or it could run other code.
    """
    try:
        with Path(path).open("rb") as file:
            # Bounded, as a line may be endless.
            lines = file.read(MAX_COMMENT_BYTES).decode("utf-8", "replace").split("\n")
            size = file.seek(0, os.SEEK_END)
        comments = [line[2:].rstrip() for line in takewhile(_is_comment, lines)]
        if not generated_here:
            _check_directives(path)
    except OSError as error:
        raise InputError(
            f"cannot read the program: {error.strerror}", "give a readable file", path
        ) from None
    with _regeneration_remedy(comments, path):
        header = read_header(
            comments,
            path=path,
            max_numbers=MAX_HEADER_NUMBERS if generated_here else max(MIN_HEADER_NUMBERS, size),
        )
    board_of(header, path)
    return ProgramFile(path, header, tuple(comments), generated_here=generated_here)


@contextmanager
def _regeneration_remedy(comments: Iterable[str], path: str) -> Iterator[None]:
    """Add a remedy to the error of an outdated header: the command that writes the file again."""
    try:
        yield
    except OutdatedHeaderError as error:
        from boardsat.instance.regeneration import regeneration_command

        if command := regeneration_command(comments, path):
            raise InputError(error.fault, f"write it again: {command}", error.location) from None
        raise


def _is_comment(line: str) -> bool:
    return line.startswith("% ")


def _check_directives(path: str) -> None:
    """Raise InputError if a program makes clingo run Python or Lua, or read other files."""
    overlap = b""
    with Path(path).open("rb") as file:
        while block := file.read(2**20):
            if match := _DIRECTIVES.search(overlap + block):
                fault = f"an external program must not contain `{match[0].decode()}`"
                raise InputError(fault, "remove it", path)
            overlap = block[-16:]


def open_formula(
    path: str, generated_here: bool = False, lenient: bool = False, name: str | None = None
) -> FormulaFile:
    """Read the header of a formula file, and check the syntax of its constraints.

    Parameters
    ----------
    path : str
        Path of the file; its suffix selects the format.
    generated_here : bool
        True if this process wrote the file, and no other process changed it.
    lenient : bool
        Accept a file whose `p cnf` line contradicts its clauses.
    name : str, optional
        Name of the file in errors, if `path` is a copy.

    Raises
    ------
    InputError
        If the file cannot be read, or is malformed.

    Examples
    --------
    >>> open_formula("queens.cnf").variables  # doctest: +SKIP
    64
    """
    if format_name := formats.format_from_name(path):
        return _read_linear(format_name, path, generated_here, name)
    with open_cnf(path, strict=False, name=name) as cnf:
        return read_formula(cnf, path, generated_here, lenient)


def _read_linear(
    format_name: str, path: str, generated_here: bool, name: str | None
) -> FormulaFile:
    """Read a file whose format is not CNF."""
    linear: LinearFormula = formats.load(format_name).read(path, name)
    # Not every format declares the number of variables, and some may be in no constraint.
    with _regeneration_remedy(linear.comments, path):
        about_lines = [line for line in linear.comments if line.startswith("boardsat ")]
        metadata = read_header(about_lines, path=path).metadata
    declared = metadata.get("variables")
    variables = max(linear.variables, declared if type(declared) is int else 0)
    linear.check_complete(metadata, name or path)
    literals = len(linear.hard.literals) + len(linear.soft.literals)
    counts = (variables, len(linear.hard)) * 2
    summary = Summary(name or path, *counts, literals, linear.lines, linear.bytes, ())
    return _with_header(path, summary, linear.comments, linear.comments, generated_here, linear)


def read_formula(
    cnf: Cnf, path: str, generated_here: bool = False, lenient: bool = False
) -> FormulaFile:
    """Read an open CNF file from its first clause on; parameters are those of `open_formula`."""
    for _ in cache_clauses(cnf, path, generated_here):
        pass
    summary = cnf.summary()
    if summary.ambiguities and not lenient:
        raise DimacsError(f"{summary.ambiguities[0]}, or accept it with --lenient")
    # The projection may follow the `p cnf` line.
    all_comments = cnf.comments + cnf.later_comments
    return _with_header(path, summary, cnf.comments, all_comments, generated_here)


def _with_header(
    path: str,
    summary: Summary,
    comments: Iterable[str],
    all_comments: Sequence[str],
    generated_here: bool,
    linear: LinearFormula | None = None,
) -> FormulaFile:
    """Return a formula file with the header in its comments.

    `all_comments` are those before and after the first clause.
    """
    variables = max(summary.variables, summary.actual_variables)
    max_numbers = MAX_HEADER_NUMBERS
    if not generated_here:
        _check_num_variables(summary, variables)
        max_numbers = max(MIN_HEADER_NUMBERS, 2 * summary.literals)
    with _regeneration_remedy(all_comments, path):
        header = read_header(all_comments, variables, path, max_numbers)
    # Raises an error for a malformed board before the solver runs, not after it.
    board_of(header, path)
    # Some solvers reject weights as unknown commands.
    trusted = (generated_here and header.counting.weights is None) or not all_comments
    return FormulaFile(
        path,
        header,
        tuple(comments),
        summary,
        trusted,
        linear=linear,
        generated_here=generated_here,
    )


def _check_num_variables(summary: Summary, variables: int) -> None:
    """Raise DimacsError if a file declares far more variables than it uses.

    A few bytes can declare billions of variables, and a model has a value for each.
    """
    if variables > max(_MAX_VARIABLES, _MAX_VARIABLES_PER_LITERAL * summary.literals):
        literals = pluralize(summary.literals, "literal")
        raise DimacsError(
            f"the formula has {pluralize(variables, 'variable')}, but only {literals}",
            "correct the header, or renumber the variables",
            summary.name,
        )


def placeholder_instance(name: str) -> Instance:
    """Return an instance with a name only, for a result without a formula."""
    return Instance("", replace(read_header(()), metadata={"spec": name}), ())


def instance_from_comments(text: str) -> Instance:
    """Return the instance that header comments describe; this process generated them."""
    comments = tuple(line.removeprefix("c ") for line in text.splitlines())
    return Instance("", read_header(comments), comments, generated_here=True)


@contextmanager
def board_file(instance: Instance) -> Iterator[str]:
    """Write the description of the board to a file, for a solver that reads boards."""
    header = instance.header
    entries = {
        "boardsat": header.metadata,
        "parameters": header.parameters,
        "board": header.board.options,
    }
    lines = [f"{key} {json.dumps(entry)}" for key, entry in entries.items()]
    # Written anew, as the comments of the file may be anywhere in it.
    edges = [] if header.board.edges is None else header.board.edges.tolist()
    lines += [
        f"edges {' '.join(map(str, edges[start : start + _EDGES_PER_LINE]))}"
        for start in range(0, len(edges), _EDGES_PER_LINE)
    ]
    with scratch.folder() as folder:
        path = folder / "board"
        scratch.write(path, (f"c {line}\n".encode("ascii") for line in lines))
        yield str(path)


def note_lines(notes: Iterable[str]) -> list[str]:
    """Return notes on an instance as lines to print after its answer."""
    return [f"note: {one_line(note)}" for note in notes]
