"""The options of a run, and the formula or the board that it runs on; shared by commands."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.commands import _instance, _wanted
from boardsat.endings import FILES, PROGRAM
from generators.errors import InputError, one_line

if TYPE_CHECKING:
    from adapters.runtimes import Limits
    from boardsat.commands._wanted import Wanted
    from boardsat.problem import Instance, Problem, Program

MOST = 10**9
"""For numbers on the command line: seconds, megabytes, seeds, models."""


def add_arguments(parser: argparse.ArgumentParser, timeout: float | None = None) -> None:
    _instance.add_arguments(parser)
    add_lenient_argument(parser)
    add_limits(parser, timeout)


def add_lenient_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="take a DIMACS file whose header and clauses contradict each other, and say so",
    )


def add_limits(parser: argparse.ArgumentParser, timeout: float | None = None) -> None:
    """Where to run, how long, and how to tell."""
    parser.add_argument(
        "--runtime", default="auto", choices=("auto", "docker", "native", "embedded")
    )
    seconds = number(float, 0.001)
    usual = f" (usually {timeout:g})" if timeout else ""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=timeout,
        metavar="S",
        help=f"seconds of wall time{usual}",
    )
    parser.add_argument("--cpu", type=seconds, metavar="S", help="seconds of CPU time")
    parser.add_argument("--memory", type=number(int, 1), metavar="MB", help="megabytes of memory")
    parser.add_argument("--seed", type=number(int, 0), metavar="K", help="for the solver")
    parser.add_argument("--json", action="store_true", help="for programs")


def number(
    kind: Callable[[str], float], least: float, most: float = MOST
) -> Callable[[str], float]:
    """A reader of numbers that are not absurd."""

    def read(word: str) -> float:
        try:
            value = kind(word)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{word!r} is no number from {least} to {most}")
        return value

    return read


def limits_from(options: argparse.Namespace) -> Limits:
    from adapters.runtimes import Limits

    memory = options.memory * 2**20 if options.memory else None
    return Limits(options.timeout, options.cpu, memory)


@contextmanager
def problem_from(options: argparse.Namespace, purpose: str) -> Iterator[Problem]:
    """The formula to run on: the file that is given, or one written from the spec."""
    from boardsat.problem import open_problem

    if options.problem.endswith(FILES):
        _instance.refuse_generator_options(options)
        yield open_problem(options.problem, lenient=options.lenient)
        return
    refuse_lenient(options)
    with written(_wanted.one(options, purpose), options) as problem:
        yield problem


@contextmanager
def written(wanted: Wanted, options: argparse.Namespace) -> Iterator[Problem]:
    """The formula of an instance, in a file for as long as it is needed."""
    from adapters import scratch
    from boardsat.problem import open_problem
    from generators import write

    with scratch.folder() as folder:
        path = str(Path(folder) / "formula.cnf")
        write(_wanted.formula(wanted, options), path, options.projection)
        yield open_problem(path, own=True)


@contextmanager
def program_from(options: argparse.Namespace) -> Iterator[Program]:
    """The same for solvers that read a logic program."""
    from adapters import scratch
    from adapters.errors import AdapterError
    from boardsat.problem import open_program

    _instance.refuse_formula_options(options)
    refuse_lenient(options)
    if options.problem.endswith(PROGRAM):
        _instance.refuse_generator_options(options)
        if options.method:
            raise AdapterError("a program has its method already", "leave --method out")
        yield open_program(options.problem)
        return
    if options.problem.endswith(FILES):
        raise AdapterError(
            f"{options.solver} reads programs", "give a problem by its name, or a .lp file"
        )
    with scratch.folder() as folder:
        path = Path(folder) / f"program{PROGRAM}"
        path.write_text(_instance.program_from(options, options.enc).text, "ascii")
        yield open_program(str(path))


def instance_from(options: argparse.Namespace) -> Instance:
    """The board to run on, without a formula: of the file that is given, or of the spec."""
    from boardsat.problem import described, open_problem

    _instance.refuse_formula_options(options)
    if options.problem.endswith(FILES):
        _instance.refuse_generator_options(options)
        return open_problem(options.problem, lenient=options.lenient)
    refuse_lenient(options)
    return described(_instance.description_from(options))


def refuse_lenient(options: argparse.Namespace) -> None:
    """Where there is no DIMACS file of somebody."""
    if options.lenient:
        raise InputError("only a DIMACS file is read leniently", "leave it out", "--lenient")


def print_notes(instance: Instance) -> None:
    """What was wrong with the file, after the answer about it."""
    for note in instance.notes:
        print(f"note: {one_line(note)}")
