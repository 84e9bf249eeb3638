"""Write the logic program of a tour, for clingo.

Examples:
    boardsat asp tour -n 8 -o tour.lp
    boardsat asp tour --set rows=5 --set cols=5 --set closed=false --method sequence-both -o out/
    boardsat asp tour -n 6 --method reachability | clingo --stats
"""

from __future__ import annotations

import argparse
import time

from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _output_files
from boardsat.terminal.exit_codes import SUCCESS

EXIT_CODES = SUCCESS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance_options.add_problem_arguments(parser)
    _instance_options.add_method_argument(parser)
    _instance_options.add_output_argument(parser)


def run(options: argparse.Namespace) -> int:
    from boardsat.base.files import file_in_folder, write_file

    _output_files.check_targets(options, folders=True)
    start = time.perf_counter()
    program = _instance_options.program_from(options)
    target = file_in_folder(options.output, f"{program.stem}.lp")
    text = program.text.encode("ascii")
    size = write_file(target, [text], len(text))
    if target != "-":
        board = f"{pluralize(program.cells, 'cell')}, {pluralize(program.steps, 'step')}"
        seconds = time.perf_counter() - start
        print(f"{one_line(target)}: {board}, {pluralize(size, 'byte')}, {seconds:.2f} s")
    return 0
