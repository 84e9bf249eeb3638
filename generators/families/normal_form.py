"""A propositional formula over slots, worked out once into a small set of clauses.

A tree is a signed slot, or a tuple of a connective and trees: `not`, `and`, `or`, `iff`, `xor`.
Up to SMALL slots a minimal set of clauses is found by prime implicates; otherwise the connectives
are multiplied out while that stays short, and beyond that fresh slots are defined (Tseitin), by
equivalences, so that they are determined and model counts stay.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

import numpy as np

from generators.arrays import Bools
from generators.patterns import Pattern

Tree = int | tuple  # type: ignore[type-arg]
Clause = tuple[int, ...]

SMALL = 6
SHORT = 32

_COMBINE: dict[str, Callable[[Bools, Bools], Bools]] = {
    "and": operator.and_,
    "or": operator.or_,
    "iff": operator.eq,
    "xor": operator.ne,
}


def pattern_of(tree: Tree, inputs: int) -> Pattern:
    """The clauses that hold exactly when the tree does."""
    builder = _Builder(inputs)
    for conjunct in _conjuncts(tree):
        builder.state(conjunct)
    tokens = [token for clause in builder.clauses for token in (*clause, 0)]
    return Pattern(inputs, builder.slots - inputs, np.array(tokens, np.int32))


def negate(tree: Tree) -> Tree:
    if isinstance(tree, int):
        return -tree
    return tree[1] if tree[0] == "not" else ("not", tree)


def _conjuncts(tree: Tree) -> list[Tree]:
    if isinstance(tree, tuple) and tree[0] == "and":
        return [part for child in tree[1:] for part in _conjuncts(child)]
    return [tree]


def slots_of(tree: Tree) -> set[int]:
    if isinstance(tree, int):
        return {abs(tree)}
    return set().union(*(slots_of(child) for child in tree[1:]))


class _Builder:
    def __init__(self, inputs: int) -> None:
        self.slots = inputs
        self.clauses: list[Clause] = []

    def state(self, tree: Tree) -> None:
        """Add the clauses that make the tree true."""
        if len(slots_of(tree)) <= SMALL:
            self.clauses += minimal_clauses(tree)
            return
        multiplied = multiply_out(tree, True)
        if multiplied is not None:
            self.clauses += multiplied
            return
        self.clauses.append((self.define(tree),))

    def define(self, tree: Tree) -> int:
        """A slot that is equivalent to the tree."""
        if isinstance(tree, int):
            return tree
        connective, *children = tree
        if connective == "not":
            return -self.define(children[0])
        parts = [self.define(child) for child in children]
        self.slots += 1
        new = self.slots
        definition = ("iff", new, (connective, *parts))
        small = len(slots_of(definition)) <= SMALL
        self.clauses += minimal_clauses(definition) if small else _gate(connective, new, parts)
        return new


def _gate(connective: str, new: int, parts: list[int]) -> list[Clause]:
    """new is equivalent to a long `and` or `or`."""
    sign = 1 if connective == "or" else -1
    return [
        (-sign * new, *(sign * part for part in parts)),
        *((sign * new, -sign * part) for part in parts),
    ]


def multiply_out(tree: Tree, wanted: bool) -> list[Clause] | None:
    """Clauses by distribution, or None where they become too many."""
    if isinstance(tree, int):
        return [(tree if wanted else -tree,)]
    connective, *children = tree
    if connective == "not":
        return multiply_out(children[0], not wanted)
    if connective in ("iff", "xor"):
        left, right = children
        if (connective == "iff") == wanted:
            right = negate(right)
        both = ("and", ("or", left, right), ("or", negate(left), negate(right)))
        return multiply_out(both, True)
    parts = [multiply_out(child, wanted) for child in children]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if (connective == "and") == wanted:
        joined = [clause for part in known for clause in part]
    else:
        if np.prod([float(len(part)) for part in known]) > SHORT:
            return None
        joined = [tuple(dict.fromkeys(sum(choice, ()))) for choice in product(*known)]
    kept = [clause for clause in dict.fromkeys(joined) if not any(-x in clause for x in clause)]
    return kept if len(kept) <= SHORT else None


def minimal_clauses(tree: Tree) -> list[Clause]:
    """A smallest set of clauses (up to ties broken greedily) by prime implicates."""
    slots = sorted(slots_of(tree))
    points = 1 << len(slots)
    columns = {slot: (np.arange(points) >> k) & 1 == 1 for k, slot in enumerate(slots)}
    false = _as_bits(~evaluate(tree, columns))
    # A clause rules out a cube of assignments: it must lie within the false ones.
    where = {
        (slot, value): _as_bits(columns[slot] == value) for slot in slots for value in (False, True)
    }
    cubes: dict[Clause, int] = {}
    for choice in product((0, 1, -1), repeat=len(slots)):
        clause = tuple(sign * slot for slot, sign in zip(slots, choice, strict=True) if sign)
        covered = (1 << points) - 1
        for literal in clause:
            covered &= where[abs(literal), literal < 0]
        if covered & ~false == 0 and covered:
            cubes[clause] = covered
    primes = {
        c: bits for c, bits in cubes.items() if not any(set(other) < set(c) for other in cubes)
    }
    return _cover(primes, false)


def _cover(primes: dict[Clause, int], false: int) -> list[Clause]:
    chosen: list[Clause] = []
    left = false
    while left:
        best = max(
            primes,
            key=lambda c: (_only_one_covers(primes, c, left), (primes[c] & left).bit_count()),
        )
        chosen.append(best)
        left &= ~primes.pop(best)
    return sorted(chosen, key=lambda c: (len(c), [(abs(x), x) for x in c]))


def _only_one_covers(primes: dict[Clause, int], clause: Clause, left: int) -> bool:
    others = 0
    for other, bits in primes.items():
        if other != clause:
            others |= bits
    return bool(primes[clause] & left & ~others)


def evaluate(tree: Tree, columns: dict[int, Bools]) -> Bools:
    """The truth value of the tree, given that of every slot."""
    if isinstance(tree, int):
        return columns[tree] if tree > 0 else ~columns[-tree]
    connective, *children = tree
    values = [evaluate(child, columns) for child in children]
    result = values[0]
    for value in values[1:]:
        result = _COMBINE[connective](result, value)
    return ~result if connective == "not" else result


def _as_bits(truth: Bools) -> int:
    return sum(1 << int(k) for k in np.flatnonzero(truth))
