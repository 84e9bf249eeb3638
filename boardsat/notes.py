"""Faults of a file that was read leniently, reported after the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.errors import one_line

if TYPE_CHECKING:
    from boardsat.problem import Instance


def notes(instance: Instance) -> list[str]:
    return [f"note: {one_line(note)}" for note in instance.notes]
