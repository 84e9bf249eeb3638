"""The tables of docs/study.md are those of the data beside it."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import yaml

DOCS = Path(__file__).parents[1] / "docs"
SIZES = ("6", "8", "10", "12", "16", "20", "24")


def growth() -> dict[tuple[str, str, str], dict[str, str]]:
    with (DOCS / "study/growth-tour.csv").open() as file:
        return {(row["encoding"], row["solver"], row["size"]): row for row in csv.DictReader(file)}


def rows(width: int) -> list[list[str]]:
    """Of the table with so many columns, without its head."""
    lines = (DOCS / "study.md").read_text().splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("| `")]
    return [[cell.strip(" `") for cell in row] for row in cells if len(row) == width]


def test_solved_runs_are_those_of_the_data() -> None:
    solved: dict[tuple[str, str], int] = defaultdict(int)
    for (encoding, _, size), row in growth().items():
        solved[encoding, size] += int(row["solved"])
    table = rows(1 + len(SIZES))
    assert {encoding for encoding, *_ in table} == {encoding for encoding, _ in solved}
    for encoding, *shown in table:
        assert shown == [str(solved.get((encoding, size), "")) for size in SIZES]


def test_medians_are_those_of_the_data() -> None:
    data = growth()
    table = rows(2 + len(SIZES))
    assert len(table) > 5
    for encoding, solver, *shown in table:
        found = [data.get((encoding, solver, size)) for size in SIZES]
        assert shown == [f"{float(row['median']):.2f}" if row else "" for row in found]


def test_the_campaign_asks_for_what_is_shown() -> None:
    campaign = yaml.safe_load((DOCS / "campaigns/tours.yaml").read_text())
    asked = {
        (encoding, solver, str(n)): len(entry["shuffle"])
        for entry in campaign["instances"]
        for encoding in entry["encoding"]
        for solver in campaign["solvers"]
        for n in entry["set"]["n"]
    }
    assert asked == {key: int(row["instances"]) for key, row in growth().items()}
