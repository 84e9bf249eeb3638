"""The verdict on all records: agree, disagree or undecided, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from boardsat.adapters.answer import Status
from boardsat.base.errors import Wrong
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, RunRecord
from boardsat.workflows.count import reference as counting
from boardsat.workflows.solve.result import Check
from boardsat.workflows.validate.evidence import ValidationEvidence
from boardsat.workflows.validate.known_boards import BROKEN, KNOWN
from boardsat.workflows.validate.run_matrix import BOARD


class Consensus(StrEnum):
    """Of all answers with each other, and with what is published."""

    AGREE = "agree"
    DISAGREE = "disagree"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Disagreement:
    """One or two records that cannot be true, and why in words."""

    reason: str
    records: tuple[RunRecord, ...]


@dataclass(frozen=True)
class Verdict:
    word: Consensus
    reasons: tuple[str, ...]
    """Why it may be believed, or what keeps it open."""
    against: tuple[str, ...]
    """Missing answers, and contradictions that no wrong solver explains."""
    disagreements: tuple[Disagreement, ...]
    wrong_answers: Mapping[str, int] = field(default_factory=dict)
    """Number of refuted answers by the name of the solver."""


def verdict(
    records: Sequence[RunRecord],
    published: counting.ReferenceCount | None,
    name: str,
    encodings: Iterable[str] = (),
) -> Verdict:
    """`name` is what is counted; each of the encodings needs an answer that is confirmed."""
    evidence = ValidationEvidence(records, published)
    wrong = (*_faults(records), *_statuses(evidence), *_counts(evidence, name))
    if wrong:
        told = tuple(each.reason for each in wrong)
        # The others are summed up by the name of the solver.
        against = (each.reason for each in wrong if not evidence.is_refuted(each.records[-1]))
        return Verdict(Consensus.DISAGREE, told, tuple(against), wrong, evidence.wrong_answers())
    missing = tuple(_unconfirmed(records, encodings))
    reasons = (*missing, *_grounds(evidence, name))
    return Verdict(Consensus.UNDECIDED if missing else Consensus.AGREE, reasons, missing, ())


def _faults(records: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Answers that are wrong by themselves."""
    for record in records:
        who = f"{record.title}"
        if record.outcome.fault:
            yield Disagreement(f"{who}: {record.outcome.fault}", (record,))
        elif (
            record.answered
            and record.question.expected
            and record.outcome.status != record.question.expected
        ):
            yield Disagreement(
                f"{who} is {record.outcome.status}, and must be {record.question.expected}",
                (record,),
            )


def _statuses(evidence: ValidationEvidence) -> Iterator[Disagreement]:
    """Two answers to the same question that exclude each other, the one to doubt last."""
    asked = [record for record in evidence.records if record.question.expected is None]
    believed = [record for record in asked if evidence.is_believed(record)]
    # A model with a wrong board satisfies its formula all the same.
    with_model = [record for record in asked if record.outcome.wrong is Wrong.BOARD]
    for record in asked:
        if evidence.is_refuted(record) and not record.outcome.fault:
            yield from _opposition(record, believed + with_model)
        elif record in believed and record.outcome.parsed_status is Status.UNSATISFIABLE:
            yield from _opposition(record, believed)


