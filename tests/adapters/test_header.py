"""A model is read from the file alone, by a decoder written here from docs/dimacs.md."""

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
    """The comments of a file, by their first word."""

    def __init__(self, path):
        self.lines = path.read_text("ascii").splitlines()
        self.comments = [line[2:] for line in self.lines if line.startswith("c ")]
        self.about, self.parameters, self.board = map(
            self.json, ("boardsat", "parameters", "board")
        )

    def texts(self, word):
        return [c[len(word) + 1 :] for c in self.comments if c.startswith(word + " ")]

    def json(self, word):
        (text,) = self.texts(word)
        return json.loads(text)

    def members(self, name):
        """From the number of every member to its indices."""
        (about,) = [v for v in map(json.loads, self.texts("variable")) if v["name"] == name]
        keys = runs(self.texts(f"keys {name}")) or list(range(about["count"]))
        ids = [int(w) for line in self.texts(f"ids {name}") for w in line.split() if w != "0"]
        first = about["first"]
        return {
            number: unravel(key, about["shape"])
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
    for word in " ".join(lines).split():
        first, _, rest = word.partition("+")
        count, _, step = rest.partition("*")
        numbers += [int(first) + k * int(step or 1) for k in range(int(count or 1))]
    return numbers


def unravel(key, shape):
    indices = []
    for extent in reversed(shape):
        key, index = divmod(key, extent)
        indices.append(index)
    return tuple(reversed(indices))


def obeys_the_rules(reader, true):
    """Whether the model is what its problem asks for."""
    (view,) = map(json.loads, reader.texts("decode"))
    members = reader.members(view["variable"])
    chosen = [members[number] for number in sorted(members) if number in true]
    problem = reader.about["spec"].split("/")[0]
    return READ[problem](reader, view, chosen)


def is_tour(reader, view, chosen):
    if view["view"] == "order":
        order = [c[view["cell"]] for c in sorted(chosen, key=lambda c: c[view["position"]])]
    else:
        arcs = [(c[view["from"]], c[view["to"]]) for c in chosen]
        arcs += [(b, a) for a, b in arcs] if view["view"] == "edges" else []
        arcs = turned(reader, arcs) if view["view"] == "turned" else arcs
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


def turned(reader, arcs):
    """The same arcs after every turn of the board."""
    rows, cols = reader.board["rows"], reader.board["cols"]
    found = list(arcs)
    for _ in range(360 // int(reader.parameters["turn"]) - 1):
        if reader.parameters["turn"] == "90":
            turn = {r * cols + c: c * rows + rows - 1 - r for r in range(rows) for c in range(cols)}
        else:
            turn = {cell: rows * cols - 1 - cell for cell in range(rows * cols)}
        arcs = [(turn[a], turn[b]) for a, b in arcs]
        found += arcs
    return found


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
    if reader.about["spec"].startswith("sudoku"):
        b = reader.parameters["n"]
        lines += [
            [rows[r + i][c + j] for i in range(b) for j in range(b)]
            for r in range(0, n, b)
            for c in range(0, n, b)
        ]
    given = [(cell, v) for cell, v in enumerate(reader.parameters["givens"]) if v]
    return (
        len(value) == len(chosen)
        and all(sorted(line) == list(range(1, n + 1)) for line in lines)
        and all(value[cell] == v for cell, v in given)
        and runs(reader.texts("given")) == [cell for cell, _ in given]
    )


READ = {
    **dict.fromkeys(("tour", "hamilton", "symmetric"), is_tour),
    **dict.fromkeys(("latin", "sudoku"), is_square),
    "queens": is_queens,
    "pigeonhole": is_pigeonhole,
    "colouring": is_colouring,
}
"""Problems of every kind of view; test_rules.py shows that others are read rightly."""


@pytest.mark.parametrize(
    ("spec", "part"), [case for case in sweep(1) if str(case.values[0]).partition("/")[0] in READ]
)
def test_a_model_is_read_from_the_file_alone(spec, part, tmp_path):
    path = tmp_path / "x.cnf"
    for case in [] if is_lazy(spec) else cases_of(spec, part):
        write(formula_of(case), str(path))
        validate(str(path))
        reader = Reader(path)
        with Solver("cadical153", bootstrap_with=CNF(from_file=str(path))) as solver:
            if solver.solve():
                true = {x for x in solver.get_model() if x > 0}
                assert obeys_the_rules(reader, true), case_name(case)


@pytest.mark.parametrize("shuffle", [[], ["--shuffle", "3"]])
def test_the_forms_of_a_projection_name_the_same_variables(boardsat, tmp_path, shuffle):
    found = {}
    for form in ("ind", "show", "none"):
        path = tmp_path / f"{form}.cnf"
        boardsat("cnf", "tour/binary", "-n", 6, "--projection", form, *shuffle, "-o", path)
        reader = Reader(path)
        words = " ".join(reader.texts("ind") + reader.texts("p show")).split()
        found[form] = {int(word) for word in words} - {0}
        assert reader.texts("t") == (["pmc"] if form == "show" else [])
    assert found["ind"] == found["show"] == set(reader.members("H"))
    assert found["none"] == set()


@pytest.mark.parametrize(("spec", "part"), sweep(2))
def test_the_projection_is_what_the_spec_names(spec, part, tmp_path):
    names = [source.text for source in find(spec).counting.projection]
    # One that counts over whole variables.
    if names and all(map(str.isidentifier, names)):
        for case in cases_of(spec, part):
            projection_is(names, formula_of(case), tmp_path)


def projection_is(names, formula, tmp_path):
    for form in ("ind", "show"):
        path = tmp_path / f"{form}.cnf"
        write(formula, str(path), form)
        reader = Reader(path)
        words = " ".join(reader.texts("ind" if form == "ind" else "p show")).split()
        wanted = sorted(number for name in names for number in reader.members(name))
        assert [int(word) for word in words if word != "0"] == wanted
    # The model counting competition wants its type first, and the one line after the header.
    head = next(k for k, line in enumerate(reader.lines) if line.startswith("p cnf"))
    assert reader.lines[0] == "c t pmc"
    assert [k for k, line in enumerate(reader.lines) if line.startswith("c p show")] == [head + 1]


@given(st.lists(st.integers(0, 40), max_size=30))
@examples(500)
def test_runs_give_the_numbers_back(numbers):
    words = dimacs.runs(np.array(numbers, np.int64))
    assert runs(dimacs.wrap(words)) == numbers


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 9), st.integers(-3, 9)), max_size=9))
@examples(500)
def test_runs_are_short_where_numbers_are_regular(blocks):
    numbers = [first + 30 + k * step for first, count, step in blocks for k in range(count)]
    words = dimacs.runs(np.array(numbers, np.int64))
    assert runs(words) == numbers
    assert len(words) <= 3 * len(blocks)


