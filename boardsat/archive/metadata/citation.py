"""CITATION.cff, which repositories and reference managers read, and LICENSE.txt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from boardsat.campaign.metadata import ArchiveMetadata


def citation(about: ArchiveMetadata) -> bytes:
    entries: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these instances, please cite them as below.",
        "type": "dataset",
        "title": about.title,
        "authors": [_author(author) for author in about.authors],
    }
    if about.text:
        entries["abstract"] = about.text
    if about.date:
        entries["date-released"] = about.date
    if about.license:
        entries["license"] = about.license
    return yaml.safe_dump(entries, sort_keys=False, allow_unicode=True).encode()


def _author(author: dict[str, str]) -> dict[str, str]:
    entry = dict(author)
    if "orcid" in entry:
        # The format wants the address.
        entry["orcid"] = f"https://orcid.org/{entry['orcid'].rsplit('/', 1)[-1]}"
    return entry


_TEXTS = Path(__file__).parent / "licenses"
"""Texts without blanks to fill in, as data sets have them; named by SPDX."""


def license_text(about: ArchiveMetadata) -> bytes:
    """Return the text of a known license, or a notice that names any other."""
    if not about.license:
        return (
            b"The authors of this archive have named no license. Without one, copyright law\n"
            b"decides what you may do with it; ask the authors for more.\n"
        )
    # The name was checked by a pattern, which has no slash in it.
    known = _TEXTS / f"{about.license}.txt"
    if known.is_file():
        return known.read_bytes()
    return (
        f"The license of this archive is {about.license} (SPDX identifier).\n"
        f"Its text: https://spdx.org/licenses/{about.license}.html\n"
    ).encode()
