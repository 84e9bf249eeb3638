"""Formula to DIMACS: the preamble from a template, then the clauses as they are produced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boardsat.base.compression import Buffer
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.dimacs.clause_text import LiteralTable, Renderer, measure
from boardsat.generators.formula import Description, Formula, Header
from boardsat.generators.language.layout import Integer, Variable
from boardsat.generators.option_values import PROJECTIONS, check_choice

if TYPE_CHECKING:
    from jinja2 import Template

FORMAT = 2
"""The version of the header that `c boardsat` lines state."""

PER_LINE = 16
"""Variables on a line of a projection or a renaming."""

_WIDTH = 100
_TEMPLATES = Path(__file__).parent / "templates"


def choose_projection(formula: Formula, wanted: str | None) -> str:
    """`ind` where there is a projection, unless another form was asked for.

    Weights are written for competitions, and so is a projection beside them.
    """
    if wanted is None:
        usual = "show" if formula.weights else "ind"
        return "none" if formula.header.projection is None else usual
    check_choice(wanted, PROJECTIONS)
    return wanted


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces; a memoryview is valid until the next piece is requested."""
    yield preamble(formula, choose_projection(formula, projection))
    yield from clauses(formula)


def clauses(formula: Formula) -> Iterator[Buffer]:
    """Yield everything after the preamble."""
    renderer = Renderer(formula.variables)
    for chunk in formula.chunks():
        yield from renderer.text(chunk)


def byte_sizes(formula: Formula, projection: str | None = None) -> tuple[int, list[int]]:
    """Return the size in bytes of the preamble and of each section."""
    head = len(preamble(formula, choose_projection(formula, projection)))
    return head, [sum(map(measure, section.chunks())) for section in formula.sections]


def largest_size(formula: Formula) -> int:
    """Return an upper bound on the size of the clauses in bytes, without generating any."""
    return (
        formula.literals * (len(str(formula.variables)) + 2)
        + 2 * formula.clauses
        + formula.xor_lines
    )


def preamble(formula: Formula, projection: str) -> bytes:
    chosen = formula.header.projection if projection != "none" else None
    if chosen is None and projection == "ind":
        # Without a projection, models are counted over all variables.
        chosen = np.arange(1, formula.variables + 1)
    return _rendered(
        "preamble",
        comments=comments(formula),
        projection=projection,
        type=_competition_type(formula, projection),
        weights="\n".join(formula.weights.lines()) if formula.weights else "",
        independent=_number_lines(chosen, PER_LINE) if chosen is not None else [],
        shown=_number_lines(chosen, len(chosen)) if chosen is not None else [],
        count={"variables": formula.variables, "clauses": formula.clauses},
    ).encode("ascii")


def _competition_type(formula: Formula, projection: str) -> str:
    """Return the problem type of the Model Counting Competition; empty for plain CNF."""
    if projection != "show" and not formula.weights:
        return ""
    projected = projection != "none" and formula.header.projection is not None
    return f"{'p' if projected else ''}{'w' if formula.weights else ''}mc"


def projection_lines(formula: Formula) -> str:
    """Return the comments that list the projection; empty if all variables are counted."""
    chosen = formula.header.projection
    lines = [] if chosen is None else _number_lines(chosen, PER_LINE)
    return "".join(f"c ind {line}\n" for line in lines)


def comments(formula: Formula, **of_file: Any) -> str:
    """Return the header comments of a file of any format."""
    header = formula.header
    if header.verbatim is not None:
        return "".join(f"c {line}\n" for line in header.verbatim)
    encodings: dict[str, Any] = {"encodings": header.encodings} if header.encodings else {}
    if formula.xor_lines:
        encodings["xor_lines"] = formula.xor_lines
    about = {
        "spec_variables": formula.num_spec_variables,
        "count_preserving": header.count_preserving,
        **encodings,
        **of_file,
    }
    views = header.views
    columns = [wrap(runs(column)) or [""] for column in views.columns]
    parts = [
        ("objects", [safe_json(header.objects)] if header.objects else []),
        ("objective", [safe_json(formula.objective.to_json())] if formula.objective else []),
        ("decode", [safe_json(view) for view in views.model_views]),
        ("drawing", [safe_json(view) for view in _drawing(header)]),
        *((f"column {number}", lines) for number, lines in enumerate(columns)),
        ("regions", wrap(runs(views.regions)) if views.regions is not None else []),
        ("given", wrap(runs(views.given_cells)) if views.given_cells is not None else []),
        # The number of clauses tells whether somebody added some to the file.
        ("lazy", [safe_json(each | {"clauses": formula.clauses}) for each in header.lazy]),
        ("transform", [safe_json(transform) for transform in header.transforms]),
    ]
    return _rendered(
        "comments",
        description=description(header, **about),
        variables=[_variable_lines(variable, header) for variable in header.variables],
        parts=parts,
    )


def _drawing(header: Header) -> list[dict[str, Any]]:
    """Return the drawings that are independent of the model: board style and views of settings."""
    return [
        *([{"ground": header.views.board_style}] if header.views.board_style else []),
        *header.views.static_views,
    ]


