"""A spec, read and frozen: its parts as texts with their places. Names are resolved later."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from boardsat.generators.language.nodes import ExpressionText

GOALS = ("minimize", "maximize")
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
TOURS = ("order", "arcs", "edges", "turned")
"""Views that follow a tour from its start: what they show is always the answer."""
UNPLACED = ("list", "table", "pairs", "set")
"""Views that need no board: what they show is written line by line."""
MORE_ROLES = {"fill": ("value",), "table": ("value", "item")}
"""What a view may show beside them."""
OWN_ROLES = {
    **dict.fromkeys(("label", "fill", "list", "table"), "value"),
    "order": "position",
}
"""Views that can show an integer, and the role that its value has: it is left out."""
PLACES = ("cell", "corner", "left", "right", "above", "below")
"""Where a label may stand: in a cell, at its lower right corner, or beside a row or column."""
VIEW_OPTIONS = {
    "sign": ("mark", "fill"),
    "colour": ("mark", "label", "fill", "lines", "arrows", "walls", "list", "table"),
    "words": ("label", "fill", *UNPLACED),
    "at": ("label",),
    "name": UNPLACED,
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
GROUNDS = ("chess", "plain", "points")
"""What a board looks like under all views."""


GROUPS = ("tours", "puzzles", "graphs", "combinatorics", "proof complexity")
"""The kinds of problems, in the order in which they are listed."""


class Parameter(NamedTuple):
    name: str
    type: str
    default: ExpressionText | None
    least: ExpressionText | None
    most: ExpressionText | None
    choices: Collection[str]
    means: str
    place: str
    same: ExpressionText | None = None
    """Of a cell: where all give the same, so that none need be chosen."""
    any: ExpressionText | None = None
    """Of a cell: where it may be any of them, and what is asked for is counted over all."""
    shape: ExpressionText | None = None
    """Of numbers: how many there are along each index; without it one for every cell."""
    signs: str = ""
    """Of numbers: the signs that stand for 0, 1, 2 and so on."""
    missing: ExpressionText | None = None
    """Of numbers: what an entry is where there is none."""
    kind: str = ""
    """Of a graph: `digraph`, `dag` or `bipartite`."""
    keys: str = ""
    """Of a list: the parameter whose numbers its entries are for."""


class Definition(NamedTuple):
    """A name for an expression, or for a set given by `for`."""

    name: str
    place: str
    expression: ExpressionText | None = None
    bindings: ExpressionText | None = None
    condition: ExpressionText | None = None
    give: ExpressionText | None = None
    by: ExpressionText | None = None


class VariableDeclaration(NamedTuple):
    name: str
    place: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    begins_with: ExpressionText | None
    """Variables declared just before whose members are the first of this one's."""
    means: ExpressionText | None
    """A text with `{i}` or `{v + 1}` for indices and parameters."""
    values: ExpressionText | None = None
    """Of integers: `least..largest`."""
    weight: ExpressionText | None = None
    """For counting: of every member that is true."""
    otherwise: ExpressionText | None = None
    """The same where it is false."""


class View(NamedTuple):
    kind: str
    place: str
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
    place: str
    family: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    may_be_empty: bool
    lazy: bool
    """Whether it makes no clauses: they are found while solving, where a model breaks it."""
    texts: Texts
    """What its family has read: under its own key, and those that go with it."""
    each: ExpressionText | None = None
    """A name and its values: for each there is the constraint, in which it is a number."""


class Aim(NamedTuple):
    """What of all models is wanted: the one with the least or the largest value."""

    word: str
    """`minimize` or `maximize`."""
    value: ExpressionText


class Published(NamedTuple):
    """A number of objects that somebody has published, and for which parameters."""

    place: str
    number: int
    condition: ExpressionText | None
    cite: str


class Spec(NamedTuple):
    name: str
    """`tour/unary`, or the stem of a file outside the project."""
    file: str
    sha256: str
    title: str
    cite: str
    about: str
    group: str
    """The kind of its problem; empty for a spec that does not say."""
    label: ExpressionText | None
    keeps_counts: bool
    symmetric: ExpressionText | None
    """Whether solutions stay solutions under a map of cells, `image`."""
    objects: ExpressionText | None
    """What models stand for: a text with `{expression}` parts."""
    none: ExpressionText | None
    """What it means that there is no model: a text of the same kind."""
    models_each: ExpressionText | None
    """How many models stand for the same object."""
    published: tuple[Published, ...]
    parameters: tuple[Parameter, ...]
    board: dict[str, ExpressionText] | None
    board_place: str
    definitions: tuple[Definition, ...]
    variables: tuple[VariableDeclaration, ...]
    constraints: tuple[Constraint, ...]
    projection: tuple[ExpressionText, ...]
    decode: tuple[View, ...]
    ground: str
    """What the board looks like under the views; empty where they decide."""
    goal: Aim | None = None
    is_built_in: bool = False
    """Whether the user named a spec that ships, so that no limits of outside input apply."""

    def from_outside(self) -> Spec:
        """Return the spec with the limits of outside input, as one that a file names."""
        return self._replace(is_built_in=False)

    @property
    def problem(self) -> str:
        return self.name.split("/")[0]

    @property
    def encoding(self) -> str:
        return self.name.split("/")[-1]

    @property
    def optimises(self) -> bool:
        """Whether the best model is asked for, not any."""
        return self.goal is not None or any("soft" in each.texts for each in self.constraints)

    @property
    def is_weighted(self) -> bool:
        """Whether its literals have weights, for counting."""
        return any(each.weight or each.otherwise for each in self.variables)

    @property
    def is_lazy(self) -> bool:
        """Whether its formula leaves out what is found while solving."""
        return any(constraint.lazy for constraint in self.constraints)
