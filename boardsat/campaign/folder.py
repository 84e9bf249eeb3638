"""Folder of the results of a campaign: its files and the version of its format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.json_data import MalformedError, parse_object
from boardsat.base.locks import create_locked_folder
from boardsat.base.text import pluralize
from boardsat.campaign.instances import Instances
from boardsat.campaign.runner.store import Store

FORMAT = 3
"""Version of the folder. 2: records name the definition of their limits; 3: headers of format 2."""
CAMPAIGN_FILE = "campaign.json"
"""Name of the file with the format and the text of the campaign."""
MAX_CAMPAIGN_FILE_BYTES = 2**24
MAX_JSON_DEPTH = 6


@contextmanager
def open_results(folder: Path, campaign: str) -> Iterator[tuple[Instances, Store]]:
    """Open a new folder, or one with results, for writing by this process only.

    `campaign` is the text of the campaign file, which is stored in the folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("the results must be in a folder", "give another name", str(folder))
    with create_locked_folder(folder):
        if not has_results(folder) and any(folder.iterdir()):
            raise InputError(
                "the folder is neither empty nor has results of a campaign",
                "give another folder",
                str(folder),
            )
        entries = json.dumps({"format": FORMAT, "campaign": campaign})
        write_file(str(folder / CAMPAIGN_FILE), [entries.encode() + b"\n"])
        yield Instances(folder), Store(folder)


def read_results(folder: Path) -> tuple[Instances, Store]:
    """Return the results of a folder, to which another process may append meanwhile."""
    if not has_results(folder):
        raise InputError(
            "the folder has no results of a campaign", "make them with `boardsat run`", str(folder)
        )
    return Instances(folder), Store(folder)


def read_stored_results(folder: Path) -> tuple[Instances, Store]:
    """Return the results of a folder, which may be missing or empty; nothing is written to it."""
    has_results(folder)  # raises InputError for another format
    return Instances(folder, frozen=True), Store(folder)


def outdated_note(store: Store) -> str:
    """Return a clause about records that are ignored; empty if there are none."""
    if not store.outdated:
        return ""
    return (
        f"{pluralize(store.outdated, 'record')} of an earlier boardsat ignored: its limits and "
        "times were not those of the solver alone"
    )


def has_results(folder: Path) -> bool:
    """Return whether a folder has results; raise InputError if they have another format."""
    return _campaign_entries(folder) is not None


def campaign_text(folder: Path) -> str:
    """Return the text of the campaign that was run last. Empty if there is none."""
    text = (_campaign_entries(folder) or {}).get("campaign")
    return text if isinstance(text, str) else ""


def _campaign_entries(folder: Path) -> dict[str, Any] | None:
    path = folder / CAMPAIGN_FILE
    if not path.is_file() or path.is_symlink():
        return None
    with path.open("rb") as file:
        text = file.read(MAX_CAMPAIGN_FILE_BYTES)
    try:
        entries = parse_object(text.decode(), MAX_JSON_DEPTH)
    except (MalformedError, UnicodeDecodeError):
        entries = {}
    folder_format = entries.get("format")
    if not isinstance(folder_format, int):
        raise InputError("the file is damaged", "restore or remove it", str(path))
    if folder_format < FORMAT:
        raise InputError(
            f"the results are of an earlier boardsat (format {folder_format}, not {FORMAT})",
            "run the campaign again in another folder",
            str(folder),
        )
    if folder_format > FORMAT:
        raise InputError(
            f"the results are of a newer boardsat (format {folder_format}, not {FORMAT})",
            "use that version",
            str(folder),
        )
    return entries
