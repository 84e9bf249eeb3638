"""Process identifiers: stale files and folders are those of processes that have ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from helpers import processes
from helpers.solver_runs import boardsat, wait_until

from boardsat.base import process_id, scratch
from boardsat.base.errors import BoardsatError


def changed_id(field: int, text: str) -> str:
    """Return the identifier of this process with one field replaced."""
    fields = process_id.own_process_id().split(".")
    fields[field] = text
    return ".".join(fields)


HOST, BOOT, NAMESPACE, PID, START_TIME = range(5)


def test_has_ended_is_false_for_this_process() -> None:
    assert not process_id.has_ended(process_id.own_process_id())


@pytest.mark.parametrize(
    ("field", "text", "ended"),
    [
        (HOST, "another", False),
        (BOOT, "another", True),
        (NAMESPACE, "1", False),
        (PID, "999999999", True),
        (PID, "9" * 40, True),
        (START_TIME, "1", True),
    ],
)
def test_has_ended_compares_each_field(field: int, text: str, ended: bool) -> None:
    assert process_id.has_ended(changed_id(field, text)) is ended


def test_has_ended_is_false_for_another_machine_with_another_boot() -> None:
    fields = changed_id(HOST, "another").split(".")
    assert not process_id.has_ended(".".join((fields[HOST], "x", *fields[NAMESPACE:])))


@pytest.mark.parametrize("name", ["", ".", "vm 17 100", "x.y", "a.b.c.1.2.3"])
def test_has_ended_is_false_for_a_malformed_identifier(name: str) -> None:
    assert not process_id.has_ended(name)


def test_has_ended_is_true_for_a_zombie() -> None:
    """A zombie is still listed in /proc."""
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        start_time = process_id._process_state(child.pid)[1]
        wait_until(lambda: process_id._process_state(child.pid)[0] == "Z", processes.LIMIT)
        fields = [*process_id.own_process_id().split(".")[:PID], str(child.pid), start_time]
        assert process_id.has_ended(".".join(fields))


def test_has_ended_is_false_for_a_hidden_process_of_another_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    monkeypatch.setattr(process_id, "_process_state", lambda _: ("", ""))
    assert not process_id.has_ended(changed_id(PID, "17"))


# Folders.


def test_scratch_folder_removes_folders_of_ended_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living, ended, foreign = (
        tmp_path / f"boardsat.{name}.abc"
        for name in (
            process_id.own_process_id(),
            changed_id(START_TIME, "1"),
            changed_id(HOST, "x"),
        )
    )
    linked = tmp_path / "linked"
    for folder in (living, ended, foreign, linked):
        folder.mkdir()
        (folder / "formula.cnf").write_text("p cnf 0 0\n")
    link = tmp_path / f"boardsat.{changed_id(START_TIME, '2')}.abc"
    link.symlink_to(linked)
    scratch._remove_stale_folders_once.cache_clear()
    with scratch.folder() as own_folder:
        assert not ended.exists()
        assert living.exists() and foreign.exists() and (linked / "formula.cnf").exists()
        assert own_folder.parent == tmp_path
    assert not own_folder.exists()


def test_clean_removes_evidence_of_ended_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch.folder() as folder:
        formula = folder / "formula.cnf"
        formula.write_text("p cnf 0 0\n")
        living = Path(scratch.preserve(str(formula))).parent
    ended = living.with_name(
        living.name.replace(process_id.own_process_id(), changed_id(START_TIME, "1"))
    )
    shutil.copytree(living, ended)
    assert boardsat("clean").out.endswith("kept wrong answers 1\n")
    assert [path.name for path in tmp_path.iterdir()] == [living.name]


def test_full_disk_for_scratch_files_is_reported_in_one_line(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with pytest.raises(BoardsatError, match=r"temporary files: No space left.*TMPDIR"):
        scratch.write(full, [b"x" * 100_000])
    with pytest.raises(BoardsatError, match="cannot write temporary files: No such file"):
        scratch.write(tmp_path / "no" / "file", [b""])
    with (
        pytest.raises(BoardsatError, match="cannot write temporary files: "),
        scratch.folder(tmp_path / "no"),
    ):
        pass
