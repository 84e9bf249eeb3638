"""Small files, read by workers without numpy, are what the reader of all files says they are."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import processes
from helpers.formulas import examples
from helpers.solver_runs import instance, read_clauses
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.dimacs.reader import DimacsError, open_cnf
from boardsat.adapters.workers import _formula_file
from boardsat.adapters.workers._formula_file import read_small_cnf

PIECES = [
    *("c", "c x", "p cnf 3 2", "p cnf 3 1", "1 -2 0", "3 0", "0", "1 2", "-0 0"),
    *("c ind 1 0", "c ind 2 3 0", "c ind 0", "c p show 1 0"),
]
MORE = [
    *("4 0", "", " ", "p cnf 3 0", "1  2 0", "1 2 0 ", "+1 0", "01 0", "%", "x"),
    *("c ind x", "c ind 4 0", "c  ind 1 0", "c ind 1", "c index 0"),
]


def of_all(path: Path) -> tuple[int, list[list[int]]] | None:
    """By the other reader, if the file is strict."""
    try:
        with open_cnf(str(path)) as cnf:
            tokens = [0, *np.concatenate([[], *cnf.chunks()]).astype(int).tolist()]
    except DimacsError:
        return None
    ends = [place for place, token in enumerate(tokens) if token == 0]
    clauses = [tokens[a + 1 : b] for a, b in itertools.pairwise(ends)]
    return cnf.variables, clauses


@examples(600)
@given(st.lists(st.sampled_from([*PIECES, *MORE]), max_size=6), st.sampled_from(["\n", "", "\r\n"]))
def test_what_is_read_is_what_stands_there(tmp_path_factory, lines, end):
    path = tmp_path_factory.getbasetemp() / "plain.cnf"
    path.write_bytes(("\n".join(lines) + end).encode())
    found = read_small_cnf(str(path))
    if found is not None:
        assert (found.variables, found.clauses) == of_all(path)
        with open_cnf(str(path)) as cnf:
            projection = read_header(cnf.comments).counting.projection
        assert found.projection == (None if projection is None else projection.tolist())


@pytest.mark.parametrize(
    "spec, settings", [("queens/squares", {"n": 5}), ("tour/binary", {"n": 6})]
)
def test_our_own_files_are_plain(spec, settings, tmp_path):
    path = instance(tmp_path, spec, **settings)
    found = read_small_cnf(path)
    assert found is not None and found.clauses == read_clauses(path)


def test_what_is_large_or_compressed_is_left_to_others(tmp_path, monkeypatch):
    assert read_small_cnf(instance(tmp_path, "queens/squares", ".cnf.gz", n=4)) is None
    monkeypatch.setattr(_formula_file, "MAX_SMALL_FILE_BYTES", 100)
    assert read_small_cnf(instance(tmp_path, "queens/squares", n=4)) is None


@pytest.mark.parametrize(
    "worker, words",
    [
        ("pysat", ["minisat22"]),
        ("enumeration", ["cadical195"]),
        ("ganak", []),
    ],
)
def test_a_small_file_is_solved_without_numpy(worker, words, tmp_path):
    program = (
        f"import sys; from boardsat.adapters.workers import {worker} as worker;"
        "code = worker.main(*sys.argv[1:]); assert 'numpy' not in sys.modules; sys.exit(code)"
    )
    words = [*words, instance(tmp_path, "queens/squares", n=6), *(["1"] * (worker == "ganak"))]
    done = processes.run([sys.executable, "-c", program, *words], stdout=subprocess.PIPE)
    assert done.returncode == 10
