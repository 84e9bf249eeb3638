"""The DIMACS reader against its own slow half, python-sat, and folders of good and bad files."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF  # type: ignore[import-untyped, unused-ignore]
from support import examples, mostly_slow

from boardsat.adapters.dimacs import lines, reader, text
from boardsat.adapters.dimacs.reader import DimacsError, Summary, open_cnf, validate
from boardsat.adapters.dimacs.tokens import LARGEST, scan

FILES = Path(__file__).parent / "dimacs"
GOOD = sorted((FILES / "good").glob("*.cnf"))
BAD = sorted((FILES / "bad").glob("*.cnf"))
CHUNKS = [1, 2, 7, 64, 5000, text.CHUNK]

Clauses = list[list[int]]


@pytest.fixture(autouse=True, scope="module")
def scan_all() -> Iterator[None]:
    """Scan even the smallest block, which would be read by lines."""
    with mock.patch.object(reader, "_SMALL", 0):
        yield


def split(literals: list[int]) -> Clauses:
    clauses: Clauses = [[]]
    for literal in literals:
        if literal:
            clauses[-1].append(literal)
        else:
            clauses.append([])
    assert clauses.pop() == [], "a chunk must end with its last clause"
    return clauses


def read(
    path: Path | str, strict: bool = True, chunk: int = text.CHUNK
) -> tuple[Clauses, list[str], Summary]:
    clauses: Clauses = []
    with open_cnf(path, strict=strict, chunk=chunk) as cnf:
        for literals in cnf.chunks():
            assert literals.dtype == np.int32
            assert len(literals)
            clauses += split(literals.tolist())
        return clauses, [*cnf.comments, *cnf.later_comments], cnf.summary()


def outcome(data: bytes, strict: bool, chunk: int = text.CHUNK) -> object:
    """What reading gives, an error included; from memory, for hypothesis makes many."""
    stdin = SimpleNamespace(buffer=io.BytesIO(data))
    with mock.patch.object(sys, "stdin", stdin):
        try:
            return read("-", strict, chunk)
        except DimacsError as error:
            assert len(str(error).splitlines()) == 1
            return str(error)


def render(clauses: Clauses, variables: int) -> str:
    body = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    return f"p cnf {variables} {len(clauses)}\n{body}"


def message(path: Path | str, strict: bool = True) -> str:
    with pytest.raises(DimacsError) as caught:
        validate(path, strict=strict)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# Folders


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good(path: Path, chunk: int) -> None:
    clauses, comments, summary = read(path, chunk=chunk)
    assert comments == [line[2:] for line in path.read_text().split("\n") if line[:1] == "c"]
    assert clauses == CNF(from_string=path.read_text()).clauses
    assert summary.notes == ()
    assert summary.clauses == summary.actual_clauses == len(clauses)
    assert summary.literals == sum(map(len, clauses))
    assert summary.actual_variables == max((abs(x) for c in clauses for x in c), default=0)
    assert summary.bytes == path.stat().st_size
    assert summary.lines == path.read_bytes().count(b"\n")
    assert validate(path, strict=False, chunk=chunk) == summary


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad(path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strict reading raises the expected line; lenient reading notes it first, unless garbage."""
    monkeypatch.chdir(path.parent)
    expected = path.with_suffix(".expected").read_text().rstrip("\n")
    with pytest.raises(DimacsError) as caught:
        validate(path.name, chunk=chunk)
    assert str(caught.value) == expected
    if path.stem.startswith("garbage"):
        with pytest.raises(DimacsError) as caught:
            validate(path.name, strict=False, chunk=chunk)
        assert str(caught.value) == expected
    else:
        assert validate(path.name, strict=False, chunk=chunk).notes[0] == expected


def test_every_fault_has_a_file() -> None:
    expected = "".join(path.with_suffix(".expected").read_text() for path in BAD)
    lenient_only = {lines.Fault.NO_ZERO, lines.Fault.KEPT}
    for fault in set(lines.Fault) - lenient_only:
        assert f"; {fault.value}\n" in expected


# Properties

variables = st.one_of(st.integers(1, 30), st.integers(1, 10**9), st.integers(10**9, LARGEST))


