"""Embedded runtime: Python libraries in child processes, which can be limited and killed."""

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
INCREMENTAL_SOLVER = "boardsat.adapters.lazy_cuts.incremental_solver"
# Not in WORKERS: importing the package of a worker would take longer than a small solve.

PACKAGE, DEVELOPMENT_EXTRAS = "boardsat", ("dev", "bench")
"""Name of this package, and its extras for development only."""

SOLVER_VARIABLES = ("program", "library")
"""Template variables whose values come from the solver file, not from the task."""

PYTHON_SAT_WORKERS = ("pysat", "preprocessed", "enumeration", "rc2")
"""Workers whose first argument is a solver of python-sat."""

_METADATA_FOLDER = re.compile(r"([^-]+)-([^-]+)\.dist-info")
"""Name of the metadata folder of an installed package: name and version of the package."""


def unavailable_reason(solver: Solver) -> str | None:
    """Return the reason why the library cannot run here. None if it can."""
    if RuntimeName.EMBEDDED not in solver.runtimes:
        return "not embedded"
    if package_version(solver.package) is None:
        return f"{solver.package} not installed"
    if library := _missing_library(solver):
        return f"no library {library!r} in {solver.package}"
    return None


def _missing_library(solver: Solver) -> str | None:
    """Return the solver of python-sat that a solver file names but the package lacks, or None."""
    variables = dict(SAMPLE_VARIABLES)
    for name in SOLVER_VARIABLES:
        del variables[name]
    worker, library, *_ = (*solver.embedded_line(**variables), "", "")
    if worker not in PYTHON_SAT_WORKERS:
        return None
    names = _python_sat_names()
    return library if names and library not in names else None


@cache
def _python_sat_names() -> frozenset[str]:
    """Return the names of the solvers of python-sat; empty without the package.

    They are read from the source text: importing the package takes longer than a small solve.
    """
    spec = importlib.util.find_spec("pysat")
    folders = spec.submodule_search_locations if spec else None
    text = Path(folders[0], "solvers.py").read_text("utf-8") if folders else ""
    definition = text.partition("class SolverNames")[2].partition("\nclass ")[0]
    return frozenset(re.findall(r"'([\w-]+)'", definition))


def remedy(solver: Solver) -> str:
    """Return the command that installs the package, or a suggestion for an unknown library."""
    if unavailable_reason(solver) and (library := _missing_library(solver)):
        # Each solver has a long name and several short ones.
        return suggest(library, {name for name in _python_sat_names() if len(name) > 5})
    # Extras of boardsat have the versions that were tested.
    return f"pip install {_extra_with(solver.package) or solver.package}"


def _extra_with(package: str) -> str | None:
    """Return the extra of boardsat that installs a package. None if no extra does."""
    import importlib.metadata

    try:
        requirements = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for requirement in requirements:
        match = re.fullmatch(r"([\w.-]+)[^;]*; *extra *== *[\"']([\w-]+)[\"']", requirement)
        if match and match[1] == package and match[2] not in DEVELOPMENT_EXTRAS:
            return f"'{PACKAGE}[{match[2]}]'"
    return None


def version(solver: Solver) -> str:
    """Return the version of the library, and the additions that the answer depends on."""
    additions = f" with {solver.additions}" if solver.additions else ""
    return _library_version(solver) + additions


def _library_version(solver: Solver) -> str:
    """Return the version of a library, with the names of its package and its solver.

    Names that the user knows from the name of `solver` are omitted.
    """
    number = package_version(solver.package) or UNKNOWN
    if solver.package == solver.name:
        return number
    library = solver.library.name if solver.library else ""
    if not library:
        # pyganak is ganak for Python, and has the same version numbers.
        has_same_versions = solver.package.endswith(solver.name)
        if has_same_versions:
            return f"{number} ({solver.package})"
        return f"of {solver.package} {number}"
    # The solvers of python-sat are called cadical195, minisat22, lingeling.
    name = library.rstrip("0123456789")
    digits = ".".join(library[len(name) :])
    description = digits if solver.name.startswith(name) else f"with {name} {digits}".rstrip()
    return f"{description} ({solver.package} {number})".lstrip()


@cache
def package_version(package: str) -> str | None:
    """Return the version of a package. None if it is not installed.

    The version is in the name of the folder that pip creates for the metadata of a package.
    importlib.metadata would load modules for e-mail, which takes as long as a small solve.
    """
    normalized = _normalize(package)
    for folder in sys.path:
        for name in _list_folder(folder):
            match = _METADATA_FOLDER.fullmatch(name)
            if match and _normalize(match[1]) == normalized:
                return match[2]
    return _metadata_version(package)


def _metadata_version(package: str) -> str | None:
    """Return the version of a package that was not installed by pip."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _normalize(package: str) -> str:
    """Return the normalized name of a package (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _list_folder(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")  # noqa: PTH208
    except OSError:
        return []


def run(solver: Solver, task: Task) -> Outcome:
    """Run a library in a worker process."""
    variables = task.template_variables(str(Path(task.file).resolve()), None)
    if task.cuts:
        module, arguments = INCREMENTAL_SOLVER, [*solver.incremental_line(**variables)]
    elif task.samples:
        sampler, *arguments = solver.sampling_line(**variables)
        module = f"{SAMPLERS}.{sampler}"
    else:
        worker, *arguments = solver.embedded_line(**variables)
        module = f"{WORKERS}.{worker}"
    command = child_python.module_command(module, *arguments)
    with SolverMeter() as meter:
        return native.run_command(command, task, child_python.child_environment(), meter)
