"""Regular expressions that every supported Python matches right, and in linear time."""

from __future__ import annotations

import ast
import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]

import pytest
from helpers.dimacs_reader import outcome
from packaging.specifiers import SpecifierSet

from boardsat.generators.graphs.file_formats import detect_format

ROOT = Path(__file__).parents[2]
PACKAGES = ("adapters", "bench", "boardsat", "generators", "tests")
# Before 3.11.5 `re` mismatches these around a group that can backtrack (gh-106052).
NEW = (_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP)
FRAGMENT = re.compile(r"\(\?>|[*+?}]\+")


def has_new_operator(pattern: str | bytes) -> bool:
    """Return whether a pattern has a possessive quantifier or an atomic group."""
    try:
        return any(operator in NEW for operator in operators(_parser.parse(pattern)))
    except re.error:
        # A part of a pattern, which is put together at run time.
        text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        return FRAGMENT.search(text) is not None


def operators(tree: object) -> Iterator[object]:
    if isinstance(tree, _parser.SubPattern):
        for operator, arguments in tree:
            yield operator
            yield from operators(arguments)
    elif isinstance(tree, tuple | list):
        for branch in tree:
            yield from operators(branch)


def string_constants(path: Path) -> Iterator[ast.Constant]:
    """Yield the strings of a module that may have such an operator, without its docstrings."""
    text = path.read_text()
    if not FRAGMENT.search(text):
        return
    tree = ast.parse(text)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_string = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        if is_string and id(node) not in statements and FRAGMENT.search(str(node.value)):
            yield node


def test_patterns_avoid_operators_broken_in_python_3_11_2() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    if "3.11.4" not in SpecifierSet(project["requires-python"]):
        pytest.skip("every supported Python has the operators right")
    assert [
        f"{path}:{node.lineno}: {node.value!r}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != Path(__file__).name
        for node in string_constants(path)
        if has_new_operator(node.value)
    ] == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a++", True),
        (rb"[ \t]{1,2}+x", True),
        ("(?:x|(?>a|b)c)*", True),
        (rb"(?:c.*\n)++)", True),
        ("(?>a", True),
        (r"\++", False),
        (rb"[*+?]+ +", False),
        (r"(?:a+?b+)*", False),
        (r"(?:x+", False),
    ],
)
def test_broken_operators_are_detected(pattern: str | bytes, expected: bool) -> None:
    assert has_new_operator(pattern) is expected


BLANKS = " " * 60_000


@pytest.mark.parametrize(
    "text",
    [f"graph{BLANKS}x", f"{BLANKS}x", "/**/" * 9000 + "x", f"graph {{{BLANKS}", f"3 3{BLANKS}2"],
    ids=lambda text: text[:8],
)
def test_format_detection_is_linear(text: str) -> None:
    begun = time.process_time()
    for kind in ("", "bipartite"):
        detect_format(text, kind)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("line", [b"%s", b" %s\r", b"\n%s", b"0%s"])
def test_trailing_blanks_are_read_in_linear_time(line: bytes) -> None:
    begun = time.process_time()
    text = b"p cnf 1 1\n1 0\n%\n" + line.replace(b"%s", BLANKS.encode()) + b"x\n"
    assert "follows the trailer" in str(outcome(text, strict=False))
    assert time.process_time() - begun < 1
