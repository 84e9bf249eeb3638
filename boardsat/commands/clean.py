"""Remove the containers and temporary folders that an earlier run left when it was killed.

Examples:
    boardsat clean
"""

from __future__ import annotations

import argparse

from boardsat.exit_codes import DONE

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(options: argparse.Namespace) -> int:
    from adapters.runtimes.container import remove_leftovers
    from adapters.scratch import remove_left_folders

    folders = remove_left_folders()
    print(f"removed: containers {remove_leftovers()}, folders {folders}")
    return 0
