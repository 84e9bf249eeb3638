"""Unverified headers: facts about their board are not answers to other clauses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.counts import counted
from helpers.formulas import GRAPHS
from helpers.lazy_tours import solve_json
from helpers.requirements import outside
from helpers.solutions import USE_EMBEDDED
from helpers.solver_runs import boardsat, instance, need_checked_proofs

from boardsat.generators import build, find, transform, write
from boardsat.instance.formula_file import open_formula
from boardsat.instance.header_verification import rebuilds_identically, require_verified_header

NOT_AGAIN = "the file cannot be built again from its header"
OTHER_CLAUSES = "the clauses do not match the header"


def changed(path: str, old: str, new: str) -> Path:
    text = Path(path).read_text()
    assert old in text
    target = Path(path).with_name("changed.cnf")
    target.write_text(text.replace(old, new, 1))
    return target


def with_line(path: str, key: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Return a copy of the file with other JSON in one header line."""
    lines = Path(path).read_text().splitlines()
    (index,) = [k for k, line in enumerate(lines) if line.startswith(f"c {key} ")]
    answer = json.loads(lines[index].removeprefix(f"c {key} "))
    change(answer)
    lines[index] = f"c {key} {json.dumps(answer)}"
    Path(path).write_text("\n".join([*lines, ""]))
    return path


def with_clause(path: str, clause: str) -> str:
    lines = Path(path).read_text().splitlines()
    (head,) = [k for k, line in enumerate(lines) if line.startswith("p cnf ")]
    variables, clauses = map(int, lines[head].split()[2:])
    lines[head] = f"p cnf {variables} {clauses + 1}"
    Path(path).write_text("\n".join([*lines, clause, ""]))
    return path


# Rebuilding.


def test_header_is_verified_by_rebuilding(tmp_path: Path) -> None:
    spec, settings = find("tour", "binary"), {"rows": 5, "cols": 6}
    path = instance(tmp_path, "tour/binary", **settings)
    assert rebuilds_identically(open_formula(path))
    for number, transforms in enumerate(
        [(True, None, None), (False, "chain", 3), (True, "auto", 7)]
    ):
        transformed = str(tmp_path / f"{number}.cnf")
        write(transform(build(spec, settings), *transforms), transformed)
        assert rebuilds_identically(open_formula(transformed))
    lines = Path(path).read_text().splitlines()
    last = changed(path, f"\n{lines[-1]}\n", f"\n{lines[-2]}\n")
    assert not rebuilds_identically(open_formula(str(last)))
    for old, new in (
        ('"spec": "tour/binary"', '"spec": "tour/unary"'),
        ('"spec": "tour/binary"', '"spec": "tour/nothing"'),
        ('"spec": "tour/binary"', '"spec": "nothing/binary"'),
        ('"start": 0', '"start": 1'),
        ('"closed": true', '"closed": false'),
        ('"n": 8', '"n": [8]'),
        ('"rows": 5, "cols": 6, "moves"', '"rows": 6, "cols": 5, "moves"'),
        ('"models_per_solution": 2', '"models_per_solution": 1'),
        ('"published": 8', '"published": 9'),
        ("c keys H 8 ", "c keys H 9 "),
        ('"from": 0, "to": 1', '"from": 1, "to": 0'),
        ("c ind 1 ", "c ind "),
        ("c decode", 'c transform {"transform": "unheard of"}\nc decode'),
        ("c decode", "c transform {\nc decode"),
    ):
        assert not rebuilds_identically(open_formula(str(changed(path, old, new)))), new


@pytest.mark.parametrize("first", [0, 1])
def test_graph_is_rebuilt_from_header_edges(first: int, tmp_path: Path) -> None:
    graph = tmp_path / "graph.txt"
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    graph.write_text("".join(f"{u + first} {v + first}\n" for u, v in pairs))
    path = instance(tmp_path, "hamilton/cuts", graph=graph, start=2)
    graph.unlink()
    assert rebuilds_identically(open_formula(path))
    assert not rebuilds_identically(open_formula(str(changed(path, "c edges 1", "c edges 2"))))


