"""External answers: the output of any solver, parsed, checked against its formula, and decoded.

The output of boardsat itself is accepted too, as text or JSON.
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
from boardsat.adapters.solvers.output_parsers import PARSERS, CompetitionParser, split_lines
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
from boardsat.workflows.solve.programs_and_boards import check_program_board
from boardsat.workflows.solve.proofs import check_proof, decompressed
from boardsat.workflows.solve.result import BoardResult

MAX_ANSWER_BYTES, MAX_ANSWER_BYTES_PER_VARIABLE = 2**23, 16
"""Maximum size of an answer: a constant for statistics and comments, and bytes per variable."""

ACCEPTED = "give the `s` and `v` lines of a solver, or the output of `boardsat solve --json`"

_STATUS_LINE = re.compile(rb"(SATISFIABLE|UNSATISFIABLE|OPTIMUM|UNKNOWN)(?: \(.*\))?: ")
_LITERALS = re.compile(rb"^v .*$", re.M)


@dataclass(frozen=True)
class ExternalAnswer:
    """Output of a solver in pieces, with its name for errors."""

    pieces: Iterable[bytes]
    name: str

    @classmethod
    def from_literals(cls, literals: Iterable[int]) -> ExternalAnswer:
        """Return the answer of a solver that found this model."""
        return cls([f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n".encode()], "the answer")

    def parse(self, variables: int, output_format: str = "any") -> CompetitionParser:
        """Parse the output; `variables` is the number of variables of the formula."""
        parser = PARSERS[output_format](variables)
        pieces = self._bounded(MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_PER_VARIABLE * variables)
        try:
            for line in split_lines(as_solver_output(pieces, self.name, variables)):
                parser.feed(line)
            parser.check_consistency()
        except OSError as error:
            raise InputError(
                f"cannot read the answer: {error.strerror}", "give a readable file", self.name
            ) from None
        except BoardsatError as error:
            raise self._located(error) from None
        return parser

    def model(self, parser: CompetitionParser) -> Model:
        """Return the parsed model; raise InputError if the answer has no model."""
        try:
            model = parser.model()
        except BoardsatError as error:
            raise self._located(error) from None
        if model is None:
            status = parser.status.name if parser.status else "nothing"
            raise InputError(f"the answer has no model: it says {status}", ACCEPTED, self.name)
        return model

    def _located(self, error: BoardsatError) -> BoardsatError:
        return InputError(error.fault, error.remedy, error.location or self.name)

    def _bounded(self, max_bytes: int) -> Iterator[bytes]:
        """Yield the pieces; raise InputError if they exceed a size, as a device may never end."""
        num_bytes = 0
        for piece in self.pieces:
            num_bytes += len(piece)
            if num_bytes > max_bytes:
                raise InputError(
                    f"an answer to this formula must have at most {max_bytes:,} bytes",
                    "give only its `s` and `v` lines",
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
        Decoded board with its views. None if the file has no view.
    true_variables : tuple of str
        True variables as the spec describes them, or literals; printed if there is no board.

    Examples
    --------
    >>> formula = boardsat.build("queens", n=4)
    >>> boardsat.decode(formula, boardsat.solve(formula).model).board[0]
    [0, 0, 1, 0]
    """

    true_variables: tuple[str, ...]

    def __str__(self) -> str:
        lines = self.true_variables if self.solution is None else [self.board_text]
        return "\n".join([*lines, *note_lines(self.instance.notes)])

    def __repr__(self) -> str:
        name = self.instance.header.problem or self.instance.path
        return f"<boardsat.DecodeResult {name}: {'a board' if self.solution else 'no board'}>"


def decode_answer(source: WorkflowInput, answer: ExternalAnswer) -> DecodeResult:
    """Check the answer to a formula or logic program, and decode it.

    Parameters
    ----------
    source : WorkflowInput
        File of the formula or logic program, or a problem.
    answer : ExternalAnswer
        Output of a solver.

    Raises
    ------
    InputError
        The answer cannot be read, or has no model.
    WrongAnswerError
        The model or its board is wrong.
    """
    if source.name.endswith(PROGRAM_SUFFIX):
        with source.program(None) as program:
            return _decode_answer_set(program, answer)
    with source.formula_file(WRITE) as formula:
        return decode_model(formula, answer)


def decode_model(formula: FormulaFile, answer: ExternalAnswer) -> DecodeResult:
    """Check a model and decode it; raise WrongAnswerError if it is wrong."""
    model = answer.model(answer.parse(formula.variables))
    solution = decode(formula.header, model)
    check_model(formula, model, answer.name)
    if solution is not None:
        check_rules(formula, solution)
    check_connected(formula, model, answer.name)
    true_variables = tuple(model_description.true_lines(formula.header, model))
    return DecodeResult(formula, solution, true_variables)


