"""Verdict on all records: agree, disagree or undecided, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter

from boardsat.adapters.answer import Status
from boardsat.base.errors import Wrong
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, RunRecord
from boardsat.workflows.count.reference import ReferenceCount, contradict
from boardsat.workflows.solve.result import Check
from boardsat.workflows.validate.evidence import ValidationEvidence, group_records
from boardsat.workflows.validate.metamorphic import BOARD_TESTS
from boardsat.workflows.validate.run_matrix import BOARD


class Consensus(StrEnum):
    """Consensus of all answers and the published count."""

    AGREE = "agree"
    DISAGREE = "disagree"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Disagreement:
    """Refuted record, or two contradictory records; the last record is the suspect."""

    reason: str
    records: tuple[RunRecord, ...]


@dataclass(frozen=True)
class Verdict:
    """Consensus with its reasons and disagreements."""

    consensus: Consensus
    reasons: tuple[str, ...]
    """Facts that support the verdict, or that prevent one."""
    against: tuple[str, ...]
    """Missing answers, and contradictions that are not explained by a wrong solver."""
    disagreements: tuple[Disagreement, ...]
    wrong_answers: Mapping[str, int] = field(default_factory=dict)
    """Number of refuted answers by the name of the solver."""


def verdict(
    records: Sequence[RunRecord],
    published: ReferenceCount | None,
    name: str,
    encodings: Iterable[str] = (),
) -> Verdict:
    """Return the verdict on all records.

    Each encoding needs a checked answer. `name` is the plural noun for the counted objects.
    """
    evidence = ValidationEvidence(records, published)
    wrong = (*_faults(records), *_statuses(evidence), *_counts(evidence, name))
    if wrong:
        reasons = tuple(disagreement.reason for disagreement in wrong)
        # Refuted answers are summarized by solver in `wrong_answers`.
        against = (
            disagreement.reason
            for disagreement in wrong
            if not evidence.is_refuted(disagreement.records[-1])
        )
        return Verdict(Consensus.DISAGREE, reasons, tuple(against), wrong, evidence.wrong_answers())
    missing = tuple(_unchecked_encodings(records, encodings))
    reasons = (*missing, *_grounds(evidence, name))
    return Verdict(Consensus.UNDECIDED if missing else Consensus.AGREE, reasons, missing, ())


def _faults(records: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Yield answers refuted by a check or by the expected status."""
    for record in records:
        outcome, expected = record.outcome, record.question.expected
        if outcome.fault:
            yield Disagreement(f"{record.title}: {outcome.fault}", (record,))
        elif record.answered and expected and outcome.status != expected:
            reason = f"{record.title} is {outcome.status} but must be {expected}"
            yield Disagreement(reason, (record,))


def _statuses(evidence: ValidationEvidence) -> Iterator[Disagreement]:
    """Yield contradictory pairs of statuses."""
    open_records = [record for record in evidence.records if record.question.expected is None]
    believed = [record for record in open_records if evidence.is_believed(record)]
    # A model whose board is wrong still satisfies the formula.
    with_model = [record for record in open_records if record.outcome.wrong is Wrong.BOARD]
    for record in open_records:
        if evidence.is_refuted(record) and not record.outcome.fault:
            yield from _opposition(record, believed + with_model)
        elif record in believed and record.outcome.parsed_status is Status.UNSATISFIABLE:
            yield from _opposition(record, believed)


