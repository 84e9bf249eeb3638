"""Conversion of an OPB or KNF file to CNF, optionally with a bound on the cost of the models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from boardsat.adapters.formats._linear_formula import AtLeastConstraints, LinearFormula
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.generators import Formula, encodings
from boardsat.generators.dimacs.document import safe_json
from boardsat.generators.encode_linear import WeightedSums, encode
from boardsat.instance.formula_file import FormulaFile

ENCODING_KINDS = ("card", "pb")
"""Kinds of encodings that linear constraints need, as in `--set card=NAME`."""

_DESCRIPTION_KEYS = (
    *("boardsat", "parameters", "board", "edges", "objects", "variable", "keys", "ids"),
    *("lows", "highs", "decode", "drawing", "column", "regions", "given"),
)
"""First words of the header lines that describe a model, not the constraints."""

_NUMBERS = re.compile(r"(?:[A-Za-z_]\w* )?[0-9+* ]*")


def encode_to_cnf(file: FormulaFile, encoding_names: Mapping[str, str]) -> Formula:
    """Encode the constraints of a file to clauses, and keep its description.

    Parameters
    ----------
    file : FormulaFile
        File in a format of linear constraints.
    encoding_names : mapping
        Encoding by kind; the default encoding for a kind that is missing.

    Raises
    ------
    InputError
        If the file has an objective, lazy constraints or weights, or if an encoding is unknown.
    """
    if file.linear is None or file.linear.has_objective or file.header.lazy:
        raise InputError(
            "CNF cannot express an objective or lazy constraints",
            f"solve the file: `boardsat solve {file.path}`",
            file.path,
        )
    file.require_unweighted("are lost in clauses", "remove its `c p weight` lines")
    for kind, name in encoding_names.items():
        setting = f"--set {kind}={name}"
        if kind not in ENCODING_KINDS:
            raise InputError(
                f"the setting of a file must be card or pb (got {kind!r})", "", setting
            )
        if name not in encodings.names(kind):
            remedy = suggest(name, encodings.names(kind))
            raise InputError(f"{kind} must be an encoding (got {name!r})", remedy, setting)
    formula = encode_below_cost(file, None, encoding_names)
    header = replace(formula.header, verbatim=tuple(_description_lines(file)))
    if file.header.counting.projection is not None:
        header = replace(header, projection=file.header.counting.projection)
    return replace(formula, header=header)


def _description_lines(file: FormulaFile) -> Iterator[str]:
    """Yield the header lines that describe a model, in a form that no program reads as a command.

    Yield nothing if the file was not written by boardsat.
    """
    if not file.header.metadata:
        return
    for line in file.comments:
        key, _, text = line.partition(" ")
        if key == "boardsat":
            # The new auxiliary variables need not be determined by the others.
            metadata = json.loads(text) | {"count_preserving": False}
            metadata.pop("variables", None)
            yield f"{key} {safe_json(metadata)}"
        elif key in _DESCRIPTION_KEYS and text.startswith("{"):
            yield f"{key} {safe_json(json.loads(text))}"
        elif key in _DESCRIPTION_KEYS and _NUMBERS.fullmatch(text) and "cnf" not in text:
            yield line


def encode_below_cost(
    file: FormulaFile, cost: int | None, encoding_names: Mapping[str, str] | None = None
) -> Formula:
    """Return clauses whose models are the models of the file with a smaller cost.

    Parameters
    ----------
    file : FormulaFile
        File in a format of linear constraints.
    cost : int or None
        Strict upper bound. None: all models.
    encoding_names : mapping, optional
        Encoding by kind. Default: the default encodings.
    """
    linear = file.linear
    assert linear is not None
    clauses, sums = _hard_constraints(linear.hard)
    name, variables = str(file.header.metadata.get("spec") or "formula"), file.variables
    if cost is None:
        return encode(name, variables, clauses, sums, encoding_names)
    literals, link_clauses = _cost_literals(linear, variables)
    sums["a lower cost"] = WeightedSums(
        literals,
        linear.soft.weights,
        np.array([0, len(literals)]),
        high=np.array([cost - linear.base_cost - 1]),
    )
    largest = max(variables, int(np.abs(literals).max(initial=0)))
    title = f"{name}, with a cost of at most {cost - 1}"
    return encode(title, largest, np.concatenate([clauses, link_clauses]), sums)


def _hard_constraints(hard: AtLeastConstraints) -> tuple[np.ndarray, dict[str, WeightedSums]]:
    """Return the hard constraints that are clauses, and the others as linear constraints."""
    is_clause = hard.are_clauses
    lengths = np.diff(hard.starts)
    in_clause = np.repeat(is_clause, lengths)
    clauses = np.insert(hard.literals[in_clause], np.cumsum(lengths[is_clause]), 0)
    clauses = clauses.astype(np.int32)
    if is_clause.all():
        return clauses, {}
    starts = np.concatenate([[0], np.cumsum(lengths[~is_clause])])
    weights = np.ones(len(hard.literals), np.int64) if hard.weights is None else hard.weights
    sums = WeightedSums(
        hard.literals[~in_clause], weights[~in_clause], starts, low=hard.bounds[~is_clause]
    )
    return clauses, {"sums": sums}


def _cost_literals(linear: LinearFormula, variables: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a literal for each soft clause, and the clauses that define auxiliary variables.

    The literal is true if the soft clause is falsified. For a unit clause it is the negated literal
    of the clause, for any other an auxiliary variable.
    """
    soft = linear.soft
    lengths = np.diff(soft.starts)
    is_unit = lengths == 1
    literals = np.zeros(len(soft), np.int32)
    literals[is_unit] = -soft.literals[soft.starts[:-1][is_unit]]
    auxiliary = variables + 1 + np.arange(int((~is_unit).sum()))
    literals[~is_unit] = auxiliary
    long_literals = soft.literals[np.repeat(~is_unit, lengths)]
    ends = np.cumsum(lengths[~is_unit])
    # Each defining clause ends with its auxiliary variable and 0.
    tails = np.column_stack([auxiliary, np.zeros_like(auxiliary)]).reshape(-1)
    clauses = np.insert(long_literals, np.repeat(ends, 2), tails).astype(np.int32)
    return literals, clauses
