"""Graph parameters of specs: several graphs, kinds, headers and recipes."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.formulas import clauses_of, count, make, text_of

from boardsat.adapters.dimacs.header import read_header
from boardsat.campaign.runner.recipe import RecipeGatherer
from boardsat.generators import InputError, build, parse
from boardsat.instance.header_verification import settings_from_header

ISOMORPHISM: dict[str, Any] = {
    "params": {
        "n": 5,
        "seed": 1,
        "g": {"type": "graph", "default": "cycle n"},
        "h": {"type": "graph", "default": "cycle 5"},
        "k": {"default": "len(g.edges) + len(h.vertices)", "max": "3 * len(h.vertices)"},
    },
    "variables": {"X": {"for": "u in g.vertices, v in h.vertices"}},
    "constraints": [
        {"for": "u in g.vertices", "exactly_one": "X[u, v] for v in h.vertices"},
        {"for": "v in h.vertices", "exactly_one": "X[u, v] for u in g.vertices"},
        {
            "for": "(a, b) in pairs(g.vertices), c in h.vertices, d in h.vertices",
            "if": "c != d and ((a, b) in g.edges) != (d in h.neighbours[c])",
            "clause": "not X[a, c] or not X[b, d]",
        },
    ],
}


def test_spec_with_two_graphs_counts_isomorphisms():
    assert count(make(**ISOMORPHISM)) == 10
    assert count(make({"g": "gnp 5 0.5 2"}, **ISOMORPHISM)) == 0
    assert count(make({"g": "complete 4", "h": "gnd 4 3 9"}, **ISOMORPHISM)) == 24
    formula = make({"n": 4, "h": "grid 2 2"}, **ISOMORPHISM)
    assert count(formula) == 8
    parameters = formula.header.parameters
    assert (parameters["g"], parameters["h"], parameters["k"]) == ("cycle 4", "grid 2 2", 8)
    assert "cycle-4-grid-2-2" in formula.header.stem


def test_bipartite_and_acyclic_graphs_offer_sides_and_arcs():
    formula = make(
        params={
            "b": {"type": "graph", "kind": "bipartite", "default": "shift 3 4 0 1"},
            "d": {"type": "graph", "kind": "dag", "default": "pyramid 2"},
        },
        variables={
            "X": {"for": "(u, v) in b.edges"},
            "Y": {"for": "v in d.vertices"},
        },
        constraints=[
            {"for": "u in b.left", "clause": "X[u, v] for v in b.neighbours[u]"},
            {"for": "v in b.right", "clause": "not X[u, v] for u in b.predecessors[v]"},
            {"for": "v in d.vertices", "clause": ["not Y[u] for u in d.predecessors[v]", "Y[v]"]},
            {"for": "(u, v) in d.arcs", "if": "d.directed", "clause": "Y[u] or Y[v]"},
        ],
    )
    x = {(0, 0): 1, (0, 1): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5, (2, 3): 6}
    expected = [[x[u, u], x[u, u + 1]] for u in range(3)]
    expected += [[-number for (_, end), number in x.items() if end == v] for v in range(4)]
    expected += [[7], [8], [9], [-7, -8, 10], [-8, -9, 11], [-10, -11, 12]]
    expected += [[7, 10], [8, 10], [8, 11], [9, 11], [10, 12], [11, 12]]
    assert clauses_of(formula) == expected


SPEC = """
title: a graph
params:
  g: {type: graph}
variables:
  X: {for: v in g.vertices}
constraints:
  - for: (u, v) in g.edges
    clause: X[u] or X[v]
"""


def test_construction_is_recorded_in_header_and_recipe(tmp_path):
    spec = parse(SPEC, "vertex")
    formula = build(spec, {"g": "path 3"})
    comments = [line[2:] for line in text_of(formula).decode().split("\n") if line[:2] == "c "]
    header = read_header(comments, formula.variables)
    assert settings_from_header(spec, header) == {"g": "path 3"}
    # A header cannot make the program open a file.
    hostile = [line.replace('"path 3"', '"/etc/passwd"') for line in comments]
    with pytest.raises(InputError, match="the board in the header must be a graph"):
        settings_from_header(spec, read_header(hostile, formula.variables))
    (tmp_path / "vertex.yaml").write_text(SPEC)
    recipe = RecipeGatherer(tmp_path).gather("vertex.yaml", None, {"g": "path 3"})
    assert recipe.graphs == {}
    assert text_of(recipe.formula()).split(b"\np ")[1] == text_of(formula).split(b"\np ")[1]
