"""A spec, read and frozen: its parts as texts with their places. Names are resolved later."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from boardsat.generators.language.nodes import ExpressionText

OBJECTIVE_DIRECTIONS = ("minimize", "maximize")
TYPES = ("int", "bool", "choice", "text", "numbers", "graph", "shape", "cell")
VIEWS = {
    "order": ("cell", "position"),
    "arcs": ("from", "to"),
    "edges": ("from", "to"),
    "turned": ("from", "to"),
    "mark": ("cell",),
    "label": ("cell", "value"),
    "fill": ("cell",),
    "lines": ("from", "to"),
    "arrows": ("from", "to"),
    "walls": ("from", "to"),
    "list": ("index", "value"),
    "table": ("row", "column"),
    "pairs": ("from", "to"),
    "set": ("item",),
}
"""How a model becomes a board, with the indices that each view needs."""
TOUR_VIEWS = ("order", "arcs", "edges", "turned")
"""Views that follow a tour from its start: what they show is always the answer."""
OFF_BOARD_VIEWS = ("list", "table", "pairs", "set")
"""Views that need no board: what they show is written line by line."""
OPTIONAL_ROLES = {"fill": ("value",), "table": ("value", "item")}
"""What a view may show beside them."""
VALUE_ROLES = {
    **dict.fromkeys(("label", "fill", "list", "table"), "value"),
    "order": "position",
}
"""Views that can show an integer, and the role that its value has: it is left out."""
LABEL_POSITIONS = ("cell", "corner", "left", "right", "above", "below")
"""Where a label may stand: in a cell, at its lower right corner, or beside a row or column."""
VIEW_OPTIONS = {
    "sign": ("mark", "fill"),
    "colour": ("mark", "label", "fill", "lines", "arrows", "walls", "list", "table"),
    "words": ("label", "fill", *OFF_BOARD_VIEWS),
    "at": ("label",),
    "name": OFF_BOARD_VIEWS,
    "rows": ("table",),
    "columns": ("table",),
    "default": ("list",),
    "regions": ("order", "mark", "label", "fill"),
    "given": ("order", "mark", "label", "fill"),
    "apart": tuple(VIEWS),
}
"""What a view may say beside them, and which kinds may say it."""
ALWAYS = "always"
"""In place of a variable: what the puzzle gives is drawn, whatever the model."""
BOARD_STYLES = ("chess", "plain", "points")
"""What a board looks like under all views."""


PROBLEM_GROUPS = ("tours", "puzzles", "graphs", "combinatorics", "proof complexity")
"""The kinds of problems, in the order in which they are listed."""


class Bounds(NamedTuple):
    """Least and largest value of a number, or of all entries of a table. None: unbounded."""

    minimum: ExpressionText | None = None
    maximum: ExpressionText | None = None


class CellRules(NamedTuple):
    """Conditions under which a cell need not be chosen. None: never."""

    same: ExpressionText | None = None
    """Condition under which all cells give the same formula: the first free one is taken."""
    any: ExpressionText | None = None
    """Condition under which the cell may be any, so that solutions are counted over all."""


class EntryFormat(NamedTuple):
    """Format of the entries of a table."""

    shape: ExpressionText | None = None
    """Numbers of entries along each index. None: one for every cell."""
    signs: str = ""
    """Signs that stand for 0, 1, 2 and so on."""
    missing: ExpressionText | None = None
    """Value of an entry that is missing."""
    keys: str = ""
    """Name of the parameter whose numbers index the entries of a list."""


class Parameter(NamedTuple):
    """Parameter that a spec declares."""

    name: str
    type: str
    default: ExpressionText | None
    choices: Collection[str]
    description: str
    location: str
    bounds: Bounds = Bounds()
    cell: CellRules = CellRules()
    """Rules of a parameter of type `cell`."""
    entries: EntryFormat = EntryFormat()
    """Format of a parameter of type `numbers`."""
    kind: str = ""
    """Kind of a graph: `digraph`, `dag` or `bipartite`."""


class Definition(NamedTuple):
    """A name for an expression, or for a set given by `for`."""

    name: str
    location: str
    expression: ExpressionText | None = None
    bindings: ExpressionText | None = None
    condition: ExpressionText | None = None
    give: ExpressionText | None = None
    by: ExpressionText | None = None


class VariableDeclaration(NamedTuple):
    name: str
    location: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    begins_with: ExpressionText | None
    """Variables declared just before whose members are the first of this one's."""
    description: ExpressionText | None
    """A text with `{i}` or `{v + 1}` for indices and parameters."""
    values: ExpressionText | None = None
    """Of integers: `least..largest`."""
    weight_true: ExpressionText | None = None
    """For counting: of every member that is true."""
    weight_false: ExpressionText | None = None
    """The same where it is false."""


