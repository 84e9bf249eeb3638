"""Small files that expand to large amounts of memory or time when they are read."""

from __future__ import annotations

import gzip
import lzma
import struct
import zlib
from pathlib import Path

import pytest
from helpers.dimacs_reader import read
from helpers.formulas import mostly_slow

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs import lines, reader
from boardsat.adapters.dimacs.reader import DimacsError, validate
from boardsat.adapters.dimacs.text import open_blocks
from boardsat.base.errors import BoardsatError
from boardsat.instance.formula_file import open_formula

FORMULA = b"p cnf 1 1\n1 0\n"


def lenient_error(path: Path) -> str:
    """Return the error of a file that is read leniently."""
    with pytest.raises(DimacsError) as caught:
        validate(path, strict=False)
    return str(caught.value)


SHORT = [b"c\n", b"c p\n", b"c x\r\n", b"cx\n", b" c\n"]


@pytest.mark.parametrize("comments", mostly_slow(SHORT, [b"c\n"]))
def test_short_comments_are_limited_by_their_memory(comments: bytes, tmp_path: Path) -> None:
    """A list of a million empty strings takes far more memory than a million bytes."""
    path = tmp_path / "talk.cnf.gz"
    path.write_bytes(gzip.compress(comments * 600_000 + FORMULA, 1))
    clauses, stored_comments, summary = read(path, strict=False)
    assert clauses == [[1]] and summary.lines == 600_002
    assert len(stored_comments) * lines.LINE_OVERHEAD_BYTES < lines.MAX_COMMENT_BYTES
    assert "comments beyond 32 MB are ignored" in summary.ambiguities[-1]
    with pytest.raises(DimacsError, match="or accept it with --lenient"):
        open_formula(str(path))
    assert open_formula(str(path), lenient=True).clauses == 1


