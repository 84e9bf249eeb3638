"""Locks on folders: of two processes one works, the other ends with an error, no file is torn."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.archives import SMALL, campaign, content, verify_findings
from helpers.campaigns import ONE
from helpers.solver_runs import boardsat, finish, start

from boardsat.base.errors import BoardsatError
from boardsat.base.locks import create_locked_folder, lock_folder

BUSY = "another boardsat is working in this folder; wait until it has ended"

HOLDER = """
import sys
from pathlib import Path
from boardsat.base.locks import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process has the folder."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_locked_archive_is_unchanged_and_unlocked_when_the_process_ends(archive, shared_archive):
    path = campaign(archive.parent / "again", SMALL)
    (archive / "queens-3-squares.json").unlink()
    with held(archive) as process:
        contents = content(archive)
        assert f"{archive}: {BUSY}" in boardsat("archive", "create", archive, path).one_line()
        assert BUSY in boardsat("archive", "verify", archive).one_line()
        assert BUSY in boardsat("archive", "submit", archive, "--interesting", 0).one_line()
        assert content(archive) == contents
        process.kill()
        process.wait()
        assert boardsat("archive", "create", archive, path, *ONE).code == 0
    assert content(archive) == content(shared_archive)


def test_a_held_folder_of_results_or_of_a_submission_is_left_alone(archive, tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    arguments = ("validate", "queens", "-n", 4, "--solvers", "cadical", "--results", folder)
    with held(folder):
        assert BUSY in boardsat(*arguments).one_line()
        assert BUSY in boardsat("archive", "submit", archive, "-o", folder).one_line()
    assert list(folder.iterdir()) == []


def test_two_that_create_one_archive_at_once_tear_nothing(tmp_path):
    text = "instances:\n  - {problem: queens, set: {n: [4, 5]}}\n"
    path, target = campaign(tmp_path, text), tmp_path / "archive"
    processes = [start("archive", "create", target, path, *ONE) for _ in range(2)]
    outcomes = [finish(process) for process in processes]
    assert {outcome.code for outcome in outcomes} <= {0, 2} and 0 in {
        outcome.code for outcome in outcomes
    }
    assert all(BUSY in outcome.one_line() for outcome in outcomes if outcome.code)
    assert verify_findings(target) == {} and len(content(target)) == 13


def test_two_that_verify_share_the_archive(shared_archive):
    with lock_folder(shared_archive, shared=True):
        assert verify_findings(shared_archive) == {}


def test_empty_folder_is_removed_with_its_empty_parents(tmp_path):
    folder = tmp_path / "a" / "b"
    with pytest.raises(ZeroDivisionError), create_locked_folder(folder):
        assert folder.is_dir()
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    with create_locked_folder(folder):
        (folder / "c").mkdir()
    with create_locked_folder(folder / "c"):
        pass
    assert (folder / "c").is_dir()


def test_invalid_or_forbidden_folder_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "file/below", "link", "x" * 300):
        with (
            pytest.raises(BoardsatError, match="cannot make the folder"),
            create_locked_folder(tmp_path / name),
        ):
            pass
