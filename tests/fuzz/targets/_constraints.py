"""Random specs of a few constraints of every type, and their solutions by exhaustive search.

A constraint is JSON, from which its text in the spec and its truth value are made independently. A
literal is an index of X from 1 on, negative for its negation.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

About = dict[str, Any]
"""A spec as data: sizes of its variables, and its constraints."""

Case = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Values of the variables X, of the integers V and of the two binary numbers B."""

BITS = 3
SIGNS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
CARDINALITIES = ("at_least", "at_most", "exactly")
ONES = ("at_least_one", "at_most_one", "exactly_one")
CONNECTIVES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": operator.ne,
    "->": lambda a, b: not a or b,
    "<->": operator.eq,
}


def fresh(chance: Random) -> About:
    """A spec with at most a few hundred assignments."""
    kind = chance.choice(("sum", "sum", "cardinality", "xor", "formula", "successor", "integers"))
    literals = chance.randint(1, 2) if kind in ("successor", "integers") else chance.randint(2, 7)
    entry: About = {"literals": literals, "integers": [], "numbers": kind == "successor"}
    if kind == "integers":
        for _ in range(chance.randint(2, 3)):
            low = chance.randint(-2, 2)
            entry["integers"].append([low, low + chance.randint(0, 4)])
    makers = {
        "sum": _sum,
        "integers": lambda c, a: c.choice((_sum, _sum, lambda *_: {"all_different": True}))(c, a),
        "cardinality": _cardinality,
        "xor": _xor,
        "formula": lambda c, a: {"formula": _formula(c, a, 4)},
        "successor": lambda c, a: {"successor": c.choice((None, 1, -1))},
    }[kind]
    entry["constraints"] = [makers(chance, entry) for _ in range(chance.choice((1, 1, 1, 2)))]
    return entry


def _literals(chance: Random, entry: About, least: int = 1) -> list[int]:
    """Mostly of different variables, but one may occur again."""
    size = chance.randint(min(least, entry["literals"]), entry["literals"])
    chosen = chance.sample(range(1, entry["literals"] + 1), size)
    if chance.random() < 0.2:
        chosen.append(chance.choice(chosen))
    return [variable * chance.choice((1, 1, -1)) for variable in chosen]


def _sum(chance: Random, entry: About) -> dict[str, Any]:
    largest = chance.choice((1, 3, 7, 15, 100))
    least = chance.choice((1, -largest))

    def weight() -> int:
        return chance.choice([w for w in range(least, largest + 1) if w])

    terms = [[weight(), literal] for literal in _literals(chance, entry, 3)]
    values = [[weight(), index] for index in range(len(entry["integers"]))]
    constraint: dict[str, Any] = {
        "sum": terms,
        "values": values,
        "sign": chance.choice(list(SIGNS)),
    }
    # A bound that some assignment reaches is mostly between the extremes.
    constraint["bound"] = _total(
        constraint, chance.choice(list(_assignments(entry)))
    ) + chance.choice((0, 0, 0, 1, -1))
    return constraint


def _cardinality(chance: Random, entry: About) -> dict[str, Any]:
    if chance.random() < 0.4:
        return {chance.choice(ONES): _literals(chance, entry)}
    chosen = _literals(chance, entry, 2)
    return {chance.choice(CARDINALITIES): chance.randint(0, len(chosen)), "of": chosen}


def _xor(chance: Random, entry: About) -> dict[str, Any]:
    guard = chance.choice((None, None, *_literals(chance, entry)[:1]))
    return {"xor": _literals(chance, entry, 2), "equals": chance.randint(0, 1), "when": guard}


def _formula(chance: Random, entry: About, deepest: int) -> Any:
    if not deepest or chance.random() < 0.2:
        return chance.choice((1, -1)) * chance.randint(1, entry["literals"])
    operands = [_formula(chance, entry, deepest - 1) for _ in range(2)]
    return [chance.choice(list(CONNECTIVES)), *operands]


def document(entry: About) -> dict[str, Any]:
    """The spec, as the sections of its YAML."""
    variables: dict[str, Any] = {"X": {"for": f"i in range({entry['literals']})"}}
    for index, (low, high) in enumerate(entry["integers"]):
        variables[f"V{index}"] = {"values": f"{low}..{high}"}
    if entry["numbers"]:
        variables["B"] = {"for": f"j in range(2), k in range({BITS})"}
    return {
        "title": "constraints at random",
        "count_preserving": True,
        "variables": variables,
        "constraints": [
            {**_written(constraint, entry), "empty": "unsatisfiable"}
            for constraint in entry["constraints"]
        ],
    }


