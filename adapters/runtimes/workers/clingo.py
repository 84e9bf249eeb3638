"""clingo as a library: the program's own main, which prints what the program prints."""

from __future__ import annotations

import sys

from clingo.application import Application, clingo_main

from boardsat.adapters.solver_meter import run_measured


def main(*words: str) -> int:
    # As it comes: scripts inside programs would have to be enabled first.
    return clingo_main(Application(), words)


if __name__ == "__main__":
    sys.exit(run_measured(main))
