"""Write a problem as a formula file, or several instances into a folder.

Examples:
    boardsat cnf tour --enc unary -n 8 -o tour.cnf
    boardsat cnf fewest_queens -n 8 -o queens.wcnf
    boardsat cnf tour --enc binary --set rows=5 --set cols=6 --three-cnf | minisat
    boardsat cnf my.yaml -n 5 -o out/
    boardsat cnf tour --enc binary,hve -n 5..7 -o out/

Formats: cnf (clauses, for SAT solvers and model counters), wcnf (hard and soft clauses, for MaxSAT
solvers), opb (linear constraints and an objective, for pseudo-Boolean solvers), knf (clauses and
cardinality constraints, for Cardinality-CDCL). An .opb or .knf file without an objective, named in
place of a problem, is encoded to CNF: boardsat cnf queens.knf --set card=totalizer -o queens.cnf
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
from boardsat.commands import _instance_options, _output_files
from boardsat.generators import formats
from boardsat.generators.formats import CNF
from boardsat.generators.spec.defaults import WRITE
from boardsat.terminal.exit_codes import SUCCESS
from boardsat.terminal.progress import Progress
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.generators import Formula

EXIT_CODES = SUCCESS


class WrittenFile(NamedTuple):
    """Formula file that was written, with its numbers."""

    target: str
    variables: int
    clauses: int
    linear_constraints: int
    soft_clauses: int
    size: int
    """Size in bytes."""
    seconds: float
    notes: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance_options.add_arguments(parser)
    _instance_options.add_output_argument(parser)
    _instance_options.add_format_argument(parser)
    parser.add_argument(
        "--best-compression",
        action="store_true",
        help="highest compression level of .xz and .zst; takes about 20 times as long",
    )


def run(options: argparse.Namespace) -> int:
    _output_files.check_targets(options, folders=True)
    if file_formats.format_from_name(options.problem):
        _convert_to_cnf(options)
        return 0
    selected = _instance_options.select_instances(options, WRITE)
    if len(selected) > 1:
        print("\n".join(_write_folder(selected, options)))
        return 0
    file = _write(selected[0], options)
    if file.target != "-":
        numbers = _numbers(
            variable=file.variables,
            clause=file.clauses,
            linear_constraint=file.linear_constraints,
            soft_clause=file.soft_clauses,
            byte=file.size,
        )
        line = f"{one_line(file.target)}: {numbers}, {file.seconds:.2f} s"
        notes = [*file.notes, *_instance_options.encoding_note(options, WRITE)]
        print("\n".join([line, *notes]))
    return 0


def _numbers(**counts: int) -> str:
    """Return counts as `8 variables, 1 clause`; omit linear and soft ones if there are none."""
    return ", ".join(
        pluralize(count, noun.replace("_", " "))
        for noun, count in counts.items()
        if count or "_" not in noun
    )


def _convert_to_cnf(options: argparse.Namespace) -> None:
    """Encode an OPB or KNF file to CNF, and print its size unless it goes to standard output."""
    from boardsat.base.files import file_in_folder
    from boardsat.generators import transform, write
    from boardsat.instance.cnf_conversion import encode_to_cnf
    from boardsat.instance.inputs import FileInput

    format_name = options.format or formats.format_from_name(options.output) or CNF
    if options.encoding or options.n or format_name != CNF:
        fault = (
            "an OPB or KNF file is encoded to CNF; --encoding, -n and other formats do not apply"
        )
        raise InputError(fault, "choose encodings by --set card=NAME and pb=NAME", options.problem)
    start = time.perf_counter()
    with FileInput(options.problem).formula_file(WRITE) as problem:
        built = encode_to_cnf(problem, _instance_options.settings_from(options))
    formula = transform(built, *_instance_options.changes_from(options))
    stem = Path(options.problem).name.partition(".")[0]
    target = file_in_folder(options.output, _name(stem, options, CNF))
    size = write(formula, target, options.projection, form=CNF)
    if target != "-":
        numbers = _numbers(variable=formula.variables, clause=formula.clauses, byte=size)
        print(f"{one_line(target)}: {numbers}, {time.perf_counter() - start:.2f} s")


def _name(stem: str, options: argparse.Namespace, form: str) -> str:
    """Return the name of a file in a folder, with the transforms as suffixes."""
    from boardsat.generators.transforms import name_suffix

    return (
        f"{stem}{name_suffix(*_instance_options.changes_from(options), options.projection)}.{form}"
    )


def _write(
    selected: _instance_options.SelectedInstance, options: argparse.Namespace
) -> WrittenFile:
    from boardsat.base.compression import QUICK, SMALLEST, compression_suffix
    from boardsat.base.files import file_in_folder
    from boardsat.generators import write

    start = time.perf_counter()
    formula = _instance_options.build_formula(selected, options)
    form = _instance_options.format_from(options, selected.spec)
    target = file_in_folder(options.output, _name(formula.header.stem, options, form))
    effort = SMALLEST if options.best_compression else QUICK
    on_terminal = target == "-" and sys.stdout is not None and sys.stdout.isatty()
    if options.best_compression and not compression_suffix(target):
        raise InputError(
            "the output is not compressed", "name it .xz or .zst by -o", "--best-compression"
        )
    with Progress(formula.clauses, quiet=on_terminal) as progress:
        size = write(formula, target, options.projection, progress.advance, effort, form)
    seconds = time.perf_counter() - start
    module, objective = formats.load(form), formula.objective
    soft = len(objective.soft.weights) if objective and module.HAS_OBJECTIVE else 0
    notes = _notes(formula, form)
    variables = formula.variables + module.num_extra_variables(formula)
    counts = (variables, formula.clauses, formula.num_linear_constraints, soft, size)
    return WrittenFile(target, *counts, seconds, notes)


def _notes(formula: Formula, form: str) -> list[str]:
    """Return notes on a graph file, symmetry breaking, and an objective that the format drops."""
    notes: list[str] = []
    if formula.header.edges is not None:
        from boardsat.instance.formula_file import note_lines
        from boardsat.instance.inputs import FormulaInput

        notes = note_lines(FormulaInput(formula).board().notes)
    notes += [
        f"symmetry: {transform['description']}"
        for transform in formula.header.transforms
        if "description" in transform
    ]
    if formula.objective is not None and not formats.load(form).HAS_OBJECTIVE:
        notes.append(f"note: CNF has no objective; what to {formula.objective.goal} is a comment")
    return notes


def _write_folder(
    selected: list[_instance_options.SelectedInstance], options: argparse.Namespace
) -> list[str]:
    """Write a file for each instance; return the lines of a table of them."""
    from boardsat.base.files import is_folder_target
    from boardsat.generators import stem

    if not is_folder_target(options.output):
        raise InputError("several instances need a folder", "name one, such as -o out/", "-o")
    specs = [
        _instance_options.catalogue_input(instance, options).spec(WRITE) for instance in selected
    ]
    names = [stem(spec, instance.settings) for spec, instance in zip(specs, selected, strict=True)]
    form = _instance_options.format_from(options, specs[0])
    if duplicate := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(
            "two instances would have this file name, which does not contain all parameters",
            "write them to different folders",
            f"{options.output.rstrip('/')}/{_name(duplicate, options, form)}",
        )
    written_files = [_write(instance, options) for instance in selected]
    heads = ["file", "variables", "clauses", "linear", "soft clauses", "bytes", "seconds"]
    rows = [
        [one_line(target), *(f"{number:,}" for number in numbers), f"{seconds:.2f}"]
        for target, *numbers, seconds, _ in written_files
    ]
    has_soft = any(file.soft_clauses for file in written_files)
    has_linear = any(file.linear_constraints for file in written_files)
    for column, is_used in ((4, has_soft), (3, has_linear)):
        for row in (heads, *rows) if not is_used else ():
            del row[column]
    return [table(heads, rows), *_instance_options.encoding_note(options, WRITE)]