class View(NamedTuple):
    kind: str
    location: str
    member: ExpressionText | None
    """The variable that is shown; None for what is always drawn."""
    indices: tuple[tuple[str, ExpressionText], ...]
    bindings: ExpressionText | None
    condition: ExpressionText | None
    options: dict[str, ExpressionText]
    """How it is drawn: signs, colours, and of every cell its region and whether it is given."""


Texts = dict[str, tuple[ExpressionText, ...]]
"""By key, the texts that stand under it."""


class Constraint(NamedTuple):
    name: str
    location: str
    constraint_type: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    may_be_empty: bool
    lazy: bool
    """Whether it makes no clauses: they are found while solving, where a model breaks it."""
    texts: Texts
    """What its family has read: under its own key, and those that go with it."""
    for_each_size: ExpressionText | None = None
    """A name and its values: for each there is the constraint, in which it is a number."""


class ObjectiveEntry(NamedTuple):
    """What of all models is wanted: the one with the least or the largest value."""

    direction: str
    """`minimize` or `maximize`."""
    expression: ExpressionText


class Published(NamedTuple):
    """A number of objects that somebody has published, and for which parameters."""

    location: str
    number: int
    condition: ExpressionText | None
    cite: str


class SpecSource(NamedTuple):
    """File of a spec."""

    file: str
    sha256: str
    is_built_in: bool = False
    """Whether the user named a spec that ships, so that no limits of outside input apply."""


class SpecDescription(NamedTuple):
    """Texts about a spec, for lists, headers and names of files."""

    title: str
    cite: str
    about: str
    group: str
    """Kind of the problem; empty if not given."""
    label: ExpressionText | None
    """Name of an instance: a text with `{expression}` parts."""
    unsat_message: ExpressionText | None
    """Meaning of an unsatisfiable formula: a text with `{expression}` parts."""


class CountingRules(NamedTuple):
    """Relation of models to the objects that are counted."""

    is_count_preserving: bool
    objects: ExpressionText | None
    """Name of the objects: a text with `{expression}` parts."""
    models_per_solution: ExpressionText | None
    """Number of models that stand for the same object."""
    published: tuple[Published, ...]
    projection: tuple[ExpressionText, ...]


class BoardEntry(NamedTuple):
    """Section `board:` of a spec."""

    options: dict[str, ExpressionText] | None
    """Shape and options. None: the spec has no board."""
    location: str
    style: str
    """Style of the board under the views; empty where they decide."""


class Spec(NamedTuple):
    """Spec as it was read."""

    name: str
    """`tour/unary`, or the stem of a file outside the project."""
    source: SpecSource
    description: SpecDescription
    parameters: tuple[Parameter, ...]
    board_entry: BoardEntry
    definitions: tuple[Definition, ...]
    variables: tuple[VariableDeclaration, ...]
    constraints: tuple[Constraint, ...]
    decode: tuple[View, ...]
    counting: CountingRules
    symmetry_condition: ExpressionText | None
    """Condition under which solutions stay solutions under a map of cells, `image`."""
    objective: ObjectiveEntry | None = None

    def from_outside(self) -> Spec:
        """Return the spec with the limits of outside input, as one that a file names."""
        return self.with_limits_of(is_built_in=False)

    def with_limits_of(self, is_built_in: bool) -> Spec:
        """Return the spec as one that the user named, or one from outside."""
        return self._replace(source=self.source._replace(is_built_in=is_built_in))

    @property
    def problem(self) -> str:
        return self.name.split("/")[0]

    @property
    def encoding(self) -> str:
        return self.name.split("/")[-1]

    @property
    def optimises(self) -> bool:
        """Whether the best model is asked for, not any."""
        return self.objective is not None or any("soft" in each.texts for each in self.constraints)

    @property
    def is_weighted(self) -> bool:
        """Whether its literals have weights, for counting."""
        return any(variable.weight_true or variable.weight_false for variable in self.variables)

    @property
    def is_lazy(self) -> bool:
        """Whether its formula leaves out what is found while solving."""
        return any(constraint.lazy for constraint in self.constraints)
