"""What a program in an image says of its version is asked once, and believed before the label."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_engine import fake_engine
from outside import outside
from running import boardsat, need

from boardsat.adapters import solvers
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import cache, container, engine, leftovers, native, versions

LINE = ("cadical", "--version")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "boardsat"


class Program:
    """One that is asked for its version."""

    def __init__(self, version: str) -> None:
        self.version, self.times = version, 0

    def __call__(self) -> str:
        self.times += 1
        return self.version


@pytest.mark.parametrize("version", ["1.7.3", ""], ids=["told", "not told"])
def test_a_program_is_asked_once_for_each_image(version: str) -> None:
    program = Program(version)
    assert [versions.said("one", LINE, program) for _ in range(3)] == [version] * 3
    assert program.times == 1
    versions.said("two", LINE, program)
    versions.said("one", (*LINE, "-v"), program)
    assert program.times == 3


@pytest.mark.parametrize("content", [b"", b"1.7", b"\x1b[31m\n", b"\xff" * 1000, b"1\n2\n"])
def test_a_spoilt_cache_is_asked_again(content: bytes, own_cache: Path) -> None:
    versions.said("one", LINE, Program("old"))
    (file,) = own_cache.iterdir()
    file.write_bytes(content)
    assert versions.said("one", LINE, Program("1.7.3")) == "1.7.3"


def test_what_cannot_be_asked_or_kept_is_no_fault(own_cache: Path) -> None:
    def fails() -> str:
        raise AdapterError("the engine is gone")

    assert versions.said("one", LINE, fails) == ""
    own_cache.parent.mkdir(parents=True)
    own_cache.write_text("a file where the folder should be")
    assert versions.said("one", LINE, Program("1.7.3")) == "1.7.3"
    assert cache.content("x") == b""


def test_an_answer_names_the_version_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    formula = tmp_path / "x.cnf"
    formula.write_text("p cnf 3 1\n1 2 3 0\n")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
    monkeypatch.setattr(container, "first_version", lambda _: "7.7.7")
    for known in (engine._found, leftovers.remove_once):
        known.cache_clear()
        request.addfinalizer(known.cache_clear)
    with fake_engine(tmp_path, {}) as found:
        for runs in (2, 3):
            said = boardsat("solve", formula, "--runtime", "docker")
            assert said.out.startswith("SATISFIABLE: cadical 7.7.7, docker, ")
            # The first time the program is asked too.
            assert len([r for r in found.requests if "/start" in r]) == runs


@outside
def test_cadical_says_what_it_is() -> None:
    cadical = solvers.load("cadical")
    need(cadical, "docker")
    assert container.version(cadical) == "1.7.3"
    assert " 1.7.3 " in boardsat("images", "cadical").out


def test_a_program_on_path_is_asked_once_until_it_is_another(tmp_path, monkeypatch) -> None:
    """Every run of a campaign has the version in its record."""
    program, log = tmp_path / "cadical", tmp_path / "log"
    monkeypatch.setenv("PATH", str(tmp_path))
    for number, version in enumerate(("1.0", "2.0"), 1):
        other = tmp_path / "other"
        other.write_text(f"#!/bin/sh\necho x >> {log}\necho {version}\n")
        other.chmod(0o755)
        other.rename(program)
        told = {native.version(solvers.load("cadical")) for _ in range(3)}
        assert told == {version} and log.read_text() == "x\n" * number
