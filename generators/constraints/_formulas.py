"""A propositional formula for every row, converted to clauses once, instantiated by columns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints, Tokens, clean, in_order, join
from boardsat.generators.clauses.blocks import Block, Chunk, Rows
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.constraints._clauses import (
    check_no_empty_clause,
    frames_by_size,
)
from boardsat.generators.language import nodes
from boardsat.generators.language.integer_terms import is_term
from boardsat.generators.language.literals import LiteralCompiler, Literals
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.values import Frame

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext


_CONNECTIVES = {"and": "and", "or": "or", "xor": "xor", "<->": "iff"}


class _Reader:
    """Reads a formula as a tree over slots; what is not a connective becomes an atom."""

    def __init__(self, compiler: LiteralCompiler) -> None:
        self.compiler = compiler
        self.atoms: dict[Node, int] = {}
        self.parts: list[Literals] = []

    def tree(self, node: Node) -> Tree:
        match node:
            case nodes.Unary(operator="not"):
                return negate(self.tree(node.operand))
            case nodes.Binary(operator="->"):
                return ("or", negate(self.tree(node.left)), self.tree(node.right))
            case nodes.Binary(operator=sign) if sign in _CONNECTIVES:
                return (_CONNECTIVES[sign], self.tree(node.left), self.tree(node.right))
            case nodes.Comparison() if any(
                is_term(self.compiler.scope, side) for side in node.operands
            ):
                return self.atom(node)
            case nodes.Comparison(operators=("==" | "!=" as sign,), operands=(left, right)):
                if self.compiler.compiler.mentions_variable(node):
                    connective = "iff" if sign == "==" else "xor"
                    return (connective, self.tree(left), self.tree(right))
            case nodes.Call(function="any" | "all" as function, arguments=(inner,)):
                if not isinstance(inner, nodes.Comprehension):
                    raise self.compiler.compiler.error(
                        f"`{function}` needs a `for`",
                        f"write `{function}(X[j] for j in ...)`",
                        node,
                    )
                # all of them is: not any of the negations.
                return self.atom(node) if function == "any" else -self.atom(node)
        return self.atom(node)

    def atom(self, node: Node) -> int:
        if node not in self.atoms:
            part = self.compiler.part(node)
            everyone = isinstance(node, nodes.Call) and node.function == "all"
            self.parts.append(part.negated() if everyone else part)
            self.atoms[node] = len(self.parts)
        return self.atoms[node]


def formula(c: ConstraintContext, source: ExpressionText, node: Node, *more: Binding) -> Block:
    """Of a tree that was read from a source, or made for it; with more names bound beside `for`."""
    grounding = c.ground(*more) if more else c.grounding
    reader = _Reader(c.literals(source, grounding))
    pattern = pattern_of(reader.tree(node), len(reader.parts))
    parts = reader.parts
    fresh = sum(part.grounding is not None for part in parts) + pattern.num_auxiliary
    certain = all(part.certain for part in parts)
    clauses = int(np.count_nonzero(pattern.tokens == 0))

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(grounding, parts, len(pattern.tokens)):
            checkpoint()
            rows = np.arange(frame.size)
            bases = first + fresh * rows
            inputs = np.empty((frame.size, len(parts)), np.int32)
            pieces, owners = [], []
            offset = 0
            for slot, part in enumerate(parts):
                if part.grounding is None:
                    inputs[:, slot], _ = part.gather(frame)
                    continue
                inputs[:, slot] = defined = (bases + offset).astype(np.int32)
                offset += 1
                for piece, owner in _define_any(defined, part, frame):
                    pieces.append(piece)
                    owners.append(owner)
            pieces.append(pattern.instantiate(inputs, bases + offset))
            owners.append(np.repeat(rows, clauses))
            tokens = in_order(pieces, owners)
            cleaned = tokens if certain else clean(tokens)
            check_no_empty_clause(c, cleaned, pieces[-1], frame)
            yield Rows(cleaned, fresh * frame.size)
            first += fresh * frame.size

    return Block(c.name, c.location, produce)


def _define_any(
    defined: Tokens,
    listed: Literals,
    frame: Frame,
) -> Iterator[tuple[Tokens, Ints]]:
    """Clauses for "defined is equivalent to one of the listed", with the row each belongs to."""
    literals, counts = listed.gather(frame)
    yield join([(-defined, None), (literals, counts)], frame.size), np.arange(frame.size)
    assert counts is not None
    owners = np.repeat(np.arange(frame.size), counts)
    yield join([(defined[owners], None), (-literals, None)], len(literals)), owners


Tree = int | tuple  # type: ignore[type-arg]
Clause = tuple[int, ...]

SMALL = 6
SHORT = 32
STEPS = 300

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
        slots = len(slots_of(tree))
        if slots <= SMALL:
            self.clauses += self.minimal(tree, slots)
            return
        checkpoint()
        multiplied = multiply_out(tree, True, {})
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
        self.clauses += self.minimal(("iff", self.slots, (connective, *parts)), len(parts) + 1)
        return self.slots

    def minimal(self, tree: Tree, slots: int) -> list[Clause]:
        checkpoint()
        return minimal_clauses(tree)


Products = dict[tuple[Tree, bool], list[Clause] | None]


def multiply_out(tree: Tree, wanted: bool, done: Products) -> list[Clause] | None:
    """Clauses by distribution, or None where they become too many.

    Both sides of `iff` and `xor` occur twice, so what is `done` is not done again: a chain of them
    would take exponential time.
    """
    if (tree, wanted) not in done:
        done[tree, wanted] = _multiply_out(tree, wanted, done)
    return done[tree, wanted]


def _multiply_out(tree: Tree, wanted: bool, done: Products) -> list[Clause] | None:
    if isinstance(tree, int):
        return [(tree if wanted else -tree,)]
    connective, *children = tree
    if connective == "not":
        return multiply_out(children[0], not wanted, done)
    if connective in ("iff", "xor"):
        left, right = children
        if (connective == "iff") == wanted:
            right = negate(right)
        both = ("and", ("or", left, right), ("or", negate(left), negate(right)))
        return multiply_out(both, True, done)
    parts = [multiply_out(child, wanted, done) for child in children]
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
    """A smallest set of clauses, by prime implicates."""
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
    """As few of the primes as cover all false points; after STEPS the fewest found so far."""
    best = list(primes)
    steps = STEPS

    def search(chosen: list[Clause], left: int) -> None:
        nonlocal best, steps
        steps -= 1
        if not left:
            best = chosen
            return
        widest = max((bits & left).bit_count() for bits in primes.values())
        if steps < 0 or len(chosen) + -(-left.bit_count() // widest) >= len(best):
            return
        # A point that few primes cover leaves the fewest ways: one, if a prime is essential.
        points = (1 << k for k in range(left.bit_length()) if left >> k & 1)
        ways = min(([c for c in primes if primes[c] & point] for point in points), key=len)
        for clause in sorted(ways, key=lambda c: -(primes[c] & left).bit_count()):
            search([*chosen, clause], left & ~primes[clause])

    search([], false)
    return sorted(best, key=lambda c: (len(c), [(abs(x), x) for x in c]))


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
