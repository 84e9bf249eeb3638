"""Remove leftovers of ended runs: containers, processes, temporary folders, wrong answers.

The formula and the proof of a wrong answer are kept in the folder of temporary files, as evidence
for a bug report; they are removed too.

Examples:
    boardsat clean
"""

from __future__ import annotations

import argparse

from boardsat.terminal.exit_codes import SUCCESS

EXIT_CODES = SUCCESS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no arguments."""


def run(options: argparse.Namespace) -> int:
    from boardsat.adapters.runtimes import descendants, engine
    from boardsat.adapters.runtimes.engine import remove_stale_containers
    from boardsat.base.scratch import remove_evidence, remove_stale_folders

    descendants.kill_stale_descendants()
    folders = remove_stale_folders()
    containers = (
        f"{remove_stale_containers()}" if engine.client() else f"0 ({engine.engine_fault()[0]})"
    )
    evidence = remove_evidence()
    print(f"removed: containers {containers}, folders {folders}, kept wrong answers {evidence}")
    return 0
