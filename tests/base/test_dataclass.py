"""Tests of the dataclass decorator: the behaviour of the standard library's."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from boardsat.base.dataclass import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    note: str = dataclasses.field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Point3(Point):
    z: int = 0


@dataclass
class Mutable:
    x: int


def test_frozen_dataclass_assignment_and_deletion_raise():
    point = Point(1)
    for name in ("x", "unknown"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"assign to field '{name}'"):
            setattr(point, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="delete field 'x'"):
        del point.x
    assert point.x == 1


def test_dataclass_equality_and_hash_follow_compared_fields():
    assert Point(1, 2, "a") == Point(1, 2, "b") != Point(1, 3)
    assert hash(Point(1, 2, "a")) == hash(Point(1, 2, "b"))
    assert Point3(1, 2) != Point(1, 2)
    assert Mutable(1) == Mutable(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Mutable(1))


def test_dataclass_representation_names_class_and_fields():
    assert repr(Point3(1, z=3)) == "Point3(x=1, y=0, z=3)"


def test_dataclass_functions_of_the_standard_library_apply():
    point = Point3(1, note="a")
    assert dataclasses.replace(point, z=5) == Point3(1, z=5)
    assert dataclasses.asdict(point) == {"x": 1, "y": 0, "note": "a", "z": 0}
    assert pickle.loads(pickle.dumps(point)) == point


def test_dataclass_keeps_methods_that_the_class_defines():
    @dataclass(frozen=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return self.name

    assert repr(Named("a")) == "a"
