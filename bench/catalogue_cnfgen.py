"""Every family of CNFgen beside the same clauses of boardsat, each as a whole process.

python -m bench catalogue_cnfgen          sizes where CNFgen takes about a second
python -m bench.catalogue_cnfgen          the same as a table, written into docs/catalogue.md
python -m bench.catalogue_cnfgen --full   sizes where it takes about ten seconds
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bench._cnfgen import CNFGEN, Family, Size, differ, families
from bench._measure import BOARDSAT, ROOT, Process, Row, best_process, process, scratch

PAGE = ROOT / "docs/catalogue.md"
TABLE = re.compile(r"<!-- beside CNFgen -->\n(?:\|.*\n)*")
HEAD = ("CNFgen", "boardsat", "sizes compared", "clauses", "size measured", "CPU", "CNFgen's", "")
TOP = f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}\n"


def measured(family: Family, size: Size, repetitions: int) -> tuple[Process, Process]:
    """Measure the best time of boardsat, and one run of CNFgen."""
    with scratch() as folder:
        our_file, their_file = folder / "ours.cnf", folder / "theirs.cnf"
        settings = [f"--set={key}={value}" for key, value in family.chosen(size).items()]
        command = [BOARDSAT, "cnf", family.problem, *settings, "-o", str(our_file)]
        slow = process([str(CNFGEN), "-q", "-o", str(their_file), *family.words(size)])
        fast = best_process(repetitions, command, our_file)
        comparable = not (family.because or family.repeats)
        if comparable and header(our_file) != header(their_file):
            raise RuntimeError(f"{family.name}: CNFgen's formula has another size")
    return fast, slow


def header(path: Path) -> str:
    with path.open(encoding="ascii") as file:
        return next(line for line in file if line.startswith("p "))


def said(size: Size) -> str:
    """Numbers with spaces between them; graphs with commas, as they have spaces themselves."""
    between = ", " if any(" " in value for value in size.values()) else " "
    return between.join(size.values())


def run() -> list[Row]:
    if not CNFGEN.exists():
        raise RuntimeError("no CNFgen here; pip install -e '.[bench]'")
    return list(rows())


def rows() -> Iterator[Row]:
    for family in families():
        fast, slow = measured(family, family.quick, 3)
        name = f"{family.name}, {said(family.quick)}"
        ratio = times(slow.cpu / fast.cpu)
        yield Row(name, f"{fast.cpu:.2f} s", f"{slow.cpu:.1f} s", ratio)


def times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 10 else f"{ratio:.0f} times"


def line(family: Family, size: Size) -> str:
    """Return a line of the page, with the comparison and the times of this run."""
    fast, slow = measured(family, size, 3)
    cells = [
        *facts(family),
        said(size),
        f"{fast.cpu:.2f} s",
        f"{slow.cpu:.1f} s",
        times(slow.cpu / fast.cpu),
    ]
    return f"| {' | '.join(cells)} |\n"


def facts(family: Family) -> list[str]:
    """Return the description of what the tests compare."""
    sizes = "; ".join(map(said, family.sizes))
    options = "".join(f" {key}={text}" for key, text in family.settings.items() if "{" not in text)
    return [f"`{family.name}`", f"`{family.problem}{options}`", sizes, verdict(family)]


def verdict(family: Family) -> str:
    if family.because:
        return family.because
    same = "the same lines" if family.order else "the same set"
    return f"{same}; {family.note}" if family.note else same


def renewed(page: str, name: str, row: str) -> str:
    """Return the page with the line of one family replaced."""
    table = TABLE.search(page)
    assert table, "docs/catalogue.md has its mark"
    row_of = {text.split(" | ")[0]: text for text in table[0].splitlines(keepends=True)[3:]}
    row_of[f"| `{name}`"] = row
    lines = [row_of.get(f"| `{family.name}`", "") for family in families()]
    return TABLE.sub(lambda _: f"<!-- beside CNFgen -->\n{TOP}{''.join(lines)}", page)


def check(family: Family) -> None:
    """Assert that the page's statements about the clauses are true."""
    for size in family.sizes:
        if difference := differ(family, size):
            raise RuntimeError(f"{family.name} {said(size)}: {difference}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.catalogue_cnfgen", description=__doc__)
    parser.add_argument("--full", action="store_true", help="measure full sizes")
    parser.add_argument("names", nargs="*", help="families, as the page names them; default: all")
    options = parser.parse_args()
    some = [family for family in families() if not options.names or family.name in options.names]
    print(TOP, end="", flush=True)
    for family in some:
        check(family)
        row = line(family, family.full if options.full else family.quick)
        print(row, end="", flush=True)
        # What was measured is not lost if the next one fails.
        PAGE.write_text(renewed(PAGE.read_text("utf-8"), family.name, row), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
