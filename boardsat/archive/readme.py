"""Documents of an archive for people: README.md, CITATION.cff, LICENSE.txt, RO-Crate preview."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from boardsat.adapters.answer import Status
from boardsat.archive import storage
from boardsat.archive.instance_record import InstanceRecord
from boardsat.base.text import pluralize
from boardsat.campaign.parser import ArchiveMetadata, display_name
from boardsat.campaign.report import page_template
from boardsat.generators.formats import CNF

FORMATS = {
    CNF: "formula in DIMACS CNF",
    "wcnf": "formula in WCNF, with hard and soft clauses for MaxSAT solvers",
    "opb": "formula in OPB, with linear constraints for pseudo-Boolean solvers",
    "knf": "formula in KNF, with clauses and cardinality constraints",
}


def readme(metadata: ArchiveMetadata, records: Sequence[InstanceRecord]) -> bytes:
    """Return README.md: content of the archive, and how to verify and regenerate it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("boardsat.archive"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": _cell, "shell": shlex.quote}
    formats = {record.recipe.format or CNF for record in records}
    models = (record.evidence.model for record in records if record.evidence.model)
    proved_records = (record for record in records if record.evidence.proof)
    text: str = environment.get_template("README.md.j2").render(
        title=" ".join(metadata.title.split()),
        about=metadata.text,
        byline=byline(metadata),
        license=metadata.license,
        files=storage,
        number=pluralize(len(records), "instance"),
        tool=", ".join(sorted({record.tool for record in records})),
        formats={
            name: FORMATS.get(name, f"formula in the format {name}")
            for name in [*FORMATS, *sorted(formats - FORMATS.keys())]
            if name in formats
        },
        formula=records[0].formula,
        model=next(models, None),
        proved=next(proved_records, None),
        evidence=evidence_summary(records),
        statuses=_statuses(records),
        specs=_specs(records),
        own_files=any(map(_names_file, records)),
    )
    return text.encode()


def byline(metadata: ArchiveMetadata) -> str:
    """Return the authors and the date of publication in one line."""
    names = ", ".join(display_name(author) for author in metadata.authors)
    return f"{names}, {metadata.date}" if metadata.date else names


def evidence_summary(records: Sequence[InstanceRecord]) -> str:
    """Return how many answers have a model or a proof in the archive."""
    models = sum(record.evidence.model is not None for record in records)
    proofs = sum(record.evidence.proof is not None for record in records)
    return (
        f"{pluralize(models, 'instance')} with a model that was checked, "
        f"{proofs:,} with a verified proof of unsatisfiability"
    )


def _specs(records: Sequence[InstanceRecord]) -> list[dict[str, Any]]:
    """Return a row of the table of specs for each spec, in the order of the instances."""
    groups: dict[str, list[InstanceRecord]] = {}
    for record in records:
        groups.setdefault(record.recipe.spec.name, []).append(record)
    statuses = _statuses(records)
    rows = []
    for name, members in groups.items():
        status_counts = Counter(record.evidence.status for record in members)
        rows.append(
            {
                "name": name,
                "title": members[0].title,
                "instances": len(members),
                "variables": _range(record.identity.variables for record in members),
                "clauses": _range(record.identity.clauses for record in members),
                "statuses": [status_counts[status] for status in statuses],
            }
        )
    return rows


def _statuses(records: Sequence[InstanceRecord]) -> list[str]:
    """Return the names of the statuses that occur, in the order of their definition."""
    names = {record.evidence.status for record in records}
    return [status.name for status in Status if status.name in names]


def _range(numbers: Iterable[int]) -> str:
    """Return `low to high`, or the number alone if all are equal."""
    ordered = sorted(numbers)
    low, high = ordered[0], ordered[-1]
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _names_file(record: InstanceRecord) -> bool:
    """Return whether the campaign names a spec or graph file, which is not in the archive."""
    return "/" not in record.recipe.spec.name or bool(record.recipe.graphs)


def _cell(text: object) -> str:
    """Escape a text for a cell of a table."""
    return " ".join(str(text).split()).replace("|", r"\|")


def citation(metadata: ArchiveMetadata) -> bytes:
    """Return CITATION.cff, which repositories and reference managers read."""
    entries: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these instances, please cite them as below.",
        "type": "dataset",
        "title": metadata.title,
        "authors": [_cff_author(author) for author in metadata.authors],
    }
    if metadata.text:
        entries["abstract"] = metadata.text
    if metadata.date:
        entries["date-released"] = metadata.date
    if metadata.license:
        entries["license"] = metadata.license
    return yaml.safe_dump(entries, sort_keys=False, allow_unicode=True).encode()


def _cff_author(author: dict[str, str]) -> dict[str, str]:
    """Return an author with the ORCID as a URL, which the Citation File Format requires."""
    if "orcid" not in author:
        return dict(author)
    return author | {"orcid": f"https://orcid.org/{author['orcid'].rsplit('/', 1)[-1]}"}


_LICENSE_FOLDER = Path(__file__).parent / "licenses"
"""Folder with the texts of licenses that have no blanks to fill in, named by SPDX identifiers."""


def license_text(metadata: ArchiveMetadata) -> bytes:
    """Return LICENSE.txt: the text of a known license, or a notice that names any other."""
    if not metadata.license:
        return (
            b"The authors of this archive have named no license. Without one, copyright law\n"
            b"decides what you may do with it; ask the authors for more.\n"
        )
    # The identifier was matched with a pattern that has no slash.
    text_file = _LICENSE_FOLDER / f"{metadata.license}.txt"
    if text_file.is_file():
        return text_file.read_bytes()
    return (
        f"The license of this archive is {metadata.license} (SPDX identifier).\n"
        f"Its text: https://spdx.org/licenses/{metadata.license}.html\n"
    ).encode()


FILE_DESCRIPTIONS = {
    storage.README: "content of the archive, and how to verify and regenerate it",
    storage.LICENSE: "license",
    storage.CITATION: "citation",
    storage.TABLE: "table of instances, with more columns",
    storage.DATABASE: "database for GBD",
    storage.CAMPAIGN: "campaign that lists the instances and solvers",
    storage.CRATE: "linked data about every file",
    storage.MANIFEST: f"SHA-256 of every other file: sha256sum --check {storage.MANIFEST}",
}


def preview(metadata: ArchiveMetadata, records: Sequence[InstanceRecord], crate: bytes) -> bytes:
    """Return the HTML preview; `crate` is the content of ro-crate-metadata.json."""
    text = page_template("preview.html.j2", "boardsat.archive").render(
        about=metadata,
        byline=byline(metadata),
        evidence=evidence_summary(records),
        records=records,
        descriptions=FILE_DESCRIPTIONS,
        # `<` occurs only inside JSON strings; escaped, it cannot end the script element.
        json=crate.decode().replace("<", "\\u003c"),
    )
    return f"{text}\n".encode()
