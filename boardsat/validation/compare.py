"""The verdict on all records: agree, disagree or undecided, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from boardsat.adapters.answer import Status
from boardsat.adapters.counts import counted, counted_as
from boardsat.counting import comparing as counting
from boardsat.running.records import COUNT, DECIDE, PLAIN, RunRecord
from boardsat.solving.checking import Check
from boardsat.validation.known_boards import BROKEN, KNOWN
from boardsat.validation.plan import BOARD


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
    """What contradicts, or what is missing: none where all agree."""
    disagreements: tuple[Disagreement, ...]


def verdict(
    records: Sequence[RunRecord],
    published: counting.Referee | None,
    name: str,
    encodings: Iterable[str] = (),
) -> Verdict:
    """`name` is what is counted; each of the encodings needs an answer that is confirmed."""
    wrong = (*_faults(records), *_statuses(records), *_counts(records, published, name))
    if wrong:
        told = tuple(each.reason for each in wrong)
        return Verdict(Consensus.DISAGREE, told, told, wrong)
    missing = tuple(_unconfirmed(records, encodings))
    reasons = (*missing, *_grounds(records, published, name))
    return Verdict(Consensus.UNDECIDED if missing else Consensus.AGREE, reasons, missing, ())


def with_checked_counts(
    records: Sequence[RunRecord], published: counting.Referee | None
) -> list[RunRecord]:
    """The records, where a count that somebody else confirms is checked."""
    counted = counts_in(records)

    def is_confirmed(record: RunRecord) -> bool:
        others: list[counting.Comparable] = [r for r in counted if r.solver != record.solver]
        others += filter(None, [published])
        return bool(others) and not any(counting.contradict(record, other) for other in others)

    return [
        replace(record, checked=(Check.COUNT,))
        if record in counted and is_confirmed(record)
        else record
        for record in records
    ]


def sound(records: Iterable[RunRecord]) -> list[RunRecord]:
    """Answers that no check has refuted."""
    return [record for record in records if record.answered and not record.fault]


def _faults(records: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Answers that are wrong by themselves."""
    for record in records:
        who = f"{record.name} on {record.where}"
        if record.fault:
            yield Disagreement(f"{who}: {record.fault}", (record,))
        elif record.answered and record.expected and record.status != record.expected:
            yield Disagreement(
                f"{who} is {record.status}, and must be {record.expected}", (record,)
            )


def _statuses(records: Iterable[RunRecord]) -> Iterator[Disagreement]:
    """Two answers to the same question that exclude each other."""
    asked = [record for record in sound(records) if record.expected is None]
    positive = [record for record in asked if record.says is Status.SATISFIABLE]
    negative = [record for record in asked if record.says is Status.UNSATISFIABLE]
    for no in negative if positive else ():
        # On the same formula one of the two solvers is wrong, which says most.
        yes = min(positive, key=lambda each: (each.formula != no.formula, not each.checked))
        yield Disagreement(
            f"{yes.name} on {yes.where} is {yes.status} ({_trust(yes)}), "
            f"{no.name} on {no.where} is {no.status} ({_trust(no)})",
            (yes, no),
        )


def _trust(record: RunRecord) -> str:
    return f"checked: {', '.join(record.checked)}" if record.checked else "unchecked"


def counts_in(records: Iterable[RunRecord]) -> list[RunRecord]:
    found = (record for record in sound(records) if record.task == COUNT)
    return [record for record in found if record.objects is not None and record.expected is None]


def _counts(
    records: Iterable[RunRecord], published: counting.Referee | None, name: str
) -> Iterator[Disagreement]:
    """Each count against those before it, the likeliest first: whoever differs comes last."""
    found = counts_in(records)
    tally = Counter(record.objects for record in found if record.exact)
    likeliest = published.objects if published else max(tally, key=tally.__getitem__, default=None)
    found.sort(key=lambda record: (not record.exact, record.objects != likeliest))
    for place, record in enumerate(found):
        against = [other for other in found[:place] if counting.contradict(record, other)]
        if against:
            other = min(against, key=lambda each: each.formula != record.formula)
            yield Disagreement(f"{_tells(other, name)}, {_tells(record, name)}", (other, record))
        elif published and counting.contradict(record, published):
            yield Disagreement(
                f"{_tells(record, name)}, but {published.source} says {published.objects:,}",
                (record,),
            )