@st.composite
def formulas(draw: st.DrawFn) -> tuple[Clauses, int]:
    most = draw(variables)
    literal = st.integers(-most, most).filter(bool)
    return draw(st.lists(st.lists(literal, max_size=6), max_size=12)), most


@given(formulas(), st.sampled_from(CHUNKS))
def test_strict_round_trip(formula: tuple[Clauses, int], chunk: int) -> None:
    clauses, most = formula
    result = outcome(render(clauses, most).encode(), True, chunk)
    assert isinstance(result, tuple)
    assert result[0] == clauses == CNF(from_string=render(clauses, most)).clauses


gaps = st.sampled_from(
    [" ", "  ", "\t", "\n", "\r\n", " \n ", "\n\n", "\r\n\r\n", "\nc 7 0\n", " \n c\n", "\nc p x\n"]
)


@given(formulas(), st.data(), st.sampled_from(CHUNKS))
def test_lenient_layouts(formula: tuple[Clauses, int], data: st.DataObject, chunk: int) -> None:
    clauses = formula[0]
    declared = f"p cnf {data.draw(st.integers(0, LARGEST))} {data.draw(st.integers(0, 20))}\n"
    words = [str(literal) for clause in clauses for literal in [*clause, 0]]
    if clauses and clauses[-1] and data.draw(st.booleans()):
        words.pop()
    body = "".join(word + data.draw(gaps) for word in words)
    ending = data.draw(st.sampled_from(["", "\n", "\n\n", "\n%\n0\n", "\n%\n0", "\n%\n\n0\n\n"]))
    before = data.draw(st.sampled_from(["", "c x\n", "\n", "cx\r\n", " c\n"]))
    result = outcome((before + declared + body + ending).encode(), False, chunk)
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
def test_outcome_is_the_same_in_any_chunks_and_by_lines(
    body: str, header: str, strict: bool
) -> None:
    data = (header + body).encode()
    expected = outcome(data, strict)
    for chunk in CHUNKS:
        assert outcome(data, strict, chunk) == expected
    with (
        mock.patch.object(reader, "scan", lambda block: None),
        mock.patch.object(lines.Lines, "_comments_at_once", lambda self, block: 0),
    ):
        assert outcome(data, strict) == expected


@examples(200)
@given(texts)
def test_lenient_accepts_what_strict_does(body: str) -> None:
    data = ("p cnf 4 3\n" + body).encode()
    strict, lenient = outcome(data, True), outcome(data, False)
    if isinstance(strict, tuple) or isinstance(lenient, str):
        # Garbage may stand behind a fault that strict reading stops at.
        assert isinstance(strict, str) or strict == lenient
    else:
        assert lenient[2].notes[0] == strict  # type: ignore[index]


numbers = st.integers(-LARGEST, LARGEST).map(str)


@examples(200)
@given(st.lists(numbers | pieces | phrases, max_size=20), st.booleans())
def test_scan_takes_only_numbers(parts: list[str], spaced: bool) -> None:
    block = ((" " if spaced else "").join(parts) + "\n").encode()
    tokens = scan(block)
    found = block.replace(b"\n", b" ").split(b" ")
    plain = all(re.fullmatch(rb"0|-?[1-9][0-9]*", word) for word in found if word)
    if plain and all(abs(int(word)) <= LARGEST for word in found if word):
        assert tokens is not None
        assert tokens.literals.tolist() == [int(word) for word in found if word]
    else:
        assert tokens is None


def test_only_a_zero_follows_the_satlib_trailer() -> None:
    start = b"p cnf 2 1\n1 2 0\n%\n0\n"
    assert isinstance(outcome(start + b"\n", False), tuple)
    for more in (b"1 0\n", b"c x\n", b"0 0\n", b"p cnf 1 1\n"):
        assert "after the trailer" in str(outcome(start + more, False))


# Large files, long lines


@cache
def many(count: int) -> list[str]:
    numbers = np.random.default_rng(0).integers(1, 90000, (count, 2)).tolist()
    return [f"{a} -{b} 0\n" for a, b in numbers]


