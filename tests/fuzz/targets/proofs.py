"""Proofs, correct and forged, in every format: exactly the refutations are verified.

An input is a formula, a line `%%`, and a proof. The programs that check proofs are replaced by
models of them, which believe as much as these do; they are run too if they are installed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.runtimes import Limits
from boardsat.base.errors import WrongAnswerError
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve import proofs
from fuzz import judging
from fuzz.judging import scratch
from fuzz.target import Target
from fuzz.targets import _checker_models, dimacs
from fuzz.targets import _proof_oracle as oracle
from fuzz.targets._proof_oracle import Step

SEPARATOR = b"%%\n"
MAX_BYTES = 4000
"""Maximum size of a formula or proof: the oracle takes quadratic time."""
MAX_VARIABLES = 12
"""Maximum number of variables of a formula whose assignments are enumerated."""

DRAT, TEXT, LRAT = ProofFormat
PROGRAMS = {DRAT: "drat-trim", TEXT: "drat-trim", LRAT: "lrat-check"}

Clauses = list[list[int]]


def check(data: bytes) -> None:
    text, _, proof = data.partition(SEPARATOR)
    if max(len(text), len(proof)) > MAX_BYTES:
        return
    path, file = scratch() / "input.cnf", scratch() / "proof"
    path.write_bytes(text)
    file.write_bytes(proof)
    problem = open_formula(str(path), lenient=True)
    if problem.variables > MAX_VARIABLES or problem.summary.xor_lines:
        return
    clauses = dimacs.leniently(text).clauses
    right = [kind for kind in ProofFormat if _is_right(kind, proof, clauses)]
    with _checker_models.installed():
        _compare(problem, str(file), proof, clauses, right)
    programs = {PROGRAMS[kind] for kind in right} or {*PROGRAMS.values()}
    if all(map(shutil.which, programs)):
        with judging.paused(), mock.patch.object(proofs, "select_runtime", _checker_models.native):
            kind = _verified(problem, str(file))
        assert kind is None or not _is_satisfiable(problem.variables, clauses)
        assert kind in right or not right


def _compare(
    problem: FormulaFile, file: str, proof: bytes, clauses: Clauses, right: list[ProofFormat]
) -> None:
    kind = _verified(problem, file)
    if kind is None:
        assert not right, f"a right proof is refused: {right[0]}"
        return
    assert not _is_satisfiable(problem.variables, clauses), "a model is excluded"
    if [] in clauses:
        return  # without a proof
    assert right in ([], [kind])
    steps = oracle.READERS[kind](oracle.up_to_empty(proof) if kind is LRAT else proof)
    assert steps is not None and oracle.is_refutation(clauses, steps)


def _verified(problem: FormulaFile, file: str) -> ProofFormat | None:
    try:
        return proofs.check_proof(problem, file, Limits(wall=20.0), "a solver")
    except WrongAnswerError:
        return None


def _is_right(kind: ProofFormat, proof: bytes, clauses: Clauses) -> bool:
    """Return whether a proof is well-formed in every detail."""
    steps = oracle.READERS[kind](proof)
    if not steps or not clauses:
        return False
    named = [n for step in steps for n in (step.number, *step.hints, *step.literals)]
    if max(map(abs, named), default=0) > 2**20:
        return False
    written = [*map(tuple, clauses), *(step.literals for step in steps)]
    if kind is LRAT and any(len(set(clause)) < len(clause) for clause in written):
        return False  # lrat-check counts a literal twice, and finds no unit
    is_strict = oracle.is_strict_lrat if kind is LRAT else oracle.is_strict_drat
    return is_strict(clauses, steps)


def _is_satisfiable(variables: int, clauses: Clauses) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


# Inputs.


def forge(chance: Random) -> bytes:
    """A formula with a refutation, of which half are changed here and there."""
    variables = chance.randint(1, 4)
    clauses: Clauses = []
    while _is_satisfiable(variables, clauses):
        size = chance.randint(1, min(3, variables))
        chosen = chance.sample(range(1, variables + 1), size)
        clauses.append([variable * chance.choice((1, -1)) for variable in chosen])
    clauses.append(chance.choice(clauses))
    kind = chance.choice(list(ProofFormat))
    steps = list(_refutation(clauses, variables, chance, kind))
    for _ in range(chance.choice((0, 0, 1, 2, 3))):
        _spoil(clauses, steps, chance)
    while chance.random() < 0.5 and clauses and not _is_satisfiable(variables, clauses):
        del clauses[chance.randrange(len(clauses))]
    if not clauses:
        clauses.append([1])
    return _formula(variables, clauses) + SEPARATOR + _written(steps, kind)


def _refutation(
    clauses: Clauses, variables: int, chance: Random, kind: ProofFormat
) -> Iterator[Step]:
    """The lemmas of a search tree, each with its hints, some of them deleted when not needed."""
    live = oracle.numbered(clauses)
    last = len(live)

    def added(lemma: oracle.Clause, hints: list[int]) -> Step:
        nonlocal last
        last += chance.choice((1, 1, 1, 3)) if kind is LRAT else 1
        live[last] = lemma
        return Step(lemma, number=last, hints=tuple(hints))

    def refuted(decisions: list[int]) -> Iterator[Step]:
        first = last
        hints = oracle.propagated(live, decisions)
        if hints is None:
            decided = set(map(abs, decisions))
            branch = chance.choice([v for v in range(1, variables + 1) if v not in decided])
            for literal in chance.choice(((branch, -branch), (-branch, branch))):
                yield from refuted([*decisions, literal])
            hints = oracle.propagated(live, decisions)
        assert hints is not None
        later = [number for number in live if number > first]
        yield added(tuple(-literal for literal in decisions), hints)
        if later and chance.random() < 0.5:
            for number in later:
                yield Step(live.pop(number), deletes=True, number=last, hints=(number,))

    if chance.random() < 0.3:
        # The last clause is that of another number too.
        yield Step(live.pop(last), deletes=True, number=last, hints=(last,))
    if kind is not LRAT and chance.random() < 0.4:
        # A new variable, defined by equivalence: these lemmas are RAT, and not RUP.
        new, old = variables + 1, chance.choice((1, -1)) * chance.randint(1, variables)
        for lemma in ((new, -old), (-new, old)):
            yield added(lemma, [])
    yield from refuted([])


def _spoil(clauses: Clauses, steps: list[Step], chance: Random) -> None:
    if not steps:
        return
    index = chance.randrange(len(steps))
    step = steps[index]
    largest = max(step.number for step in steps)
    match chance.randrange(8):
        case 0 if clauses:
            del clauses[chance.randrange(len(clauses))]
        case 1:
            del steps[index]
        case 2 if step.literals:
            flipped = chance.choice(step.literals)
            literals = tuple(-x if x == flipped else x for x in step.literals)
            steps[index] = replace(step, literals=literals)
        case 3:
            steps[index] = replace(step, literals=step.literals[1:])
        case 4 if step.hints:
            hints = list(step.hints)
            second = chance.randint(1, largest + 2)
            hints[chance.randrange(len(hints))] = chance.choice((second, -second))
            steps[index] = replace(step, hints=tuple(hints))
        case 5:
            steps[index] = replace(step, hints=step.hints[:-1])
        case 6:
            steps.insert(index, replace(step, literals=(), hints=(), deletes=False))
        case _:
            second = chance.randrange(len(steps))
            steps[index], steps[second] = steps[second], step


def _formula(variables: int, clauses: Clauses) -> bytes:
    lines = [f"p cnf {variables} {len(clauses)}", *map(_ended, clauses)]
    return "\n".join([*lines, ""]).encode()


def _ended(numbers: Any) -> str:
    return " ".join(map(str, [*numbers, 0]))


def _written(steps: list[Step], kind: ProofFormat) -> bytes:
    match kind:
        case ProofFormat.DRAT:
            return b"".join(map(_binary, steps))
        case ProofFormat.TEXT:
            lines = [f"{'d ' * step.deletes}{_ended(step.literals)}\n" for step in steps]
        case ProofFormat.LRAT:
            lines = [
                f"{step.number} d {_ended(step.hints)}\n"
                if step.deletes
                else f"{step.number} {_ended(step.literals)} {_ended(step.hints)}\n"
                for step in steps
            ]
    return "".join(lines).encode()


def _binary(step: Step) -> bytes:
    encoded = [ord("d" if step.deletes else "a")]
    for literal in step.literals:
        number = 2 * abs(literal) + (literal < 0)
        while number > 127:
            encoded.append(number & 127 | 128)
            number >>= 7
        encoded.append(number)
    return bytes([*encoded, 0])


def seeds() -> list[bytes]:
    recorded = Path(__file__).parents[2] / "recorded"
    commented = b"c a cnf 1 2\np cnf 2 3\n1 0\n-1 2 0\n-2 -1 0\n"
    short = [b"0\n", b"a\0", b"4 0 1 2 3 0\n", b"c x\n4 2 0 1 2 0\n5 0 1 4 3 0\n", b"2 0 0\n"]
    inputs = [commented + SEPARATOR + proof for proof in short]
    inputs += [
        (recorded / "unsat.cnf").read_bytes() + SEPARATOR + (recorded / name).read_bytes()
        for name in ("verified.drat", "verified.lrat", "refuted.lrat")
    ]
    return inputs + [forge(Random(number)) for number in range(12)]


TARGET = Target(seeds, check, forge=forge, tokens=("d", "0 0", "c cnf 1 2", "p cnf 2 1", "%%"))
