"""Context of a constraint: its texts, the names in scope, and compilers for its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import suggest
from boardsat.generators import encodings
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.clause_groups import CurrentRow, RowByRow
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.literals import LiteralCompiler, Literals
from boardsat.generators.language.nodes import Binding, ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_bindings, parse_expression
from boardsat.generators.language.values import Frame, full
from boardsat.generators.schema import Constraint


@dataclass(frozen=True)
class ConstraintContext:
    """Constraint with the names in scope, as the argument of a constraint type's `block`."""

    constraint: Constraint
    spec: str
    """Name of the spec."""
    scope: Scope
    choices: Mapping[str, str]
    """Encodings that the user chose, by their kind."""
    current: CurrentRow | None = None
    """Current row, if clauses are grouped by row and rows come one at a time; None otherwise."""

    @property
    def name(self) -> str:
        return self.constraint.name

    @property
    def place(self) -> str:
        return self.constraint.location

    @property
    def may_be_empty(self) -> bool:
        return self.constraint.may_be_empty

    @cached_property
    def grounding(self) -> Grounding:
        """Rows of `for` and `if`: a clause, a group or a formula for each."""
        return self.ground()

    def ground(self, *more: Binding) -> Grounding:
        """Return the rows of `for` and `if`, with more names bound after the others."""
        c = self.constraint
        bindings = parse_bindings(c.bindings) if c.bindings else ()
        source = c.bindings or c.condition or ExpressionText("", c.location)
        condition = parse_expression(c.condition) if c.condition else None
        grounding = compile_grounding(
            self.scope, (*bindings, *more), source, condition, c.condition
        )
        if self.current is None:
            return Grounding(c.location, grounding.levels, grounding.first)
        own = len(bindings)
        return RowByRow(c.location, grounding.levels, grounding.first, own, self.current)

    def texts(self, key: str) -> tuple[ExpressionText, ...]:
        """Return the texts of a key; an empty tuple if the constraint does not have it."""
        return self.constraint.texts.get(key, ())

    def text(self, key: str) -> ExpressionText:
        """Return the only text of a key; raise InputError if there is another number of them."""
        found = self.texts(key)
        if len(found) != 1:
            place = found[0].location if found else self.place
            raise InputError(f"`{key}` needs one text, not {len(found)}", "write one", place)
        return found[0]

    def literals(
        self, source: ExpressionText, grounding: Grounding | None = None
    ) -> LiteralCompiler:
        """Return a compiler of the literals in a text, row by row of the grounding."""
        return LiteralCompiler(self.scope, source, (grounding or self.grounding).bound)

    def parts(self, key: str) -> list[Literals]:
        """Return the members of a group."""
        return [self.literals(s).part(parse_expression(s)) for s in self.texts(key)]

    def number(self, key: str) -> Callable[[Frame], Ints]:
        """Return a function that computes the number of every row."""
        source = self.text(key)
        compiler = Compiler(self.scope, source, self.grounding.bound)
        number = compiler.number(parse_expression(source))

        def run(frame: Frame) -> Ints:
            checkpoint()
            return full(number.run(frame), frame.size)

        return run

    def check_satisfiable(
        self, impossible: Bools, frame: Frame, fault: Callable[[int], str], reason: str = ""
    ) -> None:
        """Raise InputError for the first impossible row, unless `empty` allows such rows."""
        if self.may_be_empty or not impossible.any():
            return
        row = int(np.argmax(impossible))
        raise InputError(
            f"{fault(row)}{frame.describe(row)}{reason}",
            "exclude the row with `if`, or write `empty: unsatisfiable` if that is intended",
            self.place,
        )

    def encoding(self, kind: str) -> str:
        """Return the encoding that the constraint names, or else the user's choice."""
        named = self.texts("encoding")
        source = self.text("encoding") if named else ExpressionText(self.choices[kind], self.place)
        known = encodings.names(kind)
        if source.text not in known:
            fault = f"no encoding {source.text!r} here"
            raise InputError(fault, suggest(source.text, known), source.location)
        return source.text
