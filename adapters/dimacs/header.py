"""The comments of a file made by boardsat, read back: board, parameters, variables and views.

A file is ours if it has a `c boardsat` line with a format: all lines that begin with our words must
then be as we write them, and one that is not is an error. In any other file they are the comments
of somebody else. Projection and weights are everybody's, and read wherever they stand; there a bad
one is an error only for those who need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header_values import LARGEST, MATERIALISED, MODEST, Room
from boardsat.adapters.dimacs.header_variables import Variable, read_variable
from boardsat.adapters.dimacs.header_views import (
    HeaderView,
    read_board_style,
    read_static_view,
    read_view,
)
from boardsat.adapters.dimacs.literal_weights import TYPES, read_weights
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.json_data import MalformedError

if TYPE_CHECKING:
    from fractions import Fraction

Ints = npt.NDArray[np.int64]

FORMAT = 2
"""The format of headers that is read here."""

_WORDS = frozenset(
    (
        *("boardsat", "parameters", "board", "edges", "objects", "variable", "keys", "ids"),
        *("lows", "highs", "decode", "drawing", "column", "regions", "given", "lazy"),
        *("transform", "objective", "ind"),
    )
)
_COMPETITION = frozenset(("show", "weight"))
"""Words that follow `c p`."""

_TYPE = "t"
_MOST_VIEWS = 20

SYMMETRY = "symmetry"
"""The transform after which there are fewer solutions than before."""


class OutdatedHeaderError(InputError):
    """Header of a format that is no longer read."""


OBJECTIVE_NOUNS = {"minimize": "minimum", "maximize": "maximum"}
DIRECTIONS = tuple(OBJECTIVE_NOUNS)
MAX_OBJECTIVE_VALUE = 2**62


class ObjectiveFunction(NamedTuple):
    """Objective function: direction, and conversion from solver cost to objective value."""

    direction: str = DIRECTIONS[0]
    of: str = ""
    """Description of the objective value in the words of the spec."""
    offset: int = 0
    """Objective value at cost 0."""

    def value(self, cost: int) -> int:
        """Return the objective value of a model from the cost that the solver reports."""
        return self.offset + (cost if self.direction == DIRECTIONS[0] else -cost)

    @property
    def noun(self) -> str:
        """Name of the optimal value: minimum or maximum."""
        return OBJECTIVE_NOUNS[self.direction]


@dataclass(frozen=True)
class BoardDescription:
    """Board of an instance, as the header describes it."""

    options: dict[str, Any] = field(default_factory=dict)
    """Shape of the board and its options. Empty if there is no board."""
    edges: Ints | None = None
    """Ends of the edges of a graph, alternating. None if the board is not a graph."""
    max_cells: int = MATERIALISED
    """Limit on the number of cells, as small files must describe small boards."""


@dataclass(frozen=True)
class BoardDisplay:
    """Views of models, and what is drawn on the board with them."""

    views: tuple[HeaderView, ...] = ()
    static_views: tuple[HeaderView, ...] = ()
    """Views that do not depend on the model."""
    board_style: str = ""
    """Style of the board; empty if the views decide."""
    regions: Ints | None = None
    """Region of every cell; lines are drawn between regions. None if there are none."""
    given_cells: Ints | None = None
    """Cells whose content is given. None if not recorded."""


@dataclass(frozen=True)
class Counting:
    """Objects that models represent, and what models are counted over."""

    objects: dict[str, Any] = field(default_factory=dict)
    """Name of the counted objects, models per solution, and published count."""
    projection: Ints | None = None
    """Variables that models are counted over. None for all."""
    projection_error: BoardsatError | None = None
    """Error in the projection of a foreign file. None if it is valid."""
    weights: dict[int, Fraction] | None = None
    """Weights of literals. None if models are not weighted."""
    weights_error: BoardsatError | None = None
    """Error in the weights of a foreign file. None if they are valid."""


@dataclass(frozen=True)
class Header:
    """Description of an instance in the comments of its file.

    The header of a foreign file is empty, except for projection and weights.
    """

    about: dict[str, Any] = field(default_factory=dict)
    """Spec, its hash, title and further entries of the `c boardsat` line."""
    parameters: dict[str, Any] = field(default_factory=dict)
    board: BoardDescription = BoardDescription()
    variables: dict[str, Variable] = field(default_factory=dict)
    display: BoardDisplay = BoardDisplay()
    counting: Counting = Counting()
    lazy: tuple[str, ...] = ()
    """Lazy constraints, unparsed."""
    symmetry: str = ""
    """Description of the symmetries that the clauses break; empty for none."""
    objective: ObjectiveFunction | None = None

    @property
    def problem(self) -> str:
        """Problem of the catalogue; empty for an external spec."""
        problem, slash, _ = str(self.about.get("spec", "")).partition("/")
        return problem if slash else ""

    @property
    def closed(self) -> bool:
        """Whether tours are closed."""
        return bool(self.parameters.get("closed", True))

    @property
    def encoding(self) -> str:
        """Encoding of the catalogue; empty for an external spec."""
        return str(self.about.get("spec", "")).partition("/")[2]

    @property
    def unsat_message(self) -> str:
        """Meaning of unsatisfiability in words; empty for a foreign file."""
        if self.about.get("unsat_message"):
            return str(self.about["unsat_message"])
        if self.counting.objects:
            return f"there are no {self.counting.objects['name']}"
        return f"no solution: {self.about['title']}" if self.about.get("title") else ""


def read_header(
    comments: Iterable[str], variables: int = LARGEST, place: str = "", room: int = MATERIALISED
) -> Header:
    """Parse the header of a file.

    Parameters
    ----------
    comments : iterable of str
        Comment lines, without their `c `.
    variables : int
        Number of variables of the formula.
    place : str
        Path of the file, for errors.
    room : int
        Limit on the cells and edges that the header may describe.

    Raises
    ------
    InputError
        A line of the header is malformed.
    """
    lines: dict[str, list[str]] = {}
    for comment in comments:
        of_competition = comment.startswith("p ")
        word, _, rest = comment.removeprefix("p ").partition(" ")
        if word in (_COMPETITION if of_competition else _WORDS) or (
            word == _TYPE and rest.strip() in TYPES
        ):
            lines.setdefault(word, []).append(rest)
    return _Reader(lines, variables, place, min(room, MATERIALISED)).header()


@contextmanager
def malformed_line(word: str, place: str) -> Iterator[None]:
    """Context manager that turns a MalformedError into an InputError about a header line."""
    try:
        yield
    except MalformedError as error:
        raise InputError(
            f"its `c {word}` line is not one that boardsat writes ({error})",
            "write the file again",
            place,
        ) from None


class _Reader:
    """Parser of the lines of a header, grouped by their first word."""

    def __init__(self, lines: dict[str, list[str]], variables: int, place: str, room: int) -> None:
        self.lines, self.variables, self.place = lines, variables, place
        self.room = Room(room)
        # A variable may have several names.
        self.members = Room(min(4 * variables + MODEST, MATERIALISED))

    def header(self) -> Header:
        if not self.is_ours():
            return self.foreign()
        variables = self.families()
        columns = self.columns()
        return Header(
            about=self.about(),
            parameters=self.one("parameters"),
            board=BoardDescription(self.one("board"), self.runs("edges"), self.room.numbers),
            counting=Counting(self.objects(), self.projection(), weights=self.weights()),
            variables=variables,
            display=BoardDisplay(
                self.views(variables, columns),
                self.static_views(columns),
                self.board_style(),
                self.runs("regions"),
                self.runs("given"),
            ),
            lazy=tuple(self.lines.get("lazy", ())),
            symmetry=self.symmetry(),
            objective=self.objective(),
        )

    def foreign(self) -> Header:
        told: dict[str, Any] = {}
        for name, read in (("projection", self.projection), ("weights", self.weights)):
            try:
                told[name] = read()
            except BoardsatError as error:
                told[f"{name}_error"] = error
        return Header(counting=Counting(**told))

    def is_ours(self) -> bool:
        """Whether one of the lines tells a format; one that is newer or older is an error."""
        for line in self.lines.get("boardsat", ()):
            try:
                told = header_values.number(self.room.mapping(line), "format", 1, LARGEST)
            except MalformedError:
                continue
            if told > FORMAT:
                raise InputError(
                    f"its header has format {told}, and format {FORMAT} is the newest known here",
                    "install a newer boardsat, or remove its comments to use it as a plain formula",
                    self.place,
                )
            if told < FORMAT:
                raise OutdatedHeaderError(
                    f"its header has format {told}, and only format {FORMAT} is read",
                    "write the file again from its spec, or remove its comments to use it as a "
                    "plain formula",
                    self.place,
                )
            return True
        return False

    def one(self, word: str) -> dict[str, Any]:
        """The JSON object of a line that is there once, or not at all."""
        found = self.lines.get(word, [])
        with malformed_line(word, self.place):
            if len(found) > 1:
                raise MalformedError("there are several")
            return self.room.mapping(found[0]) if found else {}

    def about(self) -> dict[str, Any]:
        about = self.one("boardsat")
        with malformed_line("boardsat", self.place):
            for key in ("spec", "sha256", "title", "cite", "method", "heuristic"):
                header_values.text(about, key)
            return about | {
                key: header_values.line(about, key) for key in ("title", "unsat_message")
            }

    def objects(self) -> dict[str, Any]:
        about = self.one("objects")
        if not about:
            return {}
        with malformed_line("objects", self.place):
            told: dict[str, Any] = {
                "name": header_values.line(about, "name") or "models",
                "models_per_solution": header_values.number(
                    about, "models_per_solution", 1, LARGEST
                ),
            }
            if "published" in about:
                published = about["published"]
                if type(published) is not int or published < 0:
                    raise MalformedError("`published` is not a count")
                told |= {"published": published, "cite": header_values.line(about, "cite")}
        return told

    def objective(self) -> ObjectiveFunction | None:
        about = self.one("objective")
        if not about:
            return None
        with malformed_line("objective", self.place):
            word = header_values.text(about, "goal")
            if word not in DIRECTIONS:
                raise MalformedError(f"no goal {word[:20]!r}")
            offset = header_values.number(
                about, "offset", -MAX_OBJECTIVE_VALUE, MAX_OBJECTIVE_VALUE
            )
            return ObjectiveFunction(word, header_values.line(about, "of"), offset)

    def symmetry(self) -> str:
        """Who needs the other transforms reads them."""
        with malformed_line("transform", self.place):
            lines = [each for each in self.lines.get("transform", ()) if SYMMETRY in each]
            done = map(self.room.mapping, lines)
            told = [
                header_values.line(each, "description")
                for each in done
                if each.get("transform") == SYMMETRY
            ]
            if len(told) > 1 or "" in told:
                raise MalformedError("symmetries are broken once, and told")
            return told[0] if told else ""

    def runs(self, word: str) -> Ints | None:
        """The numbers of all lines of a word together."""
        if word not in self.lines:
            return None
        with malformed_line(word, self.place):
            return header_values.runs(self.lines[word], self.room)

    def families(self) -> dict[str, Variable]:
        lists = {word: self.by_name(word) for word in ("keys", "ids", "lows", "highs")}
        with malformed_line("variable", self.place):
            found = [
                read_variable(self.room.mapping(line), lists, self.variables, self.members)
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

    def columns(self) -> dict[int, Ints]:
        """Numbers that views refer to, one for every row of what they show."""
        with malformed_line("column", self.place):
            found = self.by_name("column")
            if not all(name.isascii() and name.isdecimal() and len(name) < 6 for name in found):
                raise MalformedError("a column without a number")
            return {int(name): header_values.runs(rest, self.room) for name, rest in found.items()}

    def views(
        self, variables: dict[str, Variable], columns: dict[int, Ints]
    ) -> tuple[HeaderView, ...]:
        with malformed_line("decode", self.place):
            told = self.mappings("decode")
            return tuple(read_view(about, variables, columns) for about in told)

    def static_views(self, columns: dict[int, Ints]) -> tuple[HeaderView, ...]:
        with malformed_line("drawing", self.place):
            told = self.mappings("drawing")
            return tuple(
                read_static_view(about, columns) for about in told if "ground" not in about
            )

    def board_style(self) -> str:
        with malformed_line("drawing", self.place):
            told = [about for about in self.mappings("drawing") if "ground" in about]
            return read_board_style(told[0]) if told else ""

    def mappings(self, word: str) -> list[dict[str, Any]]:
        """The JSON of all lines of a word, which may not be many."""
        lines = self.lines.get(word, ())
        if len(lines) > _MOST_VIEWS:
            raise MalformedError(f"more than {_MOST_VIEWS} views")
        return [self.room.mapping(line) for line in lines]

    def projection(self) -> Ints | None:
        """The variables of `c ind` and `c p show` lines; a line of words is somebody's comment.

        One that ends with 0 is meant to be a list, whatever it begins with.
        """
        lines = [*self.lines.get("ind", ()), *self.lines.get("show", ())]
        meant = [li for li in lines if not li.strip()[:1].isalpha() or li.split()[-1] == "0"]
        if not meant:
            return None
        try:
            named = header_values.ended(meant)
        except MalformedError as error:
            raise InputError(
                f"its projection is not a list of variables ({error})",
                "write `c ind 1 2 3 0`",
                self.place,
            ) from None
        if len(named) and named.max() > self.variables:
            raise InputError(
                f"the projection has variable {named.max()}, the formula {self.variables}",
                "correct the `c ind` or `c p show` lines",
                self.place,
            )
        return named

    def weights(self) -> dict[int, Fraction] | None:
        """Those of `c p weight` lines; None where nobody asks for a sum of weights."""
        types = [line.strip() for line in self.lines.get(_TYPE, ())]
        return read_weights(types, self.lines.get("weight", ()), self.variables, self.place)
