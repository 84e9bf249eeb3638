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


VALUE_BYTES = 1_000_000
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
        metavar="HOW",
        choices=THREE_CNF,
        help="split clauses into clauses of three literals: auto (keeps model counts "
        "if the spec does), chain (shorter), equivalences (always keeps them)",
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
        metavar="WHAT",
        help="what a solution must have, and what not, in words of the board: 'a1, !c3' for marks, "
        "a1=5 for labels, a1-b3 for moves; short for --set fix=WHAT",
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
        help="the output file; compressed if it ends in .gz, .xz or .zst; a folder gets a file "
        "named after the instance, and is created if it ends in /; default: standard output",
    )


def add_format_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=formats.names(),
        help="the format of the file; default: that of the ending of -o, or else wcnf where "
        "something is to be optimised, and cnf where not",
    )


def format_from(options: argparse.Namespace, spec: Spec) -> str:
    """Return the requested format, or the one that a spec needs."""
    target = getattr(options, "output", "")
    told = "" if target.endswith("/") else formats.format_from_name(target)
    if options.format and told not in ("", options.format):
        raise InputError(f"the file ends in .{told}", "leave one of them out", "--format")
    form = options.format or told or (formats.WCNF if spec.optimises else formats.CNF)
    if options.projection not in (None, "none") and not formats.load(form).HAS_PROJECTION:
        raise InputError(
            f"a file of format {form} has no such choice",
            "leave it out",
            "--projection",
        )
    return form


def program_from(options: argparse.Namespace) -> Program:
    """Build the logic program; all encodings of a problem have the same board and settings."""
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
        place = f"--shuffle {options.shuffle[:40]}"
        raise InputError("not a seed", "give a whole number below 2**64", place)
    return int(options.shuffle)


def require_no_generator_options(options: argparse.Namespace) -> None:
    """Raise InputError for options of the generator if the problem is a file."""
    for name, option in _GENERATOR_OPTIONS.items():
        if getattr(options, name, None) not in (None, False, []):
            raise InputError(
                f"{options.problem} is a file, and is used as it is",
                "omit it, or name a problem",
                option,
            )


def require_no_formula_options(options: argparse.Namespace, solver: str) -> None:
    """Raise InputError for options that change a formula if the solver reads none."""
    for name, option in FORMULA_OPTIONS.items():
        if getattr(options, name):
            raise InputError(f"{solver} reads no formula", "leave it out", option)


def settings_from(options: argparse.Namespace) -> dict[str, str]:
    settings: dict[str, str] = {}
    short = {"n": options.n, FIX: getattr(options, FIX, None)}
    words = [f"{name}={value}" for name, value in short.items() if value is not None]
    for word in [*words, *options.set]:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise InputError("not KEY=VALUE", "write for example --set rows=5", f"--set {word}")
        if key in settings:
            raise InputError(f"{key!r} is set twice", "set it once", f"--set {word}")
        settings[key] = _from_file(options, key, value) if value.startswith("@") else value
    filed: dict[str, str] = options.filed.settings if "filed" in options else {}
    return {**filed, **settings}


def _from_file(options: argparse.Namespace, key: str, word: str) -> str:
    from boardsat.campaign.runner.safe_paths import read_text
    from boardsat.generators.spec.catalogue import find_any

    # A graph is a file anyway, and has the name of it.
    spec = find_any(options.problem, None)
    if any(each.name == key and each.type == "graph" for each in spec.parameters):
        return word[1:]
    return read_text(Path(word[1:]), "value", VALUE_BYTES, word, "utf-8-sig").strip()
