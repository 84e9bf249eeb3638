"""The cuts in a file that has them: its last clauses, so many as its header says.

Whether each follows is judged by the board that the header describes, and the clauses before them
are compared with those of its spec. So a proof of such a file is one about its board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from boardsat.adapters.dimacs.copies import clause_lines
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.dimacs.document import safe_json
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.instance.header_verification import rebuilds_identically
from boardsat.workflows.solve.checks import check_cuts_follow

TRANSFORM = "cuts"


def verify_saved_cuts(problem: FormulaFile, whose: str) -> Iterator[str]:
    """What is right about the cuts of a file, in words; a cut that does not follow is an error."""
    number = _number(problem)
    if not number:
        return
    check_cuts_follow(problem, _cuts(problem, number), whose)
    follow = "its cut follows" if number == 1 else f"each of its {number:,} cuts follows"
    yield f"{follow} from what must be connected"
    rest = pluralize(problem.clauses - number, "other clause")
    if _is_built_alike(problem, number):
        yield f"the {rest} are those of {problem.header.about['spec']}"
    else:
        yield f"NOT checked: whether the {rest} are what the header says"


def _number(problem: FormulaFile) -> int:
    """How many cuts the header tells of."""
    told = [line for line in map(_transform, problem.comments) if line is not None]
    numbers = [line.get("clauses") for line in told if line.get("transform") == TRANSFORM]
    found = sum(n for n in numbers if type(n) is int and n > 0)
    if problem.header.lazy and numbers and not 0 < found <= problem.clauses:
        raise InputError("its header is wrong about its cuts", "write it again", problem.path)
    return found if problem.header.lazy else 0


def _transform(comment: str) -> dict[str, object] | None:
    word, _, rest = comment.partition(" ")
    try:
        told = json.loads(rest) if word == "transform" else None
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _cuts(problem: FormulaFile, number: int) -> Iterator[tuple[int, ...]]:
    passed, first = 0, problem.clauses - number
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            skipped = max(0, first - passed)
            passed += len(ends)
            if skipped >= len(ends):
                continue
            start = int(ends[skipped - 1]) + 1 if skipped else 0
            for end in ends[skipped:].tolist():
                yield tuple(tokens[start:end].tolist())
                start = end + 1


def _is_built_alike(problem: FormulaFile, number: int) -> bool:
    """Whether the file without its cuts is what its spec gives."""
    with scratch.folder() as folder:
        path = folder / "formula.cnf"
        scratch.write(path, _without(problem, number))
        return rebuilds_identically(open_formula(str(path)))


def _without(problem: FormulaFile, number: int) -> Iterator[bytes]:
    left = problem.clauses - number
    for comment in problem.comments:
        word, _, rest = comment.partition(" ")
        told = _transform(comment)
        if word == "lazy":
            yield f"c lazy {safe_json(json.loads(rest) | {'clauses': left})}\n".encode()
        elif told is None or told.get("transform") != TRANSFORM:
            yield f"c {comment}\n".encode()
    yield b"p cnf %d %d\n" % (problem.variables, left)
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            kept = min(left, len(ends))
            left -= kept
            if kept:
                yield clause_lines(tokens[: int(ends[kept - 1]) + 1])
