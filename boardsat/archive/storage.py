"""Files of an archive: their names, complete and durable writing, hashes, bounded reading."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from boardsat.adapters.dimacs.text import open_blocks
from boardsat.base.compression import QUICK, Buffer
from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.json_data import MalformedError
from boardsat.campaign.runner.artifacts import sync
from boardsat.generators.formats import CNF

CAMPAIGN = "campaign.yaml"
CITATION = "CITATION.cff"
CRATE = "ro-crate-metadata.json"
DATABASE = "cnf_archive.db"
"""GBD takes the kind of benchmark from the beginning of the name."""
LICENSE = "LICENSE.txt"
MANIFEST = "SHA256SUMS"
OLD_MANIFEST = "manifest-sha256.txt"
"""Name of the manifest in archives of earlier versions: one of BagIt, which they were not."""
PREVIEW = "ro-crate-preview.html"
README = "README.md"
TABLE = "instances.csv"
DESCRIBING = (CAMPAIGN, CITATION, CRATE, DATABASE, LICENSE, MANIFEST, PREVIEW, README, TABLE)
"""The files that speak of all instances."""

FORMULA, RECORD, MODEL, PROOF = f".{CNF}.xz", ".json", ".model.xz", ".drat.xz"
RESULTS = ".results.part"
"""What solvers have said, until the archive is finished."""
RECORD_BYTES = 2**24
"""Of a record or a manifest, at most: JSON takes up to twenty times as much in memory."""


def formula_name(instance: str, form: str | None) -> str:
    """The file of a formula, by the format that it has; None for CNF."""
    return instance + (f".{form}.xz" if form else FORMULA)


def write(path: Path, pieces: Iterable[Buffer], effort: str = QUICK) -> None:
    """Put a file in place, compressed by its ending, and wait until the disk has it."""
    write_file(str(path), pieces, effort=effort)
    sync(path)


def holds(path: Path, pieces: Iterable[Buffer]) -> bool:
    """Whether a compressed file has exactly this text; DimacsError where it cannot be read.

    It ends at the first difference, for a small file can unpack to anything.
    """
    with open_blocks(path) as text:
        block, at = b"", 0
        for piece in pieces:
            left = memoryview(piece)
            while left:
                if at == len(block):
                    block, at = next(text, b""), 0
                size = min(len(left), len(block) - at)
                if not size or block[at : at + size] != left[:size]:
                    return False
                left, at = left[size:], at + size
        return at == len(block) and not next(text, b"")


def unpacked(path: Path, most: int) -> Iterator[bytes]:
    """The text of a compressed file, and no more of it than there may be; or a MalformedError."""
    with open_blocks(path) as blocks:
        for block in blocks:
            most -= len(block)
            if most < 0:
                raise MalformedError("it unpacks to more than it can be")
            yield block


def is_own(path: Path) -> bool:
    """Whether it is a file of its folder: no link that leads elsewhere, no pipe, no folder."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read(path: Path, most: int) -> bytes:
    """A file of an archive that should not be large; MalformedError where it is not such a one."""
    if not is_own(path):
        raise MalformedError("it is a link, or no file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise MalformedError(f"it has more than {most:,} bytes")
    return data


def present(folder: Path) -> list[str]:
    """Everything in the folder; an archive has no folders in it, so nobody looks into one."""
    return sorted(path.name for path in folder.iterdir())


def check_no_links(folder: Path) -> None:
    """Before anything is written in a folder: whatever has that name could be elsewhere."""
    for name in present(folder):
        if not is_own(folder / name):
            raise InputError("a link or a folder", "remove it, and continue", str(folder / name))


def remove_unfinished(folder: Path, but: Set[str] = frozenset()) -> None:
    """What a killed run left: files that had not got their names, but those that are needed."""
    for path in folder.glob(".*.part"):
        if path.name not in but:
            path.unlink()
