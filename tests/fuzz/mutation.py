"""Changes of an input: of its lines, its words, its numbers, its JSON values and its bytes."""

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


def mutated(data: bytes, others: Sequence[bytes], words: Sequence[str], chance: Random) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        data = chance.choice(CHANGES)(data, others, words, chance)[:LONGEST]
    return data


def _lines(data: bytes, others: Sequence[bytes], _: Sequence[str], chance: Random) -> bytes:
    lines = data.split(b"\n")
    here = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[here]
        case 1:
            lines.insert(here, chance.choice(lines))
        case 2:
            there = chance.randrange(len(lines))
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines[here] = lines[here][: chance.randrange(len(lines[here]) + 1)]
        case 4:
            lines.insert(here, chance.choice(chance.choice(others).split(b"\n")))
        case _:
            lines[here : here + 1] = [lines[here]] * chance.choice((3, 3, 3, 50, 50, 2000))
    return b"\n".join(lines)


def _word(data: bytes, _: Sequence[bytes], words: Sequence[str], chance: Random) -> bytes:
    found = list(_WORD.finditer(data[:LONGEST]))
    if not found:
        return chance.choice(TEXTS).encode()
    old = chance.choice(found)
    new = _bytes(chance.choice((*words, *TEXTS, *NUMBERS)))
    if chance.random() < 0.4:
        new = chance.choice(found)[0]
    elif chance.random() < 0.3:
        new = old[0] + b" " + new
    return data[: old.start()] + new + data[old.end() :]


def _number(data: bytes, _: Sequence[bytes], words: Sequence[str], chance: Random) -> bytes:
    found = list(_NUMBER.finditer(data[:LONGEST]))
    if not found:
        return data
    old = chance.choice(found)
    value = int(old[0][:18])
    near = (value + 1, value - 1, -value, value * 2, value * 10**6, chance.randrange(20))
    new = _bytes(chance.choice((*map(str, near), *NUMBERS)))
    return data[: old.start()] + new + data[old.end() :]


def _value(data: bytes, _: Sequence[bytes], words: Sequence[str], chance: Random) -> bytes:
    """Some value of a JSON text, the whole or one in a line, becomes another."""
    is_whole = data.lstrip()[:1] in (b"{", b"[")
    lines = [data] if is_whole else data.split(b"\n")
    with_json = [i for i, line in enumerate(lines) if b"{" in line or b"[" in line]
    if not with_json:
        return _word(data, (), words, chance)
    here = chance.choice(with_json)
    line = lines[here]
    start = min(i for i in (line.find(b"{"), line.find(b"[")) if i >= 0)
    end = max(line.rfind(b"}"), line.rfind(b"]")) + 1
    try:
        document = json.loads(line[start:end])
        _spoil(document, words, chance)
        new = _bytes(json.dumps(document, indent=1 if is_whole else None))
    except (ValueError, RecursionError):
        return data
    lines[here] = line[:start] + new + line[end:]
    return b"\n".join(lines)


def _spoil(about: Any, words: Sequence[str], chance: Random) -> None:
    keys = list(about) if isinstance(about, dict) else list(range(len(about)))
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(about[key], dict | list) and about[key] and chance.random() < 0.8:
        _spoil(about[key], words, chance)
    elif chance.random() < 0.1:
        del about[key]
    elif isinstance(about, dict) and chance.random() < 0.1:
        about[chance.choice((*words, "x", ""))] = about.pop(key)
    elif isinstance(about[key], int) and chance.random() < 0.4:
        about[key] += chance.choice((1, -1, 10, 1000))
    else:
        about[key] = chance.choice((*VALUES, *words))


def _flip(data: bytes, _: Sequence[bytes], words: Sequence[str], chance: Random) -> bytes:
    if not data:
        return chance.randbytes(3)
    here = chance.randrange(len(data))
    match chance.randrange(4):
        case 0:
            return data[:here] + bytes([data[here] ^ 1 << chance.randrange(8)]) + data[here + 1 :]
        case 1:
            return data[:here] + chance.randbytes(chance.choice((1, 1, 4))) + data[here:]
        case 2:
            return data[:here]
        case _:
            return data[:here] + data[here + chance.randrange(1, 30) :]


def _splice(data: bytes, others: Sequence[bytes], _: Sequence[str], chance: Random) -> bytes:
    other = chance.choice(others)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


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
