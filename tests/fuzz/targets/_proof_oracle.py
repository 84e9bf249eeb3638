"""Forward checker of DRAT and LRAT proofs: every lemma is RUP or RAT on its first literal.

It reads proofs as they are defined, one step after the other, and shares no code with boardsat. A
proof is a refutation if unit propagation meets a conflict after some of its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardsat.adapters.proofs import ProofFormat

Clause = tuple[int, ...]

_TEXT = re.compile(rb"(?:(?:d )?(?:-?[1-9][0-9]* )*0\n)*")
_LRAT = re.compile(
    rb"(?:[1-9][0-9]* (?:d (?:[1-9][0-9]* )*|(?:-?[1-9][0-9]* )*0 (?:-?[1-9][0-9]* )*)0\n)*"
)


@dataclass(frozen=True)
class Step:
    """A lemma, or the deletion of a clause; in LRAT with a number and hints, or numbers."""

    literals: Clause
    deletes: bool = False
    number: int = 0
    hints: tuple[int, ...] = ()
    """Numbers of the clauses that are propagated, or deleted."""


def read_text(proof: bytes) -> list[Step] | None:
    """Return the steps of DRAT as text; None if it is not written as such."""
    if not _TEXT.fullmatch(proof):
        return None
    lines = [line.split() for line in proof.decode().splitlines()]
    return [
        Step(tuple(int(token) for token in line if token != "d")[:-1], line[0] == "d")
        for line in lines
    ]


def read_binary(proof: bytes) -> list[Step] | None:
    """Return the steps of binary DRAT; None if it is not written as such."""
    steps, offset = [], 0
    while offset < len(proof):
        letter, literals = proof[offset], []
        offset += 1
        if letter not in b"ad":
            return None
        while True:
            number, shift = 0, 0
            while offset < len(proof):
                number |= (proof[offset] & 127) << shift
                shift += 7
                offset += 1
                if not proof[offset - 1] & 128:
                    break
            else:
                return None
            if not number:
                break
            if number < 2 or shift > 35:
                return None
            literals.append(-(number // 2) if number & 1 else number // 2)
        steps.append(Step(tuple(literals), letter == ord("d")))
    return steps


def read_lrat(proof: bytes) -> list[Step] | None:
    """Return the steps of LRAT; None if it is not written as such."""
    if not _LRAT.fullmatch(proof):
        return None
    steps = []
    for line in proof.decode().splitlines():
        number, *tokens = line.split()
        if tokens[0] == "d":
            steps.append(Step((), True, int(number), tuple(map(int, tokens[1:-1]))))
        else:
            first = tokens.index("0")
            literals, hints = tokens[:first], tokens[first + 1 : -1]
            steps.append(
                Step(tuple(map(int, literals)), False, int(number), tuple(map(int, hints)))
            )
    return steps


def up_to_empty(proof: bytes) -> bytes:
    """The lines of LRAT with single spaces and without comments, to the first empty clause."""
    lines = []
    for line in proof.split(b"\n"):
        tokens = line.split()
        if tokens and not line.startswith(b"c"):
            lines.append(b" ".join(tokens) + b"\n")
        if tokens[1:2] == [b"0"]:
            break
    return b"".join(lines)


Clauses = dict[int, Clause]
"""Live clauses by number, from 1 on."""


def numbered(clauses: Iterable[Sequence[int]]) -> Clauses:
    return {number: tuple(clause) for number, clause in enumerate(clauses, 1)}


def propagated(clauses: Clauses, assumed: Iterable[int]) -> list[int] | None:
    """Return the numbers of the clauses that propagate to a conflict; None without a conflict."""
    true, used = set(assumed), list[int]()
    if any(-literal in true for literal in true):
        return used
    while True:
        for number, clause in clauses.items():
            if any(literal in true for literal in clause):
                continue
            unassigned = {literal for literal in clause if -literal not in true}
            if not unassigned:
                return [*used, number]
            if len(unassigned) == 1:
                true |= unassigned
                used.append(number)
                break
        else:
            return None


def is_redundant(clauses: Clauses, lemma: Clause) -> bool:
    """Return whether the lemma is RUP, or RAT on its first literal."""
    negated = [-literal for literal in lemma]
    if propagated(clauses, negated) is not None:
        return True
    return bool(lemma) and all(
        propagated(clauses, [*negated, *(-x for x in clause if x != -lemma[0])]) is not None
        for clause in clauses.values()
        if -lemma[0] in clause
    )


def is_refutation(formula: Iterable[Sequence[int]], steps: Iterable[Step]) -> bool:
    """Return whether the steps lead to a conflict, and each of them up to there is redundant."""
    clauses = numbered(formula)
    number = len(clauses)
    for step in steps:
        if propagated(clauses, ()) is not None:
            return True
        if step.deletes:
            _delete(clauses, step)
        elif is_redundant(clauses, step.literals):
            number = max(number + 1, step.number)
            clauses[number] = step.literals
        else:
            return False
    return propagated(clauses, ()) is not None


def _delete(clauses: Clauses, step: Step) -> None:
    if step.number:
        for number in step.hints:
            clauses.pop(number, None)
        return
    literals = sorted(step.literals)
    deleted = next((n for n, clause in clauses.items() if sorted(clause) == literals), None)
    if deleted is not None:
        del clauses[deleted]


def follows_hints(clauses: Clauses, step: Step) -> bool:
    """Return whether each hint is unit in turn, and the last one is false (RUP)."""
    true = {-literal for literal in step.literals}
    for index, hint in enumerate(step.hints, 1):
        if hint not in clauses or any(literal in true for literal in clauses[hint]):
            return False
        unassigned = {literal for literal in clauses[hint] if -literal not in true}
        if len(unassigned) > 1:
            return False
        if not unassigned:
            return index == len(step.hints)
        true |= unassigned
    return False


def is_strict_lrat(formula: Iterable[Sequence[int]], steps: Sequence[Step]) -> bool:
    """Return whether every lemma follows by its hints, and the last one is empty."""
    clauses = numbered(formula)
    last = len(clauses)
    for step in steps:
        if step.deletes:
            if not set(step.hints) <= set(clauses):
                return False
            _delete(clauses, step)
            continue
        if step.number <= last or not follows_hints(clauses, step):
            return False
        last = step.number
        clauses[last] = step.literals
    return bool(steps) and not steps[-1].deletes and not steps[-1].literals


def is_strict_drat(formula: Iterable[Sequence[int]], steps: Sequence[Step]) -> bool:
    """Return whether every lemma is redundant, and the last one is empty."""
    if not steps or steps[-1].deletes or steps[-1].literals:
        return False
    clauses = numbered(formula)
    for number, step in enumerate(steps, len(clauses) + 1):
        if step.deletes:
            _delete(clauses, step)
        elif is_redundant(clauses, step.literals):
            clauses[number] = step.literals
        else:
            return False
    return True


READERS = {
    ProofFormat.DRAT: read_binary,
    ProofFormat.TEXT: read_text,
    ProofFormat.LRAT: read_lrat,
}
