"""instances.csv: a table with one row an instance.

The column `hash` is the key that `gbd` asks of a table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from boardsat.archive import identity
from boardsat.archive.instance_record import InstanceRecord
from boardsat.generators.formats import CNF


def row(record: InstanceRecord) -> dict[str, str]:
    """What a table says of an instance."""
    identity, evidence = record.identity, record.evidence
    spec = record.recipe.spec.name
    problem, _, encoding = spec.partition("/")
    choices = record.recipe.choices()
    return {
        "hash": identity.gbd_hash or "",
        "isohash": identity.iso_hash or "",
        "filename": record.formula,
        "problem": problem,
        "encoding": encoding,
        "settings": " ".join(f"{key}={value}" for key, value in choices.items()),
        "variables": str(identity.variables),
        "clauses": str(identity.clauses),
        "literals": str(identity.literals),
        "bytes": str(identity.bytes),
        "sha256": identity.sha256,
        "compressed_bytes": str(identity.compressed_bytes),
        "compressed_sha256": identity.compressed_sha256,
        "status": evidence.status,
        "count": _text(evidence.count),
        "objects": str(record.objects.get("name", "")),
        "model": evidence.model or "",
        "proof": evidence.proof or "",
        "solvers": " ".join(said.identity.name for said in evidence.solved),
        "counters": " ".join(said.identity.name for said in evidence.counted),
        "tool": record.tool,
    }


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


def csv_table(records: Sequence[InstanceRecord]) -> bytes:
    same, alike = identity.same(records), identity.alike(records)
    rows = [
        row(record)
        | {"duplicate_of": same.get(record.name, ""), "alike": alike.get(record.name, "")}
        for record in records
    ]
    if any(record.recipe.format for record in records):
        rows = [
            entry
            | {"format": record.recipe.format or CNF, "optimum": _text(record.evidence.optimum)}
            for entry, record in zip(rows, records, strict=True)
        ]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
