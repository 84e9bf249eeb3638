"""The installed version, read only when needed."""

from __future__ import annotations


def version() -> str:
    # It loads the readers of e-mail and archives, which no other command waits for.
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("boardsat")
    except PackageNotFoundError:
        return "unknown (run from its folder, not installed)"
