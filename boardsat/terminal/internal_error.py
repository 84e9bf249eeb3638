"""An internal error: its traceback is saved in a file, and one line names the file."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Sequence

from boardsat.base.text import one_line


def saved(error: BaseException, words: Sequence[str]) -> str:
    """The line to print; the file has all that a report needs."""
    from boardsat.version import version

    kind = one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    trace = "".join(traceback.format_exception(error))
    about = f"boardsat {version()}, Python {sys.version}\narguments: {list(words)}\n\n{trace}"
    try:
        descriptor, name = tempfile.mkstemp(".txt", "boardsat-error-")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(about)
    except OSError:
        # Nowhere to write: whoever reads standard error gets all of it.
        return f"internal error: {kind}; this is a fault of boardsat, please report it:\n{about}"
    return f"internal error: {kind}; please report it with the traceback, saved in {name}"
