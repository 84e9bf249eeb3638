"""Evidence: facts that checked answers establish, and the answers and solvers that they refute.

A checked model proves a formula satisfiable, a checked proof unsatisfiable. A reference count is
published, or two exact counters found it independently. An answer against such a fact is refuted,
and its solver is wrong, unless the encoding is to blame.
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
"""Hash of a formula, and whether the solver read the board instead of it."""


class ValidationEvidence:
    """Facts from the records of one validation.

    Parameters
    ----------
    records
        Every run that has ended.
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
        """Encodings that a checked answer shows to be wrong."""
        self.counts = [record for record in records if _is_count(record)]
        self._wrong_deciders = {r.identity.name for r in records if self._is_wrong_by_itself(r)}
        self.reference = published or self._common_count()
        """Reference count; None if nothing is published and no two exact counters agree."""
        self.wrong_solvers = {record.identity.name for record in records if self.is_refuted(record)}
        """Solvers with a refuted answer."""

    def wrong_answers(self) -> dict[str, int]:
        """Return the number of refuted answers of each wrong solver, by its name."""
        refuted = filter(self.is_refuted, self.records)
        return dict(Counter(record.identity.label for record in refuted))

    def is_refuted(self, record: RunRecord) -> bool:
        """Return whether the answer is proved false, and the solver is to blame."""
        return self._is_wrong_by_itself(record) or self._is_wrong_count(record)

    def is_believed(self, record: RunRecord) -> bool:
        """Return whether the answer counts: an unchecked one of a wrong solver does not."""
        if not record.solved or self.is_refuted(record):
            return False
        return bool(record.outcome.checked) or record.identity.name not in self.wrong_solvers

    def believed(self) -> list[RunRecord]:
        """Return the records whose answers count."""
        return list(filter(self.is_believed, self.records))

    def believed_counts(self) -> list[RunRecord]:
        """Return the counts that count, of formulas whose answer is not known beforehand."""
        return list(filter(self.is_believed, self.counts))

    def is_confirmed(self, record: RunRecord) -> bool:
        """Return whether a count agrees with all other believed ones, and there is another."""
        others: list[Comparable] = [
            other.count
            for other in self.believed_counts()
            if other.identity.name != record.identity.name
        ]
        others += filter(None, [self.published])
        return (
            bool(others)
            and self.is_believed(record)
            and not any(contradict(record.count, other) for other in others)
        )

    def with_checked_counts(self) -> list[RunRecord]:
        """Return the records, with the check `count` on every confirmed count."""
        return [
            replace(record, outcome=replace(record.outcome, checked=(Check.COUNT,)))
            if _is_count(record) and self.is_confirmed(record)
            else record
            for record in self.records
        ]

    def reliable_solvers(self, task: RunTask) -> set[str]:
        """Return the solvers with a checked answer in this task, and without a refuted one."""
        if task == COUNT:
            reliable = {record.identity.name for record in self.counts if self.is_confirmed(record)}
        else:
            checked = (r for r in self.records if _has_checked_model(r) or _is_proved(r))
            reliable = {record.identity.name for record in checked if record.question.task == task}
        return reliable - self.wrong_solvers

    def _is_wrong_by_itself(self, record: RunRecord) -> bool:
        """Return whether a check, or what is known of satisfiability, refutes the answer."""
        question, outcome = record.question, record.outcome
        if outcome.fault:
            is_blameless = question.task == COUNT and question.encoding in self.wrong_encodings
            return outcome.wrong is not Wrong.BOARD and not is_blameless
        if outcome.parsed_status is Status.UNSATISFIABLE:
            return _subject(record) in self._satisfiable
        is_satisfiable = outcome.parsed_status is Status.SATISFIABLE
        return is_satisfiable and _subject(record) in self._unsatisfiable

    def _is_wrong_count(self, record: RunRecord) -> bool:
        """Return whether the count differs from the reference count, through the counter's fault.

        The encoding is to blame if another counter confirms this count of the same formula, if the
        same counter is right about another encoding, or if other evidence shows the encoding wrong.
        It is not if another counter finds the reference count on the same formula.
        """
        reference = self.reference
        if not _is_count(record) or reference is None or not contradict(record.count, reference):
            return False
        others = [
            other
            for other in self.counts
            if other.identity.name != record.identity.name and _subject(other) == _subject(record)
        ]
        if any(not contradict(other.count, reference) for other in others):
            return True
        encoding, solver = record.question.encoding, record.identity.name
        is_right_elsewhere = any(
            other.identity.name == solver
            and other.question.encoding != encoding
            and not contradict(other.count, reference)
            for other in self.counts
        )
        is_repeated = any(not contradict(other.count, record.count) for other in others)
        return not (is_right_elsewhere or is_repeated or encoding in self.wrong_encodings)

    def _find_wrong_encodings(self) -> set[str]:
        """Return the encodings that a checked answer shows to be wrong.

        A model has a board that breaks the rules, an answer is proved that must be another, or a
        formula is proved unsatisfiable although a board of the problem is known.
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
        """Return the exact count that more counters found than any other, and at least two."""
        found = {
            (record.identity.name, record.count.objects)
            for record in self.counts
            if record.count.exact and record.identity.name not in self._wrong_deciders
        }
        best = Counter(objects for _, objects in found).most_common(2)
        if not best or best[0][1] < 2 or (len(best) == 2 and best[0][1] == best[1][1]):
            return None
        objects = best[0][0]
        names = sorted(solver for solver, count in found if count == objects)
        return ReferenceCount("counters", ", ".join(names), objects)


def group_records(
    records: Iterable[RunRecord], key: Callable[[RunRecord], Key]
) -> dict[Key, list[RunRecord]]:
    """Return the records by a key, both in their order."""
    groups: dict[Key, list[RunRecord]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def _subject(record: RunRecord) -> Subject:
    return record.question.formula, record.question.encoding == BOARD


def _has_checked_model(record: RunRecord) -> bool:
    """Return whether the formula is satisfiable by a model that was checked."""
    if record.outcome.parsed_status is not Status.SATISFIABLE:
        return False
    kinds = {Check.MODEL, Check.BOARD} if record.question.encoding == BOARD else {Check.MODEL}
    return record.outcome.wrong is Wrong.BOARD or bool(kinds.intersection(record.outcome.checked))


def _is_proved(record: RunRecord) -> bool:
    outcome = record.outcome
    return outcome.parsed_status is Status.UNSATISFIABLE and Check.PROOF in outcome.checked


def _is_count(record: RunRecord) -> bool:
    """Return whether the record has a count that all equivalent formulas share."""
    question = record.question
    is_count = question.task == COUNT and record.count.objects is not None
    return record.solved and is_count and not question.expected
