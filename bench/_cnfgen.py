"""Families of CNFgen, the corresponding problems, and the comparison of their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from bench._measure import BOARDSAT
from boardsat.generators import Formula, build, find

FAMILIES = Path(__file__).with_name("cnfgen_families.yaml")
CNFGEN = Path(BOARDSAT).with_name("cnfgen")

Clauses = list[list[int]]
Size = dict[str, str]


@dataclass(frozen=True)
class Family:
    """Formula family of CNFgen with its options, and the same formula as a problem of boardsat."""

    cnfgen: str
    """Arguments of CNFgen's command line, with a name in braces for each number."""
    problem: str
    settings: dict[str, str]
    sizes: tuple[Size, ...]
    quick: Size
    full: Size
    """Size at which CNFgen takes about ten seconds."""
    order: bool = False
    """True if the clauses are equal in the same order, not only as sets."""
    because: str = ""
    """Reason why the clauses differ, and what is equal; the compared sizes are deterministic."""
    function: str = ""
    """Function of CNFgen with its graphs, `GraphIsomorphism g:simple h:simple`; empty if CNFgen's
    command line has the family."""
    mended: bool = False
    """True if a fault in CNFgen's clauses is corrected before the comparison."""
    repeats: bool = False
    """True if CNFgen writes duplicate clauses."""
    alike: bool = False
    """True if only the numbers of variables, clauses, literals and models are equal."""
    note: str = ""
    """Remark in the table."""

    @property
    def name(self) -> str:
        """Arguments with the names of the numbers, as in `php m n --functional`."""
        return self.cnfgen.replace("{", "").replace("}", "")

    def words(self, size: Size) -> list[str]:
        """Return the arguments of CNFgen's command line."""
        return self.cnfgen.format_map(size).split()

    def chosen(self, size: Size) -> dict[str, str]:
        """Return the settings of boardsat that depend on the size."""
        keys_of = {key: set(re.findall(r"{(\w+)}", text)) for key, text in self.settings.items()}
        return {
            key: text.format_map(size)
            for key, text in self.settings.items()
            if keys_of[key] <= size.keys()
        }


@cache
def families() -> tuple[Family, ...]:
    entries: list[dict[str, Any]] = yaml.load(FAMILIES.read_text("utf-8"), yaml.BaseLoader)
    return tuple(_family(entry) for entry in entries)


def _family(entry: dict[str, Any]) -> Family:
    names = entry.get("numbers", "").split()
    measured = entry.get("measured", entry.get("numbers", "")).split()

    def size(text: str, names: list[str] = names) -> Size:
        return dict(zip(names, _values(text, len(names)), strict=True))

    return Family(
        entry["cnfgen"],
        entry["problem"],
        entry.get("settings", {}),
        tuple(size(text) for text in entry["sizes"]),
        size(entry["quick"], measured),
        size(entry["full"], measured),
        entry.get("order") == "same",
        entry.get("because", ""),
        entry.get("function", ""),
        "mended" in entry,
        "repeats" in entry,
        "alike" in entry,
        entry.get("note", ""),
    )


def _values(text: str, number: int) -> list[str]:
    """Split numbers at blanks, and graphs, which contain blanks, at slashes."""
    if number == 1:
        return [text]
    return text.split(" / ") if " / " in text else text.split()


def theirs(family: Family, size: Size) -> tuple[int, Clauses]:
    """Return the number of variables and the clauses of CNFgen."""
    from cnfgen.clitools import cnfgen  # type: ignore[import-untyped, unused-ignore]

    if family.function:
        formula = _called(family.function, size)
    else:
        formula = cnfgen(["cnfgen", *family.words(size)], mode="formula")
    clauses = [list(clause) for clause in formula]
    variables: int = formula.number_of_variables()
    return variables, _without_shift(clauses, size) if family.mended else clauses


def _called(function: str, size: Size) -> Any:
    """Return a formula of CNFgen's library, on graphs that its command line would construct."""
    import cnfgen  # type: ignore[import-untyped, unused-ignore]
    from cnfgen.clitools import make_graph_from_spec

    name, *arguments = function.split()
    kinds = (argument.split(":") for argument in arguments)
    graphs = [make_graph_from_spec(kind, size[key].split()) for key, kind in kinds]
    return getattr(cnfgen, name)(*graphs)


def _without_shift(clauses: Clauses, size: Size) -> Clauses:
    """Return the clauses of `pitfall` without a fault of CNFgen.

    In the hard part, which comes first, CNFgen shifts a negated edge by two variables too many.
    """
    safety, copies, degree = (int(size[name]) for name in ("z", "k", "d"))
    hard = int(size["v"]) * copies * 2 ** (degree - 1)
    return [
        [x + 2 if x < 0 else x for x in clause[:-safety]] + clause[-safety:]
        for clause in clauses[:hard]
    ] + clauses[hard:]


def ours(family: Family, size: Size) -> tuple[int, Clauses]:
    formula = build(find(family.problem), family.chosen(size))
    return formula.variables, list(_clauses(formula))


def _clauses(formula: Formula) -> Iterator[list[int]]:
    clause: list[int] = []
    for tokens in formula.arrays():
        for token in tokens.tolist():
            if token:
                clause.append(token)
            else:
                yield clause
                clause = []


def differ(family: Family, size: Size) -> str:
    """Return the unexpected differences, as text; empty without any."""
    (variables, mine), (theirs_, their_clauses) = ours(family, size), theirs(family, size)
    if variables != theirs_:
        return f"{variables} variables, CNFgen has {theirs_}"
    if family.alike:
        same = lengths(mine) == lengths(their_clauses)
        same = same and models(variables, mine) == models(variables, their_clauses)
    elif family.order:
        same = mine == their_clauses
    else:
        same = as_set(mine) == as_set(their_clauses)
    return "" if same else f"{len(mine)} clauses, CNFgen has {len(their_clauses)} others"


def lengths(clauses: Clauses) -> list[int]:
    return sorted(map(len, clauses))


def models(variables: int, clauses: Clauses) -> int:
    """Count the models by enumerating all assignments."""
    assignments = product((False, True), repeat=variables)
    return sum(
        all(any(assignment[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for assignment in assignments
    )


def as_set(clauses: Clauses) -> set[tuple[int, ...]]:
    """Return the clauses as a set of sorted tuples."""
    return {tuple(sorted(set(clause))) for clause in clauses}
