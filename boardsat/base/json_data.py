"""JSON to dataclasses and back: every value has the declared type, or all of it is rejected.

Files may come from anybody. Depth, number ranges and text are bounded here, so that code that gets
a value need not check it again.

    class Part:                    class Record:
        a: int                         name: str
        b: str = ""                    part: Annotated[Part, Inline()]

    decode(Record, b'{"name": "x", "a": 1}')  # Record("x", Part(1))

Types: None, bool, int (of 64 bits), float, str, Any, Enum, dataclasses, named tuples, tuples,
mappings, unions, and `Annotated[type, choices]` with a container of allowed values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

Size = Annotated[int, range(2**63)]
Count = Annotated[int, range(10**4300)]
"""Python converts no number of more digits."""

Integer = Annotated[int, range(-(10**4300), 10**4300)]

MAX_DEPTH = 12
"""Maximum nesting depth of a file."""

_MAX_EXACT_FLOAT = 2**53
"""Integers up to this size are floats as well."""
_INT64 = range(-(2**63), 2**63)
_SHARED_PARTS = 4096
"""Number of objects of each class that are kept for reuse: most records share their parts."""

_HARMLESS = frozenset((bool, int, NoneType))

T = TypeVar("T")

Reader = Callable[[Any, str], Any]
"""Function of a value and its name that returns the value or raises MalformedError."""


class MalformedError(ValueError):
    """Fault of a value, in a few words."""


class Inline:
    """Annotation of a dataclass whose fields are keys of the enclosing JSON object.

    `keys` maps fields to JSON keys; the other fields are not written. All fields if empty.
    """

    def __init__(self, **keys: str) -> None:
        self.keys = keys


class Keys(Inline):
    """Annotation of a dataclass that is a JSON object of its own, with other keys."""


OMIT_NONE = object()
"""Annotation of a field that is not written if it is None."""


def parse_object(text: str, max_depth: int) -> dict[str, Any]:
    """Return a JSON object of bounded depth, with finite numbers and complete characters."""
    try:
        value = json.loads(text, parse_constant=_reject_constant)
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from None
    if type(value) is not dict:
        raise MalformedError("it is not a JSON object")
    _check(value, max_depth)
    return value


def _reject_constant(word: str) -> None:
    raise MalformedError(f"{word} is not a number")


def _check(value: object, depth: int) -> None:
    """Raise MalformedError for values too deep, infinite numbers and incomplete characters.

    Results of campaigns have millions of values, so those that cannot be wrong cost nothing.
    """
    if not depth:
        raise MalformedError("it is nested too deeply")
    if isinstance(value, dict):
        for name in value:
            if not name.isascii():
                _check_text(name)
        _check_parts(value.values(), depth)
    elif isinstance(value, list):
        _check_parts(value, depth)
    elif isinstance(value, str):
        _check_text(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise MalformedError("a number is too large")


def _check_parts(parts: Iterable[object], depth: int) -> None:
    for part in parts:
        if depth == 1 or not (type(part) in _HARMLESS or (type(part) is str and part.isascii())):
            _check(part, depth - 1)


def _check_text(text: str) -> None:
    """Raise MalformedError for a lone surrogate: JSON can express it, and nothing can print it."""
    if not text.isascii() and any("\ud800" <= mark <= "\udfff" for mark in text):
        raise MalformedError("a text has an incomplete character")


def decode(kind: type[T], data: bytes) -> T:
    """Return the value of a type that JSON in UTF-8 stands for; raise MalformedError if none."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedError("not UTF-8 text") from None
    value: T = convert(kind, parse_object(text, MAX_DEPTH))
    return value


def convert(kind: Any, value: Any) -> Any:
    """Return parsed JSON as a value of a type; raise MalformedError with the name of the fault."""
    return _reader(kind)(value, "")