@pytest.mark.parametrize(
    ("first", "step"), mostly_slow([(0, 24), *product(range(8), [8])], [(0, 24)])
)
def test_bytes_do_not_depend_on_the_machine(first, step, tmp_path):
    """Nor on the order of sets in memory, the folder, the language or the time zone."""
    program = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1]);"
        "from helpers.instances import FIRST, cases_of, formula_of, specs;"
        "from helpers.formulas import text_of;"
        "[print(s, d, hashlib.sha256(text_of(formula_of((s, settings, d)))).hexdigest())"
        " for s in specs()[int(sys.argv[2]) :: int(sys.argv[3])]"
        " for _, settings, _ in cases_of(s, FIRST) for d in ('plain', 'all')]"
    )
    made = set()
    for seed, others in (("1", {"TZ": "UTC"}), ("2", {"TZ": "Asia/Tokyo", "LC_ALL": "C"})):
        folder = tmp_path / seed
        folder.mkdir()
        made.add(
            processes.run(
                [sys.executable, "-c", program, Path(__file__).parents[1], str(first), str(step)],
                cwd=folder,
                env={**os.environ, "PYTHONHASHSEED": seed, **others},
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
    (lines,) = made
    assert lines.count(b"\n") == 2 * len(specs()[first::step])


def test_bytes_do_not_depend_on_the_process(tmp_path):
    case = ("tour/unary", {"n": "6"}, "all")
    made = set()
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "boardsat", "cnf", *options_of(case)]
        done = processes.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True
        )
        made.add(done.stdout)
    assert len(made) == 1


def test_a_sparse_layout_stays_small(tmp_path):
    path = tmp_path / "x.cnf"
    write(build(find("tour/unary"), {"n": 12, "parity": True}), str(path))
    reader = Reader(path)
    assert sum(map(len, reader.texts("keys U"))) < 40 * reader.cells


@pytest.mark.parametrize("written", ["W, B", "[W, B]", "B,W"])
def test_a_projection_may_be_a_list_of_names(written):
    text = "title: x\nvariables:\n  W: {for: 'i in range(2)'}\n  Z: {}\n  B: {}\n"
    spec = parse(f"{text}constraints:\n  - clause: Z\nprojection: {written}\n")
    assert build(spec).header.projection.tolist() == [1, 2, 4]
