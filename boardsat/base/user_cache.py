"""Cache of the user: small files that are stored between commands, written atomically."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from boardsat.base.files import replace_file


def folder() -> Path:
    """Return the folder of the cache, which need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "boardsat"


def read(name: str) -> bytes:
    """Return the content of a cached file; empty if it does not exist."""
    try:
        return (folder() / name).read_bytes()
    except OSError:
        return b""


def store(name: str, content: bytes) -> None:
    """Store a file if possible: errors are ignored, as the content can be obtained again."""
    file = folder() / name
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, [content])
