"""YAML to a Spec: the only reader of specs. It checks their form and refuses unknown keys."""

from __future__ import annotations

from collections.abc import Sequence

from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators.graphs.constructions import EXAMPLES, KINDS, names_one
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import is_name
from boardsat.generators.schema import (
    GOALS,
    GROUPS,
    TYPES,
    Aim,
    Definition,
    Parameter,
    Published,
    Spec,
    VariableDeclaration,
)
from boardsat.generators.spec.constraint_reader import read_constraint
from boardsat.generators.spec.view_reader import is_ground, read_ground, read_view
from boardsat.generators.yaml_reader import Entry, Item, alike, refuse_unknown

TOP_LEVEL_KEYS = {
    "title",
    "cite",
    "about",
    "group",
    "like",
    "without",
    "label",
    "keeps_counts",
    "symmetric",
    "objects",
    "none",
    "models_each",
    "published",
    "params",
    "board",
    "define",
    "variables",
    "constraints",
    "projection",
    "decode",
    *GOALS,
}

PROBLEM_KEYS = {"defaults", "exceptions", "encodings"}
"""More of them, in the file that says what the encodings of a problem share."""

TABLE_KEYS = ("shape", "signs", "missing", "keys")
"""Of a parameter that is a table."""

LONGEST_COUNT = 4000
"""Digits of a published count."""

Layer = dict[str, Item]
"""The top-level entries of a spec."""


