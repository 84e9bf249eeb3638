"""Metadata of an archive in a campaign: title, authors, date, license and compression."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from boardsat.base.compression import EFFORTS, QUICK
from boardsat.campaign.scalars import one_of
from boardsat.generators.yaml_reader import Item

KEYS = ("title", "about", "authors", "date", "license", "compression")
AUTHOR_KEYS = ("given-names", "family-names", "affiliation", "orcid")
"""As the Citation File Format calls them."""

TITLE = "Instances made by boardsat"
TOOL = {"name": "boardsat"}
"""Who made the files, where the campaign names no author."""


@dataclass(frozen=True)
class ArchiveMetadata:
    title: str
    text: str
    authors: tuple[dict[str, str], ...]
    date: str
    license: str
    compression: str


def parse_metadata(entries: Mapping[str, Item]) -> ArchiveMetadata:
    """From the entries of a campaign; all of them may be missing."""
    authors = entries["authors"].items() if "authors" in entries else []
    return ArchiveMetadata(
        title=entries["title"].text if "title" in entries else TITLE,
        text=entries["about"].text if "about" in entries else "",
        authors=tuple(_author(item) for item in authors) or (TOOL,),
        date=_matching(entries, "date", r"\d{4}-\d\d-\d\d", "write YYYY-MM-DD"),
        license=_matching(entries, "license", r"[\w.+-]+", "write its SPDX name, as CC-BY-4.0"),
        compression=one_of(entries["compression"], EFFORTS) if "compression" in entries else QUICK,
    )


def display_name(author: Mapping[str, str]) -> str:
    if "name" in author:
        return author["name"]
    return f"{author.get('given-names', '')} {author.get('family-names', '')}".strip()


def _author(item: Item) -> dict[str, str]:
    if item.is_scalar:
        return {"name": item.text}
    return {key: value.text for key, value in item.mapping(AUTHOR_KEYS).items()}


def _matching(entries: Mapping[str, Item], key: str, pattern: str, remedy: str) -> str:
    if key not in entries:
        return ""
    if not re.fullmatch(pattern, entries[key].text, re.ASCII):
        raise entries[key].error(f"no {key} {entries[key].text[:40]!r}", remedy)
    return entries[key].text
