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
    from boardsat.adapters.views.solution import Solution
    from boardsat.instance.formula_file import Instance

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".ps", ".eps")
_PAGES = (".htm", ".html", ".xhtml")
_OTHERS = (".clrat", ".lpr", ".frat", ".grat", ".rup", ".pbp", ".veripb", ".tc", ".alethe")
_PROOFS = (".drat", ".lrat", *_OTHERS)
_FORMULAS = (".cnf", ".dimacs", ".lp", ".wcnf", ".opb")
_COMPRESSED = (*SUFFIXES, ".bz2", ".zip")

WRITES = {
    "svg": ("SVG", (*_PICTURES, *_PAGES, *_FORMULAS, *_PROOFS, *_COMPRESSED)),
    "html": ("HTML", (*_PICTURES, ".svg", *_FORMULAS, *_PROOFS, *_COMPRESSED)),
    "parquet": ("Parquet", (*_PICTURES, ".svg", *_PAGES, *_FORMULAS, *_COMPRESSED, ".csv")),
    "proof_file": (
        "a DRAT or LRAT proof",
        (*_OTHERS, *_FORMULAS, *_PICTURES, ".svg", *_PAGES, ".bz2", ".zip"),
    ),
    "output": ("the file", (*_PICTURES, ".svg", *_PAGES, *_PROOFS)),
}
"""Content that each option writes, and suffixes of other file types."""


def check_targets(options: argparse.Namespace, folders: bool = False) -> None:
    """Raise InputError if a target cannot be written, or its suffix names another file type.

    With `folders`, -o may name a folder for files that are named after their instances.
    """
    inputs = [*_inputs(options)]
    for name, (what, others) in WRITES.items():
        target = getattr(options, name, None)
        if target is None:
            continue
        option = "-o" if name == "output" else f"--{name.replace('_', '-')}"
        if not target:
            raise InputError("no file is named", "give its name, or leave the option out", option)
        named = split_compression(target.lower())[0] if name == "proof_file" else target.lower()
        ending = next((e for e in others if named.endswith(e)), None)
        if ending is not None:
            raise InputError(
                f"{option} writes {what}, and {ending} names something else",
                "give a name with another ending",
                target,
            )
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
    for word in getattr(options, "set", ()):
        yield word.partition("=")[2].removeprefix("@")
    if "filed" in options:
        yield options.filed.path
        yield from options.filed.settings.values()


def _same_file(one: str, other: str) -> bool:
    """Return whether two paths name one regular file; a device or a pipe is not replaced."""
    try:
        # Unlike methods of Path, these accept words that cannot be the name of a file.
        return os.path.isfile(one) and os.path.samefile(one, other)  # noqa: PTH113, PTH121
    except (OSError, ValueError):
        return False


@contextmanager
def add_interrupt_note(kept: Path, note: str) -> Iterator[None]:
    """Replace the message of an interrupt by a note if the path of what is kept exists."""
    try:
        yield
    except KeyboardInterrupt:
        if not kept.exists():
            raise
        raise KeyboardInterrupt(note) from None


def tell_no_proof(target: str, status: Status) -> None:
    """Print why no proof is kept."""
    from boardsat.adapters.answer import Status

    why = {
        Status.SATISFIABLE: "the formula is satisfiable",
        Status.UNKNOWN: "there is no answer yet",
    }
    if status in why:
        print(f"boardsat: {target}: no proof: {why[status]}", file=sys.stderr)


def write(target: str, text: str) -> None:
    """Write a text file, complete or not at all."""
    from boardsat.base.files import write_file

    # Names of files need not be UTF-8, and JSON may have half a character.
    write_file(target, [text.encode(errors="replace")])


def draw(target: str, solution: Solution | None, status: Status, instance: Instance) -> None:
    """Draw a solution to a file; print why if there is none."""
    if solution is None:
        from boardsat.workflows.solve.result import no_picture_reason

        why = no_picture_reason(status, instance)
        print(f"boardsat: {target}: no picture is written: {why}", file=sys.stderr)
        return
    from boardsat.adapters.rendering.svg import svg

    write(target, svg(solution, instance.header.closed))
