"""Header comments of DIMACS files, read by an independent decoder written from docs/dimacs.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest
from helpers import processes
from helpers.formulas import examples, is_lazy, mostly_slow
from helpers.instances import case_name, cases_of, formula_of, options_of, specs, sweep
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters.dimacs.reader import validate
from boardsat.generators import build, find, parse, write
from boardsat.generators.dimacs import document as dimacs


class Reader:
    """Comments of a file, accessed by their first word."""

    def __init__(self, path):
        self.lines = path.read_text("ascii").splitlines()
        self.comments = [line[2:] for line in self.lines if line.startswith("c ")]
        self.metadata, self.parameters, self.board = map(
            self.json, ("boardsat", "parameters", "board")
        )

    def texts(self, keyword):
        return [c[len(keyword) + 1 :] for c in self.comments if c.startswith(keyword + " ")]

    def json(self, keyword):
        (text,) = self.texts(keyword)
        return json.loads(text)

    def members(self, name):
        """Return the indices of every member, by its variable number."""
        (description,) = [v for v in map(json.loads, self.texts("variable")) if v["name"] == name]
        keys = runs(self.texts(f"keys {name}")) or list(range(description["count"]))
        ids = [
            int(token)
            for line in self.texts(f"ids {name}")
            for token in line.split()
            if token != "0"
        ]
        first = description["first"]
        return {
            number: unravel(key, description["shape"])
            for number, key in zip(ids or range(first, first + len(keys)), keys, strict=True)
        }

    def edges(self):
        vertices = self.board["vertices"]
        return {divmod(key, vertices) for key in runs(self.texts("edges"))}

    def is_move(self, a, b):
        if self.board["shape"] == "graph":
            return (min(a, b), max(a, b)) in self.edges()
        cols = self.board["cols"]
        return [b // cols - a // cols, b % cols - a % cols] in self.board["moves"]

    @property
    def cells(self):
        board = self.board
        return board["vertices"] if board["shape"] == "graph" else board["rows"] * board["cols"]


def runs(lines):
    numbers = []
    for token in " ".join(lines).split():
        first, _, repetition = token.partition("+")
        count, _, step = repetition.partition("*")
        numbers += [int(first) + k * int(step or 1) for k in range(int(count or 1))]
    return numbers


def unravel(key, shape):
    indices = []
    for extent in reversed(shape):
        key, index = divmod(key, extent)
        indices.append(index)
    return tuple(reversed(indices))


def is_solution(reader, true):
    """Return True if the true variables decode to a solution of the problem."""
    (view,) = map(json.loads, reader.texts("decode"))
    members = reader.members(view["variable"])
    chosen = [members[number] for number in sorted(members) if number in true]
    problem = reader.metadata["spec"].split("/")[0]
    return SOLUTION_CHECKS[problem](reader, view, chosen)


def is_tour(reader, view, chosen):
    if view["view"] == "order":
        order = [c[view["cell"]] for c in sorted(chosen, key=lambda c: c[view["position"]])]
    else:
        arcs = [(c[view["from"]], c[view["to"]]) for c in chosen]
        arcs += [(b, a) for a, b in arcs] if view["view"] == "edges" else []
        arcs = rotated_arcs(reader, arcs) if view["view"] == "turned" else arcs
        order, cell = [], reader.parameters["start"]
        while cell is not None:
            order.append(cell)
            cell = next((b for a, b in arcs if a == cell and b not in order), None)
    steps = list(pairwise(order))
    steps += [(order[-1], order[0])] if reader.parameters.get("closed", True) else []
    return (
        sorted(order) == list(range(reader.cells))
        and order[0] == reader.parameters["start"]
        and all(reader.is_move(a, b) for a, b in steps)
    )


def rotated_arcs(reader, arcs):
    """Return the arcs and their images under all rotations of the board."""
    rows, cols = reader.board["rows"], reader.board["cols"]
    all_arcs = list(arcs)
    for _ in range(360 // int(reader.parameters["turn"]) - 1):
        if reader.parameters["turn"] == "90":
            rotation = {
                r * cols + c: c * rows + rows - 1 - r for r in range(rows) for c in range(cols)
            }
        else:
            rotation = {cell: rows * cols - 1 - cell for cell in range(rows * cols)}
        arcs = [(rotation[a], rotation[b]) for a, b in arcs]
        all_arcs += arcs
    return all_arcs


def is_queens(reader, view, chosen):
    n = reader.parameters["n"]
    queens = [divmod(cell, n) for (cell,) in chosen]
    return len(queens) == n and all(
        a != c and b != d and abs(a - c) != abs(b - d) for (a, b), (c, d) in combinations(queens, 2)
    )


def is_pigeonhole(reader, view, chosen):
    sitting = [divmod(cell, reader.board["cols"]) for (cell,) in chosen]
    holes = [hole for _, hole in sitting]
    pigeons = {pigeon for pigeon, _ in sitting}
    return pigeons == set(range(reader.board["rows"])) and len(set(holes)) == len(holes)


def is_colouring(reader, view, chosen):
    colour = dict(chosen)
    return len(colour) == len(chosen) == reader.cells and all(
        colour[u] != colour[v] for u, v in reader.edges()
    )


def is_square(reader, view, chosen):
    n, value = reader.board["rows"], {cell: v + view["plus"] for cell, v in chosen}
    rows = [[value[r * n + c] for c in range(n)] for r in range(n)]
    lines = [*rows, *zip(*rows, strict=True)]
    if reader.metadata["spec"].startswith("sudoku"):
        b = reader.parameters["n"]
        lines += [
            [rows[r + i][c + j] for i in range(b) for j in range(b)]
            for r in range(0, n, b)
            for c in range(0, n, b)
        ]
    clues = [(cell, v) for cell, v in enumerate(reader.parameters["givens"]) if v]
    return (
        len(value) == len(chosen)
        and all(sorted(line) == list(range(1, n + 1)) for line in lines)
        and all(value[cell] == v for cell, v in clues)
        and runs(reader.texts("given")) == [cell for cell, _ in clues]
    )


SOLUTION_CHECKS = {
    **dict.fromkeys(("tour", "hamilton", "symmetric"), is_tour),
    **dict.fromkeys(("latin", "sudoku"), is_square),
    "queens": is_queens,
    "pigeonhole": is_pigeonhole,
    "colouring": is_colouring,
}
"""Problems of every kind of view; test_rules.py covers the others."""


@pytest.mark.parametrize(
    ("spec", "sweep_part"),
    [case for case in sweep(1) if str(case.values[0]).partition("/")[0] in SOLUTION_CHECKS],
)
def test_model_is_decoded_from_file_alone(spec, sweep_part, tmp_path):
    path = tmp_path / "x.cnf"
    for case in [] if is_lazy(spec) else cases_of(spec, sweep_part):
        write(formula_of(case), str(path))
        validate(str(path))
        reader = Reader(path)
        with Solver("cadical153", bootstrap_with=CNF(from_file=str(path))) as solver:
            if solver.solve():
                true = {x for x in solver.get_model() if x > 0}
                assert is_solution(reader, true), case_name(case)


@pytest.mark.parametrize("shuffle", [[], ["--shuffle", "3"]])
def test_projection_forms_name_same_variables(boardsat, tmp_path, shuffle):
    projections = {}
    for form in ("ind", "show", "none"):
        path = tmp_path / f"{form}.cnf"
        boardsat("cnf", "tour/binary", "-n", 6, "--projection", form, *shuffle, "-o", path)
        reader = Reader(path)
        tokens = " ".join(reader.texts("ind") + reader.texts("p show")).split()
        projections[form] = {int(token) for token in tokens} - {0}
        assert reader.texts("t") == (["pmc"] if form == "show" else [])
    assert projections["ind"] == projections["show"] == set(reader.members("H"))
    assert projections["none"] == set()


@pytest.mark.parametrize(("spec", "sweep_part"), sweep(2))
def test_projection_equals_variables_named_by_spec(spec, sweep_part, tmp_path):
    names = [source.text for source in find(spec).counting.projection]
    # Only projections that consist of entire variables.
    if names and all(map(str.isidentifier, names)):
        for case in cases_of(spec, sweep_part):
            check_projection(names, formula_of(case), tmp_path)


def check_projection(names, formula, tmp_path):
    for form in ("ind", "show"):
        path = tmp_path / f"{form}.cnf"
        write(formula, str(path), form)
        reader = Reader(path)
        tokens = " ".join(reader.texts("ind" if form == "ind" else "p show")).split()
        expected = sorted(number for name in names for number in reader.members(name))
        assert [int(token) for token in tokens if token != "0"] == expected
    # The model counting competition requires the type first, and one line after the header.
    head = next(k for k, line in enumerate(reader.lines) if line.startswith("p cnf"))
    assert reader.lines[0] == "c t pmc"
    assert [k for k, line in enumerate(reader.lines) if line.startswith("c p show")] == [head + 1]


@given(st.lists(st.integers(0, 40), max_size=30))
@examples(500)
def test_runs_round_trip(numbers):
    tokens = dimacs.runs(np.array(numbers, np.int64))
    assert runs(dimacs.wrap(tokens)) == numbers


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 9), st.integers(-3, 9)), max_size=9))
@examples(500)
def test_runs_of_arithmetic_progressions_are_short(blocks):
    numbers = [first + 30 + k * step for first, count, step in blocks for k in range(count)]
    tokens = dimacs.runs(np.array(numbers, np.int64))
    assert runs(tokens) == numbers
    assert len(tokens) <= 3 * len(blocks)


@pytest.mark.parametrize(
    ("first", "step"), mostly_slow([(0, 24), *product(range(8), [8])], [(0, 24)])
)
def test_bytes_are_independent_of_environment(first, step, tmp_path):
    """Hash seed, working folder, language and time zone do not change the output."""
    program = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1]);"
        "from helpers.instances import FIRST, cases_of, formula_of, specs;"
        "from helpers.formulas import text_of;"
        "[print(s, d, hashlib.sha256(text_of(formula_of((s, settings, d)))).hexdigest())"
        " for s in specs()[int(sys.argv[2]) :: int(sys.argv[3])]"
        " for _, settings, _ in cases_of(s, FIRST) for d in ('plain', 'all')]"
    )
    outputs = set()
    for seed, variables in (("1", {"TZ": "UTC"}), ("2", {"TZ": "Asia/Tokyo", "LC_ALL": "C"})):
        folder = tmp_path / seed
        folder.mkdir()
        outputs.add(
            processes.run(
                [sys.executable, "-c", program, Path(__file__).parents[1], str(first), str(step)],
                cwd=folder,
                env={**os.environ, "PYTHONHASHSEED": seed, **variables},
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
    (lines,) = outputs
    assert lines.count(b"\n") == 2 * len(specs()[first::step])


def test_bytes_of_command_are_independent_of_hash_seed(tmp_path):
    case = ("tour/unary", {"n": "6"}, "all")
    outputs = set()
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "boardsat", "cnf", *options_of(case)]
        process = processes.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True
        )
        outputs.add(process.stdout)
    assert len(outputs) == 1


def test_sparse_layout_has_short_keys(tmp_path):
    path = tmp_path / "x.cnf"
    write(build(find("tour/unary"), {"n": 12, "parity": True}), str(path))
    reader = Reader(path)
    assert sum(map(len, reader.texts("keys U"))) < 40 * reader.cells


@pytest.mark.parametrize("written", ["W, B", "[W, B]", "B,W"])
def test_projection_accepts_list_of_names(written):
    text = "title: x\nvariables:\n  W: {for: 'i in range(2)'}\n  Z: {}\n  B: {}\n"
    spec = parse(f"{text}constraints:\n  - clause: Z\nprojection: {written}\n")
    assert build(spec).header.projection.tolist() == [1, 2, 4]
