"""The comments of a file made by boardsat, read back: board, parameters, variables and views."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_RUN = re.compile(r"(?<!\S)(\d+)\+(\d+)(?:\*(-?\d+))?(?!\S)")
_NUMBERS = re.compile(r"[0-9\s]*")


@dataclass(frozen=True)
class Variable:
    """A family of variables: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    ids: Ints

    def members(self, true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """The indices of the members that hold, one array an index."""
        return tuple(np.unravel_index(self.keys[true[self.ids]], self.shape))


@dataclass(frozen=True)
class Header:
    """What a file says about itself; empty for a file from elsewhere."""

    about: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    board: dict[str, Any] = field(default_factory=dict)
    edges: Ints | None = None
    objects: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    views: tuple[dict[str, Any], ...] = ()
    projection: Ints | None = None
    lazy: tuple[str, ...] = ()
    """What the clauses do not say, as it stands there: who needs it reads it."""

    @property
    def problem(self) -> str:
        """Of the catalogue; empty for a spec from elsewhere, whatever its name."""
        problem, slash, _ = str(self.about.get("spec", "")).partition("/")
        return problem if slash else ""


def read_header(comments: Iterable[str]) -> Header:
    """The header from the comment lines of a file, without their `c `."""
    found: dict[str, Any] = {}
    lists: dict[str, list[str]] = {}
    variables, views, lazy = [], [], []
    for line in comments:
        word, _, rest = line.partition(" ")
        if word in ("boardsat", "parameters", "board", "objects"):
            found[word] = json.loads(rest)
        elif word == "variable":
            variables.append(json.loads(rest))
        elif word == "decode":
            views.append(json.loads(rest))
        elif word == "lazy":
            lazy.append(rest)
        elif word in ("edges", "ind"):
            lists.setdefault(word, []).append(rest)
        elif word in ("keys", "ids"):
            name, _, rest = rest.partition(" ")
            lists.setdefault(f"{word} {name}", []).append(rest)
        elif line.startswith("p show "):
            lists.setdefault("ind", []).append(rest.partition(" ")[2])
    return Header(
        about=found.get("boardsat", {}),
        parameters=found.get("parameters", {}),
        board=found.get("board", {}),
        edges=_runs(lists["edges"]) if "edges" in lists else None,
        objects=found.get("objects", {}),
        variables={v["name"]: _variable(v, lists) for v in variables},
        views=tuple(views),
        projection=_numbers(lists["ind"]) if "ind" in lists else None,
        # Others may have used the word for something of theirs.
        lazy=tuple(lazy) if "boardsat" in found else (),
    )


def _variable(about: dict[str, Any], lists: dict[str, list[str]]) -> Variable:
    name, count = about["name"], about["count"]
    keys = lists.get(f"keys {name}")
    ids = lists.get(f"ids {name}")
    return Variable(
        name,
        tuple(about["shape"]),
        _runs(keys) if keys is not None else np.arange(count),
        _numbers(ids) if ids is not None else about["first"] + np.arange(count),
    )


def _numbers(lines: list[str]) -> Ints:
    """Numbers of lines that each end with 0."""
    words = np.array(" ".join(lines).split(), np.int64)
    return words[words > 0]


def _runs(lines: list[str]) -> Ints:
    """`first`, `first+count` and `first+count*step`, written out."""
    text = " ".join(lines)
    pieces, passed = [np.zeros(0, np.int64)], 0
    # Most numbers stand alone, and are read together.
    for run in _RUN.finditer(text):
        pieces.append(_alone(text[passed : run.start()]))
        pieces.append(int(run[1]) + int(run[3] or 1) * np.arange(int(run[2])))
        passed = run.end()
    return np.concatenate([*pieces, _alone(text[passed:])])


def _alone(text: str) -> Ints:
    if not _NUMBERS.fullmatch(text):
        raise ValueError(f"no run of numbers: {text[:30]}")
    return np.array(text.split(), np.int64)
