"""Randomly mutated specs: each is built or rejected with one line."""

from __future__ import annotations

import random
import re

import pytest
from helpers.error_lines import one_line
from helpers.formulas import examples
from helpers.instances import small_instances, specs
from hypothesis import given
from hypothesis import strategies as st

from boardsat.generators import InputError, build, build_limits, parse, size
from boardsat.generators.spec.catalogue import FOLDER

# Whatever is done to a spec, it works or is refused with one line.

TEXTS = {
    name: (FOLDER / f"{name}.yaml").read_text()
    for name in specs()
    if (FOLDER / f"{name}.yaml").exists()
}
TOKENS = re.compile(r"\w+|[^\w\s]")
ODD_TOKENS = (
    *[
        "0",
        "1",
        "2",
        "-1",
        "i",
        "j",
        "n",
        "X",
        "H",
        "(",
        ")",
        "[",
        "]",
        ",",
        "+",
        "-",
        "*",
        "//",
        "%",
        "**",
        "==",
        "<",
        "in",
        "not",
        "and",
        "or",
        "->",
        "<->",
        "xor",
        "if",
        "else",
        "for",
    ],
    *[
        "true",
        "false",
        "range",
        "bits",
        "len",
        "exists",
        "min",
        "any",
        "all",
        "cells",
        "moves",
        "neighbours",
        "'a'",
        "2147483646",
        "{}",
        ":",
    ],
    *[
        "exactly_one:",
        "clause:",
        "formula:",
        "successor:",
        "at_most:",
        "of:",
        "empty:",
        "extends:",
        "tour/unary",
        "null",
        "~",
        "|",
        ">",
    ],
)


def mutate(text: str, luck: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(luck.randint(1, 3)):
        at, second = luck.randrange(len(lines)), luck.randrange(len(lines))
        match luck.randrange(6):
            case 0 if len(lines) > 1:
                del lines[at]
            case 1:
                lines.insert(at, lines[second])
            case 2:
                lines[at], lines[second] = lines[second], lines[at]
            case 3:
                lines[at] = lines[at][: luck.randrange(len(lines[at]) + 1)]
            case _:
                tokens = list(TOKENS.finditer(lines[at]))
                if tokens:
                    token = luck.choice(tokens)
                    new = luck.choice(
                        [
                            luck.choice(ODD_TOKENS),
                            luck.choice(tokens)[0],
                            f"{token[0]} {luck.choice(ODD_TOKENS)}",
                        ]
                    )
                    lines[at] = lines[at][: token.start()] + new + lines[at][token.end() :]
    return "\n".join(lines) + "\n"


@pytest.fixture
def small_limits(monkeypatch):
    """Lower the limits, because a random mistake can make an instance huge."""
    monkeypatch.setattr(build_limits, "BUILD_SECONDS", 0.25)
    monkeypatch.setattr(build_limits, "BUILD_BYTES", 16_000_000)


@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 2**32))
@examples(500)
def works_or_is_refused(name, seed):
    text = mutate(TEXTS[name], random.Random(seed))
    settings = small_instances(name)[0]
    try:
        size(build(parse(text, name), settings))
    except InputError as error:
        one_line(f"boardsat: {error}\n")


@pytest.mark.usefixtures("small_limits")
def test_a_spec_with_random_faults_works_or_is_refused():
    works_or_is_refused()
