"""Propositional formulas: converted to a clause pattern once, and instantiated for all rows.

A formula is parsed into a tree: a signed slot, or a tuple of a connective (`not`, `and`, `or`,
`iff`, `xor`) and trees. Up to MAX_MINIMIZED_SLOTS slots a minimum set of clauses is found by prime
implicates (Quine and McCluskey). Otherwise connectives are multiplied out while that stays short.
Beyond that, auxiliary slots are defined (Tseitin). They are defined by equivalences, so that the
number of models is preserved.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints, Pattern, Tokens, clean, in_order, join
from boardsat.generators.blocks import Block, Chunk, Rows
from boardsat.generators.constraints._clauses import check_no_empty_clause, frames_by_size
from boardsat.generators.language import nodes
from boardsat.generators.language.literals import LiteralCompiler, Literals, is_term
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.values import Frame

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext

Tree = int | tuple  # type: ignore[type-arg]
Clause = tuple[int, ...]

MAX_MINIMIZED_SLOTS = 6
MAX_MULTIPLIED_CLAUSES = 32
MAX_COVER_STEPS = 300

_CONNECTIVES = {"and": "and", "or": "or", "xor": "xor", "<->": "iff"}

_FUNCTIONS: dict[str, Callable[[Bools, Bools], Bools]] = {
    "and": operator.and_,
    "or": operator.or_,
    "iff": operator.eq,
    "xor": operator.ne,
}


# Rows.


def formula(
    c: ConstraintContext, source: ExpressionText, node: Node, *inner_bindings: Binding
) -> Block:
    """Return the block of a formula for each row.

    Parameters
    ----------
    c : ConstraintContext
        The constraint.
    source : ExpressionText
        Text for messages.
    node : Node
        Syntax tree of the formula, parsed from the text or derived from it.
    *inner_bindings : Binding
        Names that are bound in addition to those of `for`.
    """
    grounding = c.ground(*inner_bindings) if inner_bindings else c.grounding
    reader = _Reader(c.literals(source, grounding))
    pattern = pattern_of(reader.tree(node), len(reader.atoms))
    atoms = reader.atoms
    num_lists = sum(atom.grounding is not None for atom in atoms)
    num_auxiliary = num_lists + pattern.num_auxiliary
    has_constants = not all(atom.certain for atom in atoms)
    num_clauses = int(np.count_nonzero(pattern.tokens == 0))

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(grounding, atoms, len(pattern.tokens)):
            checkpoint()
            rows = np.arange(frame.size)
            firsts = first + num_auxiliary * rows
            inputs = np.empty((frame.size, len(atoms)), np.int32)
            pieces, piece_rows = [], []
            offset = 0
            for slot, atom in enumerate(atoms):
                if atom.grounding is None:
                    inputs[:, slot], _ = atom.gather(frame)
                    continue
                inputs[:, slot] = defined = (firsts + offset).astype(np.int32)
                offset += 1
                for piece, clause_rows in _define_any(defined, atom, frame):
                    pieces.append(piece)
                    piece_rows.append(clause_rows)
            pieces.append(pattern.instantiate(inputs, firsts + offset))
            piece_rows.append(np.repeat(rows, num_clauses))
            tokens = in_order(pieces, piece_rows)
            cleaned = clean(tokens) if has_constants else tokens
            check_no_empty_clause(c, cleaned, pieces[-1], frame)
            yield Rows(cleaned, num_auxiliary * frame.size)
            first += num_auxiliary * frame.size

    return Block(c.name, c.location, produce)


class _Reader:
    """Conversion of a syntax tree to a tree over slots; each slot is an atom."""

    def __init__(self, compiler: LiteralCompiler) -> None:
        self.compiler = compiler
        self.atoms: list[Literals] = []
        self.slots: dict[Node, int] = {}

    def tree(self, node: Node) -> Tree:
        """Return the tree of a node; anything but a connective becomes an atom."""
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
                # all(x) is the negation of any(not x).
                return self.atom(node) if function == "any" else -self.atom(node)
        return self.atom(node)

    def atom(self, node: Node) -> int:
        """Return the slot of an atom: a literal, or `any` of a list."""
        if node not in self.slots:
            literals = self.compiler.literals(node)
            is_all = isinstance(node, nodes.Call) and node.function == "all"
            self.atoms.append(literals.negated() if is_all else literals)
            self.slots[node] = len(self.atoms)
        return self.slots[node]


def _define_any(defined: Tokens, literals: Literals, frame: Frame) -> Iterator[tuple[Tokens, Ints]]:
    """Yield clauses of "defined is equivalent to one of the literals", and the row of each."""
    tokens, sizes = literals.gather(frame)
    yield join([(-defined, None), (tokens, sizes)], frame.size), np.arange(frame.size)
    assert sizes is not None
    rows = np.repeat(np.arange(frame.size), sizes)
    yield join([(defined[rows], None), (-tokens, None)], len(tokens)), rows


# Clauses of a tree.


def pattern_of(tree: Tree, num_inputs: int) -> Pattern:
    """Return clauses that hold if and only if the tree is true."""
    builder = _PatternBuilder(num_inputs)
    for conjunct in _conjuncts(tree):
        builder.assert_true(conjunct)
    tokens = [token for clause in builder.clauses for token in (*clause, 0)]
    return Pattern(num_inputs, builder.num_slots - num_inputs, np.array(tokens, np.int32))


def negate(tree: Tree) -> Tree:
    """Return the negation of a tree."""
    if isinstance(tree, int):
        return -tree
    return tree[1] if tree[0] == "not" else ("not", tree)


def _conjuncts(tree: Tree) -> list[Tree]:
    if isinstance(tree, tuple) and tree[0] == "and":
        return [conjunct for child in tree[1:] for conjunct in _conjuncts(child)]
    return [tree]


def slots_of(tree: Tree) -> set[int]:
    """Return the slots that occur in a tree."""
    if isinstance(tree, int):
        return {abs(tree)}
    return set().union(*(slots_of(child) for child in tree[1:]))


class _PatternBuilder:
    """Builder of the clauses of a tree."""

    def __init__(self, num_inputs: int) -> None:
        self.num_slots = num_inputs
        self.clauses: list[Clause] = []

    def assert_true(self, tree: Tree) -> None:
        """Add clauses that hold if and only if the tree is true."""
        checkpoint()
        if len(slots_of(tree)) <= MAX_MINIMIZED_SLOTS:
            self.clauses += minimal_clauses(tree)
        elif (clauses := multiply_out(tree, True, {})) is not None:
            self.clauses += clauses
        else:
            self.clauses.append((self.define(tree),))

    def define(self, tree: Tree) -> int:
        """Add the clauses that define a slot as equivalent to the tree; return the slot."""
        if isinstance(tree, int):
            return tree
        connective, *children = tree
        if connective == "not":
            return -self.define(children[0])
        slots = [self.define(child) for child in children]
        self.num_slots += 1
        checkpoint()
        self.clauses += minimal_clauses(("iff", self.num_slots, (connective, *slots)))
        return self.num_slots


ClauseCache = dict[tuple[Tree, bool], list[Clause] | None]
"""Clauses of each tree or its negation; None if there are too many."""


def multiply_out(tree: Tree, polarity: bool, cache: ClauseCache) -> list[Clause] | None:
    """Return clauses of a tree or its negation by distribution; None if there are too many.

    Both sides of `iff` and `xor` occur twice: without the cache, a chain of them would take
    exponential time.
    """
    if (tree, polarity) not in cache:
        cache[tree, polarity] = _multiply_out(tree, polarity, cache)
    return cache[tree, polarity]


def _multiply_out(tree: Tree, polarity: bool, cache: ClauseCache) -> list[Clause] | None:
    if isinstance(tree, int):
        return [(tree if polarity else -tree,)]
    connective, *children = tree
    if connective == "not":
        return multiply_out(children[0], not polarity, cache)
    if connective in ("iff", "xor"):
        left, right = children
        if (connective == "iff") == polarity:
            right = negate(right)
        conjunction = ("and", ("or", left, right), ("or", negate(left), negate(right)))
        return multiply_out(conjunction, True, cache)
    clauses_of_children = []
    for child in children:
        clauses = multiply_out(child, polarity, cache)
        if clauses is None:
            return None
        clauses_of_children.append(clauses)
    if (connective == "and") == polarity:
        joined = [clause for clauses in clauses_of_children for clause in clauses]
    else:
        if (
            np.prod([float(len(clauses)) for clauses in clauses_of_children])
            > MAX_MULTIPLIED_CLAUSES
        ):
            return None
        choices = product(*clauses_of_children)
        joined = [tuple(dict.fromkeys(sum(choice, ()))) for choice in choices]
    clauses = [
        clause
        for clause in dict.fromkeys(joined)
        if not any(-literal in clause for literal in clause)
    ]
    return clauses if len(clauses) <= MAX_MULTIPLIED_CLAUSES else None


def minimal_clauses(tree: Tree) -> list[Clause]:
    """Return a minimum set of prime implicates that is equivalent to the tree."""
    slots = sorted(slots_of(tree))
    num_points = 1 << len(slots)
    columns = {slot: (np.arange(num_points) >> k) & 1 == 1 for k, slot in enumerate(slots)}
    false_points = _as_bits(~evaluate(tree, columns))
    points_by_literal = {
        sign * slot: _as_bits(columns[slot] == (sign > 0)) for slot in slots for sign in (1, -1)
    }
    # A clause excludes a cube of assignments, which must lie within the false ones.
    cubes: dict[Clause, int] = {}
    for signs in product((0, 1, -1), repeat=len(slots)):
        clause = tuple(sign * slot for slot, sign in zip(slots, signs, strict=True) if sign)
        cube = (1 << num_points) - 1
        for literal in clause:
            cube &= points_by_literal[-literal]
        if cube & ~false_points == 0 and cube:
            cubes[clause] = cube
    primes = {
        clause: cube
        for clause, cube in cubes.items()
        if not any(set(shorter) < set(clause) for shorter in cubes)
    }
    return _minimum_cover(primes, false_points)


def _minimum_cover(primes: dict[Clause, int], false_points: int) -> list[Clause]:
    """Return the fewest primes that cover all false points, by branch and bound.

    After MAX_COVER_STEPS the smallest cover so far is returned.
    """
    best = list(primes)
    steps_left = MAX_COVER_STEPS

    def search(chosen: list[Clause], uncovered: int) -> None:
        nonlocal best, steps_left
        steps_left -= 1
        if not uncovered:
            best = chosen
            return
        widest = max((cube & uncovered).bit_count() for cube in primes.values())
        if steps_left < 0 or len(chosen) + -(-uncovered.bit_count() // widest) >= len(best):
            return
        # Branch on the point that the fewest primes cover: one, if a prime is essential.
        points = (1 << k for k in range(uncovered.bit_length()) if uncovered >> k & 1)
        branches = min(
            ([prime for prime in primes if primes[prime] & point] for point in points), key=len
        )
        for prime in sorted(branches, key=lambda c: -(primes[c] & uncovered).bit_count()):
            search([*chosen, prime], uncovered & ~primes[prime])

    search([], false_points)
    return sorted(best, key=lambda c: (len(c), [(abs(literal), literal) for literal in c]))


def evaluate(tree: Tree, columns: dict[int, Bools]) -> Bools:
    """Return the truth values of a tree, given those of every slot."""
    if isinstance(tree, int):
        return columns[tree] if tree > 0 else ~columns[-tree]
    connective, *children = tree
    truth, *others = (evaluate(child, columns) for child in children)
    for other_truth in others:
        truth = _FUNCTIONS[connective](truth, other_truth)
    return ~truth if connective == "not" else truth


def _as_bits(truth: Bools) -> int:
    """Return a set of points as a bit mask."""
    return sum(1 << int(k) for k in np.flatnonzero(truth))
