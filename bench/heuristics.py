"""Tours without a formula: times and success rates, compared with published ones.

The rules are measured alone, without the rotations that help them on in the solvers: 20 walks from
a corner with as many seeds, and 20 from squares that the colouring rule allows. The times are of
the whole command, with its check and its drawing; those beside them are of Hillerman, Thirumaran
and Vliet (2024), for their matrix overlay.
"""

from __future__ import annotations

import re
import time
from random import Random

from bench._measure import Row, answer_of
from boardsat.adapters.heuristics import Search, neural, warnsdorff
from boardsat.adapters.heuristics.neighbours import Rectangle

WALKS = 20
CORNER, ANYWHERE = "from a corner", "from anywhere"
NETWORKS = 40
CLAIMED = {
    20: "at least 98 %",
    50: "over 85 % below",
    100: "over 50 % below",
    200: "under 5 % above",
    400: "none above 325",
}
"""Ties at random: Squirrel and Cull (1996); to 25 x 25 Ganzfried (2004)."""


def run() -> list[Row]:
    return [
        _command(100, "under 3 s", 3),
        _command(400, "around 30 s", 3),
        _command(1000, "-", None),
        *(
            _walks(ties, side, start)
            for ties in warnsdorff.TIES
            for side in CLAIMED
            for start in (CORNER, ANYWHERE)
        ),
        *(_networks(side) for side in (6, 8, 12, 16, 20, 28)),
    ]


def _command(side: int, theirs: str, target: float | None) -> Row:
    """Find an open tour with Pohl's tie-breaking."""
    arguments = ("solve", "tour", "-n", str(side), "--set", "closed=false")
    outcome = answer_of(*arguments, "--solver", "warnsdorff-pohl")
    if not outcome.output.endswith("checked: board\n"):
        raise RuntimeError(outcome.output[:200])
    memory = re.findall(r"\d+ MB", outcome.output.partition("\n")[0])
    return Row(
        f"open {side}x{side}, checked and drawn, CPU",
        f"{outcome.cpu:.1f} s, solver {memory[0]}",
        theirs,
        target=f"at most {target} s" if target else "-",
        met=outcome.cpu <= target if target else None,
    )


def _walks(ties: str, side: int, start_kind: str) -> Row:
    board = Rectangle(side, side)
    neighbours = board.neighbours()
    random = Random(side)
    begun = time.process_time()
    complete = 0
    for seed in range(WALKS):
        start = 0 if start_kind == CORNER else _start(random, side)
        search = Search(neighbours, start, False, Random(seed), board)
        stages = warnsdorff.TIES[ties](search, 0)
        path = warnsdorff.walk_from_start(search, neighbours.lists(), stages)
        complete += len(path) == board.cells
    seconds = time.process_time() - begun
    return Row(
        f"Warnsdorff, {ties} ties, {side}x{side}, {start_kind}: tours",
        f"{100 * complete // WALKS} % ({seconds:.1f} s)",
        _claim(ties, side) if start_kind == CORNER else "-",
    )


def _claim(ties: str, side: int) -> str:
    return {"random": CLAIMED[side], "squirrel-cull": "100 % from 112 on"}.get(ties, "-")


def _start(random: Random, side: int) -> int:
    """Return a square from which the colouring allows an open tour."""
    while True:
        row, column = random.randrange(side), random.randrange(side)
        if side % 2 == 0 or (row + column) % 2 == 0:
            return row * side + column


def _networks(side: int) -> Row:
    """Count the networks that converge, those that are one circuit, and those patched to one."""
    neighbours = Rectangle(side, side).neighbours()
    settled = [neural.settle(neighbours, Random(seed)) for seed in range(NETWORKS)]
    at_rest = [links for links in settled if links is not None]
    single = sum(len(links.circuits()) == 1 for links in at_rest)
    patched = sum(neural.join_all(links, neighbours) for links in at_rest)
    percent = [f"{100 * number // NETWORKS} %" for number in (len(at_rest), single, patched)]
    return Row(
        f"neural {side}x{side}: at rest, one circuit, patched to one",
        ", ".join(percent),
        "-, 1 of 200,000, -" if side == 28 else "-",
    )
