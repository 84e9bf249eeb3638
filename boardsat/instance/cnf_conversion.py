"""A file of another format as clauses: all of its models, or those that are better than one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from boardsat.adapters.formats._linear_formula import AtLeast, Linear
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators import Formula, encodings
from boardsat.generators.dimacs.document import safe_json
from boardsat.generators.encode_linear import WeightedSums, encode
from boardsat.instance.formula_file import FormulaFile

CHOICES = ("card", "pb")
"""The kinds of encodings that sums need."""

_KEPT = (
    *("boardsat", "parameters", "board", "edges", "objects", "variable", "keys", "ids"),
    *("lows", "highs", "decode", "drawing", "column", "regions", "given"),
)
"""Comments by their first words: what they say of a model is true of clauses too."""

_NUMBERS = re.compile(r"(?:[A-Za-z_]\w* )?[0-9+* ]*")


def as_clauses(problem: FormulaFile, choices: Mapping[str, str]) -> Formula:
    """The formula that a file states, in clauses; what it would lose by that is refused."""
    if problem.linear is None or problem.linear.optimises or problem.header.lazy:
        raise InputError(
            "it is not only constraints that it states, and CNF has nothing else",
            "solve it as it is",
            problem.path,
        )
    problem.require_unweighted("are lost in clauses", "remove its `c p weight` lines")
    for kind, name in choices.items():
        if kind not in CHOICES:
            raise InputError("a file has no parameters", "set card or pb", f"--set {kind}={name}")
        if name not in encodings.names(kind):
            remedy = suggest(name, encodings.names(kind))
            raise InputError(f"no encoding {name!r}", remedy, f"--set {kind}={name}")
    formula = better_than(problem, None, choices)
    header = replace(formula.header, verbatim=tuple(_told(problem)))
    if problem.header.counting.projection is not None:
        header = replace(header, projection=problem.header.counting.projection)
    return replace(formula, header=header)


def _told(problem: FormulaFile) -> Iterator[str]:
    """The comments of a file of ours, written anew: no program takes them for anything else."""
    if not problem.header.metadata:
        return
    for line in problem.comments:
        word, _, rest = line.partition(" ")
        if word == "boardsat":
            # Auxiliary variables need not be determined, and there may be others than before.
            about = json.loads(rest) | {"count_preserving": False}
            yield f"{word} {safe_json({k: v for k, v in about.items() if k != 'variables'})}"
        elif word in _KEPT and rest.startswith("{"):
            yield f"{word} {safe_json(json.loads(rest))}"
        elif word in _KEPT and _NUMBERS.fullmatch(rest) and "cnf" not in rest:
            yield line


def better_than(
    problem: FormulaFile, cost: int | None, choices: Mapping[str, str] | None = None
) -> Formula:
    """Clauses whose models are those of a file that pay less; without a cost, all of them.

    Sums are encoded as is chosen, or as usual.
    """
    linear = problem.linear
    assert linear is not None
    clauses, sums = _hard(linear.hard)
    name, variables = str(problem.header.metadata.get("spec") or "formula"), problem.variables
    if cost is None:
        return encode(name, variables, clauses, sums, choices)
    literals, links = _paid_for(linear, variables)
    sums["a lower cost"] = WeightedSums(
        literals,
        linear.soft.weights,
        np.array([0, len(literals)]),
        high=np.array([cost - linear.paid - 1]),
    )
    largest = max(variables, int(np.abs(literals).max(initial=0)))
    title = f"{name}, with a cost of at most {cost - 1}"
    return encode(title, largest, np.concatenate([clauses, links]), sums)


def _hard(hard: AtLeast) -> tuple[np.ndarray, dict[str, WeightedSums]]:
    """The clauses, and the sums that are none."""
    plain = hard.are_clauses
    lengths = np.diff(hard.starts)
    inside = np.repeat(plain, lengths)
    clauses = np.insert(hard.literals[inside], np.cumsum(lengths[plain]), 0).astype(np.int32)
    if plain.all():
        return clauses, {}
    starts = np.concatenate([[0], np.cumsum(lengths[~plain])])
    weights = np.ones(len(hard.literals), np.int64) if hard.weights is None else hard.weights
    rest = WeightedSums(hard.literals[~inside], weights[~inside], starts, low=hard.bounds[~plain])
    return clauses, {"sums": rest}


def _paid_for(linear: Linear, variables: int) -> tuple[np.ndarray, np.ndarray]:
    """Of every soft clause a literal that holds where it does not, and clauses that see to it."""
    soft = linear.soft
    lengths = np.diff(soft.starts)
    single = lengths == 1
    literals = np.zeros(len(soft), np.int32)
    literals[single] = -soft.literals[soft.starts[:-1][single]]
    fresh = variables + 1 + np.arange(int((~single).sum()))
    literals[~single] = fresh
    inside = np.repeat(~single, lengths)
    ends = np.cumsum(lengths[~single])
    # The 0 stands behind the fresh literal, at the end of each clause.
    links = np.insert(soft.literals[inside], np.repeat(ends, 2), _ends(fresh)).astype(np.int32)
    return literals, links


def _ends(fresh: np.ndarray) -> np.ndarray:
    pairs = np.zeros((len(fresh), 2), np.int64)
    pairs[:, 0] = fresh
    return pairs.reshape(-1)