def _opposition(suspect: RunRecord, others: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Yield the suspect with the most trustworthy answer that excludes its own, if there is one."""
    opposed = [
        other
        for other in others
        if {other.outcome.parsed_status, suspect.outcome.parsed_status} == _OPPOSITES
    ]
    if opposed:
        # On the same formula one of the two solvers is wrong, which says most.
        other = min(
            opposed,
            key=lambda each: (
                each.question.formula != suspect.question.formula,
                not each.outcome.checked,
            ),
        )
        pair = other, suspect
        told = (f"{each.title} is {each.outcome.status} ({_trust(each)})" for each in pair)
        yield Disagreement(", ".join(told), pair)


_OPPOSITES = {Status.SATISFIABLE, Status.UNSATISFIABLE}


def _trust(record: RunRecord) -> str:
    if record.outcome.wrong is Wrong.BOARD:
        return "checked: model; its board is wrong"
    return (
        f"checked: {', '.join(record.outcome.checked)}" if record.outcome.checked else "unchecked"
    )


def _counts(evidence: ValidationEvidence, name: str) -> Iterator[Disagreement]:
    """Each count against those before it, the likeliest first: whoever differs comes last."""
    published, reference = evidence.published, evidence.reference
    found = [r for r in evidence.counts if evidence.is_believed(r) or evidence.is_refuted(r)]
    numbers = list(dict.fromkeys(record.count.objects for record in found))
    found.sort(
        key=lambda record: (
            evidence.is_refuted(record),
            not record.count.exact,
            reference is not None and record.count.objects != reference.objects,
            numbers.index(record.count.objects),
        ),
    )
    for place, record in enumerate(found):
        against = [
            other for other in found[:place] if counting.contradict(record.count, other.count)
        ]
        if against:
            other = min(against, key=lambda each: each.question.formula != record.question.formula)
            yield Disagreement(f"{_tells(other, name)}, {_tells(record, name)}", (other, record))
        elif published and counting.contradict(record.count, published):
            yield Disagreement(
                f"{_tells(record, name)}, but {published.source} says {published.objects:,}",
                (record,),
            )


def _tells(record: RunRecord, name: str) -> str:
    about = "" if record.count.exact else "about "
    number = pluralize_phrase(record.count.objects or 0, name)
    return f"{record.title} counts {about}{number}"


def _unconfirmed(records: Sequence[RunRecord], encodings: Iterable[str]) -> Iterator[str]:
    """Encodings without an answer that a check confirms."""
    plain = [
        record
        for record in records
        if record.question.variant == PLAIN and record.question.encoding != BOARD
    ]
    silent = []
    for encoding in dict.fromkeys([*encodings, *(record.question.encoding for record in plain)]):
        answers = [
            record for record in plain if record.answered and record.question.encoding == encoding
        ]
        if not answers:
            silent.append(encoding)
        elif not any(
            {Check.MODEL, Check.PROOF} & set(record.outcome.checked) for record in answers
        ):
            yield f"{answers[0].outcome.status} on {encoding} is unchecked"
    if silent:
        yield f"no solver answered on {', '.join(silent)}"


def _grounds(evidence: ValidationEvidence, name: str) -> Iterator[str]:
    """Why we may believe it, a line each."""
    answers, published = evidence.believed(), evidence.published
    decided = [r for r in answers if r.question.task == DECIDE and r.question.variant == PLAIN]
    for status in dict.fromkeys(record.outcome.status for record in decided):
        group = [record for record in decided if record.outcome.status == status]
        yield f"{status} by {_sources(group)}{checks(group)}"
    counts = [record for record in evidence.counts if record.question.variant == PLAIN]
    for record in sorted(counts, key=lambda each: not each.count.exact):
        if record.count.interval:
            low, high = record.count.interval
            yield f"{_tells(record, name)} (from {low:,} to {high:,})"
        else:
            yield _tells(record, name)
    if published and counts:
        yield f"{published.source} says {published.objects:,} as well"
    for variant, meaning in (
        (KNOWN, "a known board satisfies"),
        (BROKEN, "boards that break the rules are refused by"),
    ):
        if group := [record for record in answers if record.question.variant == variant]:
            yield f"{meaning} {_encodings(group)}{checks(group)}"
    changed = [r for r in answers if r.question.variant not in (PLAIN, KNOWN, BROKEN)]
    for variant in dict.fromkeys(record.question.variant for record in changed):
        group = [record for record in changed if record.question.variant == variant]
        kept = f"keeps the answer on {_encodings(group)}"
        if counts := [record for record in group if record in evidence.counts]:
            kept += f" and the count on {_encodings(counts)}"
        yield f"{variant}: {kept}{checks(group)}"
    silent: dict[tuple[str, str, str], list[str]] = {}
    for record in evidence.records:
        if not record.answered:
            missing = "count" if record.question.task == COUNT else "answer"
            silent.setdefault((missing, record.identity.label, record.outcome.reason), []).append(
                record.question.varied_encoding
            )
    for (missing, solver, reason), places in silent.items():
        yield f"no {missing} by {solver} on {', '.join(places)}: {reason}"


def _sources(records: Sequence[RunRecord]) -> str:
    solvers = dict.fromkeys(record.identity.label for record in records)
    return f"{', '.join(solvers)} on {_encodings(records)}"


def _encodings(records: Iterable[RunRecord]) -> str:
    return ", ".join(dict.fromkeys(record.question.encoding for record in records))


def checks(records: Iterable[RunRecord]) -> str:
    """What was checked, and how often."""
    # How many cuts there were is told elsewhere.
    tally = Counter(
        check.partition(" (")[0] for record in records for check in record.outcome.checked
    )
    if not tally:
        return ""
    shown = (pluralize(number, *_NOUNS.get(word, (word,))) for word, number in tally.items())
    return f"; checked: {', '.join(shown)}"


_NOUNS = {"cuts": ("set of cuts", "sets of cuts")}
