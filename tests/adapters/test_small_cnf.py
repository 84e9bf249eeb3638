"""Reader of small CNF files for workers without NumPy, compared with the general reader."""

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
IRREGULAR_PIECES = [
    *("4 0", "", " ", "p cnf 3 0", "1  2 0", "1 2 0 ", "+1 0", "01 0", "%", "x"),
    *("c ind x", "c ind 4 0", "c  ind 1 0", "c ind 1", "c index 0"),
]


def read_with_general_reader(path: Path) -> tuple[int, list[list[int]]] | None:
    """Return variables and clauses by the general reader; None if the file is not strict."""
    try:
        with open_cnf(str(path)) as cnf:
            tokens = [0, *np.concatenate([[], *cnf.chunks()]).astype(int).tolist()]
    except DimacsError:
        return None
    ends = [index for index, token in enumerate(tokens) if token == 0]
    clauses = [tokens[a + 1 : b] for a, b in itertools.pairwise(ends)]
    return cnf.variables, clauses


@examples(600)
@given(
    st.lists(st.sampled_from([*PIECES, *IRREGULAR_PIECES]), max_size=6),
    st.sampled_from(["\n", "", "\r\n"]),
)
def test_small_cnf_equals_general_reader(tmp_path_factory, lines, end):
    path = tmp_path_factory.getbasetemp() / "plain.cnf"
    path.write_bytes(("\n".join(lines) + end).encode())
    formula = read_small_cnf(str(path))
    if formula is not None:
        assert (formula.variables, formula.clauses) == read_with_general_reader(path)
        with open_cnf(str(path)) as cnf:
            projection = read_header(cnf.comments).counting.projection
        assert formula.projection == (None if projection is None else projection.tolist())


@pytest.mark.parametrize(
    "spec, settings", [("queens/squares", {"n": 5}), ("tour/binary", {"n": 6})]
)
def test_generated_files_are_read(spec, settings, tmp_path):
    path = instance(tmp_path, spec, **settings)
    formula = read_small_cnf(path)
    assert formula is not None and formula.clauses == read_clauses(path)


def test_large_or_compressed_file_is_not_read(tmp_path, monkeypatch):
    assert read_small_cnf(instance(tmp_path, "queens/squares", ".cnf.gz", n=4)) is None
    monkeypatch.setattr(_formula_file, "MAX_SMALL_FILE_BYTES", 100)
    assert read_small_cnf(instance(tmp_path, "queens/squares", n=4)) is None


@pytest.mark.parametrize(
    "worker, arguments",
    [
        ("pysat", ["minisat22"]),
        ("enumeration", ["cadical195"]),
        ("ganak", []),
    ],
)
def test_worker_solves_small_file_without_numpy(worker, arguments, tmp_path):
    program = (
        f"import sys; from boardsat.adapters.workers import {worker} as worker;"
        "code = worker.main(*sys.argv[1:]); assert 'numpy' not in sys.modules; sys.exit(code)"
    )
    arguments = [
        *arguments,
        instance(tmp_path, "queens/squares", n=6),
        *(["1"] * (worker == "ganak")),
    ]
    process = processes.run([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE)
    assert process.returncode == 10
