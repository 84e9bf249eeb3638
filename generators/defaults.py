"""The default encodings of a problem: `defaults` in its problem.yaml."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from boardsat.generators.errors import choose_from

if TYPE_CHECKING:
    # A help text names the purposes, and does not wait for a reader of YAML.
    from boardsat.generators.yaml_reader import Item

SOLVE, COUNT, WRITE = "solve", "count", "write"

PURPOSES = {SOLVE: "solving", COUNT: "counting", WRITE: "files"}
"""What a formula is for, as in: the default for solving."""


def read_defaults(item: Item, known: Collection[str]) -> dict[str, str]:
    """The encoding for each purpose: one of those that the problem has."""
    entries = item.mapping(PURPOSES)
    for purpose, entry in entries.items():
        if entry.text not in known:
            raise entry.error(
                f"no encoding {entry.text!r} to {purpose} with", choose_from(entry.text, known)
            )
    if missing := [purpose for purpose in PURPOSES if purpose not in entries]:
        raise item.error(f"no encoding to {missing[0]} with", f"write `{missing[0]}: ENCODING`")
    return {purpose: entry.text for purpose, entry in entries.items()}
