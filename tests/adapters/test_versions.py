"""Versions of programs: printed by the program, on the label of an image, or of a package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import processes
from helpers.fake_engine import IMAGE, answer_with, fake_engine
from helpers.requirements import outside, require_program
from helpers.solver_runs import boardsat, require_solver, with_program

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import (
    container,
    engine,
    native,
    versions,
)
from boardsat.adapters.runtimes.versions import UNKNOWN
from boardsat.adapters.solvers import Solver
from boardsat.base import files
from boardsat.base.errors import SolverError

LINE = ("cadical", "--version")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "boardsat"


class Program:
    """Program that counts how often its version is requested."""

    def __init__(self, version: str) -> None:
        self.version, self.num_calls = version, 0

    def __call__(self) -> str:
        self.num_calls += 1
        return self.version


@pytest.mark.parametrize("version", ["1.7.3", ""], ids=["printed", "not printed"])
def test_cached_version_is_requested_once_per_image_and_command(version: str) -> None:
    program = Program(version)
    assert [versions.cached_version("one", LINE, program) for _ in range(3)] == [version] * 3
    assert program.num_calls == 1
    versions.cached_version("two", LINE, program)
    versions.cached_version("one", (*LINE, "-v"), program)
    assert program.num_calls == 3


@pytest.mark.parametrize("content", [b"", b"1.7", b"\x1b[31m\n", b"\xff" * 1000, b"1\n2\n"])
def test_cached_version_ignores_a_malformed_cache(content: bytes, own_cache: Path) -> None:
    versions.cached_version("one", LINE, Program("old"))
    (file,) = own_cache.iterdir()
    file.write_bytes(content)
    assert versions.cached_version("one", LINE, Program("1.7.3")) == "1.7.3"


def test_cached_version_without_program_or_cache_raises_no_error(own_cache: Path) -> None:
    def fails() -> str:
        raise SolverError("the engine does not answer")

    assert versions.cached_version("one", LINE, fails) == ""
    own_cache.parent.mkdir(parents=True)
    own_cache.write_text("a file where the folder should be")
    assert versions.cached_version("one", LINE, Program("1.7.3")) == "1.7.3"
    assert files.read_cached("x") == b""


@pytest.mark.parametrize(("printed", "version"), [("7.7.7", "7.7.7"), ("sc2021", "1.0")])
def test_answer_has_the_printed_version_or_that_of_the_label(
    printed: str,
    version: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    formula = tmp_path / "x.cnf"
    formula.write_text("p cnf 3 1\n1 2 3 0\n")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
    monkeypatch.setattr(versions, "first_version", lambda _: printed)
    image = {**IMAGE, "Config": {"Labels": {engine.VERSION_LABEL: "1.0"}}}
    for cached in (engine._connection, engine.remove_stale_containers_once):
        cached.cache_clear()
        request.addfinalizer(cached.cache_clear)
    with fake_engine(tmp_path, {r"GET .*/images/.*/json": answer_with(image)}) as started:
        for runs in (2, 3):
            output = boardsat("solve", formula, "--runtime", "docker")
            assert output.out.startswith(f"SATISFIABLE: cadical {version}, docker, ")
            # The first command also starts the program for its version.
            assert len([r for r in started.requests if "/start" in r]) == runs


@outside
def test_version_of_cadical_in_its_image() -> None:
    cadical = solvers.load("cadical")
    require_solver(cadical, "docker")
    assert container.version(cadical) == "1.7.3"
    assert " 1.7.3 " in boardsat("images", "cadical").out


def test_version_on_path_is_requested_again_if_the_program_changes(tmp_path, monkeypatch) -> None:
    """Every run of a campaign has the version in its record."""
    program, log = tmp_path / "cadical", tmp_path / "log"
    monkeypatch.setenv("PATH", str(tmp_path))
    for number, version in enumerate(("1.0", "2.0"), 1):
        new_program = tmp_path / "new"
        new_program.write_text(f"#!/bin/sh\necho x >> {log}\necho {version}\n")
        new_program.chmod(0o755)
        new_program.rename(program)
        versions_on_path = {native.version(solvers.load("cadical")) for _ in range(3)}
        assert versions_on_path == {version} and log.read_text() == "x\n" * number


PACKAGED = {
    "dpkg-query": """\
