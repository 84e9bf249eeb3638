"""Formula files with the cuts that were found while solving: the last clauses of the file.

The header gives their number. Whether each follows is checked with the board that the header
describes, and the clauses before them are compared with those of its spec: then a proof of such a
file is a proof about its board.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.dimacs.literal_weights import weight_lines
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.text import open_blocks
from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.base import scratch
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.base.files import write_file
from boardsat.base.text import pluralize
from boardsat.instance.formula_file import FormulaFile, open_formula

TRANSFORM = "cuts"


def write_decided_formula(formula: FormulaFile, num_cuts: int, target: str) -> int:
    """Write the formula that was decided, with its cuts, and return the bytes on disk.

    The suffix of the target selects the compression.
    """
    if num_cuts and formula.header.lazy:
        return write_file(target, _with_comments(formula, num_cuts))
    with open_blocks(formula.path) as blocks:
        return write_file(target, blocks)


def _with_comments(formula: FormulaFile, num_cuts: int) -> Iterator[bytes]:
    """Yield a formula with cuts, whose copy has no comments, with the comments of the original.

    It stays lazy, as another tour may need more cuts. The cuts follow from the lazy constraints, so
    the formula still has the solutions that it was written for.
    """
    for comment in formula.comments:
        key, _, rest = comment.partition(" ")
        if key == "lazy":
            yield _comment("lazy", json.loads(rest) | {"clauses": formula.clauses})
        else:
            yield f"c {comment}\n".encode()
    yield _comment("transform", {"transform": TRANSFORM, "clauses": num_cuts})
    yield b"p cnf %d %d\n" % (formula.variables, formula.clauses)
    # Weights follow the `p cnf` line, where other comments are not kept.
    yield weight_lines(formula.header.counting.weights or {})
    yield from rewrite.clauses_with(formula.summary, formula.path, ())


def _comment(key: str, entry: dict[str, Any]) -> bytes:
    from boardsat.generators.dimacs.document import safe_json

    return f"c {key} {safe_json(entry)}\n".encode()


def check_cuts_follow(problem: FormulaFile, cuts: Iterable[Sequence[int]], source: str) -> None:
    """Raise WrongAnswerError unless each cut follows from the lazy constraints.

    `source` is the solver or the file that the cuts are from.
    """
    graphs = read_lazy_constraints(problem.header, problem.path).graphs
    judges = [cut_checker(graph) for graph in graphs]
    for cut in cuts:
        if not any(judge.is_cut(cut) for judge in judges):
            literals = " ".join(map(str, cut[:12])) + (" ..." if len(cut) > 12 else "")
            raise WrongAnswerError(
                f"WRONG CUT with {source}: {literals} does not follow",
                "keep the file: what adds the cuts has a bug",
                scratch.preserve(problem.path),
            )


def verify_saved_cuts(problem: FormulaFile, source: str) -> Iterator[str]:
    """Yield what is right about the cuts of a file; raise WrongAnswerError if one is wrong."""
    number = _num_saved_cuts(problem)
    if not number:
        return
    check_cuts_follow(problem, _saved_cuts(problem, number), source)
    follow = "its cut follows" if number == 1 else f"each of its {number:,} cuts follows"
    yield f"{follow} from what must be connected"
    others = pluralize(problem.clauses - number, "other clause")
    if _rebuilds_without_cuts(problem, number):
        yield f"the {others} are those of {problem.header.about['spec']}"
    else:
        yield f"NOT checked: whether the {others} are what the header says"


def _num_saved_cuts(problem: FormulaFile) -> int:
    """Return the number of cuts that the header declares."""
    transforms = [entry for entry in map(_transform, problem.comments) if entry is not None]
    numbers = [entry.get("clauses") for entry in transforms if entry.get("transform") == TRANSFORM]
    total = sum(n for n in numbers if type(n) is int and n > 0)
    if problem.header.lazy and numbers and not 0 < total <= problem.clauses:
        raise InputError("its header is wrong about its cuts", "write it again", problem.path)
    return total if problem.header.lazy else 0


def _transform(comment: str) -> dict[str, object] | None:
    """Return the entry of a transform comment. None for any other comment."""
    key, _, rest = comment.partition(" ")
    try:
        entry = json.loads(rest) if key == "transform" else None
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _saved_cuts(problem: FormulaFile, number: int) -> Iterator[tuple[int, ...]]:
    """Yield the last clauses of a file."""
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


def _rebuilds_without_cuts(problem: FormulaFile, number: int) -> bool:
    """Return whether the file without its cuts is the formula of its spec."""
    from boardsat.instance.header_verification import rebuilds_identically

    with scratch.folder() as folder:
        path = folder / "formula.cnf"
        scratch.write(path, _without_cuts(problem, number))
        return rebuilds_identically(open_formula(str(path)))


def _without_cuts(problem: FormulaFile, number: int) -> Iterator[bytes]:
    """Yield the text of a file without its last clauses and their entry in the header."""
    left = problem.clauses - number
    for comment in problem.comments:
        key, _, rest = comment.partition(" ")
        entry = _transform(comment)
        if key == "lazy":
            yield _comment("lazy", json.loads(rest) | {"clauses": left})
        elif entry is None or entry.get("transform") != TRANSFORM:
            yield f"c {comment}\n".encode()
    yield b"p cnf %d %d\n" % (problem.variables, left)
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            kept = min(left, len(ends))
            left -= kept
            if kept:
                yield rewrite.clause_lines(tokens[: int(ends[kept - 1]) + 1])