def _written(constraint: dict[str, Any], entry: About) -> dict[str, Any]:
    match constraint:
        case {"sum": terms, "values": values, "sign": sign, "bound": bound}:
            terms_text = [f"{weight} * ({_text(literal)})" for weight, literal in terms]
            terms_text += [f"{weight} * V{index}" for weight, index in values]
            return {"sum": f"{' + '.join(terms_text)} {sign} {bound}"}
        case {"of": literals}:
            (name,) = set(constraint) - {"of"}
            return {name: constraint[name], "of": [*map(_text, literals)]}
        case {"xor": literals, "equals": equals, "when": guard}:
            when = {} if guard is None else {"when": _text(guard)}
            return {"xor": [*map(_text, literals)], "equals": equals, **when}
        case {"formula": tree}:
            return {"formula": _text(tree)}
        case {"successor": guard}:
            bits = {"bits": f"k in range({BITS})", "from": "B[0, k]", "to": "B[1, k]"}
            return {"successor": bits if guard is None else {**bits, "when": _text(guard)}}
        case {"all_different": _}:
            return {"all_different": [f"V{index}" for index in range(len(entry["integers"]))]}
    ((name, literals),) = constraint.items()
    return {name: [*map(_text, literals)]}


def _text(tree: Any) -> str:
    if isinstance(tree, int):
        return f"X[{tree - 1}]" if tree > 0 else f"not X[{-tree - 1}]"
    connective, first, second = tree
    return f"({_text(first)}) {connective} ({_text(second)})"


def solutions(entry: About) -> Iterator[Case]:
    """Yield every assignment that all constraints hold for."""
    for case in _assignments(entry):
        if all(_holds(constraint, case) for constraint in entry["constraints"]):
            yield case


def _assignments(entry: About) -> Iterator[Case]:
    literals = product((0, 1), repeat=entry["literals"])
    integers = product(*(range(low, high + 1) for low, high in entry["integers"]))
    numbers = product(range(2**BITS), repeat=2) if entry["numbers"] else [()]
    return product(literals, integers, numbers)  # type: ignore[return-value]


def assigned(
    entry: About, ids: Mapping[str, Sequence[int]], encoding: str, true: Collection[int]
) -> Case:
    """Return the assignment of a model, from the numbers of each variable in the formula."""
    holds = {name: [number in true for number in numbers] for name, numbers in ids.items()}
    integers = []
    for index, (low, _) in enumerate(entry["integers"]):
        bits = holds[f"V{index}"]
        value = {
            "order": sum(bits),
            "direct": bits.index(True) if True in bits else 0,
            "binary": _number(bits),
        }[encoding]
        integers.append(low + value)
    numbers = holds.get("B", [])
    halves = (numbers[:BITS], numbers[BITS:]) if numbers else ()
    return tuple(map(int, holds["X"])), tuple(integers), tuple(map(_number, halves))


def _number(bits: Sequence[bool]) -> int:
    return sum(2**index for index, bit in enumerate(bits) if bit)


def _holds(constraint: dict[str, Any], case: Case) -> bool:
    _, integers, numbers = case

    def true(literals: list[int]) -> int:
        return sum(_is_true(literal, case) for literal in literals)

    match constraint:
        case {"sum": _}:
            return SIGNS[constraint["sign"]](_total(constraint, case), constraint["bound"])
        case {"at_least": least, "of": literals}:
            return bool(true(literals) >= least)
        case {"at_most": most, "of": literals}:
            return bool(true(literals) <= most)
        case {"exactly": number, "of": literals}:
            return bool(true(literals) == number)
        case {"at_least_one": literals}:
            return true(literals) >= 1
        case {"at_most_one": literals}:
            return true(literals) <= 1
        case {"exactly_one": literals}:
            return true(literals) == 1
        case {"xor": literals, "equals": equals, "when": guard}:
            return (guard is not None and not _is_true(guard, case)) or true(literals) % 2 == equals
        case {"formula": tree}:
            return _is_true(tree, case)
        case {"successor": guard}:
            first, second = numbers
            is_next = second == (first + 1) % 2**BITS
            return (guard is not None and not _is_true(guard, case)) or is_next
        case {"all_different": _}:
            return len(set(integers)) == len(integers)
    raise AssertionError(constraint)


def _is_true(tree: Any, case: Case) -> bool:
    if isinstance(tree, int):
        return bool(case[0][abs(tree) - 1]) == (tree > 0)
    connective, first, second = tree
    return CONNECTIVES[connective](_is_true(first, case), _is_true(second, case))


def _total(constraint: dict[str, Any], case: Case) -> int:
    literals, values = constraint["sum"], constraint["values"]
    total = sum(weight * _is_true(literal, case) for weight, literal in literals)
    return int(total + sum(weight * case[1][index] for weight, index in values))
