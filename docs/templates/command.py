"""Print the header comments of an instance, without building its formula.

Examples:
    boardsat describe tour -n 8
    boardsat describe tour --set shape=torus --set rows=4 --set cols=5

Template of docs/adding-a-command.md: copy it to boardsat/commands/NAME.py.
"""

from __future__ import annotations

import argparse

from boardsat.commands import _instance_options
from boardsat.terminal.exit_codes import SUCCESS

EXIT_CODES = SUCCESS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: those of all commands that take a problem and its settings."""
    _instance_options.add_problem_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code; cli.py prints the errors that are raised."""
    from boardsat import generators
    from boardsat.generators.spec.catalogue import find_any

    settings = _instance_options.settings_from(options)
    print(generators.describe(find_any(options.problem), settings), end="")
    return 0
