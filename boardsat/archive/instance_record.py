"""The record of an instance: what it is, how to generate it again, its answers and evidence.

It is written last, so that an instance which has a record is finished. Nothing in it tells when or
where it was made: the same campaign gives the same records.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.runtimes import Limits
from boardsat.archive import storage
from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.json_data import Count, Inline, Keys, MalformedError, Size
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import (
    ModelCount,
    RunOutcome,
    Seed,
    SolverIdentity,
    StatusName,
)

FORMAT = 2

ProofWord = Annotated[str, tuple(ProofFormat)]
SolverLimits = Annotated[
    Limits, Keys(wall="wall_seconds", cpu="cpu_seconds", memory="memory_bytes")
]


@dataclass(frozen=True)
class SolverAnswer:
    """Answer of a solver."""

    identity: Annotated[
        SolverIdentity, Inline(name="solver", version="version", runtime="runtime", image="image")
    ]
    seed: Seed | None
    limits: SolverLimits
    outcome: Annotated[
        RunOutcome,
        Inline(status="status", end="end", checked="checked", unchecked="unchecked", value="value"),
    ]


@dataclass(frozen=True)
class CounterAnswer:
    """Count of a model counter."""

    identity: Annotated[
        SolverIdentity, Inline(name="counter", version="version", runtime="runtime", image="image")
    ]
    seed: Seed | None
    limits: SolverLimits
    end: TerminationReason
    count: Annotated[
        ModelCount,
        Inline(exact="exact", objects="objects", models="models", interval="interval"),
    ]
    epsilon: float | None
    delta: float | None


@dataclass(frozen=True)
class Evidence:
    """The expected answer, and what it rests on."""

    status: StatusName
    count: Count | None
    """Of objects, exactly: 0 by a proof, or counted, or published where nobody here has counted."""
    model: str | None
    """The file of a model that satisfies the formula."""
    proof: str | None
    """The file of a proof that a checker has verified."""
    proof_kind: ProofWord | None
    proof_bytes: Size | None
    """Before it was compressed."""
    solved: tuple[SolverAnswer, ...]
    counted: tuple[CounterAnswer, ...]

    @property
    def optimum(self) -> int | None:
        """What all who know the best model give."""
        best = (
            said.outcome.value for said in self.solved if said.outcome.status == Status.OPTIMUM.name
        )
        return next(best, None)

    @property
    def value(self) -> int | None:
        """What the model in the file has: the best one, or the first that was found."""
        told = (said.outcome.value for said in self.solved if said.outcome.value is not None)
        return next(told, None) if self.optimum is None else self.optimum

    @property
    def identities(self) -> list[SolverIdentity]:
        """Solvers and counters, in the order of the campaign."""
        solvers = [answer.identity for answer in self.solved]
        return solvers + [answer.identity for answer in self.counted]

    @property
    def asked(self) -> list[str]:
        """Names of the solvers and counters, in the order of the campaign."""
        return [identity.name for identity in self.identities]


@dataclass(frozen=True)
class Identity:
    """What the file is, measured on the file."""

    variables: Size
    clauses: Size
    literals: Size
    bytes: Size
    sha256: str
    compressed_bytes: Size
    compressed_sha256: str
    gbd_hash: str | None
    """Which only CNF has: any other file is known by its SHA-256."""
    iso_hash: str | None
    """Of gbdc, where that is installed: formulas that differ in it are not isomorphic."""


@dataclass(frozen=True)
class InstanceRecord:
    format: Annotated[int, (FORMAT,)]
    name: str
    tool: str
    title: str
    cite: str
    recipe: Recipe
    parameters: dict[str, Any]
    """The value of every parameter, those that were not set too."""
    objects: dict[str, Any]
    """What is counted, and how many are published."""
    count_preserving: bool
    identity: Identity
    evidence: Evidence

    @property
    def file(self) -> str:
        """Its own."""
        return self.name + storage.RECORD

    @property
    def formula(self) -> str:
        """The file of the formula."""
        return storage.formula_name(self.name, self.recipe.format)

    @property
    def owned(self) -> list[str]:
        """All files of the instance, the record first."""
        evidence = [self.evidence.model, self.evidence.proof]
        return [self.file, self.formula, *(file for file in evidence if file)]

    def text(self) -> bytes:
        entries = json_data.encode(self)
        for said in entries["evidence"]["solved"]:
            # As it was written before anything was optimised.
            if said["value"] is None:
                del said["value"]
        return (json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode()


def read_record(path: Path) -> InstanceRecord:
    """The record in a file of an archive, whatever else may stand there; or an InputError."""
    try:
        data = storage.read(path, storage.RECORD_BYTES)
        record = json_data.decode(InstanceRecord, data)
        _check_file_names(record, path.name)
        # JSON may say a thing twice, and everybody believes another one of the two.
        if record.text() != data:
            raise MalformedError("it is not written as boardsat does")
        return record
    except MalformedError as error:
        raise InputError(
            f"no record of an instance: {error}", "create the archive again", str(path)
        ) from None


def check_format(folder: Path) -> None:
    """Raise InputError if the records of an archive have an earlier format."""
    names = (name for name in record_names(folder) if storage.is_own(folder / name))
    if (name := next(names, None)) is not None:
        with (folder / name).open("rb") as file:
            found = re.match(rb'\{\s*"format": ([0-9]{1,9}),', file.read(40))
        if found and int(found[1]) < FORMAT:
            raise InputError(
                f"an archive of format {int(found[1])}, and only format {FORMAT} is read",
                f"renew it: `boardsat archive create {folder} {folder / storage.CAMPAIGN}`",
                str(folder),
            )


def _check_file_names(record: InstanceRecord, file: str) -> None:
    """A record speaks of its own files, which have its name."""
    if record.file != file:
        raise MalformedError("it is that of another instance")
    own = {"model": storage.MODEL, "proof": storage.PROOF}
    for what, ending in own.items():
        if getattr(record.evidence, what) not in (None, record.name + ending):
            raise MalformedError(f"its {what} is none of its files")


def record_names(folder: Path) -> list[str]:
    """The files of an archive that are records, sorted."""
    return [
        name
        for name in storage.present(folder)
        if name.endswith(storage.RECORD) and name != storage.CRATE
    ]


def read_records(folder: Path) -> list[InstanceRecord]:
    """Those of an archive, in the order of their names."""
    found = [read_record(folder / name) for name in record_names(folder)]
    return sorted(found, key=lambda record: record.name)
