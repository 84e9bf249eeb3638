"""clingo as a library: the main function of the program, with the same output."""

from __future__ import annotations

import sys

from clingo.application import Application, clingo_main

from boardsat.adapters.solver_meter import run_measured


def main(*arguments: str) -> int:
    """Run clingo on the arguments of its program."""
    # The default application does not execute scripts embedded in logic programs.
    return clingo_main(Application(), arguments)


if __name__ == "__main__":
    sys.exit(run_measured(main))
