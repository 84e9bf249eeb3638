"""GML: `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`, with `directed 1` of arcs.

All else in it is passed over. Vertices have their labels, where all have different ones, or ids.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.labelled_graph import Graph, GraphText, labelled

DEEPEST = 100
"""How deeply lists may be nested."""

TOKENS = 1000
"""Words after which the limits are tested."""

WORD = 150
"""Bytes for a word, which may begin a node or an edge."""

_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<comment>\#[^\n]*)|(?P<text>"[^"]*")|(?P<key>[A-Za-z_]\w*)'
    r"|(?P<value>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<list>[][])",
    re.ASCII,
)

Record = dict[str, str]


@dataclass
class _Found:
    nodes: list[tuple[Record, int]] = field(default_factory=list)
    edges: list[tuple[Record, int]] = field(default_factory=list)
    directed: bool = False
    graphs: int = 0


def read(source: GraphText) -> Graph:
    found = _collect(source)
    ids: dict[str, int] = {}
    for record, line in found.nodes:
        number = _wanted(source, record, "id", "node", line)
        if number in ids:
            raise source.error(line, f"a second node {number[:30]}", "give it another id")
        ids[number] = len(ids)
    edges = []
    for record, line in found.edges:
        ends = [_wanted(source, record, key, "edge", line) for key in ("source", "target")]
        for end in ends:
            if end not in ids:
                raise source.error(line, f"no node {end[:30]}", f"add `node [ id {end[:30]} ]`")
        edges.append((ids[ends[0]], ids[ends[1]], line))
    labels = [record.get("label", "") for record, _ in found.nodes]
    names = labels if all(labels) and len(set(labels)) == len(labels) else list(ids)
    for name, (_, line) in zip(names, found.nodes, strict=True):
        source.name(line, name)
    return labelled(source, names, edges, found.directed)


def _wanted(source: GraphText, record: Record, key: str, kind: str, line: int) -> str:
    if key not in record:
        article = "an" if kind == "edge" else "a"
        raise source.error(line, f"{article} {kind} without `{key}`", "add it")
    return record[key]


def _collect(source: GraphText) -> _Found:
    """The nodes and edges of the graph, each with the line that it begins in."""
    found = _Found()
    path: list[str] = []
    key, record, begun = "", Record(), 1
    line = 1
    for kind, word, line in _tokens(source):
        if kind == "]" and path and not key:
            path.pop()
        elif kind == "key" and not key:
            key = word
        elif not key or kind in ("]", "key"):
            raise source.error(line, f"{word[:30]!r} is not GML here", "write `key value` pairs")
        elif kind == "[":
            path.append(key)
            key = ""
            found.graphs += path == ["graph"]
            if len(path) > DEEPEST or found.graphs > 1:
                fault = "a second graph" if found.graphs > 1 else "lists nested too deeply"
                raise source.error(line, fault, "keep one plain graph")
            if path in (["graph", "node"], ["graph", "edge"]):
                record, begun = {}, line
                (found.nodes if path[1] == "node" else found.edges).append((record, begun))
        else:
            if path == ["graph"] and key == "directed":
                found.directed = word not in ("0", "")
            elif path in (["graph", "node"], ["graph", "edge"]):
                record[key] = word
            key = ""
    if path or key:
        raise source.error(line, "the end of the file inside a list", "close it with `]`")
    return found


def _tokens(source: GraphText) -> Iterator[tuple[str, str, int]]:
    """The kind of every word, which of a bracket is itself, the word, and its line."""
    text, at, line, number = source.text, 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.error(line, f"{text[at : at + 10]!r} is not GML", "quote texts")
        number += 1
        if number % TOKENS == 0:
            checkpoint(WORD * TOKENS)
        word, kind = match[0], str(match.lastgroup)
        if kind == "text":
            yield kind, html.unescape(word[1:-1]), line
        elif kind not in ("space", "comment"):
            yield (word if kind == "list" else kind), word, line
        if kind in ("space", "text"):
            line += word.count("\n")
        at = match.end()
