"""A proof given to its checker: unpacked, its kind found out, in a form that can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from boardsat.adapters import proofs, run_solver, solvers
from boardsat.adapters.dimacs import check, copies
from boardsat.adapters.dimacs.text import opened
from boardsat.adapters.proofs import ProofFormat, lrat
from boardsat.adapters.runtimes import Limits, Task, choose, runtime
from boardsat.base import scratch
from boardsat.base.compression import compression_suffix
from boardsat.base.errors import InputError, LostProofError, WrongAnswerError
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.proof_limits import (
    LONGEST_STEP,
    PER_PROOF_BYTE,
    PROOF_MEMORY,
    PROOF_RATIO,
    PROOF_SECONDS,
)


def check_proof(
    problem: FormulaFile,
    proof: str,
    limits: Limits,
    whose: str,
    core: int | None = None,
    kind: ProofFormat | None = None,
) -> ProofFormat:
    """Let a checker verify the proof, against a copy without comments, as it misreads some.

    Its kind is told, or found out.
    """
    problem.require_no_xor_lines("proofs are not about")
    try:
        found = proofs.detect_format(proof)
    except OSError as error:
        raise LostProofError(
            f"cannot read the proof: {error.strerror}", "give a readable file", proof
        ) from None
    kind = kind or found
    if check.has_empty_clause(problem.path):
        return kind  # there is nothing to prove, and drat-trim ends as if it had failed
    checker = solvers.checker_of(kind)
    where = choose(checker)
    with (
        copies.plain(problem.summary, problem.path) as plain,
        _checkable(problem, proof, kind, whose) as checked,
    ):
        room = PROOF_MEMORY + PER_PROOF_BYTE * (Path(proof).stat().st_size + problem.summary.bytes)
        limits = replace(limits, wall=limits.wall or PROOF_SECONDS, memory=limits.memory or room)
        task = Task(plain, limits, reads_proof=checked, proof_kind=kind, core=core)
        outcome = runtime(where).run(checker, task)
    if not run_solver.proof_is_verified(outcome, checker.output_format):
        raise _refuted(problem, proof, whose, f"{checker.name} does not verify it")
    return kind


@contextmanager
def _checkable(problem: FormulaFile, proof: str, kind: ProofFormat, whose: str) -> Iterator[str]:
    """The proof as its checker may have it."""
    if kind is not ProofFormat.LRAT:
        yield proof
        return
    with scratch.folder() as folder:
        copy = folder / "proof"
        try:
            with opened(proof, chunk=LONGEST_STEP) as blocks:
                scratch.write(copy, lrat.trusted(blocks, problem.variables, problem.clauses))
        except lrat.NoProofError as error:
            raise _refuted(problem, proof, whose, str(error)) from None
        yield str(copy)


def _refuted(problem: FormulaFile, proof: str, whose: str, why: str) -> WrongAnswerError:
    return WrongAnswerError(
        f"REFUTED PROOF from {whose}: {why}",
        f"keep the file: it should prove {scratch.preserve(problem.path)}",
        scratch.preserve(proof),
    )


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """The proof itself, or what a compressed file holds; one that holds too much is an error."""
    if not compression_suffix(path):
        yield path
        return
    with scratch.decompressed_copy(path, _bounded(path)) as plain:
        yield str(plain)


def _bounded(path: str) -> Iterator[bytes]:
    with opened(path) as blocks:
        left = 2**20 + PROOF_RATIO * Path(path).stat().st_size
        for block in blocks:
            left -= len(block)
            if left < 0:
                raise InputError(
                    "it unpacks to more than a proof can be", "unpack it by hand", path
                )
            yield block
