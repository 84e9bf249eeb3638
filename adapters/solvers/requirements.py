"""Table of capabilities: the input features that each solver supports for each output.

A workflow describes its request as plain data, and one check compares it with the table:

    wanted = SolverRequirements({InputFeature.XOR_LINES}, OutputKind.MODEL)
    check_requirements(solver, wanted)  # kissat does not solve formulas with XOR lines; choose ...

Input features are those of the input as the solver would get it, so features that do not matter for
an output are not listed: weights of literals for a model, for example.

Not in the table: options of commands, seeds (`runtimes.check_seed`), and formulas that no solver
can count over their projection (the `require_*` methods of a formula file).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from boardsat.adapters import solvers
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.solver import Capability, InputFormat, RuntimeName, Solver
from boardsat.base.errors import InputError


class InputFeature(StrEnum):
    """Part of an input that some solvers do not read, by its name in messages."""

    CLAUSES = "CNF formulas"
    XOR_LINES = "formulas with xor lines"
    WEIGHTS = "formulas with weights"
    LINEAR = "linear constraints"
    OBJECTIVE = "formulas with an objective"
    LAZY = "formulas with lazy constraints"
    BOARD = "boards"
    PROGRAM = "logic programs"


class OutputKind(StrEnum):
    """Result that a solver is asked for, as a verb in messages."""

    MODEL = "solve"
    OPTIMUM = "optimise"
    COUNT = "count models of"
    ESTIMATE = "estimate counts of"
    SAMPLE = "draw models uniformly from"
    NEARLY_UNIFORM_SAMPLE = "draw models almost uniformly from"
    PROOF = "write proofs about"


_CAPABILITY = {
    OutputKind.MODEL: Capability.DECIDE,
    OutputKind.OPTIMUM: Capability.OPTIMISE,
    OutputKind.COUNT: Capability.COUNT,
    OutputKind.ESTIMATE: Capability.ESTIMATE,
    OutputKind.SAMPLE: Capability.SAMPLE,
    OutputKind.NEARLY_UNIFORM_SAMPLE: Capability.ALMOST_SAMPLE,
    OutputKind.PROOF: Capability.PROVE,
}

_READ = {
    InputFormat.CNF: {InputFeature.CLAUSES},
    InputFormat.WCNF: {InputFeature.CLAUSES, InputFeature.OBJECTIVE},
    InputFormat.OPB: {InputFeature.LINEAR, InputFeature.OBJECTIVE},
    InputFormat.BOARD: {InputFeature.BOARD},
    InputFormat.PROGRAM: {InputFeature.PROGRAM},
}

# Before a solver of CNF decides, linear constraints are encoded, and cuts replace lazy constraints.
_ENCODED = {
    OutputKind.MODEL: {InputFeature.LINEAR, InputFeature.LAZY},
    OutputKind.PROOF: {InputFeature.LINEAR, InputFeature.LAZY},
}

_ALSO_READ = {
    (Capability.XOR, OutputKind.MODEL): InputFeature.XOR_LINES,
    (Capability.WEIGH, OutputKind.COUNT): InputFeature.WEIGHTS,
}


_CONTENT = {
    "": {InputFeature.CLAUSES},
    "knf": {InputFeature.LINEAR},
    "wcnf": {InputFeature.CLAUSES, InputFeature.OBJECTIVE},
    "opb": {InputFeature.LINEAR, InputFeature.OBJECTIVE},
}


class SolverRequirements(NamedTuple):
    """Request to a solver as far as solvers differ in what they support.

    A solver that reads boards supports a formula if its board is a feature of it.
    """

    features: frozenset[InputFeature] | set[InputFeature]
    """Features of the input, as the solver would get it."""
    output: OutputKind = OutputKind.MODEL
    proof_format: ProofFormat | None = None
    """Format of the proof; None if any will do or none is wanted."""
    problem: str = ""
    """Problem of the catalogue; empty for any other input."""


def supported_outputs(solver: Solver, runtime: str = "") -> frozenset[OutputKind]:
    """Return the results that a solver gives; a library writes no proofs."""
    return frozenset(
        output
        for output, capability in _CAPABILITY.items()
        if capability in solver.capabilities
        and not (output is OutputKind.PROOF and runtime == RuntimeName.EMBEDDED)
    )


def supported_features(solver: Solver, output: OutputKind) -> frozenset[InputFeature]:
    """Return the input features that a solver supports for an output."""
    features = set(_READ[solver.input_format])
    if solver.input_format is InputFormat.CNF:
        features |= _ENCODED.get(output, set())
    for (capability, its_output), feature in _ALSO_READ.items():
        if capability in solver.capabilities and output is its_output:
            features.add(feature)
    return frozenset(features)


def format_features(format_name: str) -> frozenset[InputFeature]:
    """Return the input features of a formula file by its format; empty: CNF."""
    return frozenset(_CONTENT[format_name])


def supports(solver: Solver, wanted: SolverRequirements) -> bool:
    """Return whether a solver supports a request in some runtime."""
    return _fault(solver, wanted, "") == ""


def supporting_solvers(wanted: SolverRequirements) -> list[Solver]:
    """Return the solvers of the catalogue that support a request, in the order of their names."""
    return [solver for solver in _all_solvers() if supports(solver, wanted)]


def check_requirements(
    solver: Solver,
    wanted: SolverRequirements,
    runtime: str = "",
    *,
    location: str = "",
    alternative: str = "",
) -> None:
    """Raise InputError, naming the solvers that do, if a solver does not support a request.

    `alternative` is another remedy than a different solver.
    """
    fault = _fault(solver, wanted, runtime)
    if not fault:
        return
    names = [other.name for other in supporting_solvers(wanted) if other.name != solver.name]
    remedies = [f"choose {_alternatives(names)}"] if names else []
    if runtime and supports(solver, wanted):
        remedies = ["choose another runtime", *remedies]
    remedies += [alternative] if alternative else []
    raise InputError(fault, ", or ".join(remedies) or "no solver here does", location)


def _fault(solver: Solver, wanted: SolverRequirements, runtime: str) -> str:
    """Return the fault of a solver for a request; empty if it supports the request."""
    output, features = wanted.output, wanted.features
    if output not in supported_outputs(solver, runtime):
        where = f" ({runtime})" if runtime and output in supported_outputs(solver) else ""
        return f"{solver.name}{where} does not {output} {_first(features)}"
    if missing := features - supported_features(solver, output):
        return f"{solver.name} does not {output} {_first(missing)}"
    kind = wanted.proof_format
    if output is OutputKind.PROOF and kind and kind not in solver.proof_formats:
        return f"{solver.name} does not write proofs in {kind.label}"
    if wanted.problem and not solver.is_for(wanted.problem):
        known = " and ".join(sorted(solver.problems))
        return f"{solver.name} is for {known}, not for {wanted.problem}"
    return ""


def _first(features: frozenset[InputFeature] | set[InputFeature]) -> str:
    """Return the name of the most special feature, the last one of the enumeration."""
    return max(features, key=list(InputFeature).index) if features else "formulas"


def _alternatives(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _all_solvers() -> Iterator[Solver]:
    return map(solvers.load, solvers.names())
