"""YAML as text with places: every scalar stays a string and knows its file and line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from generators.errors import InputError, choose_from
from generators.limits import SPEC_BYTES
from generators.nodes import Source

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Item:
    """A node of the document."""

    node: yaml.Node
    file: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.node.start_mark.line + 1}"

    def error(self, fault: str, remedy: str = "") -> InputError:
        return InputError(fault, remedy, self.place)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def source(self) -> Source:
        """The text of a scalar, with its place."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.error(
                "a text is needed, not a list or a mapping", "quote it if it has brackets or colons"
            )
        return Source(" ".join(self.node.value.split()), self.place)

    @property
    def text(self) -> str:
        return self.source().text

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
        known = None if allowed is None else set(allowed)
        entries: dict[str, Item] = {}
        for key_node, value in self.node.value:
            key = Item(key_node, self.file)
            if known is not None and key.text not in known:
                raise key.error(f"unknown key {key.text!r}", choose_from(key.text, known))
            if key.text in entries:
                raise key.error(f"{key.text!r} stands twice", "remove one")
            entries[key.text] = Item(value, self.file)
        return entries


def read_yaml(text: str, file: str) -> Item:
    """The document's root. Anchors and aliases are refused: with them a small file can be huge."""
    if len(text) > SPEC_BYTES:
        raise InputError(
            f"a spec of {len(text):,} characters", f"the limit is {SPEC_BYTES:,}", file
        )
    try:
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            raise InputError("an empty spec", "see docs/spec-language.md", file)
        _refuse_aliases(node, file, set())
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(
            f"not YAML: {error.problem}", "quote texts with special characters", f"{file}:{line}"
        ) from None
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {error}", "save it as plain UTF-8 text", file) from None
    except RecursionError:
        raise InputError("nested too deeply", "see docs/spec-language.md", file) from None
    return Item(node, file)


def _refuse_aliases(node: yaml.Node, file: str, seen: set[int]) -> None:
    if id(node) in seen:
        raise Item(node, file).error("an alias (`*name`)", "write the part out again")
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        children = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        children = node.value
    else:
        return
    for child in children:
        _refuse_aliases(child, file, seen)
