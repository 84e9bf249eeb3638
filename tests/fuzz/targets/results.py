"""Stored results of a validation: readable records are complete, all others run again."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from boardsat.adapters.answer import Status
from boardsat.campaign.runner.records import CLOCK, record_from, to_line
from boardsat.campaign.runner.store import NAME, Store
from fuzz.judging import scratch
from fuzz.target import Target

TOKENS = (
    *('"status"', '"SATISFIABLE"', '"UNKNOWN"', '"MAYBE"', '"key"', '"task"', '"end"', '"wrong"'),
    *('"objects"', '"interval"', '"true"', '"tour"', "null", "[1, 2]", '"decide"', '"count"'),
)


@cache
def seeds() -> list[bytes]:
    entry = {"problem": "queens", "encoding": "squares", "variant": "", "formula": "f" * 64}
    entry |= {"runtime": "embedded", "status": "SATISFIABLE", "clock": CLOCK}
    plain = entry | {"key": "k" * 64, "expected": None, "solver": "cadical", "task": "decide"}
    plain |= {"version": "1.9.5", "checked": ["model"], "true": [2, 8, 9, 15]}
    count = entry | {"key": "c" * 64, "expected": "SATISFIABLE", "solver": "ganak", "task": "count"}
    count |= {"version": "2.8", "objects": 2, "interval": [1, 3], "exact": False}
    count |= {"wall": 0.5, "limit": 20.0, "command": ["solve", "x"]}
    first, two = (to_line(record_from(json.dumps(record))).encode() for record in (plain, count))
    return [first, two, first + two, first + two[:80]]


def check(data: bytes) -> None:
    folder = scratch() / "results"
    folder.mkdir(exist_ok=True)
    (folder / NAME).write_bytes(data)
    store = Store(folder)
    lines = [*map(loaded, data.split(b"\n"))]
    for record in store.records.values():
        document = json.loads(to_line(record))
        assert any(line.items() <= document.items() for line in lines if line), "nobody said that"
        assert isinstance(record.outcome.parsed_status, Status)
        assert record.answered in (True, False) and record.timed_out in (True, False)
        assert isinstance(record.question.varied_encoding, str) and isinstance(
            record.identity.label, str
        )
        assert record_from(to_line(record)) == record
        for numbers in (record.artifacts.true, record.artifacts.tour, record.count.interval):
            assert numbers is None or all(type(number) is int for number in numbers)
        assert record.count.objects is None or type(record.count.objects) is int
        assert all(
            isinstance(number, int | float)
            for number in (record.usage.wall, record.limits.wall or 0.0)
        )


def loaded(line: bytes) -> dict[str, Any]:
    """Return the entries of a line, read without boardsat."""
    try:
        document = json.loads(line)
        return document if isinstance(document, dict) else {}
    except (ValueError, RecursionError):
        return {}


TARGET = Target(seeds, check, tokens=TOKENS)
