"""Proofs of unsatisfiability: verification by a proof checker, and storage with their formula.

A proof is renamed to its path only when it is complete; until then an old file of that name stays.
A proof without its formula proves nothing, so the formula is stored beside it.
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
"""Function that moves a proof to its path, writes the formula beside it, and returns the result."""


@contextmanager
def stored_proof(request: SolveRequest, target: str) -> Iterator[tuple[SolveRequest, StoreProof]]:
    """Yield the request with a temporary path for its proof, and the function that stores it.

    The path is on the disk of the target, as other disks may lack the space for a proof.
    """
    path = Path(os.path.realpath(target))
    is_device = path.exists() and not path.is_file()
    with scratch.folder(None if is_device else path.parent) as folder:
        temporary = folder / "proof"

        def store(formula: FormulaFile, result: CheckedAnswer) -> CheckedAnswer:
            if result.answer.status is not Status.UNSATISFIABLE:
                return result
            try:
                _check_complete(result, target)
                if is_device or split_compression(target)[1]:
                    size = write_file(target, read_pieces(temporary))
                else:
                    size = temporary.stat().st_size
                    rename_into_place(temporary, path)
                if request.keep_proof:
                    result = _with_proof_fields(result, file=target, file_bytes=size)
                if request.keep_proof and not request.output and not is_device:
                    result = _store_formula(formula, result, target)
            except (OSError, BoardsatError) as error:
                return replace(result, failure=error)
            return result

        proof_format = _proof_format(request, target)
        yield replace(request, proof=str(temporary), proof_format=proof_format), store


def _proof_format(request: SolveRequest, target: str) -> ProofFormat | None:
    """Return the requested proof format, or the one that the suffix of the target names."""
    name, _ = split_compression(target)
    suffix = Path(name).suffix.lower()
    if suffix == ".lrat" and request.proof_format is None:
        return ProofFormat.LRAT
    mismatches = {".drat": (ProofFormat.LRAT,), ".lrat": (ProofFormat.DRAT, ProofFormat.TEXT)}
    if request.proof_format in mismatches.get(suffix, ()):
        raise InputError(
            f"the suffix {suffix} does not match the format {request.proof_format.label}",
            "use another suffix",
            target,
        )
    return request.proof_format


def _store_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    """Write the refuted formula beside its proof, unless it is the file that the user gave."""
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
    """Raise LostProofError if the proof is missing or incomplete, not if it is only unchecked."""
    error = result.failure
    if isinstance(error, LostProofError):
        raise LostProofError(error.fault, error.remedy, target)


def check_written_proof(
    formula: FormulaFile, answer: Answer, request: SolveRequest, proof: str
) -> tuple[Proof | None, BoardsatError | None]:
    """Return the proof that a solver wrote, and the error if it could not be verified.

    Raise WrongAnswerError if the proof is wrong.
    """
    proof_format = resolve_proof_format(solvers.load(request.solver), request)
    error = _verification_error(formula, answer, request, proof, proof_format)
    checker = "" if error else solvers.find_checker(proof_format).name
    try:
        return Proof(proof_format, Path(proof).stat().st_size, checker), error
    except OSError:
        return None, error


def _verification_error(
    formula: FormulaFile,
    answer: Answer,
    request: SolveRequest,
    proof: str,
    proof_format: ProofFormat,
) -> BoardsatError | None:
    # A solver reports nothing if its disk is full; the rest of the proof is missing.
    is_full = scratch.is_full(Path(proof).parent)
    no_space = SolverError("its disk is full", "free some space") if is_full else None
    cause = answer.run.proof_error or no_space
    try:
        check_proof(formula, proof, request.limits, answer.run.solver, request.core, proof_format)
    except BoardsatError as error:
        if cause:
            return LostProofError(f"the proof is lost: {cause.fault}", cause.remedy, proof)
        # An empty file may have been created for the solver.
        if not (Path(proof).exists() and Path(proof).stat().st_size):
            return LostProofError(f"{answer.run.solver} wrote no proof")
        if isinstance(error, WrongAnswerError):
            raise
        return error
    return None


def check_proof(
    formula: FormulaFile,
    proof: str,
    limits: Limits,
    source: str,
    core: int | None = None,
    proof_format: ProofFormat | None = None,
) -> ProofFormat:
    """Verify a proof with a proof checker, and return its format.

    The checker reads a copy of the formula without comments, some of which it would misread.

    Parameters
    ----------
    formula : FormulaFile
        Formula that the proof refutes.
    proof : str
        Path of the proof, not compressed.
    limits : Limits
        Limits of the checker. None: default of `adapters.proofs`.
    source : str
        Solver or file of the proof, for errors.
    core : int, optional
        Processor core to run on.
    proof_format : ProofFormat, optional
        Format of the proof. None: it is detected.

    Returns
    -------
    ProofFormat
        Format of the proof, as given or detected.

    Raises
    ------
    WrongAnswerError
        The proof does not refute the formula.
    InputError
        The formula has XOR lines.
    LostProofError
        The proof cannot be read.
    """
    if formula.summary.xor_lines:
        location = "" if formula.generated_here else formula.path
        raise InputError("proofs do not support xor lines", PARITY_AS_CLAUSES, location)
    try:
        detected = detect_format(proof)
    except OSError as error:
        raise LostProofError(
            f"cannot read the proof: {error.strerror}", "give a readable file", proof
        ) from None
    proof_format = proof_format or detected
    if model_check.has_empty_clause(formula.path):
        return proof_format  # nothing to prove, and drat-trim would report a failure
    checker = solvers.find_checker(proof_format)
    checker_runtime = load_runtime(select_runtime(checker))
    with (
        rewrite.plain_copy(formula.summary, formula.path) as plain,
        _trusted_copy(formula, proof, proof_format, source) as trusted,
    ):
        size = Path(proof).stat().st_size + formula.summary.bytes
        memory = limits.memory or PROOF_MEMORY_BYTES + PROOF_MEMORY_PER_BYTE * size
        limits = replace(limits, wall=limits.wall or PROOF_SECONDS, memory=memory)
        proof_file = ProofFile(trusted, proof_format, is_input=True)
        task = Task(plain, limits, proof=proof_file, core=core)
        outcome = checker_runtime.run(checker, task)
    if not run_solver.proof_is_verified(outcome, checker.output_format):
        raise _refuted(formula, proof, source, f"{checker.name} does not verify it")
    return proof_format


@contextmanager
def _trusted_copy(
    formula: FormulaFile, proof: str, proof_format: ProofFormat, source: str
) -> Iterator[str]:
    """Yield the path of a proof that its checker can read safely; rewrite an LRAT proof."""
    if proof_format is not ProofFormat.LRAT:
        yield proof
        return
    with scratch.folder() as folder:
        copy = folder / "proof"
        try:
            with open_blocks(proof, block_bytes=MAX_LRAT_STEP_BYTES) as blocks:
                scratch.write(
                    copy, lrat.checkable_proof(blocks, formula.variables, formula.clauses)
                )
        except lrat.NoProofError as error:
            raise _refuted(formula, proof, source, str(error)) from None
        yield str(copy)


def _refuted(formula: FormulaFile, proof: str, source: str, reason: str) -> WrongAnswerError:
    return WrongAnswerError(
        f"REFUTED PROOF from {source}: {reason}",
        f"keep the file: it should prove {scratch.preserve(formula.path)}",
        scratch.preserve(proof),
    )


@contextmanager
def decompressed(path: str) -> Iterator[str]:
    """Yield the path of a proof, decompressed if need be; raise InputError if it is too large."""
    if not compression_suffix(path):
        yield path
        return
    with scratch.decompressed_copy(path, _bounded_pieces(path)) as copy:
        yield str(copy)


def _bounded_pieces(path: str) -> Iterator[bytes]:
    """Yield the decompressed pieces of a file; raise InputError if it expands too much."""
    max_bytes = 2**20 + MAX_PROOF_EXPANSION * Path(path).stat().st_size
    num_bytes = 0
    with open_blocks(path) as blocks:
        for block in blocks:
            num_bytes += len(block)
            if num_bytes > max_bytes:
                raise InputError(
                    f"it decompresses to more than {max_bytes:,} bytes", "decompress it first", path
                )
            yield block
