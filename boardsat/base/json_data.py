"""Conversion of JSON to dataclasses and back, with a check of every type.

Files may be external. Depth, number ranges and text are checked here, so that the code that uses
the values need not check them again.

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
Count = Annotated[int, range(10**4300)]  # Python does not parse longer numbers

Integer = Annotated[int, range(-(10**4300), 10**4300)]

MAX_DEPTH = 12
"""Maximum nesting depth of a file."""

_MAX_EXACT_FLOAT = 2**53
"""Maximum absolute value up to which all integers are exact as floats."""
_INT64 = range(-(2**63), 2**63)
_MAX_CACHED_OBJECTS = 4096
"""Maximum number of cached objects of each class, as most records share their parts."""

_UNCHECKED_TYPES = frozenset((bool, int, NoneType))

T = TypeVar("T")

Reader = Callable[[Any, str], Any]
"""Function of a value and its name that returns the value or raises MalformedError."""


class MalformedError(ValueError):
    """JSON value of another type than declared."""


class Inline:
    """Annotation of a dataclass whose fields are keys of the enclosing JSON object.

    Parameters
    ----------
    **keys : str
        JSON key of each field; other fields are not written. Empty: all fields, by their names.
    """

    def __init__(self, **keys: str) -> None:
        self.keys = keys


class Keys(Inline):
    """Annotation of a dataclass that is a nested JSON object, with keys as for `Inline`."""


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


def _reject_constant(constant: str) -> None:
    raise MalformedError(f"{constant} is not a number")


def _check(value: object, depth: int) -> None:
    """Raise MalformedError for excessive depth, infinite numbers and lone surrogates.

    Campaign results have millions of values, so types that cannot be wrong are skipped.
    """
    if not depth:
        raise MalformedError("it is nested too deeply")
    if isinstance(value, dict):
        for name in value:
            if not name.isascii():
                _check_text(name)
        _check_members(value.values(), depth)
    elif isinstance(value, list):
        _check_members(value, depth)
    elif isinstance(value, str):
        _check_text(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise MalformedError("a number is too large")


def _check_members(members: Iterable[object], depth: int) -> None:
    for member in members:
        is_harmless = type(member) in _UNCHECKED_TYPES or (type(member) is str and member.isascii())
        if depth == 1 or not is_harmless:
            _check(member, depth - 1)


def _check_text(text: str) -> None:
    """Raise MalformedError for a lone surrogate, which JSON can express but UTF-8 cannot."""
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise MalformedError("a text has an incomplete character")


def decode(kind: type[T], data: bytes) -> T:
    """Parse JSON in UTF-8 to a value of a type.

    Parameters
    ----------
    kind : type
        Dataclass or NamedTuple.
    data : bytes
        Text of one JSON object.

    Raises
    ------
    MalformedError
        If the text is not JSON, or a value is not of the declared type.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> Point = NamedTuple("Point", [("x", int), ("y", int)])
    >>> decode(Point, b'{"x": 1, "y": 2}')
    Point(x=1, y=2)
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedError("not UTF-8 text") from None
    decoded: T = convert(kind, parse_object(text, MAX_DEPTH))
    return decoded


def convert(kind: Any, value: Any) -> Any:
    """Return parsed JSON as a value of a type; raise MalformedError if it has another type."""
    return _reader(kind)(value, "")