def description(instance: Description, **of_formula: Any) -> str:
    """Return the comments that describe an instance and its formula."""
    about = {
        "format": FORMAT,
        "spec": instance.spec,
        "sha256": instance.sha256,
        "title": instance.title,
        "cite": instance.cite,
        **of_formula,
        **({"unsat_message": instance.unsat_message} if instance.unsat_message else {}),
    }
    return _rendered(
        "description",
        about=safe_json(about),
        parameters=safe_json(instance.parameters),
        board=safe_json(instance.board) if instance.board else "",
        edges=wrap(runs(instance.edges)) if instance.edges is not None else [],
    )


def objects_line(header: Header) -> str:
    """Return the comment that names the counted objects."""
    return f"c objects {safe_json(header.objects)}\n" if header.objects else ""


def _rendered(template: str, **words: Any) -> str:
    return _template(template).render(words)


# Compiling one takes longer than all else that a small file needs.
@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=False)
    return environment.from_string((_TEMPLATES / f"{name}.j2").read_text())


def _number_lines(numbers: Ints | Tokens, per_line: int) -> list[str]:
    """Numbers in lines that end with 0, by the way that clauses are rendered."""
    if not len(numbers):
        return ["0"]
    tokens = np.insert(numbers, np.arange(per_line, len(numbers), per_line), 0).astype(np.int32)
    text = LiteralTable(int(numbers.max())).text(np.append(tokens, 0).astype(np.int32))
    return text.decode("ascii").splitlines()


def _variable_lines(variable: Variable | Integer, header: Header) -> dict[str, Any]:
    members = variable.members if isinstance(variable, Integer) else variable
    about: dict[str, Any] = {
        "name": variable.name,
        "first": variable.first,
        "count": variable.count,
        "shape": list(members.shape),
        "index": list(members.names),
        "description": variable.description,
    }
    ids: list[str] = []
    if header.renamed is not None:
        present = header.renamed[variable.first : variable.first + variable.count]
        ids = _in_one(f"c ids {variable.name} ", _number_lines(present, PER_LINE))
    keys: list[str] = []
    if members.keys is not None:
        keys = _in_one(f"c keys {variable.name} ", wrap(runs(members.keys)))
    ends: dict[str, list[str]] = {}
    if isinstance(variable, Integer):
        about["values"], columns = _values(variable)
        ends = {word: wrap(runs(column)) for word, column in columns.items()}
    parts = [("keys", keys), *ends.items(), ("ids", ids)]
    return {
        "name": variable.name,
        "about": safe_json(about),
        "lines": [(word, line) for word, lines in parts for line in lines],
    }


def _in_one(begin: str, lines: list[str]) -> list[str]:
    """Many lines as one for a template, which takes far longer over each of them."""
    return [f"\n{begin}".join(lines)] if lines else []


def _values(integer: Integer) -> tuple[dict[str, Any], dict[str, Ints]]:
    """Return the encoding and the bounds of integers; one bound for each member if they differ."""
    about: dict[str, Any] = {"encoding": integer.encoding, "members": integer.members.count}
    low, high = (column - integer.min_value for column in (integer.low, integer.high))
    if not len(low):
        return about | {"low": 0, "high": 0}, {}
    about["low"] = integer.min_value
    if low.any() or (high != high[0]).any():
        # Numbers in comments have no signs.
        return about, {"lows": low, "highs": high}
    return about | {"high": integer.max_value}, {}


def safe_json(value: Any) -> str:
    """JSON on one line of ASCII that no program takes for anything but a comment.

    CaDiCaL executes `--option` in comments, and drat-trim takes `cnf INT INT` for the header. Both
    can only stand inside strings here, where an escape says the same.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(", ", ": "))
    return text.replace("--", "-\\u002d").replace("cnf", "\\u0063nf")


def wrap(words: Any) -> list[str]:
    """Words on lines of moderate length."""
    lines: list[str] = []
    line: list[str] = []
    used = 0
    for word in words:
        if used + len(word) > _WIDTH and line:
            lines.append(" ".join(line))
            line, used = [], 0
        line.append(word)
        used += len(word) + 1
    return [*lines, " ".join(line)] if line else lines


def runs(keys: Ints) -> list[str]:
    """Numbers as `first`, `first+count` or `first+count*step`, in their order."""
    if not len(keys):
        return []
    steps = np.diff(keys)
    turns = np.flatnonzero(np.diff(steps)) + 1
    bounds = np.concatenate([[0], turns, [len(steps)]])
    # Between two bounds all steps are equal; keys that are no part of three are written alone.
    places = np.flatnonzero(np.diff(bounds) >= 2)
    shown: list[str] = []
    start = 0
    begins, ends = bounds[places], bounds[places + 1].tolist()
    # A run that begins where the last one ended has lost its first key.
    columns = (keys[begins], keys[begins + 1], steps[begins])
    told = zip(begins.tolist(), ends, *(column.tolist() for column in columns), strict=True)
    for bound, end, first, second, step in told:
        begin = max(start, bound)
        if end - begin >= 2:
            if start < begin:
                shown += map(str, keys[start:begin].tolist())
            run = f"{first if begin == bound else second}+{end - begin + 1}"
            shown.append(run if step == 1 else f"{run}*{step}")
            start = end + 1
    return [*shown, *map(str, keys[start:].tolist())]
