"""YAML reader that keeps scalars as texts, with their source locations (file and line)."""

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
"""Present names of keys by their names before header format 2, in specs and campaigns."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Item(NamedTuple):
    """Node of a YAML document."""

    node: yaml.Node
    file: str
    key: yaml.Node | None = None
    """Key of the node in its mapping, whose line is the location of errors. None without a key."""

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
        """Return the text of a scalar, on one line, with its location."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.error(
                "the value must be a text, not a list or mapping",
                "quote it if it has brackets or colons",
            )
        return ExpressionText(" ".join(self.node.value.split()), self.location)

    @property
    def text(self) -> str:
        return self.source().text

    @property
    def lines(self) -> str:
        """Text of a scalar with its line breaks, which separate the rows of a table."""
        return self.text and str(self.node.value).strip()

    def flag(self) -> bool:
        """Return the truth value of a scalar."""
        if self.text not in ("true", "false"):
            fault = f"the value must be true or false (got {self.text!r})"
            raise self.error(fault, "write true or false")
        return self.text == "true"

    def items(self) -> list[Item]:
        """Return the entries of a list; a single text is a list of one entry."""
        if isinstance(self.node, yaml.SequenceNode):
            return [Item(node, self.file) for node in self.node.value]
        return [self]

    def mapping(self, allowed: Iterable[str] | None = None) -> dict[str, Item]:
        """Return the entries by key, in order; raise InputError for unknown and repeated keys."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error("the value must be a mapping", "write `key: value` lines")
        entries: dict[str, Item] = {}
        for key_node, node in self.node.value:
            key = Item(key_node, self.file)
            if key.text in entries:
                raise key.error(f"the key {key.text!r} must occur once", "remove one of them")
            entries[key.text] = Item(node, self.file, key_node)
        if allowed is not None:
            check_keys(entries, allowed)
        return entries


class Entry(NamedTuple):
    """Mapping completed by the keys of the entry that it extends."""

    item: Item
    keys: dict[str, Item]


def check_keys(keys: Mapping[str, Item], allowed: Iterable[str]) -> None:
    """Raise InputError for an unknown key."""
    allowed_keys = set(allowed)
    for key, item in keys.items():
        if key not in allowed_keys:
            raise item.error(f"unknown key {key!r}", suggest_key(key, allowed_keys))


def suggest_key(key: str, allowed: Collection[str]) -> str:
    """Return the remedy for an unknown key: its present name, the nearest key, or all keys."""
    names = [name for name in RENAMED_KEYS.get(key, ()) if name in allowed]
    return f"did you mean {names[0]!r}?" if names else suggest(key, allowed)


def extend(item: Item, entries: Mapping[str, Entry], kind: str) -> Entry:
    """Return an entry, completed by the keys of the entry that its key `extends` names."""
    keys = item.mapping()
    if "extends" not in keys:
        return Entry(item, keys)
    name = keys["extends"].text
    if name not in entries:
        raise keys["extends"].error(f"no {kind} {name!r} for `extends`", suggest(name, entries))
    overrides = {key: entry for key, entry in keys.items() if key != "extends"}
    # The location of an entry that overrides nothing is that of the entry it extends.
    return Entry(item if overrides else entries[name].item, {**entries[name].keys, **overrides})


def read_yaml(text: str, file: str, max_nodes: int = YAML_NODES) -> Item:
    """Return the root of a document.

    Parameters
    ----------
    text : str
        YAML without aliases.
    file : str
        Name of the file, for errors.
    max_nodes : int
        Maximum number of texts, lists and mappings.

    Raises
    ------
    InputError
        If the text is not YAML, is empty, has an alias, or exceeds a limit.
    """
    try:
        _check_structure(text, file, max_nodes)
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
        raise InputError("the file is empty", "see docs/spec-language.md", file)
    return Item(node, file)


def _check_structure(text: str, file: str, max_nodes: int) -> None:
    """Raise InputError for aliases, too many nodes and deep nesting, before nodes are made.

    Aliases can make a small file huge, and deep nesting overflows the stack of libyaml.
    """
    depth = nodes = 0
    for event in yaml.parse(text, Loader=_Loader):
        location = f"{file}:{event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent):
            fault = f"aliases are not supported (`*{event.anchor}`)"
            raise InputError(fault, "write the entry out again", location)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        nodes += isinstance(event, yaml.NodeEvent)
        if nodes > max_nodes:
            fault = f"a file must have at most {max_nodes:,} texts, lists and mappings"
            remedy = "use `for` in a spec, and lists of values in a campaign"
            raise InputError(fault, remedy, location)
        if depth > YAML_DEPTH:
            fault = f"lists and mappings must be nested at most {YAML_DEPTH} deep"
            raise InputError(fault, "see docs/spec-language.md", location)
