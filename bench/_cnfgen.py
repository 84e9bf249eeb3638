"""The families of CNFgen, how boardsat writes each, and whether their clauses are the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
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
    """A family of CNFgen with its options, and the same as a problem of boardsat."""

    cnfgen: str
    """Its words on CNFgen's command line, with a name in braces for each number."""
    problem: str
    settings: dict[str, str]
    sizes: tuple[Size, ...]
    quick: Size
    full: Size
    """Where CNFgen takes about ten seconds."""
    order: bool = False
    """Whether the clauses are the same line by line, and not only as sets."""
    because: str = ""
    """Why clauses cannot be the same; then what is compared is said by `random`."""

    @property
    def name(self) -> str:
        """Its words with names for the numbers, as in `php m n --functional`."""
        return self.cnfgen.replace("{", "").replace("}", "")

    def words(self, size: Size) -> list[str]:
        """The command line of CNFgen, after its own name."""
        return self.cnfgen.format_map(size).split()

    def chosen(self, size: Size) -> dict[str, str]:
        """The settings of boardsat."""
        return {key: text.format_map(size) for key, text in self.settings.items()}


@cache
def families() -> tuple[Family, ...]:
    told: list[dict[str, Any]] = yaml.load(FAMILIES.read_text("utf-8"), yaml.BaseLoader)
    return tuple(_family(entry) for entry in told)


def _family(told: dict[str, Any]) -> Family:
    names = told["numbers"].split()

    def size(text: str) -> Size:
        return dict(zip(names, text.split(), strict=True))

    return Family(
        told["cnfgen"],
        told["problem"],
        told.get("settings", {}),
        tuple(size(text) for text in told["sizes"]),
        size(told["quick"]),
        size(told["full"]),
        told.get("order") == "same",
        told.get("because", ""),
    )


def theirs(family: Family, size: Size) -> tuple[int, Clauses]:
    """How many variables CNFgen has, and its clauses."""
    from cnfgen.clitools import cnfgen  # type: ignore[import-untyped, unused-ignore]

    formula = cnfgen(["cnfgen", *family.words(size)], mode="formula")
    return formula.number_of_variables(), [list(clause) for clause in formula]


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


def as_set(clauses: Clauses) -> set[tuple[int, ...]]:
    """In no order, neither of clauses nor in them."""
    return {tuple(sorted(set(clause))) for clause in clauses}
