"""Results of the Python interface: a formula, a checked answer, and the outcome of a check."""

from __future__ import annotations

import html
import math
import numbers
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boardsat.adapters.answer import Answer, Status, Usage
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize, suggest
from boardsat.generators import Formula as BuiltFormula
from boardsat.generators import transform, write
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.terminal.streams import strip_colours
from boardsat.workflows.options import MAX_SAMPLE_SIZE
from boardsat.workflows.solve import result as solve_result
from boardsat.workflows.solve.result import BoardResult, CheckedAnswer

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    import numpy.typing as npt
    from pysat.formula import CNF

    from boardsat.adapters.dimacs.header import Header
    from boardsat.workflows.solve.external_answers import DecodeResult


_MAX_SEED = 2**64 - 1


def _is_number(argument: Any, minimum: float, maximum: float = math.inf) -> bool:
    """Return whether an argument is a number strictly between two bounds."""
    is_real: bool = isinstance(argument, numbers.Real) and not isinstance(argument, bool)
    return is_real and minimum < argument < maximum


def _is_integer(argument: Any, minimum: float, maximum: float = math.inf) -> bool:
    """Return whether an argument is an integer between two bounds, both inclusive."""
    is_integer = isinstance(argument, numbers.Integral) and not isinstance(argument, bool)
    return is_integer and minimum <= argument <= maximum


Constraint = tuple[str, Callable[[Any], bool]]

_TEXT: Constraint = ("a string", lambda argument: isinstance(argument, str))
_FLAG: Constraint = ("True or False", lambda argument: isinstance(argument, bool))
_SEED: Constraint = ("an integer from 0 to 2**64 - 1", lambda n: _is_integer(n, 0, _MAX_SEED))
_PATH: Constraint = ("a string or a path", lambda path: isinstance(path, str | os.PathLike))
_RUNTIMES = ("auto", "docker", "native", "embedded")
_CONSTRAINTS: dict[str, Constraint] = {
    **dict.fromkeys(("encoding", "solver", "counter", "sampler", "reference", "method"), _TEXT),
    **dict.fromkeys(("break_symmetry", "diverse", "allow_invalid_projection", "propagate"), _FLAG),
    **dict.fromkeys(("seed", "shuffle"), _SEED),
    "path": _PATH,
    "name": _TEXT,
    "literal": ("an integer", lambda literal: _is_integer(literal, -math.inf)),
    "three_cnf": (f"one of {', '.join(THREE_CNF)}", lambda method: method in THREE_CNF),
    "projection": (f"one of {', '.join(PROJECTIONS)}", lambda syntax: syntax in PROJECTIONS),
    "proof": ("True, False, a string or a path", lambda a: _FLAG[1](a) or _PATH[1](a)),
    "runtime": (f"one of {', '.join(_RUNTIMES)}", lambda name: name in _RUNTIMES),
    "timeout": ("a finite number of seconds above 0", lambda seconds: _is_number(seconds, 0)),
    "epsilon": ("a finite number above 0", lambda epsilon: _is_number(epsilon, 0)),
    "delta": ("a number above 0 and below 1", lambda delta: _is_number(delta, 0, 1)),
    "repeat": ("an integer of at least 1", lambda repeat: _is_integer(repeat, 1)),
    "k": (
        f"an integer from 1 to {MAX_SAMPLE_SIZE:,}",
        lambda k: _is_integer(k, 1, MAX_SAMPLE_SIZE),
    ),
    "answer": (
        "a string, a path or a sequence of integers",
        lambda answer: isinstance(answer, os.PathLike | Iterable),
    ),
    "model": ("a sequence of integers", lambda model: isinstance(model, Iterable)),
}
"""Noun for the valid arguments of each parameter, and the check of an argument."""
_REQUIRED = (
    *("path", "name", "literal", "model", "answer", "runtime", "k", "break_symmetry", "diverse"),
    *("propagate", "allow_invalid_projection"),
)
"""Parameters that do not accept None; for all others, None selects the default."""


def check_arguments(**arguments: Any) -> None:
    """Raise InputError with the name of the first parameter whose argument is invalid."""
    for name, argument in arguments.items():
        noun, is_valid = _CONSTRAINTS[name]
        if not (is_valid(argument) or (argument is None and name not in _REQUIRED)):
            raise InputError(f"{name} must be {noun} (got {argument!r:.60})")