@cache
def _reader(kind: Any) -> Reader:
    """Return the reader of a type. It is cached: results have millions of values."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value, _: value
    if origin is Annotated:
        if isinstance(parts[1], Inline):
            return _object(parts[0], parts[1].keys)
        if parts[1] is OMIT_NONE:
            return _reader(parts[0])
        return _member(parts[1], _plain(int) if parts[0] is int else _reader(parts[0]))
    if origin in (Union, UnionType):
        return _union(parts)
    if origin is tuple:
        return _tuple(parts)
    if origin in (dict, Mapping):
        return _mapping(_reader(parts[1]))
    if _is_record(kind):
        return _object(kind, {})
    if issubclass(kind, Enum):
        by_value = {each.value: each for each in kind}
        checked = _member(by_value, lambda value, _: value)
        return lambda value, name: by_value[checked(value, name)]
    if kind is int:
        return _member(_INT64, _plain(int))
    return _number if kind is float else _plain(kind)


def _plain(kind: type[Any]) -> Reader:
    def read_plain(value: Any, name: str) -> Any:
        # Not isinstance: a truth value is no number.
        if type(value) is not kind:
            raise MalformedError(f"`{name}` is not of type {kind.__name__}")
        return value

    return read_plain


def _number(value: Any, name: str) -> Any:
    if type(value) is int and abs(value) <= _MAX_EXACT_FLOAT:
        return value
    return _plain(float)(value, name)


def _member(choices: Any, inner: Reader) -> Reader:
    def read_member(value: Any, name: str) -> Any:
        member = inner(value, name)
        try:
            if member in choices:
                return member
        except TypeError:
            pass  # a list is no key
        raise MalformedError(f"`{name}` has an impossible value")

    return read_member


def _union(kinds: tuple[Any, ...]) -> Reader:
    readers = [_reader(kind) for kind in kinds if kind is not NoneType]
    optional = NoneType in kinds

    def read_one(value: Any, name: str) -> Any:
        if value is None and optional:
            return None
        for reader in readers:
            try:
                return reader(value, name)
            except MalformedError as error:
                fault = error
        raise fault

    return read_one


def _tuple(kinds: tuple[Any, ...]) -> Reader:
    listed = _plain(list)
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read_any_number(value: Any, name: str) -> Any:
        return tuple([readers[0](each, name) for each in listed(value, name)])

    def read_fixed_number(value: Any, name: str) -> Any:
        if len(listed(value, name)) != len(readers):
            raise MalformedError(f"`{name}` is not a list of {len(readers)}")
        return tuple(reader(each, name) for reader, each in zip(readers, value, strict=True))

    return read_any_number if kinds[-1] is Ellipsis else read_fixed_number


def _mapping(inner: Reader) -> Reader:
    entries = _plain(dict)
    return lambda value, name: {key: inner(each, key) for key, each in entries(value, name).items()}


def _object(kind: Any, names: Mapping[str, str]) -> Reader:
    """Return the reader of a dataclass, whose inline parts take their keys from one object."""
    entries = _plain(dict)
    known, needed, build = _builder(kind, names)

    def read_object(value: Any, name: str) -> Any:
        found = entries(value, name)
        if not found.keys() <= known:
            raise MalformedError(f"`{min(found.keys() - known)}` is unknown")
        for key in needed:
            if key not in found:
                raise MalformedError(f"`{key}` is missing")
        return build(found)

    return read_object


def _builder(
    kind: Any, names: Mapping[str, str]
) -> tuple[set[str], list[str], Callable[[dict[str, Any]], Any]]:
    """Return all keys of a class, the required ones, and its constructor from a JSON object."""
    hints = get_type_hints(kind, include_extras=True)
    known: set[str] = set()
    needed: list[str] = []
    plain: list[tuple[str, str, Reader]] = []
    parts: list[tuple[str, Callable[[dict[str, Any]], Any]]] = []
    for name, key, annotation in _layout(kind, *names.items()):
        if isinstance(annotation, Inline) and not isinstance(annotation, Keys):
            part_keys, part_needed, build_part = _builder(get_args(hints[name])[0], annotation.keys)
            known |= part_keys
            needed += part_needed
            parts.append((name, build_part))
            continue
        known.add(key)
        if name in _required(kind):
            needed.append(key)
        plain.append((name, key, _reader(hints[name])))
    is_hashable = all(_is_hashable(hint) for hint in hints.values())
    create = lru_cache(_SHARED_PARTS, typed=True)(kind) if is_hashable else kind

    def build(entries: dict[str, Any]) -> Any:
        values = {name: read(entries[key], key) for name, key, read in plain if key in entries}
        for name, build_part in parts:
            values[name] = build_part(entries)
        return create(**values)

    return known, needed, build


def _required(kind: Any) -> list[str]:
    if not is_dataclass(kind):
        return [name for name in kind._fields if name not in kind._field_defaults]
    no_default = (MISSING, MISSING)
    return [f.name for f in fields(kind) if (f.default, f.default_factory) == no_default]


def _is_hashable(hint: Any) -> bool:
    """Return whether all values of a type are hashable; False for nested classes as well."""
    if hint is Any or _is_record(hint) or get_origin(hint) in (dict, Mapping):
        return False
    if get_origin(hint) is Annotated:
        return _is_hashable(get_args(hint)[0])
    return all(_is_hashable(part) for part in get_args(hint))


def _is_record(kind: Any) -> bool:
    """Return whether a class is a dataclass or a NamedTuple."""
    return is_dataclass(kind) or hasattr(kind, "_fields")


def encode(value: Any) -> Any:
    """Return plain data for `json.dumps`: dataclasses become dicts, all else is as it was."""
    if _is_record(type(value)):
        return _entries(value, {})
    if isinstance(value, tuple) and value and _is_record(type(value[0])):
        return [encode(each) for each in value]
    return value


def _entries(value: Any, names: Mapping[str, str]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    kind: Any = type(value)
    for name, key, annotation in _layout(kind, *names.items()):
        each = getattr(value, name)
        if isinstance(annotation, Keys):
            entries[key] = _entries(each, annotation.keys)
        elif isinstance(annotation, Inline):
            entries |= _entries(each, annotation.keys)
        elif each is not None or annotation is not OMIT_NONE:
            entries[key] = encode(each)
    return entries


@cache
def _layout(kind: Any, *names: tuple[str, str]) -> list[tuple[str, str, Any]]:
    """Return the fields of a class with their keys and annotations."""
    hints = get_type_hints(kind, include_extras=True)
    layout = []
    for name, key in names or ((name, name) for name in hints):
        annotated = get_origin(hints[name]) is Annotated
        layout.append((name, key, get_args(hints[name])[1] if annotated else None))
    return layout
