"""What every family gets: a constraint, and all that is known where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import suggest
from boardsat.generators import encodings
from boardsat.generators.arrays import Ints
from boardsat.generators.clause_groups import CurrentRow, RowByRow
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding, compile_grounding
from boardsat.generators.language.literals import LiteralCompiler, Part
from boardsat.generators.language.nodes import Binding, ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_bindings, parse_expression
from boardsat.generators.language.values import Frame, full
from boardsat.generators.schema import Constraint


@dataclass(frozen=True)
class Context:
    """A constraint, and all that is known where it stands."""

    constraint: Constraint
    spec: str
    """The name of its spec."""
    scope: Scope
    choices: Mapping[str, str]
    """The encodings that the user has chosen, by their kind."""
    current: CurrentRow | None = None
    """Where it is asked which clauses belong to which row: then rows come one at a time."""

    @property
    def name(self) -> str:
        return self.constraint.name

    @property
    def place(self) -> str:
        return self.constraint.place

    @property
    def may_be_empty(self) -> bool:
        return self.constraint.may_be_empty

    @cached_property
    def grounding(self) -> Grounding:
        """The rows that `for` and `if` give: a clause, a group or a formula for each."""
        return self.ground()

    def ground(self, *more: Binding) -> Grounding:
        """The same with more names bound behind those of the constraint."""
        c = self.constraint
        bindings = parse_bindings(c.bindings) if c.bindings else ()
        source = c.bindings or c.condition or ExpressionText("", c.place)
        condition = parse_expression(c.condition) if c.condition else None
        grounding = compile_grounding(
            self.scope, (*bindings, *more), source, condition, c.condition
        )
        if self.current is None:
            return Grounding(c.place, grounding.levels, grounding.first)
        own = len(bindings)
        return RowByRow(c.place, grounding.levels, grounding.first, own, self.current)

    def texts(self, key: str) -> tuple[ExpressionText, ...]:
        """What stands under a key; nothing where it is not given."""
        return self.constraint.texts.get(key, ())

    def text(self, key: str) -> ExpressionText:
        """The same, where it must be one text."""
        found = self.texts(key)
        if len(found) != 1:
            place = found[0].place if found else self.place
            raise InputError(f"`{key}` needs one text, not {len(found)}", "write one", place)
        return found[0]

    def literals(
        self, source: ExpressionText, grounding: Grounding | None = None
    ) -> LiteralCompiler:
        """Reads the literals in a text, row by row of the grounding."""
        return LiteralCompiler(self.scope, source, (grounding or self.grounding).bound)

    def parts(self, key: str) -> list[Part]:
        """The members of a group."""
        return [self.literals(s).part(parse_expression(s)) for s in self.texts(key)]

    def number(self, key: str) -> Callable[[Frame], Ints]:
        """A number for every row."""
        source = self.text(key)
        compiler = Compiler(self.scope, source, self.grounding.bound)
        number = compiler.number(parse_expression(source))

        def run(frame: Frame) -> Ints:
            checkpoint()
            return full(number.run(frame), frame.size)

        return run

    def encoding(self, kind: str) -> str:
        """The one that the constraint names, or else the user's choice."""
        named = self.texts("encoding")
        source = self.text("encoding") if named else ExpressionText(self.choices[kind], self.place)
        known = encodings.names(kind)
        if source.text not in known:
            fault = f"no encoding {source.text!r} here"
            raise InputError(fault, suggest(source.text, known), source.place)
        return source.text
