"""The programs of examples/ run as they say, and what they print is right."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from helpers import processes

FOLDER = Path(__file__).parents[2] / "examples"


def run(name: str, folder: Path, *arguments: str) -> str:
    outcome = processes.run(
        [sys.executable, FOLDER / name, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


def test_every_example_documents_its_command():
    for path in FOLDER.glob("*.py"):
        assert f"    python examples/{path.name}" in path.read_text().split('"""')[1]


def test_example_first_tour_runs(tmp_path):
    text = run("first_tour.py", tmp_path, "tour.svg")
    rows = [line.split() for line in re.findall(r"^(?: *\d+){8}$", text, re.M)]
    assert sorted(int(number) for row in rows for number in row) == list(range(1, 65))
    assert "a closed tour: True" in text
    ElementTree.parse(tmp_path / "tour.svg")


# Of Karthikeyan, Chheda and Ruan 2024, Table 1, with the unit clauses that it leaves out.
PUBLISHED = {"direct": (1296, 46694), "unary": (1291, 22785), "binary": (370, 5605)}


def test_example_encoding_comparison_runs(tmp_path):
    head, *lines = run("compare_encodings.py", tmp_path, "6").splitlines()
    assert head.split() == ["n", "encoding", "variables", "clauses", "seconds", "answer"]
    rows = {line.split()[1]: line.replace(",", "").split() for line in lines}
    sizes = {encoding: (int(row[2]), int(row[3])) for encoding, row in rows.items()}
    assert PUBLISHED.items() <= sizes.items()
    assert {row[-1] for row in rows.values()} == {"SATISFIABLE"}


def test_example_custom_puzzle_runs(tmp_path):
    text = run("own_puzzle.py", tmp_path)
    sizes = dict(re.findall(r"^(\d+) x \d+: (\w+)$", text, re.M))
    assert sizes.pop("8") == "SATISFIABLE"
    assert {*sizes.values()} == {"UNSATISFIABLE"}
    assert "equal digits keep their distance: True" in text
    ElementTree.parse(tmp_path / "own_puzzle.svg")
