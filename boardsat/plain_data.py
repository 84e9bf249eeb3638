"""JSON to dataclasses: every value has the type that its field says, or all of it is refused.

A file may come from anybody. Whoever has got a value from here need not look at it again.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin is Annotated:
        return _member(parts[1], typed(parts[0], value, name), name)
    if origin in (Union, UnionType):
        return _one_of(parts, value, name)
    if origin is tuple:
        return _tuple(parts, value, name)
    if origin in (dict, Mapping):
        return {key: typed(parts[1], each, key) for key, each in _as(dict, value, name).items()}
    if is_dataclass(kind):
        return _built(kind, _as(dict, value, name))
    if issubclass(kind, Enum):
        return kind(_member([each.value for each in kind], value, name))
    if kind is float and type(value) is int and abs(value) <= _EXACT:
        return value
    return _as(kind, value, name)


def _as(kind: type[T], value: Any, name: str) -> T:
    # Not isinstance: a truth value is no number.
    if type(value) is not kind:
        raise MalformedError(f"`{name}` is not of type {kind.__name__}")
    return value


def _member(choices: Any, value: Any, name: str) -> Any:
    if value not in choices:
        raise MalformedError(f"`{name}` has an impossible value")
    return value


def _one_of(kinds: tuple[Any, ...], value: Any, name: str) -> Any:
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        if kind is not NoneType:
            try:
                return typed(kind, value, name)
            except MalformedError as error:
                fault = error
    raise fault


def _tuple(kinds: tuple[Any, ...], value: Any, name: str) -> tuple[Any, ...]:
    listed = _as(list, value, name)
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(listed)
    if len(listed) != len(kinds):
        raise MalformedError(f"`{name}` is not a list of {len(kinds)}")
    return tuple(typed(kind, each, name) for kind, each in zip(kinds, listed, strict=True))


def _built(kind: Any, entries: dict[str, Any]) -> Any:
    """A dataclass; one that is written in another form reads itself."""
    if hasattr(kind, "from_json"):
        return kind.from_json(entries)
    types = _types(kind)
    if unknown := entries.keys() - types.keys():
        raise MalformedError(f"`{min(unknown)}` is unknown")
    needed = (each.name for each in fields(kind) if each.default is MISSING)
    for name in needed:
        if name not in entries:
            raise MalformedError(f"`{name}` is missing")
    return kind(**{name: typed(types[name], value, name) for name, value in entries.items()})


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
