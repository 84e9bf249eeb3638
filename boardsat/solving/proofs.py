"""A proof to be kept: it gets its name only when it is whole, and until then an old one stays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from boardsat.adapters.answer import Status
from boardsat.adapters.errors import AdapterError, LostProofError
from boardsat.adapters.runtimes import scratch
from boardsat.generators.dimacs.output import write_file
from boardsat.generators.errors import InputError
from boardsat.solving.asking import SolveRequest
from boardsat.solving.checking import Result
from boardsat.solving.given_answers import bytes_of

Named = Callable[[Result], Result]


@contextmanager
def beside(request: SolveRequest) -> Iterator[tuple[SolveRequest, Named]]:
    """The same request with another place for its proof, and what gives the proof its name.

    That place is on the same disk, as a proof may be larger than any other has room for.
    """
    if request.proof is None:
        yield request, lambda result: result
        return
    target = request.proof
    path = Path(os.path.realpath(target))
    is_device = path.exists() and not path.is_file()
    with scratch.folder(None if is_device else path.parent) as folder:
        part = folder / "proof"

        def named(result: Result) -> Result:
            if result.answer.status is not Status.UNSATISFIABLE:
                return result
            try:
                _refuse_lost(result, target)
                if is_device:
                    write_file(target, bytes_of(part))
                else:
                    part.replace(path)
            except (OSError, InputError, AdapterError) as error:
                return replace(result, failure=error)
            return result

        yield replace(request, proof=str(part)), named


def _refuse_lost(result: Result, target: str) -> None:
    """A proof of which only a part is there gets no name; one that nobody has checked does."""
    lost = result.failure
    if isinstance(lost, LostProofError):
        raise LostProofError(lost.fault, lost.remedy, target)
