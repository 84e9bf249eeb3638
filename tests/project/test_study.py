"""The tables of docs/study.md are those of the data beside it, and what it says follows from it."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

import yaml

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "site"))

import study  # noqa: E402

MEDIANS = study.medians(study.GROWTH)


def solved(encoding: str, size: str) -> dict[str, int]:
    """Number of solved shuffles by solver."""
    return {
        solver: int(row["solved"])
        for (name, solver, n), row in MEDIANS.items()
        if (name, n) == (encoding, size)
    }


def test_tables_equal_the_data() -> None:
    page = study.PAGE.read_text("utf-8")
    assert page == study.renewed(page), "python docs/site/study.py"
    assert page.count("| `hve` |") == 6


def test_campaign_contains_the_published_instances() -> None:
    campaign = yaml.safe_load((DOCS / "campaigns/tours.yaml").read_text())
    planned = {
        (encoding, solver, str(n)): len(entry["shuffle"])
        for entry in campaign["instances"]
        for encoding in entry["encoding"]
        for solver in campaign["solvers"]
        for n in entry["set"]["n"]
    }
    assert planned == {key: int(row["instances"]) for key, row in MEDIANS.items()}


def test_statements_of_the_study_follow_from_its_data() -> None:
    runs: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for (encoding, _, size), row in MEDIANS.items():
        runs[encoding, size].append(row["solved"] == row["instances"])
    small = ("6", "8", "10", "12", "16", "20")
    complete = {name for name, _ in runs if all(all(runs.get((name, n), [False])) for n in small)}
    assert complete == {"hve"}
    crt = solved("crt", "24")
    assert 2 * crt.pop("kissat") > 5 and not any(crt.values())
    assert not any(solved("binary", "16").values())
    assert any(2 * number <= 5 for number in solved("unary", "10").values())
    assert any(0 < int(row["solved"]) < int(row["instances"]) for row in MEDIANS.values())


def test_the_page_has_no_paths_of_a_machine() -> None:
    page = (DOCS / "study/tours.html").read_text("utf-8")
    assert not re.findall(r"(?:/root|/home|/tmp|/work|/opt|/usr)/[^\s<\"]*", page)
