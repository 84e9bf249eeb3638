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
    """Constraint with the names in scope: the argument of a constraint type's `block`.

    The methods resolve names and types at once, before any row is computed, so that mistakes in a
    spec are reported first.
    """

    constraint: Constraint
    spec: str
    """Name of the spec."""
    scope: Scope
    choices: Mapping[str, str]
    """Encoding selected by the user for each kind of encoding (`amo`, `card`, ...)."""
    current: CurrentRow | None = None
    """Current row, if clauses are grouped by row and rows come one at a time; None otherwise."""

    @property
    def name(self) -> str:
        return self.constraint.name

    @property
    def location(self) -> str:
        """Source location of the constraint, for messages."""
        return self.constraint.location

    @property
    def may_be_empty(self) -> bool:
        """True if the spec accepts rows that cannot be satisfied (`empty: unsatisfiable`)."""
        return self.constraint.may_be_empty

    @cached_property
    def grounding(self) -> Grounding:
        """Rows of `for` and `if`: the constraint is stated once for each."""
        return self.ground()

    def ground(self, *inner_bindings: Binding) -> Grounding:
        """Return the rows of `for` and `if`, with further names bound after those of `for`."""
        c = self.constraint
        bindings = parse_bindings(c.bindings) if c.bindings else ()
        source = c.bindings or c.condition or ExpressionText("", c.location)
        condition = parse_expression(c.condition) if c.condition else None
        grounding = compile_grounding(
            self.scope, (*bindings, *inner_bindings), source, condition, c.condition
        )
        if self.current is None:
            return Grounding(c.location, grounding.levels, grounding.outer_filters)
        return RowByRow(
            c.location, grounding.levels, grounding.outer_filters, len(bindings), self.current
        )

    def texts(self, key: str) -> tuple[ExpressionText, ...]:
        """Return the texts of a key; an empty tuple if the constraint does not have it."""
        return self.constraint.texts.get(key, ())

    def text(self, key: str) -> ExpressionText:
        """Return the text of a key.

        Raises
        ------
        InputError
            The key has no text, or several.
        """
        texts = self.texts(key)
        if len(texts) != 1:
            location = texts[0].location if texts else self.location
            raise InputError(
                f"`{key}` must have one text (got {len(texts)})", f"write `{key}: ...`", location
            )
        return texts[0]

    def literals(
        self, source: ExpressionText, grounding: Grounding | None = None
    ) -> LiteralCompiler:
        """Return a compiler for the literals in a text.

        Parameters
        ----------
        source : ExpressionText
            Text of a key of the constraint.
        grounding : Grounding, optional
            Rows whose names the text may use. Default: those of `for` and `if`.
        """
        return LiteralCompiler(self.scope, source, (grounding or self.grounding).bound)

    def literal_lists(self, key: str) -> list[Literals]:
        """Return the literals of a key, a list for each of its texts.

        For each row, the members of the group are the literals of all lists.
        """
        texts = self.texts(key)
        return [self.literals(text).literals(parse_expression(text)) for text in texts]

    def number(self, key: str) -> Callable[[Frame], Ints]:
        """Return a function that computes the number under a key for every row of a frame."""
        source = self.text(key)
        compiler = Compiler(self.scope, source, self.grounding.bound)
        number = compiler.number(parse_expression(source))

        def run(frame: Frame) -> Ints:
            checkpoint()
            return full(number.run(frame), frame.size)

        return run

    def check_satisfiable(
        self,
        is_impossible: Bools,
        frame: Frame,
        fault: Callable[[int], str],
        explanation: str = "",
    ) -> None:
        """Raise InputError for the first impossible row, unless the spec accepts such rows.

        Parameters
        ----------
        is_impossible : array of bool
            True for each row of the frame that no assignment satisfies.
        frame : Frame
            Rows of the constraint.
        fault : callable
            Function from the index of a row to the text of the fault.
        explanation : str, optional
            Text that follows the fault and the description of the row.
        """
        if self.may_be_empty or not is_impossible.any():
            return
        row = int(np.argmax(is_impossible))
        raise InputError(
            f"{fault(row)}{frame.describe(row)}{explanation}",
            "exclude the row with `if`, or write `empty: unsatisfiable` if that is intended",
            self.location,
        )

    def encoding(self, kind: str) -> str:
        """Return the encoding of a kind: the one that the constraint names, or the user's choice.

        Raises
        ------
        InputError
            The constraint names an encoding that does not exist.
        """
        source = (
            self.text("encoding")
            if self.texts("encoding")
            else ExpressionText(self.choices[kind], self.location)
        )
        names = encodings.names(kind)
        if source.text not in names:
            fault = f"unknown encoding {source.text!r} of kind {kind}"
            raise InputError(fault, suggest(source.text, names), source.location)
        return source.text