def _opposition(suspect: RunRecord, records: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Yield the suspect with the strongest contradictory answer, if there is one."""

    def weakness(record: RunRecord) -> tuple[bool, bool]:
        # Contradictory answers to the same formula prove one of the two solvers wrong.
        is_other_formula = record.question.formula != suspect.question.formula
        return is_other_formula, not record.outcome.checked

    opposite = _OPPOSITES - {suspect.outcome.parsed_status}
    if opposed := [record for record in records if {record.outcome.parsed_status} == opposite]:
        pair = min(opposed, key=weakness), suspect
        answers = (f"{r.title} is {r.outcome.status} ({_trust(r)})" for r in pair)
        yield Disagreement(", ".join(answers), pair)


_OPPOSITES = {Status.SATISFIABLE, Status.UNSATISFIABLE}


def _trust(record: RunRecord) -> str:
    checked = record.outcome.checked
    if record.outcome.wrong is Wrong.BOARD:
        return "checked: model; its board is wrong"
    return f"checked: {', '.join(checked)}" if checked else "unchecked"


def _counts(evidence: ValidationEvidence, name: str) -> Iterator[Disagreement]:
    """Yield counts that contradict a more credible count, or the published one."""
    published, reference = evidence.published, evidence.reference
    counts = [r for r in evidence.counts if evidence.is_believed(r) or evidence.is_refuted(r)]
    numbers = list(dict.fromkeys(record.count.objects for record in counts))
    counts.sort(
        key=lambda record: (
            evidence.is_refuted(record),
            not record.count.exact,
            reference is not None and record.count.objects != reference.objects,
            numbers.index(record.count.objects),
        ),
    )
    for index, record in enumerate(counts):
        text, formula = _count_text(record, name), record.question.formula
        opposed = [earlier for earlier in counts[:index] if contradict(record.count, earlier.count)]
        if opposed:
            opponent = min(opposed, key=lambda record: record.question.formula != formula)
            yield Disagreement(f"{_count_text(opponent, name)}, {text}", (opponent, record))
        elif published and contradict(record.count, published):
            reason = f"{text}, but {published.objects:,} are published ({published.source})"
            yield Disagreement(reason, (record,))


def _count_text(record: RunRecord, name: str) -> str:
    approximate = "" if record.count.exact else "about "
    number = pluralize_phrase(record.count.objects or 0, name)
    return f"{record.title} counts {approximate}{number}"


def _unchecked_encodings(records: Sequence[RunRecord], encodings: Iterable[str]) -> Iterator[str]:
    """Yield a message about each encoding without a checked answer."""
    questions = [record for record in records if record.question.encoding != BOARD]
    plain = [record for record in questions if record.question.variant == PLAIN]
    answered = group_records(filter(attrgetter("answered"), plain), _encoding)
    silent = []
    for encoding in dict.fromkeys([*encodings, *map(_encoding, plain)]):
        answers = answered.get(encoding, [])
        checked = {check for record in answers for check in record.outcome.checked}
        if not answers:
            silent.append(encoding)
        elif not checked & {Check.MODEL, Check.PROOF}:
            yield f"{answers[0].outcome.status} on {encoding} is unchecked"
    if silent:
        yield f"no solver answered on {', '.join(silent)}"


def _grounds(evidence: ValidationEvidence, name: str) -> Iterator[str]:
    """Yield the facts that support the verdict, and the runs without an answer."""
    variants, published = group_records(evidence.believed_records(), _variant), evidence.published
    decided = [record for record in variants.pop(PLAIN, []) if record.question.task == DECIDE]
    for status, group in group_records(decided, attrgetter("outcome.status")).items():
        solvers = dict.fromkeys(record.identity.label for record in group)
        yield f"{status} by {', '.join(solvers)} on {_encodings(group)}{checks(group)}"
    counts = [record for record in evidence.counts if record.question.variant == PLAIN]
    for record in sorted(counts, key=lambda record: not record.count.exact):
        interval = record.count.interval
        bounds = f" (from {interval[0]:,} to {interval[1]:,})" if interval else ""
        yield f"{_count_text(record, name)}{bounds}"
    if published and counts:
        yield f"published: {published.objects:,} ({published.source})"
    for variant, meaning in BOARD_TESTS.items():
        if group := variants.pop(variant, []):
            yield f"{meaning} {_encodings(group)}{checks(group)}"
    for variant, group in variants.items():
        agreement = f"same answer on {_encodings(group)}"
        if counts := [record for record in group if record in evidence.counts]:
            agreement += f", same count on {_encodings(counts)}"
        yield f"{variant}: {agreement}{checks(group)}"
    unanswered = [record for record in evidence.records if not record.answered]
    for (task, solver, reason), group in group_records(unanswered, _missing_answer).items():
        noun = "count" if task == COUNT else "answer"
        encodings = ", ".join(record.question.varied_encoding for record in group)
        yield f"no {noun} by {solver} on {encodings}: {reason}"


_encoding = attrgetter("question.encoding")
_variant = attrgetter("question.variant")
_missing_answer = attrgetter("question.task", "identity.label", "outcome.reason")


def _encodings(records: Iterable[RunRecord]) -> str:
    return ", ".join(dict.fromkeys(map(_encoding, records)))


def checks(records: Iterable[RunRecord]) -> str:
    """Return how many checks of each kind the records passed, as text."""
    # `cuts (12)` is tallied without its number of cuts.
    tally = Counter(
        check.partition(" (")[0] for record in records for check in record.outcome.checked
    )
    if not tally:
        return ""
    phrases = (pluralize(number, *_NOUNS.get(kind, (kind,))) for kind, number in tally.items())
    return f"; checked: {', '.join(phrases)}"


_NOUNS = {"cuts": ("set of cuts", "sets of cuts")}
