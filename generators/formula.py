"""A formula: numbered variables, a header that describes them, and clauses made on demand."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.blocks import Block, Chunk, no_clauses
from boardsat.generators.clauses.linear_constraints import LinearConstraints
from boardsat.generators.language.integers import Integer
from boardsat.generators.language.layout import Variable
from boardsat.generators.limits import LARGEST_INTEGER

if TYPE_CHECKING:
    from boardsat.generators.boards import Board
    from boardsat.generators.clauses.literal_weights import WeightedLiterals
    from boardsat.generators.clauses.soft_clauses import Objective

KEPT_BYTES = 2**25
"""Clauses that the first pass keeps, so that small formulas are made only once (32 MB)."""


SUMS, COUNTS = "sums", "counts"
"""What some formats have of their own: weighted sums, or only how many literals are true."""


@dataclass(frozen=True)
class Description:
    """What an instance is, whatever its encoding: enough to solve it without a formula."""

    spec: str
    sha256: str
    title: str
    cite: str
    parameters: dict[str, Any]
    board: dict[str, Any] | None
    edges: Ints | None
    """Flat keys u * cells + v of the board's edges, where the header must list them."""
    none: str
    """What it means that there is no model, in words; empty where the spec does not say."""


@dataclass(frozen=True)
class HeaderViews:
    """Views of a model and of the question, as a header describes them."""

    model_views: tuple[dict[str, Any], ...] = ()
    """Views that decode and draw a model."""
    static_views: tuple[dict[str, Any], ...] = ()
    """Views of the question, drawn for every model."""
    columns: tuple[Ints, ...] = ()
    """Columns of numbers that views refer to, one number for every row."""
    board_style: str = ""
    """Style of the board under all views; empty where they decide."""
    regions: Ints | None = None
    """Region of every cell: lines are drawn between regions. None if there are no regions."""
    given_cells: Ints | None = None
    """Cells that the question fills. None if the spec does not say."""


@dataclass(frozen=True)
class Header(Description):
    """What a file says about itself, so that a model of it can be read years later."""

    stem: str
    """The name of the instance: what its file is called."""
    variables: tuple[Variable | Integer, ...]
    views: HeaderViews
    projection: Ints | None
    keeps_counts: bool
    """Whether the models of the formula are, one to one, those of its projection."""
    encodings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By constraint, how many groups have which encoding, where that differs with their size."""
    objects: dict[str, Any] | None = None
    """What is counted, and how many models stand for one of them."""
    lazy: tuple[dict[str, Any], ...] = ()
    """What the clauses do not say: it is added while solving, where a model breaks it."""
    transforms: tuple[dict[str, Any], ...] = ()
    renamed: Tokens | None = None
    """The present number of every original variable, where they were renamed."""
    verbatim: tuple[str, ...] | None = None
    """Comments that tell all of this, of a formula that was a file before."""


@dataclass(frozen=True)
class Section:
    """The clauses of one constraint, counted."""

    name: str
    fresh: int
    clauses: int
    units: int
    literals: int
    chunks: Callable[[], Iterator[Chunk]] = field(repr=False)
    chosen: Mapping[str, int] = field(default_factory=dict)
    """How many groups have which encoding, where it was chosen for each by its size."""
    xor_lines: int = 0
    """How many of its clauses are none, but lines that ask for an odd sum."""
    sums: Callable[[], Iterator[LinearConstraints]] | None = None
    """What stands in place of clauses, where it is not encoded."""
    rows: int = 0
    """How many sums these are."""
    stated: Callable[[], Iterator[LinearConstraints]] | None = field(default=None, repr=False)
    """What its clauses encode, where that is sums."""
    told: tuple[Mapping[str, Any], ...] = ()
    """The same, where that is that something is connected."""


@dataclass(frozen=True)
class Formula:
    header: Header
    named: int
    """Variables 1..named are the spec's own; fresh ones follow."""
    variables: int
    sections: tuple[Section, ...]
    objective: Objective | None = None
    """What its best models have least or most of."""
    keeps: str = ""
    """What stays as it is: `sums`, `counts` or nothing."""
    board: Board | None = field(default=None, repr=False)
    """What it is about, where there is one: with a cell outside it, if it begins anywhere."""
    promise: Callable[[Ints], bool] | None = field(default=None, repr=False)
    """Whether the spec says that a map of cells keeps solutions; None where it says nothing."""
    fixed: Callable[[], list[FixedClass]] | None = field(default=None, repr=False)
    """Where symmetries are broken: formulas of the solutions that they leave unchanged."""
    weights: WeightedLiterals | None = None
    """Those of literals, for counting."""

    @property
    def clauses(self) -> int:
        return sum(section.clauses for section in self.sections)

    @property
    def units(self) -> int:
        return sum(section.units for section in self.sections)

    @property
    def sums(self) -> int:
        """How many there are that are not encoded."""
        return sum(section.rows for section in self.sections)

    @property
    def literals(self) -> int:
        return sum(section.literals for section in self.sections)

    @property
    def xor_lines(self) -> int:
        return sum(section.xor_lines for section in self.sections)

    def refuse_xor_lines(self, reason: str) -> None:
        if self.xor_lines:
            raise no_clauses(reason)

    def chunks(self) -> Iterator[Chunk]:
        for section in self.sections:
            for chunk in section.chunks():
                checkpoint()
                yield chunk

    def arrays(self) -> Iterator[Tokens]:
        """The clauses as arrays of literals, each clause ended by 0."""
        for chunk in self.chunks():
            for rows in chunk.rows():
                yield rows.tokens


