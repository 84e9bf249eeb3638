"""200 pigeons into 199 holes, against CNFgen writing the same clauses."""

from __future__ import annotations

from pathlib import Path

from bench._measure import BOARDSAT, Row, best_of, best_process, clauses_digest, process, scratch
from boardsat.generators import build, find, write

TARGET = 80
SIZES = {"pigeons": 200, "holes": 199}
CNFGEN = Path(BOARDSAT).with_name("cnfgen")


def run() -> list[Row]:
    """Whole processes, and what of them is work. CNFgen runs once: that is long enough."""
    if not CNFGEN.exists():
        raise RuntimeError("no CNFgen here; pip install -e '.[bench]'")
    with scratch() as folder:
        ours, theirs = folder / "ours.cnf", folder / "theirs.cnf"
        cnfgen = [str(CNFGEN), "-o", str(theirs), "php"]
        start = best_process(3, [*cnfgen, "2", "1"], theirs)
        slow = process([*cnfgen, "200", "199"])
        settings = [f"--set={key}={value}" for key, value in SIZES.items()]
        command = [BOARDSAT, "cnf", "pigeonhole", *settings, "-o", str(ours)]
        fast = best_process(7, command, ours)
        if clauses_digest(ours) != clauses_digest(theirs):
            raise RuntimeError("CNFgen's clauses are not ours")
        [work] = best_of(7, lambda: write(build(find("pigeonhole"), SIZES), str(ours)))
    times = slow.cpu / fast.cpu
    return [
        Row(
            "pigeonhole 200 into 199, CNFgen",
            f"{fast.cpu:.2f} s",
            f"{slow.cpu:.1f} s",
            f"{times:.0f} times",
            f"at least {TARGET} times",
            times >= TARGET,
        ),
        Row(
            "pigeonhole 200 into 199, CNFgen, imports left out",
            f"{work:.2f} s",
            f"{slow.cpu - start.cpu:.1f} s",
            f"{(slow.cpu - start.cpu) / work:.0f} times",
        ),
    ]
