"""External answers: output of any solver, read, checked against its file, and decoded.

The output of boardsat itself, text or JSON, is read too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from boardsat.adapters.answer import Model, Status
from boardsat.adapters.dimacs.header import ObjectiveFunction
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.output_lines import split_lines
from boardsat.adapters.solvers.output_parsers import PARSERS, CompetitionParser
from boardsat.adapters.views import model_description
from boardsat.adapters.views.decoder import decode, decode_answer_set
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import BoardsatError, InputError, WrongAnswerError
from boardsat.base.text import pluralize
from boardsat.generators.spec.defaults import WRITE
from boardsat.instance.file_types import PROGRAM_SUFFIX, as_regular_file
from boardsat.instance.formula_file import FormulaFile, ProgramFile, note_lines
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.solve import saved_cuts
from boardsat.workflows.solve.checks import check_connected, check_model, check_rules
from boardsat.workflows.solve.logic_programs import check_board
from boardsat.workflows.solve.proofs import check_proof, unpacked
from boardsat.workflows.solve.result import BoardResult

MAX_ANSWER_BYTES, MAX_ANSWER_BYTES_PER_VARIABLE = 2**23, 16
"""Limit of an answer: a constant, as solvers print statistics, and bytes for each variable."""

ACCEPTED = "give the `s` and `v` lines of a solver, or what `boardsat solve --json` prints"

_HEAD = re.compile(rb"(SATISFIABLE|UNSATISFIABLE|OPTIMUM|UNKNOWN)(?: \(.*\))?: ")
_LITERALS = re.compile(rb"^v .*$", re.M)


@dataclass(frozen=True)
class ExternalAnswer:
    """Output of a solver in pieces, with its name for errors."""

    pieces: Iterable[bytes]
    name: str

    def read(self, variables: int, dialect: str = "any") -> CompetitionParser:
        """Parse the output, of any known format unless one is named."""
        said = PARSERS[dialect](variables)
        pieces = self._bounded(MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_PER_VARIABLE * variables)
        try:
            for line in split_lines(as_solvers_print(pieces, self.name, variables)):
                said.feed(line)
            said.check_consistency()
        except OSError as error:
            raise InputError(
                f"cannot read the answer: {error.strerror}", "give a readable file", self.name
            ) from None
        except BoardsatError as error:
            raise self._named(error) from None
        return said

    def model(self, said: CompetitionParser) -> Model:
        """Return the model that was read; raise InputError if there is none."""
        try:
            model = said.model()
        except BoardsatError as error:
            raise self._named(error) from None
        if model is None:
            word = said.status.name if said.status else "nothing"
            raise InputError(f"the answer has no model: it says {word}", ACCEPTED, self.name)
        return model

    def _named(self, error: BoardsatError) -> BoardsatError:
        return InputError(error.fault, error.remedy, error.place or self.name)

    def _bounded(self, most: int) -> Iterator[bytes]:
        """Yield the pieces; raise InputError if they are too long for an answer.

        A device may have no end.
        """
        passed = 0
        for piece in self.pieces:
            passed += len(piece)
            if passed > most:
                raise InputError(
                    f"more than {most:,} bytes, too long for an answer to this formula",
                    "give its `s` and `v` lines alone",
                    self.name,
                )
            yield piece


@dataclass(frozen=True, repr=False, eq=False)
class DecodeResult(BoardResult):
    """Board that an answer decodes to. Returned by `boardsat.decode`; it prints as the board.

    Attributes
    ----------
    instance : Instance
        Formula or logic program of the answer.
    solution : Solution or None
        Decoded board with its views. None if the file does not describe one.
    true_variables : tuple of str
        True variables as the spec describes them, or literals; printed if there is no board.
    """

    true_variables: tuple[str, ...]

    def __str__(self) -> str:
        lines = self.true_variables if self.solution is None else [self.board_text]
        return "\n".join([*lines, *note_lines(self.instance.notes)])

    def __repr__(self) -> str:
        name = self.instance.header.problem or self.instance.path
        return f"<boardsat.DecodeResult {name}: {'a board' if self.solution else 'no board'}>"


def decode_answer(source: WorkflowInput, answer: ExternalAnswer) -> DecodeResult:
    """Check the answer to a formula or logic program, and decode it."""
    if source.name.endswith(PROGRAM_SUFFIX):
        with source.program(None) as program:
            return _decode_answer_set(program, answer)
    with source.formula_file(WRITE) as problem:
        return decode_model(problem, answer)


def decode_model(problem: FormulaFile, answer: ExternalAnswer) -> DecodeResult:
    """Check a model and decode it; raise WrongAnswerError if it is wrong."""
    model = answer.model(answer.read(problem.variables))
    solution = decode(problem.header, model)
    check_model(problem, model, answer.name)
    if solution is not None:
        check_rules(problem, solution)
    check_connected(problem, model, answer.name)
    true_variables = tuple(model_description.true_lines(problem.header, model))
    return DecodeResult(problem, solution, true_variables)


def _decode_answer_set(program: ProgramFile, answer: ExternalAnswer) -> DecodeResult:
    """Check and decode the first answer set of clingo's output."""
    said = answer.read(0, "clingo")
    if not said.answer_sets:
        raise InputError("the answer has no answer set", "give what clingo prints", answer.name)
    solution = decode_answer_set(program.header, said.answer_sets[0])
    if solution is not None:
        check_board(program, solution)
    return DecodeResult(program, solution, tuple(model_description.atoms_of(said.answer_sets[0])))


