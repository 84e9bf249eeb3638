"""The comments of a file made by boardsat, read back: board, parameters, variables and views.

A file is ours if it has a `c boardsat` line with a format: all lines that begin with our words must
then be as we write them, and one that is not is an error. In any other file they are the comments
of somebody else. The projection is everybody's, and read wherever it stands; there a bad one is an
error only for those who need it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boardsat.adapters.counts import counted
from boardsat.adapters.dimacs import number_lists, values
from boardsat.adapters.dimacs.values import LARGEST, MATERIALISED, MODEST, MalformedError, Room
from boardsat.adapters.errors import AdapterError

Ints = npt.NDArray[np.int64]

FORMAT = 1
"""The newest format of headers that is read here."""

VIEWS = {
    "order": ("cell", "position"),
    "arcs": ("from", "to"),
    "edges": ("from", "to"),
    "turned": ("from", "to"),
    "mark": ("cell",),
    "label": ("cell", "value"),
}
"""The kinds of views, and the roles that indices have in each."""

_WORDS = frozenset(
    (
        *("boardsat", "parameters", "board", "edges", "objects", "variable", "keys", "ids"),
        *("decode", "regions", "given", "lazy", "ind", "show"),
    )
)
_MOST_INDICES = 20
_MOST_VIEWS = 20
_LONGEST_SIGN = 20


@dataclass(frozen=True)
class Variable:
    """A family of variables: the indices of each member, and its number in the file."""

    name: str
    shape: tuple[int, ...]
    keys: Ints
    ids: Ints
    index: tuple[str, ...] = ()
    """What the indices are called."""
    means: str = ""
    """What a member stands for, with `{i}` where an index shall stand."""

    def members(self, true: npt.NDArray[np.bool_]) -> tuple[Ints, ...]:
        """The indices of the members that hold, one array an index."""
        return tuple(np.unravel_index(self.keys[true[self.ids]], self.shape))


@dataclass(frozen=True)
class Header:
    """What a file says about itself; empty for a file from elsewhere, but for a projection."""

    about: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    board: dict[str, Any] = field(default_factory=dict)
    edges: Ints | None = None
    objects: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    views: tuple[dict[str, Any], ...] = ()
    regions: Ints | None = None
    """The region of every cell, where lines are drawn between them."""
    given: Ints | None = None
    """The cells that the question fills."""
    projection: Ints | None = None
    no_projection: AdapterError | None = None
    """What is wrong with lines that are to be one, in a file from elsewhere."""
    lazy: tuple[str, ...] = ()
    """What the clauses do not say, as it stands there: who needs it reads it."""
    room: int = MATERIALISED
    """Cells that its board may have, at most."""

    @property
    def problem(self) -> str:
        """Of the catalogue; empty for a spec from elsewhere, whatever its name."""
        problem, slash, _ = str(self.about.get("spec", "")).partition("/")
        return problem if slash else ""

    @property
    def closed(self) -> bool:
        """Whether a tour of it comes back to its start."""
        return bool(self.parameters.get("closed", True))

    @property
    def encoding(self) -> str:
        """Of the catalogue too."""
        return str(self.about.get("spec", "")).partition("/")[2]

    @property
    def none(self) -> str:
        """What it means that the formula has no model, in words; empty for a foreign file."""
        if self.about.get("none"):
            return str(self.about["none"])
        if self.objects:
            return f"there are no {self.objects['name']}"
        return f"no solution: {self.about['title']}" if self.about.get("title") else ""


def read_header(
    comments: Iterable[str], variables: int = LARGEST, place: str = "", room: int = MATERIALISED
) -> Header:
    """The header from the comment lines, without their `c `, of a file with so many variables.

    It may stand for as many cells and edges as there is room: for small files small boards.
    """
    lines: dict[str, list[str]] = {}
    for comment in comments:
        word, _, rest = comment.removeprefix("p ").partition(" ")
        if word in _WORDS and (word == "show") == comment.startswith("p "):
            lines.setdefault(word, []).append(rest)
    return _Reader(lines, variables, place, min(room, MATERIALISED)).header()


@contextmanager
def refusing(word: str, place: str) -> Iterator[None]:
    """What is wrong in such a line, as an error that says where."""
    try:
        yield
    except MalformedError as error:
        raise AdapterError(
            f"its `c {word}` line is not one that boardsat writes ({error})",
            "write the file again",
            place,
        ) from None


class _Reader:
    """Lines by their first word, to values that nobody needs to check again."""

    def __init__(self, lines: dict[str, list[str]], variables: int, place: str, room: int) -> None:
        self.lines, self.variables, self.place = lines, variables, place
        self.room = Room(room)
        # A variable may have several names.
        self.members = Room(min(4 * variables + MODEST, MATERIALISED))

    def header(self) -> Header:
        if not self.is_ours():
            return self.foreign()
        variables = self.families()
        return Header(
            about=self.about(),
            parameters=self.one("parameters"),
            board=self.one("board"),
            edges=self.runs("edges"),
            objects=self.objects(),
            variables=variables,
            views=self.views(variables),
            regions=self.runs("regions"),
            given=self.runs("given"),
            projection=self.projection(),
            lazy=tuple(self.lines.get("lazy", ())),
            room=self.room.numbers,
        )

    def foreign(self) -> Header:
        try:
            return Header(projection=self.projection())
        except AdapterError as error:
            return Header(no_projection=error)

    def is_ours(self) -> bool:
        """Whether one of the lines tells a format; one that is newer is an error."""
        for line in self.lines.get("boardsat", ()):
            try:
                told = values.number(self.room.mapping(line), "format", 1, LARGEST)
            except MalformedError:
                continue
            if told > FORMAT:
                raise AdapterError(
                    f"its header has format {told}, and format {FORMAT} is the newest known here",
                    "install a newer boardsat, or remove its comments to use it as a plain formula",
                    self.place,
                )
            return True
        return False

    def one(self, word: str) -> dict[str, Any]:
        """The JSON object of a line that is there once, or not at all."""
        found = self.lines.get(word, [])
        with refusing(word, self.place):
            if len(found) > 1:
                raise MalformedError("there are several")
            return self.room.mapping(found[0]) if found else {}

    def about(self) -> dict[str, Any]:
        about = self.one("boardsat")
        with refusing("boardsat", self.place):
            for key in ("spec", "sha256", "title", "cite", "method", "heuristic"):
                values.text(about, key)
            return about | {key: values.line(about, key) for key in ("title", "none")}

    def objects(self) -> dict[str, Any]:
        about = self.one("objects")
        if not about:
            return {}
        with refusing("objects", self.place):
            told: dict[str, Any] = {
                "name": values.line(about, "name") or "models",
                "models_each": values.number(about, "models_each", 1, LARGEST),
            }
            if "published" in about:
                published = about["published"]
                if type(published) is not int or published < 0:
                    raise MalformedError("`published` is not a count")
                told |= {"published": published, "cite": values.line(about, "cite")}
        return told

    def runs(self, word: str) -> Ints | None:
        """The numbers of all lines of a word together."""
        if word not in self.lines:
            return None
        with refusing(word, self.place):
            return number_lists.runs(self.lines[word], self.room)

    def families(self) -> dict[str, Variable]:
        keys, ids = self.by_name("keys"), self.by_name("ids")
        with refusing("variable", self.place):
            found = [
                self.family(self.room.mapping(line), keys, ids)
                for line in self.lines.get("variable", ())
            ]
            named = {variable.name: variable for variable in found}
            if len(named) != len(found):
                raise MalformedError("two variables have the same name")
        return named

    def by_name(self, word: str) -> dict[str, list[str]]:
        """Lists of numbers, by the name of the variable that they are of."""
        found: dict[str, list[str]] = {}
        for line in self.lines.get(word, ()):
            name, _, rest = line.partition(" ")
            found.setdefault(name, []).append(rest)
        return found

    def family(
        self, about: dict[str, Any], keys: dict[str, list[str]], ids: dict[str, list[str]]
    ) -> Variable:
        name = values.text(about, "name")
        if not name.isidentifier():
            raise MalformedError("`name` is not a name")
        shape = tuple(values.numbers(about, "shape", 0, LARGEST))
        count = values.number(about, "count", 0, min(self.variables, MATERIALISED))
        first = values.number(about, "first", 1, LARGEST)
        if len(shape) > _MOST_INDICES or math.prod(shape) > 2**62:
            raise MalformedError("`shape` is too large")
        self.members.take(count)
        known = number_lists.runs(keys[name], Room(count)) if name in keys else np.arange(count)
        numbers = number_lists.ended(ids[name]) if name in ids else first + np.arange(count)
        if not len(known) == len(numbers) == count:
            raise MalformedError(f"{name!r} does not have {counted(count, 'member')}, as declared")
        if count and not 0 <= known.min() <= known.max() < math.prod(shape):
            raise MalformedError(f"{name!r} has a member outside its shape")
        if count and not 0 < numbers.min() <= numbers.max() <= self.variables:
            raise MalformedError(f"{name!r} has a member that is not a variable of the formula")
        index = tuple(map(str, values.listed(about, "index")))
        return Variable(name, shape, known, numbers, index, values.line(about, "means"))

    def views(self, variables: dict[str, Variable]) -> tuple[dict[str, Any], ...]:
        with refusing("decode", self.place):
            if len(self.lines.get("decode", ())) > _MOST_VIEWS:
                raise MalformedError(f"more than {_MOST_VIEWS} views")
            return tuple(
                _view(self.room.mapping(line), variables) for line in self.lines.get("decode", ())
            )

    def projection(self) -> Ints | None:
        """The variables of `c ind` and `c p show` lines; a line of words is somebody's comment.

        One that ends with 0 is meant to be a list, whatever it begins with.
        """
        lines = [*self.lines.get("ind", ()), *self.lines.get("show", ())]
        meant = [li for li in lines if not li.strip()[:1].isalpha() or li.split()[-1] == "0"]
        if not meant:
            return None
        try:
            named = number_lists.ended(meant)
        except MalformedError as error:
            raise AdapterError(
                f"its projection is not a list of variables ({error})",
                "write `c ind 1 2 3 0`",
                self.place,
            ) from None
        if len(named) and named.max() > self.variables:
            raise AdapterError(
                f"the projection has variable {named.max()}, the formula {self.variables}",
                "correct the `c ind` or `c p show` lines",
                self.place,
            )
        return named


def _view(about: dict[str, Any], variables: dict[str, Variable]) -> dict[str, Any]:
    """A view of a variable, or of the atoms of a logic program, which have no shape."""
    kind = values.text(about, "view")
    if kind not in VIEWS:
        raise MalformedError(f"no view {kind[:30]!r}")
    most = _MOST_INDICES
    if "atom" not in about:
        name = values.text(about, "variable")
        if name not in variables:
            raise MalformedError(f"no variable {name[:30]!r}")
        most = len(variables[name].shape)
    for role in VIEWS[kind]:
        values.number(about, role, 0, most - 1)
    # A label that does not say what it adds is from a time when it was always one.
    plus = values.number({"plus": 1} | about, "plus", -LARGEST, LARGEST)
    sign = values.line(about, "sign")
    if len(sign) > _LONGEST_SIGN:
        raise MalformedError("`sign` is too long")
    told = {key: about[key] for key in ("view", "variable", "atom", *VIEWS[kind]) if key in about}
    return told | {"plus": plus, "sign": sign}
