"""Faults of a file that was read leniently, reported after the answer."""

from __future__ import annotations

from typing import Protocol

from boardsat.generators.errors import one_line


class Noted(Protocol):
    @property
    def notes(self) -> tuple[str, ...]: ...


def notes(about: Noted) -> list[str]:
    return [f"note: {one_line(note)}" for note in about.notes]
