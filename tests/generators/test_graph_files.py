"""Graph files of every format hold the graph that NetworkX wrote, or reads, and its labels."""

from __future__ import annotations

import random
import string
import tracemalloc
from pathlib import Path

import networkx as nx
import pytest

from boardsat.base.errors import InputError
from boardsat.generators.graphs.file_formats import Graph, format_of, read_graph

Pairs = set[frozenset[str]] | set[tuple[str, str]]


def read(text: str) -> Graph:
    return read_graph(text if "\n" in text else f"{text}\n")


def names(graph: Graph) -> list[str]:
    return list(graph.labels) or [str(graph.first + v) for v in range(graph.vertices)]


def pairs(graph: Graph) -> Pairs:
    """The edges by what the file calls their ends."""
    called = names(graph)
    found = [(called[u], called[v]) for u, v in graph.edges.tolist()]
    return set(found) if graph.directed else set(map(frozenset, found))


def assert_same(graph: Graph, expected: nx.Graph) -> None:
    assert graph.directed == expected.is_directed()
    assert set(names(graph)) == {str(each) for each in expected}
    edges = [(str(u), str(v)) for u, v in expected.edges]
    assert pairs(graph) == (set(edges) if graph.directed else set(map(frozenset, edges)))


def some(directed: bool = False) -> list[nx.Graph]:
    """Small random graphs; the largest have sizes that take more than one character in graph6."""
    sizes = (1, 2, 3, 5, 6, 7, 12, 33, 62, 63, 70)
    return [
        nx.gnp_random_graph(n, (0.0, 0.1, 0.5, 1.0)[seed % 4], seed=seed, directed=directed)
        for seed, n in enumerate(sizes)
    ]


@pytest.mark.parametrize("header", [True, False])
def test_graph6(header: bool) -> None:
    for graph in some():
        text = nx.to_graph6_bytes(graph, header=header).decode()
        assert format_of(text) == "graph6"
        assert_same(read(text), graph)


@pytest.mark.parametrize("header", [True, False])
def test_sparse6(header: bool) -> None:
    for graph in some():
        assert_same(read(nx.to_sparse6_bytes(graph, header=header).decode()), graph)


def test_dense_graph6_that_takes_too_much_memory_is_refused_before_its_edges_are_made() -> None:
    vertices = 4000
    size = "".join(chr(63 + (vertices >> shift & 63)) for shift in (12, 6, 0))
    tracemalloc.start()
    with pytest.raises(InputError, match="needs too much memory"):
        read(f"~{size}{'~' * (vertices * (vertices - 1) // 12)}")
    assert tracemalloc.get_traced_memory()[1] < 300 * 10**6
    tracemalloc.stop()


def test_digraph6() -> None:
    """NetworkX does not write it: the bits are those of the matrix, by rows, six to a character."""
    for graph in some(directed=True):
        n = len(graph)
        bits = "".join(str(int(graph.has_edge(u, v))) for u in range(n) for v in range(n))
        size = chr(n + 63) if n < 63 else "~" + "".join(chr((n >> s & 63) + 63) for s in (12, 6, 0))
        bits += "0" * (-len(bits) % 6)
        letters = (chr(int(bits[at : at + 6], 2) + 63) for at in range(0, len(bits), 6))
        assert_same(read(f"&{size}{''.join(letters)}"), graph)


@pytest.mark.parametrize("directed", [False, True])
def test_gml(directed: bool) -> None:
    for seed, graph in enumerate(some(directed)):
        named = graph if seed % 2 else nx.relabel_nodes(graph, {v: f'v "{v}" &' for v in graph})
        assert_same(read("\n".join(nx.generate_gml(named))), named)


@pytest.mark.parametrize("directed", [False, True])
def test_dot(directed: bool) -> None:
    pytest.importorskip("pydot")
    for seed, graph in enumerate(some(directed)):
        named = graph if seed % 2 else nx.relabel_nodes(graph, {v: f"v {v}" for v in graph})
        text = nx.nx_pydot.to_pydot(named).to_string()
        assert format_of(text) == "dot"
        assert_same(read(text), named)


def test_all_of_dot() -> None:
    text = """
    /* a comment */ # no comment, but Graphviz takes it for one
    strict Graph "a name" { // and one more
      node [shape=box, label=<a <b>b</b> >]; rankdir = LR
      a:port:ne -- b [weight=2; color=red] -- c
      subgraph cluster_x { c; d e -- f } -- {"g h" "i\\"j" + "k"}
      l; 3.5; -1 "edge";
    }
    """.replace("[weight=2; color=red] -- c", "-- c [weight=2; color=red]").replace(
        "# no comment, but Graphviz takes it for one\n", "\n# and one\n"
    )
    graph = read(text)
    assert names(graph) == ["a", "b", "c", "d", "e", "f", "g h", 'i"jk', "l", "3.5", "-1", "edge"]
    group = {frozenset((u, v)) for u in "cdef" for v in ("g h", 'i"jk')}
    assert pairs(graph) == {frozenset("ab"), frozenset("bc"), frozenset("ef"), *group}


