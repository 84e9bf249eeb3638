"""The table of sizes of bounds in docs/encodings.md: every encoding, beside those of PySAT.

`python docs/site/bounds.py` writes it again after an encoding was added or changed.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from pysat.card import CardEnc, EncType

from boardsat.generators import encodings
from boardsat.generators.encodings.card import auto, binomial

PAGE = Path(__file__).parents[2] / "docs/encodings.md"
TABLE = re.compile(r"<!-- sizes of bounds -->\n(?:\|.*\n)*")
BOUNDS = ((2, 8), (2, 18), (2, 100), (50, 100), (98, 100), (2, 400))
OURS = [name for name in encodings.names("card") if name != "auto"]
THEIRS = {
    "seqcounter": EncType.seqcounter,
    "totalizer": EncType.totalizer,
    "kmtotalizer": EncType.kmtotalizer,
    "cardnetwrk": EncType.cardnetwrk,
}
FAMILIES = {"at most": CardEnc.atmost, "at least": CardEnc.atleast, "exactly": CardEnc.equals}
MOST = 10**7
"""Maximum size; larger encodings are not practical."""


def ours(name: str, n: int, low: int, high: int) -> str:
    """Fresh variables and clauses."""
    if name == "binomial" and binomial.tokens(n, low, high) > MOST:
        return "too many"
    tokens, fresh = encodings.load("card", name).clauses(np.arange(1, n + 1), low, high, n + 1)
    return f"{fresh:,} / {np.count_nonzero(tokens == 0):,}"


def theirs(family: str, method: int, n: int, k: int) -> str:
    made = FAMILIES[family](list(range(1, n + 1)), k, encoding=method)
    return f"{made.nv - n:,} / {len(made.clauses):,}"


def row(family: str, k: int, n: int) -> str:
    low, high = 0 if family == "at most" else k, n if family == "at least" else k
    cells = [
        f"{family} {k} of {n}",
        f"`{auto.choose(n, low, high)}`",
        *(ours(name, n, low, high) for name in OURS),
        *(theirs(family, method, n, k) for method in THEIRS.values()),
    ]
    return f"| {' | '.join(cells)} |\n"


def renewed(page: str) -> str:
    """Return the page with an updated table."""
    names = [*(f"`{name}`" for name in OURS), *(f"PySAT {name}" for name in THEIRS)]
    head = f"| bound | `auto` selects | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}\n"
    rows = "".join(row(family, k, n) for k, n in BOUNDS for family in FAMILIES)
    return TABLE.sub(lambda _: f"<!-- sizes of bounds -->\n{head}{rows}", page)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
