"""DOT, the language of Graphviz: `graph { a -- b }` has edges, `digraph { a -> b }` arcs.

All of its grammar is read, but for names in HTML; attributes, ports and subgraphs say nothing about
the graph, except that an edge to a subgraph is one to each of its vertices.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.labelled_graph import Graph, GraphText, labelled

DEEPEST = 50
"""How deeply subgraphs may be nested."""

TOKENS = 1000
"""Words after which the limits are tested."""

EDGE_BYTES, WORD_BYTES = 64, 200

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)"
    r"|(?P<name>[^\W\d]\w*|-?(?:\.\d+|\d+(?:\.\d*)?))"
    r'|"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"'
    r"|(?P<sign>--|->|[][{};,=:+<])",
    re.DOTALL | re.MULTILINE,
)
_ANGLE = re.compile("[<>]")
_KEYWORDS = frozenset(("graph", "digraph", "node", "edge", "subgraph", "strict"))


class _Token(NamedTuple):
    kind: str
    """`name`, `text` in quotes, `html`, `end`; of a keyword or a sign itself."""
    word: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "text", "html")


def read(source: GraphText) -> Graph:
    parser = _Parser(source)
    parser.graph()
    return labelled(source, list(parser.places), np.array(parser.edges), parser.link == "->")


class _Parser:
    def __init__(self, source: GraphText) -> None:
        self.source, self.tokens = source, _tokens(source)
        self.ahead = next(self.tokens)
        self.link = "--"
        self.places: dict[str, int] = {}
        self.edges = array("q")
        """For every edge its ends, and its line."""

    def graph(self) -> None:
        self._skip("strict")
        self.link = "->" if self.ahead.kind == "digraph" else "--"
        if not self._skip("graph", "digraph"):
            raise self._error("`graph` or `digraph` is missing")
        if self.ahead.is_name:
            self._name()
        self._group(0)
        if self.ahead.kind != "end":
            raise self._error("text after the graph", "keep one graph")

    def _group(self, depth: int) -> list[int]:
        """Statements in braces, and the vertices that they name."""
        self._need("{")
        if depth > DEEPEST:
            raise self._error("subgraphs nested too deeply", f"the limit is {DEEPEST}")
        named: dict[int, None] = {}
        while not self._skip("}"):
            named |= dict.fromkeys(self._statement(depth))
            self._skip(";", ",")
        return list(named)

    def _statement(self, depth: int) -> list[int]:
        if self._skip("graph", "node", "edge"):
            if self.ahead.kind != "[":
                raise self._error("attributes are missing")
            self._attributes()
            return []
        if self.ahead.kind not in ("subgraph", "{"):
            token = self._name()
            if self._skip("="):
                self._name()
                return []
            first = [self._vertex(token)]
        else:
            first = self._side(depth)
        named, before = [*first], first
        while self.ahead.kind in ("--", "->"):
            line = self.ahead.line
            if not self._skip(self.link):
                which = "an undirected" if self.link == "--" else "a directed"
                raise self._error(f"{self.ahead.word!r} in {which} graph", f"write {self.link!r}")
            after = self._side(depth)
            self._join(before, after, line)
            named += after
            before = after
        self._attributes()
        return named

    def _side(self, depth: int) -> list[int]:
        """One side of an edge: a vertex, or all those of a subgraph."""
        if self._skip("subgraph") and self.ahead.is_name:
            self._name()
        if self.ahead.kind == "{":
            return self._group(depth + 1)
        return [self._vertex(self._name())]

    def _join(self, before: list[int], after: list[int], line: int) -> None:
        number = len(before) * len(after)
        if number > 1:
            checkpoint(EDGE_BYTES * number)
        for u, v in product(before, after):
            self.edges.extend((u, v, line))

    def _vertex(self, token: _Token) -> int:
        while self._skip(":"):
            self._name()
        if token.kind == "html":
            raise self.source.error(token.line, "a vertex named in HTML", "name it by a text")
        if token.word not in self.places:
            self.places[self.source.name(token.line, token.word)] = len(self.places)
        return self.places[token.word]

    def _attributes(self) -> None:
        while self._skip("["):
            while not self._skip("]"):
                self._name()
                if self._skip("="):
                    self._name()
                self._skip(",", ";")

    def _name(self) -> _Token:
        token = self.ahead
        if not token.is_name:
            raise self._error("a name is missing", "quote names that are words of DOT")
        self.ahead = next(self.tokens)
        # Long texts are joined from parts.
        parts = [token.word]
        while token.kind == "text" and self._skip("+"):
            parts.append(self._part())
        return token._replace(word="".join(parts))

    def _part(self) -> str:
        if self.ahead.kind != "text":
            raise self._error("a text in quotes is missing")
        word = self.ahead.word
        self.ahead = next(self.tokens)
        return word

    def _skip(self, *kinds: str) -> bool:
        if self.ahead.kind not in kinds:
            return False
        self.ahead = next(self.tokens)
        return True

    def _need(self, kind: str) -> None:
        if not self._skip(kind):
            raise self._error(f"{kind!r} is missing")

    def _error(self, fault: str, remedy: str = "write it as Graphviz reads it") -> Exception:
        token = self.ahead
        at = "at the end" if token.kind == "end" else f"before {token.word[:30]!r}"
        return self.source.error(token.line, f"{fault}, {at}", remedy)


def _tokens(source: GraphText) -> Iterator[_Token]:
    text, at, line, number = source.text, 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.error(line, f"{text[at : at + 10]!r} is not DOT", "quote names")
        number += 1
        if number % TOKENS == 0:
            checkpoint(WORD_BYTES * TOKENS)
        kind, end = str(match.lastgroup), match.end()
        word = match[kind]
        if kind == "text":
            # Of escapes only these two mean something in a name.
            yield _Token(kind, word.replace("\\\n", "").replace('\\"', '"'), line)
        elif word == "<":
            end = _end_of_html(source, at, line)
            yield _Token("html", text[at:end], line)
        elif kind == "name":
            keyword = word.lower() in _KEYWORDS
            yield _Token(word.lower() if keyword else kind, word, line)
        elif kind == "sign":
            yield _Token(word, word, line)
        line += text.count("\n", at, end)
        at = end
    while True:
        yield _Token("end", "", line)


def _end_of_html(source: GraphText, at: int, line: int) -> int:
    """Where a text in angles ends, that may have others inside."""
    depth = 0
    for match in _ANGLE.finditer(source.text, at):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    raise source.error(line, "a `<` that is not closed", "close it, or quote the text")
