"""Spec as it was read: texts with their source locations, in which names are not yet resolved."""

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
"""Views, which decode and draw a model, with the roles of indices that each view must have."""
TOUR_VIEWS = ("order", "arcs", "edges", "turned")
"""Views that follow a tour from its start; they cannot be static."""
OFF_BOARD_VIEWS = ("list", "table", "pairs", "set")
"""Views that need no board: they are printed line by line."""
OPTIONAL_ROLES = {"fill": ("value",), "table": ("value", "item")}
"""Optional roles of views."""
VALUE_ROLES = {
    **dict.fromkeys(("label", "fill", "list", "table"), "value"),
    "order": "position",
}
"""Views that can show an integer, with the role of its value; an integer omits this role."""
LABEL_POSITIONS = ("cell", "corner", "left", "right", "above", "below")
"""Positions of a label: in a cell, at its lower right corner, or beside a row or column."""
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
"""Options of views, with the views that have them."""
ALWAYS = "always"
"""Value in place of a variable for static views, which draw the question for every model."""
BOARD_STYLES = ("chess", "plain", "points")
"""Styles of the board under all views."""

PROBLEM_GROUPS = ("tours", "puzzles", "graphs", "combinatorics", "proof complexity")
"""Groups of problems, in the order of the catalogue."""


class Bounds(NamedTuple):
    """Least and largest value of a number, or of all entries of a table. None: unbounded."""

    minimum: ExpressionText | None = None
    maximum: ExpressionText | None = None


class CellRules(NamedTuple):
    """Conditions under which the user need not choose a cell. None: the condition never holds."""

    same: ExpressionText | None = None
    """Condition under which the formula is the same for all cells; the first free cell is used."""
    any: ExpressionText | None = None
    """Condition under which the value `any` is allowed: solutions of all cells are counted."""


class EntryFormat(NamedTuple):
    """Format of the entries of a table."""

    shape: ExpressionText | None = None
    """Number of entries along each index. None: one entry for every cell."""
    signs: str = ""
    """Signs of the numbers 0, 1, 2 and so on."""
    missing: ExpressionText | None = None
    """Value of a missing entry. None: 0."""
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
    """Definition of a name by an expression, or by the `for` of a set."""

    name: str
    location: str
    expression: ExpressionText | None = None
    bindings: ExpressionText | None = None
    condition: ExpressionText | None = None
    give: ExpressionText | None = None
    by: ExpressionText | None = None


class VariableDeclaration(NamedTuple):
    """Entry of `variables`: a Boolean variable, or an integer if it has `values`."""

    name: str
    location: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    begins_with: ExpressionText | None
    """Names of the variables declared just before; their members are the first of this variable."""
    description: ExpressionText | None
    """Text with `{i}` or `{v + 1}` for indices and parameters."""
    values: ExpressionText | None = None
    """Interval `least..largest` of an integer. None for a Boolean variable."""
    weight_true: ExpressionText | None = None
    """Weight of each true member in weighted counts. None: 1."""
    weight_false: ExpressionText | None = None
    """Weight of each false member in weighted counts. None: 1."""


class View(NamedTuple):
    """Entry of `decode`: a view, its variable and the roles of its indices."""

    kind: str
    location: str
    member: ExpressionText | None
    """Variable whose true members are shown. None for a static view."""
    indices: tuple[tuple[str, ExpressionText], ...]
    bindings: ExpressionText | None
    condition: ExpressionText | None
    options: dict[str, ExpressionText]
    """Options of drawing: signs, colours, and the region of every cell and whether it is given."""


Texts = dict[str, tuple[ExpressionText, ...]]
"""Texts by key."""


class Constraint(NamedTuple):
    """Entry of `constraints`."""

    name: str
    location: str
    constraint_type: str
    bindings: ExpressionText | None
    condition: ExpressionText | None
    may_be_empty: bool
    lazy: bool
    """True if it has no clauses; cuts are added while solving for models that violate it."""
    texts: Texts
    """Texts under the keys of its constraint type."""
    for_each_size: ExpressionText | None = None
    """Binding of a name; the constraint is stated for each of its values, as a constant."""


class ObjectiveEntry(NamedTuple):
    """Objective: direction and expression."""

    direction: str
    """`minimize` or `maximize`."""
    expression: ExpressionText


class Published(NamedTuple):
    """Published number of objects, and the condition on the parameters for which it is valid."""

    location: str
    number: int
    condition: ExpressionText | None
    cite: str


class SpecSource(NamedTuple):
    """File of a spec."""

    file: str
    sha256: str
    is_built_in: bool = False
    """True if the user named a built-in spec, so that no limits of outside input apply."""


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
    """Style of the board under the views; empty if the views determine it."""


class Spec(NamedTuple):
    """Spec as it was read."""

    name: str
    """`tour/unary`, or the stem of a user's file."""
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
    """Condition under which a permutation of cells, `image`, maps solutions to solutions."""
    objective: ObjectiveEntry | None = None

    def from_outside(self) -> Spec:
        """Return the spec with the limits of outside input, as for a spec that a file names."""
        return self.with_limits_of(is_built_in=False)

    def with_limits_of(self, is_built_in: bool) -> Spec:
        """Return the spec with the limits of built-in specs, or with those of outside input."""
        return self._replace(source=self.source._replace(is_built_in=is_built_in))

    @property
    def problem(self) -> str:
        return self.name.split("/")[0]

    @property
    def encoding(self) -> str:
        return self.name.split("/")[-1]

    @property
    def optimises(self) -> bool:
        """True if the spec has an objective or soft constraints."""
        has_soft = any("soft" in constraint.texts for constraint in self.constraints)
        return self.objective is not None or has_soft

    @property
    def is_weighted(self) -> bool:
        """True if literals have weights for counting."""
        return any(variable.weight_true or variable.weight_false for variable in self.variables)

    @property
    def is_lazy(self) -> bool:
        """True if cuts of lazy constraints are added while solving."""
        return any(constraint.lazy for constraint in self.constraints)
