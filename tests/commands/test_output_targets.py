"""Targets of files: links, permissions, folders, devices, pipes."""

from __future__ import annotations

import ctypes
import gzip
import io
import lzma
import os
import signal
import stat
import threading
import time
from itertools import combinations, product
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import zstandard
from helpers import documents, processes
from helpers.formulas import mostly_slow, shipped
from helpers.output_files import LONG, PROGRAM, QUEENS, program

from boardsat.base.compression import SMALLEST, SUFFIXES
from boardsat.generators import build, find, write

ROOT = Path(__file__).parents[2]

# Targets.


def test_output_file_equals_standard_output(boardsat, tmp_path, queens_bytes):
    target = tmp_path / "x.cnf"
    assert boardsat(*QUEENS).out == boardsat(*QUEENS, "-o", "-").out == queens_bytes
    outcome = boardsat(*QUEENS, "-o", target)
    assert target.read_bytes() == queens_bytes
    assert outcome.out.decode().startswith(
        f"{target}: 64 variables, 744 clauses, {len(queens_bytes):,} bytes, "
    )


@pytest.mark.usefixtures("writing_mode")
@pytest.mark.parametrize("name", ["x.cnf", "x.cnf.gz", "x.cnf.zst"])
def test_existing_file_is_replaced(boardsat, name, tmp_path):
    target = tmp_path / name
    target.write_bytes(b"old" * 10**6)
    assert boardsat(*QUEENS, "-o", target).code == 0
    assert list(tmp_path.iterdir()) == [target]
    assert target.stat().st_size < 20_000


@pytest.mark.parametrize("ending", SUFFIXES)
def test_compressed_files_are_reproducible(boardsat, ending, tmp_path, queens_bytes, monkeypatch):
    first, second = tmp_path / f"a.cnf{ending}", tmp_path / f"b{ending}"
    outcome = boardsat(*QUEENS, "-o", first)
    monkeypatch.setattr(time, "time", lambda: 1e9)
    assert boardsat(*QUEENS, "-o", second).code == 0
    data = first.read_bytes()
    assert data == second.read_bytes()
    assert len(data) < len(queens_bytes)
    assert f"{len(data):,} bytes".encode() in outcome.out
    if ending == ".gz":
        assert gzip.decompress(data) == queens_bytes
        assert data[3:8] == bytes(5), "no name, no time"
    elif ending == ".xz":
        assert lzma.decompress(data) == queens_bytes
    else:
        assert zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read() == queens_bytes


def test_large_file_is_compressed_in_chunks(tmp_path):
    formula = shipped("tour/direct", n=6)
    write(formula, str(tmp_path / "x.cnf"))
    write(formula, str(tmp_path / "x.cnf.gz"))
    assert (
        gzip.decompress((tmp_path / "x.cnf.gz").read_bytes()) == (tmp_path / "x.cnf").read_bytes()
    )


@pytest.mark.usefixtures("writing_mode")
def test_symbolic_link_is_preserved(boardsat, tmp_path, queens_bytes):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.cnf", tmp_path / "link.cnf"
    link.symlink_to(real)
    for old in (None, "old"):
        if old:
            real.write_text(old)
        assert boardsat(*QUEENS, "-o", link).code == 0
        assert link.is_symlink() and real.read_bytes() == queens_bytes
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["real.cnf"]


@pytest.mark.usefixtures("writing_mode")
def test_file_permissions_are_preserved(boardsat, tmp_path):
    target = tmp_path / "x.cnf"
    for mode in (0o600, 0o664):
        target.write_text("old")
        target.chmod(mode)
        assert boardsat(*QUEENS, "-o", target).code == 0
        assert stat.S_IMODE(target.stat().st_mode) == mode


@pytest.mark.usefixtures("writing_mode")
def test_new_file_permissions_follow_umask(boardsat, tmp_path):
    old = os.umask(0o027)
    try:
        assert boardsat(*QUEENS, "-o", tmp_path / "x.cnf").code == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "x.cnf").stat().st_mode) == 0o640


