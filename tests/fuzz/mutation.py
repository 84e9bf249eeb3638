"""Mutations of an input: of its lines, tokens, numbers, JSON values and bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONGEST = 2**16
"""Bytes of an input."""

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "00", "7", "255", "65536", "2147483647", "-2147483648"),
    *("2147483646", "4294967296", "9223372036854775808", "1e400", "1.5", "NaN", "-Infinity"),
    *("9" * 30, "1" * 4400, "0x10", "1_000", "\u0663"),
)
TEXTS = (
    *(
        "",
        " ",
        "\t",
        "\r",
        "\0",
        "\x1b[31m",
        "\x9b2J",
        "\u202e",
        "\ufeff",
        "\ud7ff",
        "é",
        "''",
        '"',
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        "[" * 3000,
        '{"a":' * 3000,
        "null",
        "true",
        "~",
        "&a",
        "*a",
        "!!python/x",
    ),
    *(
        "../../etc/passwd",
        "/etc/passwd",
        "a" * 5000,
        "%s",
        "{{ 1 // 0 }}",
        "{%",
        "c",
        "p",
        "s",
        "v",
    ),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 5, 2**31, 10**22, 10**400, 1.5, float("nan"), float("inf")),
    *("", "x", "0", "\ud800", "\x1b[31m", "../x", "/x", "a\0b", "x" * 5000),
    *([], [0], [[1, 2]], [[[[[[[[1]]]]]]]], [None], {}, {"a": 1}, {"a": {"b": {"c": {}}}}),
)

_WORD = re.compile(rb"[A-Za-z_]+|-?\d+|[^\w\s]")
_NUMBER = re.compile(rb"-?\d+")

Change = Callable[[bytes, Sequence[bytes], Sequence[str], Random], bytes]


def mutated(data: bytes, seeds: Sequence[bytes], tokens: Sequence[str], chance: Random) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        data = chance.choice(CHANGES)(data, seeds, tokens, chance)[:LONGEST]
    return data


def _lines(data: bytes, seeds: Sequence[bytes], _: Sequence[str], chance: Random) -> bytes:
    lines = data.split(b"\n")
    index = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[index]
        case 1:
            lines.insert(index, chance.choice(lines))
        case 2:
            second = chance.randrange(len(lines))
            lines[index], lines[second] = lines[second], lines[index]
        case 3:
            lines[index] = lines[index][: chance.randrange(len(lines[index]) + 1)]
        case 4:
            lines.insert(index, chance.choice(chance.choice(seeds).split(b"\n")))
        case _:
            lines[index : index + 1] = [lines[index]] * chance.choice((3, 3, 3, 50, 50, 2000))
    return b"\n".join(lines)


def _word(data: bytes, _: Sequence[bytes], tokens: Sequence[str], chance: Random) -> bytes:
    matches = list(_WORD.finditer(data[:LONGEST]))
    if not matches:
        return chance.choice(TEXTS).encode()
    old = chance.choice(matches)
    new = _bytes(chance.choice((*tokens, *TEXTS, *NUMBERS)))
    if chance.random() < 0.4:
        new = chance.choice(matches)[0]
    elif chance.random() < 0.3:
        new = old[0] + b" " + new
    return data[: old.start()] + new + data[old.end() :]


def _number(data: bytes, _: Sequence[bytes], tokens: Sequence[str], chance: Random) -> bytes:
    matches = list(_NUMBER.finditer(data[:LONGEST]))
    if not matches:
        return data
    old = chance.choice(matches)
    value = int(old[0][:18])
    near = (value + 1, value - 1, -value, value * 2, value * 10**6, chance.randrange(20))
    new = _bytes(chance.choice((*map(str, near), *NUMBERS)))
    return data[: old.start()] + new + data[old.end() :]


def _value(data: bytes, _: Sequence[bytes], tokens: Sequence[str], chance: Random) -> bytes:
    """Some value of a JSON text, the whole or one in a line, becomes another."""
    is_whole = data.lstrip()[:1] in (b"{", b"[")
    lines = [data] if is_whole else data.split(b"\n")
    with_json = [i for i, line in enumerate(lines) if b"{" in line or b"[" in line]
    if not with_json:
        return _word(data, (), tokens, chance)
    index = chance.choice(with_json)
    line = lines[index]
    start = min(i for i in (line.find(b"{"), line.find(b"[")) if i >= 0)
    end = max(line.rfind(b"}"), line.rfind(b"]")) + 1
    try:
        document = json.loads(line[start:end])
        _spoil(document, tokens, chance)
        new = _bytes(json.dumps(document, indent=1 if is_whole else None))
    except (ValueError, RecursionError):
        return data
    lines[index] = line[:start] + new + line[end:]
    return b"\n".join(lines)


def _spoil(container: Any, tokens: Sequence[str], chance: Random) -> None:
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(container[key], dict | list) and container[key] and chance.random() < 0.8:
        _spoil(container[key], tokens, chance)
    elif chance.random() < 0.1:
        del container[key]
    elif isinstance(container, dict) and chance.random() < 0.1:
        container[chance.choice((*tokens, "x", ""))] = container.pop(key)
    elif isinstance(container[key], int) and chance.random() < 0.4:
        container[key] += chance.choice((1, -1, 10, 1000))
    else:
        container[key] = chance.choice((*VALUES, *tokens))


def _flip(data: bytes, _: Sequence[bytes], tokens: Sequence[str], chance: Random) -> bytes:
    if not data:
        return chance.randbytes(3)
    index = chance.randrange(len(data))
    match chance.randrange(4):
        case 0:
            return (
                data[:index] + bytes([data[index] ^ 1 << chance.randrange(8)]) + data[index + 1 :]
            )
        case 1:
            return data[:index] + chance.randbytes(chance.choice((1, 1, 4))) + data[index:]
        case 2:
            return data[:index]
        case _:
            return data[:index] + data[index + chance.randrange(1, 30) :]


def _splice(data: bytes, seeds: Sequence[bytes], _: Sequence[str], chance: Random) -> bytes:
    second = chance.choice(seeds)
    return data[: chance.randrange(len(data) + 1)] + second[chance.randrange(len(second) + 1) :]


CHANGES: tuple[Change, ...] = (
    _lines,
    _lines,
    _word,
    _word,
    _number,
    _value,
    _value,
    _flip,
    _splice,
)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