echo query >> log
case $1 in
-S) [ "$2" = "$PWD/minisat" ] && echo "minisat: $2" ;;
-W) printf 1:2.2.1-5+b3 ;;
esac
""",
    "dpkg": "",
}
"""Scripts of a package manager that has installed MiniSat in the working directory."""


@pytest.fixture
def version_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that writes scripts to PATH, and returns the version of MiniSat there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))

    def write_and_ask(solver: Solver, **scripts: str) -> str:
        for name, text in ({"minisat": "echo sc2021"} | PACKAGED | scripts).items():
            program = tmp_path / name.replace("_", "-")
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        return native.version(solver)

    return write_and_ask


MINISAT = solvers.load("minisat")
ASKED = with_program(MINISAT, version_command="{{ program }} --version")


@pytest.mark.parametrize(
    ("solver", "scripts", "expected"),
    [
        (MINISAT, {}, "2.2.1"),
        (ASKED, {}, "2.2.1"),
        (ASKED, {"minisat": ""}, "2.2.1"),
        (ASKED, {"minisat": "echo 965"}, "965"),
        (ASKED, {"minisat": "echo MiniSat 2.2.0"}, "2.2.0"),
    ],
    ids=["no command", "not a version", "nothing printed", "number", "version"],
)
def test_program_that_prints_no_version_has_that_of_its_package(
    solver: Solver, scripts: dict[str, str], expected: str, version_on_path: Callable[..., str]
) -> None:
    assert version_on_path(solver, **scripts) == expected


@pytest.mark.parametrize(
    "scripts",
    [
        {"dpkg_query": "exit 1"},
        {"dpkg_query": 'echo "dash: $2"'},
        {"dpkg_query": 'echo "diversion by x from: $2"; echo "minisat: $2"'},
        {"dpkg_query": 'echo "minisat: /usr/bin/minisat"'},
        {"dpkg": 'echo "??5??????   $PWD/minisat"'},
    ],
    ids=["none", "shell", "diverted", "another file", "changed"],
)
def test_program_of_no_package_has_no_version_but_its_own(
    scripts: dict[str, str], version_on_path: Callable[..., str]
) -> None:
    assert version_on_path(MINISAT, **scripts) == UNKNOWN
    assert native.version(ASKED) == "sc2021"


def test_package_manager_that_does_not_answer_is_asked_again(
    version_on_path: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(versions, "TIMEOUT_SECONDS", 0.2)
        assert version_on_path(MINISAT, dpkg_query="while :; do :; done") == UNKNOWN
    versions.program_version.cache_clear()
    assert version_on_path(MINISAT) == "2.2.1"


def test_package_manager_is_asked_once_for_each_file(
    version_on_path: Callable[..., str], tmp_path: Path
) -> None:
    """The answer is stored for the following commands."""
    assert version_on_path(MINISAT) == "2.2.1"
    queries = (tmp_path / "log").read_text()
    versions.program_version.cache_clear()
    assert native.version(MINISAT) == "2.2.1"
    assert (tmp_path / "log").read_text() == queries


@outside
@pytest.mark.parametrize("name", ["minisat", "cadical", "cryptominisat", "clasp"])
def test_version_on_path_is_that_of_the_package(name: str) -> None:
    solver = solvers.load(name)
    require_solver(solver, "native")
    require_program("dpkg-query")
    query = ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", name]
    expected = processes.run(query, capture_output=True, text=True).stdout
    if not expected:
        pytest.skip("installed in another way")
    # Debian marks sources from which it has removed files: 5.11.4+dfsg1.
    assert native.version(solver) == expected.partition("+")[0]
