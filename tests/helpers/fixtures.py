"""Fixtures shared by several files of tests."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import parallel_tests, processes
from helpers.archives import CORES, SMALL, create_archive
from helpers.formulas import shipped, text_of
from helpers.requirements import outside
from helpers.solver_runs import need_checked_proofs
from helpers.validations import QUEENS, validated


@pytest.fixture(scope="session")
def shared_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a read-only archive of the campaign SMALL."""
    folder = parallel_tests.once(
        "made", tmp_path_factory, lambda f: create_archive(f, SMALL, "--jobs", CORES)
    )
    return folder / "archive"


@pytest.fixture
def archive(shared_archive: Path, tmp_path: Path) -> Path:
    """Copy of the archive that a test may change."""
    return Path(shutil.copytree(shared_archive, tmp_path / "copy"))


@pytest.fixture
def queens_bytes() -> bytes:
    return text_of(shipped("queens", n=8))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Empty file system of 128 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    if os.getuid() != 0 or processes.run(mount, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    processes.run(["umount", str(folder)], check=True)


@pytest.fixture(params=["unnamed", "named"])
def writing_mode(request, monkeypatch):
    """Both modes of writing: an unnamed file until the end, or a file with a temporary name."""
    if request.param == "named":
        monkeypatch.setattr(os, "O_TMPFILE", 0)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no unnamed files")
    return request.param


@pytest.fixture(params=[pytest.param("drat-trim", marks=outside)])
def checker() -> None:
    """Solver that writes proofs and proof checker; skipped if either is missing."""
    need_checked_proofs()


@pytest.fixture(scope="session")
def small_validation(tmp_path_factory) -> Path:
    """Folder of a small read-only validation; its runs are in results/."""

    def fill(folder: Path) -> None:
        (folder / "told.json").write_text(json.dumps(validated(folder, *QUEENS)))

    return parallel_tests.once("queens", tmp_path_factory, fill)
