"""Explain workflow: a minimal unsatisfiable subset (MUS) of constraints, then of their rows.

Few constraints of a spec are part of a contradiction, and few solver calls find them. Only those
are split into a group for each row of their `for`. A second solver checks the result.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.command_clock import (
    CommandClock,
    CommandLimitError,
    limited_command,
    work_step,
)
from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.dimacs.header_values import MATERIALISED
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.mus import structural_arguments, workers
from boardsat.adapters.mus.group_names import Namer, Row
from boardsat.adapters.mus.workers import Confirmation, FoundCore, GroupedClauses
from boardsat.adapters.runtimes import Limits
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.generators import Formula, Spec, build_grouped, find
from boardsat.generators.clause_groups import ClauseGroup, GroupedFormula
from boardsat.generators.dimacs.document import preamble
from boardsat.generators.sections.parameters import parameters_of
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.formula_file import Instance
from boardsat.instance.header_verification import rebuilds_identically, settings_from_header
from boardsat.instance.inputs import CatalogueInput, WorkflowInput
from boardsat.workflows.explain.result import Explanation, Part

CONSTRAINTS_SHARE, ROWS_SHARE = 0.3, 0.6
"""Shares of the time left for reducing a core of constraints, then of rows."""

CHECK_SHARE = 0.1
"""Share of the time left that is reserved for the check."""


def resolve_spec(source: WorkflowInput) -> tuple[Spec, dict[str, Any]]:
    """Return the spec of an input and its settings.

    For a file they are those of its header, which is verified by rebuilding.
    """
    if isinstance(source, CatalogueInput):
        return source.spec(SOLVE), dict(source.settings)
    with source.formula_file(SOLVE) as problem:
        if not rebuilds_identically(problem):
            raise InputError(
                "it cannot be built again from its header, so its clauses have no names",
                "name the problem or the spec, with its settings",
                source.name,
            )
        header = problem.header
        spec = find(header.problem, header.encoding).from_outside()
        return spec, settings_from_header(spec, header)


def run_explain(spec: Spec, settings: Mapping[str, Any], limits: Limits) -> Explanation:
    """Return a MUS of the constraints of an instance, as small as the limits allow."""
    with limited_command(limits) as clock:
        try:
            return _Explainer(spec, settings, clock).explanation()
        except CommandLimitError as limit:
            return Explanation(Status.UNKNOWN, limit.fault, encoding=spec.name, usage=clock.usage())


@dataclass(frozen=True)
class _GroupedInstance:
    """Formula in groups of clauses, with the description that its file would have."""

    formula: GroupedFormula
    instance: Instance
    clauses: GroupedClauses

    def constraints(self, core: Collection[int]) -> set[int]:
        """Return the numbers of the constraints that groups belong to."""
        return {self.formula.groups[group].number for group in core}


class _Explainer:
    """Search for a MUS of one encoding within the limits of a clock."""

    def __init__(self, spec: Spec, settings: Mapping[str, Any], clock: CommandClock) -> None:
        self.spec, self.settings, self.clock = spec, settings, clock

    def explanation(self) -> Explanation:
        grouped = self.group_clauses(None)
        core = self.find_core(grouped, CONSTRAINTS_SHARE)
        header = grouped.instance.header
        explanation = Explanation(
            core.status,
            arguments=tuple(structural_arguments.structural_arguments(header)),
            encoding=self.spec.name,
            usage=self.clock.usage(),
        )
        if core.status is not Status.UNSATISFIABLE:
            other = self.explain_other_encoding(grouped, core)
            return other or replace(explanation, reason=_unknown_reason(core))
        grouped, core = self.split_into_rows(grouped, core)
        confirmation = workers.confirm_core(grouped.clauses, core.groups, self.limits(1.0))
        self.clock.charge(cpu=confirmation.usage.cpu or 0.0)
        return replace(
            explanation,
            meaning=header.unsat_message,
            parts=_parts(grouped, core.groups),
            usage=self.clock.usage(),
            **_check_core(core, confirmation),
        )

    def group_clauses(self, split: Collection[int] | None) -> _GroupedInstance:
        """Build the formula in groups: constraints, and rows of those that are split."""
        with work_step("the formula was made"):
            formula = build_grouped(self.spec, self.settings, split)
            instance = _describe(formula)
            lazy = read_lazy_constraints(instance.header) if instance.header.lazy else None
            numbers = [number for number, group in enumerate(formula.groups) if group.is_lazy]
            clauses = GroupedClauses(
                formula.variables,
                formula.background,
                [group.tokens for group in formula.groups],
                dict(zip(numbers, lazy.graphs if lazy else (), strict=True)),
                *([lazy.rounds] if lazy else []),
            )
        return _GroupedInstance(formula, instance, clauses)

    def find_core(self, grouped: _GroupedInstance, reduction_share: float) -> FoundCore:
        """Find a core in the time left, and reduce it in a share of that time."""
        limits = self.limits(1 - CHECK_SHARE)
        seconds = min((limit for limit in (limits.wall, limits.cpu) if limit), default=None)
        core = workers.find_core(grouped.clauses, limits, seconds and reduction_share * seconds)
        self.clock.charge(cpu=core.usage.cpu or 0.0)
        return core

    def split_into_rows(
        self, grouped: _GroupedInstance, core: FoundCore
    ) -> tuple[_GroupedInstance, FoundCore]:
        """Return a core of rows; the core of constraints if the time is too short."""
        try:
            rows = self.group_clauses(grouped.constraints(core.groups))
        except CommandLimitError:
            return grouped, replace(core, is_minimal=False)
        core_of_rows = self.find_core(rows, ROWS_SHARE)
        if core_of_rows.status is Status.SATISFIABLE:
            raise WrongAnswerError("the rows of constraints say less than the whole", "report it")
        if core_of_rows.status is Status.UNKNOWN:
            return grouped, core
        return rows, core_of_rows

    def limits(self, share: float) -> Limits:
        """Return a share of the time left; the memory limit holds for each process alone."""
        left = self.clock.remaining(Limits(memory=self.clock.limits.memory))
        wall, cpu = left.wall and share * left.wall, left.cpu and share * left.cpu
        return replace(left, wall=wall, cpu=cpu)

    def explain_other_encoding(
        self, grouped: _GroupedInstance, core: FoundCore
    ) -> Explanation | None:
        """Explain with the fallback of a lazy encoding whose rounds of cuts are used up."""
        header = grouped.instance.header
        name = read_lazy_constraints(header).otherwise if header.lazy else ""
        finished = core.end is TerminationReason.FINISHED
        if not name or core.status is not Status.UNKNOWN or not finished:
            return None
        other = find(self.spec.problem, name).with_limits_of(self.spec.source.is_built_in)
        names = {parameter.name for parameter in parameters_of(other, self.settings)}
        settings = {name: value for name, value in self.settings.items() if name in names}
        explanation = _Explainer(other, settings, self.clock).explanation()
        return replace(explanation, abandoned_encoding=self.spec.name)


def _unknown_reason(core: FoundCore) -> str:
    if core.status is Status.SATISFIABLE:
        return ""
    if core.end is TerminationReason.FINISHED:
        return "not decided within the rounds of cuts"
    return core.end


def _describe(formula: GroupedFormula) -> Instance:
    """Return the instance of a formula that is in no file, with the comments it would have."""
    whole = Formula(formula.header, formula.num_spec_variables, formula.variables, ())
    lines = preamble(whole, "none").decode("ascii").splitlines()
    comments = tuple(line[2:] for line in lines if line.startswith("c "))
    header = read_header(comments, formula.variables, "", MATERIALISED)
    return Instance("", header, comments, generated_here=True)


def _parts(grouped: _GroupedInstance, core: Collection[int]) -> tuple[Part, ...]:
    """Describe the groups of a core; equal descriptions are extended by what differs."""
    namer = Namer(grouped.instance.header)
    groups = [grouped.formula.groups[number] for number in sorted(core)]
    described = [(group, _subject(namer, group)) for group in groups]
    rows_alike: dict[tuple[int, str], list[Row]] = {}
    for group, about in described:
        rows_alike.setdefault((group.number, about), []).append(_row(group))
    return tuple(
        Part(
            group.name,
            _distinct_subject(namer, group, about, rows_alike[group.number, about]),
            group.row,
        )
        for group, about in described
    )


def _distinct_subject(namer: Namer, group: ClauseGroup, about: str, alike: Sequence[Row]) -> str:
    difference = namer.differing(_row(group), alike)
    return f"{about} ({difference})" if difference else about


def _subject(namer: Namer, group: ClauseGroup) -> str:
    return namer.about(group.tokens, _row(group)) if group.row else ""


def _row(group: ClauseGroup) -> Row:
    return Row(group.row, group.cells)


def _check_core(core: FoundCore, confirmation: Confirmation) -> dict[str, Any]:
    """Return what the second solver confirms; raise WrongAnswerError if it contradicts."""
    if confirmation.is_core is False:
        raise WrongAnswerError(
            f"{workers.REFEREE} has a model of what {workers.FINDER} found contradictory",
            "one of them has a bug",
        )
    if core.is_minimal and confirmation.needless:
        raise WrongAnswerError(
            f"{workers.REFEREE} needs fewer than what {workers.FINDER} found minimal",
            "one of them has a bug",
        )
    all_needed = confirmation.needed == frozenset(core.groups)
    checks = {
        "unsatisfiable together": confirmation.is_core is True,
        "satisfiable without any one": all_needed,
    }
    return {
        "is_minimal": core.is_minimal or all_needed,
        "is_smallest": core.is_smallest,
        "checked": tuple(words for words, holds in checks.items() if holds),
        "unchecked": tuple(words for words, holds in checks.items() if not holds),
    }
