"""Inputs of a workflow: a file, a catalogue problem with its settings, or a formula in memory.

An input yields what a solver reads: a formula file, the board alone, or a logic program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.formats import CNF
from boardsat.generators.spec.defaults import COUNT, PURPOSES, WRITE
from boardsat.instance.file_types import CNF_SUFFIXES, PROGRAM_SUFFIX, SPEC_SUFFIXES

if TYPE_CHECKING:
    from boardsat.generators import Formula, Spec
    from boardsat.generators.api import SelectedEncoding
    from boardsat.generators.formula import FixedClass
    from boardsat.instance.formula_file import FormulaFile, Instance, ProgramFile


class TransformOptions(NamedTuple):
    """Options for a formula that is built: its transforms, projection lines and format."""

    propagate: bool = False
    three_cnf: str | None = None
    shuffle: int | None = None
    symmetry: bool = False
    projection: str | None = None
    """Syntax of the projection lines. None: as in the spec."""
    format_name: str = ""
    """Format of the file. Empty: CNF."""


class WorkflowInput(Protocol):
    """Source of an instance, which makes its formula, board or program when a workflow needs it."""

    @property
    def name(self) -> str:
        """Name of the instance in errors."""

    @property
    def is_formula(self) -> bool:
        """True if the answer must be an answer to this formula, not only to its board."""

    @property
    def activity(self) -> str:
        """Description of the work that yields the formula, as a clause after `while`."""

    def formula_file(
        self, purpose: str, format_name: str = ""
    ) -> AbstractContextManager[FormulaFile]:
        """Yield the formula in a file.

        Parameters
        ----------
        purpose : str
            Key of `PURPOSES`, which selects the default encoding.
        format_name : str
            Format of the file. Empty: CNF. A file of the user is not converted.
        """

    def board(self) -> Instance:
        """Return the board, for a solver that needs no formula."""

    def counted_board(self) -> Instance:
        """Return the board and the objects that are counted on it."""

    def program(self, method: str | None) -> AbstractContextManager[ProgramFile]:
        """Yield the logic program in a file."""

    def encoding_note(self, purpose: str) -> list[str]:
        """Return a line about the encoding if it was selected by default."""

    def fixed_classes(self) -> list[FixedClass]:
        """Return the fixed points of each conjugacy class; empty if symmetries are not broken."""


@dataclass(frozen=True)
class FileInput:
    """A formula or logic program in a file that the user names."""

    name: str
    lenient: bool = False

    is_formula = True
    activity = "the file was read"

    @contextmanager
    def formula_file(self, purpose: str, format_name: str = "") -> Iterator[FormulaFile]:
        from boardsat.instance.file_types import as_regular_file
        from boardsat.instance.formula_file import open_formula

        with as_regular_file(self.name) as path:
            yield open_formula(path, lenient=self.lenient, name=self.name)

    def board(self) -> FormulaFile:
        with self.formula_file(WRITE) as formula:
            return formula

    counted_board = board

    @contextmanager
    def program(self, method: str | None) -> Iterator[ProgramFile]:
        from boardsat.instance.file_types import as_regular_file
        from boardsat.instance.formula_file import open_program

        if method:
            raise InputError("--method does not apply to a file with a logic program")
        with as_regular_file(self.name) as path:
            yield open_program(path)

    def encoding_note(self, purpose: str) -> list[str]:
        return []

    def fixed_classes(self) -> list[FixedClass]:
        return []  # a file does not list its symmetries


@dataclass(frozen=True)
class CatalogueInput:
    """A problem of the catalogue or a spec file, with its settings."""

    name: str
    encoding: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    transforms: TransformOptions = field(default_factory=TransformOptions)
    loaded_spec: Spec | None = None
    """Spec of the problem, if it is loaded already. None: it is found by `name`."""
    is_outside: bool = False
    """True if a file names the problem, so that the limits of outside input apply."""
    _spec_cache: dict[str, SelectedEncoding] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Selected spec by purpose, as the selection may be slow: it may inspect the board."""

    activity = "the formula was made"

    @property
    def is_formula(self) -> bool:
        transforms = self.transforms._replace(projection=None)
        has_options = transforms != TransformOptions() or self.transforms.projection is not None
        return has_options or names_encoding(self.name, self.encoding)

    def spec(self, purpose: str) -> Spec:
        """Return the spec that is named, or the default of the problem for a purpose."""
        from boardsat.generators import select_default_encoding
        from boardsat.generators.api import SelectedEncoding
        from boardsat.generators.spec.catalogue import find

        if purpose not in self._spec_cache:
            spec = self.loaded_spec or self._limit_spec(find(self.name, self.encoding, purpose))
            self._spec_cache[purpose] = (
                SelectedEncoding(spec)
                if names_encoding(self.name, self.encoding)
                else select_default_encoding(spec, purpose, self.settings)
            )
        return self._spec_cache[purpose].spec

    def formula(self, purpose: str) -> Formula:
        """Build and transform the formula."""
        from boardsat.generators import build, formats, transform

        format_name = self.transforms.format_name
        formula = build(self.spec(purpose), self.settings, format_name)
        transforms = self.transforms._replace(projection=None, format_name="")
        if format_name and transforms != TransformOptions():
            formats.check_transformable(format_name, self.name)
        return transform(formula, *transforms[:4])

    def formula_file(
        self, purpose: str, format_name: str = ""
    ) -> AbstractContextManager[FormulaFile]:
        transforms = self.transforms._replace(format_name=format_name)
        formula = replace(self, transforms=transforms).formula(purpose)
        return temporary_formula_file(formula, transforms.projection, format_name=format_name)

    def board(self) -> Instance:
        from boardsat.generators import describe
        from boardsat.generators.spec.catalogue import find_any
        from boardsat.instance.formula_file import instance_from_comments

        # All encodings of a problem have the same board and parameters.
        spec = self._limit_spec(find_any(self.name, self.encoding))
        return instance_from_comments(describe(spec, self.settings))

    def _limit_spec(self, spec: Spec) -> Spec:
        return spec.from_outside() if self.is_outside else spec

    def counted_board(self) -> Instance:
        from boardsat.generators import describe_counted
        from boardsat.instance.formula_file import instance_from_comments

        return instance_from_comments(describe_counted(self.spec(COUNT), self.settings))

    @contextmanager
    def program(self, method: str | None) -> Iterator[ProgramFile]:
        from boardsat.base import scratch
        from boardsat.generators import asp, program
        from boardsat.generators.spec.catalogue import find_any
        from boardsat.instance.formula_file import open_program

        spec = self._limit_spec(find_any(self.name, self.encoding))
        with scratch.folder() as folder:
            path = folder / f"program{PROGRAM_SUFFIX}"
            text = program(spec, self.settings, method or asp.DEFAULT)
            scratch.write(path, [text.encode("ascii")])
            yield open_program(str(path), generated_here=True)

    def encoding_note(self, purpose: str) -> list[str]:
        from boardsat.generators.spec.catalogue import choices_of, encodings_of

        if names_encoding(self.name, self.encoding) or len(encodings_of(self.name)) == 1:
            return []
        if len(choices_of(self.name)[purpose]) > 1 and purpose not in self._spec_cache:
            return []  # a limit was reached before the selection
        name = self.spec(purpose).name
        reason = f": {why}" if (why := self._spec_cache[purpose].because) else ""
        return [f"encoding: {name} (the default for {PURPOSES[purpose]}{reason})"]

    def fixed_classes(self) -> list[FixedClass]:
        return _fixed_classes(self.formula(COUNT)) if self.transforms.symmetry else []


