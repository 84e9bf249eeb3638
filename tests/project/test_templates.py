"""Templates of the pages "Adding ...": a copy of each works as the page says.

Those of constraint types and encodings are tried in test_completeness.py.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from helpers.board_geometry import build_board, move_pairs, rebuild_board
from helpers.solver_runs import boardsat

from boardsat import commands
from boardsat.adapters import boards as drawn_boards
from boardsat.adapters import rules
from boardsat.base.registry import find_modules
from boardsat.generators import boards

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATES = DOCS / "templates"

Install = Callable[[ModuleType, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function that makes a template a module of a package under some name."""
    modules_before = set(sys.modules)

    def copy(package: ModuleType, template: str, name: str) -> None:
        folder = tmp_path / package.__name__
        folder.mkdir()
        shutil.copy(TEMPLATES / f"{template}.py", folder / f"{name}.py")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        find_modules.cache_clear()
        assert name in package.names()

    yield copy
    find_modules.cache_clear()
    for name in set(sys.modules) - modules_before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_every_template_is_mentioned_on_a_page():
    pages = "".join(path.read_text("utf-8") for path in DOCS.glob("adding-*.md"))
    assert [path.name for path in TEMPLATES.iterdir() if f"templates/{path.name}" not in pages] == [
        *(path.name for path in TEMPLATES.glob("__pycache__"))
    ]


def oracle() -> Callable[[tuple[int, ...], int], set[tuple[int, int]]]:
    module_spec = importlib.util.spec_from_file_location(
        "board_oracle", TEMPLATES / "board_oracle.py"
    )
    assert module_spec is not None and module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    triangle: Callable[[tuple[int, ...], int], set[tuple[int, int]]] = module.triangle
    return triangle


def test_board_templates_agree_with_the_oracle(install):
    install(boards, "board_generator", "triangle")
    install(drawn_boards, "board_adapter", "triangle")
    for side, (moves, leap) in product(range(1, 6), [("wazir", (0, 1)), ("knight", (1, 2))]):
        expected = {(i, j) for i, j in oracle()(leap, side) if i != j}
        board = build_board("triangle", side=side, moves=moves)
        assert move_pairs(board) == sorted(expected)
        assert rebuild_board(board).edges() == sorted(
            pair for pair in expected if pair[0] < pair[1]
        )
    arguments = ("--set", "shape=triangle", "-n", 4, "--set", "moves=king", "--runtime", "embedded")
    outcome = boardsat("solve", "tour", *arguments)
    assert outcome.code == 10 and "checked" in outcome.out
    assert len(boards.load("triangle").symmetries(4)) == 2


def test_solver_template_solves(tmp_path):
    solver = tmp_path / "mine.yaml"
    shutil.copy(TEMPLATES / "solver.yaml", solver)
    outcome = boardsat("solve", "queens", "-n", 6, "--solver", solver, "--runtime", "embedded")
    assert outcome.code == 10 and "mine" in outcome.out


def test_rule_template_finds_a_violation(install, tmp_path, monkeypatch):
    install(rules, "rule", "rooks")
    from boardsat.adapters.rules import violations
    from boardsat.adapters.views import Marks, Solution

    def found(*cells: int) -> list[str]:
        board = rebuild_board(build_board("grid", rows=3, cols=3))
        solution = Solution(board, Marks(cells=frozenset(cells)))
        return list(violations("rooks", solution, {"n": 3}) or ["no rules"])

    assert found(0, 4, 8) == []
    assert found(0, 2, 3) == ["row 0 has 2 marks", "column 0 has 2 marks"]


def test_command_template_runs_and_has_help(install):
    install(commands, "command", "describe")
    outcome = boardsat("describe", "tour", "-n", 6)
    assert outcome.code == 0 and outcome.out.startswith("c boardsat {")
    assert "usage: boardsat describe" in boardsat("describe", "--help").out
    assert boardsat("describe", "nothing").code == 2
