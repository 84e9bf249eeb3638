"""What was wrong with a file that was read all the same: told after the answer about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.errors import one_line

if TYPE_CHECKING:
    from boardsat.problem import Instance


def notes(instance: Instance) -> list[str]:
    return [f"note: {one_line(note)}" for note in instance.notes]
