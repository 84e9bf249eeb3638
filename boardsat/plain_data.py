"""JSON to dataclasses: every value has the type that its field says, or all of it is refused.

A file may come from anybody. Whoever has got a value from here need not look at it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs import values
from boardsat.adapters.dimacs.values import MalformedError

Size = Annotated[int, range(2**63)]
Count = Annotated[int, range(10**4300)]
"""Python converts no number of more digits."""
StatusName = Annotated[str, tuple(Status.__members__)]

DEEPEST = 12
"""How deeply JSON may be nested."""

_EXACT = 2**53
"""Whole numbers up to this are floats, too."""

T = TypeVar("T")

Reader = Callable[[Any, str], Any]
"""A value and its name to the value, or MalformedError."""


def read(kind: type[T], data: bytes) -> T:
    """What JSON in UTF-8 stands for; MalformedError tells what is wrong with it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedError("not UTF-8 text") from None
    found: T = typed(kind, values.mapping(text, DEEPEST))
    return found


def typed(kind: Any, value: Any, name: str = "") -> Any:
    """The value as one of a type: of a dataclass, an enum, a union, a list, a mapping or plain."""
    return _reader(kind)(value, name)


@cache
def _reader(kind: Any) -> Reader:
    """Whoever reads values of a type: results have millions of them, so it is asked about once."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value, _: value
    if origin is Annotated:
        return _member(parts[1], _reader(parts[0]))
    if origin in (Union, UnionType):
        return _union(parts)
    if origin is tuple:
        return _tuple(parts)
    if origin in (dict, Mapping):
        return _mapping(_reader(parts[1]))
    if is_dataclass(kind):
        return _built(kind)
    if issubclass(kind, Enum):
        by_value = {each.value: each for each in kind}
        known = _member(by_value, lambda value, _: value)
        return lambda value, name: by_value[known(value, name)]
    return _number if kind is float else _plain(kind)


def _plain(kind: type[Any]) -> Reader:
    def read_plain(value: Any, name: str) -> Any:
        # Not isinstance: a truth value is no number.
        if type(value) is not kind:
            raise MalformedError(f"`{name}` is not of type {kind.__name__}")
        return value

    return read_plain


def _number(value: Any, name: str) -> Any:
    if type(value) is int and abs(value) <= _EXACT:
        return value
    return _plain(float)(value, name)


def _member(choices: Any, inner: Reader) -> Reader:
    def read_member(value: Any, name: str) -> Any:
        found = inner(value, name)
        try:
            if found in choices:
                return found
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

    def read_some(value: Any, name: str) -> Any:
        return tuple([readers[0](each, name) for each in listed(value, name)])

    def read_so_many(value: Any, name: str) -> Any:
        if len(listed(value, name)) != len(readers):
            raise MalformedError(f"`{name}` is not a list of {len(readers)}")
        return tuple(reader(each, name) for reader, each in zip(readers, value, strict=True))

    return read_some if kinds[-1] is Ellipsis else read_so_many


def _mapping(inner: Reader) -> Reader:
    entries = _plain(dict)
    return lambda value, name: {key: inner(each, key) for key, each in entries(value, name).items()}


def _built(kind: Any) -> Reader:
    """A dataclass; one that is written in another form reads itself."""
    entries = _plain(dict)
    if hasattr(kind, "from_json"):
        return lambda value, name: kind.from_json(entries(value, name))
    readers = {
        name: _reader(each) for name, each in get_type_hints(kind, include_extras=True).items()
    }
    needed = [each.name for each in fields(kind) if each.default is MISSING]

    def read_built(value: Any, name: str) -> Any:
        found = entries(value, name)
        if unknown := found.keys() - readers.keys():
            raise MalformedError(f"`{min(unknown)}` is unknown")
        for each in needed:
            if each not in found:
                raise MalformedError(f"`{each}` is missing")
        return kind(**{key: readers[key](each, key) for key, each in found.items()})

    return read_built
