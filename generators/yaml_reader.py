"""YAML as text with places: every scalar stays a string and knows its file and line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import yaml

from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.build_limits import YAML_DEPTH, YAML_NODES
from boardsat.generators.language.nodes import ExpressionText

RENAMED_KEYS = {
    "each": ("for_each_size",),
    "give_up": ("stop_after_unsolved",),
    "keeps_counts": ("count_preserving",),
    "like": ("extends",),
    "means": ("description",),
    "models_each": ("models_per_solution",),
    "none": ("unsat_message",),
    "objects": ("counted_objects",),
    "otherwise": ("weight_false", "fallback", "default"),
    "symmetric": ("symmetry_condition",),
    "weight": ("weight_true",),
    "without": ("omit",),
}
"""Names of keys by their names in specs and campaigns from before headers of format 2."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Item(NamedTuple):
    """A node of the document."""

    node: yaml.Node
    file: str
    key: yaml.Node | None = None
    """What it stands under: a reader looks for the line of the name, not for what follows."""

    @property
    def line(self) -> int:
        line: int = (self.key or self.node).start_mark.line
        return line + 1

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}"

    def error(self, fault: str, remedy: str = "") -> InputError:
        return InputError(fault, remedy, self.location)

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def source(self) -> ExpressionText:
        """The text of a scalar, with its place."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.error(
                "a text is needed, not a list or a mapping", "quote it if it has brackets or colons"
            )
        return ExpressionText(" ".join(self.node.value.split()), self.location)

    @property
    def text(self) -> str:
        return self.source().text

    @property
    def lines(self) -> str:
        """The text of a scalar, in lines as it was written: a puzzle is read row by row."""
        return self.text and str(self.node.value).strip()

    def flag(self) -> bool:
        if self.text not in ("true", "false"):
            raise self.error(f"{self.text!r} is not a truth value", "write true or false")
        return self.text == "true"

    def items(self) -> list[Item]:
        """The entries of a list; a single text counts as a list of one."""
        if isinstance(self.node, yaml.SequenceNode):
            return [Item(node, self.file) for node in self.node.value]
        return [self]

    def mapping(self, allowed: Iterable[str] | None = None) -> dict[str, Item]:
        """Keys and values in order; unknown and repeated keys are errors."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error("`key: value` lines are needed", "see docs/spec-language.md")
        entries: dict[str, Item] = {}
        for key_node, value in self.node.value:
            key = Item(key_node, self.file)
            if key.text in entries:
                raise key.error(f"{key.text!r} appears twice", "remove one")
            entries[key.text] = Item(value, self.file, key_node)
        if allowed is not None:
            check_keys(entries, allowed)
        return entries


class Entry(NamedTuple):
    """The keys of an item, with those of the one that it is like, and where it stands."""

    item: Item
    keys: dict[str, Item]


def check_keys(keys: Mapping[str, Item], allowed: Iterable[str]) -> None:
    known = set(allowed)
    for key, item in keys.items():
        if key not in known:
            raise item.error(f"unknown key {key!r}", suggest_key(key, known))


def suggest_key(key: str, known: Collection[str]) -> str:
    """Return the remedy for an unknown key: its present name, the nearest key, or all keys."""
    names = [name for name in RENAMED_KEYS.get(key, ()) if name in known]
    return f"did you mean {names[0]!r}?" if names else suggest(key, known)


def alike(item: Item, known: Mapping[str, Entry], what: str) -> Entry:
    """An entry; where it `extends` one that is known, it says only what differs."""
    keys = item.mapping()
    if "extends" not in keys:
        return Entry(item, keys)
    name = keys["extends"].text
    if name not in known:
        raise keys["extends"].error(f"no {what} {name!r} for `extends`", suggest(name, known))
    own = {key: value for key, value in keys.items() if key != "extends"}
    # What is wholly shared stands where it was written.
    place = item if own else known[name].item
    return Entry(place, {**known[name].keys, **own})


def read_yaml(text: str, file: str, most_nodes: int = YAML_NODES) -> Item:
    """The document's root."""
    try:
        _check_structure(text, file, most_nodes)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(
            " ".join(filter(None, ("not YAML:", error.context, error.problem))),
            "indent by spaces, and quote texts with special characters",
            f"{file}:{line}",
        ) from None
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {error}", "save it as plain UTF-8 text", file) from None
    if node is None:
        raise InputError("an empty spec", "see docs/spec-language.md", file)
    return Item(node, file)


def _check_structure(text: str, file: str, most_nodes: int) -> None:
    """Raise InputError for aliases, too many nodes and deep nesting, before nodes are made.

    Aliases can make a small file huge, and deep nesting overflows the stack of libyaml.
    """
    depth = nodes = 0
    for event in yaml.parse(text, Loader=_Loader):
        place = f"{file}:{event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent):
            raise InputError(f"an alias (`*{event.anchor}`)", "write the part out again", place)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        nodes += isinstance(event, yaml.NodeEvent)
        if nodes > most_nodes:
            raise InputError(
                f"more than {most_nodes:,} texts, lists and mappings",
                "use `for` in a spec, and lists of values in a campaign",
                place,
            )
        if depth > YAML_DEPTH:
            raise InputError(
                f"lists or mappings nested more than {YAML_DEPTH} deep",
                "see docs/spec-language.md",
                place,
            )
