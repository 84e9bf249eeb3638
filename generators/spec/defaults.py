"""The default encodings of a problem: `defaults` and `exceptions` in its problem.yaml."""

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
"""What a formula is for, as in: the default for solving."""


class DefaultException(NamedTuple):
    """Another default for some boards: `solve: ENCODING`, `if` a condition holds, `because`."""

    purpose: str
    encoding: str
    definitions: dict[str, ExpressionText]
    """Names for what the condition and the words speak of."""
    condition: ExpressionText
    because: ExpressionText
    """In words, with `{expression}` parts; as in: the default for solving: ..."""


def read_exceptions(item: Item, known: Collection[str]) -> list[DefaultException]:
    """The exceptions in their order: the first that holds is meant."""
    return [_exception(entry, known) for entry in item.items()]


def _exception(item: Item, known: Collection[str]) -> DefaultException:
    keys = item.mapping((*PURPOSES, "define", "if", "because"))
    purposes = [key for key in keys if key in PURPOSES]
    if len(purposes) != 1 or not {"if", "because"} <= keys.keys():
        remedy = "write `solve: ENCODING`, `if: CONDITION` and `because: WORDS`"
        raise item.error("an exception lacks a part, or has too many", remedy)
    (purpose,) = purposes
    if keys[purpose].text not in known:
        fault = f"no encoding {keys[purpose].text!r} to {purpose} with"
        raise keys[purpose].error(fault, suggest(keys[purpose].text, known))
    named = keys["define"].mapping() if "define" in keys else {}
    definitions = {name: entry.source() for name, entry in named.items()}
    condition, because = keys["if"].source(), keys["because"].source()
    return DefaultException(purpose, keys[purpose].text, definitions, condition, because)


def read_defaults(item: Item, known: Collection[str]) -> dict[str, list[str]]:
    """The encodings for each purpose, of those that the problem has: the best first.

    The others are for boards that the ones before them do not support.
    """
    entries = item.mapping(PURPOSES)
    found = {purpose: split(entry.text, entry.location) for purpose, entry in entries.items()}
    for purpose, names in found.items():
        for name in names:
            if name not in known:
                raise entries[purpose].error(
                    f"no encoding {name!r} to {purpose} with", suggest(name, known)
                )
    if missing := [purpose for purpose in PURPOSES if purpose not in entries]:
        raise item.error(f"no encoding to {missing[0]} with", f"write `{missing[0]}: ENCODING`")
    return found
