"""Splits clauses of more than three literals into a chain: (a b x) (-x c y) (-y d e).

The fresh variables follow all others. Read one way the chain only needs implications; where model
counts must stay, x is made equivalent to (c or y), so that it is determined.
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
    """`auto` uses equivalences exactly where the formula's models are what is counted."""
    check_choice(choice, THREE_CNF)
    keep = choice == "equivalences" or (choice == "auto" and formula.header.count_preserving)
    counter = ClauseCounter(formula.variables + 1)
    sections = tuple(
        replace(
            split := counter.encoded(section.name, "", _splitter(section, keep)),
            num_auxiliary=section.num_auxiliary + split.num_auxiliary,
        )
        for section in formula.sections
    )
    note = {"transform": "split", "literals": 3, "equivalences": keep}
    header = replace(
        formula.header,
        count_preserving=formula.header.count_preserving and keep,
        transforms=(*formula.header.transforms, note),
    )
    header = with_projection(header, formula.num_spec_variables)
    return replace(formula, header=header, variables=counter.first - 1, sections=sections)


def _splitter(section: ConstraintClauses, keep: bool) -> Callable[[int], Iterator[Chunk]]:
    def produce(first: int) -> Iterator[Chunk]:
        for chunk in section.chunks():
            if isinstance(chunk, Pairs):
                yield chunk
                continue
            rows = split(chunk.tokens, first, keep)
            first += rows.num_auxiliary
            yield rows

    return produce


def split(tokens: Tokens, first: int, keep: bool) -> Rows:
    """Return the clauses in order, with long ones split."""
    starts = clause_starts(tokens)
    length = np.diff(starts) - 1
    is_long = length > 3
    if not is_long.any():
        return Rows(tokens)
    owner = np.flatnonzero(is_long)
    short = np.flatnonzero(~is_long)
    links = length[owner] - 2
    fresh = starts_of(links - 1)
    # Row by row of all chains: which clause it splits, and which link of its chain it is.
    clause = np.repeat(np.arange(len(owner)), links)
    link = within(links)
    begin, end = starts[owner][clause], starts[owner + 1][clause] - 2
    new = first + fresh[clause] + link
    is_first, is_last = link == 0, link == links[clause] - 1
    left = np.where(is_first, tokens[begin], -(new - 1))
    middle = tokens[begin + link + 1]
    right = np.where(is_last, tokens[end], new)
    pieces = [take_rows(tokens, starts, short), stack(columns(left, middle, right))]
    owners = [short, owner[clause]]
    if keep:
        # The variable between two links holds exactly when something after it does.
        inner = ~is_first
        between = new[inner] - 1
        for implied in (middle[inner], right[inner]):
            pieces.append(stack(columns(between, -implied)))
            owners.append(owner[clause[inner]])
    return Rows(in_order(pieces, owners), int(fresh[-1]))