FAULTS = {
    "1 2 0 3 0\n": "'3' after the clause's 0; write one clause a line",
    "1 x 0\n": "'x' is not a number; write digits, or '-' and digits",
    "1 90001 0\n": "literal 90001 but the header declares 90000 variables; "
    "correct the header or the clause",
    "\n": "blank line; remove the line",
    "1 2 0\r\n": "carriage return; end lines with a line feed alone",
    "1\n": "the clause has no 0 on this line; end each clause with 0 on its own line",
    "c x\n": "comment after the header; move it before the header",
    "1 \0\n": "binary zeros; name a DIMACS text file",
}


@pytest.mark.parametrize("ending", mostly_slow(["", ".gz", ".xz", ".zst"], [""]))
@pytest.mark.parametrize("fault", FAULTS, ids=ascii)
def test_exact_line_deep_in_a_file(tmp_path: Path, fault: str, ending: str) -> None:
    body = list(many(60000))
    body[54321] = fault
    path = tmp_path / f"deep.cnf{ending}"
    compress(path, "".join(["c x\n", "p cnf 90000 60000\n", *body]).encode())
    assert message(path) == f"{path}:{54321 + 3}: {FAULTS[fault]}"


def test_wrong_counts_deep_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "count.cnf"
    path.write_text("p cnf 90000 54321\n" + "".join(many(60000)))
    assert message(path).startswith(f"{path}:54323: clause 54322 but the header declares 54321 ")
    assert validate(path, strict=False).actual_clauses == 60000
    path.write_text("p cnf 90000 60001\n" + "".join(many(60000)))
    assert message(path).startswith(f"{path}:60001: the file ends after 60000 clauses but ")


def test_lenient_notes_each_kind_once_with_its_first_line(tmp_path: Path) -> None:
    body = list(many(60000))
    for at in (40000, 40001, 59000):
        body[at] = "\t1\n2 0 3 0\r\n90001 0\n\n"
    path = tmp_path / "wild.cnf"
    path.write_text("p cnf 90000 60006\n" + "".join(body))
    clauses, _, summary = read(path, strict=False)
    assert clauses[40000:40003] == [[1, 2], [3], [90001]]
    assert summary.actual_clauses == len(clauses) == 60006
    places = [int(note[len(str(path)) + 1 :].split(":")[0]) for note in summary.notes]
    assert places == [40002, 40002, 40003, 40003, 40004, 40005]


@pytest.mark.parametrize("chunk", mostly_slow([100, 5000, text.CHUNK], [5000]))
def test_long_lines(tmp_path: Path, chunk: int) -> None:
    long = list(range(1, 200001))
    path = tmp_path / "long.cnf"
    shown = " ".join(map(str, long))
    path.write_text(f"c {shown}\np cnf 200000 3\n1 0\n{shown} 0\nc p show {shown} 0\n-2 0\n")
    clauses, comments, summary = read(path, chunk=chunk)
    assert clauses == [[1], long, [-2]]
    assert comments == [shown, f"p show {shown} 0"]
    assert summary.lines == 6
    path.write_text(f"p cnf 200000 3\n1 0\n{shown} 0 5\n-2 0\n")
    assert message(path).startswith(f"{path}:3: '5' after the clause's 0; ")
    path.write_text(f"p cnf 200000 3\n1 0 {shown} 0 -2 0")
    assert read(path, strict=False, chunk=chunk)[0] == [[1], long, [-2]]


@pytest.mark.parametrize("chunk", [1, 5000, text.CHUNK])
@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (" " * 9000 + "c x\n", "comment begins "),
        ("c" + "x" * 9000 + "\n", "comment begins 'cxxx"),
        ("p" + " " * 9000 + "cnf 1 1\n", "malformed header"),
        ("p cnf 1 1\n" + " " * 9000 + "\n", "blank line"),
        ("p cnf 1 1\n" + "7" * 9000 + " 0\n", "'77777777777777777777'... is not a number"),
    ],
    ids=["indent", "comment", "header", "blank", "number"],
)
def test_long_lines_of_little(body: str, fault: str, chunk: int) -> None:
    assert str(outcome(body.encode(), True, chunk)).split(": ", 1)[1].startswith(fault)


