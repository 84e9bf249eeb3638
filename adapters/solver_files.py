"""A solver is data: one YAML file in adapters/solvers, found by its name, or a file anywhere."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import yaml

from adapters.dialects import DIALECTS
from adapters.errors import AdapterError, suggest

FOLDER = Path(__file__).parent / "solvers"

ABILITIES = {"decide", "count", "estimate", "prove", "check"}
READS = {"formula", "program", "board"}
PROJECTIONS = {"ind", "project"}
_NEEDED = {"title", "dialect", "can"}
_OPTIONAL = {
    "program", "command", "image", "version", "embedded", "incremental", "package", "library",
    "problems",
}  # fmt: skip
_DEFAULTS = {"reads": "formula", "projection": "ind"}


@dataclass(frozen=True)
class Solver:
    name: str
    title: str
    dialect: str
    can: frozenset[str]
    """`count` is exactly; `estimate` is within a factor, with some confidence."""
    program: str = ""
    """What it is called on PATH and in its image."""
    command: str = ""
    """A Jinja2 template of the command line: program, and the words of a task."""
    image: str | None = None
    """The folder in docker/ that its image is built from."""
    version: str | None = None
    """A template of the command that tells its version."""
    embedded: str | None = None
    """A template like `command`, whose first word is a file of runtimes/workers."""
    incremental: str | None = None
    """The same for adapters/incremental.py, which finds and adds the cuts of a lazy formula."""
    package: str = ""
    """What must be installed for `embedded`, and has its version."""
    library: str = ""
    """Which of several solvers in that package."""
    reads: str = "formula"
    """A formula, a logic program, or the board alone."""
    projection: str = "ind"
    """The comment that tells it what to count over: `c ind`, or `c project` after the header."""
    problems: frozenset[str] = frozenset()
    """Those that it is for; empty for all."""

    @property
    def counts(self) -> bool:
        return bool(self.can & {"count", "estimate"})

    def command_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.command, program=self.program, **words)

    def embedded_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.embedded or "", library=self.library, **words)

    def incremental_line(self, **words: object) -> tuple[str, ...]:
        return self._render(self.incremental or "", library=self.library, **words)

    def version_line(self) -> tuple[str, ...] | None:
        return self._render(self.version, program=self.program) if self.version else None

    def _render(self, template: str, **words: object) -> tuple[str, ...]:
        from jinja2 import Environment, StrictUndefined

        quoted = {k: shlex.quote(v) if isinstance(v, str) else v for k, v in words.items()}
        text = Environment(undefined=StrictUndefined).from_string(template).render(quoted)
        return tuple(shlex.split(text))


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Solver:
    """A solver by its name, or by the path of a YAML file."""
    if name.endswith(".yaml"):
        return _read(Path(name), name)
    if name not in names():
        raise AdapterError(f"no solver {name!r}", suggest(name, names()))
    return _read(FOLDER / f"{name}.yaml", f"adapters/solvers/{name}.yaml")


def _read(path: Path, place: str) -> Solver:
    try:
        entries = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not YAML"
        raise AdapterError(
            f"cannot read the solver: {fault}", "see docs/adding-a-solver.md", place
        ) from None
    if not isinstance(entries, dict):
        raise AdapterError("not a mapping", "see docs/adding-a-solver.md", place)
    if wrong := (entries.keys() - _NEEDED - _OPTIONAL - _DEFAULTS.keys()) or (
        _NEEDED - entries.keys()
    ):
        raise AdapterError(
            f"unknown or missing keys: {', '.join(sorted(wrong))}",
            "see docs/adding-a-solver.md",
            place,
        )
    entries = {**_DEFAULTS, **entries, "can": frozenset(entries["can"].split())}
    if "problems" in entries:
        entries["problems"] = frozenset(entries["problems"].split())
    for key, known in (
        ("dialect", DIALECTS.keys()),
        ("reads", READS),
        ("projection", PROJECTIONS),
    ):
        if entries[key] not in known:
            raise AdapterError(f"no {key} {entries[key]!r}", suggest(entries[key], known), place)
    if not entries["can"] <= ABILITIES:
        word = min(entries["can"] - ABILITIES)
        raise AdapterError(f"it cannot {word!r}", suggest(word, ABILITIES), place)
    return Solver(name=path.stem, **entries)
