"""Options that describe one instance, or several by ranges and lists: -n 5..9 --enc a,b."""

from __future__ import annotations

import argparse
import math
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from boardsat.base.errors import InputError
from boardsat.generators import asp, formats
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF, split
from boardsat.generators.spec.defaults import COUNT, WRITE

if TYPE_CHECKING:
    from boardsat.generators import Formula
    from boardsat.generators.asp import Program
    from boardsat.generators.schema import Spec
    from boardsat.instance.inputs import CatalogueInput


MAX_VALUE_BYTES = 1_000_000
"""Maximum size of a file that a value is read from."""

INSTANCE, FORMULA, LIMITS = "instance options", "formula options", "runtime and limits"
"""Titles of the groups of options in help texts."""

ENCODING = ("--encoding", "--enc")

FIX = "fix"
"""Name of a parameter that every problem has, and of its option."""

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


def option_group(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of options that has this title in the help text."""
    groups = (group for group in parser._action_groups if group.title == title)
    return next(groups, None) or parser.add_argument_group(title)


def add_arguments(parser: argparse.ArgumentParser, or_file: str = "") -> None:
    """Add the options of a formula: problem, encoding and transforms."""
    add_problem_arguments(parser, or_file)
    add_encoding(parser)
    group = option_group(parser, FORMULA)
    group.add_argument(
        "--projection",
        choices=PROJECTIONS,
        help="form of the projection: `c ind` lines (default), `c p show` of the Model "
        "Counting Competition, or none",
    )
    group.add_argument(
        "--break-symmetry",
        action="store_true",
        dest="symmetry",
        help="add symmetry-breaking clauses that keep one solution per orbit of the board's "
        "symmetry group",
    )
    group.add_argument("--propagate", action="store_true", help="apply unit propagation")
    group.add_argument(
        "--three-cnf",
        nargs="?",
        const="auto",
        metavar="METHOD",
        choices=THREE_CNF,
        help="split long clauses into clauses of three literals (Tseitin): chain (shorter), "
        "equivalences (count-preserving), or auto (default: equivalences if the encoding is "
        "count-preserving)",
    )
    group.add_argument("--shuffle", metavar="SEED", help="permute variables, clauses and literals")


def add_encoding(parser: argparse.ArgumentParser) -> None:
    option_group(parser, INSTANCE).add_argument(
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
    group = option_group(parser, INSTANCE)
    group.add_argument("-n", metavar="N", help="short for --set n=N")
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the spec; KEY=@FILE reads the value from a file",
    )
    group.add_argument(
        "--fix",
        metavar="ENTRIES",
        help="fix a part of the solution: 'a1, !c3' for a mark at a1 and none at c3, a1=5 for a "
        "label, a1-b3 for a move; short for --set fix=ENTRIES",
    )
    add_build_limit(parser)


def add_build_limit(parser: argparse.ArgumentParser) -> None:
    """Add the option that multiplies the limits for building formulas from external specs."""
    option_group(parser, LIMITS).add_argument(
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
        raise InputError(fault, "omit one of them", "--format")
    form = options.format or named_format or (formats.WCNF if spec.optimises else formats.CNF)
    if options.projection not in (None, "none") and not formats.load(form).HAS_PROJECTION:
        raise InputError(
            f"a file of format {form} has no projection", "write --format cnf", "--projection"
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
    seed = options.shuffle
    if not seed.isdecimal() or len(seed) > 20 or int(seed) >= 2**64:
        fault = f"--shuffle must be a whole number from 0 to 2**64 - 1 (got {seed[:40]!r})"
        raise InputError(fault, "write for example --shuffle 1")
    return int(seed)


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
            raise InputError(f"{solver} does not read a formula", "omit it", option)


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


ALL = "all"

MAX_INSTANCES = 1000
"""Maximum number of instances of one command."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


class SelectedInstance(NamedTuple):
    """Spec and settings of an instance that the options name."""

    spec: Spec
    settings: dict[str, str]


def select_one(options: argparse.Namespace, purpose: str) -> SelectedInstance:
    """Return the instance of the options; raise InputError if they name several."""
    instances = select_instances(options, purpose)
    if len(instances) > 1:
        raise InputError(
            "the options name several instances, but this command accepts one",
            "size, cnf and count accept several",
            options.problem,
        )
    return instances[0]


def select_instances(options: argparse.Namespace, purpose: str) -> list[SelectedInstance]:
    """Return all instances of the options, encoding by encoding."""
    from boardsat.generators.spec.catalogue import find

    settings = settings_from(options)
    instances = []
    for encoding in _encodings(options, purpose):
        spec = find(options.problem, encoding, purpose)
        instances += [
            SelectedInstance(spec, combination) for combination in _combinations(spec, settings)
        ]
        _check_number(len(instances), options.problem)
    return instances


def _check_number(instances: int, location: str) -> None:
    if instances > MAX_INSTANCES:
        fault = f"the options name more than {MAX_INSTANCES:,} instances"
        raise InputError(fault, "name fewer, or run a campaign", location)


def catalogue_input(
    selected: SelectedInstance, options: argparse.Namespace, form: str = ""
) -> CatalogueInput:
    """Return the input with the transforms and the format that the options name."""
    from boardsat.instance.inputs import CatalogueInput, TransformOptions

    if "output" in options and "format" in options:
        form = format_from(options, selected.spec)
    transforms = changes_from(options)
    changes = TransformOptions(*transforms, options.projection, form)
    settings, spec = selected.settings, selected.spec
    return CatalogueInput(options.problem, options.encoding, settings, changes, spec)


def build_formula(selected: SelectedInstance, options: argparse.Namespace) -> Formula:
    """Build and transform the formula of an instance."""
    return catalogue_input(selected, options).formula(WRITE)


def encoding_note(options: argparse.Namespace, purpose: str) -> list[str]:
    """Return a line about the encoding if it was selected by default."""
    from boardsat.instance.inputs import CatalogueInput

    if names_encoding(options):
        return []
    source = CatalogueInput(options.problem, None, settings_from(options))
    source.spec(purpose)
    return source.encoding_note(purpose)


def names_encoding(options: argparse.Namespace) -> bool:
    """Return whether the options name an encoding, a spec or a formula file."""
    from boardsat.instance import inputs

    return inputs.names_encoding(options.problem, options.encoding)


def _encodings(options: argparse.Namespace, purpose: str) -> list[str | None]:
    from boardsat.generators.spec.catalogue import encodings_of, find

    if options.encoding is None:
        return [None]
    if options.encoding != ALL:
        return [*split(options.encoding, "--encoding")]
    names = encodings_of(options.problem)
    if purpose != COUNT:
        return [*names]
    # Models of a lazy formula need not be boards.
    return [name for name in names if not find(options.problem, name).is_lazy]


def _combinations(spec: Spec, settings: dict[str, str]) -> list[dict[str, str]]:
    """Return the settings of each combination of the numbers that they list."""
    from boardsat.generators.sections.parameters import parameters_of

    numbers = {parameter.name for parameter in parameters_of(spec) if parameter.type == "int"}
    choices = [_numbers(key, text) if key in numbers else [text] for key, text in settings.items()]
    _check_number(math.prod(map(len, choices)), spec.name)
    return [dict(zip(settings, values, strict=True)) for values in product(*choices)]


def _numbers(key: str, text: str) -> list[str]:
    """Return the numbers of a list such as `5..9` or `5,7,9`; any other text is one value."""
    numbers: list[str] = []
    for entry in text.split(","):
        match = _RANGE.fullmatch(entry.strip())
        if match is None:
            numbers.append(entry.strip())
            continue
        first, last = (int(number) for number in match.groups())
        if first > last:
            fault = f"the range {first}..{last} is empty"
            raise InputError(fault, f"write {last}..{first}", f"{key}={text}")
        _check_number(last - first + 1, f"{key}={text}")
        numbers += map(str, range(first, last + 1))
    return list(dict.fromkeys(numbers))
