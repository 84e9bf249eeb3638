"""The manifest: the SHA-256 of every other file, as `sha256sum -c` reads it.

It has one form only, sorted and without anything to spare, so that a flipped bit in itself shows as
well: what it says of the files is written again, and must be the same bytes.
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


class Trouble(StrEnum):
    """What is the matter with a file."""

    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    WRONG = "wrong"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """What is the matter with a file, and why."""

    file: str
    word: Trouble
    reason: str = ""

    @property
    def bad(self) -> bool:
        return self.word is not Trouble.UNCHECKED


def manifest(folder: Path) -> bytes:
    """Of the files that stand in the folder now."""
    names = [name for name in storage.present(folder) if name != storage.MANIFEST]
    return text({name: sha256(folder / name) for name in names})


def check_manifest_name(folder: Path) -> None:
    """Raise InputError for an archive of an earlier version, whose manifest has another name."""
    if storage.is_own(folder / storage.OLD_MANIFEST) and not storage.is_own(
        folder / storage.MANIFEST
    ):
        raise InputError(
            f"an archive of an earlier version, with {storage.OLD_MANIFEST} "
            f"and no {storage.MANIFEST}",
            f"renew it: `boardsat archive create {folder} CAMPAIGN.yaml`, with its own campaign",
            str(folder),
        )


def text(digests: dict[str, str]) -> bytes:
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def read(data: bytes) -> dict[str, str]:
    """What a manifest says, as far as its lines make sense."""
    lines = data.decode("utf-8", "replace").split("\n")
    found = [match for line in lines if (match := _LINE.fullmatch(line))]
    return {match[2]: match[1] for match in found}


def fingerprint(folder: Path) -> str:
    """One number for the whole archive: cite it, and nobody can change anything unseen."""
    return sha256(folder / storage.MANIFEST)


def differences(folder: Path) -> dict[str, Trouble]:
    """Every file that is not as the manifest says, and how: changed, missing or added."""
    try:
        data = storage.read(folder / storage.MANIFEST, storage.RECORD_BYTES)
    except MalformedError:
        return {storage.MANIFEST: Trouble.CHANGED}
    said = read(data)
    found: dict[str, Trouble] = {}
    here = [name for name in storage.present(folder) if name != storage.MANIFEST]
    for name in sorted({*said, *here}):
        path = folder / name
        if name not in said:
            found[name] = Trouble.ADDED
        elif name not in here:
            found[name] = Trouble.MISSING
        elif not storage.is_own(path) or sha256(path) != said[name]:
            found[name] = Trouble.CHANGED
    if text(said) != data:
        found[storage.MANIFEST] = Trouble.CHANGED
    return found
