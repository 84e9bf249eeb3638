"""How connectivity is demanded: by clauses of an encoding, or lazily by a line of the header."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from boardsat.base.limits import checkpoint
from boardsat.generators.connectivity.entries import constant
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import Texts
from boardsat.generators.yaml_reader import Item

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.clauses.chunks import Chunk
    from boardsat.generators.connectivity.literal_graph import LiteralGraph
    from boardsat.generators.constraints._context import Context

MOST_ROUNDS = 10**6
ROUNDS = 1000
"""Of cuts, where a spec does not say."""

TOKENS = 2**21
"""Clauses of about so many tokens are a chunk (8 MB)."""


def read_way(keys: dict[str, Item]) -> Texts:
    """The texts of `encoding`, or of `lazy` and what goes with it."""
    lazy = "lazy" in keys and keys["lazy"].flag()
    for key in ("encoding",) if lazy else ("rounds", "fallback"):
        if key in keys:
            fault = f"`{key}` {'does not go with' if lazy else 'needs'} `lazy: true`"
            raise keys[key].error(fault, "remove it" if lazy else "write that too, or remove it")
    kept = ("encoding", "rounds", "fallback", *(("lazy",) if lazy else ()))
    return {key: (keys[key].source(),) for key in kept if key in keys}


def connecting(c: Context, told: dict[str, Any], graph: Callable[[], LiteralGraph]) -> Block:
    """The block of a demand, which the header tells so if it is lazy."""
    from boardsat.generators import encodings
    from boardsat.generators.clauses.blocks import Block

    asked = is_asked(c)
    if c.texts("lazy"):
        about = told | _rounds(c)
        lazy, said = (about, (told,)) if asked else (None, ())
        return Block(c.name, c.place, lambda first: iter(()), lazy=lazy, told=said)
    encoding = encodings.load("connected", c.encoding("connected"))

    def made(first: int) -> tuple[Any, int]:
        tokens, fresh = encoding.clauses(graph(), first)
        checkpoint()
        return tokens, fresh

    if not asked:
        return Block(c.name, c.place, lambda first: iter(()), encoding.KEEPS_COUNTS)
    return Block(c.name, c.place, _kept(made), encoding.KEEPS_COUNTS, told=(told,))


def is_asked(c: Context) -> bool:
    """Whether the `if` of the constraint holds."""
    from boardsat.generators.language.expressions import Compiler
    from boardsat.generators.language.syntax import parse_expression
    from boardsat.generators.language.values import Frame

    condition = c.constraint.condition
    if condition is None:
        return True
    return bool(Compiler(c.scope, condition).condition(parse_expression(condition)).run(Frame(1)))


def _rounds(c: Context) -> dict[str, Any]:
    source = c.text("rounds") if c.texts("rounds") else ExpressionText(str(ROUNDS), c.place)
    about: dict[str, Any] = {"rounds": constant(source, c.scope, 1, MOST_ROUNDS)}
    # A spec from elsewhere is the only encoding of whatever it says.
    if c.texts("fallback") and "/" in c.spec:
        about["fallback"] = c.text("fallback").text
    return about


def _kept(made: Callable[[int], tuple[Any, int]]) -> Callable[[int], Iterator[Chunk]]:
    """Clauses are counted first and written later: an order of elimination is sought only once."""
    ready: dict[int, tuple[Any, int]] = {}

    def produce(first: int) -> Iterator[Chunk]:
        if first not in ready:
            ready.clear()
            ready[first] = made(first)
        yield from _chunks(*ready[first])

    return produce


def _chunks(tokens: Any, fresh: int) -> Iterator[Chunk]:
    import numpy as np

    from boardsat.generators.clauses.chunks import Rows

    ends = np.flatnonzero(tokens == 0) + 1
    start = 0
    while start < len(tokens):
        place = min(int(np.searchsorted(ends, start + TOKENS)), len(ends) - 1)
        yield Rows(tokens[start : ends[place]], fresh)
        start, fresh = int(ends[place]), 0
    if fresh:
        yield Rows(tokens[:0], fresh)
