"""DIMACS reader compared with its line-by-line path, python-sat, and files in good/ and bad/."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest
from helpers.dimacs_reader import (
    Clauses,
    numbers,
    outcome,
    read,
    scan_all,  # noqa: F401
)
from helpers.formulas import examples
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF  # type: ignore[import-untyped, unused-ignore]

from boardsat.adapters.dimacs import lines, reader, text
from boardsat.adapters.dimacs.lines import Fault
from boardsat.adapters.dimacs.reader import DimacsError, validate
from boardsat.adapters.dimacs.tokens import MAX_INTEGER, scan

FILES = Path(__file__).parents[1] / "dimacs"
GOOD = sorted((FILES / "good").glob("*.cnf"))
BAD = sorted((FILES / "bad").glob("*.cnf"))
BLOCK_SIZES = [1, 2, 7, 64, 5000, text.BLOCK_BYTES]


def render(clauses: Clauses, variables: int) -> str:
    body = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    return f"p cnf {variables} {len(clauses)}\n{body}"


# Folders


@pytest.mark.parametrize("block_bytes", BLOCK_SIZES)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_file_is_read(path: Path, block_bytes: int) -> None:
    clauses, comments, summary = read(path, block_bytes=block_bytes)
    assert comments == [line[2:] for line in path.read_text().split("\n") if line[:1] == "c"]
    assert clauses == CNF(from_string=path.read_text()).clauses
    assert summary.notes == ()
    assert summary.clauses == summary.actual_clauses == len(clauses)
    assert summary.literals == sum(map(len, clauses))
    assert summary.actual_variables == max((abs(x) for c in clauses for x in c), default=0)
    assert summary.bytes == path.stat().st_size
    assert summary.lines == path.read_bytes().count(b"\n")
    assert validate(path, strict=False, block_bytes=block_bytes) == summary


@pytest.mark.parametrize("block_bytes", BLOCK_SIZES)
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_file_is_rejected_or_noted(
    path: Path, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strict reading raises the expected line; lenient reading notes it first, unless garbage."""
    monkeypatch.chdir(path.parent)
    expected = path.with_suffix(".expected").read_text().rstrip("\n")
    with pytest.raises(DimacsError) as caught:
        validate(path.name, block_bytes=block_bytes)
    assert str(caught.value) == expected
    if path.stem.startswith("garbage"):
        with pytest.raises(DimacsError) as caught:
            validate(path.name, strict=False, block_bytes=block_bytes)
        assert str(caught.value) == expected
    else:
        assert validate(path.name, strict=False, block_bytes=block_bytes).notes[0] == expected


def test_every_fault_has_a_file() -> None:
    expected = "".join(path.with_suffix(".expected").read_text() for path in BAD)
    lenient_only = {Fault.NO_ZERO, Fault.DROPPED_COMMENTS}
    for fault in set(Fault) - lenient_only:
        assert f"; {fault.value}\n" in expected


# Properties

variables = st.one_of(st.integers(1, 30), st.integers(1, 10**9), st.integers(10**9, MAX_INTEGER))


@st.composite
def formulas(draw: st.DrawFn) -> tuple[Clauses, int]:
    num_variables = draw(variables)
    literal = st.integers(-num_variables, num_variables).filter(bool)
    return draw(st.lists(st.lists(literal, max_size=6), max_size=12)), num_variables


@given(formulas(), st.sampled_from(BLOCK_SIZES))
@examples(500)
def test_strict_round_trip(formula: tuple[Clauses, int], block_bytes: int) -> None:
    clauses, num_variables = formula
    result = outcome(render(clauses, num_variables).encode(), True, block_bytes)
    assert isinstance(result, tuple)
    assert result[0] == clauses == CNF(from_string=render(clauses, num_variables)).clauses


gaps = st.sampled_from(
    [" ", "  ", "\t", "\n", "\r\n", " \n ", "\n\n", "\r\n\r\n", "\nc 7 0\n", " \n c\n", "\nc p x\n"]
)