class FixedClass(NamedTuple):
    """The solutions that a symmetry leaves unchanged, and how many others leave as many."""

    name: str
    elements: int
    formula: Formula


class Counter:
    """Counts sections one after the other, so that each knows its fresh variables beforehand."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.room = KEPT_BYTES

    def section(self, name: str, place: str, produce: Callable[[int], Iterator[Chunk]]) -> Section:
        first = self.first
        kept: list[Chunk] | None = []
        chosen: collections.Counter[str] = collections.Counter()
        fresh = clauses = units = literals = used = xor_lines = 0
        with current_part(f"the constraint {name!r}", place):
            for chunk in produce(first):
                checkpoint()
                fresh += chunk.fresh
                clauses += chunk.clauses
                units += chunk.units
                literals += chunk.literals
                chosen.update(chunk.chosen)
                xor_lines += chunk.xor_lines
                used += chunk.num_bytes
                if used > self.room:
                    kept = None
                elif kept is not None:
                    kept.append(chunk)
                if first + fresh > LARGEST_INTEGER:
                    raise InputError(
                        f"more than {LARGEST_INTEGER:,} variables", "use smaller parameters", place
                    )
        self.first = first + fresh
        sizes = fresh, clauses, units, literals
        section = Section(name, *sizes, lambda: produce(first), chosen, xor_lines)
        if kept is None:
            return section
        self.room -= used
        ready = tuple(kept)
        return replace(section, chunks=lambda: iter(ready))

    def sums(
        self, name: str, place: str, produce: Callable[[], Iterator[LinearConstraints]]
    ) -> Section:
        """The same of what is not encoded."""
        rows = literals = 0
        with current_part(f"the constraint {name!r}", place):
            for sums in produce():
                checkpoint()
                rows += int(np.count_nonzero(sums.demand))
                literals += len(sums.literals)
        return Section(name, 0, 0, 0, literals, lambda: iter(()), sums=produce, rows=rows)


def count(
    header: Header,
    named: int,
    blocks: Sequence[Block],
    keeps: str = "",
) -> Formula:
    """The formula of these blocks, its sizes known; `sums` or only `counts` may stay."""
    counter = Counter(named + 1)
    sections = tuple(
        counter.sums(b.name, b.place, b.sums)
        if b.sums is not None and _stays(b.sums, keeps)
        else replace(counter.section(b.name, b.place, b.produce), stated=b.sums, told=b.told)
        for b in blocks
    )
    determined = all(
        block.keeps_counts or not section.fresh
        for block, section in zip(blocks, sections, strict=True)
    )
    # Where there are no auxiliary variables, there is nothing that a spec could say of them.
    counts_itself = header.projection is None and counter.first - 1 == named
    keeps_counts = (header.keeps_counts or counts_itself) and determined and not header.lazy
    header = telling_choices(replace(header, keeps_counts=keeps_counts), sections)
    variables = counter.first - 1
    return Formula(counted_over(header, named), named, variables, sections, keeps=keeps)


def _stays(sums: Callable[[], Iterator[LinearConstraints]], keeps: str) -> bool:
    return keeps == SUMS or (keeps == COUNTS and all(each.are_counts for each in sums()))


def telling_choices(header: Header, sections: Sequence[Section]) -> Header:
    """The header with the encodings that were chosen by size.

    Where it is the same one everywhere, its name becomes the value of its parameter: so the file is
    made again from its header even where a later version would choose otherwise.
    """
    taken = {name for section in sections for name in section.chosen}
    parameters = dict(header.parameters)
    for kind in encodings.kinds():
        here = taken.intersection(encodings.names(kind))
        if parameters.get(kind) == "auto" and len(here) == 1:
            parameters[kind] = here.pop()
            taken.discard(parameters[kind])
    chosen = {
        section.name: {name: number for name, number in section.chosen.items() if name in taken}
        for section in sections
    }
    told = {section: choices for section, choices in chosen.items() if choices}
    return replace(header, parameters=parameters, encodings=told)


def counted_over(header: Header, named: int) -> Header:
    """The header with a projection where one is needed: models are counted by the spec's variables.

    Auxiliary ones that nothing determines would be counted too. A lazy formula is not counted.
    """
    if header.projection is not None or header.keeps_counts or header.lazy:
        return header
    return replace(header, projection=np.arange(1, named + 1))
