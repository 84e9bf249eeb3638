"""The flow goes one way: who may import whom, and what a small command must not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("generators", "adapters", "boardsat")
FORBIDDEN = {
    "generators": {"adapters", "boardsat"},
    "adapters": {"generators", "boardsat"},
    "boardsat": set(),
}
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level names of everything that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    package = path.relative_to(ROOT).parts[0]
    assert imported(path) & FORBIDDEN[package] == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_says_its_duty_first(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


def loaded(*words: str) -> set[str]:
    """The top-level modules that a command has loaded at its end."""
    program = (
        "import sys; from boardsat.cli import main; main(sys.argv[1:]);"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_and_lists_do_not_wait_for_numpy():
    for words in (["--help"], ["list"], ["cnf", "--help"]):
        assert not loaded(*words) & {"numpy", "jinja2", "pysat", "docker"}


def test_writing_a_file_loads_no_solver_and_no_engine(tmp_path):
    target = str(tmp_path / "x.cnf")
    assert not loaded("cnf", "queens", "-n", "4", "-o", target) & {"pysat", "docker", "zstandard"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_only_tries_to_import_docker(path):
    """The folder docker/ can stand in for the SDK as an empty namespace: trying tells nothing."""
    for attempt in ast.walk(ast.parse(path.read_text())):
        if isinstance(attempt, ast.Try):
            for node in ast.walk(attempt):
                if isinstance(node, ast.Import):
                    assert all(alias.name.split(".")[0] != "docker" for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    assert (node.module or "").split(".")[0] != "docker"
