"""ro-crate-preview.html: the RO-Crate as a page for people, without external files."""

from __future__ import annotations

from collections.abc import Sequence

from boardsat.archive import storage
from boardsat.archive.instance_record import InstanceRecord
from boardsat.archive.metadata.readme import byline, evidence
from boardsat.campaign.metadata import About
from boardsat.campaign.report.html_templates import page_template

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


def preview(about: About, records: Sequence[InstanceRecord], crate: bytes) -> bytes:
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