@pytest.mark.usefixtures("writing_mode")
def test_longest_file_name_is_accepted(boardsat, tmp_path, queens_bytes):
    target = tmp_path / ("x" * (os.pathconf(tmp_path, "PC_NAME_MAX") - 4) + ".cnf")
    assert boardsat(*QUEENS, "-o", target).code == 0
    assert target.read_bytes() == queens_bytes


def test_undecodable_file_name_is_accepted(tmp_path):
    target = os.fsencode(tmp_path) + b"/\xff\x1b\n.cnf"
    outcome = processes.run([*PROGRAM, *QUEENS, "-o", target], capture_output=True)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout.endswith(b" s\n") and outcome.stdout.count(b"\n") == 1
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff\x1b\n.cnf"]  # noqa: PTH208


@pytest.mark.parametrize("folder", ["", "/", "/new/"])
@pytest.mark.parametrize(("command", "suffix"), [("cnf", ".cnf"), ("asp", ".lp")])
def test_folder_target_names_file_after_instance(command, suffix, folder, boardsat, tmp_path):
    """With a slash or without if it is there, and one that is not there yet is made."""
    arguments = [command, "tour", "--set", "rows=5", "--set", "cols=6", "-o", f"{tmp_path}{folder}"]
    outcome = boardsat(*arguments)
    assert outcome.code == 0
    (written,) = (tmp_path / folder.strip("/")).iterdir()
    assert written.name.startswith("tour-5x6-closed") and written.suffix == suffix
    assert outcome.out.startswith(f"{written}: ".encode())


TRANSFORMS = (
    ("",),
    ("--break-symmetry",),
    ("--propagate",),
    ("--three-cnf", "--three-cnf chain", "--three-cnf equivalences"),
    ("--shuffle 0", "--shuffle 7"),
    ("--projection ind", "--projection show", "--projection none"),
)
"""Options of `boardsat cnf` that change the formula or its file, alternatives together."""


def test_file_in_folder_is_named_after_its_transforms(boardsat, tmp_path):
    """Every pair of transforms has a name of its own, so that no file overwrites another."""
    pairs = [pair for kinds in combinations(TRANSFORMS, 2) for pair in product(*kinds)]
    for pair in ("", *map(" ".join, pairs)):
        written = boardsat("cnf", "pigeonhole", "-n", 1, *pair.split(), "-o", tmp_path)
        assert written.code == 0, written.err
    assert len(list(tmp_path.iterdir())) == 1 + len(pairs)


@pytest.mark.parametrize("form", ["wcnf", "opb"])
def test_file_of_other_format_has_another_name(form, boardsat, tmp_path):
    for options in (["--format", "cnf"], ["--format", form]):
        assert boardsat("cnf", "fewest_queens", "-n", 2, *options, "-o", tmp_path).code == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".cnf", f".{form}"}


def test_converted_file_is_named_after_its_transforms(boardsat, tmp_path):
    assert boardsat("cnf", "queens", "-n", 4, "-o", tmp_path / "a.knf").code == 0
    for options in ([], ["--shuffle", 7]):
        assert boardsat("cnf", tmp_path / "a.knf", *options, "-o", tmp_path).code == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.knf", "a.cnf", "a-shuffle7.cnf"}


def _make(*arguments: str) -> CompletedProcess[str]:
    command, variables = ["make", *arguments], documents.environment(bare=False)
    return processes.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)


def test_make_cnf_with_transform_writes_another_file(tmp_path):
    for options in ("", "--three-cnf --shuffle 7"):
        arguments = ["PROBLEM=queens", "N=4", f"OUT={tmp_path}/", f"OPTIONS={options}"]
        assert _make("cnf", *arguments).returncode == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"queens-4-squares.cnf", "queens-4-squares-three-auto-shuffle7.cnf"}


