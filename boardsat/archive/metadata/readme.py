"""README.md and the RO-Crate preview: content of an archive and how to verify it, for people."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from boardsat.adapters.answer import Status
from boardsat.archive import storage
from boardsat.archive.instance_record import InstanceRecord
from boardsat.base.text import pluralize
from boardsat.campaign.metadata import ArchiveMetadata, display_name
from boardsat.campaign.report.html_templates import page_template
from boardsat.generators.formats import CNF

FORMATS = {
    CNF: "formula in DIMACS CNF",
    "wcnf": "formula in WCNF, with hard and soft clauses for MaxSAT solvers",
    "opb": "formula in OPB, with linear constraints for pseudo-Boolean solvers",
    "knf": "formula in KNF, with clauses and cardinality constraints",
}


def readme(about: ArchiveMetadata, records: Sequence[InstanceRecord]) -> bytes:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("boardsat.archive.metadata"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    used = {record.recipe.format or CNF for record in records}
    environment.filters |= {"cell": _cell, "shell": shlex.quote}
    text: str = environment.get_template("README.md.j2").render(
        title=" ".join(about.title.split()),
        about=about.text,
        byline=byline(about),
        license=about.license,
        files=storage,
        number=pluralize(len(records), "instance"),
        tool=", ".join(sorted({record.tool for record in records})),
        formats={name: text for name, text in FORMATS.items() if name in used},
        formula=records[0].formula,
        model=_first(record.evidence.model for record in records),
        proved=_first(record if record.evidence.proof else None for record in records),
        evidence=evidence(records),
        statuses=_statuses(records),
        specs=_specs(records),
        own_files=any(map(_names_own_file, records)),
    )
    return text.encode()


def byline(about: ArchiveMetadata) -> str:
    """Return the authors and the date of publication in one line."""
    names = ", ".join(display_name(author) for author in about.authors)
    return f"{names}, {about.date}" if about.date else names


def evidence(records: Sequence[InstanceRecord]) -> str:
    """Summarize which answers are backed by a file of the archive."""
    known = [record.evidence for record in records]
    models = sum(each.model is not None for each in known)
    proofs = sum(each.proof is not None for each in known)
    return (
        f"{pluralize(models, 'instance')} with a model that was checked, "
        f"{proofs:,} with a verified proof of unsatisfiability"
    )


def _specs(records: Sequence[InstanceRecord]) -> list[dict[str, Any]]:
    """Return a row of the table for each spec, in the order of the instances."""
    groups: dict[str, list[InstanceRecord]] = {}
    for record in records:
        groups.setdefault(record.recipe.spec.name, []).append(record)
    statuses = _statuses(records)
    rows = []
    for name, members in groups.items():
        numbers = Counter(record.evidence.status for record in members)
        rows.append(
            {
                "name": name,
                "title": members[0].title,
                "instances": len(members),
                "variables": _range(record.identity.variables for record in members),
                "clauses": _range(record.identity.clauses for record in members),
                "statuses": [numbers[status] for status in statuses],
            }
        )
    return rows


def _statuses(records: Sequence[InstanceRecord]) -> list[str]:
    occurring = {record.evidence.status for record in records}
    return [status.name for status in Status if status.name in occurring]


def _range(numbers: Iterable[int]) -> str:
    values = [*numbers]
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _names_own_file(record: InstanceRecord) -> bool:
    """Whether the campaign names a spec or a graph by a file, which is not in the folder."""
    return "/" not in record.recipe.spec.name or bool(record.recipe.graphs)


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value is not None), None)


def _cell(text: object) -> str:
    """Escape a text for a cell of a table."""
    return " ".join(str(text).split()).replace("|", r"\|")


DESCRIPTIONS = {
    storage.README: "what this is, and how to verify and regenerate it",
    storage.LICENSE: "the license",
    storage.CITATION: "how to cite it",
    storage.TABLE: "the table of instances, with more columns",
    storage.DATABASE: "database for GBD",
    storage.CAMPAIGN: "the list of instances and solvers from which all was made",
    storage.CRATE: "linked data about every file",
    storage.MANIFEST: f"SHA-256 of every other file: sha256sum --check {storage.MANIFEST}",
}


def preview(about: ArchiveMetadata, records: Sequence[InstanceRecord], crate: bytes) -> bytes:
    """Render the page; `crate` is the content of ro-crate-metadata.json."""
    text = page_template("preview.html.j2", "boardsat.archive.metadata").render(
        about=about,
        byline=byline(about),
        evidence=evidence(records),
        records=records,
        descriptions=DESCRIPTIONS,
        # In JSON it occurs in texts alone, and nothing may end the script element.
        json=crate.decode().replace("<", "\\u003c"),
    )
    return f"{text}\n".encode()
