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
from boardsat.adapters.solvers.capabilities import ProofKind
from boardsat.base import scratch
from boardsat.base.compression import split_compression
from boardsat.base.errors import BoardsatError, InputError, LostProofError
from boardsat.base.files import rename_into_place, write_file
from boardsat.instance.formula_file import Problem
from boardsat.workflows.solve import saving
from boardsat.workflows.solve.checks import Result
from boardsat.workflows.solve.request import SolveRequest

Named = Callable[[Problem, Result], Result]
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

        def named(formula: Problem, result: Result) -> Result:
            from boardsat.workflows.solve.external_answers import bytes_of

            if result.answer.status is not Status.UNSATISFIABLE:
                return result
            try:
                _refuse_lost(result, target)
                if is_device or split_compression(target)[1]:
                    size = write_file(target, bytes_of(part))
                else:
                    size = part.stat().st_size
                    rename_into_place(part, path)
                if request.keeps:
                    result = _told(result, file=target, file_bytes=size)
                if request.keeps and not request.output and not is_device:
                    result = _with_formula(formula, result, target)
            except (OSError, BoardsatError) as error:
                return replace(result, failure=error)
            return result

        yield replace(request, proof=str(part), kind=_kind(request, target)), named


def _kind(request: SolveRequest, target: str) -> ProofKind | None:
    """The kind of proof that is asked for, or that the ending of a name promises."""
    name, _ = split_compression(target)
    ending = Path(name).suffix.lower()
    if ending == ".lrat" and request.kind is None:
        return ProofKind.LRAT
    other = {".drat": (ProofKind.LRAT,), ".lrat": (ProofKind.DRAT, ProofKind.TEXT)}
    if request.kind in other.get(ending, ()):
        raise InputError(
            f"{ending} does not name {request.kind.words}", "give another ending", target
        )
    return request.kind


def _with_formula(formula: Problem, result: Result, target: str) -> Result:
    """Beside the proof, unless it is of the very file that was given."""
    if not (formula.own or result.answer.cuts or result.answer.instead):
        return result
    name, packed = split_compression(target)
    stem = name.removesuffix(".drat").removesuffix(".lrat")
    beside = f"{stem}.proved.cnf{packed}"
    saving.save(formula, len(result.answer.cuts), beside)
    return _told(result, formula=beside)


def _told(result: Result, **about: Any) -> Result:
    return replace(result, proof=result.proof and replace(result.proof, **about))


def _refuse_lost(result: Result, target: str) -> None:
    """A proof of which only a part is there gets no name; one that nobody has checked does."""
    lost = result.failure
    if isinstance(lost, LostProofError):
        raise LostProofError(lost.fault, lost.remedy, target)
