"""What boardsat itself prints as an answer, text or JSON, read back as the lines of a solver."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from boardsat.adapters.answer import Status
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize

ACCEPTED = "give the `s` and `v` lines of a solver, or what `boardsat solve --json` prints"

_HEAD = re.compile(rb"(SATISFIABLE|UNSATISFIABLE|OPTIMUM|UNKNOWN)(?: \(.*\))?: ")
_LITERALS = re.compile(rb"^v .*$", re.M)


def as_solvers_print(pieces: Iterable[bytes], name: str, variables: int) -> Iterator[bytes]:
    """The same pieces, unless they are ours; nothing is read before the first is asked for.

    `variables` are those of the formula that they shall answer.
    """
    rest = iter(pieces)
    first = next((piece for piece in rest if piece.strip()), b"")
    whole = chain([first], rest)
    if first.lstrip()[:1] in (b"{", b"["):
        yield _lines(_value(b"".join(whole), name), name, variables)
    elif found := _HEAD.match(first):
        # The rows of a board are no literals.
        yield b"s %b\n" % found[1]
        yield b"\n".join(_LITERALS.findall(b"".join(whole)))
    else:
        yield from whole


def _value(text: bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("the answer is JSON that is broken", ACCEPTED, name) from None


def _lines(value: Any, name: str, variables: int) -> bytes:
    if isinstance(value, list) and len(value) > 1:
        raise InputError(
            f"{len(value)} answers, where one is to be given", "give one object of the list", name
        )
    answer = value[0] if isinstance(value, list) and value else value
    if not isinstance(answer, dict) or answer.get("status") not in [*Status.__members__]:
        raise InputError("JSON that is no answer of boardsat", ACCEPTED, name)
    lines = [f"s {answer['status']}"]
    model = answer.get("model")
    if isinstance(model, list) and all(type(literal) is int for literal in model):
        # Solvers may leave variables out; our models are whole.
        if len(model) != variables:
            raise InputError(
                "an answer about another formula: its model has "
                f"{pluralize(len(model), 'variable')}, the file has {variables:,}",
                "give the file that was solved",
                name,
            )
        lines.append(f"v {' '.join(map(str, [*model, 0]))}")
    return "\n".join([*lines, ""]).encode()
