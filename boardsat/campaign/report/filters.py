"""Which runs are meant: conditions on any column of a row, such as solver=cadical or n>=8."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.campaign.report.run_table import Row, text_of

_CONDITION = re.compile(r"([\w.-]+)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.S)
_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OF_INSTANCE = ("parameters", "transforms", "statistics")
"""Their names are enough, where no field has the same."""


@dataclass(frozen=True)
class Condition:
    column: str
    sign: str
    value: str

    def holds(self, row: Row) -> bool:
        found = row.get(self.column)
        if self.sign in _ORDERS:
            number = _number(found)
            return number is not None and _ORDERS[self.sign](number, float(self.value))
        return self._is(found) == (self.sign == "=")

    def _is(self, found: Any) -> bool:
        if isinstance(found, tuple):
            return self.value in map(str, found) or (not found and not self.value)
        if text_of(found) == self.value:
            return True
        if self.column == "solver":
            return Path(str(found)).stem == self.value
        number = _number(found)
        return number is not None and number == _number(self.value)


def conditions(texts: Iterable[str], columns: Sequence[str]) -> list[Condition]:
    return [_condition(text, columns) for text in texts]


def kept(rows: Iterable[Row], wanted: Sequence[Condition]) -> Iterator[Row]:
    return (row for row in rows if all(condition.holds(row) for condition in wanted))


def _condition(text: str, columns: Sequence[str]) -> Condition:
    match = _CONDITION.fullmatch(text)
    if not match:
        raise InputError(
            f"{text[:60]!r} is no condition", "write solver=cadical or n>=8", "--where"
        )
    name, sign, value = match.groups()
    column = next((c for c in (name, *(f"{o}.{name}" for o in _OF_INSTANCE)) if c in columns), None)
    if column is None:
        raise InputError(f"no column {name[:60]!r}", suggest(name, _known(columns)), "--where")
    if sign in _ORDERS and _number(value) is None:
        raise InputError(f"{value[:60]!r} is not a number", f"compare {column} to one", "--where")
    return Condition(column, sign, value)


def _known(columns: Sequence[str]) -> list[str]:
    return [column.removeprefix("parameters.") for column in columns]


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(str(value))
    except ValueError:
        return None