@pytest.mark.parametrize("position", ["before", "after", "trailer"])
@pytest.mark.parametrize("line", mostly_slow([b"\n", b" \n", b"c x\n"], [b"\n"]))
def test_skipped_lines_beyond_limit_are_rejected(
    position: str, line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_SKIPPED_BYTES", 2**30 >> 4)
    path = tmp_path / "blank.cnf"
    filler = line * 1_100_000
    texts = {
        "before": filler + FORMULA,
        "after": FORMULA + filler,
        "trailer": FORMULA + b"%\n" + filler,
    }
    path.write_bytes(texts[position])
    is_garbage = position == "trailer" and line == b"c x\n"
    is_clause = position == "after" and line != b"c x\n"
    if is_clause:
        # Filler between clauses is read as fast as the clauses.
        assert validate(path, strict=False).lines > 1_100_000
    else:
        complaint = "'" if is_garbage else "comments and blank lines exceed"
        assert complaint in lenient_error(path)


@pytest.mark.slow
def test_endless_clause_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_CLAUSE_LENGTH", 30_000)
    path = tmp_path / "clause.cnf"
    path.write_bytes(b"p cnf 1 1\n" + b"1\n" * 280_000 + b"0\n")
    assert "literals; split it" in lenient_error(path)
    path.write_bytes(b"p cnf 1 90000\n" + b"1 0\n" * 90_000)
    assert validate(path).literals == 90_000


def wide_xz(data: bytes) -> bytes:
    """Return an xz stream that requests a dictionary of 4 GB, with a valid checksum."""
    packed = bytearray(lzma.compress(data, preset=0))
    block = 12
    size = 4 * (packed[block] + 1)
    assert packed[block + 2 : block + 4] == b"\x21\x01"
    packed[block + 4] = 40
    checksum = zlib.crc32(bytes(packed[block : block + size - 4]))
    packed[block + size - 4 : block + size] = struct.pack("<I", checksum)
    return bytes(packed)


def wide_zst(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    wide = zstandard.ZstdCompressionParameters.from_level(1, window_log=31)
    packer = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    return packer.compress(data) + packer.flush()  # type: ignore[no-any-return]


@pytest.mark.parametrize("suffix", [".xz", ".zst"])
def test_compressed_file_requesting_gigabytes_is_rejected(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"wide.cnf{suffix}"
    path.write_bytes({".xz": wide_xz, ".zst": wide_zst}[suffix](FORMULA))
    error_text = lenient_error(path)
    assert "cannot be read to its end (" in error_text and "memory" in error_text


def test_xz_streams_padded_with_zeros_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf.xz"
    packed = [lzma.compress(content, preset=0) for content in (FORMULA[:5], FORMULA[5:])]
    path.write_bytes(b"\0\0\0\0".join([*packed, b""]))
    with open_blocks(path) as blocks:
        assert b"".join(blocks) == FORMULA
    path.write_bytes(packed[0] + packed[1] + b"garbage")
    assert "cannot be read to its end (" in lenient_error(path)


BOARDSAT_HEADER = """\
c boardsat {"format": 2, "spec": "x", "title": "x"}
c parameters {}
"""
SMALL = "p cnf 1 1\n1 0\n"
GRID = """c board {"shape": "grid", "rows": ROWS, "cols": COLS, "moves": MOVES}\n"""
BOMBS = {
    "edges": 'c board {"shape": "graph", "vertices": 30000, "first": 0}\nc edges 0+16000000\n',
    "regions": "c regions 0+9000000\nc given 0+9000000\n",
    "short runs": "c given " + "0+1 " * 270_000 + "\n",
    "members": "".join(
        f'c variable {{"name": "X{k}", "first": 1, "count": 1, "shape": [1]}}\n'
        f"c keys X{k} 0+16000000\n"
        for k in range(2)
    ),
    "a board": GRID.replace("ROWS", "100000").replace("COLS", "1000000").replace("MOVES", "[]"),
    "moves": GRID.replace("ROWS", "5").replace("COLS", "5").replace("MOVES", f"{[[1, 2]] * 2000}"),
    "JSON": 'c parameters {"a": [' + "[]," * 2_000_000 + "[]]}\n",
    "views": 'c decode {"view": "mark", "variable": "X", "cell": 0}\n' * 100,
}


@pytest.mark.parametrize("bomb", mostly_slow(BOMBS, BOMBS.keys() - {"short runs"}))
def test_short_header_that_expands_is_rejected(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.cnf"
    head = BOARDSAT_HEADER.splitlines(keepends=True)[0] if bomb == "JSON" else BOARDSAT_HEADER
    path.write_text(head + BOMBS[bomb] + SMALL)
    with pytest.raises(BoardsatError, match="line is malformed") as caught:
        open_formula(str(path))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("text", ["p cnf 2147483647 1\n1 0\n", "p cnf 1 1\n2147483647 0\n"])
def test_more_variables_than_literals_is_rejected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "many.cnf"
    path.write_text(text)
    with pytest.raises(DimacsError, match="2,147,483,647 variables, but only 1 literal"):
        open_formula(str(path), lenient=True)
    path.write_text("p cnf 2000000 1\n1 2000000 0\n")
    assert open_formula(str(path)).variables == 2_000_000


def test_board_limit_grows_with_clauses(tmp_path: Path) -> None:
    path = tmp_path / "large.cnf"
    board = GRID.replace("ROWS", "600").replace("COLS", "600").replace("MOVES", "[]")
    path.write_text(f"{BOARDSAT_HEADER}{board}p cnf 360000 180000\n" + "1 -2 0\n" * 180_000)
    decoded_board = board_of(open_formula(str(path)).header)
    assert decoded_board is not None and decoded_board.cells == 360_000


@pytest.mark.parametrize("block_bytes", [64, 1000, 2**19])
def test_concatenated_gz_members_are_read(block_bytes: int, tmp_path: Path) -> None:
    """`cat a.gz b.gz` writes such files. Trailing zeros are accepted, other bytes are errors."""
    contents = [b"p cnf 9 9\n", b"", b"".join(b"%d 0\n" % v for v in range(4000)), b"c\n" * 999]
    packed = b"".join(gzip.compress(content, 1) for content in contents)
    path = tmp_path / "x.cnf.gz"
    for zeros in (b"", b"\0" * 700):
        path.write_bytes(packed + zeros)
        with open_blocks(path, block_bytes) as blocks:
            assert b"".join(blocks) == b"".join(contents)
    for wrong in (packed[:-1], packed + b"\0\0x", packed + b"x", b"\0" + packed):
        path.write_bytes(wrong)
        with (
            pytest.raises(DimacsError, match="cannot be read to its end"),
            open_blocks(path) as blocks,
        ):
            list(blocks)
