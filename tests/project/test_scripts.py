"""Scripts for a machine's packages and interpreters: locks of apt, Pythons that start."""

from __future__ import annotations

import fcntl
import importlib
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from helpers import processes
from helpers.requirements import outside, require_program

ROOT = Path(__file__).parents[2]
HELD_SECONDS = 1.5


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders in place of apt's and dpkg's own, without package sources."""
    require_program("apt-get")
    for folder in ("lists/partial", "cache/archives/partial", "dpkg/updates", "log"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("dpkg/status", "extended_states"):
        (tmp_path / file).touch()
    config = tmp_path / "apt.conf"
    config.write_text(
        f'Dir::State "{tmp_path}"; Dir::State::lists "{tmp_path}/lists";\n'
        f'Dir::State::status "{tmp_path}/dpkg/status"; Dir::Cache "{tmp_path}/cache";\n'
        f'Dir::Log "{tmp_path}/log"; APT::Sandbox::User "root";\n'
        'Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "/dev/null";\n'
    )
    monkeypatch.setenv("APT_CONFIG", str(config))
    return tmp_path


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a lock of the kind that apt and dpkg take."""
    with path.open("w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


@outside
@pytest.mark.parametrize("lock", ["lists/lock", "dpkg/lock-frontend"])
def test_apt_install_waits_for_lock(sandbox: Path, lock: str) -> None:
    with held(sandbox / lock):
        install = subprocess.Popen([ROOT / "docker/apt-install"], stderr=subprocess.PIPE, text=True)
        time.sleep(HELD_SECONDS)
        assert install.poll() is None, install.communicate()[1]
    errors = install.communicate(timeout=60)[1]
    assert install.returncode == 0, errors


@outside
def test_apt_install_times_out_with_one_line(
    sandbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDSAT_APT_WAIT", "1")
    with held(sandbox / "lists/lock"):
        outcome = processes.run([ROOT / "docker/apt-install"], capture_output=True, text=True)
    assert outcome.returncode == 1
    assert (
        outcome.stderr.startswith("apt-install: another apt holds ")
        and outcome.stderr.count("\n") == 1
    )


def test_listed_interpreters_start_and_are_unique(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A version manager has such programs for versions that are not in use.
    for name in ("python3.11", "python3.12", "python3.13"):
        shim = tmp_path / name
        shim.write_text(f"#!/bin/sh\necho '{name}: command not found' >&2\nexit 127\n")
        shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    outcome = processes.run([ROOT / ".ci/pythons"], capture_output=True, text=True, check=True)
    arguments = ("-c", "import platform; print(platform.python_version())")
    versions = [
        processes.run([path, *arguments], capture_output=True, text=True, check=True).stdout
        for path in outcome.stdout.splitlines()
    ]
    assert versions and len(set(versions)) == len(versions) and not outcome.stderr


def test_workflow_tests_all_python_classifiers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    prefix = "Programming Language :: Python :: 3."
    named = [
        classifier.split()[-1]
        for classifier in project["classifiers"]
        if classifier.startswith(prefix)
    ]
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == named
    assert project["requires-python"] == f">={named[0]}"


def test_bench_lists_every_benchmark_and_runs_none() -> None:
    outcome = processes.run(
        [sys.executable, "-m", "bench"], cwd=ROOT, capture_output=True, text=True
    )
    files = {path.stem for path in (ROOT / "bench").glob("[a-z]*.py")}
    assert outcome.returncode == 0, outcome.stderr
    listed = outcome.stdout.partition("--help")[2]
    assert set(re.findall(r"^(\w+): \S", listed, re.M)) == files
    assert all(callable(importlib.import_module(f"bench.{name}").run) for name in files)
