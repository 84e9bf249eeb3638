"""The source of a workflow: a file, a problem with its settings, or a formula in memory.

Whatever a solver reads is made from it: the formula in a file, the board alone, a logic program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from boardsat.base.errors import InputError
from boardsat.generators.formats import CNF
from boardsat.generators.spec.defaults import COUNT, PURPOSES, WRITE
from boardsat.instance.file_types import FILES, PROGRAM

if TYPE_CHECKING:
    from boardsat.generators import Formula, Spec
    from boardsat.generators.api import Suited
    from boardsat.generators.formula import FixedClass
    from boardsat.instance.formula_file import Instance, Problem, ProgramFile

SPECS = (".yaml", ".yml")


class Changes(NamedTuple):
    """What is done to a formula once it is built."""

    propagate: bool = False
    three_cnf: str | None = None
    shuffle: int | None = None
    symmetry: bool = False
    projection: str | None = None
    """How it is written; None as the spec has it."""
    form: str = ""
    """The format in which it is written; empty for CNF."""


class Source(Protocol):
    """One instance; what is made of it is made when somebody asks."""

    @property
    def name(self) -> str:
        """As errors call it."""

    @property
    def is_formula(self) -> bool:
        """Whether this very formula is meant, not the board that it is of."""

    @property
    def making(self) -> str:
        """What is done until the formula is there: words that follow `while`."""

    def opened(self, purpose: str, form: str = "") -> AbstractContextManager[Problem]:
        """The formula, in a file for as long as it is needed.

        Of a format, or of CNF if none is named; a file that is there already is what it is.
        """

    def board(self) -> Instance:
        """The board, for a solver that needs no formula."""

    def counted_board(self) -> Instance:
        """The same, and what is counted on it."""

    def program(self, method: str | None) -> AbstractContextManager[ProgramFile]:
        """The logic program, in a file for as long as it is needed."""

    def default(self, purpose: str) -> list[str]:
        """For an answer: the encoding that was taken, if it is because none was named."""

    def fixed(self) -> list[FixedClass]:
        """Where symmetries are broken, what each kind of them leaves unchanged; else nothing."""


@dataclass(frozen=True)
class File:
    """A formula or a logic program that somebody has written."""

    name: str
    lenient: bool = False

    is_formula = True
    making = "the file was read"

    @contextmanager
    def opened(self, purpose: str, form: str = "") -> Iterator[Problem]:
        from boardsat.instance.formula_file import open_problem
        from boardsat.instance.pipes import regular

        with regular(self.name) as path:
            yield open_problem(path, lenient=self.lenient, name=self.name)

    def board(self) -> Problem:
        with self.opened(WRITE) as problem:
            return problem

    counted_board = board

    @contextmanager
    def program(self, method: str | None) -> Iterator[ProgramFile]:
        from boardsat.instance.formula_file import open_program
        from boardsat.instance.pipes import regular

        if method:
            raise InputError("a program has its method already", "leave --method out")
        with regular(self.name) as path:
            yield open_program(path)

    def default(self, purpose: str) -> list[str]:
        return []

    def fixed(self) -> list[FixedClass]:
        return []  # a file does not tell what its symmetries are


@dataclass(frozen=True)
class Named:
    """A problem of the catalogue or a spec file, with its settings."""

    name: str
    encoding: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    changes: Changes = field(default_factory=Changes)
    read: Spec | None = None
    """The spec, where it has been read already."""
    built: Formula | None = None
    """The formula, where it has been built already."""
    taken: dict[str, Suited] = field(default_factory=dict, compare=False, repr=False)
    """By purpose, the spec that was taken: which one may take a look at the board."""

    making = "the formula was made"

    @property
    def is_formula(self) -> bool:
        *transforms, projection, form = self.changes
        changed = transforms != [*Changes()[:4]] or form or projection is not None
        return bool(changed) or names_encoding(self.name, self.encoding)

    def spec(self, purpose: str) -> Spec:
        from boardsat.generators import suited
        from boardsat.generators.api import Suited
        from boardsat.generators.spec.catalogue import find

        if purpose not in self.taken:
            spec = self.read or find(self.name, self.encoding, purpose)
            named = names_encoding(self.name, self.encoding)
            self.taken[purpose] = Suited(spec) if named else suited(spec, purpose, self.settings)
        return self.taken[purpose].spec

    def formula(self, purpose: str) -> Formula:
        from boardsat.generators import build, formats, transform

        if self.built is not None:
            return self.built
        built = build(self.spec(purpose), self.settings, self.changes.form)
        form, changed = self.changes.form, self.changes._replace(projection=None, form="")
        if form and changed != Changes():
            formats.check_transformable(form, self.name)
        return transform(built, *self.changes[:4])

    def opened(self, purpose: str, form: str = "") -> AbstractContextManager[Problem]:
        meant = replace(self, changes=self.changes._replace(form=form))
        return written(meant.formula(purpose), self.changes.projection, form=form)

    def board(self) -> Instance:
        from boardsat.generators import describe
        from boardsat.generators.spec.catalogue import find_any
        from boardsat.instance.formula_file import described

        # Every encoding of a problem has the same board and parameters.
        return described(describe(find_any(self.name, self.encoding), self.settings))

    def counted_board(self) -> Instance:
        from boardsat.generators import describe_counted
        from boardsat.instance.formula_file import described

        return described(describe_counted(self.spec(COUNT), self.settings))

    @contextmanager
    def program(self, method: str | None) -> Iterator[ProgramFile]:
        from boardsat.base import scratch
        from boardsat.generators import asp, program
        from boardsat.generators.spec.catalogue import find_any
        from boardsat.instance.formula_file import open_program

        spec = find_any(self.name, self.encoding)
        with scratch.folder() as folder:
            path = folder / f"program{PROGRAM}"
            text = program(spec, self.settings, method or asp.DEFAULT)
            scratch.write(path, [text.encode("ascii")])
            yield open_program(str(path), own=True)

    def default(self, purpose: str) -> list[str]:
        from boardsat.generators.spec.catalogue import choices_of, encodings_of

        named = names_encoding(self.name, self.encoding)
        if named or len(encodings_of(self.name)) == 1:
            return []
        choices = choices_of(self.name)[purpose]
        if len(choices) > 1 and purpose not in self.taken:
            return []  # a limit fell before it was known
        name = self.spec(purpose).name
        because = f": {why}" if (why := self.taken[purpose].because) else ""
        return [f"encoding: {name} (the default for {PURPOSES[purpose]}{because})"]

    def fixed(self) -> list[FixedClass]:
        return _fixed(self.formula(COUNT)) if self.changes.symmetry else []


@dataclass(frozen=True)
class Built:
    """A formula that a program has built."""

    formula: Formula
    kept: bool = True
    """Whether its file stays, to be looked at, where an answer to it is wrong."""

    is_formula = True
    making = "the formula was written"

    @property
    def name(self) -> str:
        return self.formula.header.spec

    def opened(self, purpose: str, form: str = "") -> AbstractContextManager[Problem]:
        return written(self.formula, kept=self.kept, form=form)

    def board(self) -> Instance:
        from boardsat.generators.dimacs import document as dimacs
        from boardsat.instance.formula_file import described

        return described(dimacs.description(self.formula.header))

    counted_board = board

    def program(self, method: str | None) -> AbstractContextManager[ProgramFile]:
        raise InputError(
            "a formula, but the solver reads logic programs",
            "give the problem by its name",
            self.name,
        )

    def default(self, purpose: str) -> list[str]:
        return []

    def fixed(self) -> list[FixedClass]:
        return _fixed(self.formula)


def _fixed(formula: Formula) -> list[FixedClass]:
    return formula.fixed() if formula.fixed is not None else []


@contextmanager
def written(
    formula: Formula, projection: str | None = None, kept: bool = True, form: str = ""
) -> Iterator[Problem]:
    """A formula in a file for as long as it is needed."""
    from boardsat.base import scratch
    from boardsat.generators import write
    from boardsat.instance.formula_file import open_problem

    with scratch.folder(is_evidence=kept) as folder:
        path = str(folder / f"formula.{form or CNF}")
        write(formula, path, projection)
        yield open_problem(path, own=True)


def names_encoding(name: str, encoding: str | None) -> bool:
    """Whether it is said which formula is meant, or given."""
    return bool(encoding) or "/" in name or name.endswith((*SPECS, *FILES))
