"""Proofs of unsatisfiability: stored beside their formula, and verified by a checker.

A proof gets its name only when it is complete; until then an old file of that name stays. A proof
without its formula proves nothing, so a kept proof has its formula beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.dimacs import model_check, rewrite
from boardsat.adapters.dimacs.text import open_blocks
from boardsat.adapters.proofs import (
    MAX_LRAT_STEP_BYTES,
    MAX_PROOF_EXPANSION,
    PROOF_MEMORY_BYTES,
    PROOF_MEMORY_PER_BYTE,
    PROOF_SECONDS,
    ProofFile,
    ProofFormat,
    detect_format,
    lrat,
)
from boardsat.adapters.runtimes import Limits, Task, load_runtime, select_runtime
from boardsat.base import scratch
from boardsat.base.compression import compression_suffix, split_compression
from boardsat.base.errors import (
    BoardsatError,
    InputError,
    LostProofError,
    SolverError,
    WrongAnswerError,
)
from boardsat.base.files import read_pieces, rename_into_place, write_file
from boardsat.instance.formula_file import PARITY_AS_CLAUSES, FormulaFile
from boardsat.workflows.solve.request import SolveRequest, resolve_proof_format
from boardsat.workflows.solve.result import CheckedAnswer, Proof
from boardsat.workflows.solve.saved_cuts import write_decided_formula

StoreProof = Callable[[FormulaFile, CheckedAnswer], CheckedAnswer]
"""Function that gives a proof its name, and writes the formula that it proves."""


@contextmanager
def stored_proof(request: SolveRequest, target: str) -> Iterator[tuple[SolveRequest, StoreProof]]:
    """Yield the request with a temporary path for its proof, and the function that stores it.

    The path is on the disk of the target: a proof may be larger than any other has room for.
    """
    path = Path(os.path.realpath(target))
    is_device = path.exists() and not path.is_file()
    with scratch.folder(None if is_device else path.parent) as folder:
        part = folder / "proof"

        def store(formula: FormulaFile, result: CheckedAnswer) -> CheckedAnswer:
            if result.answer.status is not Status.UNSATISFIABLE:
                return result
            try:
                _check_complete(result, target)
                if is_device or split_compression(target)[1]:
                    size = write_file(target, read_pieces(part))
                else:
                    size = part.stat().st_size
                    rename_into_place(part, path)
                if request.keep_proof:
                    result = _with_proof_fields(result, file=target, file_bytes=size)
                if request.keep_proof and not request.output and not is_device:
                    result = _store_formula(formula, result, target)
            except (OSError, BoardsatError) as error:
                return replace(result, failure=error)
            return result

        proof_format = _proof_format(request, target)
        yield replace(request, proof=str(part), proof_format=proof_format), store


def _proof_format(request: SolveRequest, target: str) -> ProofFormat | None:
    """Return the requested proof format, or the one that the suffix of the target names."""
    name, _ = split_compression(target)
    suffix = Path(name).suffix.lower()
    if suffix == ".lrat" and request.proof_format is None:
        return ProofFormat.LRAT
    others = {".drat": (ProofFormat.LRAT,), ".lrat": (ProofFormat.DRAT, ProofFormat.TEXT)}
    if request.proof_format in others.get(suffix, ()):
        raise InputError(
            f"{suffix} does not name {request.proof_format.label}", "give another ending", target
        )
    return request.proof_format


def _store_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    """Write the formula beside its proof unless it is the file that the user gave."""
    if not (
        formula.generated_here
        or result.answer.cut_rounds.cuts
        or result.answer.cut_rounds.fallback_encoding
    ):
        return result
    name, suffix = split_compression(target)
    stem = name.removesuffix(".drat").removesuffix(".lrat")
    path = f"{stem}.proved.cnf{suffix}"
    write_decided_formula(formula, len(result.answer.cut_rounds.cuts), path)
    return _with_proof_fields(result, formula=path)


def _with_proof_fields(result: CheckedAnswer, **fields: Any) -> CheckedAnswer:
    return replace(result, proof=result.proof and replace(result.proof, **fields))


def _check_complete(result: CheckedAnswer, target: str) -> None:
    """Raise LostProofError if only a part of the proof exists; an unchecked proof is stored."""
    error = result.failure
    if isinstance(error, LostProofError):
        raise LostProofError(error.fault, error.remedy, target)


def check_written_proof(
    problem: FormulaFile, answer: Answer, request: SolveRequest, proof: str
) -> tuple[Proof | None, BoardsatError | None]:
    """Return the proof of an answer, and the error by which it was not verified.

    Raise WrongAnswerError if the proof is wrong.
    """
    kind = resolve_proof_format(solvers.load(request.solver), request)
    error = _verification_error(problem, answer, request, proof, kind)
    checker = "" if error else solvers.find_checker(kind).name
    try:
        return Proof(kind, Path(proof).stat().st_size, checker), error
    except OSError:
        return None, error


def _verification_error(
    problem: FormulaFile, answer: Answer, request: SolveRequest, proof: str, kind: ProofFormat
) -> BoardsatError | None:
    # A solver whose disk is full reports nothing, and the rest of the proof is missing.
    full = scratch.is_full(Path(proof).parent)
    no_space = SolverError("its disk is full", "free some space") if full else None
    lost = answer.run.proof_error or no_space
    try:
        check_proof(problem, proof, request.limits, answer.run.solver, request.core, kind)
    except BoardsatError as error:
        if lost:
            return LostProofError(f"the proof is lost: {lost.fault}", lost.remedy, proof)
        # An empty file may have been made for the solver.
        if not (Path(proof).exists() and Path(proof).stat().st_size):
            return LostProofError(f"{answer.run.solver} wrote no proof")
        if isinstance(error, WrongAnswerError):
            raise
        return error
    return None


def check_proof(
    problem: FormulaFile,
    proof: str,
    limits: Limits,
    source: str,
    core: int | None = None,
    kind: ProofFormat | None = None,
) -> ProofFormat:
    """Verify a proof by its checker, and return its format.

    The checker reads a copy of the formula without comments, as it misreads some.

    Parameters
    ----------
    problem : FormulaFile
        Formula that the proof refutes.
    proof : str
        Path of the proof, not compressed.
    limits : Limits
        Limits of the checker; those that are None have a default.
    source : str
        Solver or file that the proof is from, for errors.
    core : int, optional
        Processor core to run on.
    kind : ProofFormat, optional
        Format of the proof. None: it is detected.

    Raises
    ------
    WrongAnswerError
        The proof does not refute the formula.
    """
    if problem.summary.xor_lines:
        location = "" if problem.generated_here else problem.path
        raise InputError(
            "it has xor lines, which proofs are not about", PARITY_AS_CLAUSES, location
        )
    try:
        detected = detect_format(proof)
    except OSError as error:
        raise LostProofError(
            f"cannot read the proof: {error.strerror}", "give a readable file", proof
        ) from None
    kind = kind or detected
    if model_check.has_empty_clause(problem.path):
        return kind  # there is nothing to prove, and drat-trim ends as if it had failed
    checker = solvers.find_checker(kind)
    where = select_runtime(checker)
    with (
        rewrite.plain_copy(problem.summary, problem.path) as plain,
        _trusted_copy(problem, proof, kind, source) as trusted,
    ):
        size = Path(proof).stat().st_size + problem.summary.bytes
        memory = limits.memory or PROOF_MEMORY_BYTES + PROOF_MEMORY_PER_BYTE * size
        limits = replace(limits, wall=limits.wall or PROOF_SECONDS, memory=memory)
        task = Task(plain, limits, proof=ProofFile(trusted, kind, is_input=True), core=core)
        outcome = load_runtime(where).run(checker, task)
    if not run_solver.proof_is_verified(outcome, checker.output_format):
        raise _refuted(problem, proof, source, f"{checker.name} does not verify it")
    return kind


@contextmanager
def _trusted_copy(
    problem: FormulaFile, proof: str, kind: ProofFormat, source: str
) -> Iterator[str]:
    """Yield a proof that its checker can be trusted with: an LRAT proof is rewritten."""
    if kind is not ProofFormat.LRAT:
        yield proof
        return
    with scratch.folder() as folder:
        copy = folder / "proof"
        try:
            with open_blocks(proof, block_bytes=MAX_LRAT_STEP_BYTES) as blocks:
                scratch.write(copy, lrat.trusted(blocks, problem.variables, problem.clauses))
        except lrat.NoProofError as error:
            raise _refuted(problem, proof, source, str(error)) from None
        yield str(copy)


def _refuted(problem: FormulaFile, proof: str, source: str, why: str) -> WrongAnswerError:
    return WrongAnswerError(
        f"REFUTED PROOF from {source}: {why}",
        f"keep the file: it should prove {scratch.preserve(problem.path)}",
        scratch.preserve(proof),
    )


@contextmanager
def unpacked(path: str) -> Iterator[str]:
    """Yield the path of a proof, decompressed if need be; raise InputError if it is too large."""
    if not compression_suffix(path):
        yield path
        return
    with scratch.decompressed_copy(path, _bounded_pieces(path)) as plain:
        yield str(plain)


def _bounded_pieces(path: str) -> Iterator[bytes]:
    with open_blocks(path) as blocks:
        left = 2**20 + MAX_PROOF_EXPANSION * Path(path).stat().st_size
        for block in blocks:
            left -= len(block)
            if left < 0:
                raise InputError(
                    "it unpacks to more than a proof can be", "unpack it by hand", path
                )
            yield block
