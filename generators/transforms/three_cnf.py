"""Reduction to 3-CNF: longer clauses are split into a chain, (a b x) (-x c y) (-y d e).

Auxiliary variables are numbered after all others. Implications suffice for satisfiability. To
preserve the number of models, x is made equivalent to (c or y), so that it is determined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from boardsat.generators.arrays import (
    Tokens,
    clause_starts,
    columns,
    in_order,
    stack,
    starts_of,
    take_rows,
    within,
)
from boardsat.generators.blocks import Chunk, Pairs, Rows
from boardsat.generators.formula import ClauseCounter, ConstraintClauses, Formula, with_projection
from boardsat.generators.option_values import THREE_CNF, check_choice


def transform(formula: Formula, choice: str = "auto") -> Formula:
    """Split long clauses; `auto` uses equivalences if the formula is count-preserving."""
    check_choice(choice, THREE_CNF)
    preserves_models = choice == "equivalences" or (
        choice == "auto" and formula.header.count_preserving
    )
    counter = ClauseCounter(formula.variables + 1)
    sections = tuple(
        replace(
            split := counter.encoded(section.name, "", _splitter(section, preserves_models)),
            num_auxiliary=section.num_auxiliary + split.num_auxiliary,
        )
        for section in formula.sections
    )
    note = {"transform": "split", "literals": 3, "equivalences": preserves_models}
    header = replace(
        formula.header,
        count_preserving=formula.header.count_preserving and preserves_models,
        transforms=(*formula.header.transforms, note),
    )
    header = with_projection(header, formula.num_spec_variables)
    return replace(formula, header=header, variables=counter.first - 1, sections=sections)


def _splitter(
    section: ConstraintClauses, preserves_models: bool
) -> Callable[[int], Iterator[Chunk]]:
    def produce(first: int) -> Iterator[Chunk]:
        for chunk in section.chunks():
            if isinstance(chunk, Pairs):
                yield chunk
                continue
            rows = split(chunk.tokens, first, preserves_models)
            first += rows.num_auxiliary
            yield rows

    return produce


def split(tokens: Tokens, first: int, preserves_models: bool) -> Rows:
    """Return the clauses in order, with long ones split."""
    starts = clause_starts(tokens)
    length = np.diff(starts) - 1
    is_long = length > 3
    if not is_long.any():
        return Rows(tokens)
    owner = np.flatnonzero(is_long)
    short = np.flatnonzero(~is_long)
    links = length[owner] - 2
    offsets = starts_of(links - 1)
    # For each clause of all chains: the long clause that it belongs to, and its index in the chain.
    clause = np.repeat(np.arange(len(owner)), links)
    link = within(links)
    begin, end = starts[owner][clause], starts[owner + 1][clause] - 2
    new = first + offsets[clause] + link
    is_first, is_last = link == 0, link == links[clause] - 1
    previous = np.where(is_first, tokens[begin], -(new - 1))
    middle = tokens[begin + link + 1]
    following = np.where(is_last, tokens[end], new)
    pieces = [take_rows(tokens, starts, short), stack(columns(previous, middle, following))]
    owners = [short, owner[clause]]
    if preserves_models:
        # The variable between two clauses is true if and only if a later literal is.
        inner = ~is_first
        between = new[inner] - 1
        for implied in (middle[inner], following[inner]):
            pieces.append(stack(columns(between, -implied)))
            owners.append(owner[clause[inner]])
    return Rows(in_order(pieces, owners), int(offsets[-1]))
