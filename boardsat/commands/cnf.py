"""Write the DIMACS file of a problem, or those of several instances into a folder.

Examples:
    boardsat cnf tour --enc unary -n 8 -o tour.cnf
    boardsat cnf tour --enc binary --set rows=5 --set cols=6 --three-cnf | minisat
    boardsat cnf my.yaml -n 5 -o out/
    boardsat cnf tour --enc binary,hve -n 5..7 -o out/
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters.counts import counted
from boardsat.commands import _instance, _output, _wanted
from boardsat.generators.errors import InputError, one_line
from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.progress import Progress
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.commands._wanted import Wanted
    from boardsat.generators import Formula

EXIT_CODES = DONE


class Written(NamedTuple):
    target: str
    variables: int
    clauses: int
    size: int
    seconds: float
    notes: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance.add_arguments(parser)
    _instance.add_output_argument(parser)
    parser.add_argument(
        "--smallest",
        action="store_true",
        help="compress as well as .xz and .zst can, which takes some twenty times as long",
    )


def run(options: argparse.Namespace) -> int:
    _output.check(options, folders=True)
    wanted = _wanted.several(options, _wanted.WRITE)
    if len(wanted) > 1:
        print("\n".join(_written_into_a_folder(wanted, options)))
        return 0
    done = _written(wanted[0], options)
    if done.target != "-":
        line = (
            f"{one_line(done.target)}: {counted(done.variables, 'variable')}, "
            f"{counted(done.clauses, 'clause')}, "
            f"{counted(done.size, 'byte')}, {done.seconds:.2f} s"
        )
        print("\n".join([line, *done.notes, *_wanted.default_line(options, _wanted.WRITE)]))
    return 0


def _written(wanted: Wanted, options: argparse.Namespace) -> Written:
    from boardsat.generators import write
    from boardsat.generators.dimacs.compressing import QUICK, SMALLEST, compression
    from boardsat.generators.dimacs.output import file_in

    start = time.perf_counter()
    formula = _wanted.formula(wanted, options)
    target = file_in(options.output, f"{formula.header.stem}.cnf")
    effort = SMALLEST if options.smallest else QUICK
    on_terminal = target == "-" and sys.stdout is not None and sys.stdout.isatty()
    if options.smallest and not compression(target):
        raise InputError("the file is not compressed", "end its name in .xz or .zst", "--smallest")
    with Progress(formula.clauses, quiet=on_terminal) as progress:
        size = write(formula, target, options.projection, progress.advance, effort)
    took = time.perf_counter() - start
    return Written(target, formula.variables, formula.clauses, size, took, _notes(formula))


def _notes(formula: Formula) -> list[str]:
    """Of a graph, whose file may not say what is meant."""
    from boardsat.notes import notes
    from boardsat.sources import Built

    return notes(Built(formula).board()) if formula.header.edges is not None else []


def _written_into_a_folder(wanted: list[Wanted], options: argparse.Namespace) -> list[str]:
    """The table of the files, once all are written."""
    from boardsat.generators import stem
    from boardsat.generators.dimacs.output import means_folder

    if not means_folder(options.output):
        raise InputError(
            f"{len(wanted)} files do not fit into one", "give a folder, such as -o out/", "-o"
        )
    specs = [_wanted.source(each, options).spec(_wanted.WRITE) for each in wanted]
    names = [stem(spec, each.settings) for spec, each in zip(specs, wanted, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(
            "two instances would have the same file",
            "list what is part of its name, or write them to different folders",
            f"{options.output.rstrip('/')}/{twice}.cnf",
        )
    rows = [
        [one_line(target), *(f"{number:,}" for number in numbers), f"{seconds:.2f}"]
        for target, *numbers, seconds, _ in (_written(each, options) for each in wanted)
    ]
    heads = ["file", "variables", "clauses", "bytes", "seconds"]
    return [table(heads, rows), *_wanted.default_line(options, _wanted.WRITE)]
