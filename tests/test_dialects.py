"""What solvers print: recorded outputs of every shipped solver, cut anywhere, and nonsense."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import clauses_in
from support import THOROUGH, examples

from boardsat.adapters import solvers
from boardsat.adapters.answer import End, Status, Usage
from boardsat.adapters.calling import is_verified, read_answer
from boardsat.adapters.dialects import (
    DIALECTS,
    LONGEST_COUNT,
    LONGEST_LINE,
    ClingoDialect,
    CompetitionDialect,
    lines_of,
)
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import Outcome, Output

FOLDER = Path(__file__).parent / "recorded"
QUEENS = 10
"""How many ways there are to place the five queens of recorded/sat.cnf."""

EXPECTED = {
    "sat": Status.SATISFIABLE,
    "unsat": Status.UNSATISFIABLE,
    "limit": Status.UNKNOWN,
    "counted": Status.SATISFIABLE,
    "zero": Status.UNSATISFIABLE,
}
FORMULAS = {"counted": "sat", "zero": "unsat"}
"""The formula of a case, where it is not called so."""


def case_of(path: Path) -> str:
    return path.stem.rpartition("-")[2]


RECORDED = sorted(FOLDER.glob("*.txt"))
ANSWERS = [path for path in RECORDED if case_of(path) in EXPECTED]
DECIDED = [path for path in ANSWERS if case_of(path) != "limit"]
CHECKS = [path for path in RECORDED if path not in ANSWERS]


def outcome(output: bytes, code: int, end: End = End.FINISHED) -> Outcome:
    printed = Output()
    printed.add(output)
    return Outcome(printed, Output(), end, code, Usage(0.0), ())


def recorded(path: Path) -> tuple[bytes, int]:
    """What was printed, and the exit code; the first line is about the recording."""
    about, _, output = path.read_bytes().partition(b"\n")
    code = re.search(rb"exit code (\d+)", about)
    assert code is not None
    return output, int(code[1])


def read(path: Path, ended: Outcome) -> CompetitionDialect:
    solver = solvers.load(path.stem.rpartition("-")[0])
    case = case_of(path)
    if solver.reads == "program":
        return read_answer(solver.dialect, 0, ended)
    variables = int((FOLDER / f"{FORMULAS.get(case, case)}.cnf").read_text().split()[2])
    return read_answer(solver.dialect, variables, ended)


def satisfies(model: list[int], clauses: list[list[int]]) -> bool:
    return all(any(model[abs(x)] == (1 if x > 0 else -1) for x in clause) for clause in clauses)


def is_tour_of_three_by_four(following: dict[int, int]) -> bool:
    """Whether these moves lead a knight from the first square over all that recorded/sat.lp has."""
    order = [0]
    while order[-1] in following:
        order.append(following.pop(order[-1]))
    steps = [(abs(a // 4 - b // 4), abs(a % 4 - b % 4)) for a, b in pairwise(order)]
    return sorted(order) == list(range(12)) and set(steps) <= {(1, 2), (2, 1)}


@pytest.mark.parametrize("name", solvers.names())
def test_every_program_has_recorded_outputs(name: str) -> None:
    solver = solvers.load(name)
    needed: set[str] = set()
    if solver.command:
        needed |= {"verified", "refuted"} if "check" in solver.can else set()
        needed |= {"sat", "unsat"} if "decide" in solver.can else set()
        needed |= {"counted", "zero"} if solver.counts else set()
    cases = {case_of(path) for path in FOLDER.glob(f"{name}-*.txt")}
    assert needed <= cases, f"record them: python -m tests.record {name}"


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_a_recorded_output_ends_in_its_answer(path: Path) -> None:
    case = case_of(path)
    said = read(path, outcome(*recorded(path)))
    assert (said.status or Status.UNKNOWN) is EXPECTED[case]
    if case in FORMULAS:
        assert (said.count or 0) == (QUEENS if case == "counted" else 0)
    elif case == "sat" and isinstance(said, ClingoDialect):
        (atoms,) = said.answer_sets
        assert is_tour_of_three_by_four(dict(numbers for _, numbers in atoms))
        assert {name for name, _ in atoms} == {"move"} and len(atoms) == 11
    elif case == "sat":
        model = said.model()
        assert model is not None
        assert satisfies(model.tolist(), clauses_in(str(FOLDER / "sat.cnf")))
    else:
        assert said.model() is None


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.stem)
def test_a_recorded_check_ends_in_its_verdict(path: Path) -> None:
    assert is_verified(outcome(*recorded(path))) == (case_of(path) == "verified")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
@examples(25)
@given(data=st.data())
def test_pieces_cut_anywhere_give_the_same_lines(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes()
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8).map(sorted))
    pieces = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
    assert list(lines_of(pieces)) == list(lines_of([text]))


@pytest.mark.parametrize("path", DECIDED, ids=lambda path: path.stem)
def test_a_recorded_output_with_the_other_exit_code_is_an_error(path: Path) -> None:
    other = 20 if EXPECTED[case_of(path)] is Status.SATISFIABLE else 10
    with pytest.raises(AdapterError, match="contradicts itself"):
        read(path, outcome(recorded(path)[0], other))


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_a_run_that_was_stopped_is_unknown_wherever_it_was_cut(path: Path) -> None:
    text, _ = recorded(path)
    for cut in range(0, len(text), len(text) // (30 if THOROUGH else 4) + 1):
        for end in set(End) - {End.FINISHED}:
            said = read(path, outcome(text[:cut], -15, end))
            assert said.status is None and said.model() is None


def test_a_proof_check_that_was_stopped_is_an_error() -> None:
    with pytest.raises(AdapterError, match=r"not checked \(time limit\): c parsing"):
        is_verified(outcome(b"c parsing input formula\n", -15, End.TIME))


@pytest.mark.parametrize(
    ("output", "code", "end", "complaint"),
    [
        (b"s VERIFIED\ns NOT VERIFIED\n", 1, End.FINISHED, "two verdicts: .*s NOT VERIFIED"),
        (b"s NOT VERIFIED\ns VERIFIED\n", 0, End.FINISHED, "two verdicts"),
        (b"s VERIFIED\ns VERIFIED\n", 0, End.FINISHED, "two verdicts"),
        (b"c x\n", 0, End.FINISHED, r"not checked \(exit code 0\): c x"),
        (b"s TIMEOUT\n", 0, End.FINISHED, r"not checked \(exit code 0\): s TIMEOUT"),
        (b"c s VERIFIED\n", 0, End.FINISHED, "not checked"),
        (b"s VERIFIED \xff\n", 0, End.FINISHED, "not checked"),
        (b"s VERIFIED\n", 3, End.FINISHED, r"not checked \(exit code 3\)"),
        (b"s VERIFIED\n", -11, End.SIGNAL, r"not checked \(killed by a signal\)"),
        (b"s VERIFIED\n", -9, End.MEMORY, r"not checked \(memory limit\)"),
    ],
)
def test_only_one_clear_verdict_of_a_whole_run_counts(
    output: bytes, code: int, end: End, complaint: str
) -> None:
    with pytest.raises(AdapterError, match=complaint):
        is_verified(outcome(output, code, end))


def test_the_exit_code_of_drat_trim_does_not_decide() -> None:
    """It is 1 where the formula has an empty clause, though the proof is verified."""
    assert is_verified(outcome(b"\rc trivial UNSAT\ns VERIFIED\n", 1))
    assert not is_verified(outcome(b"\rs NOT VERIFIED\n", 1))


@pytest.mark.parametrize(
    ("dialect", "output"),
    [
        ("counting", b"s SATISFIABLE\ns mc 5\ns mc 6\n"),
        ("competition", b"c Models : 5\nc Models : 6\ns SATISFIABLE\n"),
        ("clingo", b"SATISFIABLE\nModels : 5\nModels : 6\n"),
    ],
)
def test_two_counts_are_none(dialect: str, output: bytes) -> None:
    with pytest.raises(AdapterError, match="two different counts: "):
        read_answer(dialect, 5, outcome(output, 10))


@pytest.mark.parametrize(
    ("output", "code", "complaint"),
    [
        (b"", 10, "no answer with exit code 10: it printed nothing"),
        (b"c solved\n", 20, "no answer with exit code 20: c solved"),
        (b"s MAYBE\n", 10, "states 'MAYBE': s MAYBE"),
        (b"s SATISFIABLE\ns UNSATISFIABLE\n", 10, "two different answers"),
        (b"s SATISFIABLE\ns UNKNOWN\n", 10, "two different answers"),
        (b"s UNSATISFIABLE\n", 10, "contradicts itself: it says UNSATISFIABLE with exit code 10"),
        (b"s SATISFIABLE\nv 1 0\n", 0, "contradicts itself"),
        (b"s SATISFIABLE\nv one 0\n", 10, "'one' is not a literal"),
        (b"s SATISFIABLE\nv 1 0 2\n", 10, "after the end of the model"),
        (b"s SATISFIABLE\nv 99999999999999999999 0\n", 10, "is not a literal"),
        (b"s SATISFIABLE\nv " + b"1 " * 9 + b"0\n", 10, "longer than the formula"),
        (b"s \x1b[31mred\n", 10, "?[31mred"),
    ],
)
def test_nonsense_is_an_error_with_its_last_lines(output: bytes, code: int, complaint: str) -> None:
    with pytest.raises(AdapterError) as error:
        read_answer("competition", 3, outcome(output, code))
    assert complaint in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["v 1 2"], "ends without"),
        (["v 1 -9 0"], "variable 9, the formula 3"),
        (["v 1 -1 0"], "both true and false"),
        (["v 2 1", "v -2 0"], "both true and false"),
    ],
)
def test_a_model_that_is_none_is_an_error(lines: list[str], complaint: str) -> None:
    said = CompetitionDialect(3)
    for line in lines:
        said.feed(line)
    with pytest.raises(AdapterError, match=complaint):
        said.model()


@pytest.mark.parametrize(
    ("dialect", "lines"),
    [
        ("competition", ["s SATISFIABLE", "v 2", "v 0"]),
        ("minisat", ["SATISFIABLE", "SAT", "2 0"]),
        ("any", ["2 0"]),
        ("any", ["SAT", "2", "0"]),
        ("any", ["v 2 0"]),
    ],
)
def test_what_a_solver_leaves_out_of_a_model_is_false(dialect: str, lines: list[str]) -> None:
    said = DIALECTS[dialect](4)
    for line in lines:
        said.feed(line)
    model = said.model()
    assert model is not None and model[1:].tolist() == [-1, 1, -1, -1]


@pytest.mark.parametrize(
    ("dialect", "lines"), [("competition", ["s SATISFIABLE", "v 0"]), ("minisat", ["SAT", "0"])]
)
def test_a_formula_without_variables_has_a_model(dialect: str, lines: list[str]) -> None:
    said = DIALECTS[dialect](0)
    for line in lines:
        said.feed(line)
    model = said.model()
    assert model is not None and len(model) == 1


@pytest.mark.parametrize(
    ("dialect", "before"),
    [("minisat", b"SAT\n"), ("competition", b"s SATISFIABLE\nv "), ("any", b"")],
)
def test_a_model_on_one_very_long_line_is_read(dialect: str, before: bytes) -> None:
    variables = 200_000
    literals = [v if v % 3 else -v for v in range(1, variables + 1)]
    text = before + " ".join(map(str, literals)).encode() + b" 0\n"
    assert len(text) > LONGEST_LINE
    said = DIALECTS[dialect](variables)
    for line in lines_of(text[k : k + 2**16] for k in range(0, len(text), 2**16)):
        said.feed(line)
    model = said.model()
    assert model is not None
    assert [v * int(model[v]) for v in range(1, variables + 1)] == literals


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("word", [b"A", b"1", b"-", b"c ", b"v ", b"\0", b"\xff", b"x s SAT 1 "])
def test_an_endless_line_is_bounded_and_no_answer(dialect: str, word: bytes) -> None:
    piece = word * (2**18 // len(word))
    said = DIALECTS[dialect](5)
    try:
        for line in lines_of(piece for _ in range(12)):
            assert len(line) <= 2 * LONGEST_LINE
            said.feed(line)
        assert said.status is None
        assert said.count is None
        assert said.model() is None
    except AdapterError as error:
        assert len(str(error)) < 200


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@examples(60)
@given(text=st.binary(max_size=300) | st.text("sv c0123-SATUN\n ", max_size=300).map(str.encode))
def test_garbage_is_an_answer_or_one_error(dialect: str, text: bytes) -> None:
    try:
        said = read_answer(dialect, 5, outcome(text, 10))
        assert said.status is Status.SATISFIABLE
        said.model()
    except AdapterError as error:
        assert str(error).isprintable()


def test_counts() -> None:
    said = DIALECTS["counting"](5)
    for line in ("s SATISFIABLE", "s mc 12"):
        said.feed(line)
    assert (said.status, said.count) == (Status.SATISFIABLE, 12)
    with pytest.raises(AdapterError, match="digits"):
        said.feed("s mc " + "9" * (LONGEST_COUNT + 1))


ATOMS = b"Answer: 1\nmove(0,7) move(7,2)\nSATISFIABLE\n"


@pytest.mark.parametrize("head", [b"Answer: 1\n", b"Answer: 1 (Time: 0.001s)\n"])
def test_answer_sets_and_statistics(head: bytes) -> None:
    text = (
        b"""clingo version 5.8.2
