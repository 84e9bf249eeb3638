"""A file that another file names: in its folder or below it, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

from boardsat.base.errors import InputError


def beside(folder: Path, name: str, what: str, whose: str = "campaign") -> Path:
    """Where it is; a file from anybody, which may be given away again, shows no other ones."""
    path = folder / name
    try:
        place = Path(os.path.realpath(path))
        inside = place.is_relative_to(os.path.realpath(folder))
        fault = "" if not inside or place.is_file() else "no such file"
    except (OSError, ValueError):
        inside, fault = True, "not the name of a file"
    if not inside:
        raise InputError(
            f"a {what} outside the folder of the {whose}", "copy it into the folder", str(path)
        )
    if fault:
        raise InputError(f"cannot read the {what}: {fault}", "give a readable file", str(path))
    return path
