"""Evidence: facts established by checked answers, and the answers and solvers they refute.

A checked model proves a formula satisfiable, a checked proof unsatisfiable. A reference count is
published, or reported by two exact counters independently. An answer that contradicts such a fact
is refuted, and its solver is wrong unless the encoding is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from boardsat.adapters.answer import Status
from boardsat.base.errors import Wrong
from boardsat.campaign.runner.records import COUNT, PLAIN, RunRecord, RunTask
from boardsat.workflows.count.reference import Comparable, ReferenceCount, contradict
from boardsat.workflows.solve.result import Check
from boardsat.workflows.validate.run_matrix import BOARD

Key = TypeVar("Key", bound=Hashable)

Subject = tuple[str, bool]
"""Hash of a formula, and True if the solver read the board instead of the formula."""


class ValidationEvidence:
    """Facts from the records of one validation.

    Parameters
    ----------
    records
        Records of all runs that have ended.
    published
        Count from the literature; None if the spec cites none.
    """

    def __init__(self, records: Sequence[RunRecord], published: ReferenceCount | None) -> None:
        self.records = records
        self.published = published
        self._satisfiable = {_subject(record) for record in records if _has_checked_model(record)}
        self._unsatisfiable = {_subject(record) for record in records if _is_proved(record)}
        if any(
            Check.BOARD in record.outcome.checked and record.question.variant == PLAIN
            for record in records
        ):
            boards = (record for record in records if record.question.encoding == BOARD)
            self._satisfiable.update(map(_subject, boards))
        self._unsatisfiable -= self._satisfiable
        self.wrong_encodings = self._find_wrong_encodings()
        """Encodings refuted by a checked answer."""
        self.counts = [record for record in records if _is_count(record)]
        self._wrong_deciders = {r.identity.name for r in records if self._is_wrong_by_itself(r)}
        self.reference = published or self._common_count()
        """Reference count. None without a published count or two exact counters that agree."""
        self.wrong_solvers = {record.identity.name for record in records if self.is_refuted(record)}
        """Solvers with a refuted answer."""

    def wrong_answers(self) -> dict[str, int]:
        """Return the number of refuted answers by the name of the solver."""
        refuted = filter(self.is_refuted, self.records)
        return dict(Counter(record.identity.label for record in refuted))

    def is_refuted(self, record: RunRecord) -> bool:
        """Return whether the answer is wrong by a fault of the solver, not of the encoding."""
        return self._is_wrong_by_itself(record) or self._is_wrong_count(record)

    def is_believed(self, record: RunRecord) -> bool:
        """Return whether an answer is credible.

        It must not be refuted, and it must be checked or of a solver without refuted answers.
        """
        if not record.solved or self.is_refuted(record):
            return False
        return bool(record.outcome.checked) or record.identity.name not in self.wrong_solvers

    def believed_records(self) -> list[RunRecord]:
        """Return the records with a believed answer."""
        return list(filter(self.is_believed, self.records))

    def believed_counts(self) -> list[RunRecord]:
        """Return the records with a believed count of a formula without an expected status."""
        return list(filter(self.is_believed, self.counts))

    def is_confirmed(self, record: RunRecord) -> bool:
        """Return whether a believed count agrees with all believed counts of other counters.

        The published count, if any, is compared as well; there must be at least one such count.
        """
        references: list[Comparable] = [
            believed.count
            for believed in self.believed_counts()
            if believed.identity.name != record.identity.name
        ]
        references += filter(None, [self.published])
        return (
            bool(references)
            and self.is_believed(record)
            and not any(contradict(record.count, reference) for reference in references)
        )

    def with_checked_counts(self) -> list[RunRecord]:
        """Return the records, with the check `count` added to confirmed counts."""
        return [
            replace(record, outcome=replace(record.outcome, checked=(Check.COUNT,)))
            if _is_count(record) and self.is_confirmed(record)
            else record
            for record in self.records
        ]

    def reliable_solvers(self, task: RunTask) -> set[str]:
        """Return the solvers with a checked answer for the task and without refuted answers."""
        if task == COUNT:
            reliable = {record.identity.name for record in self.counts if self.is_confirmed(record)}
        else:
            checked = (r for r in self.records if _has_checked_model(r) or _is_proved(r))
            reliable = {record.identity.name for record in checked if record.question.task == task}
        return reliable - self.wrong_solvers

    def _is_wrong_by_itself(self, record: RunRecord) -> bool:
        """Return whether a check or a proved status of the formula refutes the answer."""
        question, outcome = record.question, record.outcome
        if outcome.fault:
            is_blameless = question.task == COUNT and question.encoding in self.wrong_encodings
            return outcome.wrong is not Wrong.BOARD and not is_blameless
        if outcome.parsed_status is Status.UNSATISFIABLE:
            return _subject(record) in self._satisfiable
        is_satisfiable = outcome.parsed_status is Status.SATISFIABLE
        return is_satisfiable and _subject(record) in self._unsatisfiable

    def _is_wrong_count(self, record: RunRecord) -> bool:
        """Return whether the count contradicts the reference count by a fault of the counter.

        The counter is wrong if another one reports the reference count for the same formula.
        Otherwise the encoding is wrong if another counter confirms the count of the same formula,
        if the same counter is right about another encoding, or if other evidence refutes it.
        """
        reference = self.reference
        if not _is_count(record) or reference is None or not contradict(record.count, reference):
            return False
        same_formula = [
            count
            for count in self.counts
            if count.identity.name != record.identity.name and _subject(count) == _subject(record)
        ]
        if any(not contradict(count.count, reference) for count in same_formula):
            return True
        encoding, solver = record.question.encoding, record.identity.name
        is_right_elsewhere = any(
            count.identity.name == solver
            and count.question.encoding != encoding
            and not contradict(count.count, reference)
            for count in self.counts
        )
        is_repeated = any(not contradict(count.count, record.count) for count in same_formula)
        return not (is_right_elsewhere or is_repeated or encoding in self.wrong_encodings)

    def _find_wrong_encodings(self) -> set[str]:
        """Return the encodings refuted by a checked answer.

        A model decodes to a board that violates the rules, a checked status differs from the
        expected one, or a formula is proved unsatisfiable although the problem has a board.
        """
        has_board = any(Check.BOARD in record.outcome.checked for record in self.records)

        def is_wrong(record: RunRecord) -> bool:
            outcome, expected = record.outcome, record.question.expected
            if outcome.wrong is Wrong.BOARD:
                return True
            if expected is None:
                return has_board and _subject(record) in self._unsatisfiable
            is_checked = _has_checked_model(record) or _is_proved(record)
            return is_checked and outcome.status != expected

        return {record.question.encoding for record in self.records if is_wrong(record)}

    def _common_count(self) -> ReferenceCount | None:
        """Return the exact count reported by the most counters: at least two, without a tie."""
        solver_counts = {
            (record.identity.name, record.count.objects)
            for record in self.counts
            if record.count.exact and record.identity.name not in self._wrong_deciders
        }
        best = Counter(objects for _, objects in solver_counts).most_common(2)
        if not best or best[0][1] < 2 or (len(best) == 2 and best[0][1] == best[1][1]):
            return None
        objects = best[0][0]
        names = sorted(solver for solver, count in solver_counts if count == objects)
        return ReferenceCount("counters", ", ".join(names), objects)


def group_records(
    records: Iterable[RunRecord], key: Callable[[RunRecord], Key]
) -> dict[Key, list[RunRecord]]:
    """Group records by a key, in order of first occurrence."""
    groups: dict[Key, list[RunRecord]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def _subject(record: RunRecord) -> Subject:
    return record.question.formula, record.question.encoding == BOARD


def _has_checked_model(record: RunRecord) -> bool:
    """Return whether a checked model satisfies the formula."""
    if record.outcome.parsed_status is not Status.SATISFIABLE:
        return False
    kinds = {Check.MODEL, Check.BOARD} if record.question.encoding == BOARD else {Check.MODEL}
    return record.outcome.wrong is Wrong.BOARD or bool(kinds.intersection(record.outcome.checked))


def _is_proved(record: RunRecord) -> bool:
    outcome = record.outcome
    return outcome.parsed_status is Status.UNSATISFIABLE and Check.PROOF in outcome.checked


def _is_count(record: RunRecord) -> bool:
    """Return whether the record has a count that applies to all equivalent formulas."""
    question = record.question
    is_count = question.task == COUNT and record.count.objects is not None
    return record.solved and is_count and not question.expected