@dataclass(frozen=True)
class FormulaInput:
    """A formula in memory, built by a program that calls boardsat."""

    formula: Formula
    keep_file: bool = True
    """True if the file is preserved as evidence if an answer to the formula is wrong."""

    is_formula = True
    activity = "the formula was written"

    @property
    def name(self) -> str:
        return self.formula.header.spec

    def formula_file(
        self, purpose: str, format_name: str = ""
    ) -> AbstractContextManager[FormulaFile]:
        return temporary_formula_file(
            self.formula, keep_file=self.keep_file, format_name=format_name
        )

    def board(self) -> Instance:
        from boardsat.generators.dimacs import document as dimacs
        from boardsat.instance.formula_file import instance_from_comments

        return instance_from_comments(dimacs.description(self.formula.header))

    counted_board = board

    def program(self, method: str | None) -> AbstractContextManager[ProgramFile]:
        raise InputError(
            "a formula cannot be given to a solver that reads logic programs",
            "give the problem by its name",
            self.name,
        )

    def encoding_note(self, purpose: str) -> list[str]:
        return []

    def fixed_classes(self) -> list[FixedClass]:
        return _fixed_classes(self.formula)


def _fixed_classes(formula: Formula) -> list[FixedClass]:
    return formula.fixed_point_formulas() if formula.fixed_point_formulas is not None else []


@contextmanager
def temporary_formula_file(
    formula: Formula,
    projection: str | None = None,
    keep_file: bool = True,
    format_name: str = "",
) -> Iterator[FormulaFile]:
    """Write a formula to a temporary file.

    With `keep_file`, the file is preserved as evidence if an answer to it is wrong.
    """
    from boardsat.base import scratch
    from boardsat.generators import write
    from boardsat.instance.formula_file import open_formula

    with scratch.folder(is_evidence=keep_file) as folder:
        path = str(folder / f"formula.{format_name or CNF}")
        write(formula, path, projection)
        yield open_formula(path, generated_here=True)


def names_encoding(name: str, encoding: str | None) -> bool:
    """Return whether the user names an encoding, a spec or a formula file."""
    return bool(encoding) or "/" in name or name.endswith((*SPEC_SUFFIXES, *CNF_SUFFIXES))
