"""Answers shown: as text for people, as plain data for programs, and as a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.goal import Goal
from boardsat.adapters.lazy_cuts.connectivity_cuts import NO_PROGRESS
from boardsat.adapters.rendering.text import rows_of, text
from boardsat.adapters.runtimes import choose
from boardsat.adapters.solvers.capabilities import Capability, RuntimeName
from boardsat.adapters.views import model_description
from boardsat.adapters.views.solution import Solution
from boardsat.base.errors import BoardsatError
from boardsat.base.text import pluralize
from boardsat.instance.formula_file import (
    PARITY_AS_CLAUSES,
    FormulaFile,
    Instance,
    ProgramFile,
    note_lines,
)
from boardsat.terminal.ansi import BOLD, painted, word
from boardsat.workflows.solve.checks import Check, CheckedAnswer, Proof
from boardsat.workflows.solve.request import SolveRequest


def board_text(solution: Solution, header: Header) -> str:
    """What the question gives is bold, on a terminal."""
    return text(solution, header.closed, lambda word: painted(word, BOLD, sys.stdout))


def shown(result: CheckedAnswer, instance: Instance, is_further: bool = False) -> str:
    """One answer; after others of the same formula, UNSAT means that there are no more."""
    return "\n".join([*_head(result.answer), *_body(result, instance, is_further)])


def answered(results: Sequence[CheckedAnswer], instance: Instance, default: Sequence[str]) -> str:
    """All answers, and after them what is to be said of the file and of the encoding."""
    texts = [shown(result, instance, number > 0) for number, result in enumerate(results)]
    return "\n".join(
        ["\n\n".join(texts), *instance.symmetry_lines, *note_lines(instance.notes), *default]
    )


def _head(answer: Answer) -> list[str]:
    """What was answered, by whom, and what it took."""
    reason = f" ({answer.reason})" if answer.reason else ""
    lines = [f"{word(answer.status.name)}{reason}: {answer.who}, {answer.usage}"]
    if answer.instead:
        without = f" with {NO_PROGRESS}" if answer.gave_up == NO_PROGRESS else ""
        lines.append(f"after {_rounds(answer)}{without}, solved instead: {answer.instead}")
    elif answer.rounds:
        joined = "; subtours joined by exchanging edges" if answer.joined else ""
        lines.append(f"{_rounds(answer)}, added in all: {len(answer.cuts):,}{joined}")
    if "choices" in answer.statistics:
        lines.append(_searched(answer.statistics))
    return lines


def _rounds(answer: Answer) -> str:
    return pluralize(answer.rounds, "round of cuts", "rounds of cuts")


def _searched(statistics: Mapping[str, float]) -> str:
    """What clingo tells about its search: counts first, then seconds."""
    counts = [
        pluralize(int(statistics.get(f"{name}s", 0)), name) for name in ("choice", "conflict")
    ]
    times = [f"{statistics.get(name, 0):.2f} s {name}" for name in ("grounding", "solving")]
    return f"search: {', '.join([*counts, *times])}"


def _body(result: CheckedAnswer, instance: Instance, is_further: bool) -> list[str]:
    """The answer itself, and how far it can be trusted."""
    lines = []
    if result.value is not None:
        lines.append(f"{goal_of(instance).noun}: {result.value:,}")
    if result.answer.status is Status.UNSATISFIABLE:
        lines.append(no_model(instance, is_further))
    else:
        lines += solution_lines(result, instance)
    return lines + trust_lines(result, instance)


def solution_lines(result: CheckedAnswer, instance: Instance) -> list[str]:
    """The board, or what holds where there is none."""
    if result.solution is not None:
        return [board_text(result.solution, instance.header)]
    return _held(result.answer, instance)


def trust_lines(result: CheckedAnswer, instance: Instance) -> list[str]:
    """What was checked, and what not."""
    lines = [f"checked: {', '.join(result.checked)}"] if result.checked else []
    lines += _proof_lines(result.proof) if result.proof else []
    if result.unchecked:
        lines.append(
            f"{word('NOT checked')}: {', '.join(result.unchecked)}{_remedy(result, instance)}"
        )
    return lines


def _proof_lines(proof: Proof) -> list[str]:
    """What the proof is, and where."""
    by = f", verified by {proof.checker}" if proof.checker else ""
    lines = [f"proof: {proof.kind.label}, {pluralize(proof.bytes, 'byte')}{by}"]
    if proof.file:
        of = f", of {proof.formula}" if proof.formula else ""
        lines.append(f"kept: {proof.file}, {pluralize(proof.file_bytes, 'byte')}{of}")
    return lines


def goal_of(instance: Instance) -> Goal:
    """What was to be optimised: a file from elsewhere has costs alone."""
    return instance.header.objective or Goal()


def no_model(instance: Instance, is_further: bool = False) -> str:
    """What UNSAT means, in words."""
    if is_further:
        return "there are no more"
    words = instance.header.none
    if instance.generated_here and words:
        return words
    # What it means is the word of its header, which nobody has held against the clauses.
    named = f" (its header says of that: {words})" if words else ""
    return f"{_nothing(instance)} {instance.path}{named}"


def _nothing(instance: Instance) -> str:
    if isinstance(instance, ProgramFile):
        return "there is no answer set of"
    return f"no assignment satisfies all clauses{' and cuts' if instance.header.lazy else ''} of"


def _held(answer: Answer, instance: Instance) -> list[str]:
    """What holds, where there is no board to show it on."""
    if answer.model is not None:
        return model_description.true_lines(instance.header, answer.model)
    return [word for atoms in answer.answer_sets for word in model_description.atoms_of(atoms)]


def _remedy(result: CheckedAnswer, instance: Instance) -> str:
    if Check.OPTIMUM in result.unchecked:
        return " (whether a better one exists is not known: allow more time)"
    if Check.PROOF not in result.unchecked:
        return ""
    if isinstance(instance, FormulaFile) and instance.summary.xor_lines:
        return f" (proofs are not about xor lines: to have one, {PARITY_AS_CLAUSES})"
    return f" ({how_to_prove(result.answer)})"


def how_to_prove(answer: Answer) -> str:
    """What to do, here, to have an UNSAT answer proved and the proof checked."""
    provers = [s for s in map(solvers.load, solvers.names()) if Capability.PROVE in s.capabilities]
    # The solver that was asked comes first: it has just shown that it can decide the formula.
    provers.sort(key=lambda solver: solver.name != answer.solver)
    if _runs("drat-trim"):
        for prover in provers:
            if where := _runs(prover.name):
                words = [] if prover.name == answer.solver else [f"--solver {prover.name}"]
                words += [f"--runtime {where}"] if answer.runtime == RuntimeName.EMBEDDED else []
                return f"to have it proved: {' '.join([*words, '--proof'])}"
    names = " or ".join(sorted(prover.name for prover in provers))
    return f"--proof would need {names}, and drat-trim, as programs or images: see boardsat solvers"


def _runs(name: str) -> str:
    """Where a program can run that writes or checks proofs, if it can."""
    try:
        where = choose(solvers.load(name))
    except BoardsatError:
        return ""
    return "" if where is RuntimeName.EMBEDDED else where


def described(
    result: CheckedAnswer,
    instance: Instance,
    request: SolveRequest,
    file: str,
    is_further: bool = False,
) -> dict[str, Any]:
    """All of an answer, for programs."""
    answer = result.answer
    is_unsat = answer.status is Status.UNSATISFIABLE
    without_board = answer.status.has_model and result.solution is None
    return {
        "status": answer.status.name,
        "reason": answer.reason,
        "words": no_model(instance, is_further) if is_unsat else "",
        "instance": _instance(instance, request, file),
        "board": rows_of(result.solution) if result.solution else None,
        "vertices": instance.vertices,
        "goal": goal_of(instance).word if result.value is not None else None,
        "value": result.value,
        "views": _views(result.solution),
        "holds": _held(answer, instance) if without_board else None,
        "model": literals(answer),
        "checked": list(result.checked),
        "unchecked": list(result.unchecked),
        "proof": asdict(result.proof) if result.proof else None,
        "solver": answer.solver,
        "runtime": answer.runtime,
        "skipped_runtimes": dict(answer.passed_over),
        "version": answer.version,
        "command": list(answer.command),
        "exit_code": answer.exit_code,
        "end": answer.end.value,
        **answer.usage.to_json(),
        "statistics": dict(answer.statistics),
        "rounds": answer.rounds,
        "cuts": len(answer.cuts),
        "joined": answer.joined,
        "fallback_encoding": answer.instead,
        "symmetry": instance.header.symmetry or None,
        "notes": list(instance.notes),
    }


def _views(solution: Solution | None) -> list[Any] | None:
    """The board of every view, where there are several."""
    if solution is None or not solution.more_views:
        return None
    return [rows_of(each) for each in solution.single_views()]


def _instance(instance: Instance, request: SolveRequest, file: str) -> dict[str, Any]:
    """What was solved, and under which conditions."""
    header, limits = instance.header, request.limits
    return {
        "problem": header.problem or header.about.get("spec"),
        "encoding": header.encoding or None,
        "title": header.about.get("title") or None,
        "settings": instance.settings,
        "file": file or None,
        "seed": request.seed,
        "limits": {"wall": limits.wall, "cpu": limits.cpu, "memory": limits.memory},
    }


def literals(answer: Answer) -> list[int] | None:
    """The model as signed numbers, a literal for each variable."""
    if answer.model is None:
        return None
    signs = answer.model.tolist()
    return [v if signs[v] > 0 else -v for v in range(1, len(signs))]


def as_json(value: Any, indent: str = "") -> str:
    """Indented, with lists of numbers on one line: a model can have millions."""
    inner = f"{indent}  "
    if isinstance(value, Mapping) and value:
        rows = [f"{json.dumps(str(key))}: {as_json(each, inner)}" for key, each in value.items()]
    elif isinstance(value, list | tuple) and not all(type(each) is int for each in value):
        rows = [as_json(each, inner) for each in value]
    else:
        return json.dumps(value)
    first, last = "{}" if isinstance(value, Mapping) else "[]"
    between = f",\n{inner}"
    return f"{first}\n{inner}{between.join(rows)}\n{indent}{last}"


def why_no_picture(status: Status, instance: Instance) -> str:
    match status:
        case Status.UNSATISFIABLE:
            return no_model(instance)
        case Status.UNKNOWN:
            return "there is no answer yet"
    if instance.header.variables or instance.header.about:
        return "the spec has no view that says how to draw a model (see `decode` in its language)"
    return "the file does not say how to draw a model"
