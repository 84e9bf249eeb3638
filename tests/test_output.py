"""A file is written whole or not at all, whatever happens meanwhile, and to where it was asked."""

from __future__ import annotations

import ctypes
import errno
import gzip
import io
import lzma
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple
from pathlib import Path

import processes
import pytest
import zstandard
from support import mostly_slow, shipped, text_of

from boardsat.generators import InputError, write
from boardsat.generators.dimacs import output

PROGRAM = [sys.executable, "-m", "boardsat"]
QUEENS = ["cnf", "queens", "-n", "8"]
LONG = ["cnf", "tour", "--enc", "direct", "-n", "24"]
"""A file of gigabytes, so that there is time to interrupt its writing."""


@pytest.fixture
def queens() -> bytes:
    return text_of(shipped("queens", n=8))


@pytest.fixture(params=["unnamed", "named"])
def way(request, monkeypatch):
    """Both ways of writing: without a name until the end, and where the system cannot do that."""
    if request.param == "named":
        monkeypatch.setattr(os, "O_TMPFILE", 0)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no unnamed files")
    return request.param


def program(*words: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    return processes.run([*PROGRAM, *map(str, words)], capture_output=True, **options)


# Failing in the middle.


class TroubleError(Exception):
    pass


def pieces_until(error: BaseException):
    yield b"c half a file\n"
    raise error


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("error", [TroubleError(), KeyboardInterrupt(), MemoryError()], ids=repr)
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.cnf.xz", "x.cnf.zst"])
def test_an_error_in_the_middle_leaves_the_old_file(error, name, tmp_path):
    for old in (None, "old"):
        if old:
            (tmp_path / name).write_text(old)
        with pytest.raises(type(error)):
            output.write_file(str(tmp_path / name), pieces_until(error))
        assert [path.name for path in tmp_path.iterdir()] == ([name] if old else [])
    assert (tmp_path / name).read_text() == "old"


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
def test_a_failing_disk_is_told_in_one_line(number, tmp_path, monkeypatch):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    monkeypatch.setattr(
        output, "_write_out", lambda *_: (_ for _ in ()).throw(OSError(number, "no"))
    )
    with pytest.raises(InputError) as error:
        output.write_file(str(target), [b"new"])
    assert str(error.value).startswith(f"{target}: ")
    assert "nothing was written: " in str(error.value)
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


def in_the_middle(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until the program has written some megabytes to its file in the folder."""
    deadline = time.monotonic() + processes.LIMIT
    while time.monotonic() < deadline:
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                where, size = str(link.readlink()), link.stat().st_size
            except OSError:
                continue
            if where.startswith(str(folder)) and size > 2_000_000:
                return
        assert process.poll() is None, "it ended too soon"
        time.sleep(0.01)
    pytest.fail(f"nothing was written in {processes.LIMIT} seconds")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc to look into")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=str)
def test_a_signal_in_the_middle_leaves_the_old_file(sent, tmp_path):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    process = subprocess.Popen([*PROGRAM, *LONG, "-o", str(target)], stderr=subprocess.PIPE)
    try:
        in_the_middle(process, tmp_path)
    finally:
        process.send_signal(sent)
    _, err = process.communicate(timeout=processes.LIMIT)
    if sent == signal.SIGKILL:
        assert (process.returncode, err) == (-sent, b"")
    else:
        assert (process.returncode, err) == (130, b"boardsat: interrupted; no file was changed\n")
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


# Full disks.


def test_what_cannot_fit_is_refused_before_anything_is_written(boardsat, tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    size = len(text_of(shipped("queens", n=8)))
    target = tmp_path / "x.cnf"
    target.write_text("old")
    monkeypatch.setattr(output, "_write_beside", lambda *_: pytest.fail("something was begun"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**6, 10**6, size - 1))
    done = boardsat(*QUEENS, "-o", target)
    assert (done.code, done.out, target.read_text()) == (2, b"", "old")
    assert done.err == (
        f"boardsat: {target}: the file needs {size:,} bytes, and the disk has {size - 1:,} free; "
        "free some space, or write to a compressed file (.zst, .xz, .gz)\n"
    )


def test_what_just_fits_is_written(boardsat, tmp_path, monkeypatch, queens):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**6, 10**6, len(queens)))
    assert boardsat(*QUEENS, "-o", tmp_path / "x.cnf").code == 0
    assert (tmp_path / "x.cnf").read_bytes() == queens


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 128 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    if os.getuid() != 0 or processes.run(mount, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    processes.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz"])
def test_a_full_disk(name, small_disk):
    """The plain file is refused by its size; how small it would be compressed nobody knows."""
    target = small_disk / name
    target.write_text("old")
    done = program("cnf", "tour", "--enc", "direct", "-n", "8", "-o", target)
    assert (done.returncode, done.stdout) == (2, b"")
    fault = "no space to write the file: " if name.endswith(".gz") else "the file needs "
    assert done.stderr.decode().startswith(f"boardsat: {target}: {fault}")
    assert done.stderr.count(b"\n") == 1
    assert (list(small_disk.iterdir()), target.read_text()) == ([target], "old")


def test_a_limit_on_the_size_of_files(tmp_path):
    target = tmp_path / "x.cnf"
    target.write_text("old")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))  # noqa: E731
    done = program("cnf", "queens", "-n", "30", "-o", target, preexec_fn=limit)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"boardsat: {target}: no space to write the file: ")
    assert (list(tmp_path.iterdir()), target.read_text()) == ([target], "old")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_device(boardsat):
    done = boardsat(*QUEENS, "-o", "/dev/full")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("boardsat: /dev/full: no space to write the file: ")
    with Path("/dev/full").open("wb") as full:
        for words in (QUEENS, ["list"], ["size", "queens"]):
            done = processes.run([*PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True)
            assert done.returncode == 2
            assert done.stderr.count("\n") == 1 and "No space left on device; " in done.stderr


def test_a_full_disk_for_what_is_put_aside(boardsat, tmp_path, monkeypatch):
    """Shuffling spools what does not fit into memory; that disk may be full as well."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    target = tmp_path / "x.cnf"
    done = boardsat("cnf", "queens", "-n", "100", "--shuffle", 1, "-o", target)
    assert (done.code, done.err.count("\n"), list(tmp_path.iterdir())) == (2, 1, [])
    assert "No space left on device; " in done.err


# Targets.


def test_the_file_holds_what_standard_output_gets(boardsat, tmp_path, queens):
    target = tmp_path / "x.cnf"
    assert boardsat(*QUEENS).out == boardsat(*QUEENS, "-o", "-").out == queens
    done = boardsat(*QUEENS, "-o", target)
    assert target.read_bytes() == queens
    assert done.out.decode().startswith(
        f"{target}: 64 variables, 744 clauses, {len(queens):,} bytes, "
    )


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.cnf.zst"])
def test_an_old_file_is_replaced(boardsat, name, tmp_path):
    target = tmp_path / name
    target.write_bytes(b"old" * 10**6)
    assert boardsat(*QUEENS, "-o", target).code == 0
    assert list(tmp_path.iterdir()) == [target]
    assert target.stat().st_size < 20_000


@pytest.mark.parametrize("ending", output.COMPRESSED)
def test_compressed_files_hold_the_same_and_no_time(
    boardsat, ending, tmp_path, queens, monkeypatch
):
    first, second = tmp_path / f"a.cnf{ending}", tmp_path / f"b{ending}"
    done = boardsat(*QUEENS, "-o", first)
    monkeypatch.setattr(time, "time", lambda: 1e9)
    assert boardsat(*QUEENS, "-o", second).code == 0
    data = first.read_bytes()
    assert data == second.read_bytes()
    assert len(data) < len(queens)
    assert f"{len(data):,} bytes".encode() in done.out
    if ending == ".gz":
        assert gzip.decompress(data) == queens
        assert data[3:8] == bytes(5), "no name, no time"
    elif ending == ".xz":
        assert lzma.decompress(data) == queens
    else:
        assert zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read() == queens


def test_a_long_file_compresses_piece_by_piece(tmp_path):
    formula = shipped("tour/direct", n=8)
    write(formula, str(tmp_path / "x.cnf"))
    write(formula, str(tmp_path / "x.cnf.gz"))
    assert (
        gzip.decompress((tmp_path / "x.cnf.gz").read_bytes()) == (tmp_path / "x.cnf").read_bytes()
    )


@pytest.mark.usefixtures("way")
def test_a_link_stays_a_link(boardsat, tmp_path, queens):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.cnf", tmp_path / "link.cnf"
    link.symlink_to(real)
    for old in (None, "old"):
        if old:
            real.write_text(old)
        assert boardsat(*QUEENS, "-o", link).code == 0
        assert link.is_symlink() and real.read_bytes() == queens
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["real.cnf"]


@pytest.mark.usefixtures("way")
def test_permissions_stay(boardsat, tmp_path):
    target = tmp_path / "x.cnf"
    for mode in (0o600, 0o664):
        target.write_text("old")
        target.chmod(mode)
        assert boardsat(*QUEENS, "-o", target).code == 0
        assert stat.S_IMODE(target.stat().st_mode) == mode


@pytest.mark.usefixtures("way")
def test_a_new_file_has_the_permissions_of_any_other(boardsat, tmp_path):
    old = os.umask(0o027)
    try:
        assert boardsat(*QUEENS, "-o", tmp_path / "x.cnf").code == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "x.cnf").stat().st_mode) == 0o640


