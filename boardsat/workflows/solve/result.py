"""Result of the solve workflow: a checked answer, its board, and its text and JSON.

A failed check is an error, so each property of a result is either checked or unchecked.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.dimacs.header import Header, ObjectiveFunction
from boardsat.adapters.lazy_cuts.connectivity_cuts import NO_PROGRESS
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.rendering.text import solution_to_json, solution_to_text
from boardsat.adapters.runtimes import select_runtime
from boardsat.adapters.solvers.requirements import (
    OutputKind,
    SolverRequirements,
    supporting_solvers,
)
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.adapters.views import Solution, model_description
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import pluralize
from boardsat.instance.formula_file import (
    PARITY_AS_CLAUSES,
    FormulaFile,
    Instance,
    ProgramFile,
    note_lines,
)
from boardsat.terminal.streams import BOLD, paint, paint_word
from boardsat.workflows.solve.request import SolveRequest


class Check(StrEnum):
    """Kind of check of an answer; the value is its name in results."""

    MODEL = "model"
    BOARD = "board"
    PROOF = "proof"
    COUNT = "count"
    ANSWER = "answer"
    """Confirmation of the status by a second solver."""
    COST = "cost"
    OPTIMUM = "optimum"


@dataclass(frozen=True)
class Proof:
    """Proof of unsatisfiability that a solver wrote, verified or not."""

    kind: ProofFormat
    bytes: int
    """Size in bytes as the solver wrote it."""
    checker: str
    """Name of the proof checker. Empty if the proof was not verified."""
    file: str = ""
    """Path of the stored proof. Empty if it is not stored."""
    file_bytes: int = 0
    """Size of the stored file in bytes, perhaps compressed."""
    formula: str = ""
    """Path of the stored formula. Empty if it was not written beside the proof."""


@dataclass(frozen=True)
class CheckedAnswer:
    """Answer of a solver with the checks that it passed."""

    answer: Answer
    solution: Solution | None
    """Decoded board. None without a model, or if the header has no view."""
    checked: tuple[str, ...]
    """Passed checks: values of `Check`, some with details such as the number of cuts."""
    unchecked: tuple[str, ...]
    """Missing checks: values of `Check` that would confirm the answer."""
    failure: BaseException | None = None
    """Error after the answer was known; it is reported after the answer."""
    proof: Proof | None = None
    """Proof of UNSATISFIABLE. None if none was requested or written."""
    value: int | None = None
    """Objective value. None without an objective."""


@dataclass(frozen=True, repr=False, eq=False)
class BoardResult:
    """Base class of results with a board.

    Attributes
    ----------
    instance : Instance
        Formula, logic program or board of the result.
    solution : Solution or None
        Decoded board with its views. None without a model, or if the header has no view.
    """

    instance: Instance
    solution: Solution | None

    @property
    def status(self) -> Status:
        """Status of the answer: SATISFIABLE, UNSATISFIABLE, OPTIMUM or UNKNOWN."""
        return Status.SATISFIABLE

    @property
    def board(self) -> list[Any] | None:
        """Decoded board as nested lists; None if `solution` is None.

        The first view of the spec determines the content. Tiles are listed by rows, the vertices of
        a graph in one list in the order of `vertices`:

        - tour: numbers of the moves from 1, 0 for a cell outside the tour
        - marks, and fills without a value: 1 or 0
        - labels, and fills with a value: the value, None for an empty cell; beside rows or columns,
          a list of values for each
        - lines, arrows and walls: pairs of cells, numbered from 0 row by row
        - list: its values in the order of the indices, None for an empty entry
        - table: rows of 1 and 0, of values, or of lists of items
        - pairs and sets: the pairs, the items
        """
        return None if self.solution is None else solution_to_json(self.solution)

    @property
    def vertices(self) -> list[str] | None:
        """Labels of a graph's vertices in the order of `board`. None for other boards."""
        return self.instance.vertices

    @property
    def board_text(self) -> str:
        """Board as plain text; empty if `solution` is None."""
        closed = self.instance.header.closed
        return "" if self.solution is None else solution_to_text(self.solution, closed)

    def to_svg(self) -> str:
        """Return the picture of the board as an SVG document.

        Raises
        ------
        boardsat.InputError
            There is no board, or the spec does not specify how to draw one.

        Examples
        --------
        >>> boardsat.solve("queens", n=6).to_svg()[:38]
        '<svg xmlns="http://www.w3.org/2000/svg'
        """
        picture = self._repr_svg_()
        if picture is None:
            reason = no_picture_reason(self.status, self.instance)
            raise InputError("there is no picture", reason)
        return picture

    def _repr_svg_(self) -> str | None:
        if self.solution is None:
            return None
        from boardsat.adapters.rendering.svg import solution_to_svg

        return solution_to_svg(self.solution, self.instance.header.closed)

    def _repr_html_(self) -> str:
        """Return the text with the picture in place of the board."""
        from html import escape

        report = str(self)
        if self.solution is not None:
            report = report.replace(self.board_text, "").replace("\n\n", "\n").strip()
        return f"{self._repr_svg_() or ''}<pre>{escape(report)}</pre>"