@given(formulas(), st.data(), st.sampled_from(BLOCK_SIZES))
@examples(500)
def test_lenient_reader_accepts_layouts(
    formula: tuple[Clauses, int], data: st.DataObject, block_bytes: int
) -> None:
    clauses = formula[0]
    declared = f"p cnf {data.draw(st.integers(0, MAX_INTEGER))} {data.draw(st.integers(0, 20))}\n"
    tokens = [str(literal) for clause in clauses for literal in [*clause, 0]]
    if clauses and clauses[-1] and data.draw(st.booleans()):
        tokens.pop()
    body = "".join(token + data.draw(gaps) for token in tokens)
    trailer = data.draw(st.sampled_from(["", "\n", "\n\n", "\n%\n0\n", "\n%\n0", "\n%\n\n0\n\n"]))
    preamble = data.draw(st.sampled_from(["", "c x\n", "\n", "cx\r\n", " c\n"]))
    result = outcome((preamble + declared + body + trailer).encode(), False, block_bytes)
    assert isinstance(result, tuple)
    assert result[0] == clauses
    assert result[2].actual_clauses == len(clauses)
    assert result[2].actual_variables == max((abs(x) for c in clauses for x in c), default=0)
    assert result[2].literals == sum(map(len, clauses))


pieces = st.sampled_from(
    [
        " ",
        "  ",
        "\n",
        " 0\n",
        "0",
        "1",
        "-2",
        "3 ",
        "-4",
        " 12345678 ",
        "-123456789",
        *"-xé\0\f\t\r%",
    ]
)
phrases = st.sampled_from(
    ["2147483647", "2147483648", "99999999999", "\r\n", "c ", "c p ", "p cnf 4 3\n", "+1", "007"]
)
likely = st.sampled_from(["1 -2 0\n", "0\n", "3 4 0\n", "  -1  3 0 \n", "2 0\nc p show 1 0\n"])
texts = st.lists(st.one_of(likely, likely, pieces, phrases), max_size=25).map("".join)


@examples(300)
@given(texts, st.sampled_from(["", "p cnf 4 3\n", "c x\np cnf 99999999 4\n"]), st.booleans())
def test_outcome_is_independent_of_block_size_and_path(
    body: str, header: str, strict: bool
) -> None:
    data = (header + body).encode()
    expected = outcome(data, strict)
    for block_bytes in BLOCK_SIZES:
        assert outcome(data, strict, block_bytes) == expected
    with mock.patch.object(reader, "_MAX_COMMENT_RUNS", 0):
        assert outcome(data, strict) == expected
    with (
        mock.patch.object(reader, "scan", lambda block: None),
        mock.patch.object(lines.CnfLineReader, "_skip_filler", lambda self, block, start: 0),
    ):
        assert outcome(data, strict) == expected


@examples(200)
@given(texts)
def test_lenient_reader_accepts_every_strict_file(body: str) -> None:
    data = ("p cnf 4 3\n" + body).encode()
    strict, lenient = outcome(data, True), outcome(data, False)
    if isinstance(strict, tuple) or isinstance(lenient, str):
        # Garbage may follow a fault at which strict reading stops.
        assert isinstance(strict, str) or strict == lenient
    else:
        assert lenient[2].notes[0] == strict  # type: ignore[index]


@examples(200)
@given(st.lists(numbers | pieces | phrases, max_size=20), st.booleans())
def test_scan_accepts_only_numbers(fragments: list[str], spaced: bool) -> None:
    block = ((" " if spaced else "").join(fragments) + "\n").encode()
    tokens = scan(block)
    texts = block.replace(b"\n", b" ").split(b" ")
    plain = all(re.fullmatch(rb"0|-?[1-9][0-9]*", token) for token in texts if token)
    if plain and all(abs(int(token)) <= MAX_INTEGER for token in texts if token):
        assert tokens is not None
        assert tokens.literals.tolist() == [int(token) for token in texts if token]
    else:
        assert tokens is None


def test_text_after_satlib_trailer_is_rejected() -> None:
    start = b"p cnf 2 1\n1 2 0\n%\n0\n"
    assert isinstance(outcome(start + b"\n", False), tuple)
    for suffix in (b"1 0\n", b"c x\n", b"0 0\n", b"p cnf 1 1\n"):
        assert "follows the trailer" in str(outcome(start + suffix, False))