def test_lists_of_edges() -> None:
    rng = random.Random(1)
    for graph in some()[1:]:
        numbers = rng.sample(range(1000), len(graph))
        words = ["".join(rng.choices(string.ascii_letters, k=5)) for _ in graph]
        for labels in (numbers, words):
            named = nx.relabel_nodes(graph, dict(zip(graph, labels, strict=True)))
            named.remove_nodes_from(list(nx.isolates(named)))
            if named.size():
                lines = [*nx.generate_edgelist(named, data=False)]
                assert_same(read("\n".join(lines)), named)
                assert_same(
                    read("\n".join(f"{u} -> {v}" for u, v in named.edges)), nx.DiGraph(named.edges)
                )


def test_vertices_are_in_the_order_of_their_numbers_or_of_the_file() -> None:
    assert names(read("9 3\n7 9\n")) == ["3", "7", "9"]
    assert names(read("graph { 10; 9 -- 2 }")) == ["2", "9", "10"]
    assert names(read("b a\na c\n")) == ["b", "a", "c"]
    assert names(read('graph [ node [ id 2 label "x" ] node [ id 1 label "a" ] ]')) == ["x", "a"]
    assert names(read('graph [ node [ id 2 label "x" ] node [ id 1 ] ]')) == ["1", "2"]


def test_arcs() -> None:
    assert pairs(read("p sp 3 2\na 1 2 7\na 2 1 7\n")) == {("1", "2"), ("2", "1")}
    text = "TYPE : ATSP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n3 1\n-1\n"
    assert pairs(read(text)) == {("1", "2"), ("3", "1")}
    assert pairs(read("# Directed graph, from somewhere\n4 7\n7 5\n")) == {("4", "7"), ("7", "5")}


def test_what_users_call_a_vertex() -> None:
    graph = read("3 7\n7 9\n9 3\n")
    assert [graph.vertex(word) for word in ("3", "007", "9")] == [0, 1, 2]
    assert read("graph { 007 -- 7 }").vertex("007") == 0
    assert read("p edge 3 0\n").vertex("3") == 2
    with pytest.raises(InputError, match="the graph has no vertex '0'; its vertices are 3, 7, 9"):
        graph.vertex("0")
    with pytest.raises(InputError, match="did you mean 'Boston'"):
        read('graph { Boston -- "New York" }').vertex("boston")


FAULTS = {
    "graph { a -- }": (1, "a name is missing, before '}'"),
    "graph {\n a -> b }": (2, "'->' in an undirected graph"),
    "digraph {\n a -- b }": (2, "'--' in a directed graph"),
    "graph { a -- b": (1, "a name is missing, at the end"),
    "graph { a -- a }": (1, "an edge from a vertex to itself"),
    "graph { a } graph { b }": (1, "text after the graph"),
    "graph {\n\n a * b }": (3, "'* b }' is not DOT"),
    "graph { <b>x</b> -- a }": (1, "a vertex named in HTML"),
    "graph { a [label=<b] }": (1, "a `<` that is not closed"),
    "graph { " + "{" * 99: (1, "subgraphs nested too deeply"),
    "graph { }": (1, "a graph of 0 vertices"),
    "graph [ node [ ] ]": (1, "a node without `id`"),
    "graph [ node [ id 1 ]\nnode [ id 1 ] ]": (2, "a second node 1"),
    "graph [ node [ id 1 ] edge [ source 1 ] ]": (1, "an edge without `target`"),
    "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]": (2, "no node 2"),
    "graph [ node [ id 1 ]": (1, "the end of the file inside a list"),
    "graph [ ] graph [ ]": (1, "a second graph"),
    "graph [ 1 ]": (1, "'1' is not GML here"),
    "graph [\n label §": (2, "'§"),
    "graph [ x " + "[ x " * 200: (1, "lists nested too deeply"),
    'graph [ node [ id "\x07" ] ]': (1, "'\\x07' is not a name for a vertex"),
    "Bw\nBw": (2, "a second graph, and 2 in all"),
    "Bww": (1, "2 characters of edges, and not 1 for 3 vertices"),
    "B": (1, "0 characters of edges, and not 1 for 3 vertices"),
    "~~B": (1, "it ends too early"),
    ">>graph6<<B w": (1, "' ' in column 2 does not stand in graph6"),
    "?": (1, "a graph of 0 vertices"),
    "DIMENSION : 3\nTYPE : TSP\n": (1, "no EDGE_DATA_SECTION"),
    "p sp 3 1\ne 1 2\n": (2, "'e 1 2' is not a line of a DIMACS graph"),
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: repr(text[:30]))
def test_faults_have_a_place_and_a_remedy(text: str, tmp_path: Path) -> None:
    line, fault = FAULTS[text]
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        read_graph(str(file))
    assert str(error.value).startswith(f"{file}:{line}: {fault}")
    assert error.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "graph { {" + " ".join(map(str, range(9000))) + "} -- {"
        + " ".join(map(str, range(10000, 19000))) + "} }",
        "~~?Zzzzz",
        "~~zzzzzz",
        ":~~zzzzzz" + "~" * 1000,
        "DIMENSION : 2147483646\nEDGE_DATA_SECTION\n-1\n",
        "graph [ " + "node [ id 1 ] " * 50000,
        "/*" + "*/ /*" * 10000 + "\n",
        "graph " * 10000,
        "\n".join(f"{'x' * 90}{number} y{number}" for number in range(30000)),
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_small_files_cannot_hurt(text: str) -> None:
    with pytest.raises(InputError):
        read(text)
