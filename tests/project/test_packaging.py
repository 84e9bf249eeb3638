"""Packaging: one package, complete and typed, from a wheel and from a checkout."""

from __future__ import annotations

import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from helpers import parallel_tests, processes
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from boardsat.generators import build, find, write

ROOT = Path(__file__).parents[2]

USER_PROGRAM = """
import boardsat

formula = boardsat.build("queens", n=6)
clauses: list[list[int]] = list(formula.clauses())
answer: boardsat.SolveResult = boardsat.solve(formula, timeout=60)
picture: str = answer.to_svg()
total: boardsat.CountResult = boardsat.count("queens", n=6)
print(boardsat.__version__, formula.num_variables, answer, total)
"""


def run(*arguments: object, where: Path) -> str:
    outcome = processes.run(
        [str(token) for token in arguments],
        cwd=where,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, and the wheel that is built from that alone."""
    folder = tmp_path_factory.mktemp("distributions")
    # Setuptools writes its list of files into the checkout.
    with parallel_tests.alone("build"):
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, where=folder)
    return folder


@pytest.fixture(scope="module")
def elsewhere(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel, and the libraries that it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    (wheel,) = distributions.glob("boardsat-*.whl")
    zipfile.ZipFile(wheel).extractall(packages)
    # The libraries stand in the environment of the tests; the checkout must not.
    libraries = sysconfig.get_path("purelib")
    (packages / "libraries.pth").write_text(f"import sys; sys.path.append({libraries!r})\n")
    return folder / "bin/python"


def test_wheel_installs_one_package(distributions):
    (wheel,) = distributions.glob("boardsat-*.whl")
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"boardsat"}


def test_sdist_contains_all_files(distributions):
    (archive,) = distributions.glob("boardsat-*.tar.gz")
    with tarfile.open(archive) as members:
        packed = {name.partition("/")[2] for name in members.getnames()}
    folders = ("generators", "adapters", "specs", "docker")
    listed = run("git", "ls-files", *folders, where=ROOT).split()
    assert [name for name in listed if f"boardsat/{name}" not in packed] == []
    assert "boardsat/py.typed" in packed


def test_installed_wheel_writes_and_solves(elsewhere, tmp_path):
    program = (
        "import sys, boardsat.generators as g; assert g.__file__.startswith(sys.prefix), g;"
        "from boardsat.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["cnf", "tour", "--enc", "unary", "-n", "6", "-o", "there.cnf"]
    run(elsewhere, "-c", program, *arguments, where=tmp_path)
    write(build(find("tour", "unary"), {"n": 6}), str(tmp_path / "here.cnf"))
    assert (tmp_path / "there.cnf").read_bytes() == (tmp_path / "here.cnf").read_bytes()


def test_installed_wheel_lists_solvers_and_images(elsewhere, tmp_path):
    boardsat = [elsewhere, "-c", "import sys; from boardsat.cli import main; sys.exit(main())"]
    assert "cadical" in run(*boardsat, "solvers", where=tmp_path)
    program = (
        "from boardsat.adapters.runtimes import container; print(*container.IMAGE_FOLDER.iterdir())"
    )
    folders = {Path(path).name for path in run(elsewhere, "-c", program, where=tmp_path).split()}
    assert {"cadical", "minisat", "approxmc", "engine"} <= folders


@pytest.mark.slow
def test_user_program_passes_strict_mypy_with_wheel(elsewhere, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(USER_PROGRAM)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", elsewhere]
    assert "Success" in run(*mypy, "--cache-dir", tmp_path / "cache", program, where=tmp_path)
    program.write_text(USER_PROGRAM + "answer.modle\nboardsat.build(3)\n")
    with pytest.raises(AssertionError, match=r"no attribute \"modle\"[\s\S]*arg-type"):
        run(*mypy, "--cache-dir", tmp_path / "cache", program, where=tmp_path)


def test_checkout_exposes_one_package(tmp_path):
    program = (
        "import boardsat, importlib.util as u;"
        "print(boardsat.__file__, *map(u.find_spec, ('generators', 'adapters', 'specs')))"
    )
    outcome = run(sys.executable, "-c", program, where=tmp_path)
    assert outcome == f"{ROOT / 'boardsat/__init__.py'} None None None\n"


def test_dependencies_have_ranges_and_constraints():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    pinned = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines()[1:]
    )
    exact = {canonicalize_name(name): version for name, version in pinned.items()}
    for text in named:
        requirement = Requirement(text)
        if requirement.name == "boardsat":
            continue
        assert "==" not in str(requirement.specifier), text
        version = exact[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version, prereleases=True), text
