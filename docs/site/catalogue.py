"""The table of problems on the page of the catalogue, from what their specs say."""

from __future__ import annotations

from pathlib import Path

from boardsat.generators.catalogue import encodings_of, find, problems

PAGE = "catalogue.md"
SPECS = Path(__file__).parents[2] / "specs"
MARK = "<!-- problems -->\n"


def row(problem: str) -> str:
    names = encodings_of(problem)
    first = find(f"{problem}/{names[0]}")
    shared, _, _ = first.title.partition(", ")
    # Where there are many, each has its own, which its file tells.
    cites = {find(f"{problem}/{name}").cite: None for name in names if len(names) < 4}
    linked = ", ".join(_linked(problem, name) for name in names)
    cells = [f"`{problem}`", shared, linked, "; ".join(cite for cite in cites if cite)]
    return f"| {' | '.join(cells)} |\n"


def _linked(problem: str, encoding: str) -> str:
    """An encoding that another problem lends has no file in this one."""
    path = f"{problem}/{encoding}.yaml"
    return f"[{encoding}](../specs/{path})" if (SPECS / path).exists() else encoding


def filled(page: str) -> str:
    """The page with the table where its mark is."""
    head = "| problem | what it is | encodings | source |\n|---|---|---|---|\n"
    rows = "".join(row(problem) for problem in problems())
    return page.replace(MARK, f"{head}{rows}")