def _decode_answer_set(program: ProgramFile, answer: ExternalAnswer) -> DecodeResult:
    """Check and decode the first answer set in the output of clingo."""
    parser = answer.parse(0, "clingo")
    if not parser.answer_sets:
        raise InputError("the answer has no answer set", "give the output of clingo", answer.name)
    atoms = parser.answer_sets[0]
    solution = decode_answer_set(program.header, atoms)
    if solution is not None:
        check_program_board(program, solution)
    return DecodeResult(program, solution, tuple(model_description.atoms_of(atoms)))


def check_external_answer(
    formula: FormulaFile, answer: ExternalAnswer, proof: str | None, limits: Limits
) -> Iterator[str]:
    """Check an answer to a formula, and yield a message about each check that it passes.

    Parameters
    ----------
    formula : FormulaFile
        Formula of the answer.
    answer : ExternalAnswer
        Output of a solver.
    proof : str or None
        Path of the proof, which UNSATISFIABLE requires.
    limits : Limits
        Limits of the proof checker.

    Raises
    ------
    InputError
        The answer cannot be read, or the proof is missing or superfluous.
    WrongAnswerError
        The answer is wrong.
    """
    parser = answer.parse(formula.variables)
    if parser.status is not Status.UNSATISFIABLE:
        if proof is not None:
            raise InputError(
                "a proof is given, but the answer is not UNSATISFIABLE",
                "omit the proof, or give the answer that it proves",
                answer.name,
            )
        yield from _check_parsed_model(formula, answer, parser)
        return
    if proof is None:
        raise InputError(
            "the answer UNSATISFIABLE can only be checked with a proof",
            "give the file of the proof after that of the answer",
            answer.name,
        )
    formula.require_cnf()
    cut_messages = list(saved_cuts.verify_saved_cuts(formula, answer.name))
    with as_regular_file(proof) as path, decompressed(path) as proof_path:
        proof_format = check_proof(formula, proof_path, limits, answer.name)
    yield f"the proof is verified: UNSATISFIABLE ({proof_format.label})"
    yield from cut_messages


def _check_parsed_model(
    formula: FormulaFile, answer: ExternalAnswer, parser: CompetitionParser
) -> Iterator[str]:
    """Check the model of an answer, its cost and its board; yield a message about each."""
    model = answer.model(parser)
    check_model(formula, model, answer.name)
    noun = "clause" if formula.linear is None else "constraint"
    every = f"the {noun}" if formula.clauses == 1 else f"all {formula.clauses:,} {noun}s"
    yield f"the model satisfies {every}"
    if formula.linear is not None and formula.linear.has_objective:
        objective = formula.header.objective or ObjectiveFunction()
        cost = formula.linear.cost(model)
        if parser.cost not in (None, cost):
            raise WrongAnswerError(
                f"WRONG COST from {answer.name}: it reports {parser.cost:,}, but its model costs "
                f"{cost:,}",
                "its solver has a bug, or it was changed",
            )
        value = objective.value(cost)
        yield f"its value is {value:,}; not checked: whether that is the {objective.noun}"
    solution = decode(formula.header, model)
    if solution is not None and check_rules(formula, solution):
        yield f"the board obeys the rules of {formula.header.problem}"
    if formula.header.lazy:
        check_connected(formula, model, answer.name)
        yield "the model satisfies the lazy constraints too"


def as_solver_output(pieces: Iterable[bytes], name: str, variables: int) -> Iterator[bytes]:
    """Yield the output of a solver; convert output of boardsat to the format of a solver.

    `variables` is the number of variables of the formula.
    """
    remaining = iter(pieces)
    first = next((piece for piece in remaining if piece.strip()), b"")
    output = chain([first], remaining)
    if first.lstrip()[:1] in (b"{", b"["):
        yield _answer_lines(_parse_json(b"".join(output), name), name, variables)
    elif match := _STATUS_LINE.match(first):
        # Rows of a board are not literals.
        yield b"s %b\n" % match[1]
        yield b"\n".join(_LITERALS.findall(b"".join(output)))
    else:
        yield from output


def _parse_json(text: bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("the answer is not valid JSON", ACCEPTED, name) from None


def _answer_lines(document: Any, name: str, variables: int) -> bytes:
    """Return the `s` and `v` lines of an answer in JSON."""
    if isinstance(document, list) and len(document) > 1:
        raise InputError(
            f"the JSON list must contain one answer (got {len(document)})",
            "give one object of the list",
            name,
        )
    answer = document[0] if isinstance(document, list) and document else document
    if not isinstance(answer, dict) or answer.get("status") not in [*Status.__members__]:
        raise InputError("the JSON is not an answer of boardsat", ACCEPTED, name)
    lines = [f"s {answer['status']}"]
    model = answer.get("model")
    if isinstance(model, list) and all(type(literal) is int for literal in model):
        # Solvers may omit variables, boardsat does not.
        if len(model) != variables:
            raise InputError(
                "the answer is about another formula: its model has "
                f"{pluralize(len(model), 'variable')}, the file has {variables:,}",
                "give the file that was solved",
                name,
            )
        lines.append(f"v {' '.join(map(str, [*model, 0]))}")
    return "\n".join([*lines, ""]).encode()
