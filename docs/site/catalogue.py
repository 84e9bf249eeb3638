"""Table of problems in docs/catalogue.md, generated from the specs.

`python docs/site/catalogue.py` writes it again after a spec was added or changed.
"""

from __future__ import annotations

import re
from pathlib import Path

from boardsat.generators.spec.catalogue import encodings_of, find, problems

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/catalogue.md"
SPECS = ROOT / "specs"
TABLE = re.compile(r"<!-- problems -->\n(?:\|.*\n)*")


def row(problem: str) -> str:
    names = encodings_of(problem)
    first = find(f"{problem}/{names[0]}")
    shared, _, _ = first.description.title.partition(", ")
    # Where there are many, each has its own, which its file tells.
    cites = {find(f"{problem}/{name}").description.cite: None for name in names if len(names) < 4}
    linked = ", ".join(_linked(problem, name) for name in names)
    cells = [f"`{problem}`", shared, linked, "; ".join(cite for cite in cites if cite)]
    return f"| {' | '.join(cells)} |\n"


def _linked(problem: str, encoding: str) -> str:
    """Return the encodings of a problem that have a file in its folder."""
    path = f"{problem}/{encoding}.yaml"
    return f"[{encoding}](../specs/{path})" if (SPECS / path).exists() else encoding


def renewed(page: str) -> str:
    """Return the text of the page with the table generated anew."""
    head = "| problem | title | encodings | source |\n|---|---|---|---|\n"
    rows = "".join(row(problem) for problem in problems())
    return TABLE.sub(lambda _: f"<!-- problems -->\n{head}{rows}", page)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
