"""The default encodings of a problem: `defaults` in its problem.yaml."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from boardsat.generators.choices import split
from boardsat.generators.errors import choose_from

if TYPE_CHECKING:
    # A help text names the purposes, and does not wait for a reader of YAML.
    from boardsat.generators.yaml_reader import Item

SOLVE, COUNT, WRITE = "solve", "count", "write"

PURPOSES = {SOLVE: "solving", COUNT: "counting", WRITE: "files"}
"""What a formula is for, as in: the default for solving."""


def read_defaults(item: Item, known: Collection[str]) -> dict[str, list[str]]:
    """The encodings for each purpose, of those that the problem has: the best first.

    The others are for boards that the ones before them do not support.
    """
    entries = item.mapping(PURPOSES)
    found = {purpose: split(entry.text, entry.place) for purpose, entry in entries.items()}
    for purpose, names in found.items():
        for name in names:
            if name not in known:
                raise entries[purpose].error(
                    f"no encoding {name!r} to {purpose} with", choose_from(name, known)
                )
    if missing := [purpose for purpose in PURPOSES if purpose not in entries]:
        raise item.error(f"no encoding to {missing[0]} with", f"write `{missing[0]}: ENCODING`")
    return found
