"""The formula that was decided, written as an ordinary file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.dimacs import copies
from boardsat.adapters.dimacs.literal_weights import weight_lines
from boardsat.adapters.dimacs.text import opened
from boardsat.base.files import write_file
from boardsat.generators.dimacs.document import safe_json
from boardsat.instance.formula_file import FormulaFile


def write_decided_formula(formula: FormulaFile, cuts: int, target: str) -> int:
    """Write it, compressed by the ending of the target; the bytes on disk."""
    if cuts and formula.header.lazy:
        return write_file(target, _with_comments(formula, cuts))
    with opened(formula.path) as blocks:
        return write_file(target, blocks)


def _with_comments(formula: FormulaFile, cuts: int) -> Iterator[bytes]:
    """A formula with its cuts has lost its comments, and gets them again.

    It stays lazy, as it may need more cuts for another tour; all that it has follow, so that with
    them it still is what it was written for.
    """
    for comment in formula.comments:
        word, _, rest = comment.partition(" ")
        if word == "lazy":
            yield _comment("lazy", json.loads(rest) | {"clauses": formula.clauses})
        else:
            yield f"c {comment}\n".encode()
    yield _comment("transform", {"transform": "cuts", "clauses": cuts})
    yield b"p cnf %d %d\n" % (formula.variables, formula.clauses)
    # They stand after the header, where comments are not kept.
    yield weight_lines(formula.header.weights or {})
    yield from copies.clauses_with(formula.summary, formula.path, ())


def _comment(word: str, about: dict[str, Any]) -> bytes:
    return f"c {word} {safe_json(about)}\n".encode()
