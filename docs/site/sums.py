"""The table of sizes of sums in docs/encodings.md: every encoding, beside those of PySAT, RustSAT.

`python docs/site/sums.py` writes it again after an encoding was added or changed. It needs the
packages of `pip install boardsat[bench]`.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
from pysat.pb import EncType, PBEnc
from rustsat import Lit, VarManager
from rustsat.encodings import pb as rust

from boardsat.generators import encodings
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import HUGE, auto

PAGE = Path(__file__).parents[2] / "docs/encodings.md"
TABLE = re.compile(r"<!-- sizes of sums -->\n(?:\|.*\n)*")
SUMS = ((10, 20), (20, 20), (50, 10), (20, 1000), (200, 10))
"""Numbers of literals, and maximum weights."""
OURS = [name for name in encodings.names("pb") if name != "auto"]
PYSAT = {"bdd": EncType.bdd, "gte": EncType.totalizer, "adder": EncType.adder}
RUST = {"gte": rust.GeneralizedTotalizer, "adder": rust.BinaryAdder}
"""Theirs, under the names of ours."""
UNTRIED = "too many"


def weights_of(n: int, largest: int) -> list[int]:
    chance = random.Random(n * largest)
    return sorted((chance.randint(1, largest) for _ in range(n)), reverse=True)


def ours(name: str, weights: Weights, low: int, high: int) -> str:
    """Fresh variables and clauses."""
    if encodings.tokens("pb", name, weights, low, high) == HUGE:
        return UNTRIED
    n = len(weights.each)
    x = np.arange(1, n + 1)
    tokens, fresh = encodings.load("pb", name).clauses(x, weights, low, high, n + 1)
    return f"{fresh:,} / {np.count_nonzero(tokens == 0):,}"


def of_pysat(name: str, weights: list[int], family: str, bound: int) -> str:
    make = PBEnc.atmost if family == "at most" else PBEnc.equals
    made = make(list(range(1, len(weights) + 1)), weights, bound, encoding=PYSAT[name])
    return f"{made.nv - len(weights):,} / {len(made.clauses):,}"


def of_rust(name: str, weights: list[int], family: str, bound: int) -> str:
    """Only what it has in one call."""
    if family != "at most":
        return ""
    manager = VarManager(len(weights) + 1)
    encoding = RUST[name]([(Lit(number), weight) for number, weight in enumerate(weights, 1)])
    made = encoding.encode_ub(bound, bound, manager)
    return f"{encoding.n_vars():,} / {len(made) + len(encoding.enforce_ub(bound)):,}"


def row(family: str, n: int, largest: int) -> str:
    each = weights_of(n, largest)
    bound = sum(each) // 2
    weights = Weights(tuple(each), (1,) * n)
    low = bound if family == "exactly" else 0
    sizes = {name: ours(name, weights, low, bound) for name in OURS}
    theirs = [
        UNTRIED if sizes[name] == UNTRIED else make(name, each, family, bound)
        for make, names in ((of_pysat, PYSAT), (of_rust, RUST))
        for name in names
    ]
    what = f"{family} half, {n} weights up to {largest:,}"
    taken = f"`{auto.choose(weights, low, bound)}`"
    return f"| {' | '.join([what, taken, *sizes.values(), *theirs])} |\n"


def renewed(page: str) -> str:
    """Return the page with an updated table."""
    names = [
        *(f"`{name}`" for name in OURS),
        *(f"PySAT {name}" for name in PYSAT),
        *(f"RustSAT {name}" for name in RUST),
    ]
    head = f"| sum | `auto` selects | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}\n"
    rows = "".join(row(family, *size) for size in SUMS for family in ("at most", "exactly"))
    return TABLE.sub(lambda _: f"<!-- sizes of sums -->\n{head}{rows}", page)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
