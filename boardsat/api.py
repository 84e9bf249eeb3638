"""The entrance for programs: the workflows of the command line as functions.

A problem is a name of the catalogue (`tour` or `tour/binary`), the path of a spec or an instance in
YAML, or of a DIMACS file; or it is a formula that `build` gave. Its parameters are given by their
names. Invalid ones raise boardsat.InputError.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from boardsat.adapters.answer import Status
from boardsat.adapters.formats import ending_of
from boardsat.adapters.runtimes import Limits
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, InputError, SolverError, WrongAnswerError
from boardsat.base.files import read_pieces
from boardsat.board_result import BoardResult
from boardsat.campaign.instance_files import read_instance
from boardsat.generators.spec.defaults import COUNT, SOLVE, WRITE
from boardsat.instance.file_types import CNF_SUFFIXES, PROGRAM_SUFFIX
from boardsat.instance.formula_file import open_program
from boardsat.instance.inputs import (
    CatalogueInput,
    FileInput,
    FormulaInput,
    TransformOptions,
    WorkflowInput,
)
from boardsat.results import Checked, Formula, Solved
from boardsat.workflows.count.counter_selection import resolve_count_options
from boardsat.workflows.count.options import CountOptions
from boardsat.workflows.count.result import Counted
from boardsat.workflows.count.workflow import run_count
from boardsat.workflows.explain.result import Explanation
from boardsat.workflows.explain.workflow import explain, resolve_spec, resolve_spec_of_file
from boardsat.workflows.sample.options import DEFAULT_SIZE, SampleOptions
from boardsat.workflows.sample.result import Sampled
from boardsat.workflows.sample.workflow import resolve_sample_options, run_sample
from boardsat.workflows.solve.external_answers import (
    Decoded,
    ExternalAnswer,
    check_external_answer,
    decode_with_formula,
    decode_with_program,
)
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import no_picture_reason
from boardsat.workflows.solve.workflow import default_solver, find_boards, reads_formula

__all__ = [
    "BoardsatError",
    "Checked",
    "Counted",
    "Decoded",
    "Explanation",
    "Formula",
    "InputError",
    "Sampled",
    "Solved",
    "SolverError",
    "Status",
    "WrongAnswerError",
    "build",
    "check",
    "count",
    "decode",
    "sample",
    "solve",
    "svg",
    "why",
]

Name: TypeAlias = str | os.PathLike[str]

GivenText: TypeAlias = str | os.PathLike[str] | Sequence[int]
"""What a solver printed, the path of a file with it, or the literals of a model."""


def build(
    problem: Name, /, encoding: str | None = None, *, symmetry: bool = False, **settings: Any
) -> Formula:
    """The formula of a problem, in memory; `symmetry` leaves one solution of every class."""
    return Formula(_named(os.fspath(problem), encoding, settings, symmetry).formula(WRITE))


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
    symmetry: bool = False,
    **settings: Any,
) -> Solved:
    """One answer, checked; the path of a proof is where it is kept, and its ending tells its kind.

    The solver is cadical where none is named, or rc2 where the best model is
    asked for. `timeout` is in seconds of wall time, and `method` of the logic program for clingo.
    """
    keep = None if isinstance(proof, bool) else os.fspath(proof)
    limits = _limits(timeout)
    with ExitStack() as stack:
        source = _source(problem, encoding, settings, symmetry)
        named = solver or default_solver(source)
        request = SolveRequest(named, runtime, limits, seed, keep, keep_proof=keep is not None)
        if proof is True:
            folder = stack.enter_context(scratch.folder())
            request = replace(request, proof=str(folder / "proof"))
        instance, (result, *_) = find_boards(source, request, 1, method, nullcontext)
        default = source.encoding_note(SOLVE) if reads_formula(named) else ()
        return Solved(instance, result.solution, result, tuple(default))


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
    referee: str | None = None,
    any_projection: bool = False,
    symmetry: bool = False,
    **settings: Any,
) -> Counted:
    """How many boards there are: exactly if that is quick, unless a counter is named.

    With `symmetry`, how many classes of them, and by Burnside's lemma how many in all.
    """
    limits = _limits(timeout)
    options = CountOptions(
        limits, counter, runtime, seed, epsilon, delta, repeat, referee, any_projection
    )
    named = resolve_count_options(options)
    with run_count(_source(problem, encoding, settings, symmetry), options, named) as result:
        return result


def sample(
    problem: Name | Formula,
    /,
    encoding: str | None = None,
    *,
    k: int = DEFAULT_SIZE,
    sampler: str | None = None,
    runtime: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    diverse: bool = False,
    symmetry: bool = False,
    **settings: Any,
) -> Sampled:
    """`k` boards drawn uniformly at random, each checked; exactly so, if that is quick.

    With `diverse` more are drawn, and these are far apart; with `symmetry` classes are drawn.
    """
    limits = _limits(timeout)
    options = SampleOptions(limits, k, sampler, runtime, seed, diverse)
    named = resolve_sample_options(options)
    return run_sample(_source(problem, encoding, settings, symmetry), options, named)


def why(
    problem: Name, /, encoding: str | None = None, *, timeout: float | None = 60, **settings: Any
) -> Explanation:
    """Which constraints and clues exclude each other, where there is no solution."""
    limits, name = _limits(timeout), os.fspath(problem)
    source = _source(name, encoding, settings)
    if isinstance(source, CatalogueInput):
        spec, settings = resolve_spec(source)
    else:
        spec, settings = resolve_spec_of_file(source.name)
    return explain(spec, settings, limits)


def decode(problem: Name | Formula, answer: GivenText, /) -> Decoded:
    """The board of an answer that any solver gave to a formula, a DIMACS file or a logic program.

    An answer is checked too: one that is wrong raises WrongAnswerError.
    """
    source = _given(problem)
    if source.name.endswith(PROGRAM_SUFFIX):
        return decode_with_program(open_program(source.name), _answer(answer))
    with source.formula_file(COUNT) as opened:
        return decode_with_formula(opened, _answer(answer))


def check(
    problem: Name | Formula, answer: GivenText, proof: str | os.PathLike[str] | None = None, /
) -> Checked:
    """Whether an answer is right; that there is none can only be checked with its proof."""
    path = None if proof is None else os.fspath(proof)
    lines: list[str] = []
    with _given(problem, keep_file=False).formula_file(COUNT) as opened:
        try:
            for line in check_external_answer(opened, _answer(answer), path, Limits()):
                lines.append(line)
        except WrongAnswerError as error:
            return Checked(False, (*lines, error.fault))
    return Checked(True, tuple(lines))


def svg(drawn: BoardResult, /) -> str:
    """The picture of a board; an error where there is none."""
    picture = drawn._repr_svg_()
    if picture is None:
        status = drawn.status if isinstance(drawn, Solved) else Status.SATISFIABLE
        raise InputError("there is no picture", no_picture_reason(status, drawn.instance))
    return picture


def _limits(timeout: float | None) -> Limits:
    if timeout is not None and not timeout > 0:
        raise InputError(f"timeout = {timeout}", "give seconds above 0")
    return Limits(wall=timeout)


def _source(
    problem: Name | Formula, encoding: str | None, settings: dict[str, Any], symmetry: bool = False
) -> WorkflowInput:
    if not isinstance(problem, Formula) and not _is_file(os.fspath(problem)):
        return _named(os.fspath(problem), encoding, settings, symmetry)
    source = _given(problem)
    if encoding or settings or symmetry:
        raise InputError(
            "a formula is used as it is",
            "leave encoding, symmetry and settings out, or name a problem",
            source.name,
        )
    return source


def _named(
    problem: str, encoding: str | None, settings: dict[str, Any], symmetry: bool = False
) -> CatalogueInput:
    """A problem or a spec with its settings, or the instance of a file that names them."""
    file = read_instance(problem)
    if file is None:
        return CatalogueInput(problem, encoding, settings, TransformOptions(symmetry=symmetry))
    changes = TransformOptions(**file.changes)
    changes = changes._replace(symmetry=symmetry or changes.symmetry)
    settings = {**file.settings, **settings}
    encoding = encoding or file.encoding
    return CatalogueInput(file.problem, encoding, settings, changes, is_outside=True)


def _given(problem: Name | Formula, keep_file: bool = True) -> WorkflowInput:
    if isinstance(problem, Formula):
        return FormulaInput(problem.built, keep_file)
    return FileInput(os.fspath(problem))


def _is_file(name: str) -> bool:
    return name.endswith((*CNF_SUFFIXES, PROGRAM_SUFFIX)) or bool(ending_of(name))


def _answer(answer: GivenText) -> ExternalAnswer:
    match answer:
        case str() if len(answer.split()) != 1:
            return ExternalAnswer([answer.encode()], "the answer")
        case str() | os.PathLike():
            return ExternalAnswer(read_pieces(Path(answer)), os.fspath(answer))
    words = " ".join(map(str, answer))
    return ExternalAnswer([f"s SATISFIABLE\nv {words} 0\n".encode()], "the answer")