@dataclass(frozen=True, repr=False, eq=False)
class Formula:
    """Formula in memory: variables and clauses. Returned by `boardsat.build`.

    Clauses are generated each time they are requested, so a formula of any size needs little
    memory. ``len(formula)`` is the number of clauses.

    Examples
    --------
    >>> formula = boardsat.build("queens", n=6)
    >>> print(formula)
    queens/squares: 36 variables, 302 clauses
    """

    _formula: BuiltFormula

    @property
    def name(self) -> str:
        """Problem and encoding, such as ``"tour/binary"``."""
        return self._formula.header.spec

    @property
    def num_variables(self) -> int:
        """Number of variables, which are numbered from 1."""
        return self._formula.variables

    @property
    def projection(self) -> list[int] | None:
        """Variables that models are counted over, ascending. None: all variables.

        Examples
        --------
        >>> len(boardsat.build("tour", "binary", n=6).projection)
        160
        """
        numbers = self._formula.header.projection
        return None if numbers is None else numbers.tolist()

    @property
    def weights(self) -> dict[int, Fraction]:
        """Weight of each literal for weighted counting, a `fractions.Fraction`.

        Empty if the spec declares no weights.

        Examples
        --------
        >>> boardsat.build("queens", n=4).weights
        {}
        """
        from fractions import Fraction

        table = self._formula.weights
        columns = (table.literals, table.numerators, table.denominators) if table else ()
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {literal: Fraction(p, q) for literal, p, q in rows}

    def __len__(self) -> int:
        """Return the number of clauses."""
        return self._formula.clauses

    def clauses(self) -> Iterator[list[int]]:
        """Yield the clauses, each a list of literals as python-sat takes them.

        Examples
        --------
        >>> next(boardsat.build("queens", n=4).clauses())
        [1, 2, 3, 4]
        """
        clause: list[int] = []
        for tokens in self.iter_clause_arrays():
            for token in tokens.tolist():
                if token:
                    clause.append(token)
                else:
                    yield clause
                    clause = []

    def iter_clause_arrays(self) -> Iterator[npt.NDArray[np.int32]]:
        """Yield arrays of literals in which each clause ends with 0.

        No clause spans two arrays, and the size of an array does not grow with the formula. This is
        about eight times as fast as `clauses`.

        Examples
        --------
        >>> arrays = boardsat.build("queens", n=4).iter_clause_arrays()
        >>> next(arrays)[:10].tolist()
        [1, 2, 3, 4, 0, 5, 6, 7, 8, 0]
        """
        return self._formula.arrays()

    def variable(self, name: str, /, *indices: int) -> int:
        """Return the number of a variable of the spec.

        Parameters
        ----------
        name : str
            Name of the variable in the spec.
        *indices : int
            Indices of the member. An integer variable takes one more, the value or bit of the
            literal, as `variables` describes.

        Raises
        ------
        boardsat.InputError
            The formula has no such variable.

        Examples
        --------
        >>> formula = boardsat.build("tour", "unary", n=8)
        >>> formula.variable("H", 0, 10), formula.variable("U", 0, 0)
        (1, 337)
        """
        numbers = self.variables(name)
        if indices not in numbers:
            member = f"{name}[{', '.join(map(str, indices))}]" if indices else name
            remedy = f'formula.variables("{name}") has the indices of all'
            raise InputError(f"the formula has no variable {member}", remedy, self.name)
        return numbers[indices]

    def variables(self, name: str, /) -> dict[tuple[int, ...], int]:
        """Return the numbers of all members of a variable of the spec, by their indices.

        An integer is encoded by several variables of the formula, which have one more index, k:
        the variable is true if the integer is at least k (encoding ``order``) or equal to k
        (``direct``), or if bit k is set in its difference from the lower bound (``binary``).

        Parameters
        ----------
        name : str
            Name of the variable in the spec.

        Raises
        ------
        boardsat.InputError
            The spec declares no variable of this name.

        Examples
        --------
        >>> formula = boardsat.build("queens", n=4)
        >>> list(formula.variables("Q").items())[:3]
        [((0,), 1), ((1,), 2), ((2,), 3)]
        """
        check_arguments(name=name)
        declared = self._header.variables
        if name not in declared:
            remedy = suggest(name, declared)
            raise InputError(f"the formula has no variable {name!r}", remedy, self.name)
        if name not in self._numbers:
            self._numbers[name] = declared[name].numbers_by_indices()
        return self._numbers[name]

    def describe(self, literal: int) -> str:
        """Return the meaning of a literal, as the spec describes its variable.

        Parameters
        ----------
        literal : int
            Number of a variable, negative for its negation.

        Raises
        ------
        boardsat.InputError
            The literal is 0, or its variable is not in the formula.

        Examples
        --------
        >>> formula = boardsat.build("tour", "unary", n=8)
        >>> formula.describe(-1)
        'not H[0, 10] (the tour goes from 0 to 10)'
        """
        from boardsat.adapters.views.model_description import describe_literal

        check_arguments(literal=literal)
        if not 1 <= abs(literal) <= self.num_variables:
            fault = (
                f"literal must be between 1 and {self.num_variables}, or negated (got {literal})"
            )
            raise InputError(fault, "", self.name)
        return describe_literal(self._header, literal)

    def to_pysat(self) -> CNF:
        """Return the clauses as a formula of python-sat, to which clauses can be added.

        Raises
        ------
        boardsat.InputError
            The formula has native XOR lines, which python-sat's class does not have.

        Examples
        --------
        >>> from pysat.solvers import Solver
        >>> formula = boardsat.build("queens", n=4)
        >>> with Solver(bootstrap_with=formula.to_pysat()) as solver:
        ...     solver.solve(assumptions=[formula.variable("Q", 1)])
        ...     print(formula.decode(solver.get_model()))
        True
        . Q . .
        . . . Q
        Q . . .
        . . Q .
        """
        from pysat.formula import CNF

        if self._formula.xor_lines:
            raise InputError(
                "a formula with native XOR lines cannot be converted for python-sat",
                "encode parity by clauses, with xor='chain'",
                self.name,
            )
        cnf = CNF(from_clauses=list(self.clauses()))
        cnf.nv = self.num_variables
        return cnf

    def decode(self, model: Sequence[int], /) -> DecodeResult:
        """Decode a model to a board, after checking it; the same as `boardsat.decode`.

        Parameters
        ----------
        model : sequence of int
            Literals of the model, as the solvers of python-sat return them.

        Raises
        ------
        boardsat.WrongAnswerError
            The model falsifies a clause, or the board violates the rules.
        """
        from boardsat.instance.inputs import FormulaInput
        from boardsat.workflows.solve.external_answers import ExternalAnswer, decode_answer

        check_arguments(model=model)
        return decode_answer(FormulaInput(self._formula), ExternalAnswer.from_literals(model))

    def transform(
        self,
        *,
        propagate: bool = False,
        three_cnf: str | None = None,
        shuffle: int | None = None,
        break_symmetry: bool = False,
    ) -> Formula:
        """Return the formula after transforms, which are applied in the order below.

        Parameters
        ----------
        break_symmetry : bool
            Add clauses that keep one solution of each orbit under the symmetries of the board.
        propagate : bool
            Remove what unit propagation decides; variables keep their numbers.
        three_cnf : {"auto", "chain", "equivalences"}, optional
            Split clauses of more than three literals, by auxiliary variables. ``"equivalences"``
            is count-preserving, ``"chain"`` is shorter, and ``"auto"`` is ``"equivalences"`` if the
            formula is count-preserving.
        shuffle : int, optional
            Random seed for renaming variables and permuting clauses and literals.

        Returns
        -------
        Formula
            New formula; this one is unchanged.

        Raises
        ------
        boardsat.InputError
            The formula cannot be transformed, or its symmetries are unknown.

        Examples
        --------
        >>> print(boardsat.build("queens", n=6).transform(three_cnf="auto", shuffle=1))
        queens/squares: 72 variables, 410 clauses
        """
        check_arguments(propagate=propagate, three_cnf=three_cnf, shuffle=shuffle)
        check_arguments(break_symmetry=break_symmetry)
        return Formula(transform(self._formula, propagate, three_cnf, shuffle, break_symmetry))

    def write(self, path: str | os.PathLike[str], projection: str | None = None) -> int:
        """Write the formula to a file, like ``boardsat cnf``, and return its size in bytes.

        Parameters
        ----------
        path : str or path-like
            Target. The suffix ``.wcnf``, ``.opb`` or ``.knf`` selects another format than DIMACS
            CNF; ``.gz``, ``.xz`` or ``.zst`` compresses the file.
        projection : {"ind", "show", "none"}, optional
            Comment lines that declare the projection: ``c ind``, or ``c p show`` of the Model
            Counting Competition. Default: ``"ind"`` if the spec declares a projection, ``"show"``
            if literals have weights.

        Returns
        -------
        int
            Size of the file in bytes.

        Raises
        ------
        boardsat.InputError
            The format cannot express the formula, or the file cannot be written. A file that
            exists is then unchanged.

        Examples
        --------
        >>> boardsat.build("queens", n=6).write("queens.cnf")
        3902
        """
        check_arguments(path=path, projection=projection)
        return write(self._formula, os.fspath(path), projection)

    @cached_property
    def _header(self) -> Header:
        """Header as a reader of the file would parse it."""
        from boardsat.adapters.dimacs.header import read_header
        from boardsat.generators.dimacs.document import comments

        lines = (line.removeprefix("c ") for line in comments(self._formula).splitlines())
        return read_header(lines, self.num_variables)

    @cached_property
    def _numbers(self) -> dict[str, dict[tuple[int, ...], int]]:
        """Results of `variables`, by name."""
        return {}

    def __str__(self) -> str:
        sizes = (pluralize(self.num_variables, "variable"), pluralize(len(self), "clause"))
        return f"{self.name}: {', '.join(sizes)}"

    def __repr__(self) -> str:
        return f"<boardsat.Formula {self}>"

    def _repr_html_(self) -> str:
        heads = ("constraint", "auxiliary variables", "clauses", "literals")
        rows = [
            (section.name, section.num_auxiliary, section.clauses, section.literals)
            for section in self._formula.sections
        ]
        lines = [_row("th", heads), *(_row("td", row) for row in rows)]
        return f"<p>{html.escape(str(self))}</p><table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str | int]) -> str:
    texts = (f"{cell:,}" if isinstance(cell, int) else html.escape(cell) for cell in cells)
    return f"<tr>{''.join(f'<{tag}>{text}</{tag}>' for text in texts)}</tr>"


