"""The record of an instance: what it is, how to generate it again, its answers and evidence.

It is written last, so that an instance which has a record is finished. Nothing in it tells when or
where it was made: the same campaign gives the same records.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from boardsat.archive.contents import files, recipe
from boardsat.archive.contents.recipe import Recipe
from boardsat.generators.errors import InputError

FORMAT = 1


@dataclass(frozen=True)
class SolveRecord:
    """What a solver said, and which one it was."""

    solver: str
    version: str
    runtime: str
    image: str | None
    seed: int | None
    limits: dict[str, float | int | None]
    status: str
    end: str
    checked: tuple[str, ...]
    unchecked: tuple[str, ...]


@dataclass(frozen=True)
class CountRecord:
    """What a counter said, and which one it was; `objects` is None where it came to no end."""

    counter: str
    version: str
    runtime: str
    image: str | None
    seed: int | None
    limits: dict[str, float | int | None]
    end: str
    exact: bool
    objects: int | None
    models: int | None
    interval: tuple[int, int] | None
    epsilon: float | None
    delta: float | None


@dataclass(frozen=True)
class Evidence:
    """The expected answer, and what it rests on."""

    status: str
    count: int | None
    """Of objects, exactly: 0 by a proof, or counted, or published where nobody here has counted."""
    model: str | None
    """The file of a model that satisfies the formula."""
    proof: str | None
    """The file of a proof that drat-trim has verified."""
    solved: tuple[SolveRecord, ...]
    counted: tuple[CountRecord, ...]


@dataclass(frozen=True)
class Identity:
    """What the file is, measured on the file."""

    variables: int
    clauses: int
    literals: int
    bytes: int
    sha256: str
    compressed_bytes: int
    compressed_sha256: str
    gbd_hash: str
    iso_hash: str | None
    """Of gbdc, where that is installed: formulas that differ in it are not isomorphic."""


@dataclass(frozen=True)
class InstanceRecord:
    name: str
    tool: str
    title: str
    cite: str
    recipe: Recipe
    parameters: dict[str, Any]
    """The value of every parameter, those that were not set too."""
    objects: dict[str, Any]
    """What is counted, and how many are published."""
    keeps_counts: bool
    identity: Identity
    evidence: Evidence

    @property
    def formula(self) -> str:
        """Its file."""
        return self.name + files.FORMULA

    @property
    def owned(self) -> list[str]:
        """All files of the instance, the record first."""
        evidence = [self.evidence.model, self.evidence.proof]
        return [self.name + files.RECORD, self.formula, *(file for file in evidence if file)]

    def text(self) -> bytes:
        entries = {"format": FORMAT} | {
            field.name: getattr(self, field.name) for field in fields(self)
        }
        entries["recipe"] = self.recipe.as_json()
        entries["identity"] = asdict(self.identity)
        entries["evidence"] = asdict(self.evidence)
        return (json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode()


def read_record(path: Path) -> InstanceRecord:
    try:
        record = _record(json.loads(path.read_bytes()))
        if record.name + files.RECORD != path.name:
            raise ValueError("the record of another instance")
        return record
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        fault = str(error.strerror) if isinstance(error, OSError) else "no record of an instance"
        raise InputError(fault, "create the archive again", str(path)) from None


def _record(entries: dict[str, Any]) -> InstanceRecord:
    if entries.pop("format") != FORMAT:
        raise ValueError("another format")
    evidence = entries["evidence"]
    evidence["solved"] = tuple(_solved(each) for each in evidence["solved"])
    evidence["counted"] = tuple(_counted(each) for each in evidence["counted"])
    return InstanceRecord(
        **{
            **entries,
            "recipe": recipe.from_json(entries["recipe"]),
            "identity": Identity(**entries["identity"]),
            "evidence": Evidence(**evidence),
        }
    )


def _solved(entries: dict[str, Any]) -> SolveRecord:
    tuples = {key: tuple(entries[key]) for key in ("checked", "unchecked")}
    return SolveRecord(**{**entries, **tuples})


def _counted(entries: dict[str, Any]) -> CountRecord:
    interval = entries["interval"]
    return CountRecord(**{**entries, "interval": tuple(interval) if interval else None})


def read_records(folder: Path) -> list[InstanceRecord]:
    """Those of an archive, in the order of their names."""
    paths = [path for path in folder.glob(f"*{files.RECORD}") if path.name != files.CRATE]
    return sorted(map(read_record, paths), key=lambda record: record.name)
