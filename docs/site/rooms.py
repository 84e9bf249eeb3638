"""The tables of files in docs/architecture.md, made from the first line of every file.

`python docs/site/rooms.py` writes them again after a file was added, moved or renamed.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/architecture.md"
PACKAGES = ("generators", "adapters", "boardsat")
TABLE = re.compile(r"<!-- files of (\S+) -->\n(?:\|.*\n)*")


def rooms() -> dict[str, list[Path]]:
    """Every folder of code with its files; links inside boardsat/ are not followed."""
    found = {}
    for package in PACKAGES:
        for folder, _, names in os.walk(ROOT / package):
            modules = sorted(Path(folder, name) for name in names if name.endswith(".py"))
            if modules:
                found[str(Path(folder).relative_to(ROOT))] = modules
    return found


def duty(module: Path) -> str:
    """What the first line of a file says, and the next where the sentence goes on."""
    words = ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""
    first = re.match(r"(?:.+[^.:\n]\n)*.*", words)
    assert first
    return " ".join(first[0].split()).rstrip(".:").replace("|", "\\|")


def table(modules: list[Path]) -> str:
    named = [module for module in modules if module.name != "__init__.py"]
    rows = [f"| `{module.name}` | {duty(module)} |\n" for module in named]
    return "".join(["| file | duty |\n|---|---|\n", *rows]) if rows else ""


def renewed(page: str) -> str:
    """The page with its tables as they should be; a room that is gone has none."""
    known = rooms()
    return TABLE.sub(
        lambda found: f"<!-- files of {found[1]} -->\n{table(known.get(found[1], []))}", page
    )


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
