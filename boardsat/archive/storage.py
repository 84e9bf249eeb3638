"""Files of an archive: names, durable writing, bounded reading, and the manifest of their hashes.

The manifest has the SHA-256 of every other file, in the format of `sha256sum -c`. It has one
canonical form: sorted, without any redundancy. So a changed bit in the manifest itself is detected
as well: the parsed content is serialized again, and must be equal to the file.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import stat
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from boardsat.adapters.dimacs.text import open_blocks
from boardsat.base.compression import QUICK, Buffer
from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.json_data import MalformedError
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.store import sync
from boardsat.generators.formats import CNF

CAMPAIGN = "campaign.yaml"
CITATION = "CITATION.cff"
CRATE = "ro-crate-metadata.json"
DATABASE = "cnf_archive.db"
"""Name of the GBD database. GBD reads the kind of benchmark from the part before the underscore."""
LICENSE = "LICENSE.txt"
MANIFEST = "SHA256SUMS"
OLD_MANIFEST = "manifest-sha256.txt"
"""Name of the manifest in archives of earlier versions. It is the name that BagIt prescribes."""
PREVIEW = "ro-crate-preview.html"
README = "README.md"
TABLE = "instances.csv"
SHARED_FILES = (CAMPAIGN, CITATION, CRATE, DATABASE, LICENSE, MANIFEST, PREVIEW, README, TABLE)
"""Names of the files that describe all instances."""

FORMULA, RECORD, MODEL, PROOF = f".{CNF}.xz", ".json", ".model.xz", ".drat.xz"
RESULTS = ".results.part"
"""Name of the result store while the archive is being created."""
RECORD_BYTES = 2**24
"""Maximum size of a record or a manifest: JSON takes up to twenty times as much memory."""

_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


def formula_name(instance: str, format_name: str | None) -> str:
    """Return the name of a formula file; a format of None is CNF."""
    return instance + (f".{format_name}.xz" if format_name else FORMULA)


def write(path: Path, pieces: Iterable[Buffer], effort: str = QUICK) -> None:
    """Write a file completely or not at all, and wait until it is on the disk.

    The extension determines the compression.
    """
    write_file(str(path), pieces, effort=effort)
    sync(path)


def has_text(path: Path, sha256: str, size: int) -> bool:
    """Return whether the text of a compressed file has this hash and size in bytes.

    Unpacking stops at the size, because a small file can unpack to any size. Raise DimacsError if
    the file cannot be unpacked.
    """
    text_hash = hashlib.sha256()
    try:
        for block in decompressed_blocks(path, size):
            text_hash.update(block)
    except MalformedError:
        return False
    return text_hash.hexdigest() == sha256


def decompressed_blocks(path: Path, max_bytes: int) -> Iterator[bytes]:
    """Yield the text of a compressed file; raise MalformedError if it exceeds max_bytes."""
    with open_blocks(path) as blocks:
        for block in blocks:
            max_bytes -= len(block)
            if max_bytes < 0:
                raise MalformedError("its text is longer than any that fits the formula")
            yield block


def is_regular_file(path: Path) -> bool:
    """Return whether the path is a file: not a link, a pipe or a folder."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read(path: Path, max_bytes: int) -> bytes:
    """Return the content of a small file; raise MalformedError if it is not a file or too large."""
    if not is_regular_file(path):
        raise MalformedError("it is a link or not a file")
    with path.open("rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise MalformedError(f"it has more than {max_bytes:,} bytes")
    return content


def file_names(folder: Path) -> list[str]:
    """Return the sorted names of everything in the folder. An archive has no subfolders."""
    return sorted(path.name for path in folder.iterdir())


def check_no_links(folder: Path) -> None:
    """Raise InputError if a folder has a link or a subfolder: writing could change others."""
    for name in file_names(folder):
        if not is_regular_file(folder / name):
            fault = "an entry of the folder must be a file (got a link or a folder)"
            raise InputError(fault, "remove it", str(folder / name))


def remove_unfinished(folder: Path, kept_names: Set[str] = frozenset()) -> None:
    """Remove the unfinished files of a killed run, except those with the given names."""
    for path in folder.glob(".*.part"):
        if path.name not in kept_names:
            path.unlink()


class FileStatus(StrEnum):
    """Difference between a file and what the archive claims about it."""

    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    WRONG = "wrong"
    """Unchanged file about which the archive makes a false claim."""
    UNCHECKED = "not checked"
    """File with a claim that cannot be checked on this machine."""


@dataclass(frozen=True)
class Finding:
    """File that failed verification or could not be verified."""

    file: str
    status: FileStatus
    reason: str = ""
    """Reason for people; empty if the status is the reason."""

    @property
    def is_error(self) -> bool:
        return self.status is not FileStatus.UNCHECKED


def manifest(folder: Path) -> bytes:
    """Return the manifest of the files that are in the folder now."""
    names = [name for name in file_names(folder) if name != MANIFEST]
    return manifest_text({name: sha256(folder / name) for name in names})


def check_manifest_name(folder: Path) -> None:
    """Raise InputError for an archive of an earlier version, whose manifest has another name."""
    if is_regular_file(folder / OLD_MANIFEST) and not is_regular_file(folder / MANIFEST):
        raise InputError(
            f"the manifest must be {MANIFEST} (got {OLD_MANIFEST}, of an earlier version)",
            "create the archive again from its campaign: "
            f"`boardsat archive create {shlex.quote(str(folder))} CAMPAIGN.yaml`",
            str(folder),
        )


def manifest_text(digests: dict[str, str]) -> bytes:
    """Return the manifest of files with these hashes."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def parse_manifest(text: bytes) -> dict[str, str]:
    """Return the hash of each file in a manifest; malformed lines are skipped."""
    lines = text.decode("utf-8", "replace").split("\n")
    matches = [match for line in lines if (match := _LINE.fullmatch(line))]
    return {match[2]: match[1] for match in matches}


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the manifest: a citation that detects any change of the archive."""
    return sha256(folder / MANIFEST)


def differences(folder: Path) -> dict[str, FileStatus]:
    """Return the files that differ from the manifest: changed, missing or added."""
    try:
        text = read(folder / MANIFEST, RECORD_BYTES)
    except MalformedError:
        return {MANIFEST: FileStatus.CHANGED}
    digests = parse_manifest(text)
    statuses: dict[str, FileStatus] = {}
    names = {name for name in file_names(folder) if name != MANIFEST}
    for name in sorted({*digests, *names}):
        path = folder / name
        if name not in digests:
            statuses[name] = FileStatus.ADDED
        elif name not in names:
            statuses[name] = FileStatus.MISSING
        elif not is_regular_file(path) or sha256(path) != digests[name]:
            statuses[name] = FileStatus.CHANGED
    if manifest_text(digests) != text:
        statuses[MANIFEST] = FileStatus.CHANGED
    return statuses
