"""What a program in an image says of its version is asked once, and believed before the label."""

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
from boardsat.base import user_cache
from boardsat.base.errors import SolverError

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
    assert [versions.cached_version("one", LINE, program) for _ in range(3)] == [version] * 3
    assert program.times == 1
    versions.cached_version("two", LINE, program)
    versions.cached_version("one", (*LINE, "-v"), program)
    assert program.times == 3


@pytest.mark.parametrize("content", [b"", b"1.7", b"\x1b[31m\n", b"\xff" * 1000, b"1\n2\n"])
def test_a_spoilt_cache_is_asked_again(content: bytes, own_cache: Path) -> None:
    versions.cached_version("one", LINE, Program("old"))
    (file,) = own_cache.iterdir()
    file.write_bytes(content)
    assert versions.cached_version("one", LINE, Program("1.7.3")) == "1.7.3"


def test_what_cannot_be_asked_or_kept_is_no_fault(own_cache: Path) -> None:
    def fails() -> str:
        raise SolverError("the engine is gone")

    assert versions.cached_version("one", LINE, fails) == ""
    own_cache.parent.mkdir(parents=True)
    own_cache.write_text("a file where the folder should be")
    assert versions.cached_version("one", LINE, Program("1.7.3")) == "1.7.3"
    assert user_cache.read("x") == b""


@pytest.mark.parametrize(("printed", "version"), [("7.7.7", "7.7.7"), ("sc2021", "1.0")])
def test_an_answer_names_the_version_of_the_program(
    printed: str,
    version: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """Unless it prints something else: then that of the label."""
    formula = tmp_path / "x.cnf"
    formula.write_text("p cnf 3 1\n1 2 3 0\n")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine'}")
    monkeypatch.setattr(versions, "first_version", lambda _: printed)
    image = {**IMAGE, "Config": {"Labels": {engine.VERSION_LABEL: "1.0"}}}
    for known in (engine._connection, engine.remove_stale_containers_once):
        known.cache_clear()
        request.addfinalizer(known.cache_clear)
    with fake_engine(tmp_path, {r"GET .*/images/.*/json": answer_with(image)}) as found:
        for runs in (2, 3):
            said = boardsat("solve", formula, "--runtime", "docker")
            assert said.out.startswith(f"SATISFIABLE: cadical {version}, docker, ")
            # The first time the program is asked too.
            assert len([r for r in found.requests if "/start" in r]) == runs


@outside
def test_cadical_says_what_it_is() -> None:
    cadical = solvers.load("cadical")
    require_solver(cadical, "docker")
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
    with monkeypatch.context() as impatient:
        impatient.setattr(versions, "TIMEOUT_SECONDS", 0.2)
        assert version_on_path(MINISAT, dpkg_query="while :; do :; done") == UNKNOWN
    versions.program_version.cache_clear()
    assert version_on_path(MINISAT) == "2.2.1"


def test_package_manager_is_asked_once_for_each_file(
    version_on_path: Callable[..., str], tmp_path: Path
) -> None:
    """Its answer is stored for the commands that follow."""
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