def test_comments_are_kept_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "KEPT_COMMENTS", 1000)
    path = tmp_path / "talk.cnf"
    path.write_text("".join(f"c {n}\n" for n in range(1000)) + "p cnf 1 1\n1 0\n")
    clauses, comments, summary = read(path)
    assert clauses == [[1]]
    assert comments == [str(n) for n in range(len(comments))]
    assert 0 < len(comments) < 1000
    assert [note.split("; ")[1] for note in summary.notes] == [lines.Fault.KEPT.value]


# Where files come from


def zst(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    return zstandard.ZstdCompressor().compress(data)  # type: ignore[no-any-return]


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda data: gzip.compress(data, 1),
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": zst,
}


def compress(path: Path, data: bytes) -> None:
    path.write_bytes(COMPRESS[path.suffix.replace(".cnf", "")](data))


@pytest.mark.parametrize("ending", sorted(filter(None, COMPRESS)))
def test_compressed(tmp_path: Path, ending: str) -> None:
    data = ("p cnf 90000 9000\n" + "".join(many(9000))).encode()
    plain, packed = tmp_path / "x.cnf", tmp_path / f"x.cnf{ending}"
    plain.write_bytes(data)
    compress(packed, data)
    assert read(packed)[0] == read(plain)[0]
    assert validate(packed).bytes == len(data)

    whole = packed.read_bytes()
    packed.write_bytes(COMPRESS[ending](data[:5000]) + COMPRESS[ending](data[5000:]))
    assert validate(packed).bytes == len(data)  # as `cat a.gz b.gz` makes them
    for wrong in (whole[: len(whole) // 2], whole[:-1], whole[:3], b"p cnf 1 1\n1 0\n"):
        packed.write_bytes(wrong)
        for strict in (True, False):
            assert message(packed, strict).startswith(f"{packed}: cannot be read to its end (")
    packed.write_bytes(b"")
    assert message(packed).startswith(f"{packed}:")


def test_zst_without_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.cnf.zst"
    path.write_bytes(b"anything")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert message(path) == f"{path}: zst needs zstandard; pip install zstandard"


def test_standard_input_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO(b"p cnf 2 1\n1 -2 0\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    assert read("-")[0] == [[1, -2]]
    assert not buffer.closed
    buffer.seek(0)
    buffer.write(b"p cnf 1 1\n")
    buffer.seek(0)
    assert message("-").startswith("<stdin>:2: literal -2 but ")


@pytest.mark.parametrize("strict", [True, False])
def test_not_a_file(tmp_path: Path, strict: bool) -> None:
    remedy = "name a readable DIMACS file"
    assert message(tmp_path, strict) == f"{tmp_path}: is a directory; {remedy}"
    missing = tmp_path / "no\nsuch.cnf"
    shown = f"{tmp_path}/no?such.cnf"
    assert message(missing, strict) == f"{shown}: no such file or directory; {remedy}"
    assert message("a\0b", strict).startswith("a?b: ")


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "before", [b"", b"c ", b"p cnf 1 1\n", b"p cnf 1 1\n1", b"p cnf 1 1\n1 0\n"]
)
def test_a_gigabyte_of_zeros_is_not_read(tmp_path: Path, before: bytes, strict: bool) -> None:
    path = tmp_path / "zeros.cnf"
    path.write_bytes(before)
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    line = before.count(b"\n") + 1
    assert message(path, strict) == f"{path}:{line}: binary zeros; name a DIMACS text file"
    with path.open("rb") as zeros, mock.patch.object(sys, "stdin", SimpleNamespace(buffer=zeros)):
        message("-", strict)
        assert zeros.tell() <= 2 * text.CHUNK


def test_clauses_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\n1 0\n")
    with open_cnf(path) as cnf:
        assert [chunk.tolist() for chunk in cnf.chunks()] == [[1, 0]]
        with pytest.raises(ValueError, match="open the file again"):
            list(cnf.chunks())


def test_errors_of_the_caller_pass_through(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\n1 0\n")
    with pytest.raises(OSError, match="mine"), open_cnf(path) as cnf:
        for _ in cnf.chunks():
            raise OSError("mine")
