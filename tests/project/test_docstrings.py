"""Measures of docstrings and names by the rules of CONTRIBUTING.md; examples that run."""

from __future__ import annotations

import ast
import collections
import doctest
import importlib
import re
import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest
from helpers.syntax_trees import PACKAGES, ROOT, files, nodes

import boardsat

sys.path.insert(0, str(ROOT / "docs/site"))
import python_reference

OPENING = re.compile(
    r"(What|Who|Whose|Whoever|Whatever|Whichever|Whether|Those|That|These|This is|Such|Of|As|By|So"
    r"|Where|The same|Nobody|Somebody|Anybody|Nothing|Something|All that|All of|One of which|It"
    r"|Its|They|None|How)\b"
)
"""Pronoun, relative clause or preposition in place of a noun or a verb."""
DIALECT = re.compile(
    r"\b(told|tells? of|stands? (in|there|alone)|so many|nobody|somebody|whoever|from elsewhere"
    r"|of one's own|mend(ed)?|is none|are none)\b"
)
VAGUE_NAMES = {
    "found", "each", "told", "known", "said", "asked", "meant", "whole", "own", "rest", "most",
    "done", "word", "words", "place", "part", "parts", "taken", "held", "kept", "given",
    "wanted", "shown", "way", "ways", "told_of", "one", "other", "others", "both", "many",
    "much", "about", "here", "there", "before", "after", "left", "right_one", "made", "gone",
    "lost", "room", "alone", "above", "below", "beside", "more", "less", "few", "again",
    "thing",
}  # fmt: skip
FILLER_NAMES = {"result", "data", "value", "item", "info", "obj", "tmp"}

TESTS = ("tests", "bench")
CODE = pytest.mark.parametrize("folders", [PACKAGES, TESTS], ids=" ".join)

MAX_BAD_DOCSTRINGS = 0.01
MAX_VAGUE_NAMES = 0.01
MAX_FILLER_NAMES = {PACKAGES: 0.0105, TESTS: 0.019}
"""Share of all assigned names. Targets of the fuzzer are functions of `data`."""
MIN_DOCUMENTED = 0.72
"""Share of modules, classes and functions that have a docstring."""

REGISTRIES = ("algorithms", "boards", "constraints", "encodings", "formats", "randomness")
"""Packages of plug-ins, whose docstrings describe the interface."""
DOCTESTED = (
    "boardsat",
    "boardsat.generators",
    *(f"boardsat.generators.{name}" for name in ("api", "arrays", *REGISTRIES)),
)


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every docstring, those of attributes too."""
    for node in nodes(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if text := ast.get_docstring(node):
            yield node.body[0].lineno, text
        for statement, successor in pairwise(node.body):
            if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(
                successor, ast.Expr
            ):
                constant = successor.value
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                    yield successor.lineno, constant.value


def assigned_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of every assigned variable and parameter."""
    for node in nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id.strip("_")
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg.strip("_")


@CODE
def test_docstrings_open_with_a_noun_or_a_verb(folders):
    texts = [
        (path, line, text.strip().splitlines()[0])
        for path, tree in files(folders).items()
        for line, text in docstrings(tree)
    ]
    bad = [
        f"{path}:{line}: {first}"
        for path, line, first in texts
        if OPENING.match(first) or DIALECT.search(first)
    ]
    assert len(bad) <= MAX_BAD_DOCSTRINGS * len(texts), bad


@CODE
def test_names_are_not_vague(folders):
    names = [
        (path, line, name)
        for path, tree in files(folders).items()
        for line, name in assigned_names(tree)
    ]
    vague = [f"{path}:{line}: {name}" for path, line, name in names if name in VAGUE_NAMES]
    assert len(vague) <= MAX_VAGUE_NAMES * len(names), vague
    fillers = collections.Counter(name for _, _, name in names if name in FILLER_NAMES)
    assert fillers.total() <= MAX_FILLER_NAMES[folders] * len(names), fillers


def test_share_of_documented_names_is_kept():
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    documentable = [
        node for tree in files().values() for node in nodes(tree) if isinstance(node, kinds)
    ]
    documented = sum(ast.get_docstring(node) is not None for node in documentable)
    assert documented >= MIN_DOCUMENTED * len(documentable)


@pytest.mark.parametrize("name", DOCTESTED)
def test_examples_of_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, extraglobs={"boardsat": boardsat})
    assert outcome.failed == 0


@pytest.mark.parametrize("name", sorted(set(boardsat.__all__) - {"__version__"}))
def test_examples_of_the_interface_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for test in finder.find(getattr(boardsat, name), name, globs={"boardsat": boardsat}):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_python_reference_is_up_to_date():
    page = python_reference.PAGE.read_text("utf-8")
    assert page == python_reference.updated_page(page), "python docs/site/python_reference.py"
