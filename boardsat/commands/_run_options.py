"""Options of commands that run a solver: input, limits, runtime and seed."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from boardsat.adapters.proofs import PROOF_MEMORY_BYTES, PROOF_MEMORY_PER_BYTE, PROOF_SECONDS
from boardsat.base.errors import InputError
from boardsat.commands import _instance_options, _instance_ranges
from boardsat.instance.file_types import PROGRAM_SUFFIX, is_formula_file_name

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits
    from boardsat.instance.inputs import FileInput, WorkflowInput

WHOLE_COMMAND = "all: making or reading the formula, the solver, and checking its answer"
SOLVER_ALONE = "the solver of each run alone"
"""Scope of the limits on the command line."""

MAX_NUMBER = 10**9
"""Maximum of numbers on the command line: seconds, megabytes, seeds, models."""


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
        help="accept a DIMACS file whose header and clauses contradict each other, with a note",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=number(int, 1),
        metavar="J",
        help="runs at once, each on its own core (default: the number of cores)",
    )


def add_limits(
    parser: argparse.ArgumentParser, timeout: float | None = None, scope: str = WHOLE_COMMAND
) -> None:
    """Add the options of the runtime, the limits and the output."""
    parser.add_argument(
        "--runtime",
        default="auto",
        choices=("auto", "docker", "native", "embedded"),
        help="where the solver runs; auto: the first that is available, and if cuts are added "
        "while solving, embedded, which starts once",
    )
    add_resources(parser, timeout, scope=scope)
    parser.add_argument("--seed", type=number(int, 0), metavar="K", help="random seed")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_resources(
    parser: argparse.ArgumentParser,
    timeout: float | None = None,
    memory: str = "",
    scope: str = WHOLE_COMMAND,
) -> None:
    """Add the options of time and memory."""
    seconds = number(float, 0.001)
    usual = f" (default {timeout:g})" if timeout else ""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=timeout,
        metavar="S",
        help=f"limit of wall time in seconds{usual}; as --cpu and --memory, it covers {scope}",
    )
    parser.add_argument("--cpu", type=seconds, metavar="S", help="limit of CPU time in seconds")
    usual = f" ({memory})" if memory else ""
    parser.add_argument(
        "--memory", type=number(int, 1), metavar="MB", help=f"limit of memory in megabytes{usual}"
    )


def add_proof_resources(parser: argparse.ArgumentParser) -> None:
    """Add the options of time and memory with the defaults of a proof checker."""
    per_byte = f"{PROOF_MEMORY_PER_BYTE} for each MB of the formula and the proof"
    memory = f"default: {PROOF_MEMORY_BYTES >> 20} and {per_byte}"
    add_resources(parser, timeout=PROOF_SECONDS, memory=memory)


def number(
    kind: Callable[[str], float], least: float, most: float = MAX_NUMBER
) -> Callable[[str], float]:
    """Return a function that parses a number in a range."""

    def read(word: str) -> float:
        try:
            value = kind(word)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{word!r} is not a number from {least} to {most}")
        return value

    return read


def limits_from(options: argparse.Namespace) -> Limits:
    from boardsat.adapters.runtimes import Limits

    memory = options.memory * 2**20 if options.memory else None
    return Limits(options.timeout, options.cpu, memory)


def source_from(options: argparse.Namespace, purpose: str) -> WorkflowInput:
    """Return the input of a solver that reads formulas: a file, or an instance of a spec."""
    if is_formula_file_name(options.problem):
        return file_from(options)
    require_not_lenient(options)
    return _instance_ranges.catalogue_input(_instance_ranges.select_one(options, purpose), options)


def file_from(options: argparse.Namespace) -> FileInput:
    from boardsat.instance.inputs import FileInput

    _instance_options.require_no_generator_options(options)
    return FileInput(options.problem, options.lenient)


def without_formula(options: argparse.Namespace, reads_program: bool) -> WorkflowInput:
    """Return the input of a solver that reads a logic program, or else the board."""
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
        raise InputError("only a DIMACS file is read leniently", "leave it out", "--lenient")
