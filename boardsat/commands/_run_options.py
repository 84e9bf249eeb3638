"""Options of commands that run a solver: input, limits, runtime and seed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from boardsat.adapters.proofs import PROOF_MEMORY_BYTES, PROOF_MEMORY_PER_BYTE, PROOF_SECONDS
from boardsat.base.errors import InputError
from boardsat.commands import _instance_options
from boardsat.commands._instance_options import LIMITS, option_group
from boardsat.instance.file_types import PROGRAM_SUFFIX, is_formula_file_name

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits
    from boardsat.instance.inputs import FileInput, WorkflowInput

WHOLE_COMMAND = "the whole command: building or reading the formula, solving, checking"
SOLVER_ALONE = "only the solver of each run"
"""Scope of the limits on the command line."""

MAX_OPTION_VALUE = 10**9
"""Maximum of seconds, megabytes, seeds and models on the command line."""


def add_arguments(
    parser: argparse.ArgumentParser, timeout: float | None = None, or_others: str = ""
) -> None:
    _instance_options.add_arguments(
        parser, f", formula (.cnf, .cnf.gz, - for standard input){or_others}"
    )
    add_lenient_argument(parser)
    add_limits(parser, timeout)


def add_lenient_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="accept a DIMACS file with wrong counts in its header, with a note",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=number(int, 1),
        metavar="J",
        help="number of parallel runs, one for each core (default: the number of cores)",
    )


def add_limits(
    parser: argparse.ArgumentParser, timeout: float | None = None, scope: str = WHOLE_COMMAND
) -> None:
    """Add the options of runtime, limits, seed and JSON output."""
    group = option_group(parser, LIMITS)
    group.add_argument(
        "--runtime",
        default="auto",
        choices=("auto", "docker", "native", "embedded"),
        help="runtime of the solver; auto: the first available one, or embedded if cuts are added "
        "while solving",
    )
    add_resources(parser, timeout, scope=scope)
    group.add_argument("--seed", type=number(int, 0), metavar="SEED", help="random seed")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_resources(
    parser: argparse.ArgumentParser,
    timeout: float | None = None,
    memory: str = "",
    scope: str = WHOLE_COMMAND,
) -> None:
    """Add the options of time and memory."""
    group, seconds = option_group(parser, LIMITS), number(float, 0.001)
    default = f" (default {timeout:g})" if timeout else ""
    group.add_argument(
        "--timeout",
        type=seconds,
        default=timeout,
        metavar="SECONDS",
        help=f"wall time limit in seconds{default}; like --cpu and --memory, for {scope}",
    )
    group.add_argument("--cpu", type=seconds, metavar="SECONDS", help="CPU time limit in seconds")
    default = f" ({memory})" if memory else ""
    group.add_argument(
        "--memory", type=number(int, 1), metavar="MB", help=f"memory limit in megabytes{default}"
    )


def add_proof_resources(parser: argparse.ArgumentParser) -> None:
    """Add the options of time and memory with the defaults of a proof checker."""
    per_byte = f"{PROOF_MEMORY_PER_BYTE} for each MB of the formula and the proof"
    memory = f"default: {PROOF_MEMORY_BYTES >> 20} and {per_byte}"
    add_resources(parser, timeout=PROOF_SECONDS, memory=memory)


def number(
    kind: Callable[[str], float], minimum: float, maximum: float = MAX_OPTION_VALUE
) -> Callable[[str], float]:
    """Return a function that parses a number in a range."""

    def parse(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not minimum <= value <= maximum:
            fault = f"must be a number from {minimum} to {maximum} (got {text!r})"
            raise argparse.ArgumentTypeError(fault)
        return value

    return parse


def limits_from(options: argparse.Namespace) -> Limits:
    from boardsat.adapters.runtimes import Limits

    memory = options.memory * 2**20 if options.memory else None
    return Limits(options.timeout, options.cpu, memory)


def source_from(options: argparse.Namespace, purpose: str) -> WorkflowInput:
    """Return the input of a solver that reads CNF: a file, or an instance of a spec."""
    if is_formula_file_name(options.problem):
        return file_from(options)
    require_not_lenient(options)
    return _instance_options.catalogue_input(
        _instance_options.select_one(options, purpose), options
    )


def file_from(options: argparse.Namespace) -> FileInput:
    from boardsat.instance.inputs import FileInput

    _instance_options.require_no_generator_options(options)
    return FileInput(options.problem, options.lenient)


def without_formula(options: argparse.Namespace, reads_program: bool) -> WorkflowInput:
    """Return the input of a solver that reads a logic program or the board."""
    from boardsat.instance.inputs import CatalogueInput

    _instance_options.require_no_formula_options(options, options.solver)
    is_file = options.problem.endswith(PROGRAM_SUFFIX) or is_formula_file_name(options.problem)
    if reads_program or not is_file:
        require_not_lenient(options)
    if is_file:
        return file_from(options)
    return CatalogueInput(
        options.problem, options.encoding, _instance_options.settings_from(options)
    )


def require_not_lenient(options: argparse.Namespace) -> None:
    """Raise InputError for --lenient if no DIMACS file is read."""
    if options.lenient:
        raise InputError("--lenient applies only to a DIMACS file", "omit it")
