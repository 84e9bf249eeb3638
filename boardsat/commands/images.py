"""Build the container images that are missing or outdated, and list all images.

Examples:
    boardsat images
    boardsat images cadical kissat
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from boardsat.terminal.exit_codes import SUCCESS
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.adapters.runtimes.images import Image

EXIT_CODES = SUCCESS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="solvers whose images are built; default: all"
    )


def run(options: argparse.Namespace) -> int:
    from boardsat.adapters.runtimes import container, images

    rows: list[list[str]] = []
    try:
        for name in options.names or container.image_names():
            if not images.find(name) and sys.stderr.isatty():
                print(f"building {name} ...", file=sys.stderr)
            image = images.build(name)
            state = "built" if image.built else "unchanged"
            rows.append([image.name, image.tag, _version(image), f"{image.size / 1e6:.1f}", state])
    except KeyboardInterrupt:
        built = ", ".join(name for name, *_, state in rows if state == "built") or "no image"
        raise KeyboardInterrupt(f"{built} built; the same command continues") from None
    print(table(["name", "tag", "version", "MB", ""], rows))
    return 0


def _version(image: Image) -> str:
    """Return the version that the program prints, or that of the label if no solver uses it."""
    from boardsat.adapters import solvers
    from boardsat.adapters.runtimes import container

    loaded = (solvers.load(name) for name in solvers.names())
    solver = next((solver for solver in loaded if solver.image == image.name), None)
    return container.version(solver) if solver else image.version
