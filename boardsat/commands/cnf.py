"""Write the DIMACS file of a problem.

Examples:
    boardsat cnf tour --enc unary -n 8 -o tour.cnf
    boardsat cnf tour --enc binary --set rows=5 --set cols=6 --three-cnf | minisat
    boardsat cnf my.yaml -n 5 -o out/
"""

from __future__ import annotations

import argparse
import sys
import time

from boardsat.commands import _instance
from boardsat.exit_codes import DONE
from boardsat.progress import Progress
from generators.errors import one_line

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance.add_arguments(parser)
    _instance.add_output_argument(parser)


def run(options: argparse.Namespace) -> int:
    from generators import write

    start = time.perf_counter()
    formula = _instance.formula_from(options)
    target = _instance.target_from(options, f"{formula.header.stem}.cnf")
    on_terminal = target == "-" and sys.stdout is not None and sys.stdout.isatty()
    with Progress(formula.clauses, quiet=on_terminal) as progress:
        size = write(formula, target, options.projection, progress.advance)
    if target != "-":
        print(
            f"{one_line(target)}: {formula.variables:,} variables, {formula.clauses:,} clauses, "
            f"{size:,} bytes, {time.perf_counter() - start:.2f} s"
        )
    return 0