def check_external_answer(
    problem: FormulaFile, answer: ExternalAnswer, proof: str | None, limits: Limits
) -> Iterator[str]:
    """Yield what is right about an answer; raise WrongAnswerError if it is wrong."""
    said = answer.read(problem.variables)
    if said.status is Status.UNSATISFIABLE:
        if proof is None:
            raise InputError(
                "UNSATISFIABLE can only be checked with a proof", "give its file", answer.name
            )
        problem.require_cnf()
        cuts = list(saved_cuts.verify_saved_cuts(problem, answer.name))
        with as_regular_file(proof) as path, unpacked(path) as plain:
            kind = check_proof(problem, plain, limits, answer.name)
        yield f"the proof is verified: UNSATISFIABLE ({kind.label})"
        yield from cuts
        return
    if proof is not None:
        raise InputError(
            "there is a proof, but the answer is not UNSATISFIABLE",
            "leave the proof out, or give its answer",
            answer.name,
        )
    model = answer.model(said)
    check_model(problem, model, answer.name)
    noun = "clause" if problem.linear is None else "constraint"
    every = f"the {noun}" if problem.clauses == 1 else f"all {problem.clauses:,} {noun}s"
    yield f"the model satisfies {every}"
    if problem.linear is not None and problem.linear.optimises:
        goal, cost = problem.header.objective or ObjectiveFunction(), problem.linear.cost(model)
        if said.cost not in (None, cost):
            fault = f"WRONG COST from {answer.name}: it says {said.cost:,}, and its model pays"
            raise WrongAnswerError(f"{fault} {cost:,}", "its solver has a bug, or it was changed")
        value = goal.value(cost)
        yield f"its value is {value:,}; whether that is the {goal.noun} was not checked"
    solution = decode(problem.header, model)
    if solution is not None and check_rules(problem, solution):
        yield f"the board obeys the rules of {problem.header.problem}"
    if problem.header.lazy:
        check_connected(problem, model, answer.name)
        yield "what must be connected is, beside the clauses"


def as_solvers_print(pieces: Iterable[bytes], name: str, variables: int) -> Iterator[bytes]:
    """Yield the output of a solver; output of boardsat is rewritten as that of a solver.

    `variables` is the number of variables of the formula.
    """
    rest = iter(pieces)
    first = next((piece for piece in rest if piece.strip()), b"")
    whole = chain([first], rest)
    if first.lstrip()[:1] in (b"{", b"["):
        yield _lines(_value(b"".join(whole), name), name, variables)
    elif found := _HEAD.match(first):
        # The rows of a board are no literals.
        yield b"s %b\n" % found[1]
        yield b"\n".join(_LITERALS.findall(b"".join(whole)))
    else:
        yield from whole


def _value(text: bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("the answer is JSON that is broken", ACCEPTED, name) from None


def _lines(value: Any, name: str, variables: int) -> bytes:
    if isinstance(value, list) and len(value) > 1:
        raise InputError(
            f"{len(value)} answers, where one is to be given", "give one object of the list", name
        )
    answer = value[0] if isinstance(value, list) and value else value
    if not isinstance(answer, dict) or answer.get("status") not in [*Status.__members__]:
        raise InputError("JSON that is no answer of boardsat", ACCEPTED, name)
    lines = [f"s {answer['status']}"]
    model = answer.get("model")
    if isinstance(model, list) and all(type(literal) is int for literal in model):
        # Solvers may leave variables out; our models are whole.
        if len(model) != variables:
            raise InputError(
                "an answer about another formula: its model has "
                f"{pluralize(len(model), 'variable')}, the file has {variables:,}",
                "give the file that was solved",
                name,
            )
        lines.append(f"v {' '.join(map(str, [*model, 0]))}")
    return "\n".join([*lines, ""]).encode()
