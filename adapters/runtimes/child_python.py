"""Child interpreters of Python that import nothing from the working directory.

`python -m` puts the working directory first on the import path: a file json.py in a folder of
benchmarks would be executed. The option `-P` prevents this in one interpreter, the variable
PYTHONSAFEPATH in its descendants too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

PYTHON = sys.executable
MODULE_PREFIX = (PYTHON, "-P", "-m")
SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"

_PACKAGE_PARENT = str(Path(__file__).absolute().parents[3])

# Python accepts any text as true. This one distinguishes our setting from the user's.
_VALUE = "boardsat"


def module_command(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command line that runs a module in a child interpreter."""
    return (*MODULE_PREFIX, module, *arguments)


def child_environment() -> dict[str, str]:
    """Return the environment of a child interpreter, with a safe path for its descendants."""
    environment = {**os.environ, SAFE_PATH_VARIABLE: os.environ.get(SAFE_PATH_VARIABLE) or _VALUE}
    # Without an installation this package may have been found in the working directory, or in the
    # folder of the main program, which comes first; the child has neither.
    if _PACKAGE_PARENT not in sys.path[1:]:
        search_path = (_PACKAGE_PARENT, environment.get("PYTHONPATH"))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, search_path))
    return environment


def program_environment() -> dict[str, str]:
    """Return the environment of a program, without the safe path of `child_environment`.

    A solver that is a Python script may import the modules in its own folder.
    """
    environment = dict(os.environ)
    if environment.get(SAFE_PATH_VARIABLE) == _VALUE:
        del environment[SAFE_PATH_VARIABLE]
    return environment


def shell_line() -> str:
    """Return the line of a job script that sets a safe import path for the following commands."""
    return f"export {SAFE_PATH_VARIABLE}=${{{SAFE_PATH_VARIABLE}:-{_VALUE}}}"