@pytest.mark.usefixtures("way")
def test_the_longest_name_there_is(boardsat, tmp_path, queens):
    target = tmp_path / ("x" * (os.pathconf(tmp_path, "PC_NAME_MAX") - 4) + ".cnf")
    assert boardsat(*QUEENS, "-o", target).code == 0
    assert target.read_bytes() == queens


def test_a_name_that_is_no_text(tmp_path):
    target = os.fsencode(tmp_path) + b"/\xff\x1b\n.cnf"
    done = processes.run([*PROGRAM, *QUEENS, "-o", target], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b" s\n") and done.stdout.count(b"\n") == 1
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff\x1b\n.cnf"]  # noqa: PTH208


@pytest.mark.parametrize("folder", ["", "/", "/new/"])
@pytest.mark.parametrize("command", ["cnf", "lp"])
def test_a_folder_gets_a_file_with_a_name(command, folder, boardsat, tmp_path):
    """With a slash or without if it is there, and one that is not there yet is made."""
    words = [command, "tour", "--set", "rows=5", "--set", "cols=6", "-o", f"{tmp_path}{folder}"]
    done = boardsat(*words)
    assert done.code == 0
    (found,) = (tmp_path / folder.strip("/")).iterdir()
    assert found.name.startswith("tour-5x6-closed") and found.suffix == f".{command}"
    assert done.out.startswith(f"{found}: ".encode())


