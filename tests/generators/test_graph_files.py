"""Graph files of every format, and graph objects, against NetworkX: edges, arcs and labels."""

from __future__ import annotations

import random
import string
import tracemalloc
from pathlib import Path

import networkx as nx
import pytest

import boardsat
from boardsat.base.errors import InputError
from boardsat.generators.graphs.file_formats import detect_format, gml, read_graph
from boardsat.generators.graphs.labelled_graph import Graph

Pairs = set[frozenset[str]] | set[tuple[str, str]]


def read(text: str) -> Graph:
    return read_graph(text if "\n" in text else f"{text}\n")


def names(graph: Graph) -> list[str]:
    return list(graph.labels) or [str(graph.first + v) for v in range(graph.vertices)]


def pairs(graph: Graph) -> Pairs:
    """Return the edges as pairs of labels."""
    labels = names(graph)
    ends = [(labels[u], labels[v]) for u, v in graph.edges.tolist()]
    return set(ends) if graph.directed else set(map(frozenset, ends))


def assert_same(graph: Graph, expected: nx.Graph) -> None:
    assert graph.directed == expected.is_directed()
    assert set(names(graph)) == {str(vertex) for vertex in expected}
    edges = [(str(u), str(v)) for u, v in expected.edges()]
    assert pairs(graph) == (set(edges) if graph.directed else set(map(frozenset, edges)))


def random_graphs(directed: bool = False) -> list[nx.Graph]:
    """Return random graphs; the sizes of the largest need several characters in graph6."""
    sizes = (1, 2, 3, 5, 6, 7, 12, 33, 62, 63, 70)
    return [
        nx.gnp_random_graph(n, (0.0, 0.1, 0.5, 1.0)[seed % 4], seed=seed, directed=directed)
        for seed, n in enumerate(sizes)
    ]


@pytest.mark.parametrize("header", [True, False])
def test_graph6_reads_files_of_networkx(header: bool) -> None:
    for graph in random_graphs():
        text = nx.to_graph6_bytes(graph, header=header).decode()
        assert detect_format(text) == "graph6"
        assert_same(read(text), graph)


@pytest.mark.parametrize("header", [True, False])
def test_sparse6_reads_files_of_networkx(header: bool) -> None:
    for graph in random_graphs():
        assert_same(read(nx.to_sparse6_bytes(graph, header=header).decode()), graph)


def test_huge_graph6_is_rejected_before_parsing() -> None:
    vertices = 4000
    size = "".join(chr(63 + (vertices >> shift & 63)) for shift in (12, 6, 0))
    tracemalloc.start()
    with pytest.raises(InputError, match="needs too much memory"):
        read(f"~{size}{'~' * (vertices * (vertices - 1) // 12)}")
    assert tracemalloc.get_traced_memory()[1] < 300 * 10**6
    tracemalloc.stop()


def test_digraph6_reads_adjacency_matrix() -> None:
    """NetworkX does not write digraph6, so that the test encodes the matrix."""
    for graph in random_graphs(directed=True):
        n = len(graph)
        bits = "".join(str(int(graph.has_edge(u, v))) for u in range(n) for v in range(n))
        size = chr(n + 63) if n < 63 else "~" + "".join(chr((n >> s & 63) + 63) for s in (12, 6, 0))
        bits += "0" * (-len(bits) % 6)
        letters = (chr(int(bits[at : at + 6], 2) + 63) for at in range(0, len(bits), 6))
        assert_same(read(f"&{size}{''.join(letters)}"), graph)


@pytest.mark.parametrize("directed", [False, True])
def test_gml_reads_files_of_networkx(directed: bool) -> None:
    for seed, graph in enumerate(random_graphs(directed)):
        named = graph if seed % 2 else nx.relabel_nodes(graph, {v: f'v "{v}" &' for v in graph})
        assert_same(read("\n".join(nx.generate_gml(named))), named)


@pytest.mark.parametrize("directed", [False, True])
def test_dot_reads_files_of_networkx(directed: bool) -> None:
    pytest.importorskip("pydot")
    for seed, graph in enumerate(random_graphs(directed)):
        named = graph if seed % 2 else nx.relabel_nodes(graph, {v: f"v {v}" for v in graph})
        text = nx.nx_pydot.to_pydot(named).to_string()
        assert detect_format(text) == "dot"
        assert_same(read(text), named)


