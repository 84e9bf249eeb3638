"""Default encodings of a problem: `defaults` and `exceptions` in its problem.yaml."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from boardsat.base.text import suggest
from boardsat.generators.option_values import split

if TYPE_CHECKING:
    # A help text names the purposes, and does not wait for a reader of YAML.
    from boardsat.generators.language.nodes import ExpressionText
    from boardsat.generators.yaml_reader import Item

SOLVE, COUNT, WRITE = "solve", "count", "write"

PURPOSES = {SOLVE: "solving", COUNT: "counting", WRITE: "files"}
"""Purposes of a formula, and their names in sentences."""


class DefaultException(NamedTuple):
    """Default encoding for boards on which a condition holds."""

    purpose: str
    encoding: str
    definitions: dict[str, ExpressionText]
    """Definitions that the condition and the reason may use."""
    condition: ExpressionText
    because: ExpressionText
    """Reason, a text with `{expression}` parts."""


def read_exceptions(item: Item, encodings: Collection[str]) -> list[DefaultException]:
    """Return the exceptions in their order; the first one that holds applies."""
    return [_read_exception(entry, encodings) for entry in item.items()]


def _read_exception(item: Item, encodings: Collection[str]) -> DefaultException:
    keys = item.mapping((*PURPOSES, "define", "if", "because"))
    purposes = [key for key in keys if key in PURPOSES]
    if len(purposes) != 1 or not {"if", "because"} <= keys.keys():
        remedy = "write `solve: ENCODING`, `if: CONDITION` and `because: REASON`"
        raise item.error("an exception needs one purpose, `if` and `because`", remedy)
    (purpose,) = purposes
    encoding = _check_encoding(keys[purpose], keys[purpose].text, purpose, encodings)
    entries = keys["define"].mapping() if "define" in keys else {}
    definitions = {name: entry.source() for name, entry in entries.items()}
    condition, because = keys["if"].source(), keys["because"].source()
    return DefaultException(purpose, encoding, definitions, condition, because)


def _check_encoding(item: Item, name: str, purpose: str, encodings: Collection[str]) -> str:
    """Return the name of an encoding; raise InputError if the problem does not have it."""
    if name not in encodings:
        raise item.error(f"no encoding {name!r} to {purpose} with", suggest(name, encodings))
    return name


def read_defaults(item: Item, encodings: Collection[str]) -> dict[str, list[str]]:
    """Return the encodings for each purpose: the default, then fallbacks for other boards."""
    entries = item.mapping(PURPOSES)
    defaults = {
        purpose: [
            _check_encoding(entry, name, purpose, encodings)
            for name in split(entry.text, entry.location)
        ]
        for purpose, entry in entries.items()
    }
    if missing := [purpose for purpose in PURPOSES if purpose not in entries]:
        raise item.error(f"no encoding to {missing[0]} with", f"write `{missing[0]}: ENCODING`")
    return defaults
