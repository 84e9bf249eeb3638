"""Build the images of the solvers whose files have changed, and list all images.

Examples:
    boardsat images
    boardsat images cadical kissat
"""

from __future__ import annotations

import argparse
import sys

from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.table import table

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these; default: all")


def run(options: argparse.Namespace) -> int:
    from boardsat.adapters.runtimes import images

    rows = []
    for name in options.names or images.names():
        if not images.find(name) and sys.stderr.isatty():
            print(f"building {name} ...", file=sys.stderr)
        image = images.build(name)
        state = "built" if image.built else "unchanged"
        rows.append([image.name, image.tag, image.version, f"{image.size / 1e6:.1f}", state])
    print(table(["name", "tag", "version", "MB", ""], rows))
    return 0