def board_text(solution: Solution, header: Header) -> str:
    """Return the board as text, with the given cells in bold on a terminal."""
    return solution_to_text(solution, header.closed, lambda given: paint(given, BOLD, sys.stdout))


def format_result(result: CheckedAnswer, instance: Instance, is_further: bool = False) -> str:
    """Return an answer as text; `is_further` is True for the second board and later ones."""
    return "\n".join([*_head(result.answer), *_body(result, instance, is_further)])


def format_results(
    results: Sequence[CheckedAnswer], instance: Instance, default: Sequence[str]
) -> str:
    """Return answers as text, with notes on the file and the encoding at the end."""
    texts = [format_result(result, instance, number > 0) for number, result in enumerate(results)]
    return "\n".join(
        ["\n\n".join(texts), *instance.symmetry_lines, *note_lines(instance.notes), *default]
    )


def _head(answer: Answer) -> list[str]:
    """Return lines with the status, the solver and its resources."""
    reason = f" ({answer.reason})" if answer.reason else ""
    lines = [
        f"{paint_word(answer.status.name)}{reason}: {answer.run.description}, {answer.run.usage}"
    ]
    if answer.cut_rounds.fallback_encoding:
        without = f" with {NO_PROGRESS}" if answer.cut_rounds.stop_reason == NO_PROGRESS else ""
        encoding = answer.cut_rounds.fallback_encoding
        rounds = pluralize(answer.cut_rounds.count, "round of cuts", "rounds of cuts")
        lines.append(f"after {rounds}{without}, solved instead: {encoding}")
    elif answer.cut_rounds.count:
        joined = "; subtours joined by exchanging edges" if answer.cut_rounds.joined else ""
        cuts = len(answer.cut_rounds.cuts)
        needed = pluralize(cuts, "cut") if cuts else "no cuts needed"
        lines.append(f"solved in {pluralize(answer.cut_rounds.count, 'round')}, {needed}{joined}")
    if len(answer.cut_rounds.slices) > 1:
        slices = ", ".join(map(str, answer.cut_rounds.slices))
        method = answer.cut_rounds.method
        lines.append(f"portfolio: {slices}{f'; decided by {method}' if method else ''}")
    if "choices" in answer.run.statistics:
        lines.append(_search_text(answer.run.statistics))
    return lines


def _search_text(statistics: Mapping[str, float]) -> str:
    """Return a line with clingo's search statistics: counts first, then seconds."""
    counts = [
        pluralize(int(statistics.get(f"{name}s", 0)), name) for name in ("choice", "conflict")
    ]
    times = [f"{statistics.get(name, 0):.2f} s {name}" for name in ("grounding", "solving")]
    return f"search: {', '.join([*counts, *times])}"


def _body(result: CheckedAnswer, instance: Instance, is_further: bool) -> list[str]:
    """Return lines with the objective value, the board, and the checks."""
    lines = []
    if result.value is not None:
        lines.append(f"{objective_of(instance).noun}: {result.value:,}")
    if result.answer.status is Status.UNSATISFIABLE:
        lines.append(unsat_meaning(instance, is_further))
    else:
        lines += solution_lines(result, instance)
    return lines + check_lines(result, instance)


def solution_lines(result: CheckedAnswer, instance: Instance) -> list[str]:
    """Return the lines of the board, or of the true variables if no board was decoded."""
    if result.solution is not None:
        return [board_text(result.solution, instance.header)]
    return _true_variables(result.answer, instance)


def check_lines(result: CheckedAnswer, instance: Instance) -> list[str]:
    """Return lines with the passed checks, the proof, and the missing checks."""
    lines = [f"checked: {', '.join(result.checked)}"] if result.checked else []
    lines += _proof_lines(result.proof) if result.proof else []
    if result.unchecked:
        lines.append(
            f"{paint_word('NOT checked')}: {', '.join(result.unchecked)}{_remedy(result, instance)}"
        )
    return lines


def _proof_lines(proof: Proof) -> list[str]:
    """Return lines with the format, the size and the path of a proof."""
    checker = f", verified by {proof.checker}" if proof.checker else ""
    lines = [f"proof: {proof.kind.label}, {pluralize(proof.bytes, 'byte')}{checker}"]
    if proof.file:
        formula = f", of {proof.formula}" if proof.formula else ""
        lines.append(f"stored: {proof.file}, {pluralize(proof.file_bytes, 'byte')}{formula}")
    return lines


def objective_of(instance: Instance) -> ObjectiveFunction:
    """Return the objective of an instance; an external file has only costs, to be minimized."""
    return instance.header.objective or ObjectiveFunction()


def unsat_meaning(instance: Instance, is_further: bool = False) -> str:
    """Return the meaning of UNSATISFIABLE for an instance."""
    if is_further:
        return "there are no more"
    message = instance.header.unsat_message
    if instance.generated_here and message:
        return message
    claim = f" (unverified header: {message})" if message else ""
    if isinstance(instance, ProgramFile):
        return f"there is no answer set of {instance.path}{claim}"
    constraints = "clauses and cuts" if instance.header.lazy else "clauses"
    return f"no assignment satisfies all {constraints} of {instance.path}{claim}"


