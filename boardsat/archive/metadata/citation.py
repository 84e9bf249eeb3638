"""CITATION.cff, which repositories and reference managers read."""

from __future__ import annotations

from typing import Any

import yaml

from boardsat.campaign.metadata import About


def citation(about: About) -> bytes:
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
