"""Graphs by construction against NetworkX and CNFgen; and the kinds that a spec asks for."""

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
from boardsat.generators.graphs.namespace import graph_of

Pairs = list[tuple[int, int]]


def made(kind: str, text: str) -> Graph:
    with outside_limits():
        return graph_of(kind, text, "g", lambda name: {"n": 4, "seed": 3}[name])


def edges(graph: Graph) -> Pairs:
    """Of a bipartite graph, both sides counted from 0."""
    return [(u, v - (graph.left or 0)) for u, v in graph.edges.tolist()]


def by_networkx(graph: Any) -> Pairs:
    numbers = {v: place for place, v in enumerate(sorted(graph.nodes))}
    ends = ((numbers[u], numbers[v]) for u, v in graph.edges)
    return sorted((min(u, v), max(u, v)) for u, v in ends)


def by_cnfgen(graph: Any) -> Pairs:
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
def test_graphs_with_a_name_are_those_of_networkx(text):
    graph = made("", text)
    assert (graph.vertices, edges(graph)) == (len(NAMED[text]), by_networkx(NAMED[text]))
    assert graph.construction == text and not graph.directed


def test_grids_are_those_of_cnfgen():
    for sides in ([1], [2], [2, 2], [3, 2], [2, 3, 3], [1, 4], [3, 3], [5]):
        for name, wraps in (("grid", False), ("torus", True)):
            graph = made("", " ".join([name, *map(str, sides)]))
            theirs = cnfgen.graphs.grid(sides, torus=wraps)
            assert graph.vertices == theirs.order()
            assert edges(graph) == sorted((min(e), max(e)) for e in by_cnfgen(theirs))


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("path", cnfgen.graphs.dag_path),
        ("tree", cnfgen.graphs.dag_complete_binary_tree),
        ("pyramid", cnfgen.graphs.dag_pyramid),
    ],
)
@pytest.mark.parametrize("kind", ["dag", "digraph"])
def test_graphs_to_pebble_are_those_of_cnfgen(name, theirs, kind):
    for size in range(6):
        graph = made(kind, f"{name} {size}")
        assert (graph.vertices, edges(graph)) == (theirs(size).order(), by_cnfgen(theirs(size)))
        assert graph.directed


@pytest.mark.parametrize("sides", [(3, 5), (4, 4), (1, 1), (6, 2)])
def test_bipartite_graphs_without_chance(sides):
    left, right = sides
    every = [*product(range(left), range(right))]
    assert edges(made("bipartite", f"complete {left} {right}")) == every
    assert edges(made("bipartite", f"empty {left} {right}")) == []
    for offsets in ([0], [0, 1], [0, 1, 3], [2, 2]):
        graph = made("bipartite", " ".join(map(str, ["shift", left, right, *offsets])))
        theirs = cnfgen.graphs.bipartite_shift(left, right, list(offsets))
        assert (graph.left, graph.vertices) == (left, left + right)
        assert edges(graph) == sorted(set(by_cnfgen(theirs)))


def drawn(limit: int, number: int, seed: int) -> set[int]:
    source, found = words(seed), dict[int, None]()
    while len(found) < number:
        found |= dict.fromkeys(below(source, limit) for _ in range(number - len(found)))
    return set(found)


def test_random_graphs_are_those_of_the_definition():
    pairs = [*combinations(range(9), 2)]
    expected = [e for e, word in zip(pairs, words(5), strict=False) if word < 0.25 * 2**64]
    assert edges(made("", "gnp 9 0.25 5")) == expected
    assert edges(made("", "gnm 9 12 6")) == [pairs[k] for k in sorted(drawn(36, 12, 6))]
    assert len(edges(made("", "gnm 9 30 6"))) == 30
    assert edges(made("", "gnp 9 1 5")) == edges(made("", "gnm 9 36 1")) == pairs
    assert edges(made("", "gnp 9 0 5")) == edges(made("", "gnm 9 0 1")) == []
    both = [*product(range(4), range(6))]
    expected = [e for e, word in zip(both, words(2), strict=False) if word < 2**63]
    assert edges(made("bipartite", "glrp 4 6 .5 2")) == expected
    assert edges(made("bipartite", "glrm 4 6 7 2")) == [both[k] for k in sorted(drawn(24, 7, 2))]
    rows = column_by_column(words(8), 6, 3, 4)
    assert edges(made("bipartite", "glrd 4 6 3 8")) == [(u, v) for u in range(4) for v in rows[u]]


