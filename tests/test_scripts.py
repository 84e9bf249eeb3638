"""Scripts for a machine's packages: locks of apt."""

from __future__ import annotations

import fcntl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import processes
import pytest
from outside import outside, program

ROOT = Path(__file__).parent.parent
HELD_SECONDS = 1.5


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders in place of apt's and dpkg's own, without package sources."""
    program("apt-get")
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
def test_apt_install_waits_for_another_apt(sandbox: Path, lock: str) -> None:
    with held(sandbox / lock):
        install = subprocess.Popen([ROOT / "docker/apt-install"], stderr=subprocess.PIPE, text=True)
        time.sleep(HELD_SECONDS)
        assert install.poll() is None, install.communicate()[1]
    errors = install.communicate(timeout=60)[1]
    assert install.returncode == 0, errors


@outside
def test_apt_install_gives_up_with_one_line(sandbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSAT_APT_WAIT", "1")
    with held(sandbox / "lists/lock"):
        done = processes.run([ROOT / "docker/apt-install"], capture_output=True, text=True)
    assert done.returncode == 1
    assert (
        done.stderr.startswith("apt-install: another apt holds ") and done.stderr.count("\n") == 1
    )
