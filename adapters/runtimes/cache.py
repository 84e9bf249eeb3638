"""What is kept for this user between commands: small files, each whole or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


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
    # Named by the process, then renamed: another one never sees half a file.
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