def _true_variables(answer: Answer, instance: Instance) -> list[str]:
    """Return the true variables, or the atoms of an answer set, as the spec describes them."""
    if answer.model is not None:
        return model_description.true_lines(instance.header, answer.model)
    return [atom for atoms in answer.answer_sets for atom in model_description.atoms_of(atoms)]


def _remedy(result: CheckedAnswer, instance: Instance) -> str:
    if Check.OPTIMUM in result.unchecked:
        return " (a better one may exist: raise --timeout)"
    if Check.PROOF not in result.unchecked:
        return ""
    if isinstance(instance, FormulaFile) and instance.summary.xor_lines:
        return f" (proofs do not support xor lines: {PARITY_AS_CLAUSES})"
    return f" ({how_to_prove(result.answer)})"


def how_to_prove(answer: Answer) -> str:
    """Return the options to prove UNSATISFIABLE and check the proof on this machine."""
    provers = supporting_solvers(SolverRequirements(frozenset(), OutputKind.PROOF))
    # The solver of the answer comes first, as it can decide the formula.
    provers.sort(key=lambda solver: solver.name != answer.run.solver)
    if _program_runtime("drat-trim"):
        for prover in provers:
            if runtime := _program_runtime(prover.name):
                is_same = prover.name == answer.run.solver
                is_embedded = answer.run.runtime == RuntimeName.EMBEDDED
                options = [] if is_same else [f"--solver {prover.name}"]
                options += [f"--runtime {runtime}"] if is_embedded else []
                return f"to prove it: {' '.join([*options, '--proof'])}"
    names = " or ".join(sorted(prover.name for prover in provers))
    return f"--proof needs {names}, and drat-trim, as programs or images: see `boardsat solvers`"


def _program_runtime(name: str) -> str:
    """Return the runtime that runs a solver as a program or image; empty if there is none."""
    try:
        runtime = select_runtime(solvers.load(name))
    except BoardsatError:
        return ""
    return "" if runtime is RuntimeName.EMBEDDED else runtime


def answer_to_json(
    result: CheckedAnswer,
    instance: Instance,
    request: SolveRequest,
    file: str,
    is_further: bool = False,
) -> dict[str, Any]:
    """Return an answer as JSON data."""
    answer = result.answer
    is_unsat = answer.status is Status.UNSATISFIABLE
    without_board = answer.status.has_model and result.solution is None
    return {
        "status": answer.status.name,
        "reason": answer.reason,
        "words": unsat_meaning(instance, is_further) if is_unsat else "",
        "instance": _instance(instance, request, file),
        "board": solution_to_json(result.solution) if result.solution else None,
        "vertices": instance.vertices,
        "goal": objective_of(instance).direction if result.value is not None else None,
        "value": result.value,
        "views": _views(result.solution),
        "holds": _true_variables(answer, instance) if without_board else None,
        "model": answer.literals,
        "checked": list(result.checked),
        "unchecked": list(result.unchecked),
        "proof": asdict(result.proof) if result.proof else None,
        "solver": answer.run.solver,
        "runtime": answer.run.runtime,
        "skipped_runtimes": dict(answer.run.skipped_runtimes),
        "version": answer.run.version,
        "command": list(answer.run.command),
        "exit_code": answer.run.exit_code,
        "end": answer.run.termination.value,
        **answer.run.usage.to_json(),
        "statistics": dict(answer.run.statistics),
        "rounds": answer.cut_rounds.count,
        "cuts": len(answer.cut_rounds.cuts),
        "joined": answer.cut_rounds.joined,
        "fallback_encoding": answer.cut_rounds.fallback_encoding,
        "method": answer.cut_rounds.method,
        "portfolio": [asdict(portfolio_slice) for portfolio_slice in answer.cut_rounds.slices],
        "symmetry": instance.header.symmetry or None,
        "notes": list(instance.notes),
    }


def _views(solution: Solution | None) -> list[Any] | None:
    """Return the board of each view; None if there is only one view."""
    if solution is None or not solution.more_views:
        return None
    return [solution_to_json(single_view) for single_view in solution.single_views()]


def _instance(instance: Instance, request: SolveRequest, file: str) -> dict[str, Any]:
    """Return the instance, the limits and the seed as JSON data."""
    header, limits = instance.header, request.limits
    return {
        "problem": header.problem or header.metadata.get("spec"),
        "encoding": header.encoding or None,
        "title": header.metadata.get("title") or None,
        "settings": instance.settings,
        "file": file or None,
        "seed": request.seed,
        "limits": {"wall": limits.wall, "cpu": limits.cpu, "memory": limits.memory},
    }


def no_picture_reason(status: Status, instance: Instance) -> str:
    """Return the reason why an answer has no picture."""
    match status:
        case Status.UNSATISFIABLE:
            return unsat_meaning(instance)
        case Status.UNKNOWN:
            return "no answer is known"
    if instance.header.variables or instance.header.metadata:
        return "the spec defines no view (key `decode`)"
    return "the file has no view in its header"
