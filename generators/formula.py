"""Formula: numbered variables, a header that describes them, and clauses made on demand."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.blocks import Block, Chunk, LinearConstraints
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language.layout import Integer, Variable

if TYPE_CHECKING:
    from boardsat.generators.boards import Board
    from boardsat.generators.weights import Objective, WeightedLiterals

MAX_STORED_BYTES = 2**25
"""Size up to which counting stores clauses, so that small formulas are made once (32 MB)."""


LINEAR, CARDINALITY = "linear", "cardinality"
"""Native constraints of formats: linear constraints, or only cardinality constraints."""


@dataclass(frozen=True)
class Description:
    """Description of an instance that is independent of its encoding.

    It suffices for solvers that do not read a formula.
    """

    spec: str = ""
    sha256: str = ""
    title: str = ""
    cite: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    board: dict[str, Any] | None = None
    edges: Ints | None = None
    """Keys u * cells + v of the board's edges; None if the header need not list them."""
    unsat_message: str = ""
    """Sentence that states what unsatisfiability means; empty if the spec does not define one."""


class HeaderViews(NamedTuple):
    """Views of a model and of the question, as a header describes them."""

    model_views: tuple[dict[str, Any], ...] = ()
    """Views that decode and draw a model."""
    static_views: tuple[dict[str, Any], ...] = ()
    """Views of the question, drawn for every model."""
    columns: tuple[Ints, ...] = ()
    """Columns of numbers that views refer to, one number for every row."""
    board_style: str = ""
    """Style of the board under all views; empty if the views determine it."""
    regions: Ints | None = None
    """Region of every cell: lines are drawn between regions. None if there are no regions."""
    given_cells: Ints | None = None
    """Cells that the question fills. None if the spec does not say."""


