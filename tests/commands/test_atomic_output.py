"""Atomic output: a file is written completely, or the old one is unchanged."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from helpers import processes
from helpers.formulas import THOROUGH, mostly_slow, shipped, text_of
from helpers.output_files import LONG, PROGRAM, QUEENS, fill, program

from boardsat.base import files
from boardsat.generators import InputError

# Failures while writing.


class WriteFailure(Exception):  # noqa: N818
    pass


def pieces_until(error: BaseException):
    yield b"c half a file\n"
    raise error


@pytest.mark.usefixtures("writing_mode")
@pytest.mark.parametrize("error", [WriteFailure(), KeyboardInterrupt(), MemoryError()], ids=repr)
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.cnf.xz", "x.cnf.zst"])
def test_error_while_writing_preserves_old_file(error, name, tmp_path):
    for old in (None, "old"):
        if old:
            (tmp_path / name).write_text(old)
        with pytest.raises(type(error)):
            files.write_file(str(tmp_path / name), pieces_until(error))
        assert [path.name for path in tmp_path.iterdir()] == ([name] if old else [])
    assert (tmp_path / name).read_text() == "old"


@pytest.mark.usefixtures("writing_mode")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
def test_disk_error_is_one_line_and_preserves_old_file(number, tmp_path, monkeypatch):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    monkeypatch.setattr(
        files, "_write_all", lambda *_: (_ for _ in ()).throw(OSError(number, "no"))
    )
    with pytest.raises(InputError) as error:
        files.write_file(str(target), [b"new"])
    assert str(error.value).startswith(f"{target}: ")
    assert "nothing was written: " in str(error.value)
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


def wait_until_writing(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until the process has written some megabytes to a file in the folder."""
    deadline = time.monotonic() + processes.LIMIT
    while time.monotonic() < deadline:
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                path, size = str(link.readlink()), link.stat().st_size
            except OSError:
                continue
            if path.startswith(str(folder)) and size > 2_000_000:
                return
        assert process.poll() is None, "the process has ended"
        time.sleep(0.01)
    pytest.fail(f"nothing was written in {processes.LIMIT} seconds")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc to look into")
@pytest.mark.parametrize(
    "signal_number",
    mostly_slow(
        [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], quick=[signal.SIGKILL, signal.SIGINT]
    ),
    ids=str,
)
def test_signal_while_writing_preserves_old_file(signal_number, tmp_path):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    process = subprocess.Popen([*PROGRAM, *LONG, "-o", str(target)], stderr=subprocess.PIPE)
    try:
        wait_until_writing(process, tmp_path)
    finally:
        process.send_signal(signal_number)
    _, err = process.communicate(timeout=processes.LIMIT)
    if signal_number == signal.SIGKILL:
        assert (process.returncode, err) == (-signal_number, b"")
    else:
        assert (process.returncode, err) == (130, b"boardsat: interrupted; no file was changed\n")
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


# Full disks.


def test_file_larger_than_free_space_is_rejected_before_writing(boardsat, tmp_path, monkeypatch):
    size = len(text_of(shipped("queens", n=8)))
    target = tmp_path / "x.cnf"
    target.write_text("old")
    monkeypatch.setattr(files, "replace_file", lambda *_: pytest.fail("writing began"))
    monkeypatch.setattr(files, "free_bytes", lambda _: size - 1)
    outcome = boardsat(*QUEENS, "-o", target)
    assert (outcome.code, outcome.out, target.read_text()) == (2, b"", "old")
    assert outcome.err == (
        f"boardsat: {target}: the file needs {size:,} bytes, but the disk has {size - 1:,} free; "
        "free some space, or write to a compressed file (.zst, .xz, .gz)\n"
    )


def test_file_of_exactly_free_space_is_written(boardsat, tmp_path, monkeypatch, queens_bytes):
    monkeypatch.setattr(files, "free_bytes", lambda _: len(queens_bytes))
    assert boardsat(*QUEENS, "-o", tmp_path / "x.cnf").code == 0
    assert (tmp_path / "x.cnf").read_bytes() == queens_bytes


@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz"])
def test_full_disk_preserves_old_file(name, boardsat, small_disk):
    """A plain file is rejected by its size; the size of a compressed one is unknown before."""
    target = small_disk / name
    target.write_text("old")
    outcome = boardsat("cnf", "tour", "--enc", "direct", "-n", "8", "-o", target)
    assert (outcome.code, outcome.out) == (2, b"")
    fault = "no space to write the file: " if name.endswith(".gz") else "the file needs "
    assert outcome.err.startswith(f"boardsat: {target}: {fault}")
    assert outcome.err.count("\n") == 1
    assert (list(small_disk.iterdir()), target.read_text()) == ([target], "old")


WRITERS = {
    "--svg": ("solve", "queens", "-n", 6, "--runtime", "embedded"),
    "--html": ("validate", "x.cnf", "--solvers", "minisat", "--runtime", "embedded"),
    "-o": ("asp", "tour", "-n", 6),
}


@pytest.mark.parametrize("option", mostly_slow(WRITERS, ("-o", "--svg")))
def test_full_disk_preserves_old_file_of_every_option(
    option, boardsat, small_disk, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("x.cnf").write_text("p cnf 1 1\n1 0\n")
    target = small_disk / "x"
    target.write_text("old")
    fill(small_disk)
    outcome = boardsat(*WRITERS[option], option, target)
    assert outcome.code == 2
    assert outcome.err.splitlines()[-1].startswith(f"boardsat: {target}: ")
    assert sorted(path.name for path in small_disk.iterdir()) == ["fill", "x"]
    assert target.read_text() == "old"


def test_limit_of_file_size_preserves_old_file(tmp_path):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))  # noqa: E731
    outcome = program("cnf", "queens", "-n", "30", "-o", target, preexec_fn=limit)
    assert (outcome.returncode, outcome.stdout) == (2, b"")
    assert outcome.stderr.decode().startswith(f"boardsat: {target}: no space to write the file: ")
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_remedy_for_full_device_is_compression_of_plain_files_only(boardsat, tmp_path):
    for name, remedy in (
        ("x.cnf", "free some space, or compress (.zst, .xz, .gz)\n"),
        ("x.cnf.gz", "free some space\n"),
    ):
        (tmp_path / name).symlink_to("/dev/full")
        assert boardsat(*QUEENS, "-o", tmp_path / name).err.endswith(f"written: {remedy}")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_full_device_is_one_line_error(boardsat):
    outcome = boardsat(*QUEENS, "-o", "/dev/full")
    assert (outcome.code, outcome.out) == (2, b"")
    assert outcome.err.startswith("boardsat: /dev/full: no space to write the file: ")
    with Path("/dev/full").open("wb") as full:
        for arguments in (QUEENS, ["list"], *([["size", "queens"]] if THOROUGH else [])):
            outcome = processes.run(
                [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True
            )
            assert outcome.returncode == 2
            assert outcome.stderr.count("\n") == 1 and "No space left on device; " in outcome.stderr


def test_full_disk_while_spilling_is_one_line_error(boardsat, tmp_path, monkeypatch):
    """Shuffling spills to a temporary file what does not fit into memory."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    target = tmp_path / "x.cnf"
    outcome = boardsat("cnf", "queens", "-n", "100", "--shuffle", 1, "-o", target)
    assert (outcome.code, outcome.err.count("\n"), list(tmp_path.iterdir())) == (2, 1, [])
    assert "No space left on device; " in outcome.err
