"""Further evidence: equivalent instances, and boards known to be right or wrong.

Each is run by the fastest reliable solver on the encoding: one with a checked answer and without a
refuted one. A prover has to refute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.capabilities import InputFormat
from boardsat.campaign.report.found_boards import Found, boards_of
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, Question, RunRecord
from boardsat.campaign.runner.solver_selection import SolverConfig
from boardsat.clock import CommandLimitError, during, harness_limits, running
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate import known_boards, run_matrix
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.run_matrix import PlannedInstance
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS, PossibleRun
from boardsat.workflows.validate.variants import variants


@dataclass(frozen=True)
class Variation:
    """One that can be asked of an encoding; its formula is written when its turn comes."""

    base: PlannedInstance
    name: str
    make: Callable[[Path], PlannedInstance | None]

    @property
    def has_one_answer(self) -> bool:
        return self.name in _FIXED


@dataclass(frozen=True)
class Quickest:
    """A solver, and the seconds that it took."""

    choice: SolverConfig
    seconds: float


TIMES = 2.0
"""A question that is asked otherwise may take so many times as long, at the least."""

_FIXED = {known_boards.KNOWN: known_boards.known, known_boards.BROKEN: known_boards.broken}


class Further:
    def __init__(
        self,
        made: Sequence[PlannedInstance],
        problems: Mapping[str, FormulaFile],
        chosen: Sequence[SolverConfig],
        limits: Limits,
        seed: int | None,
        folder: Path,
        published: ReferenceCount | None,
    ) -> None:
        self.made, self.problems, self.limits, self.seed = made, problems, limits, seed
        self.published = published
        self.able = [choice for choice in chosen if choice.solver.input_format is InputFormat.CNF]
        self.folder = folder
        self.written: dict[tuple[str, str], PlannedInstance | None] = {}
        self.assigned: dict[tuple[str, str, Question], str] = {}
        """Solver by encoding, variant and task: the last one that was to run it."""

    @property
    def files(self) -> dict[str, str]:
        """By the hash of the formula."""
        return {made.formula: made.file for made in self.written.values() if made is not None}

    def deciding(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield each kind of question on every encoding, before the next kind.

        Called again, it yields the questions whose solver has turned out to be wrong.
        """
        evidence = ValidationEvidence(records, self.published)
        able = self._reliable(DECIDE, evidence)
        provers = [choice for choice in able if choice.proves]
        sound = [record for record in records if not record.fault]
        for question in self._unanswered(DECIDE, evidence):
            best = quickest(question.base, DECIDE, sound, able)
            if question.has_one_answer:
                # A wrong board is the fault of the encoding, which this is to show.
                best = best or quickest(question.base, DECIDE, records, able)
            if question.name == known_boards.BROKEN:
                best = quickest(question.base, DECIDE, sound, provers) or best
            yield from self._items(question, DECIDE, best)

    def counting(self, records: Sequence[RunRecord]) -> Iterator[PossibleRun]:
        """Yield the equivalent instances again, whose count must stay the same."""
        evidence = ValidationEvidence(records, self.published)
        able = self._reliable(COUNT, evidence)
        for question in self._unanswered(COUNT, evidence):
            if question.base.counts and not question.has_one_answer:
                best = quickest(question.base, COUNT, evidence.believed(), able)
                yield from self._items(question, COUNT, best)

    def _reliable(self, task: Question, evidence: ValidationEvidence) -> list[SolverConfig]:
        reliable = evidence.reliable_solvers(task)
        return [choice for choice in self.able if choice.name in reliable]

    def _unanswered(self, task: Question, evidence: ValidationEvidence) -> Iterator[Variation]:
        """Yield the questions that no solver has answered, except those that are wrong."""
        credible = {
            (record.encoding, record.variant, record.task) for record in evidence.believed()
        } | {place for place, name in self.assigned.items() if name not in evidence.wrong_solvers}
        assigned = {place for place in self.assigned if place[2] == task}
        if assigned and assigned <= credible:
            return  # without a look at the formulas again
        for question in self._questions(evidence.records):
            if (question.base.encoding, question.name, task) not in credible:
                yield question

    def _questions(self, records: Sequence[RunRecord]) -> Iterator[Variation]:
        boards = [found for found in boards_of(records, self.problems) if found.believed]
        each = [self._of(instance, boards) for instance in self.made if instance.spec is not None]
        in_turn = chain.from_iterable(zip_longest(*each))
        yield from (question for question in in_turn if question is not None)

    def _of(self, instance: PlannedInstance, boards: Sequence[Found]) -> Iterator[Variation]:
        # Best from another encoding, as one and the same might be wrong in the same way.
        elsewhere = [found for found in boards if found.record.encoding != instance.encoding]
        for found in (elsewhere or boards)[:1]:
            for name, fixed in (
                (known_boards.KNOWN, known_boards.known),
                (known_boards.BROKEN, known_boards.broken),
            ):
                yield Variation(instance, name, partial(fixed, instance, found.solution))
        for name, make in variants(instance):
            yield Variation(instance, name, make)

    def _items(
        self, question: Variation, task: Question, best: Quickest | None
    ) -> Iterator[PossibleRun]:
        if best is not None:
            self.assigned[question.base.encoding, question.name, task] = best.choice.name
            yield PossibleRun(
                question.base.encoding,
                question.name,
                best.choice.name,
                task,
                run_matrix.size_of(question.base),
                partial(self._job, question, task, best.choice),
                max(MIN_RUN_SECONDS, TIMES * best.seconds),
            )

    def _job(self, question: Variation, task: Question, choice: SolverConfig) -> Job | None:
        place = question.base.encoding, question.name
        if place not in self.written:
            try:
                with running(harness_limits(self.limits)), during("the formula was made"):
                    self.written[place] = question.make(self.folder)
            except CommandLimitError:
                self.written[place] = None
        instance = self.written[place]
        if instance is None:
            return None
        return run_matrix.job(instance, choice, task, self.limits, self.seed)


def quickest(
    instance: PlannedInstance,
    task: Question,
    records: Sequence[RunRecord],
    able: Sequence[SolverConfig],
) -> Quickest | None:
    """Return the solver that answered on the plain formula first; None if none of them did."""
    names = {choice.name: choice for choice in able}
    answered = [
        record
        for record in records
        if record.encoding == instance.encoding
        and record.variant == PLAIN
        and record.task == task
        and record.solver in names
        and record.answered
        and record.exact
    ]
    best = min(answered, key=lambda record: record.wall, default=None)
    return Quickest(names[best.solver], best.wall) if best else None
