"""What is reported after an answer: faults of a file read leniently, and what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from boardsat.base.text import one_line

if TYPE_CHECKING:
    from boardsat.instance.formula_file import Instance


class Noted(Protocol):
    @property
    def notes(self) -> tuple[str, ...]: ...


def notes(about: Noted) -> list[str]:
    return [f"note: {one_line(note)}" for note in about.notes]


def symmetry(instance: Instance) -> list[str]:
    """That solutions are left out which others stand for."""
    told = instance.header.symmetry
    return [f"symmetry: {one_line(told)}"] if told else []