@dataclass(frozen=True, repr=False, eq=False)
class SolveResult(BoardResult):
    """Checked answer of a solver. Returned by `boardsat.solve`.

    It prints as the command does; in a notebook it is shown as a picture.

    Attributes
    ----------
    instance : Instance
        Formula, logic program or board that was solved.
    solution : Solution or None
        Decoded board with its views. None without a model, or if the header has no view.
    checked_answer : CheckedAnswer
        Answer with its proof (``checked_answer.proof``) and its checks.
    encoding_note : tuple of str
        Line about the default encoding. Empty if the user named one.

    Examples
    --------
    >>> result = boardsat.solve("queens", n=4)
    >>> result.status.name, result.model[:4], result.checked == ("model", "board")
    ('SATISFIABLE', [-1, -2, 3, -4], True)
    >>> result.answer.run.solver
    'cadical'
    """

    checked_answer: CheckedAnswer
    encoding_note: tuple[str, ...] = ()

    @property
    def answer(self) -> Answer:
        """Answer as the solver reported it, and its run: ``answer.run.solver``, ``.version``."""
        return self.checked_answer.answer

    @property
    def status(self) -> Status:
        """SATISFIABLE, UNSATISFIABLE, OPTIMUM, or UNKNOWN if a limit was reached."""
        return self.answer.status

    @property
    def model(self) -> list[int] | None:
        """Model as a list of literals, one for each variable. None without model or formula."""
        return self.answer.literals

    @property
    def objective_value(self) -> int | None:
        """Value that the spec minimizes or maximizes. None without an objective or a model.

        It is optimal only if the status is OPTIMUM.
        """
        return self.checked_answer.value

    @property
    def checked(self) -> tuple[str, ...]:
        """Checks that the answer passed, such as ``("model", "board")`` or ``("proof",)``."""
        return self.checked_answer.checked

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Missing checks that would confirm the answer, such as ``("proof",)``."""
        return self.checked_answer.unchecked

    @property
    def check_error(self) -> BaseException | None:
        """Error after the answer was known, such as a missing proof checker. None without an error.

        It is stored here instead of being raised, so that the answer is not lost.
        """
        return self.checked_answer.failure

    @property
    def usage(self) -> Usage:
        """Resources of the solver: ``wall`` and ``cpu`` in seconds, ``memory`` in bytes.

        An embedded solver is a library in a Python process, whose start takes 0.1 s and 20 to
        45 MB; ``solver_wall``, ``solver_cpu`` and ``solver_memory`` are measured for the library
        alone, and None for other solvers. ``scored_wall``, ``scored_cpu`` and ``scored_memory`` are
        the ones to compare solvers by: the library's if measured, otherwise the process's.
        """
        return self.answer.run.usage

    def __str__(self) -> str:
        results = [self.checked_answer]
        text = solve_result.format_results(results, self.instance, self.encoding_note)
        return strip_colours(text)

    def __repr__(self) -> str:
        return f"<boardsat.SolveResult {self.status.name} by {self.answer.run.solver}>"


@dataclass(frozen=True)
class CheckResult:
    """Outcome of a check; true if the answer is correct. Returned by `boardsat.check`.

    Attributes
    ----------
    is_correct : bool
        True if every check passed.
    messages : tuple of str
        One line for each check; the last one is the fault if the answer is wrong.

    Examples
    --------
    >>> formula = boardsat.build("queens", n=6)
    >>> if boardsat.check(formula, boardsat.solve(formula).model):
    ...     print("the answer is correct")
    the answer is correct
    """

    is_correct: bool
    messages: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.is_correct

    def __str__(self) -> str:
        return "\n".join(self.messages)
