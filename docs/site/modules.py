"""Generate docs/modules.md: every package and module with the first line of its docstring.

`python docs/site/modules.py` updates the page after a module was added, moved or renamed.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/modules.md"
PACKAGES = ("generators", "adapters", "boardsat")
INTRODUCTION = """\
# Packages and modules

Every package and module with the first line of its docstring. This page is generated:
`python docs/site/modules.py` updates it. [Architecture](architecture.md) explains how the packages
work together. A module whose name begins with an underscore is used inside its package only. In
most packages a module's name registers it: a board, a constraint type, an algorithm, an encoding, a
transform, a rule, a heuristic or a command is found by its name.
"""


def packages() -> dict[str, list[Path]]:
    """Return every folder of code with its modules; the links inside boardsat/ are not followed."""
    found = {}
    for package in PACKAGES:
        for folder, _, names in sorted(os.walk(ROOT / package)):
            modules = sorted(Path(folder, name) for name in names if name.endswith(".py"))
            if modules:
                found[str(Path(folder).relative_to(ROOT))] = modules
    return found


def summary(module: Path) -> str:
    """Return the first sentence of a module's docstring, up to the end of its line or paragraph."""
    docstring = ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""
    first = re.match(r"(?:.+[^.:\n]\n)*.*", docstring)
    assert first
    return " ".join(first[0].split()).rstrip(".:").replace("|", "\\|")


def section(package: str, modules: list[Path]) -> str:
    """Return the section of one package: its summary and a table of its modules."""
    lines = [f"\n## {package}\n\n{summary(ROOT / package / '__init__.py')}.\n"]
    named = [module for module in modules if module.name != "__init__.py"]
    if named:
        lines.append("\n| module | content |\n|---|---|\n")
    lines += [f"| `{module.name}` | {summary(module)} |\n" for module in named]
    return "".join(lines)


def page() -> str:
    """Return the text of the page."""
    return INTRODUCTION + "".join(section(*entry) for entry in packages().items())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
