"""Registry: the modules of a package, each registered by the name of its file."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

from boardsat.base.errors import InputError
from boardsat.base.text import suggest


@cache
def find_modules(package: str) -> tuple[str, ...]:
    """Return the sorted names of the modules and subpackages of a package, importing none of them.

    A leading underscore marks a module that registered ones share.
    """
    folders = map(Path, importlib.import_module(package).__path__)
    entries = (entry for folder in folders for entry in folder.iterdir())
    modules = (
        entry for entry in entries if entry.suffix == ".py" or (entry / "__init__.py").exists()
    )
    names = {module.stem for module in modules if module.stem.isidentifier()}
    return tuple(sorted(name for name in names if not name.startswith("_")))


class Registry:
    """Modules of a package by name; a module is imported when it is loaded.

    Parameters
    ----------
    package : str
        Full name of the package.
    noun : str
        Term for a registered module, for messages: `board shape`.

    Examples
    --------
    >>> Registry("boardsat.generators.formats", "format").names()
    ('cnf', 'knf', 'opb', 'wcnf')
    """

    def __init__(self, package: str, noun: str) -> None:
        self.package, self.noun = package, noun

    def names(self) -> tuple[str, ...]:
        """Return the registered names, sorted."""
        return find_modules(self.package)

    def load(self, name: str, location: str = "") -> ModuleType:
        """Return the module of a name; raise InputError with this location if it is missing."""
        if name not in self.names():
            raise InputError(f"no {self.noun} {name!r}", suggest(name, self.names()), location)
        return importlib.import_module(f"{self.package}.{name}")
