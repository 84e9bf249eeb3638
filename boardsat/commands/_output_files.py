"""Output files of commands: checked before the work, written after it.

The work may take hours, and a mistyped folder must not lose it. So a file that cannot be written is
rejected first, and later errors are reported after the answer.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.compression import SUFFIXES, split_compression
from boardsat.base.errors import InputError
from boardsat.instance.file_types import PROGRAM_SUFFIX, SPEC_SUFFIXES, is_formula_file_name

if TYPE_CHECKING:
    from boardsat.adapters.answer import Status
    from boardsat.adapters.views import Solution
    from boardsat.instance.formula_file import Instance

_PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".ps", ".eps")
_PAGE_SUFFIXES = (".htm", ".html", ".xhtml")
_OTHER_PROOF_SUFFIXES = (
    ".clrat",
    ".lpr",
    ".frat",
    ".grat",
    ".rup",
    ".pbp",
    ".veripb",
    ".tc",
    ".alethe",
)
_PROOF_SUFFIXES = (".drat", ".lrat", *_OTHER_PROOF_SUFFIXES)
_FORMULA_SUFFIXES = (".cnf", ".dimacs", ".lp", ".wcnf", ".opb")
_COMPRESSION_SUFFIXES = (*SUFFIXES, ".bz2", ".zip")

OUTPUT_OPTIONS = {
    "svg": (
        "SVG",
        (
            *_PICTURE_SUFFIXES,
            *_PAGE_SUFFIXES,
            *_FORMULA_SUFFIXES,
            *_PROOF_SUFFIXES,
            *_COMPRESSION_SUFFIXES,
        ),
    ),
    "html": (
        "HTML",
        (*_PICTURE_SUFFIXES, ".svg", *_FORMULA_SUFFIXES, *_PROOF_SUFFIXES, *_COMPRESSION_SUFFIXES),
    ),
    "parquet": (
        "Parquet",
        (
            *_PICTURE_SUFFIXES,
            ".svg",
            *_PAGE_SUFFIXES,
            *_FORMULA_SUFFIXES,
            *_COMPRESSION_SUFFIXES,
            ".csv",
        ),
    ),
    "proof_file": (
        "a DRAT or LRAT proof",
        (
            *_OTHER_PROOF_SUFFIXES,
            *_FORMULA_SUFFIXES,
            *_PICTURE_SUFFIXES,
            ".svg",
            *_PAGE_SUFFIXES,
            ".bz2",
            ".zip",
        ),
    ),
    "output": ("the file", (*_PICTURE_SUFFIXES, ".svg", *_PAGE_SUFFIXES, *_PROOF_SUFFIXES)),
}
"""Options that name an output file: its content, and suffixes of other file types."""


def check_targets(options: argparse.Namespace, folders: bool = False) -> None:
    """Raise InputError if a target cannot be written, or its suffix names another file type.

    With `folders`, -o may name a folder for files that are named after their instances.
    """
    inputs = [*_inputs(options)]
    for name, (content, other_suffixes) in OUTPUT_OPTIONS.items():
        target = getattr(options, name, None)
        if target is None:
            continue
        option = "-o" if name == "output" else f"--{name.replace('_', '-')}"
        if not target:
            raise InputError("the name of the file is empty", "", option)
        base = split_compression(target.lower())[0] if name == "proof_file" else target.lower()
        if suffix := next(filter(base.endswith, other_suffixes), ""):
            fault = f"{option} writes {content}, but {suffix} is the suffix of another file type"
            raise InputError(fault, "change the suffix", target)
        from boardsat.base import files

        if name == "output" and folders and files.is_folder_target(target):
            files.check_folder(target)
        else:
            files.check_target(target)
        if any(_same_file(path, target) for path in inputs):
            fault = f"{option} would replace a file that the command reads"
            raise InputError(fault, "give another name", target)


def _inputs(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files that a command reads."""
    problem = getattr(options, "problem", None) or ""
    if problem.endswith((*SPEC_SUFFIXES, PROGRAM_SUFFIX)) or is_formula_file_name(problem):
        yield problem
    for name in ("file", "answer", "campaign"):
        yield getattr(options, name, "")
    for setting in getattr(options, "set", ()):
        yield setting.partition("=")[2].removeprefix("@")
    if "filed" in options:
        yield options.filed.path
        yield from options.filed.settings.values()


def _same_file(path: str, other_path: str) -> bool:
    """Return whether two paths name one regular file; a device or a pipe is not replaced."""
    try:
        # Unlike methods of Path, these accept texts that cannot be the name of a file.
        return os.path.isfile(path) and os.path.samefile(path, other_path)  # noqa: PTH113, PTH121
    except (OSError, ValueError):
        return False


@contextmanager
def add_interrupt_note(stored: Path, note: str) -> Iterator[None]:
    """Use the note as the message of KeyboardInterrupt if the stored results exist."""
    try:
        yield
    except KeyboardInterrupt:
        if not stored.exists():
            raise
        raise KeyboardInterrupt(note) from None


def note_missing_proof(target: str, status: Status) -> None:
    """Print to standard error why there is no proof, if the status is SATISFIABLE or UNKNOWN."""
    from boardsat.adapters.answer import Status

    reasons = {
        Status.SATISFIABLE: "the formula is satisfiable",
        Status.UNKNOWN: "there is no answer yet",
    }
    if status in reasons:
        print(f"boardsat: {target}: no proof: {reasons[status]}", file=sys.stderr)


def write(target: str, text: str) -> None:
    """Write a text file atomically."""
    from boardsat.base.files import write_file

    # Names of files need not be UTF-8, and JSON may have half a character.
    write_file(target, [text.encode(errors="replace")])


def draw(target: str, solution: Solution | None, status: Status, instance: Instance) -> None:
    """Draw a solution to a file, or print to standard error why a status has no solution."""
    if solution is None:
        from boardsat.workflows.solve.result import no_picture_reason

        reason = no_picture_reason(status, instance)
        print(f"boardsat: {target}: no picture is written: {reason}", file=sys.stderr)
        return
    from boardsat.adapters.rendering.svg import solution_to_svg

    write(target, solution_to_svg(solution, instance.header.closed))
