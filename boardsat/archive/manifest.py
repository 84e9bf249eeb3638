"""Manifest of an archive: the SHA-256 of every other file, in the format of `sha256sum -c`.

The manifest has one canonical form: sorted, without any redundancy. So a changed bit in the
manifest itself is detected as well: its parsed content is written again, and must be the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from boardsat.archive import storage
from boardsat.base.errors import InputError
from boardsat.base.json_data import MalformedError
from boardsat.campaign.runner.formula_cache import sha256

_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


class FileStatus(StrEnum):
    """Difference between a file and what the archive claims about it."""

    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    WRONG = "wrong"
    """The file is as it was created, but a claim about it is false."""
    UNCHECKED = "not checked"
    """A claim cannot be checked here."""


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
    names = [name for name in storage.file_names(folder) if name != storage.MANIFEST]
    return to_text({name: sha256(folder / name) for name in names})


def check_manifest_name(folder: Path) -> None:
    """Raise InputError for an archive of an earlier version, whose manifest has another name."""
    if storage.is_regular_file(folder / storage.OLD_MANIFEST) and not storage.is_regular_file(
        folder / storage.MANIFEST
    ):
        raise InputError(
            f"an earlier version has made this archive: it has {storage.OLD_MANIFEST} "
            f"and no {storage.MANIFEST}",
            f"renew it: `boardsat archive create {folder} CAMPAIGN.yaml`, with its own campaign",
            str(folder),
        )


def to_text(digests: dict[str, str]) -> bytes:
    """Return the manifest of files with these hashes."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def parse(text: bytes) -> dict[str, str]:
    """Return the hash of each file in a manifest; malformed lines are skipped."""
    lines = text.decode("utf-8", "replace").split("\n")
    matches = [match for line in lines if (match := _LINE.fullmatch(line))]
    return {match[2]: match[1] for match in matches}


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the manifest: a citation that detects any change of the archive."""
    return sha256(folder / storage.MANIFEST)


def differences(folder: Path) -> dict[str, FileStatus]:
    """Return the files that differ from the manifest: changed, missing or added."""
    try:
        text = storage.read(folder / storage.MANIFEST, storage.RECORD_BYTES)
    except MalformedError:
        return {storage.MANIFEST: FileStatus.CHANGED}
    digests = parse(text)
    statuses: dict[str, FileStatus] = {}
    names = {name for name in storage.file_names(folder) if name != storage.MANIFEST}
    for name in sorted({*digests, *names}):
        path = folder / name
        if name not in digests:
            statuses[name] = FileStatus.ADDED
        elif name not in names:
            statuses[name] = FileStatus.MISSING
        elif not storage.is_regular_file(path) or sha256(path) != digests[name]:
            statuses[name] = FileStatus.CHANGED
    if to_text(digests) != text:
        statuses[storage.MANIFEST] = FileStatus.CHANGED
    return statuses