def _tells(record: RunRecord, name: str) -> str:
    about = "" if record.exact else "about "
    return f"{record.name} on {record.where} counts {about}{counted_as(record.objects or 0, name)}"


def _unconfirmed(records: Sequence[RunRecord], encodings: Iterable[str]) -> Iterator[str]:
    """Encodings without an answer that a check confirms."""
    plain = [record for record in records if record.variant == PLAIN and record.encoding != BOARD]
    silent = []
    for encoding in dict.fromkeys([*encodings, *(record.encoding for record in plain)]):
        answers = [record for record in sound(plain) if record.encoding == encoding]
        if not answers:
            silent.append(encoding)
        elif not any({Check.MODEL, Check.PROOF} & set(record.checked) for record in answers):
            yield f"{answers[0].status} on {encoding} is unchecked"
    if silent:
        yield f"no solver answered on {', '.join(silent)}"


def _grounds(
    records: Sequence[RunRecord], published: counting.Referee | None, name: str
) -> Iterator[str]:
    """Why we may believe it, a line each."""
    answers = sound(records)
    decided = [r for r in answers if r.task == DECIDE and r.variant == PLAIN]
    for status in dict.fromkeys(record.status for record in decided):
        group = [record for record in decided if record.status == status]
        yield f"{status} by {_sources(group)}{checks(group)}"
    counts = [record for record in counts_in(records) if record.variant == PLAIN]
    for record in sorted(counts, key=lambda each: not each.exact):
        if record.interval:
            low, high = record.interval
            yield f"{_tells(record, name)} (from {low:,} to {high:,})"
        else:
            yield _tells(record, name)
    if published and counts:
        yield f"{published.source} says {published.objects:,} as well"
    for variant, meaning in (
        (KNOWN, "a known board satisfies"),
        (BROKEN, "boards that break the rules are refused by"),
    ):
        if group := [record for record in answers if record.variant == variant]:
            yield f"{meaning} {_encodings(group)}{checks(group)}"
    changed = [r for r in answers if r.variant not in (PLAIN, KNOWN, BROKEN)]
    for variant in dict.fromkeys(record.variant for record in changed):
        group = [record for record in changed if record.variant == variant]
        kept = f"keeps the answer on {_encodings(group)}"
        if counted := counts_in(group):
            kept += f" and the count on {_encodings(counted)}"
        yield f"{variant}: {kept}{checks(group)}"
    silent: dict[tuple[str, str, str], list[str]] = {}
    for record in records:
        if not record.answered and not record.fault:
            missing = "count" if record.task == COUNT else "answer"
            silent.setdefault((missing, record.name, record.reason), []).append(record.where)
    for (missing, solver, reason), places in silent.items():
        yield f"no {missing} by {solver} on {', '.join(places)}: {reason}"


def _sources(records: Sequence[RunRecord]) -> str:
    solvers = dict.fromkeys(record.name for record in records)
    return f"{', '.join(solvers)} on {_encodings(records)}"


def _encodings(records: Iterable[RunRecord]) -> str:
    return ", ".join(dict.fromkeys(record.encoding for record in records))


def checks(records: Iterable[RunRecord]) -> str:
    """What was checked, and how often."""
    # How many cuts there were is told elsewhere.
    tally = Counter(check.partition(" (")[0] for record in records for check in record.checked)
    if not tally:
        return ""
    shown = (counted(number, *_NOUNS.get(word, (word,))) for word, number in tally.items())
    return f"; checked: {', '.join(shown)}"


_NOUNS = {"cuts": ("set of cuts", "sets of cuts")}
