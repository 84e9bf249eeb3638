"""Whose things are left over: only those of a process that we can see to have ended."""

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


def changed(place: int, value: str) -> str:
    """The name of this process, with one of its parts replaced."""
    parts = process_id.own_process_id().split(".")
    parts[place] = value
    return ".".join(parts)


HOST, BOOT, NUMBERING, PID, BEGAN = range(5)


def test_a_living_process_has_not_ended() -> None:
    assert not process_id.has_ended(process_id.own_process_id())


@pytest.mark.parametrize(
    ("place", "value", "ended"),
    [
        (HOST, "another", False),
        (BOOT, "another", True),
        (NUMBERING, "1", False),
        (PID, "999999999", True),
        (PID, "9" * 40, True),
        (BEGAN, "1", True),
    ],
)
def test_another_process(place: int, value: str, ended: bool) -> None:
    assert process_id.has_ended(changed(place, value)) is ended


def test_of_another_machine_nothing_is_known_even_if_it_started_anew() -> None:
    parts = changed(HOST, "another").split(".")
    assert not process_id.has_ended(".".join((parts[HOST], "x", *parts[NUMBERING:])))


@pytest.mark.parametrize("name", ["", ".", "vm 17 100", "x.y", "a.b.c.1.2.3"])
def test_what_is_no_name_is_left_alone(name: str) -> None:
    assert not process_id.has_ended(name)


def test_a_process_that_nobody_asked_about_has_ended() -> None:
    """It is still listed, but does nothing any more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        began = process_id._process_state(child.pid)[1]
        wait_until(lambda: process_id._process_state(child.pid)[0] == "Z", processes.LIMIT)
        parts = [*process_id.own_process_id().split(".")[:PID], str(child.pid), began]
        assert process_id.has_ended(".".join(parts))


def test_a_process_of_another_user_that_is_hidden_from_us_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    monkeypatch.setattr(process_id, "_process_state", lambda _: ("", ""))
    assert not process_id.has_ended(changed(PID, "17"))


# Folders.


def test_folders_of_ended_processes_go_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living, dead, other = (
        tmp_path / f"boardsat.{name}.abc"
        for name in (process_id.own_process_id(), changed(BEGAN, "1"), changed(HOST, "x"))
    )
    elsewhere = tmp_path / "elsewhere"
    for folder in (living, dead, other, elsewhere):
        folder.mkdir()
        (folder / "formula.cnf").write_text("p cnf 0 0\n")
    link = tmp_path / f"boardsat.{changed(BEGAN, '2')}.abc"
    link.symlink_to(elsewhere)
    scratch._remove_stale_folders_once.cache_clear()
    with scratch.folder() as made:
        assert not dead.exists()
        assert living.exists() and other.exists() and (elsewhere / "formula.cnf").exists()
        assert made.parent == tmp_path
    assert not made.exists()


def test_clean_removes_evidence_of_ended_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch.folder() as folder:
        formula = folder / "formula.cnf"
        formula.write_text("p cnf 0 0\n")
        living = Path(scratch.preserve(str(formula))).parent
    ended = living.with_name(living.name.replace(process_id.own_process_id(), changed(BEGAN, "1")))
    shutil.copytree(living, ended)
    assert boardsat("clean").out.endswith("kept wrong answers 1\n")
    assert [path.name for path in tmp_path.iterdir()] == [living.name]


def test_no_room_for_temporary_files_is_one_line(tmp_path: Path) -> None:
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
