"""A spec, read and frozen: its parts as texts with their places. Names are resolved later."""

from __future__ import annotations

from typing import NamedTuple

from boardsat.generators.language.nodes import ExpressionText

TYPES = ("int", "bool", "choice", "text", "numbers", "graph", "shape", "cell")
VIEWS = {
    "order": ("cell", "position"),
    "arcs": ("from", "to"),
    "edges": ("from", "to"),
    "turned": ("from", "to"),
    "mark": ("cell",),
    "label": ("cell", "value"),
}
"""How a model becomes a board, with the indices that each view needs."""
VIEW_OPTIONS = {
    "sign": ("mark",),
    "regions": ("order", "mark", "label"),
    "given": ("order", "mark", "label"),
}
"""What a view may say beside them, and which kinds may say it."""


class Parameter(NamedTuple):
    name: str
    type: str
    default: ExpressionText | None
    least: ExpressionText | None
    most: ExpressionText | None
    choices: tuple[str, ...]
    means: str
    place: str
    same: ExpressionText | None = None
    """Of a cell: where all give the same, so that none need be chosen."""
    any: ExpressionText | None = None
    """Of a cell: where it may be any of them, and what is asked for is counted over all."""


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


class View(NamedTuple):
    kind: str
    place: str
    member: ExpressionText
    indices: tuple[tuple[str, ExpressionText], ...]
    options: dict[str, ExpressionText]
    """How it is drawn: a sign for marks, and of every cell its region and whether it is given."""


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
    label: ExpressionText | None
    keeps_counts: bool
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

    @property
    def problem(self) -> str:
        return self.name.split("/")[0]

    @property
    def encoding(self) -> str:
        return self.name.split("/")[-1]

    @property
    def is_lazy(self) -> bool:
        """Whether its formula leaves out what is found while solving."""
        return any(constraint.lazy for constraint in self.constraints)