def test_make_solve_prints_the_optimum():
    """Without SOLVER the command chooses one that optimises; exit code 30 is not a failure."""
    answer = _make("solve", "PROBLEM=fewest_queens", "N=4")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("OPTIMUM: ") and "\nminimum: 2\n" in answer.stdout
    rejected = _make("solve", "PROBLEM=fewest_queens", "N=4", "SOLVER=absent")
    assert rejected.returncode != 0 and "boardsat: no solver 'absent'" in rejected.stderr


def test_new_folder_receives_several_files(boardsat, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert boardsat("cnf", "queens", "-n", "4..5", "-o", "new/").code == 0
    assert boardsat("cnf", "queens", "-n", "6..7", "-o", "new").code == 0
    assert len(list((tmp_path / "new").iterdir())) == 4
    # Bad input makes no folder.
    assert boardsat("cnf", "queens", "-n", "0", "-o", "none/").code == 2
    assert not (tmp_path / "none").exists()


def test_invalid_targets_are_one_line(boardsat, tmp_path):
    (tmp_path / "file").touch()
    for target, line in (
        (f"{tmp_path}/no/x.cnf", f"{tmp_path}/no/x.cnf: the target's folder does not exist; "),
        (f"{tmp_path}/a/b/", f"{tmp_path}/a/b/: its parent folder 'a' does not exist; create "),
        (f"{tmp_path}/file/", f"{tmp_path}/file/: the target is a file; remove the /, or "),
        (f"{tmp_path}/{'x' * 300}/", f"{tmp_path}/{'x' * 300}/: cannot write: File name too long"),
        (
            "/proc/x.cnf.gz",
            f"/proc/x.cnf.gz: {'no permission' if os.geteuid() else 'cannot write'}",
        ),
        (f"{tmp_path}/{'x' * 300}", f"{tmp_path}/{'x' * 300}: cannot write: File name too long; "),
    ):
        outcome = boardsat(*QUEENS, "-o", target)
        assert (outcome.code, outcome.out) == (2, b"")
        assert outcome.err.startswith(f"boardsat: {line}") and outcome.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    # Where one file is written, a folder is none.
    for options in (("-o", tmp_path), ("-o", f"{tmp_path}/"), ("--svg", tmp_path)):
        outcome = boardsat("solve", "queens", "-n", 4, "--runtime", "embedded", *options)
        assert outcome.code == 2
        assert ": the target is a folder; give the name of a file in it" in outcome.err


def like_anybody() -> None:
    """Root may write anywhere, unless the program is started without that privilege."""
    dac_override, dac_read_search, fowner, drop = 1, 2, 3, 24
    for capability in (dac_override, dac_read_search, fowner):
        ctypes.CDLL(None).prctl(drop, capability, 0, 0, 0)


@pytest.mark.parametrize("closed", mostly_slow(["folder", "file"], ["folder"]))
def test_unwritable_folder_is_one_line(closed, tmp_path):
    folder, target = tmp_path / "folder", tmp_path / "folder" / "x.cnf"
    folder.mkdir()
    target.write_text("old")
    folder.chmod(0o555 if closed == "folder" else 0o755)
    target.chmod(0o444)
    outcome = program(*QUEENS, "-o", target, preexec_fn=like_anybody)
    assert (outcome.returncode, outcome.stdout) == (2, b"")
    assert outcome.stderr.decode().startswith(
        f"boardsat: {target}: no permission to write to the target; "
    )
    outcome = program(*QUEENS, "-o", folder / "y.cnf", preexec_fn=like_anybody)
    if closed == "folder":
        assert (outcome.returncode, outcome.stdout) == (2, b"")
        assert b"y.cnf: no permission to write to the target's folder; " in outcome.stderr
    assert len(list(folder.iterdir())) == (1 if closed == "folder" else 2)
    assert target.read_text() == "old"
    folder.chmod(0o755)


def test_devices_and_pipes_are_written_directly(boardsat, tmp_path, queens_bytes):
    assert boardsat(*QUEENS, "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    fifo = tmp_path / "fifo.gz"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    assert boardsat(*QUEENS, "-o", fifo).code == 0
    reader.join(20)
    assert gzip.decompress(read[0]) == queens_bytes
    assert list(tmp_path.iterdir()) == [fifo]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
def test_dev_stdout_is_standard_output(tmp_path, queens_bytes):
    outcome = program(*QUEENS, "-o", "/dev/stdout")
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout.startswith(queens_bytes)
    # What the shell writes as `-o >(cat)`.
    read, put = os.pipe()
    outcome = program(*QUEENS, "-o", f"/dev/fd/{put}", pass_fds=[put])
    os.close(put)
    with os.fdopen(read, "rb") as pipe:
        assert (outcome.returncode, pipe.read()) == (0, queens_bytes)


# Pipes that are closed.


@pytest.mark.parametrize(
    "arguments",
    mostly_slow(
        [[*LONG[:-1], "10"], ["list"], ["size", "queens"], ["--help"], ["cnf", "--help"]],
        [[*LONG[:-1], "10"]],
    ),
)
def test_closed_pipe_exits_141_silently(arguments):
    """`| head -1`, and a reader that is gone before anything is written."""
    command = " ".join([*PROGRAM, *arguments])
    for reader in ("head -1", "true"):
        script = f"set -o pipefail; {command} | {reader}"
        outcome = processes.run(["bash", "-c", script], capture_output=True)
        assert outcome.stderr == b""
        # As of any program; or it had written all before the reader went.
        assert outcome.returncode in (0, 128 + signal.SIGPIPE)
        assert outcome.stdout.count(b"\n") == (reader != "true")


def test_broken_pipe_does_not_exit_with_unknown_status():
    """0 means so."""
    script = f"set -o pipefail; {' '.join(PROGRAM)} solve queens -n 4 --runtime embedded | true"
    outcome = processes.run(["bash", "-c", script], capture_output=True)
    assert (outcome.returncode in (10, 128 + signal.SIGPIPE), outcome.stderr) == (True, b"")


def test_closed_stdout_is_an_error():
    command = " ".join([*PROGRAM, *QUEENS])
    outcome = processes.run(["bash", "-c", f"{command} >&-"], capture_output=True)
    line = b"boardsat: standard output is closed; give a file by -o FILE\n"
    assert (outcome.returncode, outcome.stderr) == (2, line)
    outcome = processes.run(["bash", "-c", f"{command} 2>&-"], capture_output=True)
    assert (outcome.returncode, outcome.stdout[:10]) == (0, b"c boardsat")
    script = f"{' '.join(PROGRAM)} list >&-"
    outcome = processes.run(["bash", "-c", script], capture_output=True)
    assert (outcome.returncode, outcome.stderr) == (0, b"")


def test_best_compression_is_smaller_and_reproducible(tmp_path):
    formula = build(find("tour/unary"), {"n": 6})
    for ending in SUFFIXES:
        quick, repeated, small = (tmp_path / f"{name}.cnf{ending}" for name in ("q", "a", "s"))
        write(formula, str(quick))
        write(formula, str(repeated))
        write(formula, str(small), effort=SMALLEST)
        assert quick.read_bytes() == repeated.read_bytes()
        assert small.stat().st_size <= quick.stat().st_size
        assert (small.read_bytes() == quick.read_bytes()) is (ending == ".gz")


def test_best_compression_of_plain_file_is_rejected(boardsat, tmp_path):
    target = tmp_path / "x.cnf"
    outcome = boardsat(*QUEENS, "--best-compression", "-o", target)
    assert outcome.code == 2
    assert "--best-compression: the output is not compressed" in outcome.err
    assert not target.exists()
