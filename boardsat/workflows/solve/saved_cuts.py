"""Formula files with saved cuts, which were found while solving and are the last clauses.

The header has the number of cuts. To verify such a file, each cut is checked against the lazy
constraints of the board in the header, and the other clauses are compared with those of the spec.
Then a proof of the file is a proof about its board.
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
"""Name of the transform in the header that adds cuts."""


def write_decided_formula(formula: FormulaFile, num_cuts: int, target: str) -> int:
    """Write a solved formula, whose last clauses are cuts; return the size of the file in bytes.

    The suffix of the target selects the compression.
    """
    if num_cuts and formula.header.lazy:
        return write_file(target, _with_comments(formula, num_cuts))
    with open_blocks(formula.path) as blocks:
        return write_file(target, blocks)


def _with_comments(formula: FormulaFile, num_cuts: int) -> Iterator[bytes]:
    """Yield the text of a formula with cuts; the file on disk lacks the comments.

    The formula stays lazy, as another model may violate more cuts. The cuts follow from the lazy
    constraints, so the formula keeps its solutions.
    """
    for comment in formula.comments:
        yield _updated_comment(comment, formula.clauses)
    yield _comment("transform", {"transform": TRANSFORM, "clauses": num_cuts})
    yield b"p cnf %d %d\n" % (formula.variables, formula.clauses)
    # Weights follow the `p cnf` line, where other comments are not kept.
    yield weight_lines(formula.header.counting.weights or {})
    yield from rewrite.clauses_with(formula.summary, formula.path, ())


def _updated_comment(comment: str, num_clauses: int) -> bytes:
    """Return the line of a comment; the entry `lazy` gets the number of clauses."""
    key, _, entry = comment.partition(" ")
    if key == "lazy":
        return _comment("lazy", json.loads(entry) | {"clauses": num_clauses})
    return f"c {comment}\n".encode()


def _comment(key: str, entry: dict[str, Any]) -> bytes:
    from boardsat.generators.dimacs.document import safe_json

    return f"c {key} {safe_json(entry)}\n".encode()


def check_cuts_follow(formula: FormulaFile, cuts: Iterable[Sequence[int]], source: str) -> None:
    """Raise WrongAnswerError unless each cut follows from the lazy constraints.

    `source` is the solver or the file that the cuts are from.
    """
    graphs = read_lazy_constraints(formula.header, formula.path).graphs
    checkers = [cut_checker(graph) for graph in graphs]
    for cut in cuts:
        if not any(checker.is_cut(cut) for checker in checkers):
            literals = " ".join(map(str, cut[:12])) + (" ..." if len(cut) > 12 else "")
            raise WrongAnswerError(
                f"WRONG CUT with {source}: {literals} does not follow from the lazy constraints",
                "keep the file: the program that adds the cuts has a bug",
                scratch.preserve(formula.path),
            )


def verify_saved_cuts(formula: FormulaFile, source: str) -> Iterator[str]:
    """Yield the verified facts about the cuts of a file, as messages; nothing if it has no cuts.

    Raise WrongAnswerError if a cut does not follow.
    """
    num_cuts = _num_saved_cuts(formula)
    if not num_cuts:
        return
    check_cuts_follow(formula, _saved_cuts(formula, num_cuts), source)
    follow = "its cut follows" if num_cuts == 1 else f"each of its {num_cuts:,} cuts follows"
    yield f"{follow} from the lazy constraints"
    other_clauses = pluralize(formula.clauses - num_cuts, "other clause")
    if _rebuilds_without_cuts(formula, num_cuts):
        yield f"the {other_clauses} are those of {formula.header.metadata['spec']}"
    else:
        yield f"NOT checked: whether the header describes the {other_clauses}"


def _num_saved_cuts(formula: FormulaFile) -> int:
    """Return the number of cuts that the header declares."""
    transforms = [entry for entry in map(_transform, formula.comments) if entry is not None]
    numbers = [entry.get("clauses") for entry in transforms if entry.get("transform") == TRANSFORM]
    total = sum(number for number in numbers if type(number) is int and number > 0)
    if formula.header.lazy and numbers and not 0 < total <= formula.clauses:
        raise InputError(
            f"the header must declare between 1 and {formula.clauses:,} cuts (got {total:,})",
            "generate the file again with `boardsat solve -o`",
            formula.path,
        )
    return total if formula.header.lazy else 0


def _transform(comment: str) -> dict[str, object] | None:
    """Return the entry of a transform comment. None for any other comment."""
    key, _, text = comment.partition(" ")
    try:
        entry = json.loads(text) if key == "transform" else None
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _saved_cuts(formula: FormulaFile, num_cuts: int) -> Iterator[tuple[int, ...]]:
    """Yield the last clauses of a file."""
    num_read, first = 0, formula.clauses - num_cuts
    with open_cnf(formula.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            num_skipped = max(0, first - num_read)
            num_read += len(ends)
            if num_skipped >= len(ends):
                continue
            start = int(ends[num_skipped - 1]) + 1 if num_skipped else 0
            for end in ends[num_skipped:].tolist():
                yield tuple(tokens[start:end].tolist())
                start = end + 1


def _rebuilds_without_cuts(formula: FormulaFile, num_cuts: int) -> bool:
    """Return True if the file without its cuts is the formula of its spec."""
    from boardsat.instance.header_verification import rebuilds_identically

    with scratch.folder() as folder:
        path = folder / "formula.cnf"
        scratch.write(path, _without_cuts(formula, num_cuts))
        return rebuilds_identically(open_formula(str(path)))


def _without_cuts(formula: FormulaFile, num_cuts: int) -> Iterator[bytes]:
    """Yield the text of a file without its last clauses and their entry in the header."""
    num_left = formula.clauses - num_cuts
    for comment in formula.comments:
        entry = _transform(comment)
        if entry is None or entry.get("transform") != TRANSFORM:
            yield _updated_comment(comment, num_left)
    yield b"p cnf %d %d\n" % (formula.variables, num_left)
    with open_cnf(formula.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0)
            num_clauses = min(num_left, len(ends))
            num_left -= num_clauses
            if num_clauses:
                yield rewrite.clause_lines(tokens[: int(ends[num_clauses - 1]) + 1])
