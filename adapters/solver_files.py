"""A solver is data: one YAML file in adapters/solvers, found by its name."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import yaml

from adapters.dialects import DIALECTS
from adapters.errors import AdapterError, suggest

FOLDER = Path(__file__).parent / "solvers"

ABILITIES = {"decide", "count", "prove", "enumerate", "check"}
_NEEDED = {"title", "program", "command", "dialect", "can"}
_OPTIONAL = {"image", "version", "embedded"}


@dataclass(frozen=True)
class Solver:
    name: str
    title: str
    program: str
    """What it is called on PATH and in its image."""
    image: str | None
    """The folder in docker/ that its image is built from."""
    command: str
    """A Jinja2 template of the command line: program, file, seed, seconds, proof."""
    dialect: str
    can: frozenset[str]
    version: str | None
    """A template of the command that tells its version."""
    embedded: str | None
    """Its name in python-sat."""

    def command_line(
        self, file: str, seed: int | None = None, seconds: int = 0, proof: str | None = None
    ) -> tuple[str, ...]:
        return self._render(
            self.command,
            file=shlex.quote(file),
            seed=seed,
            seconds=seconds or 10**6,
            proof=shlex.quote(proof) if proof else None,
        )

    def version_line(self) -> tuple[str, ...] | None:
        return self._render(self.version) if self.version else None

    def _render(self, template: str, **values: object) -> tuple[str, ...]:
        from jinja2 import Environment, StrictUndefined

        environment = Environment(undefined=StrictUndefined)
        text = environment.from_string(template).render(program=self.program, **values)
        return tuple(shlex.split(text))


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Solver:
    if name not in names():
        raise AdapterError(f"no solver {name!r}", suggest(name, names()))
    place = f"adapters/solvers/{name}.yaml"
    entries = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    if not isinstance(entries, dict):
        raise AdapterError("not a mapping", "see docs/adding-a-solver.md", place)
    if wrong := (entries.keys() - _NEEDED - _OPTIONAL) or (_NEEDED - entries.keys()):
        raise AdapterError(
            f"unknown or missing keys: {', '.join(sorted(wrong))}",
            "see docs/adding-a-solver.md",
            place,
        )
    can = frozenset(entries["can"].split())
    if not can <= ABILITIES:
        raise AdapterError(f"it cannot {min(can - ABILITIES)!r}", suggest("", ABILITIES), place)
    if entries["dialect"] not in DIALECTS:
        known = suggest(entries["dialect"], DIALECTS)
        raise AdapterError(f"no dialect {entries['dialect']!r}", known, place)
    return Solver(
        name=name,
        title=entries["title"],
        program=entries["program"],
        image=entries.get("image"),
        command=entries["command"],
        dialect=entries["dialect"],
        can=can,
        version=entries.get("version"),
        embedded=entries.get("embedded"),
    )