@dataclass(frozen=True)
class Header(Description):
    """Header of a formula file: everything that is needed to decode, draw and check a model."""

    stem: str = ""
    """Name of the formula file without its extension."""
    variables: tuple[Variable | Integer, ...] = ()
    views: HeaderViews = field(default_factory=HeaderViews)
    projection: Ints | None = None
    count_preserving: bool = False
    """True if models of the formula and of its projection correspond one to one."""
    encodings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Number of groups by encoding, for each constraint whose encodings depend on group size."""
    objects: dict[str, Any] | None = None
    """Counted objects: their name and the number of models per object. None if not specified."""
    lazy: tuple[dict[str, Any], ...] = ()
    """Lazy constraints, whose cuts are added while solving."""
    transforms: tuple[dict[str, Any], ...] = ()
    renamed: Tokens | None = None
    """New number of every original variable. None if variables were not renamed."""
    verbatim: tuple[str, ...] | None = None
    """Header lines of the file that the formula was read from. None if it was generated."""


@dataclass(frozen=True)
class ConstraintClauses:
    """Clauses of one constraint and their counts."""

    name: str
    num_auxiliary: int
    """Number of auxiliary variables."""
    clauses: int
    """Number of clauses, xor lines included."""
    num_unit_clauses: int
    literals: int
    chunks: Callable[[], Iterator[Chunk]] = field(repr=False)
    encoding_counts: Mapping[str, int] = field(default_factory=dict)
    """Number of groups by encoding. Empty if the user chose one encoding for all."""
    xor_lines: int = 0
    """Number of native XOR constraints (x lines), which are included in `clauses`."""
    linear: Callable[[], Iterator[LinearConstraints]] | None = None
    """Native linear constraints that replace clauses. None if the constraint is encoded."""
    rows: int = 0
    """Number of native linear constraints."""
    encoded_linear: Callable[[], Iterator[LinearConstraints]] | None = field(
        default=None, repr=False
    )
    """Linear constraints that the clauses encode. None if they encode something else."""
    connectivity: tuple[Mapping[str, Any], ...] = ()
    """Header entries of the connectivity constraints that the clauses encode."""


@dataclass(frozen=True)
class Formula:
    """Numbered variables, a header, and the clauses of each constraint."""

    header: Header
    num_spec_variables: int
    """Number of variables that the spec declares; auxiliary variables follow them."""
    variables: int
    """Number of variables, auxiliary ones included."""
    sections: tuple[ConstraintClauses, ...]
    objective: Objective | None = None
    """Objective function. None if the spec does not optimize."""
    native_constraints: str = ""
    """Linear constraints that stay unencoded: LINEAR, CARDINALITY or none (empty)."""
    board: Board | None = field(default=None, repr=False)
    """Board, extended by a cell outside it if paths may start anywhere. None without a board."""
    declared_symmetry: Callable[[Ints], bool] | None = field(default=None, repr=False)
    """Test of whether the spec declares a permutation of cells a symmetry. None if undeclared."""
    fixed_point_formulas: Callable[[], list[FixedClass]] | None = field(default=None, repr=False)
    """Formulas of the fixed points of symmetries (Burnside). None if symmetry is not broken."""
    weights: WeightedLiterals | None = None
    """Literal weights for weighted counting. None if the spec has none."""

    @property
    def clauses(self) -> int:
        return sum(section.clauses for section in self.sections)

    @property
    def num_unit_clauses(self) -> int:
        return sum(section.num_unit_clauses for section in self.sections)

    @property
    def num_linear_constraints(self) -> int:
        """Number of linear constraints that are not encoded."""
        return sum(section.rows for section in self.sections)

    @property
    def literals(self) -> int:
        return sum(section.literals for section in self.sections)

    @property
    def xor_lines(self) -> int:
        return sum(section.xor_lines for section in self.sections)

    def chunks(self) -> Iterator[Chunk]:
        for section in self.sections:
            for chunk in section.chunks():
                checkpoint()
                yield chunk

    def arrays(self) -> Iterator[Tokens]:
        """Yield the clauses as arrays of literals, each clause ended by 0."""
        for chunk in self.chunks():
            for rows in chunk.rows():
                yield rows.tokens


class FixedClass(NamedTuple):
    """Fixed points of a conjugacy class of symmetries."""

    name: str
    elements: int
    """Number of symmetries in the class."""
    formula: Formula


class ClauseCounter:
    """Counter of clauses, which numbers the auxiliary variables of one constraint after another.

    Chunks are stored while they fit in MAX_STORED_BYTES, and made again on demand otherwise.
    """

    def __init__(self, first: int) -> None:
        self.first = first
        self.free_bytes = MAX_STORED_BYTES

    def encoded(
        self, name: str, location: str, produce: Callable[[int], Iterator[Chunk]]
    ) -> ConstraintClauses:
        """Return the clauses of an encoded constraint with their counts."""
        first = self.first
        stored: list[Chunk] | None = []
        encoding_counts: collections.Counter[str] = collections.Counter()
        auxiliary = clauses = units = literals = used = xor_lines = 0
        with current_part(f"the constraint {name!r}", location):
            for chunk in produce(first):
                checkpoint()
                auxiliary += chunk.num_auxiliary
                clauses += chunk.clauses
                units += chunk.num_unit_clauses
                literals += chunk.literals
                encoding_counts.update(chunk.encoding_counts)
                xor_lines += chunk.xor_lines
                used += chunk.num_bytes
                if used > self.free_bytes:
                    stored = None
                elif stored is not None:
                    stored.append(chunk)
                if first + auxiliary > MAX_INTEGER:
                    fault = f"a formula must have at most {MAX_INTEGER:,} variables"
                    raise InputError(fault, "use smaller parameters", location)
        self.first = first + auxiliary
        sizes = auxiliary, clauses, units, literals
        section = ConstraintClauses(
            name, *sizes, lambda: produce(first), encoding_counts, xor_lines
        )
        if stored is None:
            return section
        self.free_bytes -= used
        chunks = tuple(stored)
        return replace(section, chunks=lambda: iter(chunks))

    def native(
        self, name: str, location: str, produce: Callable[[], Iterator[LinearConstraints]]
    ) -> ConstraintClauses:
        """Return native linear constraints with their counts."""
        rows = literals = 0
        with current_part(f"the constraint {name!r}", location):
            for constraints in produce():
                checkpoint()
                rows += int(np.count_nonzero(constraints.is_falsifiable))
                literals += len(constraints.literals)
        return ConstraintClauses(
            name, 0, 0, 0, literals, lambda: iter(()), linear=produce, rows=rows
        )


def count(
    header: Header,
    num_spec_variables: int,
    blocks: Sequence[Block],
    native_constraints: str = "",
) -> Formula:
    """Return the formula of some blocks, with its sizes counted.

    Linear constraints stay unencoded if `native_constraints` is LINEAR; only cardinality
    constraints if it is CARDINALITY.
    """
    counter = ClauseCounter(num_spec_variables + 1)
    sections = tuple(
        counter.native(b.name, b.location, b.linear)
        if b.linear is not None and _is_native(b.linear, native_constraints)
        else replace(
            counter.encoded(b.name, b.location, b.produce),
            encoded_linear=b.linear,
            connectivity=b.connectivity,
        )
        for b in blocks
    )
    determined = all(
        block.count_preserving or not section.num_auxiliary
        for block, section in zip(blocks, sections, strict=True)
    )
    # Without auxiliary variables, a formula is count-preserving whatever the spec declares.
    has_no_auxiliary = header.projection is None and counter.first - 1 == num_spec_variables
    count_preserving = (
        (header.count_preserving or has_no_auxiliary) and determined and not header.lazy
    )
    header = _with_encodings(replace(header, count_preserving=count_preserving), sections)
    variables = counter.first - 1
    return Formula(
        with_projection(header, num_spec_variables),
        num_spec_variables,
        variables,
        sections,
        native_constraints=native_constraints,
    )


def _is_native(linear: Callable[[], Iterator[LinearConstraints]], native_constraints: str) -> bool:
    return native_constraints == LINEAR or (
        native_constraints == CARDINALITY
        and all(constraints.is_cardinality for constraints in linear())
    )


def _with_encodings(header: Header, sections: Sequence[ConstraintClauses]) -> Header:
    """Return the header with the encodings that `auto` chose by group size.

    If `auto` chose one encoding for all groups, the header states it as the parameter's value, so
    that a later version that would choose differently still rebuilds the same file.
    """
    used = {name for section in sections for name in section.encoding_counts}
    parameters = dict(header.parameters)
    for kind in encodings.kinds():
        used_of_kind = used.intersection(encodings.names(kind))
        if parameters.get(kind) == "auto" and len(used_of_kind) == 1:
            parameters[kind] = used_of_kind.pop()
            used.discard(parameters[kind])
    counts = {
        section.name: {
            name: number for name, number in section.encoding_counts.items() if name in used
        }
        for section in sections
    }
    encodings_of = {section: numbers for section, numbers in counts.items() if numbers}
    return replace(header, parameters=parameters, encodings=encodings_of)


def with_projection(header: Header, num_spec_variables: int) -> Header:
    """Return the header with a projection to the spec's variables if counting needs one.

    Auxiliary variables that are not determined would otherwise be counted too. A lazy formula is
    not counted.
    """
    if header.projection is not None or header.count_preserving or header.lazy:
        return header
    return replace(header, projection=np.arange(1, num_spec_variables + 1))