@cache
def _reader(kind: Any) -> Reader:
    """Return the reader of a type; cached, as campaign results have millions of values."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value, _: value
    if origin is Annotated:
        base, annotation = arguments[:2]
        if isinstance(annotation, Inline):
            return _object(base, annotation.keys)
        if annotation is OMIT_NONE:
            return _reader(base)
        return _member(annotation, _plain(int) if base is int else _reader(base))
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin in (dict, Mapping):
        return _mapping(_reader(arguments[1]))
    if _is_record(kind):
        return _object(kind, {})
    if issubclass(kind, Enum):
        members = {member.value: member for member in kind}
        read_key = _member(members, lambda value, _: value)
        return lambda value, name: members[read_key(value, name)]
    if kind is int:
        return _member(_INT64, _plain(int))
    return _number if kind is float else _plain(kind)


def _plain(kind: type[Any]) -> Reader:
    def read_plain(value: Any, name: str) -> Any:
        # Not isinstance, as bool is a subclass of int.
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
            pass  # a list is not hashable
        raise MalformedError(f"`{name}` has a value that is not allowed")

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
    read_list = _plain(list)
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read_any_number(value: Any, name: str) -> Any:
        return tuple([readers[0](element, name) for element in read_list(value, name)])

    def read_fixed_number(value: Any, name: str) -> Any:
        if len(read_list(value, name)) != len(readers):
            raise MalformedError(f"`{name}` is not a list of {len(readers)}")
        return tuple(reader(element, name) for reader, element in zip(readers, value, strict=True))

    return read_any_number if kinds[-1] is Ellipsis else read_fixed_number


def _mapping(inner: Reader) -> Reader:
    read_entries = _plain(dict)
    return lambda value, name: {
        key: inner(member, key) for key, member in read_entries(value, name).items()
    }


def _object(kind: Any, names: Mapping[str, str]) -> Reader:
    """Return the reader of a dataclass; inline dataclasses share its JSON object."""
    read_entries = _plain(dict)
    allowed_keys, required_keys, build = _builder(kind, names)

    def read_object(value: Any, name: str) -> Any:
        entries = read_entries(value, name)
        if not entries.keys() <= allowed_keys:
            raise MalformedError(f"`{min(entries.keys() - allowed_keys)}` is unknown")
        for key in required_keys:
            if key not in entries:
                raise MalformedError(f"`{key}` is missing")
        return build(entries)

    return read_object


def _builder(
    kind: Any, names: Mapping[str, str]
) -> tuple[set[str], list[str], Callable[[dict[str, Any]], Any]]:
    """Return the allowed and the required keys of a class, and its constructor from JSON."""
    hints = get_type_hints(kind, include_extras=True)
    allowed_keys: set[str] = set()
    required_keys: list[str] = []
    readers: list[tuple[str, str, Reader]] = []
    inline_builders: list[tuple[str, Callable[[dict[str, Any]], Any]]] = []
    for name, key, annotation in _layout(kind, *names.items()):
        if isinstance(annotation, Inline) and not isinstance(annotation, Keys):
            inline_kind = get_args(hints[name])[0]
            inline_keys, required_inline_keys, build_inline = _builder(inline_kind, annotation.keys)
            allowed_keys |= inline_keys
            required_keys += required_inline_keys
            inline_builders.append((name, build_inline))
            continue
        allowed_keys.add(key)
        if name in _required_fields(kind):
            required_keys.append(key)
        readers.append((name, key, _reader(hints[name])))
    is_hashable = all(_is_hashable(hint) for hint in hints.values())
    create = lru_cache(_MAX_CACHED_OBJECTS, typed=True)(kind) if is_hashable else kind

    def build(entries: dict[str, Any]) -> Any:
        values = {name: read(entries[key], key) for name, key, read in readers if key in entries}
        for name, build_inline in inline_builders:
            values[name] = build_inline(entries)
        return create(**values)

    return allowed_keys, required_keys, build


def _required_fields(kind: Any) -> list[str]:
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
    return all(_is_hashable(argument) for argument in get_args(hint))


def _is_record(kind: Any) -> bool:
    """Return whether a class is a dataclass or a NamedTuple."""
    return is_dataclass(kind) or hasattr(kind, "_fields")


def encode(value: Any) -> Any:
    """Return plain data for `json.dumps`: dataclasses become dicts, other values are unchanged."""
    if _is_record(type(value)):
        return _entries(value, {})
    if isinstance(value, tuple) and value and _is_record(type(value[0])):
        return [encode(member) for member in value]
    return value


def _entries(value: Any, names: Mapping[str, str]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    kind: Any = type(value)
    for name, key, annotation in _layout(kind, *names.items()):
        member = getattr(value, name)
        if isinstance(annotation, Keys):
            entries[key] = _entries(member, annotation.keys)
        elif isinstance(annotation, Inline):
            entries |= _entries(member, annotation.keys)
        elif member is not None or annotation is not OMIT_NONE:
            entries[key] = encode(member)
    return entries


@cache
def _layout(kind: Any, *names: tuple[str, str]) -> list[tuple[str, str, Any]]:
    """Return the name, the JSON key and the annotation of each field of a class."""
    hints = get_type_hints(kind, include_extras=True)
    layout = []
    for name, key in names or ((name, name) for name in hints):
        annotated = get_origin(hints[name]) is Annotated
        layout.append((name, key, get_args(hints[name])[1] if annotated else None))
    return layout
