"""Table of runs: a row for each, conditions that select rows, and exports (CSV, JSON, Parquet).

A row has the fields of its record, measurements derived from them, and the data of its instance.
"""

from __future__ import annotations

import csv
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.text import suggest
from boardsat.campaign import folder as folders
from boardsat.campaign.folder import CampaignInstance
from boardsat.campaign.report.measurement import is_contended
from boardsat.campaign.runner.records import RunRecord

Row = dict[str, Any]

_RECORD_COLUMNS = (
    *("key", "problem", "encoding", "variant", "expected", "formula", "solver", "task", "runtime"),
    *("version", "status", "reason", "end", "fault", "wrong", "checked", "unchecked", "objects"),
    *("models", "value", "exact", "interval", "wall", "cpu", "memory", "solver_wall", "solver_cpu"),
    *("solver_memory", "load", "limit", "cpu_limit", "memory_limit", "instance", "seed", "repeat"),
    *("tries", "image", "setup", "clock", "host", "processor", "command", "true", "tour", "kept"),
    *("proof_kind", "proof_bytes", "finished"),
)
_DERIVED = ("scored_wall", "scored_cpu", "scored_memory", "cpu_share", "contended")
_INSTANCE_FIELDS = ("title", "bytes", "variables", "clauses", "file", "tool")
_OPTIONAL_PREFIXES = ("parameters", "transforms", "statistics")
"""Prefixes of columns that a condition may omit, unless a field has the same name."""


class Runs:
    """Runs of a folder, grouped by instance."""

    def __init__(self, folder: Path) -> None:
        instances, store = folders.read_results(folder)
        self.note = folders.outdated_note(store)
        self.instances = instances.by_formula()
        positions = {formula: number for number, formula in enumerate(self.instances)}

        def position(record: RunRecord) -> tuple[Any, ...]:
            question, identity, attempt = record.question, record.identity, record.attempt
            return (
                positions.get(question.formula, len(positions)),
                *(question.task, identity.name, identity.version, record.limits.wall or 0),
                *(-1 if attempt.seed is None else attempt.seed, attempt.repeat),
            )

        self.records = sorted(store.records.values(), key=position)

    def columns(self) -> list[str]:
        """Return the names of all columns: of records, of instances, then search statistics."""
        fields = dict.fromkeys((*_RECORD_COLUMNS, *_DERIVED))
        instance_columns = dict.fromkeys(_INSTANCE_FIELDS)
        formulas = {record.question.formula for record in self.records}
        for instance in self.instances.values():
            if instance.formula in formulas:
                instance_columns |= dict.fromkeys(_instance_row(instance))
        numbers = dict.fromkeys(
            f"statistics.{k}" for r in self.records for k in r.execution.statistics
        )
        return [*fields, *instance_columns, *numbers]

    def __iter__(self) -> Iterator[Row]:
        instances = {
            formula: _instance_row(instance) for formula, instance in self.instances.items()
        }
        for record in self.records:
            yield {
                **_record_row(record),
                **instances.get(record.question.formula, {}),
                **{f"statistics.{k}": value for k, value in record.execution.statistics.items()},
            }


def _record_row(record: RunRecord) -> Row:
    fields, usage = json_data.encode(record), record.usage
    scored = usage.scored_wall, usage.scored_cpu, usage.scored_memory
    derived = zip(_DERIVED, (*scored, record.cpu_share, is_contended(record)), strict=True)
    return {column: fields[column] for column in _RECORD_COLUMNS} | dict(derived)


def _instance_row(instance: CampaignInstance) -> Row:
    return {
        "title": instance.description.title,
        **vars(instance.size),
        "file": instance.source.file,
        "tool": instance.tool,
        **{f"parameters.{key}": value for key, value in instance.description.parameters.items()},
        **{f"transforms.{key}": value for key, value in instance.description.transforms.items()},
    }


def cell_text(value: Any) -> str:
    """Return a value as the text of a table cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value)


_CONDITION = re.compile(r"([\w.-]+)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.S)
_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Condition:
    """Condition on a column of a row, such as solver=cadical or n>=8."""

    column: str
    sign: str
    value: str

    def holds(self, row: Row) -> bool:
        """Return whether the condition is true of the row."""
        cell = row.get(self.column)
        if self.sign in _ORDERS:
            number = _number(cell)
            return number is not None and _ORDERS[self.sign](number, float(self.value))
        return self._equals(cell) == (self.sign == "=")

    def _equals(self, cell: Any) -> bool:
        if isinstance(cell, tuple):
            return self.value in map(str, cell) or (not cell and not self.value)
        if cell_text(cell) == self.value:
            return True
        if self.column == "solver":
            return Path(str(cell)).stem == self.value
        number = _number(cell)
        return number is not None and number == _number(self.value)


def parse_condition(text: str, columns: Sequence[str]) -> Condition:
    """Return the condition; raise InputError if it is malformed or names an unknown column."""
    match = _CONDITION.fullmatch(text)
    if not match:
        fault = f"a condition must have the form COLUMN=VALUE (got {text[:60]!r})"
        raise InputError(fault, "write for example solver=cadical or n>=8", "--where")
    name, sign, value = match.groups()
    names = (name, *(f"{prefix}.{name}" for prefix in _OPTIONAL_PREFIXES))
    column = next((column for column in names if column in columns), None)
    if column is None:
        choices = [column.removeprefix("parameters.") for column in columns]
        fault = f"the results have no column {name[:60]!r}"
        raise InputError(fault, suggest(name, choices), "--where")
    if sign in _ORDERS and _number(value) is None:
        fault = f"{column} must be compared with a number by {sign} (got {value[:60]!r})"
        raise InputError(fault, "", "--where")
    return Condition(column, sign, value)


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(str(value))
    except ValueError:
        return None


def write_csv(columns: Sequence[str], rows: Iterable[Row], stream: TextIO) -> None:
    """Write the rows as CSV with a header."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([cell_text(row.get(column)) for column in columns])


def write_json(columns: Sequence[str], rows: Iterable[Row], stream: TextIO) -> None:
    """Write the rows as a JSON list, one object a line; every object has every column."""
    separator = "[\n"
    for row in rows:
        stream.write(separator + json.dumps({column: row.get(column) for column in columns}))
        separator = ",\n"
    stream.write("\n]\n" if separator != "[\n" else "[]\n")


def write_parquet(columns: Sequence[str], rows: Iterable[Row], target: str) -> int:
    """Write the rows as a Parquet file, complete or not at all; return their number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def array(cells: Sequence[Any]) -> pa.Array:
        """Return a column as text if its cells have no common type, or a number exceeds 64 bits."""
        try:
            column = pa.array(cells)
            if not pa.types.is_null(column.type):
                return column
        except (pa.ArrowException, OverflowError):
            pass
        texts = (None if cell is None else cell_text(cell) for cell in cells)
        return pa.array(texts, pa.string())

    listed = list(rows)
    arrays = [array([row.get(column) for row in listed]) for column in columns]
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, list(columns)), buffer)
    write_file(target, [memoryview(buffer.getvalue())])
    return len(listed)
