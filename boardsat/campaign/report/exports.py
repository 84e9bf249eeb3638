"""Rows for other programs: as CSV, as JSON, and as a Parquet file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.campaign.report.run_table import Row, text_of

BATCH = 5_000
"""Rows of a group in a Parquet file."""
_LARGEST = 2**63


def write_csv(columns: Sequence[str], rows: Iterable[Row], stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([text_of(row.get(column)) for column in columns])


def write_json(columns: Sequence[str], rows: Iterable[Row], stream: TextIO) -> None:
    """A list of objects, each on a line; every one has every column."""
    between = "[\n"
    for row in rows:
        stream.write(between + json.dumps({column: row.get(column) for column in columns}))
        between = ",\n"
    stream.write("\n]\n" if between != "[\n" else "[]\n")


def refuse_no_parquet() -> None:
    """Before any work."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError(
            "pyarrow is not installed", "pip install 'boardsat[report]'", "--parquet"
        ) from None


def write_parquet(columns: Sequence[str], rows: Iterable[Row], target: str) -> int:
    """The number of rows that were written, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    listed = list(rows)
    kinds = {column: _kind(row.get(column) for row in listed) for column in columns}
    types = {
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        str: pa.string(),
        (int,): pa.list_(pa.int64()),
        (str,): pa.list_(pa.string()),
    }
    schema = pa.schema([(column, types[kinds[column]]) for column in columns])
    buffer = pa.BufferOutputStream()
    with pq.ParquetWriter(buffer, schema) as writer:
        for batch in _batches(listed):
            arrays = [
                pa.array([_as(kinds[c], row.get(c)) for row in batch], types[kinds[c]])
                for c in columns
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
    write_file(target, [memoryview(buffer.getvalue())])
    return len(listed)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield batch


def _kind(values: Iterable[Any]) -> Any:
    """What all values of a column are; text where they differ, or where a number is too large."""
    kinds = {_kind_of(value) for value in values if value is not None and value != ()}
    if len(kinds) == 1:
        return kinds.pop()
    if kinds == {int, float}:
        return float
    return (str,) if kinds and all(isinstance(kind, tuple) for kind in kinds) else str


def _kind_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return (int,) if all(_is_small(each) for each in value) else (str,)
    if isinstance(value, bool):
        return bool
    if isinstance(value, int):
        return int if _is_small(value) else str
    return float if isinstance(value, float) else str


def _is_small(value: object) -> bool:
    return isinstance(value, int) and abs(value) < _LARGEST


def _as(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if kind is str:
        return text_of(value)
    if kind == (str,):
        return [str(each) for each in value]
    return list(value) if isinstance(kind, tuple) else kind(value)
