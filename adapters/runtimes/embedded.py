"""Solvers that are Python libraries, each run in a child process that can be limited and killed."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from functools import cache
from pathlib import Path

from boardsat.adapters.runtimes import Outcome, Task, child_python, native
from boardsat.adapters.runtimes.versions import UNKNOWN
from boardsat.adapters.solver_meter import SolverMeter
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.command_templates import SAMPLE_VARIABLES
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base.text import suggest

WORKERS = "boardsat.adapters.workers"
SAMPLERS = "boardsat.adapters.samplers"
OURS, DEVELOPERS = "boardsat", ("dev", "bench")
"""Our own package, and those of its extras that are not for users."""

OWN = ("program", "library")
"""The words that a solver file gives itself."""

OF_PYTHON_SAT = ("pysat", "preprocessed", "enumeration", "rc2")
"""The workers whose first word is one of its libraries."""

_ABOUT = re.compile(r"([^-]+)-([^-]+)\.dist-info")
"""The name of such a folder: the package, and its version."""

INCREMENTAL = "boardsat.adapters.lazy_cuts.incremental_solver"
"""Not one of them, as all that stands above them would take longer to import than it to run."""


def unavailable_reason(solver: Solver) -> str | None:
    if RuntimeName.EMBEDDED not in solver.runtimes:
        return "not embedded"
    if version_of(solver.package) is None:
        return f"{solver.package} not installed"
    if library := _missing_library(solver):
        return f"no library {library!r} in {solver.package}"
    return None


def _missing_library(solver: Solver) -> str | None:
    """The library that a solver file names for a worker of python-sat, if it has no such one."""
    others = {word: value for word, value in SAMPLE_VARIABLES.items() if word not in OWN}
    worker, library, *_ = (*solver.embedded_line(**others), "", "")
    if worker not in OF_PYTHON_SAT:
        return None
    return None if not (known := _names_of_python_sat()) or library in known else library


@cache
def _names_of_python_sat() -> frozenset[str]:
    """All names of its libraries, from its text: importing it takes longer than a small solve."""
    found = importlib.util.find_spec("pysat")
    folders = found.submodule_search_locations if found else None
    text = Path(folders[0], "solvers.py").read_text("utf-8") if folders else ""
    listed = text.partition("class SolverNames")[2].partition("\nclass ")[0]
    return frozenset(re.findall(r"'([\w-]+)'", listed))


def remedy(solver: Solver) -> str:
    """Packages that not everybody needs are extras of ours, in versions that were tried."""
    if unavailable_reason(solver) and (library := _missing_library(solver)):
        # Each has a long name and several short ones.
        return suggest(library, {name for name in _names_of_python_sat() if len(name) > 5})
    return f"pip install {_extra_with(solver.package) or solver.package}"


def _extra_with(package: str) -> str | None:
    import importlib.metadata

    try:
        needed = importlib.metadata.requires(OURS) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for line in needed:
        found = re.fullmatch(r"([\w.-]+)[^;]*; *extra *== *[\"']([\w-]+)[\"']", line)
        if found and found[1] == package and found[2] not in DEVELOPERS:
            return f"'{OURS}[{found[2]}]'"
    return None


def version(solver: Solver) -> str:
    """Return the version of the library, and everything else that has a part in the answer."""
    also = f" with {solver.additions}" if solver.additions else ""
    return _library_version(solver) + also


def _library_version(solver: Solver) -> str:
    """Its own, and what it comes with, so that the two together name nothing twice."""
    number = version_of(solver.package) or UNKNOWN
    if solver.package == solver.name:
        return number
    library = solver.library.name if solver.library else ""
    if not library:
        # pyganak is ganak for Python, and has its versions.
        is_its_own = solver.package.endswith(solver.name)
        return f"{number} ({solver.package})" if is_its_own else f"of {solver.package} {number}"
    # Python-sat names its solvers cadical195, minisat22, lingeling.
    name = library.rstrip("0123456789")
    own = ".".join(library[len(name) :])
    words = own if solver.name.startswith(name) else f"with {name} {own}".rstrip()
    return f"{words} ({solver.package} {number})".lstrip()


@cache
def version_of(package: str) -> str | None:
    """The version of a package; None where it is not installed.

    The folder that pip writes about it has it in its name. What stands in there tells the same, but
    to read it loads the readers of e-mail, which take as long as solving a small formula.
    """
    wanted = _plain(package)
    for folder in sys.path:
        for name in _names(folder):
            found = _ABOUT.fullmatch(name)
            if found and _plain(found[1]) == wanted:
                return found[2]
    return _told(package)


def _told(package: str) -> str | None:
    """Of one that was installed in another way."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _plain(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")  # noqa: PTH208
    except OSError:
        return []


def run(solver: Solver, task: Task) -> Outcome:
    words = task.template_variables(str(Path(task.file).resolve()), None)
    if task.cuts:
        module, arguments = INCREMENTAL, [*solver.incremental_line(**words)]
    elif task.samples:
        sampler, *arguments = solver.sampling_line(**words)
        module = f"{SAMPLERS}.{sampler}"
    else:
        worker, *arguments = solver.embedded_line(**words)
        module = f"{WORKERS}.{worker}"
    command = child_python.module_command(module, *arguments)
    with SolverMeter() as meter:
        return native.run_command(command, task, child_python.child_environment(), meter)
