"""A proof to be kept: it gets its name only when it is whole, and until then an old one stays.

A proof without its formula proves nothing, so whoever keeps one has both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from boardsat.adapters.answer import Status
from boardsat.adapters.proofs import ProofFormat
from boardsat.base import scratch
from boardsat.base.compression import split_compression
from boardsat.base.errors import BoardsatError, InputError, LostProofError
from boardsat.base.files import rename_into_place, write_file
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve import saving
from boardsat.workflows.solve.checks import CheckedAnswer
from boardsat.workflows.solve.request import SolveRequest

Named = Callable[[FormulaFile, CheckedAnswer], CheckedAnswer]
"""Gives a proof its name, and the formula that it proves its own beside it."""


@contextmanager
def beside(request: SolveRequest) -> Iterator[tuple[SolveRequest, Named]]:
    """The same request with another place for its proof, and what gives the proof its name.

    That place is on the same disk, as a proof may be larger than any other has room for.
    """
    if request.proof is None:
        yield request, lambda _, result: result
        return
    target = request.proof
    path = Path(os.path.realpath(target))
    is_device = path.exists() and not path.is_file()
    with scratch.folder(None if is_device else path.parent) as folder:
        part = folder / "proof"

        def named(formula: FormulaFile, result: CheckedAnswer) -> CheckedAnswer:
            from boardsat.workflows.solve.external_answers import read_pieces

            if result.answer.status is not Status.UNSATISFIABLE:
                return result
            try:
                _refuse_lost(result, target)
                if is_device or split_compression(target)[1]:
                    size = write_file(target, read_pieces(part))
                else:
                    size = part.stat().st_size
                    rename_into_place(part, path)
                if request.keep_proof:
                    result = _told(result, file=target, file_bytes=size)
                if request.keep_proof and not request.output and not is_device:
                    result = _with_formula(formula, result, target)
            except (OSError, BoardsatError) as error:
                return replace(result, failure=error)
            return result

        yield replace(request, proof=str(part), proof_format=_kind(request, target)), named


def _kind(request: SolveRequest, target: str) -> ProofFormat | None:
    """The kind of proof that is asked for, or that the ending of a name promises."""
    name, _ = split_compression(target)
    ending = Path(name).suffix.lower()
    if ending == ".lrat" and request.proof_format is None:
        return ProofFormat.LRAT
    other = {".drat": (ProofFormat.LRAT,), ".lrat": (ProofFormat.DRAT, ProofFormat.TEXT)}
    if request.proof_format in other.get(ending, ()):
        raise InputError(
            f"{ending} does not name {request.proof_format.title}", "give another ending", target
        )
    return request.proof_format


def _with_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    """Beside the proof, unless it is of the very file that was given."""
    if not (formula.generated_here or result.answer.cuts or result.answer.instead):
        return result
    name, packed = split_compression(target)
    stem = name.removesuffix(".drat").removesuffix(".lrat")
    beside = f"{stem}.proved.cnf{packed}"
    saving.write_decided_formula(formula, len(result.answer.cuts), beside)
    return _told(result, formula=beside)


def _told(result: CheckedAnswer, **about: Any) -> CheckedAnswer:
    return replace(result, proof=result.proof and replace(result.proof, **about))


def _refuse_lost(result: CheckedAnswer, target: str) -> None:
    """A proof of which only a part is there gets no name; one that nobody has checked does."""
    lost = result.failure
    if isinstance(lost, LostProofError):
        raise LostProofError(lost.fault, lost.remedy, target)
