"""ro-crate-metadata.json: linked data about every file and how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from boardsat.adapters.answer import TerminationReason
from boardsat.archive import storage
from boardsat.archive.instance_record import CounterAnswer, InstanceRecord, SolverAnswer
from boardsat.campaign.parser import ArchiveMetadata, display_name
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import SolverIdentity

CONTEXT = "https://w3id.org/ro/crate/1.1"
TOOL = "#boardsat"
MEDIA_TYPES = {
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
"""Names of the files that describe the crate and are not part of it."""

Entity = dict[str, Any]


def ro_crate(folder: Path, metadata: ArchiveMetadata, records: Sequence[InstanceRecord]) -> bytes:
    """Return ro-crate-metadata.json for the files that are in the folder now."""
    names = [name for name in storage.file_names(folder) if name not in OUTSIDE]
    instances = {record.formula: record for record in records}
    owners = {file: record for record in records for file in record.files}
    about = {"@type": "CreativeWork", "about": {"@id": "./"}}
    graph: list[Entity] = [
        {"@id": storage.CRATE, **about, "conformsTo": {"@id": CONTEXT}},
        {"@id": storage.PREVIEW, **about},
        _root(metadata, names),
    ]
    for name in names:
        if name in instances:
            graph.append(_formula(instances[name]))
            continue
        path = folder / name
        entity = _file(name, path.stat().st_size, sha256(path))
        if name in owners:
            entity["about"] = {"@id": owners[name].formula}
        graph.append(entity)
    graph += [entity for record in records for entity in _properties(record)]
    graph += [_creation(record) for record in records]
    graph += [entity for record in records for entity in _runs(record)]
    graph += _tools(records)
    graph += [_person(number, author) for number, author in _authors(metadata)]
    if metadata.license:
        graph.append(
            {"@id": _license_url(metadata), "@type": "CreativeWork", "name": metadata.license}
        )
    document = {"@context": f"{CONTEXT}/context", "@graph": graph}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _root(metadata: ArchiveMetadata, names: Iterable[str]) -> Entity:
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": metadata.title,
        "description": metadata.text or metadata.title,
        "author": [{"@id": _person_id(number)} for number, _ in _authors(metadata)],
        "hasPart": [{"@id": name} for name in names],
    }
    if metadata.date:
        root["datePublished"] = metadata.date
    if metadata.license:
        root["license"] = {"@id": _license_url(metadata)}
    return root


def _license_url(metadata: ArchiveMetadata) -> str:
    return f"https://spdx.org/licenses/{metadata.license}"


def _file(name: str, size: int, sha256: str) -> Entity:
    media_types = (kind for suffix, kind in MEDIA_TYPES.items() if name.endswith(suffix))
    return {
        "@id": name,
        "@type": "File",
        "name": name,
        "contentSize": str(size),
        "sha256": sha256,
        "encodingFormat": next(media_types, "application/octet-stream"),
    }


def _formula(record: InstanceRecord) -> Entity:
    # The sizes and hashes are in the record; hashing a large file again would take long.
    identity = record.identity
    return {
        **_file(record.formula, identity.compressed_bytes, identity.compressed_sha256),
        "description": record.title,
        "citation": record.cite,
        "additionalProperty": [{"@id": entity["@id"]} for entity in _properties(record)],
    }


def _properties(record: InstanceRecord) -> list[Entity]:
    """Return an entity for each property of a formula: hashes, sizes, answers and parameters."""
    identity, evidence = record.identity, record.evidence
    properties: dict[str, Any] = {
        "GBD hash": identity.gbd_hash,
        "isomorphism hash": identity.iso_hash,
        "SHA-256 of the plain text": identity.sha256,
        "variables": identity.variables,
        "clauses": identity.clauses,
        "status": evidence.status,
        # JSON readers may round large numbers.
        "count": None if evidence.count is None else str(evidence.count),
        **{f"parameter {key}": text for key, text in record.recipe.choices().items()},
    }
    return [
        {
            "@id": f"#{record.name}/{name.replace(' ', '-')}",
            "@type": "PropertyValue",
            "name": name,
            "value": content,
        }
        for name, content in properties.items()
        if content is not None
    ]


def _creation(record: InstanceRecord) -> Entity:
    """Return the action that has created a formula file from its record."""
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
    answer_text: str,
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
        "description": f"{answer_text} ({seed}{end})",
    }


def _tool_id(identity: SolverIdentity) -> str:
    return f"#{identity.name}/{identity.runtime}/{identity.version}".replace(" ", "-")


def _tools(records: Sequence[InstanceRecord]) -> list[Entity]:
    """Return an entity for boardsat, and for each version of a solver or counter."""
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


def _authors(metadata: ArchiveMetadata) -> list[tuple[int, dict[str, str]]]:
    """Return the authors with their numbers, which identify them."""
    return list(enumerate(metadata.authors, 1))


def _person_id(number: int) -> str:
    return f"#author-{number}"


def _person(number: int, author: dict[str, str]) -> Entity:
    entity = {
        "@id": _person_id(number),
        "@type": "Person" if "family-names" in author else "Organization",
        "name": display_name(author),
    }
    if "affiliation" in author:
        entity["affiliation"] = author["affiliation"]
    if "orcid" in author:
        entity["identifier"] = author["orcid"]
    return entity
