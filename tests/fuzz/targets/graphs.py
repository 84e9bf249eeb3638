"""Graph files of every format: the formula has the vertices and edges of the file.

NetworkX tells what stands in graph6, sparse6 and GML, pydot in DOT; lists of pairs are found by a
pattern. What these cannot read, or read otherwise by design, has no second opinion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import networkx as nx
from helpers.formulas import clauses_of

from boardsat.generators import build, find
from fuzz.judging import scratch
from fuzz.target import Target

GRAPHS = Path(__file__).parents[2] / "graphs"
TOKENS = (
    *("p edge 3 3", "p col 4 2", "e 1 2", "c", "n 1", "DIMENSION : 4", "EDGE_DATA_SECTION", "-1"),
    *("EDGE_DATA_FORMAT : EDGE_LIST", "EOF", "TYPE : HCP", "1 2", "2,3", "#", "%", "a -> b"),
    *("p sp 3 2", "a 1 2 1", "TYPE : ATSP", "# directed", ">>graph6<<", ":An", "&B", "~?@A", "Bw"),
    *("graph [", "node [ id 1 ]", "edge [ source 1 target 2 ]", 'label "a"', "directed 1", "]"),
    *(
        "graph {",
        "digraph {",
        "a -- b",
        "subgraph s {",
        "}",
        "strict",
        "[x=y]",
        "node [",
        "; ",
        "/*",
    ),
)
MOST = 5000
"""Vertices of a graph whose clauses are looked at."""

MAX_PYDOT_BYTES = 2000
"""Characters of DOT: pydot is slow."""

Opinion = tuple[set[str], set[frozenset[str]]]
"""The names of vertices, and the pairs that are joined."""


def seeds() -> list[bytes]:
    texts = [b"0 1\n1 2\n2 0\n", b"1,2\n2,3\n", b"p edge 3 1\ne 1 3\n", b"# a\n1 2 \n\n2 3\n1 3"]
    texts += [
        b"3 7\n7 9\n9 3\n",
        b"a b\nb c\n",
        b"a -> b\nb -> c\n",
        b"p sp 3 2\na 1 2 1\na 2 1 1\n",
    ]
    texts += [
        b"Bw\n",
        b":Bc\n",
        b"&B_\n",
        b"graph { a -- b -- {c d} }",
        b"digraph { a -> b; b -> 1 }",
    ]
    some = nx.petersen_graph()
    texts += [
        nx.to_graph6_bytes(some),
        nx.to_sparse6_bytes(some),
        "\n".join(nx.generate_gml(some)).encode(),
    ]
    return [*texts, *(path.read_bytes() for path in sorted(GRAPHS.iterdir()))]


def check(data: bytes) -> None:
    """With one colour, no edge may have it at both of its ends."""
    path = scratch() / "input.graph"
    path.write_bytes(data)
    formula = build(find("colouring/direct"), {"graph": path, "colours": 1})
    if formula.variables > MOST:
        return
    board = formula.header.board or {}
    names = board.get("labels") or [str(board["first"] + v) for v in range(board["vertices"])]
    joined = {
        frozenset(names[abs(literal) - 1] for literal in clause)
        for clause in clauses_of(formula)
        if len(clause) == 2
    }
    expected = second_opinion(data.decode("utf-8-sig"))
    assert expected is None or expected == (set(names), joined)


def second_opinion(text: str) -> Opinion | None:
    if re.search("[\v\f\x1c-\x1e\x85\u2028\u2029]", text):
        # Whether they end a line is a matter of taste.
        return None
    head = re.sub(r"\A(\s+|//[^\n]*|#[^\n]*|/\*(?s:.*?)\*/)+", "", text)
    if re.match(r'(strict\s+)?(di)?graph\b\s*("[^"]*"|[^\s{"]*)\s*\{', head, re.I):
        return by_pydot(text)
    if re.search(r"^[ \t]*graph\s*\[", text, re.M):
        return by_gml(text)
    if re.search(
        r"^\s*(EDGE_DATA_SECTION|EDGE_DATA_FORMAT|DIMENSION)(?=[\s:]|$)", text, re.M | re.I
    ):
        size = re.findall(r"^\s*DIMENSION\b.*?(\d+)\s*$", text, re.M | re.I)
        return numbered(size[-1], listed(text)) if size else None
    if size := re.findall(r"^[^\S\n]*p[^\S\n]+(?:[^\W\d]\w*[^\S\n]+)?(\d+)", text, re.M):
        lines = [line for line in text.splitlines() if re.match(r"\s*([ea]\s|\d)", line)]
        return numbered(size[0], written(lines))
    if re.match(r"\s*(>>|[:&]?[?-~]+\s*$)", text):
        return by_graph6(text.strip().encode("ascii"))
    return of_pairs((), written(text.splitlines()))


def numbered(size: str, pairs: set[tuple[str, str]]) -> Opinion:
    return of_pairs(map(str, range(1, int(size) + 1)), pairs)


def of_pairs(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Opinion:
    pairs = list(pairs)
    return {*names, *(end for pair in pairs for end in pair)}, {*map(frozenset, pairs)}


def of_graph(graph: nx.Graph) -> Opinion:
    return of_pairs(map(str, graph), [(str(u), str(v)) for u, v, *_ in graph.edges])


def written(lines: list[str]) -> set[tuple[str, str]]:
    """Return the edges: two numbers or names on a line, after `e` or `a` in DIMACS."""
    split = [
        re.sub(r"[,]|\s->\s| \{.*\}\s*$", " ", line).split()
        for line in lines
        if line.strip()[:1] not in "#%"
    ]
    pairs = {(w[0], w[1]) for w in split if len(w) == 2 and w[0] not in "#%"}
    pairs |= {(w[1], w[2]) for w in split if len(w) in (3, 4) and w[0] in ("e", "a")}
    return {(plain(u), plain(v)) for u, v in pairs}


def plain(token: str) -> str:
    """A number without zeros before it."""
    return str(int(token)) if token.isdecimal() else token


def listed(text: str) -> set[tuple[str, str]]:
    """Return the edges in the EDGE_DATA_SECTION of a TSPLIB file."""
    pairs: set[tuple[str, str]] = set()
    for section in re.split(r"^\s*EDGE_DATA_SECTION(?=[\s:]|$).*$", text, flags=re.M | re.I)[1:]:
        pairs |= written(re.split(r"^\s*-1\b", section, maxsplit=1, flags=re.M)[0].splitlines())
    return {pair for pair in pairs if pair[0].isdecimal()}


def by_graph6(line: bytes) -> Opinion | None:
    bare = re.sub(rb"^>>\w+<<", b"", line)
    if bare[:1] == b"&":
        return None
    try:
        graph = nx.from_sparse6_bytes(bare) if bare[:1] == b":" else nx.from_graph6_bytes(bare)
    except (nx.NetworkXError, ValueError, IndexError, StopIteration):
        return None
    return of_graph(graph)


def by_gml(text: str) -> Opinion | None:
    try:
        graph = nx.parse_gml(text.splitlines(), label="id")
    except (nx.NetworkXError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    labels = {v: graph.nodes[v].get("label", "") for v in graph}
    if any(isinstance(label, list) for label in labels.values()):
        return None  # several labels of one node
    texts = {v: str(label) for v, label in labels.items()}
    if all(texts.values()) and len(set(texts.values())) == len(texts):
        graph = nx.relabel_nodes(graph, texts)
    return of_graph(graph)


def by_pydot(text: str) -> Opinion | None:
    """Return the graph that pydot reads; None for syntax that Graphviz reads differently."""
    if (
        len(text) > MAX_PYDOT_BYTES
        or re.search(r'[:<+\\#/"]|\d[a-zA-Z_]', text)
        or not text.isascii()
    ):
        return None
    try:
        import pydot

        # It prints what it cannot read, in the middle of what the fuzzer tells.
        with redirect_stdout(StringIO()):
            graphs = pydot.graph_from_dot_data(text)
        graph = nx.nx_pydot.from_pydot(graphs[0])
        if graphs[0].get_subgraphs() or not within_braces_are_names(text):
            # NetworkX leaves out what stands in braces alone, edges within braces, and ends of
            # edges to empty braces.
            return None
    except Exception:  # whatever it stumbles over is not our concern
        return None
    return of_graph(graph)


def within_braces_are_names(text: str) -> bool:
    """Return whether the text within the outermost braces has names only, and at least one."""
    inside = re.findall(r"\{([^{}]*)\}", text[text.find("{") + 1 :])
    special = r"\b(graph|node|edge|subgraph)\b"
    return all(
        re.fullmatch(r"[\s;,]*\w[\w\s;,]*", i) and not re.search(special, i, re.I) for i in inside
    )


TARGET = Target(seeds, check, tokens=TOKENS)
