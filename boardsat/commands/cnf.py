"""Write the file of a problem, or those of several instances into a folder.

Examples:
    boardsat cnf tour --enc unary -n 8 -o tour.cnf
    boardsat cnf fewest_queens -n 8 -o queens.wcnf
    boardsat cnf tour --enc binary --set rows=5 --set cols=6 --three-cnf | minisat
    boardsat cnf my.yaml -n 5 -o out/
    boardsat cnf tour --enc binary,hve -n 5..7 -o out/

Formats: cnf has clauses for SAT solvers and model counters, wcnf hard and soft clauses for MaxSAT
solvers, opb sums and an objective for pseudo-Boolean solvers, knf clauses and cardinalities for
Cardinality-CDCL. A file of the last two, if it has no objective, becomes CNF: boardsat cnf
queens.knf --set card=totalizer -o queens.cnf
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters import formats as file_formats
from boardsat.base.errors import InputError
from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _instance_ranges, _output_files
from boardsat.generators import formats
from boardsat.generators.formats import CNF
from boardsat.generators.spec.defaults import WRITE
from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.progress import Progress
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.commands._instance_ranges import SelectedInstance
    from boardsat.generators import Formula

EXIT_CODES = DONE


class Written(NamedTuple):
    target: str
    variables: int
    clauses: int
    sums: int
    soft: int
    size: int
    seconds: float
    notes: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance_options.add_arguments(parser)
    _instance_options.add_output_argument(parser)
    _instance_options.add_format_argument(parser)
    parser.add_argument(
        "--best-compression",
        action="store_true",
        help="compress as well as .xz and .zst can, which takes some twenty times as long",
    )


def run(options: argparse.Namespace) -> int:
    _output_files.check_targets(options, folders=True)
    if file_formats.format_from_name(options.problem):
        print(_converted(options), end="")
        return 0
    wanted = _instance_ranges.select_instances(options, WRITE)
    if len(wanted) > 1:
        print("\n".join(_written_into_a_folder(wanted, options)))
        return 0
    done = _written(wanted[0], options)
    if done.target != "-":
        line = (
            f"{one_line(done.target)}: {pluralize(done.variables, 'variable')}, "
            f"{pluralize(done.clauses, 'clause')}, {_also(done)}"
            f"{pluralize(done.size, 'byte')}, {done.seconds:.2f} s"
        )
        print(
            "\n".join(
                [
                    line,
                    *done.notes,
                    *_instance_ranges.encoding_note(options, WRITE),
                ]
            )
        )
    return 0


def _converted(options: argparse.Namespace) -> str:
    """The line about a file of another format that became CNF; none on standard output."""
    from boardsat.base.files import file_in_folder
    from boardsat.generators import transform, write
    from boardsat.instance.cnf_conversion import as_clauses
    from boardsat.instance.inputs import FileInput

    told = options.format or formats.format_from_name(options.output) or CNF
    if options.encoding or options.n or told != CNF:
        raise InputError(
            "a file becomes CNF, in encodings of its sums", "leave the rest out", "cnf"
        )
    start = time.perf_counter()
    with FileInput(options.problem).formula_file(WRITE) as problem:
        built = as_clauses(problem, _instance_options.settings_from(options))
    formula = transform(built, *_instance_options.changes_from(options))
    stem = Path(options.problem).name.partition(".")[0]
    target = file_in_folder(options.output, _name(stem, options, CNF))
    size = write(formula, target, options.projection, form=CNF)
    if target == "-":
        return ""
    counts = (pluralize(formula.variables, "variable"), pluralize(formula.clauses, "clause"))
    took = f"{pluralize(size, 'byte')}, {time.perf_counter() - start:.2f} s"
    return f"{one_line(target)}: {', '.join([*counts, took])}\n"


def _also(done: Written) -> str:
    """What stands beside clauses in files of some formats."""
    numbers = {"sum": done.sums, "soft clause": done.soft}
    return "".join(f"{pluralize(n, noun)}, " for noun, n in numbers.items() if n)


def _name(stem: str, options: argparse.Namespace, form: str) -> str:
    """Return the name of the file that a folder gets."""
    from boardsat.generators.transforms import name_suffix

    return (
        f"{stem}{name_suffix(*_instance_options.changes_from(options), options.projection)}.{form}"
    )


def _written(wanted: SelectedInstance, options: argparse.Namespace) -> Written:
    from boardsat.base.compression import QUICK, SMALLEST, compression_suffix
    from boardsat.base.files import file_in_folder
    from boardsat.generators import write

    start = time.perf_counter()
    formula = _instance_ranges.build_formula(wanted, options)
    form = _instance_options.format_from(options, wanted.spec)
    target = file_in_folder(options.output, _name(formula.header.stem, options, form))
    effort = SMALLEST if options.best_compression else QUICK
    on_terminal = target == "-" and sys.stdout is not None and sys.stdout.isatty()
    if options.best_compression and not compression_suffix(target):
        raise InputError(
            "the file is not compressed", "end its name in .xz or .zst", "--best-compression"
        )
    with Progress(formula.clauses, quiet=on_terminal) as progress:
        size = write(formula, target, options.projection, progress.advance, effort, form)
    took = time.perf_counter() - start
    module, objective = formats.load(form), formula.objective
    soft = len(objective.soft.weights) if objective and module.HAS_OBJECTIVE else 0
    notes = _notes(formula, form)
    variables = formula.variables + module.num_extra_variables(formula)
    counts = (variables, formula.clauses, formula.num_linear_constraints, soft, size)
    return Written(target, *counts, took, notes)


def _notes(formula: Formula, form: str) -> list[str]:
    """Of a graph, whose file may not say what is meant; and of what a format does not carry."""
    told: list[str] = []
    if formula.header.edges is not None:
        from boardsat.instance.formula_file import note_lines
        from boardsat.instance.inputs import FormulaInput

        told = note_lines(FormulaInput(formula).board().notes)
    told += [
        f"symmetry: {transform['description']}"
        for transform in formula.header.transforms
        if "description" in transform
    ]
    if formula.objective is not None and not formats.load(form).HAS_OBJECTIVE:
        told.append(f"note: what to {formula.objective.goal} is told in its comments alone")
    return told


def _written_into_a_folder(
    wanted: list[SelectedInstance], options: argparse.Namespace
) -> list[str]:
    """The table of the files, once all are written."""
    from boardsat.base.files import is_folder_target
    from boardsat.generators import stem

    if not is_folder_target(options.output):
        raise InputError(
            f"{len(wanted)} files do not fit into one", "give a folder, such as -o out/", "-o"
        )
    specs = [_instance_ranges.catalogue_input(each, options).spec(WRITE) for each in wanted]
    names = [stem(spec, each.settings) for spec, each in zip(specs, wanted, strict=True)]
    form = _instance_options.format_from(options, specs[0])
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(
            "two instances would have the same file",
            "list what is part of its name, or write them to different folders",
            f"{options.output.rstrip('/')}/{_name(twice, options, form)}",
        )
    done = [_written(each, options) for each in wanted]
    heads = ["file", "variables", "clauses", "sums", "soft clauses", "bytes", "seconds"]
    rows = [
        [one_line(target), *(f"{number:,}" for number in numbers), f"{seconds:.2f}"]
        for target, *numbers, seconds, _ in done
    ]
    for place, used in ((4, any(d.soft for d in done)), (3, any(d.sums for d in done))):
        for row in (heads, *rows) if not used else ():
            del row[place]
    return [table(heads, rows), *_instance_ranges.encoding_note(options, WRITE)]
