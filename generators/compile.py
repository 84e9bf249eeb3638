"""One constraint of a spec to its blocks of clauses, whatever its family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generators import nodes
from generators.arrays import Ints
from generators.errors import InputError, choose_from
from generators.expressions import Compiler
from generators.families import connected, encodings, successor
from generators.families.blocks import Block, chain
from generators.families.bounds import Bound, bounded
from generators.families.clause import clauses_of, disjunction
from generators.families.formula import formula
from generators.families.literals import LiteralCompiler, Part
from generators.grounding import Grounding, compile_grounding
from generators.limits import RowBudget
from generators.nodes import Binding, Source
from generators.scope import Scope
from generators.spec import Constraint
from generators.syntax import parse_bindings, parse_expression
from generators.values import Frame, full


def compile_constraint(
    constraint: Constraint, scope: Scope, choices: Mapping[str, str], budget: RowBudget
) -> Block:
    """Resolve all names now, so that mistakes are told before anything is grounded."""
    if constraint.lazy is not None:
        return connected.no_clauses(constraint)
    compiler = _ConstraintCompiler(constraint, scope, choices, budget)
    match constraint.family:
        case "clause":
            return compiler.clause()
        case "formula":
            return compiler.formulas()
        case "successor":
            return compiler.successor()
        case "at_least_one":
            return compiler.at_least_one()
        case "at_most_one":
            return compiler.at_most_one()
        case "exactly_one":
            # The true literal determines every fresh variable, so any encoding keeps counts here.
            both = chain([compiler.at_least_one(), compiler.at_most_one()])
            return replace(both, keeps_counts=True)
    return compiler.bounded()


class _ConstraintCompiler:
    def __init__(
        self, constraint: Constraint, scope: Scope, choices: Mapping[str, str], budget: RowBudget
    ) -> None:
        self.constraint, self.scope, self.choices, self.budget = constraint, scope, choices, budget
        self.grounding = self._ground(())
        self.bound_names = frozenset(self.grounding.names)

    def _ground(self, more: tuple[Binding, ...]) -> Grounding:
        c = self.constraint
        bindings = parse_bindings(c.bindings) if c.bindings else ()
        source = c.bindings or c.condition or Source("", c.place)
        condition = parse_expression(c.condition) if c.condition else None
        grounding = compile_grounding(
            self.scope, (*bindings, *more), source, condition, c.condition
        )
        return Grounding(c.place, grounding.levels, grounding.first)

    def _literals(self, source: Source) -> LiteralCompiler:
        return LiteralCompiler(self.scope, source, self.bound_names)

    def _parts(self) -> list[Part]:
        """The members of a group."""
        return [self._literals(s).part(parse_expression(s)) for s in self.constraint.parts]

    def clause(self) -> Block:
        parts = [
            part
            for source in self.constraint.parts
            for part in disjunction(self._literals(source), parse_expression(source))
        ]
        return self._clauses(parts)

    def at_least_one(self) -> Block:
        return self._clauses(self._parts())

    def _clauses(self, parts: list[Part]) -> Block:
        c = self.constraint
        return clauses_of(c.name, self.grounding, parts, self.budget, c.may_be_empty)

    def formulas(self) -> Block:
        c = self.constraint
        return chain(
            [
                formula(
                    c.name,
                    self.grounding,
                    self._literals(source),
                    parse_expression(source),
                    self.budget,
                    c.may_be_empty,
                )
                for source in c.parts
            ]
        )

    def successor(self) -> Block:
        c, options = self.constraint, self.constraint.options
        trees = {key: parse_expression(source) for key, source in options.items() if key != "bits"}
        bits = parse_bindings(options["bits"])
        if (
            len(bits) != 1
            or len(bits[0].names) != 1
            or not isinstance(bits[0].source, nodes.Call)
            or bits[0].source.function != "range"
            or len(bits[0].source.arguments) != 1
        ):
            raise options["bits"].error("bits are numbered from 0", "write `bits: k in range(m)`")
        blocks = []
        for bindings, tree in successor.formulas(
            trees.get("when"), trees["from"], trees["to"], bits[0]
        ):
            grounding = self._ground(bindings)
            literals = LiteralCompiler(self.scope, options["to"], frozenset(grounding.names))
            blocks.append(formula(c.name, grounding, literals, tree, self.budget, c.may_be_empty))
        return chain(blocks)

    def at_most_one(self) -> Block:
        return self._bounded("amo", None, lambda frame: full(1, frame.size))

    def bounded(self) -> Block:
        c = self.constraint
        assert c.bound is not None
        number = Compiler(self.scope, c.bound, self.bound_names).number(parse_expression(c.bound))

        def bound(frame: Frame) -> Ints:
            return full(number.run(frame), frame.size)

        low = bound if c.family in ("at_least", "exactly") else None
        high = bound if c.family in ("at_most", "exactly") else None
        return self._bounded("card", low, high)

    def _bounded(self, kind: str, low: Bound | None, high: Bound | None) -> Block:
        c = self.constraint
        return bounded(
            c.name,
            self.grounding,
            self._parts(),
            (low, high),
            (kind, self._encoding(kind)),
            self.budget,
            c.may_be_empty,
        )

    def _encoding(self, kind: str) -> str:
        source = self.constraint.encoding or Source(self.choices[kind], self.constraint.place)
        known = encodings.names(kind)
        if source.text not in known:
            fault = f"no encoding {source.text!r} here"
            raise InputError(fault, choose_from(source.text, known), source.place)
        return source.text