def test_regular_graphs_are_regular_and_simple():
    for n in range(1, 12):
        for d in range(n):
            for seed in range(3):
                if n * d % 2:
                    continue
                graph = made("", f"gnd {n} {d} {seed}")
                found = edges(graph)
                assert graph.vertices == n and len(set(found)) == len(found) == n * d // 2
                assert all(u < v for u, v in found)
                degrees = Counter(v for edge in found for v in edge)
                assert all(degrees[v] == d for v in range(n))
    assert edges(made("", "gnd 20 3 1")) != edges(made("", "gnd 20 3 2"))


def test_regular_bipartite_graphs_are_regular_and_simple():
    for left, right in product(range(1, 7), repeat=2):
        for d in (d for d in range(right + 1) if left * d % right == 0):
            found = edges(made("bipartite", f"regular {left} {right} {d} 4"))
            assert len(set(found)) == len(found) == left * d
            assert Counter(u for u, _ in found) == Counter({u: d for u in range(left) if d})
            assert set(Counter(v for _, v in found).values()) <= {left * d // right}


def test_every_regular_graph_comes_out():
    """Of six vertices with two neighbours each: 60 hexagons and 10 pairs of triangles."""
    found = Counter(tuple(edges(made("", f"gnd 6 2 {seed}"))) for seed in range(700))
    assert len(found) == 70


# Changes.


def test_edges_are_added_where_there_are_none():
    for kind, text, pairs in (
        ("", "grid 3 3", [*combinations(range(9), 2)]),
        ("bipartite", "shift 4 5 0 2", [*product(range(4), range(5))]),
    ):
        old = edges(made(kind, text))
        missing = [pair for pair in pairs if pair not in old]
        for m in (0, 1, 5, len(missing)):
            graph = made(kind, f"{text} addedges {m} seed")
            new = set(edges(graph)) - set(old)
            assert len(new) == m and set(old) <= set(edges(graph)) <= set(pairs)
            if 0 < m < len(missing) / 2:
                assert new == {missing[k] for k in drawn(len(missing), m, 3)}
            assert graph.construction == f"{text} addedges {m} 3"


def test_cliques_are_planted():
    graph = made("", "cycle 9 plantclique 4 6")
    (clique,) = column_by_column(words(6), 9, 4, 1)
    assert set(edges(graph)) == {*edges(made("", "cycle 9")), *combinations(clique, 2)}
    graph = made("bipartite", "empty 5 6 plantbiclique 2 3 6")
    source = words(6)
    (left,), (right,) = column_by_column(source, 5, 2, 1), column_by_column(source, 6, 3, 1)
    assert edges(graph) == [*product(left, right)]


def test_edges_are_split():
    old = edges(made("", "complete 5"))
    graph = made("", "complete 5 splitedges 3 6")
    split = [old[k] for k in sorted(drawn(10, 3, 6))]
    assert graph.vertices == 8
    halves = [(end, 5 + k) for k, edge in enumerate(split) for end in edge]
    assert edges(graph) == sorted([*(set(old) - set(split)), *halves])


def test_changes_follow_one_another():
    text = "regular 6 6 4 1 addedges 1 2 plantbiclique 2 2 3"
    graph = made("bipartite", text)
    assert graph.construction == text
    assert 25 <= len(edges(graph)) <= 29


# Files.

KTHLIST = "c a graph\n5\n2 : 1 0\n3 : 1 2 0\n5 : 3 4 0\n"
SIDES = "7\n1 : 4 5 0\n2 : 0\n3 : 7 0\n"
MATRIX = "# sides\n2 3\n1 0 1\n0 0 1\n"


def read(kind: str, text: str, tmp_path: Any, name: str = "g.txt") -> Graph:
    (tmp_path / name).write_text(text)
    return made(kind, str(tmp_path / name))


def test_lists_of_cnfgen_are_read_as_it_reads_them(tmp_path):
    for kind, theirs in (("", "simple"), ("digraph", "digraph"), ("dag", "dag")):
        graph = read(kind, KTHLIST, tmp_path)
        again = cnfgen.graphs.readGraph(str(tmp_path / "g.txt"), theirs, file_format="kthlist")
        assert graph.vertices == again.order() and graph.first == 1
        assert edges(graph) == sorted((min(e), max(e)) for e in by_cnfgen(again))
        assert graph.directed == bool(kind)
    for text, form in ((SIDES, "kthlist"), (MATRIX, "matrix")):
        graph = read("bipartite", text, tmp_path)
        again = cnfgen.graphs.readGraph(str(tmp_path / "g.txt"), "bipartite", file_format=form)
        left, right = map(len, again.parts())
        assert (graph.left, graph.vertices - left) == (left, right)
        assert edges(graph) == by_cnfgen(again)


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("", "3\n1 : 2\n", r"g.txt:2: '1 : 2' is not a line of a kthlist"),
        ("", "3\n2 : 1 0\n1 : 3 0\n", r"g.txt:3: vertex 1 comes after 2"),
        ("", "3\n2 : 4 0\n", r"g.txt:2: an edge to a vertex that does not exist"),
        ("bipartite", "4\n1 : 2 0\n2 : 3 0\n", r"g.txt:2: an edge to 2, which is on the left"),
        ("bipartite", "2 2\n1 0 0\n", r"g.txt:2: 3 entries, not 2 times 2"),
        ("dag", "digraph { a -> b; b -> c; c -> a }", r"g: the graph has a directed cycle"),
        ("dag", "1 2\n2 3\n", r"g: a graph without directions"),
        ("bipartite", "1 2\n2 3\n1 3\n", r"g: the graph has a cycle of odd length"),
        ("bipartite", "1 -> 2\n", r"g: a graph with directions has no two sides"),
    ],
)
def test_files_that_are_not_what_is_asked_for(kind, text, fault, tmp_path):
    with pytest.raises(InputError, match=fault):
        read(kind, text, tmp_path)


