"""Files named by other files: they must be in or below a folder, and of bounded size."""

from __future__ import annotations

import os
from pathlib import Path

from boardsat.base.errors import InputError


def resolve_inside(folder: Path, name: str, noun: str, owner: str = "campaign") -> Path:
    """Return the path of a file in or below the folder; raise InputError for any other path.

    A campaign may be from a stranger and its archive published, so it must not be able to copy
    other files of the user. `noun` and `owner` name the file and the referring file in errors.
    """
    path = folder / name
    try:
        target = Path(os.path.realpath(path))
        inside = target.is_relative_to(os.path.realpath(folder))
        fault = "" if not inside or target.is_file() else "no such file"
    except (OSError, ValueError):
        inside, fault = True, "not the name of a file"
    if not inside:
        raise InputError(
            f"the {noun} is outside the folder of the {owner}", "copy it into the folder", str(path)
        )
    if fault:
        raise InputError(f"cannot read the {noun}: {fault}", "give a readable file", str(path))
    return path


def read_text(
    path: Path, noun: str, max_bytes: int, place: str = "", encoding: str = "utf-8"
) -> str:
    """Return the text of a file of at most max_bytes; raise InputError if it cannot be read.

    `place` names the file in errors, if it is not to be named by its path.
    """
    place = place or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
        text = data.decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise InputError(
            f"cannot read the {noun}: {fault}", "give a readable file", place
        ) from None
    if len(data) > max_bytes:
        raise InputError(
            f"the {noun} has too many bytes", f"give at most {max_bytes:,} bytes", place
        )
    return text