def test_dot_accepts_whole_grammar() -> None:
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


def test_edge_list_reads_numbers_and_names() -> None:
    rng = random.Random(1)
    for graph in random_graphs()[1:]:
        numbers = rng.sample(range(1000), len(graph))
        texts = ["".join(rng.choices(string.ascii_letters, k=5)) for _ in graph]
        for labels in (numbers, texts):
            named = nx.relabel_nodes(graph, dict(zip(graph, labels, strict=True)))
            named.remove_nodes_from(list(nx.isolates(named)))
            if named.size():
                lines = [*nx.generate_edgelist(named, data=False)]
                assert_same(read("\n".join(lines)), named)
                assert_same(
                    read("\n".join(f"{u} -> {v}" for u, v in named.edges)), nx.DiGraph(named.edges)
                )


def test_vertices_are_sorted_by_number_or_in_file_order() -> None:
    assert names(read("9 3\n7 9\n")) == ["3", "7", "9"]
    assert names(read("graph { 10; 9 -- 2 }")) == ["2", "9", "10"]
    assert names(read("b a\na c\n")) == ["b", "a", "c"]
    assert names(read('graph [ node [ id 2 label "x" ] node [ id 1 label "a" ] ]')) == ["x", "a"]
    assert names(read('graph [ node [ id 2 label "x" ] node [ id 1 ] ]')) == ["1", "2"]


def test_dimacs_problem_line_may_lack_the_format() -> None:
    text = "p edge 3 2\ne 1 2\ne 2 3\n"
    assert pairs(read(text.replace(" edge", ""))) == pairs(read(text))


def test_directed_formats_have_arcs() -> None:
    assert pairs(read("p sp 3 2\na 1 2 7\na 2 1 7\n")) == {("1", "2"), ("2", "1")}
    text = "TYPE : ATSP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n3 1\n-1\n"
    assert pairs(read(text)) == {("1", "2"), ("3", "1")}
    assert pairs(read("# Directed graph, from somewhere\n4 7\n7 5\n")) == {("4", "7"), ("7", "5")}


def test_vertex_is_found_by_label_or_number() -> None:
    graph = read("3 7\n7 9\n9 3\n")
    assert [graph.vertex(label) for label in ("3", "007", "9")] == [0, 1, 2]
    assert read("graph { 007 -- 7 }").vertex("007") == 0
    assert read("p edge 3 0\n").vertex("3") == 2
    with pytest.raises(InputError, match="the graph has no vertex '0'; its vertices are 3, 7, 9"):
        graph.vertex("0")
    with pytest.raises(InputError, match="did you mean 'Boston'"):
        read('graph { Boston -- "New York" }').vertex("boston")


