"""GML: `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`; `directed 1` for arcs.

Other keys are ignored. Vertices are named by their labels if these are distinct, else by their ids.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.labelled_graph import Graph, GraphText, labelled

MAX_DEPTH = 100  # nested lists
CHECKPOINT_TOKENS = 1000  # tokens between two tests of the limits
TOKEN_BYTES = 150  # memory for each token, which may begin a node or an edge

_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<comment>\#[^\n]*)|(?P<text>"[^"]*")|(?P<key>[A-Za-z_]\w*)'
    r"|(?P<value>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<list>[][])",
    re.ASCII,
)

Record = dict[str, str]


@dataclass
class _Content:
    """Nodes and edges of a file, each with its line."""

    nodes: list[tuple[Record, int]] = field(default_factory=list)
    edges: list[tuple[Record, int]] = field(default_factory=list)
    directed: bool = False
    graphs: int = 0


def read(source: GraphText) -> Graph:
    """Parse the file."""
    content = _parse(source)
    ids: dict[str, int] = {}
    for record, line in content.nodes:
        number = _require_key(source, record, "id", "node", line)
        if number in ids:
            fault = f"node ids must be distinct (got {number[:30]} twice)"
            raise source.error(line, fault, "change one of them")
        ids[number] = len(ids)
    edges = []
    for record, line in content.edges:
        ends = [_require_key(source, record, key, "edge", line) for key in ("source", "target")]
        for end in ends:
            if end not in ids:
                remedy = f"add `node [ id {end[:30]} ]`"
                raise source.error(line, f"there is no node {end[:30]}", remedy)
        edges.append((ids[ends[0]], ids[ends[1]], line))
    labels = [record.get("label", "") for record, _ in content.nodes]
    names = labels if all(labels) and len(set(labels)) == len(labels) else list(ids)
    for name, (_, line) in zip(names, content.nodes, strict=True):
        source.name(line, name)
    return labelled(source, names, edges, content.directed)


def text_of(graph: Any) -> str:
    """Return the text of a NetworkX graph, whose nodes become labels."""
    ids = {node: number for number, node in enumerate(graph.nodes)}
    nodes = [f'node [ id {ids[v]} label "{html.escape(str(v))}" ]' for v in ids]
    edges = [f"edge [ source {ids[u]} target {ids[v]} ]" for u, v in graph.edges()]
    return "\n".join(["graph [", f"directed {int(graph.is_directed())}", *nodes, *edges, "]", ""])


def _require_key(source: GraphText, record: Record, key: str, kind: str, line: int) -> str:
    """Return a value of a node or edge; raise InputError if its key is missing."""
    if key not in record:
        raise source.error(line, f"the {kind} has no `{key}`", f"add `{key}`")
    return record[key]


def _parse(source: GraphText) -> _Content:
    content = _Content()
    path: list[str] = []
    key, record, line = "", Record(), 1
    for kind, text, line in _tokens(source):
        if kind == "]" and path and not key:
            path.pop()
        elif kind == "key" and not key:
            key = text
        elif not key or kind in ("]", "key"):
            raise source.error(line, f"{text[:30]!r} is misplaced", "write `key value` pairs")
        elif kind == "[":
            path.append(key)
            key = ""
            content.graphs += path == ["graph"]
            if content.graphs > 1:
                raise source.error(line, "the file must have one graph", "remove the second one")
            if len(path) > MAX_DEPTH:
                fault = f"lists must be nested at most {MAX_DEPTH} deep"
                raise source.error(line, fault, "remove the inner ones")
            if path in (["graph", "node"], ["graph", "edge"]):
                record = {}
                (content.nodes if path[1] == "node" else content.edges).append((record, line))
        else:
            if path == ["graph"] and key == "directed":
                content.directed = text not in ("0", "")
            elif path in (["graph", "node"], ["graph", "edge"]):
                record[key] = text
            key = ""
    if path or key:
        raise source.error(line, "the file ends inside a list", "close it by `]`")
    return content


def _tokens(source: GraphText) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, text and line of each token; a bracket is its own kind."""
    text, at, line, number = source.text, 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.error(line, f"{text[at : at + 10]!r} is not GML", "quote texts")
        number += 1
        if number % CHECKPOINT_TOKENS == 0:
            checkpoint(TOKEN_BYTES * CHECKPOINT_TOKENS)
        token, kind = match[0], str(match.lastgroup)
        if kind == "text":
            yield kind, html.unescape(token[1:-1]), line
        elif kind not in ("space", "comment"):
            yield (token if kind == "list" else kind), token, line
        if kind in ("space", "text"):
            line += token.count("\n")
        at = match.end()
