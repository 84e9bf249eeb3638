"""Results of a validation on disk: what can be read is whole, and the rest runs again."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from boardsat.adapters.answer import Status
from boardsat.campaign.runner.records import CLOCK, Question, RunRecord, record_from, to_line
from boardsat.campaign.runner.store import NAME, Store
from fuzz.judging import scratch
from fuzz.target import Target

WORDS = (
    *('"status"', '"SATISFIABLE"', '"UNKNOWN"', '"MAYBE"', '"key"', '"task"', '"end"', '"wrong"'),
    *('"objects"', '"interval"', '"true"', '"tour"', "null", "[1, 2]", '"decide"', '"count"'),
)


@cache
def seeds() -> list[bytes]:
    plain = RunRecord(
        *("k" * 64, "queens", "squares", "", None, "f" * 64, "cadical", Question.DECIDE),
        *("embedded", "1.9.5", "SATISFIABLE"),
        checked=("model",),
        true=(2, 8, 9, 15),
        command=("solve", "x"),
        clock=CLOCK,
    )
    count = RunRecord(
        *("c" * 64, "queens", "squares", "", "SATISFIABLE", "f" * 64, "ganak", Question.COUNT),
        *("embedded", "2.8", "SATISFIABLE"),
        objects=2,
        interval=(1, 3),
        exact=False,
        wall=0.5,
        limit=20.0,
        clock=CLOCK,
    )
    one, two = to_line(plain).encode(), to_line(count).encode()
    return [one, two, one + two, one + two[:80]]


def check(data: bytes) -> None:
    folder = scratch() / "results"
    folder.mkdir(exist_ok=True)
    (folder / NAME).write_bytes(data)
    store = Store(folder)
    lines = [*map(loaded, data.split(b"\n"))]
    for record in store.records.values():
        said = json.loads(to_line(record))
        assert any(line.items() <= said.items() for line in lines if line), "nobody said that"
        assert isinstance(record.says, Status)
        assert record.answered in (True, False) and record.timed_out in (True, False)
        assert isinstance(record.where, str) and isinstance(record.name, str)
        assert record_from(to_line(record)) == record
        for numbers in (record.true, record.tour, record.interval):
            assert numbers is None or all(type(number) is int for number in numbers)
        assert record.objects is None or type(record.objects) is int
        assert all(isinstance(number, int | float) for number in (record.wall, record.limit or 0.0))


def loaded(line: bytes) -> dict[str, Any]:
    """What a line says, values as texts, without boardsat."""
    try:
        found = json.loads(line)
        return found if isinstance(found, dict) else {}
    except (ValueError, RecursionError):
        return {}


TARGET = Target(seeds, check, words=WORDS)
