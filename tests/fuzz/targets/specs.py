"""Specs: rejected, or built into strict DIMACS with the sizes computed beforehand.

The first line of an input is a comment with the settings.
"""

from __future__ import annotations

import json
from unittest import mock

from helpers.formulas import check_sizes, text_of
from helpers.instances import small_instances, specs

from boardsat.adapters.dimacs.header import read_header
from boardsat.generators import build, build_limits, parse, size
from boardsat.generators.spec.catalogue import FOLDER
from fuzz.target import Target
from fuzz.targets.dimacs import strictly

MOST = 50_000
"""Literals of a formula that is written and read again."""

TOKENS = (
    *(
        "params:",
        "define:",
        "variables:",
        "constraints:",
        "decode:",
        "board:",
        "for:",
        "if:",
        "of:",
    ),
    *("clause:", "formula:", "exactly:", "at_most:", "at_least:", "exactly_one:", "at_most_one:"),
    *("one_cycle:", "vertices: touched", "lazy: true"),
    *(
        "xor:",
        "equals:",
        "equals: 1",
        "g.edges",
        "g.neighbours[v]",
        "type: graph",
        "kind: dag",
        "default: gnd 6 3 1",
        "random_clauses(n, 3, 9, 1)",
        "random_equations(n, 3, 9, 1)",
        "default: cycle 5 addedges 2 1",
        "xor: X[i] for i in cells",
    ),
    *(
        "successor:",
        "connected:",
        "extends:",
        "extends: tour",
        "description:",
        "default:",
        "one_of:",
        "empty:",
    ),
    *(
        "subsets(",
        "pairs(",
        "permutations(",
        "tuples(",
        "S in subsets(range(n), 2)",
        "X[S]",
        "i in S",
        "for_each_size:",
        "for_each_size: k in range(3)",
        "one_of_each(neighbours, S)",
        "distinct(S)",
        "pairs: always",
    ),
    *("range(", "len(", "lfsr(", "min(", "bit(", "exists(", "neighbours[i]", "cells", "moves"),
    *(
        "for i in cells",
        "i in range(n)",
        "X[i, j]",
        "**",
        "//",
        "->",
        "<->",
        "xor",
        "not",
        "n",
        "N",
    ),
)


def seeds() -> list[bytes]:
    inputs = []
    for name in specs():
        path = FOLDER / f"{name}.yaml"
        if path.exists():
            head = f"# {name} {json.dumps(small_instances(name)[0])}\n"
            inputs.append(head.encode() + path.read_bytes())
    return inputs


def check(data: bytes) -> None:
    head, _, text = data.partition(b"\n")
    tokens = head.decode("utf-8", "replace").split(maxsplit=2)
    try:
        settings = json.loads(tokens[2])
    except (ValueError, IndexError, RecursionError):
        settings = {}
    if not isinstance(settings, dict):
        return
    texts = {str(k): v for k, v in settings.items() if isinstance(v, str | int | bool)}
    name = tokens[1] if len(tokens) > 1 else ""
    with mock.patch.multiple(build_limits, BUILD_SECONDS=1.0, BUILD_BYTES=16_000_000):
        formula = build(parse(text.decode("utf-8", "replace"), name), texts)
        sizes = size(formula)
        if formula.literals > MOST:
            return
        check_sizes(formula)
        file = text_of(formula)
        assert sizes["bytes"] == len(file) and sizes["clauses"] == formula.clauses
        contents = strictly(file)
        assert contents is not None and len(contents.sums) == formula.xor_lines
        assert len(contents.clauses) + len(contents.sums) == formula.clauses
        comments = [line[2:] for line in file.decode().split("\n") if line.startswith("c ")]
        read_header(comments, formula.variables)


TARGET = Target(seeds, check, tokens=TOKENS)
