"""A page for every problem: its parameters, and its encodings with their specs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from markdown_text import escaped, table

from boardsat.adapters.runtimes.child_python import module_command

SPECS = Path(__file__).parents[2] / "specs"

Encoding = dict[str, Any]
"""One entry of `boardsat list --json`."""


@cache
def pages() -> dict[str, str]:
    """Return the Markdown of each problem of the catalogue by its name."""
    command = module_command("boardsat", "list", "--json")
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    listed: list[Encoding] = json.loads(done.stdout)
    by_problem = groupby(listed, key=lambda encoding: str(encoding["problem"]))
    return {problem: _page(problem, list(encodings)) for problem, encodings in by_problem}


def _page(problem: str, encodings: list[Encoding]) -> str:
    parts = [
        f"# {problem}: {encodings[0]['title'].split(', ')[0]}",
        _defaults(encodings),
        "## Parameters",
        f"`boardsat solve {problem} --set NAME=VALUE` sets a parameter.",
        _parameters(encodings),
        *(part for encoding in encodings for part in _encoding(encoding)),
        *_shared(problem, encodings),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _defaults(encodings: list[Encoding]) -> str:
    """Return the line of the default encodings; empty for a problem with one encoding."""
    if len(encodings) == 1:
        return ""
    chosen = {use: e["encoding"] for e in encodings for use in e["default_for"]}
    words = [f"`{name}` for `boardsat {_COMMANDS[use]}`" for use, name in sorted(chosen.items())]
    return "Default encodings: " + ", ".join(words) + "."


_COMMANDS = {"count": "count", "solve": "solve", "write": "cnf"}


def _parameters(encodings: list[Encoding]) -> str:
    """Return the table of parameters; defaults may differ between encodings."""
    found: dict[str, dict[str, Any]] = {}
    for encoding in encodings:
        for parameter in encoding["parameters"]:
            entry = found.setdefault(
                parameter["name"], {"description": parameter["description"], "in": {}}
            )
            entry["in"][encoding["encoding"]] = parameter["default"]
    rows = [
        [
            f"`{name}`",
            _default(entry["in"]),
            escaped(entry["description"]),
            "" if len(entry["in"]) == len(encodings) else _names(entry["in"]),
        ]
        for name, entry in found.items()
    ]
    return table(["name", "default", "description", "only in"], rows)


def _default(by_encoding: dict[str, str | None]) -> str:
    """Return the most frequent value, then the others with their encodings."""
    owners: dict[str | None, list[str]] = {}
    for name, value in by_encoding.items():
        owners.setdefault(value, []).append(name)
    first, *others = sorted(owners, key=lambda value: -len(owners[value]))
    words = [_value(first)] + [f"{_value(value)} in {_names(owners[value])}" for value in others]
    return "; ".join(words)


def _value(value: str | None) -> str:
    return "(required)" if value is None else f"`{value}`" if value else ""


def _names(encodings: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in encodings)


def _encoding(encoding: Encoding) -> list[str]:
    """Return the section of an encoding; one reused from another problem has no file here."""
    path = SPECS / encoding["problem"] / f"{encoding['encoding']}.yaml"
    mark = "" if encoding["count_preserving"] else "not "
    return [
        f"## {encoding['encoding']}",
        escaped(f"{encoding['title']}. {encoding['about']} It is {mark}count-preserving."),
        escaped(f"Source: {encoding['cite']}") if encoding["cite"] else "",
        _spec(path) if path.exists() else "",
    ]


def _shared(problem: str, encodings: list[Encoding]) -> list[str]:
    """Return the sections of files that are not encodings: problem.yaml, and parts."""
    own = {encoding["encoding"] for encoding in encodings}
    parts: list[str] = []
    for path in sorted((SPECS / problem).glob("*.yaml")):
        if path.stem not in own:
            whose = "some" if path.stem.startswith("_") else "all"
            text = f"Keys shared by {whose} encodings ([sharing](spec-language.md#sharing))."
            parts += [f"## {path.stem}", text, _spec(path)]
    return parts


def _spec(path: Path) -> str:
    name = path.relative_to(SPECS.parent)
    return f'```yaml title="{name}"\n{path.read_text().rstrip()}\n```'