FAULTS = {
    "graph { a -- }": (1, "a name is missing, before '}'"),
    "graph {\n a -> b }": (2, "an undirected graph must not have '->', before '->'"),
    "digraph {\n a -- b }": (2, "a directed graph must not have '--', before '--'"),
    "graph { a -- b": (1, "a name is missing, at the end"),
    "graph { a -- a }": (1, "the edge joins a vertex to itself"),
    "graph { a } graph { b }": (1, "the file continues after the graph"),
    "graph {\n\n a * b }": (3, "'* b }' is not DOT"),
    "graph { <b>x</b> -- a }": (1, "the name of a vertex is HTML"),
    "graph { a [label=<b] }": (1, "a `<` is not closed"),
    "graph { " + "{" * 99: (1, "subgraphs must be nested at most 50 deep"),
    "graph { }": (1, "the graph must have at least 1 vertex (got 0)"),
    "graph [ node [ ] ]": (1, "the node has no `id`"),
    "graph [ node [ id 1 ]\nnode [ id 1 ] ]": (2, "node ids must be distinct (got 1 twice)"),
    "graph [ node [ id 1 ] edge [ source 1 ] ]": (1, "the edge has no `target`"),
    "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]": (2, "there is no node 2"),
    "graph [ node [ id 1 ]": (1, "the file ends inside a list"),
    "graph [ ] graph [ ]": (1, "the file must have one graph"),
    "graph [ 1 ]": (1, "'1' is misplaced"),
    "graph [\n label §": (2, "'§"),
    "graph [ x " + "[ x " * 200: (1, "lists must be nested at most 100 deep"),
    'graph [ node [ id "\x07" ] ]': (
        1,
        "the name of a vertex must be printable text (got '\\x07')",
    ),
    "Bw\nBw": (2, "the file must have one graph (got 2)"),
    "Bww": (1, "the edges of 3 vertices need 1 character (got 2)"),
    "B": (1, "the edges of 3 vertices need 1 character (got 0)"),
    "~~B": (1, "the number of vertices has 1 of 6 characters"),
    ">>graph6<<B w": (1, "' ' in column 2 is not a character of graph6"),
    "?": (1, "the graph must have at least 1 vertex (got 0)"),
    "DIMENSION : 3\nTYPE : TSP\n": (1, "the EDGE_DATA_SECTION is missing"),
    "p sp 3 1\ne 1 2\n": (2, "'e 1 2' is not a line of a DIMACS graph"),
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: repr(text[:30]))
def test_faulty_file_is_rejected_with_location_and_remedy(text: str, tmp_path: Path) -> None:
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
def test_small_file_cannot_exhaust_limits(text: str) -> None:
    with pytest.raises(InputError):
        read(text)


GRAPHS = {
    "petersen": nx.petersen_graph(),
    "gaps": nx.Graph([(3, 70), (70, 9), (9, 3)]),
    "tuples": nx.grid_2d_graph(3, 4),
    "digraph": nx.gnp_random_graph(9, 0.4, seed=3, directed=True),
    "isolated": nx.empty_graph(4),
    "quotes": nx.Graph([("left", 'the "end"'), ('the "end"', "a & b")]),
    "parallel": nx.MultiGraph([(0, 1), (0, 1), (1, 2)]),
}
WRITERS = {
    "edge list": nx.write_edgelist,
    "edge list without data": lambda graph, path: nx.write_edgelist(graph, path, data=False),
    "gml": nx.write_gml,
    "graph6": nx.write_graph6,
}


@pytest.mark.parametrize("name", GRAPHS)
def test_networkx_graph_has_its_vertices_and_edges(name):
    assert_same(read_graph(gml.text_of(GRAPHS[name])), GRAPHS[name])


@pytest.mark.parametrize("form", WRITERS)
def test_file_written_by_networkx_has_its_vertices_and_edges(form, tmp_path):
    graph = nx.petersen_graph()
    graph.add_edge(0, 2, weight=3, name="chord {0, 2}")
    WRITERS[form](graph, path := tmp_path / "graph.txt")
    assert_same(read_graph(str(path)), graph)


@pytest.mark.parametrize(
    ("pairs", "cycle"),
    [
        ("0-1,1-2,2-0", "0 - 1 - 2 - 0"),
        ("a-b,b-c,c-a", "a - b - c - a"),
        ([(0, 1), (1, 2), (2, 0)], "0 - 1 - 2 - 0"),
        ([("x", "y"), ("y", "z"), ("z", "x")], "x - y - z - x"),
        (nx.cycle_graph(3), "0 - 1 - 2 - 0"),
        (nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")]), "a -> b -> c -> a"),
    ],
)
def test_hamiltonian_cycle_of_pairs_is_found(pairs, cycle):
    assert boardsat.solve("hamilton", graph=pairs).board_text == cycle


def test_file_takes_precedence_over_edges_of_the_same_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0-1").write_text("5 6\n6 7\n")
    assert read_graph("0-1").vertices == 3


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ("0-1,1", "'0-1' is not a vertex number"),
        ([(0, 0)], "the edge joins a vertex to itself"),
        (nx.empty_graph(0), "the graph must have at least 1 vertex"),
        (nx.Graph([("a\nb", "c")]), "the name of a vertex must be printable text"),
    ],
)
def test_invalid_graph_is_an_input_error(pairs, message):
    with pytest.raises(boardsat.InputError, match=message):
        boardsat.build("colouring", graph=pairs)
