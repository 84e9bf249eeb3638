"""ro-crate-metadata.json: linked data about every file and how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from boardsat.adapters.answer import TerminationReason
from boardsat.archive import storage
from boardsat.archive.instance_record import CounterAnswer, InstanceRecord, SolverAnswer
from boardsat.campaign.metadata import ArchiveMetadata, display_name
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import SolverIdentity

CONTEXT = "https://w3id.org/ro/crate/1.1"
TOOL = "#boardsat"
FORMATS = {
    ".xz": "application/x-xz",
    storage.RECORD: "application/json",
    ".csv": "text/csv",
    ".db": "application/vnd.sqlite3",
    ".yaml": "application/yaml",
    ".cff": "application/yaml",
    ".md": "text/markdown",
    ".txt": "text/plain",
}
OUTSIDE = (storage.CRATE, storage.MANIFEST, storage.PREVIEW)
"""What describes the crate is no part of it."""

Entity = dict[str, Any]


def ro_crate(folder: Path, about: ArchiveMetadata, records: Sequence[InstanceRecord]) -> bytes:
    """The metadata of all files that stand in the folder now."""
    named = [name for name in storage.present(folder) if name not in OUTSIDE]
    instances = {record.formula: record for record in records}
    owners = {file: record for record in records for file in record.owned}
    graph: list[Entity] = [_descriptor(), _preview(), _root(about, named)]
    for name in named:
        if name in instances:
            graph.append(_formula(instances[name]))
            continue
        path = folder / name
        entity = _file(name, path.stat().st_size, sha256(path))
        if name in owners:
            entity["about"] = {"@id": owners[name].formula}
        graph.append(entity)
    graph += [entity for record in records for entity in _properties(record)]
    graph += [_making(record) for record in records]
    graph += [entity for record in records for entity in _runs(record)]
    graph += _tools(records)
    graph += [_person(number, author) for number, author in _authors(about)]
    if about.license:
        graph.append({"@id": _license(about), "@type": "CreativeWork", "name": about.license})
    document = {"@context": f"{CONTEXT}/context", "@graph": graph}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _descriptor() -> Entity:
    return {
        "@id": storage.CRATE,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": CONTEXT},
    }


def _preview() -> Entity:
    return {"@id": storage.PREVIEW, "@type": "CreativeWork", "about": {"@id": "./"}}


def _root(about: ArchiveMetadata, named: Iterable[str]) -> Entity:
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": about.title,
        "description": about.text or about.title,
        "author": [{"@id": _person_id(number)} for number, _ in _authors(about)],
        "hasPart": [{"@id": name} for name in named],
    }
    if about.date:
        root["datePublished"] = about.date
    if about.license:
        root["license"] = {"@id": _license(about)}
    return root


def _license(about: ArchiveMetadata) -> str:
    return f"https://spdx.org/licenses/{about.license}"


def _file(name: str, size: int, sha256: str) -> Entity:
    format_of = (kind for ending, kind in FORMATS.items() if name.endswith(ending))
    return {
        "@id": name,
        "@type": "File",
        "name": name,
        "contentSize": str(size),
        "sha256": sha256,
        "encodingFormat": next(format_of, "application/octet-stream"),
    }


def _formula(record: InstanceRecord) -> Entity:
    # The record says what the file is; reading it once more could take long.
    identity = record.identity
    return {
        **_file(record.formula, identity.compressed_bytes, identity.compressed_sha256),
        "description": record.title,
        "citation": record.cite,
        "additionalProperty": [{"@id": entity["@id"]} for entity in _properties(record)],
    }


def _properties(record: InstanceRecord) -> list[Entity]:
    """What is known of a formula, as names and values."""
    identity, evidence = record.identity, record.evidence
    values: dict[str, Any] = {
        "GBD hash": identity.gbd_hash,
        "isomorphism hash": identity.iso_hash,
        "SHA-256 of the plain text": identity.sha256,
        "variables": identity.variables,
        "clauses": identity.clauses,
        "status": evidence.status,
        # A number of JSON may lose digits.
        "count": None if evidence.count is None else str(evidence.count),
        **{f"parameter {key}": value for key, value in record.recipe.choices().items()},
    }
    return [
        {
            "@id": f"#{record.name}/{key.replace(' ', '-')}",
            "@type": "PropertyValue",
            "name": key,
            "value": value,
        }
        for key, value in values.items()
        if value is not None
    ]


def _making(record: InstanceRecord) -> Entity:
    return {
        "@id": f"#make/{record.name}",
        "@type": "CreateAction",
        "name": f"{record.recipe.spec.name} to {record.formula}",
        "instrument": {"@id": TOOL},
        "object": {"@id": record.name + storage.RECORD},
        "result": {"@id": record.formula},
    }


def _runs(record: InstanceRecord) -> list[Entity]:
    """Return an entity for every solver and counter, with its answer."""
    entities = [
        _run(record, answer, answer.outcome.status, answer.outcome.end)
        for answer in record.evidence.solved
    ]
    for counter in record.evidence.counted:
        number = f"{'' if counter.count.exact else 'about '}{counter.count.objects}"
        entities.append(_run(record, counter, number, counter.end))
    return entities


def _run(
    record: InstanceRecord,
    answer: SolverAnswer | CounterAnswer,
    result: str,
    end: TerminationReason,
) -> Entity:
    name = answer.identity.name
    seed = "" if answer.seed is None else f"seed {answer.seed}, "
    return {
        "@id": f"#run/{record.name}/{name}",
        "@type": "Action",
        "name": f"{name} on {record.name}",
        "instrument": {"@id": _tool_id(answer.identity)},
        "object": {"@id": record.formula},
        "description": f"{result} ({seed}{end})",
    }


def _tool_id(identity: SolverIdentity) -> str:
    return f"#{identity.name}/{identity.runtime}/{identity.version}".replace(" ", "-")


def _tools(records: Sequence[InstanceRecord]) -> list[Entity]:
    versions = sorted({record.tool.partition(" ")[2] for record in records})
    tools: dict[str, Entity] = {
        TOOL: {
            "@id": TOOL,
            "@type": "SoftwareApplication",
            "name": "boardsat",
            "softwareVersion": ", ".join(versions),
        }
    }
    for record in records:
        for identity in record.evidence.identities:
            tool = {
                "@id": _tool_id(identity),
                "@type": "SoftwareApplication",
                "name": identity.name,
                "softwareVersion": identity.version,
            }
            tools[tool["@id"]] = tool | ({"identifier": identity.image} if identity.image else {})
    return list(tools.values())


def _authors(about: ArchiveMetadata) -> list[tuple[int, dict[str, str]]]:
    return list(enumerate(about.authors, 1))


def _person_id(number: int) -> str:
    return f"#author-{number}"


def _person(number: int, author: dict[str, str]) -> Entity:
    entity = {
        "@id": _person_id(number),
        "@type": "Person" if "family-names" in author else "Organization",
        "name": display_name(author),
    }
    extra = {key: author[key] for key in ("affiliation",) if key in author}
    return entity | extra | ({"identifier": author["orcid"]} if "orcid" in author else {})
