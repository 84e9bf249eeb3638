"""What is minimised: soft clauses, each with the weight that a model pays for not satisfying it.

A weighted sum of literals is the same: a literal that costs 3 is its negation as a soft clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from boardsat.generators.arrays import TRUE, Ints, Tokens, clause_starts, clean, take_rows


@dataclass(frozen=True)
class SoftClauses:
    tokens: Tokens
    """Each clause ended by 0."""
    weights: Ints
    """Of every clause, all positive."""

    @property
    def literals(self) -> int:
        return len(self.tokens) - len(self.weights)

    @property
    def total(self) -> int:
        return int(self.weights.sum(dtype=object))

    def each(self) -> Iterator[tuple[int, list[int]]]:
        """Weight and literals, one after the other."""
        starts, tokens = clause_starts(self.tokens).tolist(), self.tokens.tolist()
        for number, weight in enumerate(self.weights.tolist()):
            yield weight, tokens[starts[number] : starts[number + 1] - 1]


def soft_clauses(tokens: Tokens, weights: Ints) -> SoftClauses:
    """Those that are not known to be satisfied, without the literals that are known to be false."""
    lengths = np.diff(clause_starts(tokens))
    owner = np.repeat(np.arange(len(lengths)), lengths)
    open_ = np.ones(len(lengths), np.bool_)
    open_[owner[tokens == TRUE]] = False
    return SoftClauses(clean(tokens), weights[open_])


def units(literals: Tokens, weights: Ints) -> SoftClauses:
    """Of literals that cost so much where they are true."""
    tokens = np.zeros((len(literals), 2), np.int32)
    tokens[:, 0] = -literals
    return SoftClauses(tokens.reshape(-1), weights)


@dataclass(frozen=True)
class Objective:
    goal: str
    """`minimize` or `maximize`."""
    text: str
    """What is so, in the words of the spec; empty where there are only soft constraints."""
    soft: SoftClauses
    offset: int
    """The value of a model that pays for nothing."""

    def told(self) -> dict[str, str | int]:
        """As the header of a file has it: what a model pays, beside this, gives its value."""
        of = {"of": self.text} if self.text else {}
        return {"goal": self.goal, **of, "offset": self.offset}

    def renamed(self, literals: Tokens) -> Objective:
        """With other literals; a table of them, in which negative ones count from the end."""
        return replace(self, soft=replace(self.soft, tokens=literals[self.soft.tokens]))


def gathered(goal: str, text: str, offset: int, pieces: Sequence[SoftClauses]) -> Objective:
    """An objective of all of these; what no model can satisfy is paid by every one."""
    tokens = np.concatenate([np.zeros(0, np.int32), *(piece.tokens for piece in pieces)])
    weights = np.concatenate([np.zeros(0, np.int64), *(piece.weights for piece in pieces)])
    starts = clause_starts(tokens)
    empty = np.diff(starts) == 1
    paid = int(weights[empty].sum(dtype=object))
    kept = np.flatnonzero(~empty)
    soft = SoftClauses(take_rows(tokens, starts, kept), weights[kept])
    return Objective(goal, text, soft, offset + (paid if goal == "minimize" else -paid))
