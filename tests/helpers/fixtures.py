"""Fixtures that several files of tests share."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import parallel_tests, processes
from helpers.archives import CORES, SMALL, make
from helpers.formulas import shipped, text_of
from helpers.requirements import outside
from helpers.solver_runs import need_checked_proofs
from helpers.validations import QUEENS, validated


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive; nobody changes it."""
    folder = parallel_tests.once(
        "made", tmp_path_factory, lambda f: make(f, SMALL, "--jobs", CORES)
    )
    return folder / "archive"


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.fixture
def queens_bytes() -> bytes:
    return text_of(shipped("queens", n=8))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 128 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    if os.getuid() != 0 or processes.run(mount, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    processes.run(["umount", str(folder)], check=True)


@pytest.fixture(params=["unnamed", "named"])
def way_of_writing(request, monkeypatch):
    """Both ways of writing: without a name until the end, and where the system cannot do that."""
    if request.param == "named":
        monkeypatch.setattr(os, "O_TMPFILE", 0)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no unnamed files")
    return request.param


@pytest.fixture(params=[pytest.param("drat-trim", marks=outside)])
def checker() -> None:
    """What writes proofs and what checks them, wherever they are."""
    need_checked_proofs()


@pytest.fixture(scope="session")
def small_validation(tmp_path_factory) -> Path:
    """The folder of a small validation, which nobody changes; its runs are in results/."""

    def fill(folder: Path) -> None:
        (folder / "told.json").write_text(json.dumps(validated(folder, *QUEENS)))

    return parallel_tests.once("queens", tmp_path_factory, fill)
