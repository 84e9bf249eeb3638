"""A text file of bounded size: its text, or one line that says why there is none."""

from __future__ import annotations

from pathlib import Path

from boardsat.base.errors import InputError


def bounded_text(path: Path, what: str, most: int, place: str = "", encoding: str = "utf-8") -> str:
    """Of at most so many bytes; in an error it is called what it is."""
    place = place or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
        text = data.decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise InputError(
            f"cannot read the {what}: {fault}", "give a readable file", place
        ) from None
    if len(data) > most:
        raise InputError(f"too large for a {what}", f"the limit is {most:,} bytes", place)
    return text
