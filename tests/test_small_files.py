"""Small files that would take much memory or time when they are read."""

from __future__ import annotations

import gzip
import lzma
import struct
import zlib
from pathlib import Path

import pytest
from readers import read

from boardsat.adapters.dimacs import filler, reader
from boardsat.adapters.dimacs.reader import DimacsError, validate
from boardsat.adapters.dimacs.text import opened
from boardsat.problem import open_problem

FORMULA = b"p cnf 1 1\n1 0\n"


def refused(path: Path) -> str:
    """The error of a file that is read as leniently as possible."""
    with pytest.raises(DimacsError) as caught:
        validate(path, strict=False)
    return str(caught.value)


@pytest.mark.parametrize("comments", [b"c\n", b"c p\n", b"c x\r\n", b"cx\n", b" c\n"])
def test_short_comments_are_kept_up_to_what_they_take(comments: bytes, tmp_path: Path) -> None:
    """A list of a million empty texts takes far more than their million bytes."""
    path = tmp_path / "talk.cnf.gz"
    path.write_bytes(gzip.compress(comments * 600_000 + FORMULA, 1))
    clauses, kept, summary = read(path, strict=False)
    assert clauses == [[1]] and summary.lines == 600_002
    assert len(kept) * filler.PER_LINE < filler.KEPT
    assert "more comments than 32 MB hold" in summary.grave[-1]
    with pytest.raises(DimacsError, match="or accept it with --lenient"):
        open_problem(str(path))
    assert open_problem(str(path), lenient=True).clauses == 1


@pytest.mark.parametrize("where", ["before", "after", "trailer"])
@pytest.mark.parametrize("line", [b"\n", b" \n", b"c x\n"])
def test_what_says_nothing_is_passed_over_up_to_a_limit(
    where: str, line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filler, "MOST", 2**30 >> 4)
    path = tmp_path / "blank.cnf"
    many = line * 1_100_000
    texts = {"before": many + FORMULA, "after": FORMULA + many, "trailer": FORMULA + b"%\n" + many}
    path.write_bytes(texts[where])
    is_garbage = where == "trailer" and line == b"c x\n"
    is_clause = where == "after" and line != b"c x\n"
    if is_clause:
        # Those among clauses are read as fast as they are.
        assert validate(path, strict=False).lines > 1_100_000
    else:
        told = "'" if is_garbage else "more comments and blank lines than"
        assert told in refused(path)


def test_a_clause_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST_CLAUSE", 150_000)
    path = tmp_path / "clause.cnf"
    path.write_bytes(b"p cnf 1 1\n" + b"1\n" * 400_000 + b"0\n")
    assert "literals; split it" in refused(path)
    path.write_bytes(b"p cnf 1 400000\n" + b"1 0\n" * 400_000)
    assert validate(path).literals == 400_000


def wide_xz(data: bytes) -> bytes:
    """A stream that asks for a dictionary of 4 GB, with its checksum mended."""
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


@pytest.mark.parametrize("ending", [".xz", ".zst"])
def test_a_compressed_file_that_asks_for_gigabytes(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"wide.cnf{ending}"
    path.write_bytes({".xz": wide_xz, ".zst": wide_zst}[ending](FORMULA))
    told = refused(path)
    assert "cannot be read to its end (" in told and "memory" in told


def test_xz_streams_with_zeros_between(tmp_path: Path) -> None:
    path = tmp_path / "x.cnf.xz"
    packed = [lzma.compress(part, preset=0) for part in (FORMULA[:5], FORMULA[5:])]
    path.write_bytes(b"\0\0\0\0".join([*packed, b""]))
    with opened(path) as blocks:
        assert b"".join(blocks) == FORMULA
    path.write_bytes(packed[0] + packed[1] + b"garbage")
    assert "cannot be read to its end (" in refused(path)
