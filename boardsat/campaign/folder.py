"""Folder of the results of a campaign: its content and the version of its format."""

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
ABOUT = "campaign.json"
MAX_BYTES = 2**24
MAX_DEPTH = 6


@contextmanager
def opened(folder: Path, campaign: str) -> Iterator[tuple[Instances, Store]]:
    """To add to it; it is for one command at a time. `campaign` is the text of the file."""
    if folder.exists() and not folder.is_dir():
        raise InputError("not a folder", "give another name", str(folder))
    with create_locked_folder(folder):
        if not is_results(folder) and any(folder.iterdir()):
            raise InputError(
                "neither empty nor results of a campaign", "give another folder", str(folder)
            )
        about = json.dumps({"format": FORMAT, "campaign": campaign})
        write_file(str(folder / ABOUT), [about.encode() + b"\n"])
        yield Instances(folder), Store(folder)


def read(folder: Path) -> tuple[Instances, Store]:
    """To look at it, while others may add to it."""
    if not is_results(folder):
        raise InputError("no results of a campaign", "make them with `boardsat run`", str(folder))
    return Instances(folder), Store(folder)


def known(folder: Path) -> tuple[Instances, Store]:
    """What is there already, to plan with; nothing is written."""
    is_results(folder)
    return Instances(folder, frozen=True), Store(folder)


def outdated_note(store: Store) -> str:
    """Return a clause about records that are ignored; empty if there are none."""
    if not store.outdated:
        return ""
    return (
        f"{pluralize(store.outdated, 'record')} of an earlier boardsat ignored: its limits and "
        "times were not those of the solver alone"
    )


def is_results(folder: Path) -> bool:
    """Whether a folder has results; those of a newer version are an error, and stay as they are."""
    return _about(folder) is not None


def campaign_in(folder: Path) -> str:
    """The text of the campaign that was run last."""
    text = (_about(folder) or {}).get("campaign")
    return text if isinstance(text, str) else ""


def _about(folder: Path) -> dict[str, Any] | None:
    path = folder / ABOUT
    if not path.is_file() or path.is_symlink():
        return None
    with path.open("rb") as file:
        text = file.read(MAX_BYTES)
    try:
        about = parse_object(text.decode(), MAX_DEPTH)
    except (MalformedError, UnicodeDecodeError):
        about = {}
    found = about.get("format")
    if not isinstance(found, int):
        raise InputError("not as boardsat wrote it", "restore or remove it", str(path))
    if found < FORMAT:
        raise InputError(
            f"results of an earlier boardsat (format {found}, this one reads {FORMAT})",
            "run the campaign again in another folder",
            str(folder),
        )
    if found > FORMAT:
        raise InputError(
            f"results of a newer boardsat (format {found}, this one knows {FORMAT})",
            "use that one",
            str(folder),
        )
    return about
