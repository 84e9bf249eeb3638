"""Spec reader: convert YAML layers to a Spec, checking their form and rejecting unknown keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardsat.base.errors import InputError
from boardsat.base.text import nearest, suggest
from boardsat.generators import constraints
from boardsat.generators.graphs.constructions import CONSTRUCTIONS, EXAMPLES, is_construction
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import is_name
from boardsat.generators.schema import (
    ALWAYS,
    BOARD_STYLES,
    LABEL_POSITIONS,
    OBJECTIVE_DIRECTIONS,
    OPTIONAL_ROLES,
    PROBLEM_GROUPS,
    TOUR_VIEWS,
    TYPES,
    VALUE_ROLES,
    VIEW_OPTIONS,
    VIEWS,
    BoardEntry,
    Bounds,
    CellRules,
    Constraint,
    CountingRules,
    Definition,
    EntryFormat,
    ObjectiveEntry,
    Parameter,
    Published,
    Spec,
    SpecDescription,
    SpecSource,
    Texts,
    VariableDeclaration,
    View,
)
from boardsat.generators.yaml_reader import (
    RENAMED_KEYS,
    Entry,
    Item,
    check_keys,
    extend,
    suggest_key,
)

TOP_LEVEL_KEYS = {
    *("title", "cite", "about", "group", "label", "extends", "omit"),
    *("params", "board", "define", "variables", "constraints", "projection", "decode"),
    *("count_preserving", "symmetry_condition", "counted_objects", "unsat_message"),
    *("models_per_solution", "published"),
    *OBJECTIVE_DIRECTIONS,
}

PROBLEM_KEYS = {"defaults", "exceptions", "encodings"}
"""Further top-level keys of problem.yaml, which has what the encodings of a problem share."""

PARAMETER_KEYS = {
    **dict.fromkeys(("type", "default", "one_of", "description"), TYPES),
    **dict.fromkeys(("min", "max"), ("int", "numbers")),
    **dict.fromkeys(("same", "any"), ("cell",)),
    **dict.fromkeys(("shape", "signs", "missing", "keys"), ("numbers",)),
    "kind": ("graph",),
}
"""Keys of a parameter, with the types that have them."""

COMMON_KEYS = ("name", "if")
"""Keys of every constraint."""

ROW_KEYS = ("for", "empty", "for_each_size")
"""Keys with one meaning in all constraint types that have them."""

VIEW_ROLES = {
    role for names in (*VIEWS.values(), *OPTIONAL_ROLES.values(), LABEL_POSITIONS) for role in names
}
VIEW_KEYS = (*VIEWS, *sorted(VIEW_ROLES), "for", "if", *VIEW_OPTIONS)

MAX_COUNT_DIGITS = 4000
"""Maximum number of digits of a published count."""

Layer = dict[str, Item]
"""Top-level entries of one spec file."""


class SpecReader:
    """Reader of one spec from its layers: the specs that it extends, and its own file last."""

    def __init__(self, name: str, file: str, digest: str, layers: Sequence[Layer]) -> None:
        self.name, self.file, self.digest, self.layers = name, file, digest, layers
        self.entries = {key: item for layer in layers for key, item in layer.items()}
        """Entry of every top-level key from the last layer that has it."""

    def spec(self) -> Spec:
        entries = self.entries
        for key in ("title", "variables", "constraints"):
            if key not in entries:
                raise InputError(
                    f"the key `{key}` is missing", "see docs/spec-language.md", self.file
                )
        board = entries.get("board")
        parameters, definitions = self.named()
        views = _list(entries, "decode")
        return Spec(
            name=self.name,
            source=SpecSource(self.file, self.digest),
            description=SpecDescription(
                title=self.title(),
                cite=_text(entries, "cite"),
                about=_text(entries, "about"),
                group=self.group(),
                label=_source(entries, "label"),
                unsat_message=_source(entries, "unsat_message"),
            ),
            parameters=tuple(self.parameter(*pair) for pair in parameters.items()),
            board_entry=BoardEntry(
                {key: item.source() for key, item in board.mapping().items()} if board else None,
                board.location if board else self.file,
                _read_ground([item for item in views if _is_ground(item)]),
            ),
            definitions=tuple(self.definition(*pair) for pair in definitions.items()),
            variables=tuple(self.variable(name, entry) for name, entry in self.variables()),
            constraints=tuple(_read_constraint(*entry) for entry in self.constraints()),
            decode=tuple(_read_view(item) for item in views if not _is_ground(item)),
            counting=self.counting(),
            symmetry_condition=_source(entries, "symmetry_condition"),
            objective=self.objective(),
        )

    def counting(self) -> CountingRules:
        entries = self.entries
        return CountingRules(
            is_count_preserving="count_preserving" in entries
            and entries["count_preserving"].flag(),
            objects=_source(entries, "counted_objects"),
            models_per_solution=_source(entries, "models_per_solution"),
            published=tuple(self.published(item) for item in _list(entries, "published")),
            projection=tuple(entry.source() for entry in _list(entries, "projection")),
        )

    def title(self) -> str:
        """Return the title; if encodings are reused, it names the problem that they belong to."""
        title = self.entries["title"].text
        if lender := self.layers[-1].get("encodings"):
            return f"{title}, encoded as {lender.text}/{self.name.rpartition('/')[2]}"
        return title

    def group(self) -> str:
        group = _text(self.entries, "group")
        if group and group not in PROBLEM_GROUPS:
            raise self.entries["group"].error(
                f"no group {group[:30]!r}", suggest(group, PROBLEM_GROUPS)
            )
        return group

    def objective(self) -> ObjectiveEntry | None:
        """Return the objective of the last layer that has one."""
        for layer in reversed(self.layers):
            directions = [direction for direction in OBJECTIVE_DIRECTIONS if direction in layer]
            if len(directions) > 1:
                fault = "`minimize` cannot be combined with `maximize`"
                raise layer[directions[1]].error(fault, "remove one of them")
            if directions:
                return ObjectiveEntry(directions[0], layer[directions[0]].source())
        return None

    def named(self) -> tuple[dict[str, Item], dict[str, Item]]:
        """Return the parameters and definitions; each layer may omit, replace and add some."""
        parameters: dict[str, Item] = {}
        definitions: dict[str, Item] = {}
        for layer in self.layers:
            for name in _text(layer, "omit").replace(",", " ").split():
                if name not in parameters.keys() | definitions.keys():
                    raise layer["omit"].error(
                        f"no parameter or definition {name!r} to omit",
                        suggest(name, {**parameters, **definitions}),
                    )
                parameters.pop(name, None)
                definitions.pop(name, None)
            parameters |= _named(layer["params"]) if "params" in layer else {}
            definitions |= _named(layer["define"]) if "define" in layer else {}
        return parameters, definitions

    def variables(self) -> list[tuple[str, Entry]]:
        """Return the variables of the last layer that has any, completed by those they extend."""
        variables: dict[str, Entry] = {}
        inherited: dict[str, Entry] = {}
        for layer in self.layers:
            if "variables" in layer:
                items = _named(layer["variables"]).items()
                variables = {name: extend(item, inherited, "variable") for name, item in items}
                inherited |= variables
        return list(variables.items())

    def constraints(self) -> list[Entry]:
        """Return the constraints of the last layer that has any, completed by those they extend."""
        entries: list[Entry] = []
        inherited: dict[str, Entry] = {}
        for layer in self.layers:
            if "constraints" in layer:
                items = layer["constraints"].items()
                entries = [extend(item, inherited, "constraint") for item in items]
                inherited |= {e.keys["name"].text: e for e in entries if "name" in e.keys}
        return entries

    def parameter(self, name: str, item: Item) -> Parameter:
        if item.is_scalar:
            default: ExpressionText | None = item.source()
            return Parameter(name, _guess_type(item.text), default, (), "", item.location)
        keys = item.mapping(PARAMETER_KEYS)
        default = _source(keys, "default")
        choices = tuple(_text(keys, "one_of").replace(",", " ").split())
        guess = "choice" if choices else _guess_type(default.text if default else "0")
        type_name = _text(keys, "type") or guess
        if type_name not in TYPES:
            raise keys["type"].error(f"no parameter type {type_name!r}", suggest(type_name, TYPES))
        for key, entry in keys.items():
            if type_name not in (types := PARAMETER_KEYS[key]):
                fault = f"`{key}` cannot be combined with `type: {type_name}`"
                raise entry.error(fault, f"use `type: {' or '.join(types)}`, or remove it")
        if type_name == "graph":
            _check_graph(name, keys)
        if default and type_name == "numbers":
            default = default._replace(text=keys["default"].lines)
        return Parameter(
            *(name, type_name, default, choices, _text(keys, "description"), item.location),
            bounds=Bounds(_source(keys, "min"), _source(keys, "max")),
            cell=CellRules(_source(keys, "same"), _source(keys, "any")),
            entries=EntryFormat(
                _source(keys, "shape"),
                _text(keys, "signs"),
                _source(keys, "missing"),
                _text(keys, "keys"),
            ),
            kind=_text(keys, "kind"),
        )

    def definition(self, name: str, item: Item) -> Definition:
        if item.is_scalar:
            return Definition(name, item.location, expression=item.source())
        keys = item.mapping(("for", "if", "give", "by"))
        if "for" not in keys:
            raise item.error("a set needs `for`", "write `for: i in cells`")
        return Definition(
            name,
            item.location,
            None,
            *(_source(keys, key) for key in ("for", "if", "give", "by")),
        )

    def variable(self, name: str, entry: Entry) -> VariableDeclaration:
        keys = entry.keys
        names = ("for", "if", "begins_with", "description", "values", "weight_true", "weight_false")
        check_keys(keys, names)
        return VariableDeclaration(
            name, entry.item.location, *(_source(keys, key) for key in names)
        )

    def published(self, item: Item) -> Published:
        keys = item.mapping(("count", "if", "cite"))
        for key in ("count", "cite"):
            if key not in keys:
                raise item.error(f"a published count needs `{key}`", "write count, if and cite")
        digits = keys["count"].text
        if not digits.isdecimal() or len(digits) > MAX_COUNT_DIGITS:
            fault = f"`count` must be a whole number (got {digits[:40]!r})"
            raise keys["count"].error(fault, "write digits")
        return Published(item.location, int(digits), _source(keys, "if"), keys["cite"].text)


def _text(entries: dict[str, Item], key: str) -> str:
    return entries[key].text if key in entries else ""


def _source(entries: dict[str, Item], key: str) -> ExpressionText | None:
    return entries[key].source() if key in entries else None


def _list(entries: dict[str, Item], key: str) -> list[Item]:
    return entries[key].items() if key in entries else []


def _check_graph(name: str, keys: dict[str, Item]) -> None:
    """Raise InputError for a kind of graph or a default that a graph parameter cannot have."""
    kind = _text(keys, "kind")
    if kind not in CONSTRUCTIONS or ("kind" in keys and not kind):
        raise keys["kind"].error(
            f"no kind of graph {kind!r}", suggest(kind, [*filter(None, CONSTRUCTIONS)])
        )
    # A third-party spec must not be able to read a file.
    if "default" in keys and not is_construction(kind, keys["default"].text):
        remedy = f"write one such as `{EXAMPLES[kind]}`, or let users choose by --set {name}=FILE"
        raise keys["default"].error("the default of a graph must be a construction", remedy)


def _guess_type(default: str) -> str:
    """Return the type of a parameter without `type`: `bool` or `int`."""
    return "bool" if default in ("true", "false") else "int"


def _named(section: Item) -> dict[str, Item]:
    """Return the entries of a section, whose keys must be names."""
    entries = section.mapping()
    for name, item in entries.items():
        if not is_name(name):
            raise item.error(
                f"{name!r} cannot be a name",
                "use letters, digits and _, but not a keyword, and not `cnf` at its beginning",
            )
    return entries


def _read_constraint(item: Item, keys: dict[str, Item]) -> Constraint:
    """Read an entry of `constraints`: its type, and the texts under its keys."""
    constraint_type = _constraint_type(item, keys)
    module = constraints.load(constraint_type)
    required: dict[str, str] = getattr(module, "REQUIRED_KEYS", {})
    allowed = (constraint_type, *required, *module.KEYS)
    # A constraint with rows can also be repeated for every value of `for_each_size`.
    allowed += ("for_each_size",) if "for" in allowed else ()
    for key, entry in keys.items():
        if key not in (*COMMON_KEYS, *allowed):
            raise _key_error(entry, key, constraint_type, (*COMMON_KEYS, *allowed))
    for key, example in required.items():
        if key not in keys:
            remedy = f"write for example `{key}: {example}`"
            raise item.error(f"`{constraint_type}` needs `{key}`", remedy)
    if "empty" in keys and keys["empty"].text != "unsatisfiable":
        raise keys["empty"].error(
            f"`empty` must be `unsatisfiable` (got {keys['empty'].text!r})",
            "write `empty: unsatisfiable`, or remove it",
        )
    type_keys = {key: keys[key] for key in allowed if key in keys and key not in ROW_KEYS}
    return Constraint(
        name=keys["name"].text if "name" in keys else f"{constraint_type} at line {item.line}",
        location=item.location,
        constraint_type=constraint_type,
        bindings=_source(keys, "for"),
        condition=_source(keys, "if"),
        may_be_empty="empty" in keys,
        lazy="lazy" in keys and keys["lazy"].flag(),
        texts=getattr(module, "read", _texts)(type_keys),
        for_each_size=_source(keys, "for_each_size"),
    )


def _constraint_type(item: Item, keys: dict[str, Item]) -> str:
    """Return the only key that is a constraint type."""
    types = [key for key in keys if key in constraints.names()]
    if len(types) == 1:
        return types[0]
    allowed = ("extends", *constraints.names())
    for key in keys if not types else ():
        is_near = key not in (*COMMON_KEYS, *ROW_KEYS) and nearest(key, allowed)
        if key in RENAMED_KEYS or is_near:
            raise keys[key].error(f"unknown key {key!r}", suggest_key(key, allowed))
    raise item.error(
        f"a constraint needs one constraint type, not {' and '.join(types) or 'none'}",
        f"write one of: {', '.join(constraints.names())}",
    )


def _key_error(item: Item, key: str, constraint_type: str, allowed: Collection[str]) -> InputError:
    """Return the error of a key that is misspelt, or belongs to other constraint types."""
    modules = map(constraints.load, constraints.names())
    is_key = any(
        key in getattr(module, "REQUIRED_KEYS", {}) or key in module.KEYS for module in modules
    )
    if key in RENAMED_KEYS or (not is_key and nearest(key, allowed)):
        return item.error(f"unknown key {key!r}", suggest_key(key, allowed))
    return item.error(f"`{key}` cannot be combined with `{constraint_type}`", "remove it")


def _texts(keys: dict[str, Item]) -> Texts:
    """Read a text, or a list of texts, under every key."""
    return {key: tuple(entry.source() for entry in item.items()) for key, item in keys.items()}


def _is_ground(item: Item) -> bool:
    """Return True if an entry of `decode` gives the style of the board under all views."""
    return not item.is_scalar and "ground" in item.mapping()


def _read_ground(items: Sequence[Item]) -> str:
    """Return the style of the board; empty if the spec does not give one."""
    if not items:
        return ""
    if len(items) > 1:
        raise items[1].error(f"`ground` must occur once (got {len(items)} times)", "remove it here")
    ground = items[0].mapping(("ground",))["ground"]
    if ground.text not in BOARD_STYLES:
        raise ground.error(f"no ground {ground.text[:20]!r}", suggest(ground.text, BOARD_STYLES))
    return ground.text


def _read_view(item: Item) -> View:
    """Read an entry of `decode`: the kind of a view, its roles, and how it is drawn."""
    keys = item.mapping(VIEW_KEYS)
    kinds = [kind for kind in VIEWS if kind in keys]
    if len(kinds) != 1:
        raise _view_error(item)
    kind = kinds[0]
    roles = _roles(kind, keys, item)
    if set(keys) - set(VIEW_OPTIONS) - {kind, *roles, "for", "if"}:
        raise _view_error(item)
    for key in VIEW_OPTIONS:
        if key in keys and kind not in VIEW_OPTIONS[key]:
            raise keys[key].error(
                f"`{key}` cannot be combined with `{kind}`",
                f"use one of: {', '.join(VIEW_OPTIONS[key])}",
            )
    return View(
        kind,
        item.location,
        _member(kind, keys),
        tuple((role, keys[role].source()) for role in roles),
        _source(keys, "for"),
        _source(keys, "if"),
        {key: keys[key].source() for key in VIEW_OPTIONS if key in keys},
    )


def _roles(kind: str, keys: dict[str, Item], item: Item) -> list[str]:
    """Return the roles that a view has; those of a label depend on its position."""
    required = list(VIEWS[kind])
    positions = [position for position in LABEL_POSITIONS if position in keys]
    if kind == "label" and positions:
        required = [*positions, "value"]
        if len(positions) > 1:
            fault = f"a label must have one position (got `{positions[0]}` and `{positions[1]}`)"
            raise keys[positions[1]].error(fault, "remove one of them")
    # An integer's view may lack the role of the value; sections/decode checks that.
    required = [role for role in required if role in keys or role != VALUE_ROLES.get(kind)]
    if missing := [role for role in required if role not in keys]:
        raise item.error(
            f"`{kind}` needs `{missing[0]}`",
            f"name an index of its variable, for example `{missing[0]}: i`",
        )
    optional = [role for role in OPTIONAL_ROLES.get(kind, ()) if role in keys]
    if len(optional) > 1:
        fault = f"`{optional[0]}` cannot be combined with `{optional[1]}`"
        raise keys[optional[1]].error(fault, "remove one of them")
    return [*required, *optional]


def _member(kind: str, keys: dict[str, Item]) -> ExpressionText | None:
    """Return the variable that a view shows; None for a static view."""
    member = keys[kind]
    if member.text != ALWAYS:
        return member.source()
    if kind in TOUR_VIEWS:
        fault = f"`{kind}` cannot be `{ALWAYS}`, because it shows a solution"
        raise member.error(fault, "name a variable: `arcs: H[i, j]`")
    return None


def _view_error(item: Item) -> InputError:
    """Return the error of an entry that is not one view with its roles."""
    return item.error(
        "a view needs one of " + ", ".join(VIEWS) + " and its indices",
        "for example `arcs: H[i, j]`, `from: i`, `to: j`",
    )
