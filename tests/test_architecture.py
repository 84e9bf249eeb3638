"""The flow goes one way: who may import whom, and what a small command must not load."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import processes
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("generators", "adapters", "boardsat")
FORBIDDEN = {
    "generators": {"adapters", "boardsat"},
    "adapters": {"generators", "boardsat"},
    "boardsat": set(),
}


@pytest.fixture(scope="module")
def files() -> dict[str, ast.Module]:
    """Every file of ours, parsed, by its path from the top."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of everything that is imported, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else (node.module or "").split(".")[0])
    return names


def test_imports_go_one_way_and_none_is_relative(files):
    wrong = {
        path: names
        for path, tree in files.items()
        if (names := imported(tree) & (FORBIDDEN[path.split("/")[0]] | {"."}))
    }
    assert wrong == {}


def test_every_file_says_its_duty_first(files):
    assert [path for path, tree in files.items() if not ast.get_docstring(tree)] == []


def test_nothing_only_tries_to_import_docker(files):
    """The folder docker/ can stand in for the SDK as an empty namespace: trying tells nothing."""
    attempts = (
        (path, node)
        for path, tree in files.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
    )
    assert [path for path, attempt in attempts if "docker" in imported(attempt)] == []


def loaded(*words: str) -> set[str]:
    """The top-level modules that a command has loaded at its end."""
    program = (
        "import sys; from boardsat.cli import main; main(sys.argv[1:]);"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = processes.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_and_lists_do_not_wait_for_numpy():
    heavy = {"numpy", "jinja2", "pysat", "docker", "argcomplete"}
    for words, more in ((["--help"], {"yaml"}), (["list"], set()), (["cnf", "--help"], {"yaml"})):
        assert not loaded(*words) & (heavy | more)


def test_writing_a_file_loads_no_solver_and_no_engine(tmp_path):
    target = str(tmp_path / "x.cnf")
    assert not loaded("cnf", "queens", "-n", "4", "-o", target) & {"pysat", "docker", "zstandard"}


def test_no_test_starts_a_program_without_a_limit():
    """What waits does so through processes.run, or says its own limit to communicate."""
    waiting = {"run", "call", "check_call", "check_output", "getoutput", "system", "popen"}
    found = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in waiting
        if isinstance(node.value, ast.Name) and node.value.id in ("subprocess", "os")
    ]
    assert found == []
