"""Python interface: the workflows of the command line as functions.

Annotations are evaluated here, so that `help` shows them as types instead of as quoted text.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from boardsat.adapters.answer import Status
from boardsat.adapters.formats import format_from_name
from boardsat.adapters.runtimes import Limits
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, InputError, SolverError, WrongAnswerError
from boardsat.base.files import read_pieces
from boardsat.campaign.instance_files import read_instance
from boardsat.generators.spec.defaults import COUNT, SOLVE, WRITE
from boardsat.instance.file_types import CNF_SUFFIXES, PROGRAM_SUFFIX
from boardsat.instance.inputs import (
    CatalogueInput,
    FileInput,
    FormulaInput,
    TransformOptions,
    WorkflowInput,
)
from boardsat.results import CheckResult, Formula, SolveResult, check_arguments
from boardsat.workflows.count.result import CountResult
from boardsat.workflows.count.workflow import resolve_count_options, run_count
from boardsat.workflows.explain.result import Explanation
from boardsat.workflows.explain.workflow import resolve_spec, run_explain
from boardsat.workflows.options import DEFAULT_SAMPLE_SIZE, CountOptions, SampleOptions
from boardsat.workflows.sample.result import SampleResult
from boardsat.workflows.sample.workflow import resolve_sample_options, run_sample
from boardsat.workflows.solve.external_answers import (
    DecodeResult,
    ExternalAnswer,
    check_external_answer,
    decode_answer,
)
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.workflow import default_solver, find_boards, reads_formula

__all__ = [
    "BoardsatError",
    "CheckResult",
    "CountResult",
    "DecodeResult",
    "Explanation",
    "Formula",
    "InputError",
    "SampleResult",
    "SolveResult",
    "SolverError",
    "Status",
    "WrongAnswerError",
    "build",
    "check",
    "count",
    "decode",
    "explain",
    "sample",
    "solve",
]

Name: TypeAlias = str | os.PathLike[str]

AnswerSource: TypeAlias = str | os.PathLike[str] | Sequence[int]
"""Output of a solver, the path of a file with it, or the literals of a model."""


def build(
    problem: Name, /, encoding: str | None = None, *, break_symmetry: bool = False, **settings: Any
) -> Formula:
    """Build the formula of a problem.

    Parameters
    ----------
    problem : str or path-like
        Name from ``boardsat list`` (``"tour"`` or ``"tour/binary"``), or path of a spec or an
        instance file (.yaml).
    encoding : str, optional
        Encoding of the problem. Default: the default of the problem for writing a file.
    break_symmetry : bool
        Add clauses that keep one solution of each orbit under the symmetries of the board.
    **settings
        Parameters of the problem, such as ``n=8``: numbers, booleans, strings, lists of numbers, or
        NetworkX graphs. ``boardsat list PROBLEM`` prints them with their defaults.

    Returns
    -------
    Formula
        Formula in memory.

    Raises
    ------
    boardsat.InputError
        The problem, the encoding or a parameter is invalid.

    Examples
    --------
    >>> formula = boardsat.build("tour", "binary", n=6)
    >>> print(formula)
    tour/binary: 370 variables, 5,605 clauses
    >>> formula.num_variables, len(formula), len(formula.projection)
    (370, 5605, 160)
    """
    return Formula(_catalogue_input(problem, encoding, settings, break_symmetry).formula(WRITE))


def solve(
    problem: Name | Formula,
    /,
    encoding: str | None = None,
    *,
    solver: str | None = None,
    runtime: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    proof: bool | str | os.PathLike[str] = False,
    method: str | None = None,
    break_symmetry: bool = False,
    **settings: Any,
) -> SolveResult:
    """Solve a problem and check the answer.

    A model is checked against every clause, and the board that it decodes to against the rules of
    the problem. UNSATISFIABLE is checked only with `proof`. If the problem has an objective, the
    best model is sought, and a second solver searches for a better one.

    Parameters
    ----------
    problem : str, path-like or Formula
        Name from ``boardsat list`` (``"tour"`` or ``"tour/binary"``), path of a spec or an instance
        file (.yaml), of a formula (.cnf, .wcnf, .opb, .knf; also .cnf.gz, .cnf.xz, .cnf.zst) or of
        a logic program (.lp), or the result of `build`.
    encoding : str, optional
        Encoding of the problem. Default: the default of the problem for solving.
    solver : str, optional
        Name from ``boardsat solvers``, or path of a solver file (.yaml). Default: ``"rc2"`` if
        there is an objective (``"exact"`` for .opb), otherwise ``"cadical"``. A logic program
        requires ``"clingo"``.
    runtime : {"auto", "docker", "native", "embedded"}
        Runtime of the solver: a container, a program on PATH, or a Python library. ``"auto"``
        selects the first available one.
    timeout : float, optional
        Wall-clock limit in seconds for generating or reading the formula, solving it, and checking
        the answer together. Default: unlimited.
    seed : int, optional
        Random seed of the solver, from 0. Default: the solver's own default.
    proof : bool or path-like
        True: have UNSATISFIABLE proved, and check the proof. A path also stores the proof there;
        its suffix selects format (.drat, .lrat) and compression (.gz, .xz, .zst).
    method : str, optional
        Method of the generated logic program, only for ``solver="clingo"``; listed by
        ``boardsat asp --help``.
    break_symmetry : bool
        Add clauses that keep one solution of each orbit under the symmetries of the board.
    **settings
        Parameters of the problem, such as ``n=8``. For a parameter that has the name of an argument
        above, pass the formula of `build`.

    Returns
    -------
    SolveResult
        If the time limit was reached, ``status`` is ``Status.UNKNOWN``, ``board`` and ``model`` are
        None, and nothing is raised.

    Raises
    ------
    boardsat.InputError
        The problem, a parameter, the file or the solver is invalid, or the solver does not support
        what is requested.
    boardsat.SolverError
        The solver failed, or its output cannot be parsed.
    boardsat.WrongAnswerError
        The answer failed a check: the solver or the encoding has a bug.

    Examples
    --------
    >>> result = boardsat.solve("queens", n=6)
    >>> print(result.status.name, *result.checked)
    SATISFIABLE model board
    >>> result.board[0]
    [0, 0, 0, 0, 1, 0]
    >>> best = boardsat.solve("fewest_queens", n=5)
    >>> best.status.name, best.objective_value
    ('OPTIMUM', 3)
    """
    check_arguments(solver=solver, runtime=runtime, timeout=timeout, seed=seed)
    check_arguments(proof=proof, method=method)
    target = os.fspath(proof) if isinstance(proof, str | os.PathLike) else None
    with ExitStack() as stack:
        source = _workflow_input(problem, encoding, settings, break_symmetry)
        name = solver or default_solver(source)
        request = SolveRequest(
            name,
            runtime,
            Limits(timeout),
            seed,
            target,
            keep_proof=target is not None,
            method=method,
        )
        if proof is True:
            folder = stack.enter_context(scratch.folder())
            request = replace(request, proof=str(folder / "proof"))
        instance, (answer, *_) = find_boards(source, request)
        note = tuple(source.encoding_note(SOLVE)) if reads_formula(name) else ()
        return SolveResult(instance, answer.solution, answer, note)


def count(
    problem: Name | Formula,
    /,
    encoding: str | None = None,
    *,
    counter: str | None = None,
    runtime: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    repeat: int | None = None,
    reference: str | None = None,
    allow_invalid_projection: bool = False,
    break_symmetry: bool = False,
    **settings: Any,
) -> CountResult:
    """Count the solutions of a problem, exactly or approximately.

    Without `counter`, exact counters are tried for a few seconds each. If none finishes, or if
    `epsilon`, `delta` or `repeat` requests it, the result is an estimate. The count is compared
    with a reference, and one that no formula of this size can have is rejected.

    Parameters
    ----------
    problem : str, path-like or Formula
        Name from ``boardsat list`` (``"tour"`` or ``"tour/binary"``), path of a spec or an instance
        file (.yaml) or of a formula (.cnf, also compressed), or the result of `build`.
    encoding : str, optional
        Encoding of the problem. Default: the default of the problem for counting.
    counter : str, optional
        Name from ``boardsat solvers``, or path of a solver file (.yaml). Default: selected.
    runtime : {"auto", "docker", "native", "embedded"}
        Runtime of the counter: a container, a program on PATH, or a Python library. ``"auto"``
        selects the first available one.
    timeout : float, optional
        Wall-clock limit in seconds for the whole count. Default: 120 if `counter` is None,
        otherwise unlimited.
    seed : int, optional
        Random seed of a counter that estimates, from 0. Default: the counter's own default.
    epsilon : float, optional
        Tolerance of an estimate, above 0: it is within a factor of 1 + epsilon. Default: 0.8.
    delta : float, optional
        Failure probability of an estimate, between 0 and 1. Default: 0.2.
    repeat : int, optional
        Number of runs with consecutive seeds; the result is their median. Default: 1.
    reference : str, optional
        Reference to compare the count with: name of another counter, ``"published"`` or
        ``"none"``. Default: the published count if the spec cites one.
    allow_invalid_projection : bool
        Count the models over the projection even if that is not the number of boards.
    break_symmetry : bool
        Count orbits under the symmetries of the board; ``total_count`` of the result is the number
        of all solutions by Burnside's lemma.
    **settings
        Parameters of the problem, such as ``n=8``.

    Returns
    -------
    CountResult
        If the time limit was reached, ``count`` is None, ``remedy`` suggests what to do, and
        nothing is raised.

    Raises
    ------
    boardsat.InputError
        The problem, a parameter, the file or the counter is invalid, or the projection is.
    boardsat.SolverError
        The counter failed, or its output cannot be parsed.
    boardsat.WrongAnswerError
        The count is impossible for this formula: the counter or the encoding has a bug.

    Examples
    --------
    >>> tours = boardsat.count("tour", n=6)
    >>> tours.count, tours.exact, tours.interval
    (9862, True, None)
    >>> tours.verdict, tours.reference.source
    (<Agreement.AGREE: 'agree'>, 'OEIS A175881')
    >>> orbits = boardsat.count("queens", n=6, break_symmetry=True)
    >>> orbits.count, orbits.total_count
    (1, 4)
    """
    check_arguments(counter=counter, runtime=runtime, timeout=timeout, seed=seed, repeat=repeat)
    check_arguments(epsilon=epsilon, delta=delta, reference=reference)
    check_arguments(allow_invalid_projection=allow_invalid_projection)
    options = CountOptions(
        Limits(timeout),
        counter,
        runtime,
        seed,
        epsilon,
        delta,
        repeat,
        reference,
        allow_invalid_projection,
    )
    named = resolve_count_options(options)
    with run_count(
        _workflow_input(problem, encoding, settings, break_symmetry), options, named
    ) as result:
        return result


def sample(
    problem: Name | Formula,
    /,
    encoding: str | None = None,
    *,
    k: int = DEFAULT_SAMPLE_SIZE,
    sampler: str | None = None,
    runtime: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    diverse: bool = False,
    break_symmetry: bool = False,
    **settings: Any,
) -> SampleResult:
    """Draw boards uniformly at random, with replacement, and check each.

    Without `sampler`, exactly uniform samplers are tried for a few seconds each, then an almost
    uniform one.

    Parameters
    ----------
    problem : str, path-like or Formula
        Name from ``boardsat list`` (``"tour"`` or ``"tour/binary"``), path of a spec or an instance
        file (.yaml) or of a formula (.cnf, also compressed), or the result of `build`.
    encoding : str, optional
        Encoding of the problem. Default: the default of the problem for counting.
    k : int
        Number of boards, from 1 to 100,000.
    sampler : str, optional
        Name from ``boardsat solvers``, or path of a solver file (.yaml). Default: selected.
    runtime : {"auto", "docker", "native", "embedded"}
        Runtime of the sampler: a container, a program on PATH, or a Python library. ``"auto"``
        selects the first available one.
    timeout : float, optional
        Wall-clock limit in seconds for drawing and checking together. Default: 120 if `sampler` is
        None, otherwise unlimited.
    seed : int, optional
        Random seed, from 0; the same seed gives the same boards. Default: 0.
    diverse : bool
        Draw more boards and return `k` different ones that are far apart; they are not uniform.
    break_symmetry : bool
        Draw orbits under the symmetries of the board, each represented by one solution.
    **settings
        Parameters of the problem, such as ``n=8``.

    Returns
    -------
    SampleResult
        Sequence of `SolveResult`. It is empty with ``status`` UNSATISFIABLE if there is no board,
        or UNKNOWN if a limit was reached; ``remedy`` then suggests what to do.

    Raises
    ------
    boardsat.InputError
        The problem, a parameter, the file or the sampler is invalid, or no uniform sample can be
        drawn over the projection.
    boardsat.SolverError
        The sampler failed, or its output cannot be parsed.
    boardsat.WrongAnswerError
        A board failed a check: the sampler or the encoding has a bug.

    Examples
    --------
    >>> queens = boardsat.sample("queens", n=6, k=3, seed=1)
    >>> len(queens), queens.count, queens.is_uniform
    (3, 4, True)
    >>> print(queens[0].board_text)
    . . . Q . .
    Q . . . . .
    . . . . Q .
    . Q . . . .
    . . . . . Q
    . . Q . . .
    """
    check_arguments(k=k, sampler=sampler, runtime=runtime, timeout=timeout, seed=seed)
    check_arguments(diverse=diverse)
    options = SampleOptions(Limits(timeout), k, sampler, runtime, seed, diverse)
    named = resolve_sample_options(options)
    return run_sample(_workflow_input(problem, encoding, settings, break_symmetry), options, named)


def explain(
    problem: Name | Formula,
    /,
    encoding: str | None = None,
    *,
    timeout: float | None = 60,
    **settings: Any,
) -> Explanation:
    """Explain why a problem has no solution by a minimal unsatisfiable subset (MUS).

    The elements of the subset are constraints, or single rows of their ``for``, such as one column
    or one clue. A second solver checks that they are unsatisfiable together, and satisfiable
    without any one of them.

    Parameters
    ----------
    problem : str, path-like or Formula
        Name from ``boardsat list`` (``"tour"`` or ``"tour/binary"``), path of a spec or an instance
        file (.yaml), or formula of a problem from the list: a file (.cnf), or the result of
        `build`.
    encoding : str, optional
        Encoding of the problem. Default: the default of the problem for solving.
    timeout : float or None
        Wall-clock limit in seconds for the search and its check together. Default: 60. None:
        unlimited.
    **settings
        Parameters of the problem, such as ``n=8``.

    Returns
    -------
    Explanation
        ``status`` is SATISFIABLE if there is nothing to explain, and UNKNOWN if a limit was reached
        before the contradiction was found. If the limit was reached later, ``is_minimal`` may be
        False.

    Raises
    ------
    boardsat.InputError
        The problem or a parameter is invalid, or the formula cannot be rebuilt from its header.
    boardsat.WrongAnswerError
        The second solver contradicts the explanation.

    Examples
    --------
    >>> explanation = boardsat.explain("pigeonhole", n=2)
    >>> explanation.status.name, explanation.is_minimal, len(explanation.core)
    ('UNSATISFIABLE', True, 5)
    """
    check_arguments(timeout=timeout)
    spec, texts = resolve_spec(_workflow_input(problem, encoding, settings))
    return run_explain(spec, texts, Limits(timeout))


def decode(problem: Name | Formula, answer: AnswerSource, /) -> DecodeResult:
    """Decode the answer of any solver to a board, after checking it.

    Parameters
    ----------
    problem : str, path-like or Formula
        Path of a formula (.cnf, .wcnf, .opb, .knf) or a logic program (.lp), or the result of
        `build`.
    answer : str, path-like or sequence of int
        Output of a solver, path of a file with it (a string of one word is a path), or literals of
        a model. The output of ``boardsat solve``, as text or as JSON, is accepted too.

    Returns
    -------
    DecodeResult
        Board, or the true variables if the file does not describe a board.

    Raises
    ------
    boardsat.InputError
        The file or the answer cannot be read, or the answer has no model.
    boardsat.WrongAnswerError
        The model falsifies a clause, or the board violates the rules.

    Examples
    --------
    >>> formula = boardsat.build("queens", n=4)
    >>> model = boardsat.solve(formula).model
    >>> print(boardsat.decode(formula, model))
    . . Q .
    Q . . .
    . . . Q
    . Q . .
    """
    return decode_answer(_formula_input(problem), _external_answer(answer))


def check(
    problem: Name | Formula, answer: AnswerSource, proof: Name | None = None, /
) -> CheckResult:
    """Check the answer of any solver.

    A model is checked against every clause, and its board against the rules of the problem;
    UNSATISFIABLE is checked by its proof. There is no time limit.

    Parameters
    ----------
    problem : str, path-like or Formula
        Path of a formula (.cnf, .wcnf, .opb, .knf), or the result of `build`.
    answer : str, path-like or sequence of int
        Output of a solver, path of a file with it (a string of one word is a path), or literals of
        a model. A variable without a literal is false.
    proof : str or path-like, optional
        Path of a DRAT or LRAT proof, which the answer UNSATISFIABLE requires; it may be compressed
        (.gz, .xz, .zst).

    Returns
    -------
    CheckResult
        True if the answer is correct; ``messages`` describes each check.

    Raises
    ------
    boardsat.InputError
        The file, the answer or the proof cannot be read, or the proof is missing.
    boardsat.SolverError
        The proof checker is not available, or failed.

    Examples
    --------
    >>> formula = boardsat.build("queens", n=6)
    >>> model = boardsat.solve(formula).model
    >>> print(boardsat.check(formula, model))
    the model satisfies all 302 clauses
    the board obeys the rules of queens
    >>> wrong = boardsat.check(formula, [-literal for literal in model])
    >>> bool(wrong), wrong.messages
    (False, ('WRONG MODEL from the answer: clause 7 (-1 -2) is false',))
    """
    path = None if proof is None else _path("proof", proof)
    messages: list[str] = []
    with _formula_input(problem, keep_file=False).formula_file(COUNT) as formula:
        try:
            for message in check_external_answer(formula, _external_answer(answer), path, Limits()):
                messages.append(message)
        except WrongAnswerError as error:
            return CheckResult(False, (*messages, error.fault))
    return CheckResult(True, tuple(messages))


def _workflow_input(
    problem: Name | Formula,
    encoding: str | None,
    settings: dict[str, Any],
    break_symmetry: bool = False,
) -> WorkflowInput:
    if not isinstance(problem, Formula) and not _is_file(_path("problem", problem)):
        return _catalogue_input(problem, encoding, settings, break_symmetry)
    source = _formula_input(problem)
    if encoding or settings or break_symmetry:
        raise InputError(
            "encoding, break_symmetry and parameters cannot be changed for a formula",
            "pass a problem name instead",
            source.name,
        )
    return source


def _catalogue_input(
    problem: Name, encoding: str | None, settings: dict[str, Any], break_symmetry: bool
) -> CatalogueInput:
    """Return a problem or spec with its settings; an instance file names both."""
    name = _path("problem", problem)
    check_arguments(encoding=encoding, break_symmetry=break_symmetry)
    file = read_instance(name)
    if file is None:
        transforms = TransformOptions(symmetry=break_symmetry)
        return CatalogueInput(name, encoding, settings, transforms)
    transforms = TransformOptions(**file.changes)
    transforms = transforms._replace(symmetry=break_symmetry or transforms.symmetry)
    settings = {**file.settings, **settings}
    encoding = encoding or file.encoding
    return CatalogueInput(file.problem, encoding, settings, transforms, is_outside=True)


def _formula_input(problem: Name | Formula, keep_file: bool = True) -> WorkflowInput:
    if isinstance(problem, Formula):
        return FormulaInput(problem._formula, keep_file)
    return FileInput(_path("problem", problem))


def _path(parameter: str, argument: object) -> str:
    """Return the argument of a parameter as text; raise InputError unless it is a path."""
    if not isinstance(argument, str | os.PathLike):
        kind = type(argument).__name__
        raise InputError(f"{parameter} must be a string or a path here (got an object of {kind})")
    return os.fspath(argument)


def _is_file(name: str) -> bool:
    return name.endswith((*CNF_SUFFIXES, PROGRAM_SUFFIX)) or bool(format_from_name(name))


def _external_answer(answer: AnswerSource) -> ExternalAnswer:
    check_arguments(answer=answer)
    match answer:
        case str() if len(answer.split()) != 1:
            return ExternalAnswer([answer.encode()], "the answer")
        case str() | os.PathLike():
            return ExternalAnswer(read_pieces(Path(answer)), os.fspath(answer))
    return ExternalAnswer.from_literals(answer)
