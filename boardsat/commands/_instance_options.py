"""Options of commands that describe an instance."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.generators import asp, formats
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF

if TYPE_CHECKING:
    from boardsat.generators.asp import Program
    from boardsat.generators.schema import Spec


MAX_VALUE_BYTES = 1_000_000
"""Maximum size of a file that a value is read from."""

ENCODING = ("--encoding", "--enc")

FIX = "fix"
"""Parameter that every problem has, and its option."""

FORMULA_OPTIONS = {
    "projection": "--projection",
    "symmetry": "--break-symmetry",
    "propagate": "--propagate",
    "three_cnf": "--three-cnf",
    "shuffle": "--shuffle",
}
"""Options that change a formula, by their attributes, which are keys of instance files."""

_GENERATOR_OPTIONS = {
    "encoding": "--encoding",
    "n": "-n",
    "set": "--set",
    FIX: "--fix",
    **FORMULA_OPTIONS,
}
"""Options of the generator, by their attributes."""


def add_arguments(parser: argparse.ArgumentParser, or_file: str = "") -> None:
    """Add the options of a formula: problem, encoding and transforms."""
    add_problem_arguments(parser, or_file)
    add_encoding(parser)
    parser.add_argument(
        "--projection",
        choices=PROJECTIONS,
        help="form of the projection: `c ind` lines (default), `c p show` of the Model "
        "Counting Competition, or none",
    )
    parser.add_argument(
        "--break-symmetry",
        action="store_true",
        dest="symmetry",
        help="add symmetry-breaking clauses that keep one solution per orbit of the board's "
        "symmetry group",
    )
    parser.add_argument("--propagate", action="store_true", help="apply unit propagation")
    parser.add_argument(
        "--three-cnf",
        nargs="?",
        const="auto",
        metavar="METHOD",
        choices=THREE_CNF,
        help="split long clauses into clauses of three literals (Tseitin): chain (shorter), "
        "equivalences (count-preserving), or auto (default: equivalences if the encoding is "
        "count-preserving)",
    )
    parser.add_argument("--shuffle", metavar="SEED", help="permute variables, clauses and literals")


def add_encoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        *ENCODING, metavar="NAME", help="encoding of the problem: see `boardsat list PROBLEM`"
    )


def add_problem_arguments(parser: argparse.ArgumentParser, or_file: str = "") -> None:
    """Add the options of a problem and its settings."""
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        help=f"a problem from `boardsat list`, one of its encodings (tour/binary), or a file: spec "
        f"or instance (.yaml){or_file}",
    )
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", metavar="N", help="short for --set n=N")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the spec; KEY=@FILE reads the value from a file",
    )
    parser.add_argument(
        "--fix",
        metavar="ENTRIES",
        help="fix a part of the solution: 'a1, !c3' for a mark at a1 and none at c3, a1=5 for a "
        "label, a1-b3 for a move; short for --set fix=ENTRIES",
    )
    add_build_limit(parser)


def add_build_limit(parser: argparse.ArgumentParser) -> None:
    """Add the option that multiplies the limits of building specs from outside."""
    parser.add_argument(
        "--build-limit",
        metavar="FACTOR",
        help="multiply the default limits of time and memory for building a formula from a spec "
        "file, a campaign, a header or an archive by FACTOR",
    )


def add_method_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        metavar="NAME",
        help=f"the method of the logic program, default {asp.DEFAULT}; "
        f"one of: {', '.join(asp.methods())}",
    )


def add_output_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="the output file, compressed if its suffix is .gz, .xz or .zst, or a folder (created "
        "if it ends in /) for a file named after the instance; default: standard output",
    )


def add_format_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=formats.names(),
        help="file format; default: by the suffix of -o, or else wcnf if the spec has an "
        "objective, and cnf if not",
    )


def format_from(options: argparse.Namespace, spec: Spec) -> str:
    """Return the requested format, or the one that a spec needs."""
    target = getattr(options, "output", "")
    named_format = "" if target.endswith("/") else formats.format_from_name(target)
    if options.format and named_format not in ("", options.format):
        fault = f"--format is {options.format}, but the suffix of -o is .{named_format}"
        raise InputError(fault, "leave one of them out", "--format")
    form = options.format or named_format or (formats.WCNF if spec.optimises else formats.CNF)
    if options.projection not in (None, "none") and not formats.load(form).HAS_PROJECTION:
        raise InputError(
            f"a file of format {form} has no projection", "leave it out", "--projection"
        )
    return form


def program_from(options: argparse.Namespace) -> Program:
    """Return the logic program of the problem, which is the same for all encodings."""
    from boardsat.generators.spec.catalogue import find_any

    spec = find_any(options.problem)
    return asp.render(spec, settings_from(options), options.method or asp.DEFAULT)


def changes_from(options: argparse.Namespace) -> tuple[bool, str | None, int | None, bool]:
    """Return the transforms that the options specify: the arguments of `transforms.apply`."""
    return options.propagate, options.three_cnf, _shuffle_from(options), options.symmetry


def _shuffle_from(options: argparse.Namespace) -> int | None:
    if options.shuffle is None:
        return None
    if not options.shuffle.isdecimal() or len(options.shuffle) > 20:
        location = f"--shuffle {options.shuffle[:40]}"
        fault = "the seed must be a whole number below 2**64"
        raise InputError(fault, "write for example --shuffle 1", location)
    return int(options.shuffle)


def require_no_generator_options(options: argparse.Namespace) -> None:
    """Raise InputError for options of the generator if the problem is a file."""
    for name, option in _GENERATOR_OPTIONS.items():
        if getattr(options, name, None) not in (None, False, []):
            raise InputError(
                f"{options.problem} is a formula file, to which {option} does not apply",
                "omit it, or name a problem",
                option,
            )


def require_no_formula_options(options: argparse.Namespace, solver: str) -> None:
    """Raise InputError for options that change a formula if the solver reads none."""
    for name, option in FORMULA_OPTIONS.items():
        if getattr(options, name):
            raise InputError(f"{solver} does not read a formula", "leave it out", option)


def settings_from(options: argparse.Namespace) -> dict[str, str]:
    settings: dict[str, str] = {}
    short = {"n": options.n, FIX: getattr(options, FIX, None)}
    entries = [f"{name}={value}" for name, value in short.items() if value is not None]
    for entry in [*entries, *options.set]:
        key, equals, value = entry.partition("=")
        if not equals or not key:
            fault = "a setting must have the form KEY=VALUE"
            raise InputError(fault, "write for example --set rows=5", f"--set {entry}")
        if key in settings:
            raise InputError(f"the parameter {key!r} is set twice", "set it once", f"--set {entry}")
        settings[key] = _read_value(options, key, value) if value.startswith("@") else value
    file_settings: dict[str, str] = options.filed.settings if "filed" in options else {}
    return {**file_settings, **settings}


def _read_value(options: argparse.Namespace, key: str, reference: str) -> str:
    """Return the value of a parameter given as @FILE: the content of the file."""
    from boardsat.base.files import read_text
    from boardsat.generators.spec.catalogue import find_any

    # The value of a graph parameter is the path itself.
    spec = find_any(options.problem, None)
    if any(param.name == key and param.type == "graph" for param in spec.parameters):
        return reference[1:]
    path = Path(reference[1:])
    return read_text(path, "value", MAX_VALUE_BYTES, reference, "utf-8-sig").strip()
