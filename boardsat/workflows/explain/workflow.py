"""The why workflow: first whole constraints, then rows of those that are needed, then checks.

Few constraints of a spec are part of a contradiction, and to find out which takes few questions. So
only those are taken apart, into a group for each row of their `for`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.command_clock import CommandClock, CommandLimitError, during, running
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.mus import structural_arguments, workers
from boardsat.adapters.mus.group_names import Namer, Row
from boardsat.adapters.mus.workers import Confirmation, FoundCore, GroupedClauses
from boardsat.adapters.runtimes import Limits
from boardsat.base.errors import WrongAnswerError
from boardsat.generators import Spec, find, in_groups
from boardsat.generators.clause_groups import ClauseGroup, GroupedFormula
from boardsat.generators.sections.parameters import parameters_of, with_fix
from boardsat.instance.formula_file import Instance
from boardsat.workflows.explain.asked import described_formula
from boardsat.workflows.explain.explanation import Explanation, Part

COARSE, FINE = 0.3, 0.6
"""What of the time that is left making a core smaller may take, of constraints, then of rows."""

CHECKING = 0.1
"""What of it is kept for the check, however long it takes to find a core."""


def explain(spec: Spec, settings: Mapping[str, Any], limits: Limits) -> Explanation:
    """Why there is no solution, as far as it can be told in time."""
    with running(limits) as clock:
        try:
            return _Explainer(spec, settings, clock).explanation()
        except CommandLimitError as limit:
            return Explanation(Status.UNKNOWN, limit.fault, encoding=spec.name, usage=clock.usage())


@dataclass(frozen=True)
class _Question:
    """A formula in groups, and what its file would say of itself."""

    formula: GroupedFormula
    instance: Instance
    clauses: GroupedClauses

    def numbers(self, core: Collection[int]) -> set[int]:
        """The constraints of some groups."""
        return {self.formula.groups[group].number for group in core}


class _Explainer:
    def __init__(self, spec: Spec, settings: Mapping[str, Any], clock: CommandClock) -> None:
        self.spec, self.settings, self.clock = spec, settings, clock

    def explanation(self) -> Explanation:
        question = self.question(None)
        found = self.found(question, COARSE)
        told = Explanation(
            found.status,
            arguments=tuple(structural_arguments.structural_arguments(question.instance.header)),
            encoding=self.spec.name,
            usage=self.clock.usage(),
        )
        if found.status is not Status.UNSATISFIABLE:
            other = self.otherwise(question, found)
            return other or replace(told, reason=self.why_not(found))
        question, found = self.finer(question, found)
        confirmation = self.confirmed(question, found)
        return replace(
            told,
            words=question.instance.header.unsat_message,
            parts=parts(question, found.groups),
            usage=self.clock.usage(),
            **_verdict(found, confirmation),
        )

    def question(self, split: Collection[int] | None) -> _Question:
        with during("the formula was made"):
            formula = in_groups(self.spec, self.settings, split)
            instance = described_formula(formula)
            lazy = read_lazy_constraints(instance.header) if instance.header.lazy else None
            numbers = [number for number, group in enumerate(formula.groups) if group.is_lazy]
            clauses = GroupedClauses(
                formula.variables,
                formula.background,
                [group.tokens for group in formula.groups],
                dict(zip(numbers, lazy.graphs if lazy else (), strict=True)),
                *([lazy.rounds] if lazy else []),
            )
        return _Question(formula, instance, clauses)

    def found(self, question: _Question, share: float) -> FoundCore:
        """A core; the solver may take all the time to find one, and so much to make it smaller."""
        limits = self.share(1 - CHECKING)
        seconds = min((each for each in (limits.wall, limits.cpu) if each), default=None)
        found = workers.find_core(question.clauses, limits, seconds and share * seconds)
        self.clock.charge(cpu=found.usage.cpu or 0.0)
        return found

    def finer(self, question: _Question, found: FoundCore) -> tuple[_Question, FoundCore]:
        """The rows of the constraints that are needed; those themselves, if time is too short."""
        try:
            rows = self.question(question.numbers(found.groups))
        except CommandLimitError:
            return question, replace(found, is_minimal=False)
        fine = self.found(rows, FINE)
        if fine.status is Status.SATISFIABLE:
            raise WrongAnswerError("the rows of constraints say less than the whole", "report it")
        if fine.status is Status.UNKNOWN:
            return question, found
        return rows, fine

    def confirmed(self, question: _Question, found: FoundCore) -> Confirmation:
        confirmation = workers.confirm_core(question.clauses, found.groups, self.share(1.0))
        self.clock.charge(cpu=confirmation.usage.cpu or 0.0)
        return confirmation

    def share(self, part: float) -> Limits:
        """So much of the time that is left; memory is for each process alone."""
        left = self.clock.left(Limits(memory=self.clock.limits.memory))
        return replace(left, wall=left.wall and part * left.wall, cpu=left.cpu and part * left.cpu)

    def otherwise(self, question: _Question, found: FoundCore) -> Explanation | None:
        """The same of another encoding, where a lazy one has used up its rounds of cuts."""
        header = question.instance.header
        name = read_lazy_constraints(header).otherwise if header.lazy else ""
        if (
            not name
            or found.status is not Status.UNKNOWN
            or found.end is not TerminationReason.FINISHED
        ):
            return None
        other = find(self.spec.problem, name).with_limits_of(self.spec.source.is_built_in)
        told = _Explainer(other, self._known_to(other), self.clock).explanation()
        return replace(told, instead=self.spec.name)

    def _known_to(self, other: Spec) -> dict[str, Any]:
        known = {parameter.name for parameter in with_fix(parameters_of(other), self.settings)}
        return {name: value for name, value in self.settings.items() if name in known}

    def why_not(self, found: FoundCore) -> str:
        if found.status is Status.SATISFIABLE:
            return ""
        return (
            "not decided within the rounds of cuts"
            if found.end is TerminationReason.FINISHED
            else found.end
        )


def parts(question: _Question, core: Collection[int]) -> tuple[Part, ...]:
    """The groups in words; those that would be called the same tell in what they differ too."""
    namer = Namer(question.instance.header)
    groups = [question.formula.groups[number] for number in sorted(core)]
    named = [(group, _about(namer, group)) for group in groups]
    alike: dict[tuple[int, str], list[Row]] = {}
    for group, about in named:
        alike.setdefault((group.number, about), []).append(_row(group))
    return tuple(
        Part(group.name, _told_apart(namer, group, about, alike[group.number, about]), group.row)
        for group, about in named
    )


def _told_apart(namer: Namer, group: ClauseGroup, about: str, alike: Sequence[Row]) -> str:
    more = namer.differing(_row(group), alike)
    return f"{about} ({more})" if more else about


def _about(namer: Namer, group: ClauseGroup) -> str:
    return namer.about(group.tokens, _row(group)) if group.row else ""


def _row(group: ClauseGroup) -> Row:
    return Row(group.row, group.cells)


def _verdict(found: FoundCore, confirmation: Confirmation) -> dict[str, Any]:
    """What is checked; a core that another solver refutes is an error."""
    if confirmation.is_core is False:
        raise WrongAnswerError(
            f"{workers.REFEREE} has a model of what {workers.FINDER} found contradictory",
            "one of them has a bug",
        )
    every = frozenset(found.groups)
    if found.is_minimal and confirmation.needless:
        raise WrongAnswerError(
            f"{workers.REFEREE} needs fewer than what {workers.FINDER} found minimal",
            "one of them has a bug",
        )
    checks = {
        "unsatisfiable together": confirmation.is_core is True,
        "satisfiable without any one": confirmation.needed == every,
    }
    return {
        "is_minimal": found.is_minimal or confirmation.needed == every,
        "is_smallest": found.is_smallest,
        "checked": tuple(words for words, holds in checks.items() if holds),
        "unchecked": tuple(words for words, holds in checks.items() if not holds),
    }
