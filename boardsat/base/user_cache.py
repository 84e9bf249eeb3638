"""What is kept for this user between commands: small files, each whole or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from boardsat.base.files import replace_file


def folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "boardsat"


def content(name: str) -> bytes:
    """Of the file of this name; nothing where there is none."""
    try:
        return (folder() / name).read_bytes()
    except OSError:
        return b""


def keep(name: str, data: bytes) -> None:
    """Best effort: whatever is not kept is fetched or asked for again."""
    file = folder() / name
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, [data])
