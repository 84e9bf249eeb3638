"""Which encoding of a problem is meant where none is named: its file defaults.yaml says so."""

from __future__ import annotations

from collections.abc import Collection

from generators.errors import InputError, choose_from

NAME = "defaults"
"""The file in the folder of a problem: no encoding is called so."""

SOLVE, COUNT, WRITE = "solve", "count", "write"

PURPOSES = {SOLVE: "solving", COUNT: "counting", WRITE: "files"}
"""What a formula is for, as in: the default for solving."""


def read_defaults(text: str, file: str, known: Collection[str]) -> dict[str, str]:
    """The encoding for each purpose: one of those that the problem has."""
    # A help text names the purposes, and does not wait for a reader of YAML.
    from generators.yaml_reader import read_yaml

    entries = read_yaml(text, file).mapping(PURPOSES)
    for purpose, item in entries.items():
        if item.text not in known:
            raise item.error(
                f"no encoding {item.text!r} to {purpose} with", choose_from(item.text, known)
            )
    if missing := [purpose for purpose in PURPOSES if purpose not in entries]:
        raise InputError(
            f"no encoding to {missing[0]} with", f"write `{missing[0]}: ENCODING`", file
        )
    return {purpose: item.text for purpose, item in entries.items()}
