"""Graph constructions and modifications against NetworkX, CNFgen and their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, product
from typing import Any

import cnfgen.graphs
import networkx
import pytest
from helpers.splitmix import below, column_by_column, words

from boardsat.generators import InputError
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.namespace import graph_of_setting

Pairs = list[tuple[int, int]]


def construct(kind: str, text: str) -> Graph:
    with outside_limits():
        return graph_of_setting(kind, text, "g", lambda name: {"n": 4, "seed": 3}[name])


def edges(graph: Graph) -> Pairs:
    """Return the edges; the vertices of each side of a bipartite graph are numbered from 0."""
    return [(u, v - (graph.num_left or 0)) for u, v in graph.edges.tolist()]


def networkx_edges(graph: Any) -> Pairs:
    numbers = {v: index for index, v in enumerate(sorted(graph.nodes))}
    ends = ((numbers[u], numbers[v]) for u, v in graph.edges)
    return sorted((min(u, v), max(u, v)) for u, v in ends)


def cnfgen_edges(graph: Any) -> Pairs:
    return sorted((u - 1, v - 1) for u, v in graph.edges())


NAMED: dict[str, Any] = {
    "complete 1": networkx.complete_graph(1),
    "complete 6": networkx.complete_graph(6),
    "empty 3": networkx.empty_graph(3),
    "path 5": networkx.path_graph(5),
    "cycle 3": networkx.cycle_graph(3),
    "cycle 7": networkx.cycle_graph(7),
    "star 4": networkx.star_graph(4),
    "grid 5": networkx.path_graph(5),
    "grid 3 4": networkx.grid_graph((4, 3)),
    "grid 2 3 2": networkx.grid_graph((2, 3, 2)),
    "torus 3 4": networkx.grid_graph((4, 3), periodic=True),
}


@pytest.mark.parametrize("text", NAMED)
def test_simple_construction_equals_networkx(text):
    graph = construct("", text)
    assert (graph.vertices, edges(graph)) == (len(NAMED[text]), networkx_edges(NAMED[text]))
    assert graph.construction == text and not graph.directed


def test_grid_and_torus_equal_cnfgen():
    for sides in ([1], [2], [2, 2], [3, 2], [2, 3, 3], [1, 4], [3, 3], [5]):
        for name, wraps in (("grid", False), ("torus", True)):
            graph = construct("", " ".join([name, *map(str, sides)]))
            expected = cnfgen.graphs.grid(sides, torus=wraps)
            assert graph.vertices == expected.order()
            assert edges(graph) == sorted((min(e), max(e)) for e in cnfgen_edges(expected))


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("path", cnfgen.graphs.dag_path),
        ("tree", cnfgen.graphs.dag_complete_binary_tree),
        ("pyramid", cnfgen.graphs.dag_pyramid),
    ],
)
@pytest.mark.parametrize("kind", ["dag", "digraph"])
def test_pebbling_graph_equals_cnfgen(name, reference, kind):
    for size in range(6):
        graph = construct(kind, f"{name} {size}")
        expected = reference(size)
        assert (graph.vertices, edges(graph)) == (expected.order(), cnfgen_edges(expected))
        assert graph.directed


@pytest.mark.parametrize("sides", [(3, 5), (4, 4), (1, 1), (6, 2)])
def test_deterministic_bipartite_construction_equals_definition(sides):
    num_left, num_right = sides
    pairs = [*product(range(num_left), range(num_right))]
    assert edges(construct("bipartite", f"complete {num_left} {num_right}")) == pairs
    assert edges(construct("bipartite", f"empty {num_left} {num_right}")) == []
    for offsets in ([0], [0, 1], [0, 1, 3], [2, 2]):
        graph = construct("bipartite", " ".join(map(str, ["shift", num_left, num_right, *offsets])))
        expected = cnfgen.graphs.bipartite_shift(num_left, num_right, list(offsets))
        assert (graph.num_left, graph.vertices) == (num_left, num_left + num_right)
        assert edges(graph) == sorted(set(cnfgen_edges(expected)))


def distinct_numbers(limit: int, count: int, seed: int) -> set[int]:
    """Draw distinct numbers below a limit by the documented algorithm."""
    source, numbers = words(seed), set[int]()
    while len(numbers) < count:
        numbers |= {below(source, limit) for _ in range(count - len(numbers))}
    return numbers


def test_random_graph_equals_definition():
    pairs = [*combinations(range(9), 2)]
    expected = [e for e, number in zip(pairs, words(5), strict=False) if number < 0.25 * 2**64]
    assert edges(construct("", "gnp 9 0.25 5")) == expected
    assert edges(construct("", "gnm 9 12 6")) == [
        pairs[k] for k in sorted(distinct_numbers(36, 12, 6))
    ]
    assert len(edges(construct("", "gnm 9 30 6"))) == 30
    assert edges(construct("", "gnp 9 1 5")) == edges(construct("", "gnm 9 36 1")) == pairs
    assert edges(construct("", "gnp 9 0 5")) == edges(construct("", "gnm 9 0 1")) == []
    pairs = [*product(range(4), range(6))]
    expected = [e for e, number in zip(pairs, words(2), strict=False) if number < 2**63]
    assert edges(construct("bipartite", "glrp 4 6 .5 2")) == expected
    assert edges(construct("bipartite", "glrm 4 6 7 2")) == [
        pairs[rank] for rank in sorted(distinct_numbers(24, 7, 2))
    ]
    expected_rows = column_by_column(words(8), 6, 3, 4)
    assert edges(construct("bipartite", "glrd 4 6 3 8")) == [
        (u, v) for u in range(4) for v in expected_rows[u]
    ]


def test_regular_graph_is_simple_and_has_equal_degrees():
    for n in range(1, 12):
        for d in range(n):
            for seed in range(3):
                if n * d % 2:
                    continue
                graph = construct("", f"gnd {n} {d} {seed}")
                pairs = edges(graph)
                assert graph.vertices == n and len(set(pairs)) == len(pairs) == n * d // 2
                assert all(u < v for u, v in pairs)
                degrees = Counter(v for edge in pairs for v in edge)
                assert all(degrees[v] == d for v in range(n))
    assert edges(construct("", "gnd 20 3 1")) != edges(construct("", "gnd 20 3 2"))


def test_biregular_graph_is_simple_and_has_equal_degrees():
    for m, n in product(range(1, 7), repeat=2):
        for d in (d for d in range(n + 1) if m * d % n == 0):
            pairs = edges(construct("bipartite", f"regular {m} {n} {d} 4"))
            assert len(set(pairs)) == len(pairs) == m * d
            assert Counter(u for u, _ in pairs) == Counter({u: d for u in range(m) if d})
            assert set(Counter(v for _, v in pairs).values()) <= {m * d // n}


def test_gnd_over_many_seeds_yields_every_regular_graph():
    """There are 70 2-regular graphs of six vertices: 60 hexagons and 10 pairs of triangles."""
    graphs = {tuple(edges(construct("", f"gnd 6 2 {seed}"))) for seed in range(700)}
    assert len(graphs) == 70


# Modifications.


def test_addedges_adds_missing_edges():
    for kind, text, pairs in (
        ("", "grid 3 3", [*combinations(range(9), 2)]),
        ("bipartite", "shift 4 5 0 2", [*product(range(4), range(5))]),
    ):
        old = edges(construct(kind, text))
        missing = [pair for pair in pairs if pair not in old]
        for m in (0, 1, 5, len(missing)):
            graph = construct(kind, f"{text} addedges {m} seed")
            new = set(edges(graph)) - set(old)
            assert len(new) == m and set(old) <= set(edges(graph)) <= set(pairs)
            if 0 < m < len(missing) / 2:
                assert new == {missing[k] for k in distinct_numbers(len(missing), m, 3)}
            assert graph.construction == f"{text} addedges {m} 3"


def test_plantclique_adds_edges_of_random_subset():
    graph = construct("", "cycle 9 plantclique 4 6")
    (clique,) = column_by_column(words(6), 9, 4, 1)
    assert set(edges(graph)) == {*edges(construct("", "cycle 9")), *combinations(clique, 2)}
    graph = construct("bipartite", "empty 5 6 plantbiclique 2 3 6")
    source = words(6)
    sides = [column_by_column(source, 5, 2, 1)[0], column_by_column(source, 6, 3, 1)[0]]
    assert edges(graph) == [*product(*sides)]


def test_splitedges_subdivides_random_edges():
    old = edges(construct("", "complete 5"))
    graph = construct("", "complete 5 splitedges 3 6")
    split = [old[k] for k in sorted(distinct_numbers(10, 3, 6))]
    assert graph.vertices == 8
    halves = [(end, 5 + k) for k, edge in enumerate(split) for end in edge]
    assert edges(graph) == sorted([*(set(old) - set(split)), *halves])


def test_modifications_are_applied_in_order():
    text = "regular 6 6 4 1 addedges 1 2 plantbiclique 2 2 3"
    graph = construct("bipartite", text)
    assert graph.construction == text
    assert 25 <= len(edges(graph)) <= 29


# Files.

KTHLIST = "c a graph\n5\n2 : 1 0\n3 : 1 2 0\n5 : 3 4 0\n"
BIPARTITE_KTHLIST = "7\n1 : 4 5 0\n2 : 0\n3 : 7 0\n"
MATRIX = "# sides\n2 3\n1 0 1\n0 0 1\n"


def read(kind: str, text: str, tmp_path: Any, name: str = "g.txt") -> Graph:
    (tmp_path / name).write_text(text)
    return construct(kind, str(tmp_path / name))


def test_cnfgen_formats_read_like_cnfgen(tmp_path):
    for kind, cnfgen_type in (("", "simple"), ("digraph", "digraph"), ("dag", "dag")):
        graph = read(kind, KTHLIST, tmp_path)
        path = str(tmp_path / "g.txt")
        expected = cnfgen.graphs.readGraph(path, cnfgen_type, file_format="kthlist")
        assert graph.vertices == expected.order() and graph.first == 1
        assert edges(graph) == sorted((min(e), max(e)) for e in cnfgen_edges(expected))
        assert graph.directed == bool(kind)
    for text, format_name in ((BIPARTITE_KTHLIST, "kthlist"), (MATRIX, "matrix")):
        graph = read("bipartite", text, tmp_path)
        path = str(tmp_path / "g.txt")
        expected = cnfgen.graphs.readGraph(path, "bipartite", file_format=format_name)
        num_left, num_right = map(len, expected.parts())
        assert (graph.num_left, graph.vertices) == (num_left, num_left + num_right)
        assert edges(graph) == cnfgen_edges(expected)


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("", "3\n1 : 2\n", r"g.txt:2: '1 : 2' is not a line of a kthlist"),
        (
            "",
            "3\n2 : 1 0\n1 : 3 0\n",
            r"g.txt:3: vertices must be in ascending order .*1 after 2",
        ),
        ("", "3\n2 : 4 0\n", r"g.txt:2: there is no vertex 4"),
        ("bipartite", "4\n1 : 2 0\n2 : 3 0\n", r"g.txt:2: the left vertex 1 has an edge to 2"),
        (
            "bipartite",
            "2 2\n1 0 0\n",
            r"g.txt:2: the matrix must consist of 2 \* 2 zeros and ones \(got 3\)",
        ),
        ("dag", "digraph { a -> b; b -> c; c -> a }", r"g: the graph must be acyclic"),
        ("dag", "1 2\n2 3\n", r"g: the graph must be directed, as its kind is dag"),
        ("bipartite", "1 2\n2 3\n1 3\n", r"g: the graph has a cycle of odd length"),
        ("bipartite", "1 -> 2\n", r"g: the graph must be undirected"),
    ],
)
def test_file_of_another_kind_is_rejected(kind, text, fault, tmp_path):
    with pytest.raises(InputError, match=fault):
        read(kind, text, tmp_path)


def test_bipartite_graph_in_edge_list_is_partitioned(tmp_path):
    graph = read("bipartite", "a x\nb x\nb y\nz c\n", tmp_path)
    assert graph.labels == ("a", "b", "z", "x", "y", "c")
    assert (graph.num_left, edges(graph)) == (3, [(0, 0), (1, 0), (1, 1), (2, 2)])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("", "complete 2147483646"),
        ("", "gnp 2147483646 0.5 1"),
        ("", "gnm 2147483646 2147483646 1"),
        ("", "gnd 2147483646 2 1"),
        ("", "torus 60000 60000"),
        ("dag", "tree 2147483646"),
        ("dag", "pyramid 2147483646"),
        ("bipartite", "glrd 2147483646 40 3 1"),
        ("bipartite", "regular 30000000 30000000 3 1"),
        ("bipartite", "complete 2147483646 2147483646"),
        ("", "empty 1000000 plantclique 1000000 1"),
        ("", "empty 1000000 addedges 2147483646 1"),
    ],
)
def test_huge_graph_is_rejected_before_construction(kind, text):
    with pytest.raises(InputError, match="the graph needs too much"):
        construct(kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("", "complete 0", "complete: n must be at least 1 \\(got 0\\)"),
        ("", "complete -3", "complete: n must be at least 1 \\(got -3\\)"),
        ("", "cycle 2", "cycle: n must be at least 3 \\(got 2\\)"),
        ("", "complete", "the construction `complete` needs arguments; write `complete N`"),
        ("", "complete 3 4", "expected 1 argument \\(got 2\\); write `complete N`"),
        ("", "grid 3 0", "grid: each side must be at least 1 \\(got 0\\)"),
        ("", "gnp 4 1.5 1", "gnp: p must be between 0 and 1 \\(got 1.5\\)"),
        ("", "gnm 4 0.5 1", "gnm: 0.5 is not an integer"),
        ("", "gnm 4 7 1", "gnm: m must be between 0 and 6 for n = 4 \\(got 7\\)"),
        ("", "gnd 5 3 1", "gnd: n \\* d must be even \\(got n = 5 and d = 3\\)"),
        ("", "complete q", "'q' is neither a number"),
        ("", "complete 99999999999", "cannot read the graph"),
        (
            "dag",
            "complete 3",
            "`complete` does not construct a dag graph; choose from: path, tree, pyramid",
        ),
        ("bipartite", "regular 2 3 1 1", "regular: l \\* d must be a multiple of r"),
        ("bipartite", "glrd 2 3 4 1", "glrd: d must be between 0 and 3 for r = 3 \\(got 4\\)"),
        ("bipartite", "complete 0 3", "complete: l must be at least 1 \\(got 0\\)"),
    ],
)
def test_construction_with_invalid_argument_is_rejected(kind, text, fault):
    def number(name: str) -> int:
        raise InputError(f"{name!r} is neither a number nor a parameter that is one")

    with pytest.raises(InputError, match=fault):
        graph_of_setting(kind, text, "g", number)


def test_seed_determines_graph():
    assert [*islice(words(0), 1)] == [16294208416658607535]
    assert edges(construct("", "gnd 6 2 seed")) == edges(construct("", "gnd 6 2 3"))
    assert construct("", "complete n").construction == "complete 4"