class SpecReader:
    """Turns the entries of a spec, after those of the specs that it is like, into a Spec."""

    def __init__(self, name: str, file: str, digest: str, layers: Sequence[Layer]) -> None:
        self.name, self.file, self.digest, self.layers = name, file, digest, layers
        self.entries = {key: item for layer in layers for key, item in layer.items()}
        """Of every key the last: what a spec says replaces what the one it is like says."""

    def spec(self) -> Spec:
        entries = self.entries
        for key in ("title", "variables", "constraints"):
            if key not in entries:
                raise InputError(
                    f"the key `{key}` is missing", "see docs/spec-language.md", self.file
                )
        board = entries.get("board")
        parameters, definitions = self.named()
        shown = _list(entries, "decode")
        return Spec(
            name=self.name,
            file=self.file,
            sha256=self.digest,
            title=self.title(),
            cite=_text(entries, "cite"),
            about=_text(entries, "about"),
            group=self.group(),
            label=_source(entries, "label"),
            keeps_counts="keeps_counts" in entries and entries["keeps_counts"].flag(),
            symmetric=_source(entries, "symmetric"),
            objects=_source(entries, "objects"),
            none=_source(entries, "none"),
            models_each=_source(entries, "models_each"),
            published=tuple(self.published(item) for item in _list(entries, "published")),
            parameters=tuple(self.parameter(*pair) for pair in parameters.items()),
            board={key: item.source() for key, item in board.mapping().items()} if board else None,
            board_place=board.place if board else self.file,
            definitions=tuple(self.definition(*pair) for pair in definitions.items()),
            variables=tuple(self.variable(name, entry) for name, entry in self.variables()),
            constraints=tuple(read_constraint(*entry) for entry in self.constraints()),
            projection=tuple(part.source() for part in _list(entries, "projection")),
            decode=tuple(read_view(item) for item in shown if not is_ground(item)),
            ground=read_ground([item for item in shown if is_ground(item)]),
            goal=self.goal(),
        )

    def title(self) -> str:
        title = self.entries["title"].text
        if lent := self.layers[-1].get("encodings"):
            return f"{title}, encoded as {lent.text}/{self.name.rpartition('/')[2]}"
        return title

    def group(self) -> str:
        group = _text(self.entries, "group")
        if group and group not in GROUPS:
            raise self.entries["group"].error(f"no group {group[:30]!r}", suggest(group, GROUPS))
        return group

    def goal(self) -> Aim | None:
        """That of the last layer that has one."""
        for layer in reversed(self.layers):
            words = [word for word in GOALS if word in layer]
            if len(words) > 1:
                raise layer[words[1]].error("`minimize` and `maximize`", "write one of them")
            if words:
                return Aim(words[0], layer[words[0]].source())
        return None

    def named(self) -> tuple[dict[str, Item], dict[str, Item]]:
        """Parameters and definitions: a later layer leaves some out, replaces some, adds more."""
        parameters: dict[str, Item] = {}
        definitions: dict[str, Item] = {}
        for layer in self.layers:
            for word in _text(layer, "without").replace(",", " ").split():
                if word not in parameters.keys() | definitions.keys():
                    raise layer["without"].error(
                        f"no parameter or definition {word!r} to leave out",
                        suggest(word, {**parameters, **definitions}),
                    )
                parameters.pop(word, None)
                definitions.pop(word, None)
            parameters |= _named(layer["params"]) if "params" in layer else {}
            definitions |= _named(layer["define"]) if "define" in layer else {}
        return parameters, definitions

    def variables(self) -> list[tuple[str, Entry]]:
        """Those of the last layer that has any, each after the one that it is like."""
        named: dict[str, Entry] = {}
        known: dict[str, Entry] = {}
        for layer in self.layers:
            if "variables" in layer:
                items = _named(layer["variables"]).items()
                named = {name: alike(item, known, "variable") for name, item in items}
                known |= named
        return list(named.items())

    def constraints(self) -> list[Entry]:
        """The same; a constraint is known by its name, if it has one."""
        entries: list[Entry] = []
        known: dict[str, Entry] = {}
        for layer in self.layers:
            if "constraints" in layer:
                entries = [
                    alike(item, known, "constraint") for item in layer["constraints"].items()
                ]
                known |= {e.keys["name"].text: e for e in entries if "name" in e.keys}
        return entries

    def parameter(self, name: str, item: Item) -> Parameter:
        if item.is_scalar:
            default: ExpressionText | None = item.source()
            return Parameter(name, _guess(item.text), default, None, None, (), "", item.place)
        keys = item.mapping(
            ("type", "default", "min", "max", "one_of", "means", "same", "any", "kind", *TABLE_KEYS)
        )
        default = _source(keys, "default")
        choices = tuple(_text(keys, "one_of").replace(",", " ").split())
        kind = _text(keys, "type") or (
            "choice" if choices else _guess(default.text if default else "0")
        )
        if kind not in TYPES:
            raise keys["type"].error(f"no parameter type {kind!r}", suggest(kind, TYPES))
        of_graph = self.kind_of_graph(name, kind, keys)
        least = _source(keys, "min")
        most = _source(keys, "max")
        if (least or most) and kind not in ("int", "numbers"):
            raise item.error(f"bounds on a parameter of type {kind}", "remove min and max")
        same, anywhere = _source(keys, "same"), _source(keys, "any")
        if (same or anywhere) and kind != "cell":
            raise item.error(f"`same` or `any` of type {kind}", "only a cell can be any: remove it")
        for key in TABLE_KEYS:
            if key in keys and kind != "numbers":
                raise keys[key].error(f"`{key}` of type {kind}", "it goes with `type: numbers`")
        if default and kind == "numbers":
            default = default._replace(text=keys["default"].lines)
        means = _text(keys, "means")
        return Parameter(
            *(name, kind, default, least, most, choices, means, item.place, same, anywhere),
            *(_source(keys, "shape"), _text(keys, "signs"), _source(keys, "missing")),
            kind=of_graph,
            keys=_text(keys, "keys"),
        )

    def kind_of_graph(self, name: str, kind: str, keys: dict[str, Item]) -> str:
        of_graph = _text(keys, "kind")
        if "kind" in keys and kind != "graph":
            raise keys["kind"].error(f"`kind` of type {kind}", "it goes with `type: graph`")
        if of_graph not in KINDS or ("kind" in keys and not of_graph):
            known = [word for word in KINDS if word]
            raise keys["kind"].error(f"no kind of graph {of_graph!r}", suggest(of_graph, known))
        if kind == "graph" and "default" in keys:
            text = keys["default"].text
            # A spec from anywhere must not be able to read a file.
            if not names_one(of_graph, text):
                also = f"or let users choose by --set {name}=FILE"
                fault = "the default of a graph must be a construction"
                raise keys["default"].error(
                    fault, f"write one such as `{EXAMPLES[of_graph]}`, {also}"
                )
        return of_graph

    def definition(self, name: str, item: Item) -> Definition:
        if item.is_scalar:
            return Definition(name, item.place, expression=item.source())
        keys = item.mapping(("for", "if", "give", "by"))
        if "for" not in keys:
            raise item.error("a set needs `for`", "write `for: i in cells`")
        return Definition(
            name,
            item.place,
            None,
            *(keys[key].source() if key in keys else None for key in ("for", "if", "give", "by")),
        )

    def variable(self, name: str, entry: Entry) -> VariableDeclaration:
        keys = entry.keys
        told = ("for", "if", "begins_with", "means", "values", "weight", "otherwise")
        refuse_unknown(keys, told)
        return VariableDeclaration(name, entry.item.place, *(_source(keys, key) for key in told))

    def published(self, item: Item) -> Published:
        keys = item.mapping(("count", "if", "cite"))
        for key in ("count", "cite"):
            if key not in keys:
                raise item.error(f"a published count needs `{key}`", "write count, if and cite")
        digits = keys["count"].text
        if not digits.isdecimal() or len(digits) > LONGEST_COUNT:
            raise keys["count"].error(f"{digits[:40]!r} is not a count", "write a whole number")
        return Published(item.place, int(digits), _source(keys, "if"), keys["cite"].text)


def _text(entries: dict[str, Item], key: str) -> str:
    return entries[key].text if key in entries else ""


def _source(entries: dict[str, Item], key: str) -> ExpressionText | None:
    return entries[key].source() if key in entries else None


def _list(entries: dict[str, Item], key: str) -> list[Item]:
    return entries[key].items() if key in entries else []


def _guess(default: str) -> str:
    """The type of a parameter that does not say: a truth value or a number."""
    return "bool" if default in ("true", "false") else "int"


def _named(section: Item) -> dict[str, Item]:
    """The entries of a section, whose keys must be names."""
    named = section.mapping()
    for name, item in named.items():
        if not is_name(name):
            raise item.error(
                f"{name!r} cannot be a name",
                "use letters, digits and _; no word of the language, nothing that begins with cnf",
            )
    return named
