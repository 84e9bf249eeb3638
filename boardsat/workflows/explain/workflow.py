"""Explain workflow: a minimal unsatisfiable subset (MUS) of constraints, then of their rows.

A MUS of whole constraints needs few solver calls. Only its constraints are split into a group of
clauses for each row of their `for`, and the MUS of these groups is the explanation. A second solver
checks it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
from boardsat.adapters.dimacs.header_values import MAX_HEADER_NUMBERS
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
from boardsat.workflows.explain.result import CoreConstraint, Explanation

CONSTRAINTS_SHARE, ROWS_SHARE = 0.3, 0.6
"""Shares of the remaining time for reducing a core of constraints, then of rows."""

CHECK_SHARE = 0.1
"""Share of the remaining time that is reserved for the check."""


def resolve_spec(source: WorkflowInput) -> tuple[Spec, dict[str, Any]]:
    """Return the spec and the settings of a problem, or those in the header of a file.

    Raise InputError if rebuilding from the header does not reproduce the file.
    """
    if isinstance(source, CatalogueInput):
        return source.spec(SOLVE), dict(source.settings)
    with source.formula_file(SOLVE) as formula:
        if not rebuilds_identically(formula):
            raise InputError(
                "the formula cannot be rebuilt from its header, so its clauses have no names",
                "name the problem or the spec, with its settings",
                source.name,
            )
        header = formula.header
        spec = find(header.problem, header.encoding).from_outside()
        return spec, settings_from_header(spec, header)


def run_explain(spec: Spec, settings: Mapping[str, Any], limits: Limits) -> Explanation:
    """Explain why an instance is unsatisfiable, by a MUS as small as the limits allow.

    Parameters
    ----------
    spec : Spec
        Encoding whose constraints are explained.
    settings : mapping
        Parameters of the instance.
    limits : Limits
        Limits of the whole search and its check.

    Returns
    -------
    Explanation
        Its status is SATISFIABLE if there is nothing to explain, UNKNOWN if a limit was reached.

    Raises
    ------
    InputError
        A parameter is invalid.
    WrongAnswerError
        The second solver contradicts the first.
    """
    with limited_command(limits) as clock:
        try:
            return _Explainer(spec, settings, clock).explanation()
        except CommandLimitError as limit:
            return Explanation(Status.UNKNOWN, limit.fault, encoding=spec.name, usage=clock.usage())


@dataclass(frozen=True)
class _GroupedInstance:
    """Formula in groups of clauses, with the instance that its header would describe."""

    formula: GroupedFormula
    instance: Instance
    clauses: GroupedClauses

    def constraints(self, core: Collection[int]) -> set[int]:
        """Return the numbers of the constraints to which the groups of a core belong."""
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
            fallback = self.explain_fallback(grouped, core)
            return fallback or replace(explanation, reason=_unknown_reason(core))
        grouped, core = self.split_into_rows(grouped, core)
        confirmation = workers.confirm_core(grouped.clauses, core.groups, self.limits(1.0))
        self.clock.charge(cpu=confirmation.usage.cpu or 0.0)
        return replace(
            explanation,
            meaning=header.unsat_message,
            core=_core_constraints(grouped, core.groups),
            usage=self.clock.usage(),
            **_check_core(core, confirmation),
        )

    def group_clauses(self, split: Collection[int] | None) -> _GroupedInstance:
        """Build the formula with a group for each constraint, or for each row of the split ones."""
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
        """Find a core in the remaining time, and reduce it within a share of that time."""
        limits = self.limits(1 - CHECK_SHARE)
        seconds = min((limit for limit in (limits.wall, limits.cpu) if limit), default=None)
        core = workers.find_core(grouped.clauses, limits, seconds and reduction_share * seconds)
        self.clock.charge(cpu=core.usage.cpu or 0.0)
        return core

    def split_into_rows(
        self, grouped: _GroupedInstance, core: FoundCore
    ) -> tuple[_GroupedInstance, FoundCore]:
        """Return a core of rows, or the given core of constraints if a limit is reached."""
        try:
            rows = self.group_clauses(grouped.constraints(core.groups))
        except CommandLimitError:
            return grouped, replace(core, is_minimal=False)
        core_of_rows = self.find_core(rows, ROWS_SHARE)
        if core_of_rows.status is Status.SATISFIABLE:
            raise WrongAnswerError(
                f"the rows of unsatisfiable constraints of {self.spec.name} are satisfiable",
                "report it: boardsat has a bug",
            )
        if core_of_rows.status is Status.UNKNOWN:
            return grouped, core
        return rows, core_of_rows

    def limits(self, share: float) -> Limits:
        """Return limits with a share of the remaining time; each process may use all the memory."""
        limits = self.clock.remaining(Limits(memory=self.clock.limits.memory))
        wall, cpu = limits.wall and share * limits.wall, limits.cpu and share * limits.cpu
        return replace(limits, wall=wall, cpu=cpu)

    def explain_fallback(self, grouped: _GroupedInstance, core: FoundCore) -> Explanation | None:
        """Explain with another encoding if the rounds of cuts of a lazy one did not suffice."""
        header = grouped.instance.header
        name = read_lazy_constraints(header).fallback if header.lazy else ""
        finished = core.end is TerminationReason.FINISHED
        if not name or core.status is not Status.UNKNOWN or not finished:
            return None
        fallback = find(self.spec.problem, name).with_limits_of(self.spec.source.is_built_in)
        names = {parameter.name for parameter in parameters_of(fallback, self.settings)}
        settings = {name: setting for name, setting in self.settings.items() if name in names}
        explanation = _Explainer(fallback, settings, self.clock).explanation()
        return replace(explanation, abandoned_encoding=self.spec.name)


def _unknown_reason(core: FoundCore) -> str:
    if core.status is Status.SATISFIABLE:
        return ""
    if core.end is TerminationReason.FINISHED:
        return "not decided within the rounds of cuts"
    return core.end


def _describe(formula: GroupedFormula) -> Instance:
    """Return the instance that the header comments of a formula would describe."""
    ungrouped = Formula(formula.header, formula.num_spec_variables, formula.variables, ())
    lines = preamble(ungrouped, "none").decode("ascii").splitlines()
    comments = tuple(line[2:] for line in lines if line.startswith("c "))
    header = read_header(comments, formula.variables, "", MAX_HEADER_NUMBERS)
    return Instance("", header, comments, generated_here=True)


def _core_constraints(
    grouped: _GroupedInstance, core: Collection[int]
) -> tuple[CoreConstraint, ...]:
    """Describe the groups of a core; extend equal descriptions by the indices that differ."""
    namer = Namer(grouped.instance.header)
    groups = [grouped.formula.groups[number] for number in sorted(core)]
    subjects = [namer.name(group.tokens, _row(group)) if group.row else "" for group in groups]
    rows_by_subject: dict[tuple[int, str], list[Row]] = {}
    for group, subject in zip(groups, subjects, strict=True):
        rows_by_subject.setdefault((group.number, subject), []).append(_row(group))

    def distinct_subject(group: ClauseGroup, subject: str) -> str:
        rows = rows_by_subject[group.number, subject]
        difference = namer.differing_indices(_row(group), rows)
        return f"{subject} ({difference})" if difference else subject

    return tuple(
        CoreConstraint(group.name, distinct_subject(group, subject), group.row)
        for group, subject in zip(groups, subjects, strict=True)
    )


def _row(group: ClauseGroup) -> Row:
    return Row(group.row, group.cells)


def _check_core(core: FoundCore, confirmation: Confirmation) -> dict[str, Any]:
    """Return the fields of the explanation about the check of a core by the second solver.

    Raise WrongAnswerError if the second solver contradicts the first.
    """
    if confirmation.is_core is False:
        raise WrongAnswerError(
            f"{workers.VERIFICATION_LIBRARY} has a model of the core that "
            f"{workers.EXTRACTION_LIBRARY} found unsatisfiable",
            "one of the two solvers has a bug",
        )
    if core.is_minimal and confirmation.needless:
        raise WrongAnswerError(
            f"{workers.VERIFICATION_LIBRARY} has a smaller core than "
            f"{workers.EXTRACTION_LIBRARY}, which found it minimal",
            "one of the two solvers has a bug",
        )
    all_needed = confirmation.needed == frozenset(core.groups)
    checks = {
        "unsatisfiable together": confirmation.is_core is True,
        "satisfiable without any one": all_needed,
    }
    return {
        "is_minimal": core.is_minimal or all_needed,
        "is_smallest": core.is_smallest,
        "checked": tuple(name for name, is_confirmed in checks.items() if is_confirmed),
        "unchecked": tuple(name for name, is_confirmed in checks.items() if not is_confirmed),
    }