def test_a_new_folder_gets_several_files(boardsat, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert boardsat("cnf", "queens", "-n", "4..5", "-o", "new/").code == 0
    assert boardsat("cnf", "queens", "-n", "6..7", "-o", "new").code == 0
    assert len(list((tmp_path / "new").iterdir())) == 4
    # Bad input makes no folder.
    assert boardsat("cnf", "queens", "-n", "0", "-o", "none/").code == 2
    assert not (tmp_path / "none").exists()


def test_wrong_targets(boardsat, tmp_path):
    (tmp_path / "file").touch()
    for target, line in (
        (f"{tmp_path}/no/x.cnf", f"{tmp_path}/no/x.cnf: the target's folder does not exist; "),
        (f"{tmp_path}/a/b/", f"{tmp_path}/a/b/: there is no folder 'a' to make it in; create "),
        (f"{tmp_path}/file/", f"{tmp_path}/file/: the target is a file; leave the / out, or "),
        (f"{tmp_path}/{'x' * 300}/", f"{tmp_path}/{'x' * 300}/: cannot write: File name too long"),
        ("/proc/x.cnf.gz", "/proc/x.cnf.gz: cannot write: "),
        (f"{tmp_path}/{'x' * 300}", f"{tmp_path}/{'x' * 300}: cannot write: File name too long; "),
    ):
        done = boardsat(*QUEENS, "-o", target)
        assert (done.code, done.out) == (2, b"")
        assert done.err.startswith(f"boardsat: {line}") and done.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    # Where one file is written, a folder is none.
    for words in (("-o", tmp_path), ("-o", f"{tmp_path}/"), ("--svg", tmp_path)):
        done = boardsat("solve", "queens", "-n", 4, "--runtime", "embedded", *words)
        assert done.code == 2
        assert ": the target is a folder; give the name of a file in it" in done.err


def like_anybody() -> None:
    """Root may write anywhere, unless the program is started without that privilege."""
    dac_override, dac_read_search, fowner, drop = 1, 2, 3, 24
    for capability in (dac_override, dac_read_search, fowner):
        ctypes.CDLL(None).prctl(drop, capability, 0, 0, 0)


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_no_right_to_write(closed, tmp_path):
    folder, target = tmp_path / "folder", tmp_path / "folder" / "x.cnf"
    folder.mkdir()
    target.write_text("old")
    folder.chmod(0o555 if closed == "folder" else 0o755)
    target.chmod(0o444)
    done = program(*QUEENS, "-o", target, preexec_fn=like_anybody)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(
        f"boardsat: {target}: no permission to write to the target; "
    )
    done = program(*QUEENS, "-o", folder / "y.cnf", preexec_fn=like_anybody)
    if closed == "folder":
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"y.cnf: no permission to write to the target's folder; " in done.stderr
    assert len(list(folder.iterdir())) == (1 if closed == "folder" else 2)
    assert target.read_text() == "old"
    folder.chmod(0o755)


def test_devices_and_pipes(boardsat, tmp_path, queens):
    assert boardsat(*QUEENS, "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    fifo = tmp_path / "fifo.gz"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    assert boardsat(*QUEENS, "-o", fifo).code == 0
    reader.join(20)
    assert gzip.decompress(read[0]) == queens
    assert list(tmp_path.iterdir()) == [fifo]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
def test_standard_output_by_its_name(tmp_path, queens):
    done = program(*QUEENS, "-o", "/dev/stdout")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(queens)
    # What the shell writes as `-o >(cat)`.
    read, put = os.pipe()
    done = program(*QUEENS, "-o", f"/dev/fd/{put}", pass_fds=[put])
    os.close(put)
    with os.fdopen(read, "rb") as pipe:
        assert (done.returncode, pipe.read()) == (0, queens)


# Pipes that are closed.


@pytest.mark.parametrize(
    "words",
    mostly_slow(
        [[*LONG[:-1], "12"], ["list"], ["size", "queens"], ["--help"], ["cnf", "--help"]],
        [[*LONG[:-1], "12"], ["list"]],
    ),
)
def test_a_closed_pipe_ends_quietly(words):
    """`| head -1`, and a reader that is gone before anything is written."""
    command = " ".join([*PROGRAM, *words])
    for reader in ("head -1", "true"):
        script = f"set -o pipefail; {command} | {reader}"
        done = processes.run(["bash", "-c", script], capture_output=True)
        assert done.stderr == b""
        assert done.returncode == 0
        assert done.stdout.count(b"\n") == (reader != "true")


def test_closed_standard_streams():
    command = " ".join([*PROGRAM, *QUEENS])
    done = processes.run(["bash", "-c", f"{command} >&-"], capture_output=True)
    line = b"boardsat: standard output is closed; give a file by -o FILE\n"
    assert (done.returncode, done.stderr) == (2, line)
    done = processes.run(["bash", "-c", f"{command} 2>&-"], capture_output=True)
    assert (done.returncode, done.stdout[:10]) == (0, b"c boardsat")
    script = f"{' '.join(PROGRAM)} list >&-"
    done = processes.run(["bash", "-c", script], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