Reading from tour.lp
Solving...
%svisit(1,0) visit(2,-5)
Answer: 2

SATISFIABLE

Models       : 2
Calls        : 1
Time         : 0.500s (Solving: 0.20s 1st Model: 0.10s Unsat: 0.05s)
CPU Time     : 0.001s

Choices      : 81       (Domain: 80)
Conflicts    : 6        (Analyzed: 5)
  Conflict   : 9        (Average Length:    0.0 Ratio:   0.00%%)
Atoms        : 2
"""
        % head
    )
    said = read_answer("clingo", 0, outcome(text, 30))
    assert said.answer_sets == [(("visit", (1, 0)), ("visit", (2, -5))), ()]
    assert (said.status, said.count, said.model()) == (Status.SATISFIABLE, 2, None)
    times = {"grounding": 0.3, "solving": 0.2, "first_model": 0.1}
    assert said.statistics == {**times, "choices": 81, "conflicts": 6, "atoms": 2}


@pytest.mark.parametrize(
    ("text", "code", "complaint"),
    [
        (ATOMS.replace(b"(7,2)", b""), 10, "'move' is not an atom"),
        (ATOMS.replace(b"(7,2)", b"(7,x)"), 10, "'move(7,x)' is not an atom"),
        (ATOMS, 20, "contradicts itself"),
        (ATOMS.replace(b"SATISFIABLE\n", b""), 10, "no answer with exit code 10"),
    ],
)
def test_answer_sets_that_are_none_are_an_error(text: bytes, code: int, complaint: str) -> None:
    with pytest.raises(AdapterError, match=re.escape(complaint)):
        read_answer("clingo", 0, outcome(text, code))


def test_an_answer_set_on_one_very_long_line_is_read() -> None:
    moves = [(k, k + 1) for k in range(100_000)]
    line = " ".join(f"move({a},{b})" for a, b in moves).encode()
    assert len(line) > LONGEST_LINE
    said = read_answer("clingo", 0, outcome(b"Answer: 1\n" + line + b"\nSATISFIABLE\n", 10))
    assert said.answer_sets == [tuple(("move", numbers) for numbers in moves)]


def test_carriage_returns_are_nothing() -> None:
    said = read_answer("competition", 2, outcome(b"s SATISFIABLE\r\nv 1 -2 0\r\n", 10))
    assert said.model() is not None


@pytest.mark.parametrize(
    "line",
    [
        "Time : 1.2.3s (Solving: 0.1s 1st Model: 0.1s Unsat: 0.0s)",
        "Time : ...s (Solving: .s 1st Model: ..s Unsat: .s)",
        "Time : ٣s (Solving: ٣s 1st Model: ٣s Unsat: 0s)",
        f"Models : {'9' * 5000}",
        f"Choices : {'9' * 5000}",
        "Conflicts : many",
        "Time : ",
    ],
    ids=lambda line: line[:20],
)
def test_statistics_that_cannot_be_read_are_left_out(line: str) -> None:
    said = ClingoDialect(0)
    for each in ("Answer: 1", "move(0,6)", "SATISFIABLE", "", line, "Restarts : 7"):
        said.feed(each)
    assert (said.status, said.count) == (Status.SATISFIABLE, None)
    assert said.statistics == {"restarts": 7}