def test_a_graph_without_sides_is_split(tmp_path):
    graph = read("bipartite", "a x\nb x\nb y\nz c\n", tmp_path)
    assert graph.labels == ("a", "b", "z", "x", "y", "c")
    assert (graph.left, edges(graph)) == (3, [(0, 0), (1, 0), (1, 1), (2, 2)])


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
def test_graphs_that_are_too_large_are_refused_at_once(kind, text):
    with pytest.raises(InputError, match="the graph needs too much"):
        made(kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("", "complete 0", "a graph of 0 vertices"),
        ("", "complete -3", "a graph of -3 vertices"),
        ("", "cycle 2", "a cycle of 2 vertices"),
        ("", "complete", "`complete` lacks its arguments; write `complete N`"),
        ("", "complete 3 4", "`complete` has 2 arguments; write `complete N`"),
        ("", "grid 3 0", "a side of 0"),
        ("", "gnp 4 1.5 1", "1.5 is not a probability"),
        ("", "gnm 4 0.5 1", "0.5 is not a whole number"),
        ("", "gnm 4 7 1", "7 edges of 4 vertices; the range is 0 to 6"),
        ("", "gnd 5 3 1", "an even product of both"),
        ("", "complete q", "'q' is neither a number"),
        ("", "complete 99999999999", "cannot read the graph"),
        (
            "dag",
            "complete 3",
            "`complete` constructs no dag graph; choose from: path, tree, pyramid",
        ),
        ("bipartite", "regular 2 3 1 1", "the right ones have equally many"),
        ("bipartite", "glrd 2 3 4 1", "a subset of 4 of 3 numbers"),
        ("bipartite", "complete 0 3", "sides of 0 and 3"),
    ],
)
def test_constructions_that_cannot_be(kind, text, fault):
    def number(name: str) -> int:
        raise InputError(f"{name!r} is neither a number nor a parameter that is one")

    with pytest.raises(InputError, match=fault):
        graph_of(kind, text, "g", number)


def test_the_first_words_of_a_seed_stay():
    assert [*islice(words(0), 1)] == [16294208416658607535]
    assert edges(made("", "gnd 6 2 seed")) == edges(made("", "gnd 6 2 3"))
    assert made("", "complete n").construction == "complete 4"
