"""Output parsers on recorded outputs of every shipped solver, complete, truncated and altered."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.formulas import THOROUGH, examples
from helpers.recordings import outcome
from helpers.solver_runs import read_clauses
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.dimacs.model_check import has_empty_clause
from boardsat.adapters.run_solver import parse_output, proof_is_verified
from boardsat.adapters.runtimes import Limits, Outcome
from boardsat.adapters.solvers.output_parsers import ClingoParser, CompetitionParser, split_lines
from boardsat.base.errors import BoardsatError
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.proofs import check_proof

FOLDER = Path(__file__).parents[1] / "recorded"
QUEENS = 10
"""Number of solutions of recorded/sat.cnf, five queens."""

EXPECTED = {
    "sat": Status.SATISFIABLE,
    "unsat": Status.UNSATISFIABLE,
    "limit": Status.UNKNOWN,
    "counted": Status.SATISFIABLE,
    "zero": Status.UNSATISFIABLE,
}
FORMULAS = {"counted": "sat", "zero": "unsat"}
"""Formula of a case whose file has another name."""


def case_of(path: Path) -> str:
    return path.stem.rpartition("-")[2]


RECORDED = sorted(FOLDER.glob("*.txt"))
ANSWERS = [path for path in RECORDED if case_of(path) in EXPECTED]
DECIDED = [path for path in ANSWERS if case_of(path) != "limit"]
CHECKS = [path for path in RECORDED if path not in ANSWERS]


def recorded(path: Path) -> tuple[bytes, int]:
    """Return the recorded output and its exit code; the first line describes the recording."""
    description, _, output = path.read_bytes().partition(b"\n")
    code = re.search(rb"exit code (\d+)", description)
    assert code is not None
    return output, int(code[1])


def read(path: Path, ended: Outcome) -> CompetitionParser:
    solver = solvers.load(path.stem.rpartition("-")[0])
    case = case_of(path)
    if solver.input_format == "program":
        return parse_output(solver.output_format, 0, ended)
    variables = int((FOLDER / f"{FORMULAS.get(case, case)}.cnf").read_text().split()[2])
    return parse_output(solver.output_format, variables, ended)


def satisfies(model: list[int], clauses: list[list[int]]) -> bool:
    return all(any(model[abs(x)] == (1 if x > 0 else -1) for x in clause) for clause in clauses)


def is_tour_of_three_by_four(following: dict[int, int]) -> bool:
    """Return True if the moves are a knight's tour of the board of recorded/sat.lp from cell 0."""
    order = [0]
    while order[-1] in following:
        order.append(following.pop(order[-1]))
    steps = [(abs(a // 4 - b // 4), abs(a % 4 - b % 4)) for a, b in pairwise(order)]
    return sorted(order) == list(range(12)) and set(steps) <= {(1, 2), (2, 1)}


@pytest.mark.parametrize("name", solvers.names())
def test_every_program_has_recordings(name: str) -> None:
    solver = solvers.load(name)
    needed: set[str] = set()
    if solver.program:
        needed |= {"verified", "refuted"} if "check" in solver.capabilities else set()
        needed |= {"sat", "unsat"} if "decide" in solver.capabilities else set()
        needed |= {"counted", "zero"} if solver.is_counter else set()
    cases = {case_of(path) for path in FOLDER.glob(f"{name}-*.txt")}
    assert needed <= cases, f"record them: PYTHONPATH=tests python -m helpers.recorder {name}"


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_recorded_output_gives_its_answer(path: Path) -> None:
    case = case_of(path)
    parser = read(path, outcome(*recorded(path)))
    assert (parser.status or Status.UNKNOWN) is EXPECTED[case]
    if case in FORMULAS:
        assert (parser.count or 0) == (QUEENS if case == "counted" else 0)
    elif case == "sat" and isinstance(parser, ClingoParser):
        (atoms,) = parser.answer_sets
        assert is_tour_of_three_by_four(dict(numbers for _, numbers in atoms))
        assert {name for name, _ in atoms} == {"move"} and len(atoms) == 11
    elif case == "sat":
        model = parser.model()
        assert model is not None
        assert satisfies(model.tolist(), read_clauses(str(FOLDER / "sat.cnf")))
    else:
        assert parser.model() is None


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.stem)
def test_recorded_check_gives_its_verdict(path: Path) -> None:
    dialect = solvers.load(path.stem.rpartition("-")[0]).output_format
    assert proof_is_verified(outcome(*recorded(path)), dialect) == (case_of(path) == "verified")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
@examples(25)
@given(data=st.data())
def test_split_lines_is_independent_of_chunk_boundaries(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes()
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8).map(sorted))
    pieces = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
    assert list(split_lines(pieces)) == list(split_lines([text]))


@pytest.mark.parametrize("path", DECIDED, ids=lambda path: path.stem)
def test_recorded_output_with_opposite_exit_code_is_an_error(path: Path) -> None:
    opposite_code = 20 if EXPECTED[case_of(path)] is Status.SATISFIABLE else 10
    with pytest.raises(BoardsatError, match="contradicts itself"):
        read(path, outcome(recorded(path)[0], opposite_code))


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_truncated_output_of_stopped_run_is_unknown(path: Path) -> None:
    text, _ = recorded(path)
    for cut in range(0, len(text), len(text) // (30 if THOROUGH else 4) + 1):
        for end in set(TerminationReason) - {TerminationReason.FINISHED}:
            parser = read(path, outcome(text[:cut], -15, end))
            assert parser.status is None and parser.model() is None


def test_stopped_proof_check_is_an_error() -> None:
    with pytest.raises(BoardsatError, match=r"not checked \(time limit\): c parsing"):
        proof_is_verified(outcome(b"c parsing input formula\n", -15, TerminationReason.TIME))


@pytest.mark.parametrize(
    ("output", "code", "end", "complaint"),
    [
        (
            b"s VERIFIED\ns NOT VERIFIED\n",
            1,
            TerminationReason.FINISHED,
            "two verdicts: .*s NOT VERIFIED",
        ),
        (b"s NOT VERIFIED\ns VERIFIED\n", 0, TerminationReason.FINISHED, "two verdicts"),
        (b"s VERIFIED\ns VERIFIED\n", 0, TerminationReason.FINISHED, "two verdicts"),
        (b"c x\n", 0, TerminationReason.FINISHED, r"not checked \(exit code 0\): c x"),
        (b"s TIMEOUT\n", 0, TerminationReason.FINISHED, r"not checked \(exit code 0\): s TIMEOUT"),
        (b"c s VERIFIED\n", 0, TerminationReason.FINISHED, "not checked"),
        (b"s VERIFIED \xff\n", 0, TerminationReason.FINISHED, "not checked"),
        (b"s VERIFIED\n", 3, TerminationReason.FINISHED, r"not checked \(exit code 3\)"),
        (b"s VERIFIED\n", 1, TerminationReason.FINISHED, r"not checked \(exit code 1\)"),
        (b"s NOT VERIFIED\n", 0, TerminationReason.FINISHED, r"not checked \(exit code 0\)"),
        (b"s VERIFIED\n", 0, TerminationReason.OUTPUT, r"not checked \(output limit\)"),
        (b"s VERIFIED\n", -11, TerminationReason.SIGNAL, r"not checked \(killed by a signal\)"),
        (b"s VERIFIED\n", -9, TerminationReason.MEMORY, r"not checked \(memory limit\)"),
    ],
)
def test_ambiguous_verdict_of_proof_checker_is_an_error(
    output: bytes, code: int, end: TerminationReason, complaint: str
) -> None:
    with pytest.raises(BoardsatError, match=complaint):
        proof_is_verified(outcome(output, code, end))


def test_formula_with_empty_clause_is_refuted_without_checker(tmp_path: Path) -> None:
    """drat-trim prints VERIFIED for such a formula, with the exit code of a failed check."""
    with pytest.raises(BoardsatError, match=r"not checked \(exit code 1\)"):
        proof_is_verified(outcome(b"\rc trivial UNSAT\ns VERIFIED\n", 1))
    assert not proof_is_verified(outcome(b"\rs NOT VERIFIED\n", 1))
    proof = tmp_path / "proof"
    proof.write_bytes(b"0\n")
    for text, is_empty in (
        ("p cnf 2 2\n1 2 0\n0\n", True),
        ("p cnf 2 2\n0\n1 2 0\n", True),
        ("p cnf 0 1\n0\n", True),
        ("p cnf 2 2\n1 2 0\n-1 0\n", False),
        ("p cnf 0 0\n", False),
    ):
        file = tmp_path / "x.cnf"
        file.write_text(text)
        assert has_empty_clause(str(file)) == is_empty
        if is_empty:
            check_proof(open_formula(str(file)), str(proof), Limits(), "anybody")


@pytest.mark.parametrize(
    ("dialect", "output", "code"),
    [
        ("counting", b"s UNSATISFIABLE\ns mc 7\n", 20),
        ("counting", b"s mc 7\ns UNSATISFIABLE\n", 0),
        ("counting", b"s SATISFIABLE\ns mc 0\n", 10),
        ("competition", b"c Models : 2\ns UNSATISFIABLE\n", 20),
        ("competition", b"s UNSATISFIABLE\nv 1 2 0\n", 20),
        ("minisat", b"SAT\n1 0\nUNSAT\n", 20),
        ("clingo", b"Answer: 1\nmove(0,1)\nUNSATISFIABLE\n", 20),
        ("clingo", b"UNSATISFIABLE\nModels : 3\n", 20),
        ("tour", b"v 1 2 0\ns UNSATISFIABLE\n", 20),
    ],
)
def test_contradictory_output_is_rejected(dialect: str, output: bytes, code: int) -> None:
    with pytest.raises(BoardsatError, match=r"contradicts itself.*: |two different answers.*: "):
        parse_output(dialect, 5, outcome(output, code))


@pytest.mark.parametrize(
    ("dialect", "output"),
    [
        ("counting", b"s SATISFIABLE\ns mc 5\ns mc 6\n"),
        ("competition", b"c Models : 5\nc Models : 6\ns SATISFIABLE\n"),
        ("clingo", b"SATISFIABLE\nModels : 5\nModels : 6\n"),
    ],
)
def test_different_counts_are_rejected(dialect: str, output: bytes) -> None:
    with pytest.raises(BoardsatError, match="two different counts: "):
        parse_output(dialect, 5, outcome(output, 10))


@pytest.mark.parametrize(
    ("dialect", "output"),
    [
        ("minisat", b"SAT\n1 0 2 0\n"),
        ("minisat", b"SAT\n1 0\n2 0\n"),
        ("competition", b"s SATISFIABLE\nv 1 0\nv 2 0\n"),
        ("competition", b"v 1 0\ns SATISFIABLE\nv 2\n"),
        ("any", b"SAT\n1 0\nv 2 0\n"),
    ],
)
def test_literals_after_end_of_model_are_rejected(dialect: str, output: bytes) -> None:
    with pytest.raises(BoardsatError, match="literals after the end of the model: "):
        parse_output(dialect, 5, outcome(output, 10))
