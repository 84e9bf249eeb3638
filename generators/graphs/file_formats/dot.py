"""DOT, the language of Graphviz: `graph { a -- b }` has edges, `digraph { a -> b }` arcs.

The parser accepts the whole grammar except names in HTML. It ignores attributes and ports; an edge
to a subgraph is an edge to each of its vertices.
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

MAX_DEPTH = 50  # nested subgraphs
CHECKPOINT_TOKENS = 1000  # tokens between two tests of the limits
EDGE_BYTES, TOKEN_BYTES = 64, 200  # memory for each edge and token

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
    """Token; a keyword or sign is its own kind."""

    kind: str
    """`name`, `text` in quotes, `html`, `end`, or a keyword or sign."""
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "text", "html")


def read(source: GraphText) -> Graph:
    """Parse the file."""
    parser = _Parser(source)
    parser.graph()
    return labelled(source, list(parser.vertices), np.array(parser.edges), parser.link == "->")


class _Parser:
    """Recursive-descent parser with one token of lookahead."""

    def __init__(self, source: GraphText) -> None:
        self.source, self.tokens = source, _tokens(source)
        self.ahead = next(self.tokens)
        self.link = "--"
        """Sign of an edge or arc in this graph."""
        self.vertices: dict[str, int] = {}
        """Index of each vertex by its name."""
        self.edges = array("q")
        """Ends and line of each edge."""

    def graph(self) -> None:
        """Parse the file."""
        self._skip("strict")
        self.link = "->" if self.ahead.kind == "digraph" else "--"
        if not self._skip("graph", "digraph"):
            raise self._error("`graph` or `digraph` is missing")
        if self.ahead.is_name:
            self._name()
        self._group(0)
        if self.ahead.kind != "end":
            raise self._error("the file continues after the graph", "keep one graph")

    def _group(self, depth: int) -> list[int]:
        """Parse statements in braces; return the vertices in them."""
        self._need("{")
        if depth > MAX_DEPTH:
            fault = f"subgraphs must be nested at most {MAX_DEPTH} deep"
            raise self._error(fault, "remove the inner ones")
        vertices: dict[int, None] = {}
        while not self._skip("}"):
            vertices |= dict.fromkeys(self._statement(depth))
            self._skip(";", ",")
        return list(vertices)

    def _statement(self, depth: int) -> list[int]:
        """Parse a vertex, edges or attributes; return the vertices in it."""
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
            tails = [self._vertex(token)]
        else:
            tails = self._side(depth)
        vertices = [*tails]
        while self.ahead.kind in ("--", "->"):
            line = self.ahead.line
            if not self._skip(self.link):
                kind = "an undirected" if self.link == "--" else "a directed"
                fault = f"{kind} graph must not have {self.ahead.text!r}"
                raise self._error(fault, f"write {self.link!r}")
            heads = self._side(depth)
            self._join(tails, heads, line)
            vertices += heads
            tails = heads
        self._attributes()
        return vertices

    def _side(self, depth: int) -> list[int]:
        """Parse one side of an edge: return its vertex, or the vertices of a subgraph."""
        if self._skip("subgraph") and self.ahead.is_name:
            self._name()
        if self.ahead.kind == "{":
            return self._group(depth + 1)
        return [self._vertex(self._name())]

    def _join(self, tails: list[int], heads: list[int], line: int) -> None:
        """Add the edges between the two sides of an edge."""
        number = len(tails) * len(heads)
        if number > 1:
            checkpoint(EDGE_BYTES * number)
        for u, v in product(tails, heads):
            self.edges.extend((u, v, line))

    def _vertex(self, token: _Token) -> int:
        """Return the index of a named vertex."""
        while self._skip(":"):
            self._name()
        if token.kind == "html":
            raise self.source.error(token.line, "the name of a vertex is HTML", "quote the name")
        if token.text not in self.vertices:
            self.vertices[self.source.name(token.line, token.text)] = len(self.vertices)
        return self.vertices[token.text]

    def _attributes(self) -> None:
        while self._skip("["):
            while not self._skip("]"):
                self._name()
                if self._skip("="):
                    self._name()
                self._skip(",", ";")

    def _name(self) -> _Token:
        """Parse a name; texts may be concatenated by `+`."""
        token = self.ahead
        if not token.is_name:
            raise self._error("a name is missing", "quote names that are keywords of DOT")
        self.ahead = next(self.tokens)
        texts = [token.text]
        while token.kind == "text" and self._skip("+"):
            if self.ahead.kind != "text":
                raise self._error("a text in quotes is missing")
            texts.append(self.ahead.text)
            self.ahead = next(self.tokens)
        return token._replace(text="".join(texts))

    def _skip(self, *kinds: str) -> bool:
        """Advance if the next token is of one of these kinds; return whether it was."""
        if self.ahead.kind not in kinds:
            return False
        self.ahead = next(self.tokens)
        return True

    def _need(self, kind: str) -> None:
        """Advance past a token of this kind; raise InputError if it is missing."""
        if not self._skip(kind):
            raise self._error(f"{kind!r} is missing")

    def _error(self, fault: str, remedy: str = "write `graph { a -- b }`") -> Exception:
        token = self.ahead
        location = "at the end" if token.kind == "end" else f"before {token.text[:30]!r}"
        return self.source.error(token.line, f"{fault}, {location}", remedy)


def _tokens(source: GraphText) -> Iterator[_Token]:
    """Yield the tokens of the file, and then tokens `end` for ever."""
    text, at, line, number = source.text, 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.error(line, f"{text[at : at + 10]!r} is not DOT", "quote names")
        number += 1
        if number % CHECKPOINT_TOKENS == 0:
            checkpoint(TOKEN_BYTES * CHECKPOINT_TOKENS)
        kind, end = str(match.lastgroup), match.end()
        token = match[kind]
        if kind == "text":
            # No other escape sequence changes a name.
            yield _Token(kind, token.replace("\\\n", "").replace('\\"', '"'), line)
        elif token == "<":
            end = _end_of_html(source, at, line)
            yield _Token("html", text[at:end], line)
        elif kind == "name":
            is_keyword = token.lower() in _KEYWORDS
            yield _Token(token.lower() if is_keyword else kind, token, line)
        elif kind == "sign":
            yield _Token(token, token, line)
        line += text.count("\n", at, end)
        at = end
    while True:
        yield _Token("end", "", line)


def _end_of_html(source: GraphText, at: int, line: int) -> int:
    """Return the end of a name in balanced angle brackets."""
    depth = 0
    for match in _ANGLE.finditer(source.text, at):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    raise source.error(line, "a `<` is not closed", "close it, or quote the text")
