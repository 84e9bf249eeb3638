"""clingo as a library: the program's own main, which prints what the program prints."""

from __future__ import annotations

import sys

from clingo.application import Application, clingo_main

if __name__ == "__main__":
    # As it comes: scripts inside programs would have to be enabled first.
    sys.exit(clingo_main(Application(), sys.argv[1:]))
