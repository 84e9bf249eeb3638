"""The verdict in a few lines, at the beginning of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, RunRecord
from boardsat.workflows.validate import consensus, progress_display
from boardsat.workflows.validate.known_boards import BROKEN, KNOWN
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.schedule import LeftOut
from boardsat.workflows.validate.workflow import Validation

SHOWN = 5
"""So many contradictions or gaps at the most; the reasons have all of them."""


def headline(outcome: Validation) -> str:
    """What follows the word of the verdict: what was left out weakens it, and that is said."""
    weaker = ", as far as it went" if outcome.left_out else ""
    return f"{weaker}: {outcome.title}"


def shown_answer(outcome: Validation, record: RunRecord) -> str:
    """Return the answer in a word or number, marked as wrong if it is refuted."""
    answer = progress_display.outcome(record)
    is_marked = record.fault or not outcome.evidence.is_refuted(record)
    return answer if is_marked else f"WRONG ({answer})"


def lines(outcome: Validation) -> Iterator[str]:
    for solver, answers in outcome.verdict.wrong_answers.items():
        yield f"{solver}: {pluralize(answers, 'wrong answer')}"
    against = outcome.verdict.against
    yield from against[:SHOWN]
    if len(against) > SHOWN:
        yield f"and {len(against) - SHOWN:,} more"
    records = outcome.evidence.believed()
    yield from _decided([record for record in records if record.task == DECIDE])
    yield from _counted(outcome)
    yield from _further([record for record in records if record.variant != PLAIN])
    if not outcome.evidence.reliable_solvers(DECIDE):
        yield "no independent evidence: no solver has a checked answer and no wrong one"
    silent = [r for r in outcome.records if not r.answered and not r.fault]
    if silent:
        number = pluralize(len(silent), "run")
        yield f"{number} of {len(outcome.records):,} gave no answer: {_whose(silent)}"
    yield from _left_out(outcome)
    if outcome.skipped:
        yield f"cannot be run here: {', '.join(each.name for each in outcome.skipped)}"
    for report in outcome.reports:
        what = "for a bug report" if report.solver else "no solver is known to be wrong, but see"
        yield f"{what}: {report.folder}"


def details(outcome: Validation) -> Iterator[str]:
    """The reasons that stand not above already, and all that has no part in it."""
    told = outcome.verdict.against[:SHOWN]
    yield from (reason for reason in outcome.verdict.reasons if reason not in told)
    groups: dict[tuple[str, str], list[str]] = {}
    for each in outcome.left_out:
        what = "count" if each.task == COUNT else "answer"
        what = f"{each.variant}, the {what}" if each.variant else f"the {what} of {each.name}"
        groups.setdefault((what, each.reason), []).append(each.encoding)
    for (what, reason), places in groups.items():
        yield f"left out: {what} on {', '.join(places)} ({reason})"
    yield from (f"left out: {each.name} ({each.reason})" for each in outcome.skipped)


def _decided(records: Iterable[RunRecord]) -> Iterator[str]:
    plain = [record for record in records if record.variant == PLAIN]
    for status in dict.fromkeys(record.status for record in plain):
        group = [record for record in plain if record.status == status]
        yield (
            f"{status} by {_number_of(group, 'solver')} on {_number_of(group, 'encoding')}"
            f"{consensus.checks(group)}"
        )


def _number_of(records: Iterable[RunRecord], what: str) -> str:
    return pluralize(len({getattr(record, what) for record in records} - {BOARD}), what)


def _counted(outcome: Validation) -> Iterator[str]:
    found = [r for r in outcome.evidence.believed_counts() if r.variant == PLAIN]
    exact = [record for record in found if record.exact]
    for number in dict.fromkeys(record.objects for record in exact):
        names = dict.fromkeys(record.name for record in exact if record.objects == number)
        yield f"{pluralize_phrase(number or 0, outcome.objects)} by {', '.join(names)}"
    if near := dict.fromkeys(record.name for record in found if not record.exact):
        yield f"estimates by {', '.join(near)}" + (" that fit" if exact else "")
    if outcome.published and found:
        yield f"{outcome.published.source} says {outcome.published.objects:,}"


def _further(records: Sequence[RunRecord]) -> Iterator[str]:
    told = []
    for variant, meaning in (
        (KNOWN, "a known board fits"),
        (BROKEN, "wrong boards are refused by"),
    ):
        if group := [r for r in records if r.variant == variant and r.status == r.expected]:
            told.append(f"{meaning} {_number_of(group, 'encoding')}")
    if others := [record for record in records if record.variant not in (KNOWN, BROKEN)]:
        changes = {record.variant for record in others}
        told.append(
            f"{pluralize(len(changes), 'change')} of the question tried on "
            f"{_number_of(others, 'encoding')}"
        )
    if told:
        yield "; ".join(told)


def _left_out(outcome: Validation) -> Iterator[str]:
    if not outcome.left_out:
        return
    number = pluralize(len(outcome.left_out), "run")
    of = len(outcome.left_out) + len(outcome.records)
    yield (
        f"LEFT OUT for the budget of {outcome.budget:g} s: {number} of {of:,}: "
        f"{_whose(outcome.left_out)}"
    )
    yield "the same command goes on from here; --budget 0 leaves nothing out"


def _whose(entries: Sequence[RunRecord | LeftOut]) -> str:
    """Counts and answers, and by whom."""
    told = []
    for task, word in ((DECIDE, "answers"), (COUNT, "counts")):
        if names := dict.fromkeys(entry.name for entry in entries if entry.task == task):
            told.append(f"{word} of {', '.join(names)}")
    return "; ".join(told)
