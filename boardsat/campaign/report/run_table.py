"""One flat row for every run: the fields of its record, and what is known of its instance."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardsat.campaign import folder as folders
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.report.measurement import is_contended
from boardsat.campaign.runner.records import RunRecord

Row = dict[str, Any]

_FIELDS = tuple(field.name for field in dataclasses.fields(RunRecord) if field.name != "statistics")
_DERIVED = ("scored_wall", "scored_cpu", "scored_memory", "cpu_share")
"""Properties of a record that are columns."""
CONTENDED = "contended"
_OF_INSTANCE = ("title", "bytes", "variables", "clauses", "file", "tool")


class Runs:
    """The runs of a folder, those of one instance side by side."""

    def __init__(self, folder: Path) -> None:
        instances, store = folders.read(folder)
        self.note = folders.outdated_note(store)
        self.instances = instances.by_formula()
        places = {formula: place for place, formula in enumerate(self.instances)}

        def place(record: RunRecord) -> tuple[Any, ...]:
            last = len(places)
            seed = -1 if record.seed is None else record.seed
            who = (record.task, record.solver, record.version, record.limit or 0)
            return places.get(record.formula, last), *who, seed, record.repeat

        self.records = sorted(store.known.values(), key=place)

    def columns(self) -> list[str]:
        """Every name that some row has: fields first, then of the instance, then of the search."""
        told = dict.fromkeys((*_FIELDS, *_DERIVED, CONTENDED))
        found = dict.fromkeys(_OF_INSTANCE)
        seen = {record.formula for record in self.records}
        for instance in self.instances.values():
            if instance.formula in seen:
                found |= dict.fromkeys(_of_instance(instance))
        numbers = dict.fromkeys(f"statistics.{k}" for r in self.records for k in r.statistics)
        return [*told, *found, *numbers]

    def __iter__(self) -> Iterator[Row]:
        known = {formula: _of_instance(each) for formula, each in self.instances.items()}
        for record in self.records:
            yield {
                **{name: getattr(record, name) for name in (*_FIELDS, *_DERIVED)},
                CONTENDED: is_contended(record),
                **known.get(record.formula, {}),
                **{f"statistics.{key}": number for key, number in record.statistics.items()},
            }


def _of_instance(instance: CampaignInstance) -> Row:
    return {
        **{name: getattr(instance, name) for name in _OF_INSTANCE},
        **{f"parameters.{key}": value for key, value in instance.parameters.items()},
        **{f"transforms.{key}": value for key, value in instance.transforms.items()},
    }


def text_of(value: Any) -> str:
    """A value in a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value)
