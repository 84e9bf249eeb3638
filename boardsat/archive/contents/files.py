"""The files of an archive: each is complete and on disk, or absent."""

from __future__ import annotations

import hashlib
import lzma
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from boardsat.adapters.dimacs.text import opened
from boardsat.generators.dimacs.output import write_file
from boardsat.generators.dimacs.text import Buffer

CAMPAIGN = "campaign.yaml"
CITATION = "CITATION.cff"
CRATE = "ro-crate-metadata.json"
DATABASE = "cnf_archive.db"
"""GBD takes the kind of benchmark from the beginning of the name."""
MANIFEST = "manifest-sha256.txt"
TABLE = "instances.csv"
DESCRIBING = (CAMPAIGN, CITATION, CRATE, DATABASE, MANIFEST, TABLE)
"""The files that speak of all instances."""

FORMULA, RECORD, MODEL, PROOF = ".cnf.xz", ".json", ".model.xz", ".drat.xz"
_BLOCK = 2**20


def write(path: Path, pieces: Iterable[Buffer]) -> None:
    """Put a file in place, compressed by its ending, and wait until the disk has it."""
    write_file(str(path), pieces)
    sync(path)


def sync(path: Path) -> None:
    """Wait until the disk has the file, and its name in the folder."""
    for place in (path, path.parent):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def sha256(path: Path) -> str:
    """Of a file as it stands on disk."""
    return digest(blocks(path))


def digest(pieces: Iterable[Buffer]) -> str:
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()


def plain_sha256(path: Path) -> str:
    """Of what a compressed formula holds; DimacsError where it cannot be read."""
    with opened(path) as text:
        return digest(text)


def unpack(path: Path, target: Path) -> None:
    """The plain text of an .xz file."""
    with lzma.open(path) as packed, target.open("wb") as file:
        while block := packed.read(_BLOCK):
            file.write(block)


def present(folder: Path) -> list[str]:
    """Everything below the folder, by its path in it; a folder only where nothing is in it."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir() or not any(path.iterdir())
    )


def remove_unfinished(folder: Path) -> None:
    """What a killed run left: files that had not got their names."""
    for path in folder.glob(".*.part"):
        path.unlink()
