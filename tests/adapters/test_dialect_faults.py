"""Malformed solver outputs: nonsense, endless lines, invalid models."""

from __future__ import annotations

import re

import pytest
from helpers.formulas import examples
from helpers.recordings import outcome
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Status
from boardsat.adapters.run_solver import parse_output
from boardsat.adapters.solvers.output_parsers import (
    MAX_LINE_BYTES,
    PARSERS,
    ClingoParser,
    CompetitionParser,
    split_lines,
)
from boardsat.base.errors import BoardsatError


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
        (b"s SATISFIABLE\nv \xd9\xa3 0\n", 10, "is not a literal"),
        (
            b"s SATISFIABLE\nv " + b"1 " * 9 + b"0\n",
            10,
            "the model has 9 literals or more, but the formula has 3 variables",
        ),
        (b"s \x1b[31mred\n", 10, "?[31mred"),
    ],
)
def test_malformed_output_error_quotes_last_lines(output: bytes, code: int, complaint: str) -> None:
    with pytest.raises(BoardsatError) as error:
        parse_output("competition", 3, outcome(output, code))
    assert complaint in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["v 1 2"], "ends without"),
        (["v 1 -9 0"], "variable 9, above the formula's 3"),
        (["v 1 -1 0"], "both true and false"),
        (["v 2 1", "v -2 0"], "both true and false"),
    ],
)
def test_invalid_model_is_an_error(lines: list[str], complaint: str) -> None:
    parser = CompetitionParser(3)
    for line in lines:
        parser.feed(line)
    with pytest.raises(BoardsatError, match=complaint):
        parser.model()


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
def test_omitted_variables_of_model_are_false(dialect: str, lines: list[str]) -> None:
    parser = PARSERS[dialect](4)
    for line in lines:
        parser.feed(line)
    model = parser.model()
    assert model is not None and model[1:].tolist() == [-1, 1, -1, -1]


@pytest.mark.parametrize(
    ("dialect", "lines"), [("competition", ["s SATISFIABLE", "v 0"]), ("minisat", ["SAT", "0"])]
)
def test_formula_without_variables_has_empty_model(dialect: str, lines: list[str]) -> None:
    parser = PARSERS[dialect](0)
    for line in lines:
        parser.feed(line)
    model = parser.model()
    assert model is not None and len(model) == 1


@pytest.mark.parametrize(
    ("dialect", "preamble"),
    [("minisat", b"SAT\n"), ("competition", b"s SATISFIABLE\nv "), ("any", b"")],
)
def test_model_on_very_long_line_is_parsed(dialect: str, preamble: bytes) -> None:
    variables = 200_000
    literals = [v if v % 3 else -v for v in range(1, variables + 1)]
    text = preamble + " ".join(map(str, literals)).encode() + b" 0\n"
    assert len(text) > MAX_LINE_BYTES
    parser = PARSERS[dialect](variables)
    for line in split_lines(text[k : k + 2**16] for k in range(0, len(text), 2**16)):
        parser.feed(line)
    model = parser.model()
    assert model is not None
    assert [v * int(model[v]) for v in range(1, variables + 1)] == literals


@pytest.mark.parametrize("dialect", sorted(PARSERS))
@pytest.mark.parametrize(
    "fragment", [b"A", b"1", b"-", b"c ", b"v ", b"\0", b"\xff", b"x s SAT 1 "]
)
def test_endless_line_is_bounded_and_gives_no_answer(dialect: str, fragment: bytes) -> None:
    piece = fragment * (2**18 // len(fragment))
    parser = PARSERS[dialect](5)
    try:
        for line in split_lines(piece for _ in range(12)):
            assert len(line) <= 2 * MAX_LINE_BYTES
            parser.feed(line)
        assert parser.status is None
        assert parser.count is None
        assert parser.model() is None
    except BoardsatError as error:
        assert len(str(error)) < 200


@pytest.mark.parametrize("dialect", sorted(PARSERS))
@examples(60)
@given(text=st.binary(max_size=300) | st.text("sv c0123-SATUN\n ", max_size=300).map(str.encode))
def test_garbage_is_parsed_or_raises_one_error(dialect: str, text: bytes) -> None:
    try:
        parser = parse_output(dialect, 5, outcome(text, 10))
        assert parser.status is Status.SATISFIABLE
        parser.model()
    except BoardsatError as error:
        assert str(error).isprintable()


def test_count_with_the_maximum_number_of_digits_is_parsed() -> None:
    parser = PARSERS["counting"](5)
    for line in ("s SATISFIABLE", "s mc 12"):
        parser.feed(line)
    assert (parser.status, parser.count) == (Status.SATISFIABLE, 12)
    with pytest.raises(BoardsatError, match="digits"):
        parser.feed("s mc " + "9" * (MAX_COUNT_DIGITS + 1))


ATOMS = b"Answer: 1\nmove(0,7) move(7,2)\nSATISFIABLE\n"


@pytest.mark.parametrize("head", [b"Answer: 1\n", b"Answer: 1 (Time: 0.001s)\n"])
def test_answer_sets_and_statistics_of_clingo_are_parsed(head: bytes) -> None:
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
    parser = parse_output("clingo", 0, outcome(text, 30))
    assert parser.answer_sets == [(("visit", (1, 0)), ("visit", (2, -5))), ()]
    assert (parser.status, parser.count, parser.model()) == (Status.SATISFIABLE, 2, None)
    times = {"grounding": 0.3, "solving": 0.2, "first_model": 0.1}
    assert parser.statistics == {**times, "choices": 81, "conflicts": 6, "atoms": 2}


@pytest.mark.parametrize(
    ("text", "code", "complaint"),
    [
        (ATOMS.replace(b"(7,2)", b""), 10, "'move' is not an atom"),
        (ATOMS.replace(b"(7,2)", b"(7,x)"), 10, "'move(7,x)' is not an atom"),
        (ATOMS, 20, "contradicts itself"),
        (ATOMS.replace(b"SATISFIABLE\n", b""), 10, "no answer with exit code 10"),
    ],
)
def test_invalid_answer_set_is_an_error(text: bytes, code: int, complaint: str) -> None:
    with pytest.raises(BoardsatError, match=re.escape(complaint)):
        parse_output("clingo", 0, outcome(text, code))


def test_answer_set_on_very_long_line_is_parsed() -> None:
    moves = [(k, k + 1) for k in range(100_000)]
    line = " ".join(f"move({a},{b})" for a, b in moves).encode()
    assert len(line) > MAX_LINE_BYTES
    parser = parse_output("clingo", 0, outcome(b"Answer: 1\n" + line + b"\nSATISFIABLE\n", 10))
    assert parser.answer_sets == [tuple(("move", numbers) for numbers in moves)]


def test_carriage_returns_are_ignored() -> None:
    parser = parse_output("competition", 2, outcome(b"s SATISFIABLE\r\nv 1 -2 0\r\n", 10))
    assert parser.model() is not None


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
def test_malformed_statistics_are_omitted(line: str) -> None:
    parser = ClingoParser(0)
    for output_line in ("Answer: 1", "move(0,6)", "SATISFIABLE", "", line, "Restarts : 7"):
        parser.feed(output_line)
    assert (parser.status, parser.count) == (Status.SATISFIABLE, None)
    assert parser.statistics == {"restarts": 7}
