"""Random graphs with structure that matters for Hamiltonian cycles, and a brute-force decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from random import Random

from helpers.small_graphs import Graph, generalized_petersen, necklace
from helpers.tour_search import flower_snark

Edge = tuple[int, int]


def is_hamiltonian(graph: Graph) -> bool:
    """Return whether a graph has a Hamiltonian cycle (dynamic programming over vertex sets)."""
    vertices, edges = graph
    neighbours = [0] * vertices
    for u, v in edges:
        neighbours[u] |= 1 << v
        neighbours[v] |= 1 << u
    # Ends of the paths from vertex 0, by the set of visited vertices.
    ends_of = {1: 1}
    for _ in range(vertices - 1):
        longer: dict[int, int] = {}
        for visited, ends in ends_of.items():
            for end in _members(ends):
                for vertex in _members(neighbours[end] & ~visited):
                    key = visited | 1 << vertex
                    longer[key] = longer.get(key, 0) | 1 << vertex
        ends_of = longer
    return vertices > 2 and any(ends & neighbours[0] for ends in ends_of.values())


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def is_cycle_of(graph: Graph, cycle: Sequence[int]) -> bool:
    """Return whether a sequence of vertices is a Hamiltonian cycle of a graph."""
    vertices, edges = graph
    present = {frozenset(edge) for edge in edges}
    steps = pairwise([*cycle, *cycle[:1]])
    return (
        len(cycle) > 2
        and sorted(cycle) == list(range(vertices))
        and all(frozenset(step) in present for step in steps)
    )


def random_edges(rng: Random, vertices: Sequence[int], number: int) -> list[Edge]:
    pairs = [*combinations(vertices, 2)]
    return rng.sample(pairs, min(number, len(pairs)))


def gnm(rng: Random, size: int) -> Graph:
    """Return a graph with about the number of edges at which cycles appear."""
    return size, random_edges(rng, range(size), rng.randint(size, 2 * size + 2))


def cubic(rng: Random, size: int) -> Graph:
    """Return a graph of degree at most 3: three random matchings, joined."""
    edges = set()
    for _ in range(3):
        order = rng.sample(range(size), size)
        edges |= {(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=False)}
    return size, sorted(edges)


def planted(rng: Random, size: int) -> Graph:
    """Return a random cycle with some more edges."""
    order = rng.sample(range(size), size)
    cycle = {(min(u, v), max(u, v)) for u, v in pairwise([*order, order[0]])}
    return size, sorted(cycle | set(random_edges(rng, range(size), rng.randint(0, size // 2))))


def nearly_planted(rng: Random, size: int) -> Graph:
    """Return a graph with a planted cycle, without one edge of its own."""
    _, edges = planted(rng, size)
    edges.remove(rng.choice(edges))
    return size, edges


def bipartite(rng: Random, size: int) -> Graph:
    """Return a bipartite graph; the parts may differ by one vertex."""
    left = size // 2 - rng.randint(0, 1)
    pairs = [(u, v) for u in range(left) for v in range(left, size)]
    return size, rng.sample(pairs, min(len(pairs), rng.randint(size, 2 * size)))


def dense(rng: Random, size: int) -> Graph:
    return size, random_edges(rng, range(size), size * (size - 1) // 2 - rng.randint(0, size))


def bridged(rng: Random, size: int) -> Graph:
    """Return two graphs that are joined by one edge."""
    return _two_parts(rng, size, bridges=1)


def two_bridges(rng: Random, size: int) -> Graph:
    """Return two graphs that are joined by two edges."""
    return _two_parts(rng, size, bridges=2)


def disconnected(rng: Random, size: int) -> Graph:
    return _two_parts(rng, size, bridges=0)


def _two_parts(rng: Random, size: int, bridges: int) -> Graph:
    left = rng.randint(2, size - 2)
    edges = _dense_part(rng, range(left)) | _dense_part(rng, range(left, size))
    for _ in range(bridges):
        edges.add((rng.randrange(left), rng.randrange(left, size)))
    return size, sorted(edges)


def _dense_part(rng: Random, vertices: Sequence[int]) -> set[Edge]:
    """Return random edges, most of the time with a path through all vertices."""
    edges = set(random_edges(rng, vertices, rng.randint(len(vertices) - 1, 2 * len(vertices))))
    if rng.random() < 0.8:
        path = rng.sample(vertices, len(vertices))
        edges |= {(min(pair), max(pair)) for pair in pairwise(path)}
    return edges


def blocks(rng: Random, size: int) -> Graph:
    """Return graphs in a row that share one vertex with the next: it has cut vertices."""
    return _in_a_row(rng, size, shared=1, closed=False)


def two_vertex_cuts(rng: Random, size: int) -> Graph:
    """Return graphs in a row that share two vertices with the next."""
    return _in_a_row(rng, size, shared=2, closed=False)


def ring_of_blocks(rng: Random, size: int) -> Graph:
    """Return graphs in a ring that share one vertex with the next: pairs of them are cuts."""
    return _in_a_row(rng, size, shared=1, closed=True)


def _in_a_row(rng: Random, size: int, shared: int, closed: bool) -> Graph:
    edges: set[Edge] = set()
    first = 0
    while first < size - shared:
        last = min(size, first + shared + rng.randint(2, 4))
        is_last = last == size
        part = [*range(first, last), *([0] if closed and is_last and first else [])]
        edges |= _dense_part(rng, part)
        first = last - shared
    return size, sorted({(min(edge), max(edge)) for edge in edges})


def subdivided(rng: Random, size: int) -> Graph:
    """Return a graph with chains of vertices of degree 2."""
    core = rng.randint(3, max(3, size - 2))
    edges = sorted(_dense_part(rng, range(core)))
    for vertex in range(core, size):
        u, v = edges.pop(rng.randrange(len(edges)))
        edges += [(u, vertex), (v, vertex)]
    return size, edges


def tree_like(rng: Random, size: int) -> Graph:
    """Return a random tree with few more edges: small width, many bridges."""
    tree = {(rng.randrange(vertex), vertex) for vertex in range(1, size)}
    return size, sorted(tree | set(random_edges(rng, range(size), rng.randint(0, size))))


def hub(rng: Random, size: int) -> Graph:
    """Return a graph with a vertex that is adjacent to all others."""
    others = range(1, size)
    edges = _dense_part(rng, others) if rng.random() < 0.5 else set(random_edges(rng, others, size))
    return size, sorted(edges | {(0, vertex) for vertex in others})


FAMILIES: tuple[Callable[[Random, int], Graph], ...] = (
    *(gnm, cubic, planted, nearly_planted, bipartite, dense, bridged, two_bridges, disconnected),
    *(blocks, two_vertex_cuts, ring_of_blocks, subdivided, tree_like, hub),
)


def relabelled(rng: Random, graph: Graph) -> Graph:
    """Return a graph with its vertices renamed, and its edges in another order and direction."""
    vertices, edges = graph
    names = rng.sample(range(vertices), vertices)
    return vertices, [
        (names[u], names[v]) if rng.random() < 0.5 else (names[v], names[u])
        for u, v in rng.sample(edges, len(edges))
    ]


def random_graphs(number: int, seed: int, max_vertices: int = 12) -> Iterator[tuple[str, Graph]]:
    """Yield graphs of all families in turn, with names that tell how to make them again."""
    rng = Random(seed)
    for index in range(number):
        family = FAMILIES[index % len(FAMILIES)]
        size = rng.randint(4, max_vertices)
        yield f"{family.__name__} {index}", relabelled(rng, family(rng, size))


def large_planted(rng: Random, size: int) -> Graph:
    """Return a Hamiltonian graph whose parts are joined by cuts of two vertices or edges."""
    edges: set[Edge] = set()
    first = 0
    entries = []
    while first < size:
        last = min(size, first + rng.randint(1, 40))
        path = rng.sample(range(first, last), last - first)
        edges |= set(pairwise(path))
        edges |= set(random_edges(rng, path, rng.randint(0, 2 * len(path))))
        entries.append((path[0], path[-1]))
        first = last
    for (_, end), (start, _) in pairwise([*entries, entries[0]]):
        edges.add((end, start))
    if rng.random() < 0.5:
        edges |= set(random_edges(rng, range(size), rng.randint(0, 4)))
    return size, sorted({(min(edge), max(edge)) for edge in edges})


def without_cycles() -> list[tuple[str, Graph]]:
    """Return graphs that have no Hamiltonian cycle by a theorem."""
    snarks = [
        (f"flower {petals}", (4 * petals, flower_snark(petals))) for petals in (5, 7, 9, 11, 51)
    ]
    # Alspach 1983.
    petersen = [(f"petersen {n} 2", generalized_petersen(n, 2)) for n in (5, 11, 17, 23, 29, 101)]
    return [*snarks, *petersen, ("bridged cubic", bridged_cubic()), ("tutte", tutte_graph())]


def bridged_cubic() -> Graph:
    """Return a cubic graph with a bridge: two copies of K4 with an edge subdivided, joined."""
    half = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 4), (3, 4)]
    return 10, [*half, *((u + 5, v + 5) for u, v in half), (4, 9)]


def tutte_graph() -> Graph:
    """Return the graph of Tutte (1946), planar, cubic and 3-connected, as in NetworkX."""
    import networkx

    graph = networkx.tutte_graph()
    return len(graph), [*graph.edges]


def with_cycles() -> list[tuple[str, Graph]]:
    """Return larger graphs with a Hamiltonian cycle."""
    rng = Random(5)
    parts = [(f"parts {size}", large_planted(rng, size)) for size in (30, 60, 120, 240, 500)]
    rings = [
        (f"necklace {beads} {size}", necklace(beads, size)) for beads, size in ((8, 4), (20, 5))
    ]
    return [*parts, *rings, ("petersen 30 7", generalized_petersen(30, 7))]
