"""Table of capabilities: the input features that each solver supports for each output.

A workflow describes its request as plain data, and one check compares it with the table:

    request = SolverRequirements({InputFeature.XOR_LINES}, OutputKind.MODEL)
    check_requirements(solver, request)  # kissat does not solve formulas with xor lines; choose ...

Features describe the input as it is passed to the solver. Features that do not matter for an output
are not listed: weights of literals for a model, for example.

Not in the table: options of commands, seeds (`runtimes.check_seed`), and formulas that no solver
can count over their projection (the `require_*` methods of a formula file).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from boardsat.adapters import formats, solvers
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.solver import Capability, InputFormat, RuntimeName, Solver
from boardsat.base.errors import InputError


class InputFeature(StrEnum):
    """Feature of an input that some solvers do not read; the value is its name in messages."""

    CLAUSES = "CNF formulas"
    XOR_LINES = "formulas with xor lines"
    WEIGHTS = "formulas with weights"
    LINEAR = "linear constraints"
    OBJECTIVE = "formulas with an objective"
    LAZY = "formulas with lazy constraints"
    BOARD = "boards"
    PROGRAM = "logic programs"


class OutputKind(StrEnum):
    """Output that is requested of a solver; the value is its verb in messages."""

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
"""Capability that each output requires."""

_INPUT_FEATURES = {
    InputFormat.CNF: {InputFeature.CLAUSES},
    InputFormat.WCNF: {InputFeature.CLAUSES, InputFeature.OBJECTIVE},
    InputFormat.OPB: {InputFeature.LINEAR, InputFeature.OBJECTIVE},
    InputFormat.BOARD: {InputFeature.BOARD},
    InputFormat.PROGRAM: {InputFeature.PROGRAM},
}
"""Features that solvers of each input format read."""

# Before a solver of CNF decides, linear constraints are encoded, and cuts replace lazy constraints.
_ENCODED_FEATURES = {
    OutputKind.MODEL: {InputFeature.LINEAR, InputFeature.LAZY},
    OutputKind.PROOF: {InputFeature.LINEAR, InputFeature.LAZY},
}

_CAPABILITY_FEATURES = {
    (Capability.XOR, OutputKind.MODEL): InputFeature.XOR_LINES,
    (Capability.WEIGH, OutputKind.COUNT): InputFeature.WEIGHTS,
}
"""Feature that solvers with a capability also read, by capability and output."""


class SolverRequirements(NamedTuple):
    """Input features and output of a request, as far as solvers differ in their support.

    A solver that reads boards supports a formula whose features include BOARD.
    """

    features: frozenset[InputFeature] | set[InputFeature]
    """Features of the input as it is passed to the solver."""
    output: OutputKind = OutputKind.MODEL
    proof_format: ProofFormat | None = None
    """Format of the proof; None for any format, or without a proof."""
    problem: str = ""
    """Problem of the catalogue; empty for any other input."""


def supported_outputs(solver: Solver, runtime: str = "") -> frozenset[OutputKind]:
    """Return the outputs that a solver supports; embedded solvers do not write proofs."""
    return frozenset(
        output
        for output, capability in _CAPABILITY.items()
        if capability in solver.capabilities
        and not (output is OutputKind.PROOF and runtime == RuntimeName.EMBEDDED)
    )


def supported_features(solver: Solver, output: OutputKind) -> frozenset[InputFeature]:
    """Return the input features that a solver supports for an output."""
    features = set(_INPUT_FEATURES[solver.input_format])
    if solver.input_format is InputFormat.CNF:
        features |= _ENCODED_FEATURES.get(output, set())
    for (capability, extended_output), feature in _CAPABILITY_FEATURES.items():
        if capability in solver.capabilities and output is extended_output:
            features.add(feature)
    return frozenset(features)


def format_features(format_name: str) -> frozenset[InputFeature]:
    """Return the input features of a formula file; an empty format name is CNF."""
    if not format_name:
        return frozenset({InputFeature.CLAUSES})
    reader = formats.load(format_name)
    is_linear, has_objective = reader.HAS_LINEAR_CONSTRAINTS, reader.HAS_OBJECTIVE
    constraints = InputFeature.LINEAR if is_linear else InputFeature.CLAUSES
    return frozenset({constraints, InputFeature.OBJECTIVE} if has_objective else {constraints})


def supports(solver: Solver, request: SolverRequirements) -> bool:
    """Return True if a solver supports a request in any of its runtimes."""
    return _fault(solver, request, "") == ""


def supporting_solvers(request: SolverRequirements) -> list[Solver]:
    """Return the solvers of boardsat that support a request, sorted by name."""
    loaded_solvers = map(solvers.load, solvers.names())
    return [solver for solver in loaded_solvers if supports(solver, request)]


def check_requirements(
    solver: Solver,
    request: SolverRequirements,
    runtime: str = "",
    *,
    location: str = "",
    alternative: str = "",
) -> None:
    """Raise InputError if a solver does not support a request.

    Parameters
    ----------
    solver : Solver
        Solver that the user or a default has selected.
    request : SolverRequirements
        Features of the input, and the output.
    runtime : str, optional
        Runtime to use; empty for any.
    location : str, optional
        Location of the error: an option, or a file.
    alternative : str, optional
        Remedy besides another solver, such as removing weights.

    Raises
    ------
    InputError
        The solver does not support the request. The remedy names the solvers that do.
    """
    fault = _fault(solver, request, runtime)
    if not fault:
        return
    names = [choice.name for choice in supporting_solvers(request) if choice.name != solver.name]
    remedies = [f"choose {_alternatives(names)}"] if names else []
    if runtime and supports(solver, request):
        # Another solver would have the same fault where only embedded solvers are available.
        remedies = ["run it as a program or in a container; see `boardsat solvers`"]
    remedies += [alternative] if alternative else []
    raise InputError(fault, ", or ".join(remedies) or "no solver does", location)


def _fault(solver: Solver, request: SolverRequirements, runtime: str) -> str:
    """Return the fault of a solver for a request; empty if it supports the request."""
    output, features = request.output, request.features
    if output not in supported_outputs(solver, runtime):
        where = f" ({runtime})" if runtime and output in supported_outputs(solver) else ""
        return f"{solver.name}{where} does not {output} {_most_specific(features)}"
    if missing := features - supported_features(solver, output):
        return f"{solver.name} does not {output} {_most_specific(missing)}"
    proof_format = request.proof_format
    if output is OutputKind.PROOF and proof_format and proof_format not in solver.proof_formats:
        return f"{solver.name} does not write proofs in {proof_format.label}"
    if request.problem and not solver.supports_problem(request.problem):
        problems = " and ".join(sorted(solver.problems))
        return f"{solver.name} solves only {problems}, not {request.problem}"
    return ""


def _most_specific(features: frozenset[InputFeature] | set[InputFeature]) -> str:
    """Return the name of the most specific feature, the last one in InputFeature."""
    return max(features, key=list(InputFeature).index) if features else "formulas"


def _alternatives(names: list[str]) -> str:
    *first_names, last = names
    return f"{', '.join(first_names)} or {last}" if first_names else last