def test_files_named_in_a_header_are_not_opened(tmp_path: Path) -> None:
    """Opening a pipe without a writer would block forever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = instance(tmp_path, "hamilton/binary", graph=GRAPHS / "triangle.txt")
    with_line(path, "parameters", lambda answer: answer.update(graph=str(pipe)))
    assert not rebuilds_identically(open_formula(path))
    lines = Path(path).read_text().splitlines()
    (board,) = [line for line in lines if line.startswith("c board ")]
    grid = 'c board {"shape": "grid", "rows": 1, "cols": 3, "moves": [[0, 1]]}'
    forged = str(changed(path, board, grid))
    assert not rebuilds_identically(open_formula(forged))


# Fallback encodings.


@pytest.fixture
def forged(tmp_path: Path) -> str:
    """A file with tours of 6x6 that says it is about 5x5, which has none."""
    path = instance(tmp_path, "tour/cuts", n=6)
    with_line(path, "parameters", lambda answer: answer.update(n=5, rows=5, cols=5))
    return with_line(path, "lazy", lambda answer: answer.update(rounds=1, fallback="binary"))


def test_fallback_is_refused_for_a_changed_header(forged: str) -> None:
    code, answer = solve_json(forged, *USE_EMBEDDED)
    assert (code, answer["status"], answer["fallback_encoding"]) == (0, "UNKNOWN", "")
    assert answer["reason"].endswith(f"; binary is not solved instead: {NOT_AGAIN}")


@outside
def test_proof_of_another_board_is_refused(forged: str) -> None:
    need_checked_proofs()
    code, answer = solve_json(forged, "--proof")
    assert (code, answer["status"], answer["checked"]) == (0, "UNKNOWN", [])


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("lazy", lambda answer: answer.update(fallback="binary")),
        ("lazy", lambda answer: answer.update(fallback="nothing")),
        ("lazy", lambda answer: answer.update(fallback="cuts")),
        ("lazy", lambda answer: answer["connected"].pop()),
        ("parameters", lambda answer: answer.update(rounds=2)),
        ("parameters", lambda answer: answer.update(closed=False)),
        ("board", lambda answer: answer.update(moves=[[1, 2], [2, 1]])),
        ("boardsat", lambda answer: answer.update(spec="hamilton/cuts")),
    ],
)
def test_fallback_is_refused_for_any_changed_file(
    key: str, change: Callable[[dict[str, Any]], object], tmp_path: Path
) -> None:
    path = instance(tmp_path, "tour/cuts", rows=3, cols=8, rounds=1)
    assert rebuilds_identically(open_formula(path))
    assert not rebuilds_identically(open_formula(with_line(path, key, change)))


# Counts of a board, and published ones.


def test_board_counter_is_refused_for_changed_clauses(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/undirected", rows=5, cols=6)
    result = counted(path, "--counter", "frontier")
    assert (result["count"], result["notes"]) == (8, [])
    with_line(path, "board", lambda answer: answer.update(rows=6))
    with_line(path, "parameters", lambda answer: answer.update(rows=6))
    with_line(path, "objects", lambda answer: answer.update(published=9862))
    for arguments in (("--counter", "frontier"), ("--counter", "ganak", "--reference", "frontier")):
        output = boardsat("count", path, *arguments)
        assert output.code == 2 and OTHER_CLAUSES in output.one_line()
    result = counted(path)
    assert result["count"] == 8 and result["counter"] in ("ganak", "enumeration")
    assert (result["verdict"], result["reference"]["count"]) == (None, None)
    assert result["reference"]["reason"] == NOT_AGAIN
    note = "the header claims that models represent closed tours; this is not verified"
    assert result["notes"] == [note]


def test_additional_clause_is_counted_by_its_clauses(tmp_path: Path) -> None:
    path = instance(tmp_path, "hamilton/undirected", graph=GRAPHS / "cube.hcp")
    assert counted(path, "--counter", "frontier")["count"] == 6
    with_clause(path, "1 0")
    output = boardsat("count", path, "--counter", "frontier")
    assert output.code == 2 and OTHER_CLAUSES in output.one_line()
    assert counted(path, "--counter", "ganak")["count"] == 4


# Solvers of boards, and messages for UNSATISFIABLE.


@pytest.mark.parametrize("solver", ["warnsdorff", "backtracking"])
def test_board_solver_is_refused_for_changed_clauses(solver: str, tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/unary", rows=3, cols=4, moves="wazir")
    assert boardsat("solve", path, "--solver", solver).code == 10
    with_clause(path, "0")
    output = boardsat("solve", path, "--solver", solver)
    assert output.code == 2 and OTHER_CLAUSES in output.one_line()
    assert boardsat("solve", path, *USE_EMBEDDED).code == 20


def test_unsat_message_is_marked_as_unverified_header(tmp_path: Path) -> None:
    arguments = "there is no closed tour of 6x6 by a knight"
    path = with_clause(instance(tmp_path, "tour/binary", n=6), "0")
    code, answer = solve_json(path, *USE_EMBEDDED)
    assert code == 20
    expected = f"no assignment satisfies all clauses of {path} (unverified header: {arguments})"
    assert answer["words"] == expected
    program = tmp_path / "program.lp"
    assert boardsat("asp", "tour", "-n", 6, "-o", program).code == 0
    with program.open("a") as file:
        file.write(":- cell(0).\n")
    code, answer = solve_json(program, "--solver", "clingo", *USE_EMBEDDED)
    assert code == 20
    expected = f"there is no answer set of {program} (unverified header: {arguments})"
    assert answer["words"] == expected


@pytest.mark.parametrize(
    "order", ['#script (python)\nprint("x")\n#end.', '#include "/etc/passwd".']
)
def test_directives_in_logic_programs_are_rejected(order: str, tmp_path: Path) -> None:
    program = tmp_path / "program.lp"
    for prefix in ("", "a.\n" * 400_000):
        program.write_text(f"{prefix}{order}\n")
        output = boardsat("solve", program, "--solver", "clingo", *USE_EMBEDDED)
        assert output.code == 2
        directive = order.partition(" ")[0]
        assert f"an external program must not contain `{directive}`" in output.one_line()


def test_wrong_board_error_mentions_unverified_header(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/binary", rows=5, cols=6)
    with_line(path, "board", lambda answer: answer.update(rows=6))
    output = boardsat("solve", path, *USE_EMBEDDED)
    assert output.code == 1
    assert output.err.endswith(
        "the encoding has a bug, or its header does not describe these clauses\n"
    )


def test_generated_formula_is_not_rebuilt(tmp_path: Path) -> None:
    """Rebuilding would take as long as building, without any gain."""
    path = instance(tmp_path, "tour/unary", n=4)
    with_clause(path, "0")
    require_verified_header(open_formula(path, generated_here=True))
