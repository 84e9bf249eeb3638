"""DIMACS reader on large files, long lines, compressed files, standard input and devices."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from helpers.dimacs_reader import (
    outcome,
    read,
    scan_all,  # noqa: F401
)
from helpers.formulas import mostly_slow, one_in

from boardsat.adapters.dimacs import lines, text
from boardsat.adapters.dimacs.lines import Fault
from boardsat.adapters.dimacs.reader import DimacsError, open_cnf, validate


def message(path: Path | str, strict: bool = True) -> str:
    with pytest.raises(DimacsError) as caught:
        validate(path, strict=strict)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# Large files, long lines


@cache
def random_clauses(count: int) -> list[str]:
    numbers = np.random.default_rng(0).integers(1, 90000, (count, 2)).tolist()
    return [f"{a} -{b} 0\n" for a, b in numbers]


FAULTS = {
    "1 2 0 3 0\n": "'3' follows the 0 of a clause; write one clause a line",
    "1 x 0\n": "'x' is not a number; write digits, or '-' and digits",
    "1 90001 0\n": "the header declares 90000 variables (got literal 90001); "
    "correct the header or the clause",
    "\n": "the line is blank; remove the line",
    "1 2 0\r\n": "the line contains a carriage return; end lines with a line feed alone",
    "1\n": "the clause has no 0 on this line; end each clause with 0 on its own line",
    "c x\n": "a comment follows the header; move it before the header",
    "1 \0\n": "the file contains binary zeros; pass a DIMACS text file",
}


@pytest.mark.parametrize("suffix", mostly_slow(["", ".gz", ".xz", ".zst"], [""]))
@pytest.mark.parametrize("fault", one_in(3, FAULTS), ids=ascii)
def test_fault_deep_in_file_has_exact_line(tmp_path: Path, fault: str, suffix: str) -> None:
    body = list(random_clauses(60000))
    body[54321] = fault
    path = tmp_path / f"deep.cnf{suffix}"
    compress(path, "".join(["c x\n", "p cnf 90000 60000\n", *body]).encode())
    assert message(path) == f"{path}:{54321 + 3}: {FAULTS[fault]}"


def test_wrong_counts_of_large_file_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "count.cnf"
    path.write_text("p cnf 90000 54321\n" + "".join(random_clauses(60000)))
    assert message(path).startswith(
        f"{path}:54323: the header declares 54321 clauses (got clause 54322)"
    )
    assert validate(path, strict=False).actual_clauses == 60000
    path.write_text("p cnf 90000 60001\n" + "".join(random_clauses(60000)))
    assert message(path).startswith(f"{path}:60001: the file ends after 60000 clauses but ")


def test_lenient_reader_notes_each_fault_once_with_first_line(tmp_path: Path) -> None:
    body = list(random_clauses(60000))
    for index in (40000, 40001, 59000):
        body[index] = "\t1\n2 0 3 0\r\n90001 0\n\n"
    path = tmp_path / "wild.cnf"
    path.write_text("p cnf 90000 60006\n" + "".join(body))
    clauses, _, summary = read(path, strict=False)
    assert clauses[40000:40003] == [[1, 2], [3], [90001]]
    assert summary.actual_clauses == len(clauses) == 60006
    line_numbers = [int(note[len(str(path)) + 1 :].split(":")[0]) for note in summary.notes]
    assert line_numbers == [40002, 40002, 40003, 40003, 40004, 40005]


@pytest.mark.parametrize("block_bytes", mostly_slow([100, 5000, text.BLOCK_BYTES], [5000]))
def test_long_lines_are_read(tmp_path: Path, block_bytes: int) -> None:
    variables = list(range(1, 200001))
    path = tmp_path / "long.cnf"
    long_text = " ".join(map(str, variables))
    path.write_text(
        f"c {long_text}\np cnf 200000 3\n1 0\n{long_text} 0\nc p show {long_text} 0\n-2 0\n"
    )
    clauses, comments, summary = read(path, block_bytes=block_bytes)
    assert clauses == [[1], variables, [-2]]
    assert comments == [long_text, f"p show {long_text} 0"]
    assert summary.lines == 6
    path.write_text(f"p cnf 200000 3\n1 0\n{long_text} 0 5\n-2 0\n")
    assert message(path).startswith(f"{path}:3: '5' follows the 0 of a clause; ")
    path.write_text(f"p cnf 200000 3\n1 0 {long_text} 0 -2 0")
    assert read(path, strict=False, block_bytes=block_bytes)[0] == [[1], variables, [-2]]


@pytest.mark.parametrize("block_bytes", [1, 5000, text.BLOCK_BYTES])
@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (" " * 9000 + "c x\n", "a comment begins with "),
        ("c" + "x" * 9000 + "\n", "a comment begins with 'cxxx"),
        ("p" + " " * 9000 + "cnf 1 1\n", "the header 'p"),
        ("p cnf" + " " * 9000 + "1 1 1\n", "the header 'p cnf"),
        ("p cnf 1 1\n" + " " * 9000 + "\n", "the line is blank"),
        ("p cnf 1 1\n" + "7" * 9000 + " 0\n", "'77777777777777777777'... is not a number"),
    ],
    ids=["indent", "comment", "header", "words", "blank", "number"],
)
def test_error_of_long_line_is_short(body: str, fault: str, block_bytes: int) -> None:
    assert str(outcome(body.encode(), True, block_bytes)).split(": ", 1)[1].startswith(fault)


@pytest.mark.parametrize("blank", [" ", "\t"])
@pytest.mark.parametrize("number", [1, 4000, 5000, 20_000])
@pytest.mark.parametrize(
    "header",
    [
        "{}p cnf 2 1",
        "p{}cnf 2 1",
        "p cnf{}2 1",
        "p cnf 2{}1",
        "p cnf 2 1{}",
        "{0}p{0}cnf{0}2{0}1{0}",
    ],
)
def test_header_with_many_blanks_is_independent_of_buffer(header, number, blank):
    data = f"{header.format(blank * number)}\n1 -2 0\n".encode()
    for block_bytes in (1, 5000, 5003, text.BLOCK_BYTES):
        formula = outcome(data, strict=False, block_bytes=block_bytes)
        assert formula[0] == [[1, -2]] and formula[2].lines == 2
    unterminated = outcome(
        data.partition(b"\n")[0].replace(b"1", b"0"), strict=False, block_bytes=5000
    )
    assert unterminated[0] == [] and "no line end" in unterminated[2].notes[-1]


def test_comments_beyond_limit_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_COMMENT_BYTES", 20000)
    path = tmp_path / "talk.cnf"
    path.write_text("".join(f"c {n}\n" for n in range(1000)) + "p cnf 1 1\n1 0\n")
    clauses, comments, summary = read(path, block_bytes=500)
    assert clauses == [[1]]
    assert comments == [str(n) for n in range(len(comments))]
    assert 0 < len(comments) < 1000
    assert [note.split("; ")[1] for note in summary.notes] == [Fault.DROPPED_COMMENTS.value]


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


@pytest.mark.parametrize("suffix", sorted(filter(None, COMPRESS)))
def test_compressed_file_is_read(tmp_path: Path, suffix: str) -> None:
    data = ("p cnf 90000 9000\n" + "".join(random_clauses(9000))).encode()
    plain, packed = tmp_path / "x.cnf", tmp_path / f"x.cnf{suffix}"
    plain.write_bytes(data)
    compress(packed, data)
    assert read(packed)[0] == read(plain)[0]
    assert validate(packed).bytes == len(data)

    packed_bytes = packed.read_bytes()
    packed.write_bytes(COMPRESS[suffix](data[:5000]) + COMPRESS[suffix](data[5000:]))
    assert validate(packed).bytes == len(data)  # as `cat a.gz b.gz` makes them
    for wrong in (
        packed_bytes[: len(packed_bytes) // 2],
        packed_bytes[:-1],
        packed_bytes[:3],
        b"p cnf 1 1\n1 0\n",
    ):
        packed.write_bytes(wrong)
        for strict in (True, False):
            assert message(packed, strict).startswith(f"{packed}: cannot be read to its end (")
    packed.write_bytes(b"")
    assert message(packed).startswith(f"{packed}:")


def test_zst_without_zstandard_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert message("-").startswith("<stdin>:2: the header declares 1 variable (got literal -2)")


@pytest.mark.parametrize("strict", [True, False])
def test_missing_file_or_folder_is_one_line(tmp_path: Path, strict: bool) -> None:

    assert message(tmp_path, strict) == f"{tmp_path}: is a directory"
    missing = tmp_path / "no\nsuch.cnf"
    displayed_path = f"{tmp_path}/no?such.cnf"
    assert message(missing, strict) == f"{displayed_path}: no such file or directory"
    assert message("a\0b", strict).startswith("a?b: ")


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("head", [b"", b"c ", b"p cnf 1 1\n", b"p cnf 1 1\n1", b"p cnf 1 1\n1 0\n"])
def test_binary_zeros_are_rejected_at_first_block(
    tmp_path: Path, head: bytes, strict: bool
) -> None:
    path = tmp_path / "zeros.cnf"
    path.write_bytes(head)
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    line = head.count(b"\n") + 1
    fault = "the file contains binary zeros; pass a DIMACS text file"
    assert message(path, strict) == f"{path}:{line}: {fault}"
    with path.open("rb") as zeros, mock.patch.object(sys, "stdin", SimpleNamespace(buffer=zeros)):
        message("-", strict)
        assert zeros.tell() <= 2 * text.BLOCK_BYTES


def test_clauses_read_twice_raise(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\n1 0\n")
    with open_cnf(path) as cnf:
        assert [chunk.tolist() for chunk in cnf.chunks()] == [[1, 0]]
        with pytest.raises(ValueError, match="open the file again"):
            list(cnf.chunks())


def test_errors_of_caller_are_not_translated(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf"
    path.write_text("p cnf 1 1\n1 0\n")
    with pytest.raises(OSError, match="mine"), open_cnf(path) as cnf:
        for _ in cnf.chunks():
            raise OSError("mine")
