"""Record of an archived instance: its identity, its recipe, its answers and their evidence.

A record is written last, so an instance that has a record is finished. Records have no dates and no
names of machines: the same campaign gives the same records.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from boardsat.generators.formula import Header

FORMAT = 2
"""Version of the format of records."""

ProofFormatName = Annotated[str, tuple(ProofFormat)]
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
    """Expected answer of an instance, and the answers and files that support it."""

    status: StatusName
    count: Count | None
    """Exact number of objects: 0 if proved, else counted, else published. None if unknown."""
    model: str | None
    """Name of the file with a satisfying assignment. None without one."""
    proof: str | None
    """Name of the file with a verified proof of unsatisfiability. None without one."""
    proof_kind: ProofFormatName | None
    proof_bytes: Size | None
    """Size of the uncompressed proof."""
    solved: tuple[SolverAnswer, ...]
    """Answers of the solvers, in the order of the campaign."""
    counted: tuple[CounterAnswer, ...]
    """Answers of the counters, in the order of the campaign."""

    @property
    def optimum(self) -> int | None:
        """Objective value of a best model. None if no solver has proved optimality."""
        return next(
            (
                answer.outcome.value
                for answer in self.solved
                if answer.outcome.status == Status.OPTIMUM.name
            ),
            None,
        )

    @property
    def value(self) -> int | None:
        """Objective value of the model file: the optimum, or the first value that was found."""
        if self.optimum is not None:
            return self.optimum
        values = (answer.outcome.value for answer in self.solved)
        return next((value for value in values if value is not None), None)

    @property
    def identities(self) -> list[SolverIdentity]:
        """Identities of solvers and counters, in the order of the campaign."""
        solvers = [answer.identity for answer in self.solved]
        return solvers + [answer.identity for answer in self.counted]

    @property
    def solver_names(self) -> list[str]:
        """Names of the solvers and counters, in the order of the campaign."""
        return [identity.name for identity in self.identities]


@dataclass(frozen=True)
class Identity:
    """Sizes and hashes of a formula file."""

    variables: Size
    clauses: Size
    literals: Size
    bytes: Size
    sha256: str
    compressed_bytes: Size
    compressed_sha256: str
    gbd_hash: str | None
    """Hash of the clauses as defined by GBD. None for a format other than CNF."""
    iso_hash: str | None
    """Isomorphism hash of gbdc: formulas with different ones are not isomorphic. None if gbdc is
    not installed, or the file has XOR lines or is not CNF.
    """


@dataclass(frozen=True)
class InstanceRecord:
    """Record of an archived instance."""

    format: Annotated[int, (FORMAT,)]
    name: str
    tool: str
    title: str
    cite: str
    recipe: Recipe
    parameters: dict[str, Any]
    """Value of every parameter, including those with default values."""
    objects: dict[str, Any]
    """Noun of the counted objects, published count, and number of models of each object."""
    count_preserving: bool
    identity: Identity
    evidence: Evidence

    @property
    def file(self) -> str:
        """Name of the file of the record."""
        return self.name + storage.RECORD

    @property
    def formula(self) -> str:
        """Name of the formula file."""
        return storage.formula_name(self.name, self.recipe.format)

    @property
    def files(self) -> list[str]:
        """Names of all files of the instance, the record first."""
        evidence = [self.evidence.model, self.evidence.proof]
        return [self.file, self.formula, *(file for file in evidence if file)]

    def text(self) -> bytes:
        """Return the content of the file of the record."""
        entries = json_data.encode(self)
        for answer in entries["evidence"]["solved"]:
            # Format 2 is older than objectives, and must not change for other instances.
            if answer["value"] is None:
                del answer["value"]
        return (json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode()


def header_entries(header: Header) -> dict[str, Any]:
    """Return the entries of a record that come from the header of its formula."""
    return {
        "title": header.title,
        "cite": header.cite,
        "parameters": header.parameters,
        "objects": header.objects or {},
        "count_preserving": header.count_preserving,
    }


def read_record(path: Path) -> InstanceRecord:
    """Return the record in a file of an archive; raise InputError if the file is not a record."""
    try:
        content = storage.read(path, storage.RECORD_BYTES)
        record = json_data.decode(InstanceRecord, content)
        _check_file_names(record, path.name)
        # JSON readers differ on duplicate keys, so only the canonical text is accepted.
        if record.text() != content:
            raise MalformedError("it is not formatted as boardsat writes records")
        return record
    except MalformedError as error:
        raise InputError(
            f"not a valid record of an instance: {error}", "create the archive again", str(path)
        ) from None


def check_format(folder: Path) -> None:
    """Raise InputError if the records of an archive have an earlier format."""
    names = (name for name in record_names(folder) if storage.is_regular_file(folder / name))
    if (name := next(names, None)) is not None:
        with (folder / name).open("rb") as file:
            match = re.match(rb'\{\s*"format": ([0-9]{1,9}),', file.read(40))
        if match and int(match[1]) < FORMAT:
            command = ("boardsat", "archive", "create", folder, folder / storage.CAMPAIGN)
            raise InputError(
                f"the format of the archive must be {FORMAT} (got {int(match[1])})",
                f"create it again: `{shlex.join(map(str, command))}`",
                str(folder),
            )


def _check_file_names(record: InstanceRecord, file: str) -> None:
    """Raise MalformedError if a record names files of another instance."""
    if record.file != file:
        raise MalformedError(f"it is the record of another instance, {record.name[:80]!r}")
    for kind, suffix in (("model", storage.MODEL), ("proof", storage.PROOF)):
        name = getattr(record.evidence, kind)
        if name not in (None, record.name + suffix):
            raise MalformedError(f"`{kind}` must be {record.name + suffix!r} or null")


def record_names(folder: Path) -> list[str]:
    """Return the sorted names of the record files of an archive."""
    return [
        name
        for name in storage.file_names(folder)
        if name.endswith(storage.RECORD) and name != storage.CRATE
    ]


def read_records(folder: Path) -> list[InstanceRecord]:
    """Return the records of an archive, sorted by name."""
    records = [read_record(folder / name) for name in record_names(folder)]
    return sorted(records, key=lambda record: record.name)


def duplicates(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """Map each instance with the clauses of an earlier one to the name of the earlier one."""
    return _earlier_instances(records, lambda record: record.identity.gbd_hash)


def isomorphic_candidates(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """Map each instance with the isomorphism hash of an earlier one to the name of the earlier one.

    Equal hashes are a strong hint at isomorphism, but not a proof.
    """
    return _earlier_instances(records, lambda record: record.identity.iso_hash)


def _earlier_instances(
    records: Sequence[InstanceRecord], key: Callable[[InstanceRecord], str | None]
) -> dict[str, str]:
    """Map each instance whose key occurred before to the first instance with that key."""
    first_names: dict[str, str] = {}
    earlier_names: dict[str, str] = {}
    for record in records:
        if (digest := key(record)) is None:
            continue
        first_name = first_names.setdefault(digest, record.name)
        if first_name != record.name:
            earlier_names[record.name] = first_name
    return earlier_names


def duplicate_lines(records: Sequence[InstanceRecord]) -> list[str]:
    """Return a line for each duplicate, and for each instance that may be isomorphic to another."""
    identical = duplicates(records)
    lines = [f"duplicate: {name} has the clauses of {first}" for name, first in identical.items()]
    return lines + [
        f"duplicate: {name} may be isomorphic to {first}"
        for name, first in isomorphic_candidates(records).items()
        if name not in identical
    ]
