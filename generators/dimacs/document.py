"""DIMACS file of a formula: comments, header line, and clauses as they are generated.

Free text occurs in JSON strings only, and no comment begins with a word that a solver or a proof
checker takes for a command.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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
"""Version of the header, written in the `c boardsat` line."""

NUMBERS_PER_LINE = 16
"""Maximum number of variables on a line of a projection or a renaming."""

_MAX_LINE_LENGTH = 100


def choose_projection(formula: Formula, projection: str | None) -> str:
    """Return the form of the projection: `ind`, `show` or `none`.

    Weights are written for the model counting competition, and so is the projection of a weighted
    formula if the user does not choose a form.
    """
    if projection is None:
        default = "show" if formula.weights else "ind"
        return "none" if formula.header.projection is None else default
    check_choice(projection, PROJECTIONS)
    return projection


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces; a memoryview is valid until the next piece is requested."""
    yield preamble(formula, choose_projection(formula, projection))
    yield from clauses(formula)


def clauses(formula: Formula) -> Iterator[Buffer]:
    """Yield the clause lines in pieces."""
    renderer = Renderer(formula.variables)
    for chunk in formula.chunks():
        yield from renderer.text(chunk)


def byte_sizes(formula: Formula, projection: str | None = None) -> tuple[int, list[int]]:
    """Return the number of bytes of the preamble and of the clauses of each constraint."""
    preamble_size = len(preamble(formula, choose_projection(formula, projection)))
    return preamble_size, [sum(map(measure, section.chunks())) for section in formula.sections]


def largest_size(formula: Formula) -> int:
    """Return an upper bound on the number of bytes of the clauses, without generating them."""
    return (
        formula.literals * (len(str(formula.variables)) + 2)
        + 2 * formula.clauses
        + formula.xor_lines
    )


def preamble(formula: Formula, projection: str) -> bytes:
    """Return the file up to its clauses: comments, header line, projection and weights."""
    variables = formula.header.projection if projection != "none" else None
    if variables is None and projection == "ind":
        # Without a projection, models are counted over all variables.
        variables = np.arange(1, formula.variables + 1)
    per_line = NUMBERS_PER_LINE if projection == "ind" else formula.variables
    numbers = [] if variables is None else _number_lines(variables, per_line)
    text = _preamble_template().render(
        competition_type=_competition_type(formula, projection),
        comments=comments(formula),
        independent=numbers if projection == "ind" else [],
        shown=numbers if projection == "show" else [],
        variables=formula.variables,
        clauses=formula.clauses,
        weights=formula.weights.lines() if formula.weights else [],
    )
    return text.encode("ascii")


@cache
def _preamble_template() -> Template:
    """Return the compiled template, as compiling it takes longer than a small file."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined)
    return environment.from_string(Path(__file__).with_name("preamble.cnf.j2").read_text())


def _competition_type(formula: Formula, projection: str) -> str:
    """Return the type of the model counting competition, such as `pmc`; empty outside of it."""
    if projection != "show" and not formula.weights:
        return ""
    projected = projection != "none" and formula.header.projection is not None
    return f"{'p' if projected else ''}{'w' if formula.weights else ''}mc"


def projection_lines(formula: Formula) -> str:
    """Return the `c ind` lines; empty if models are counted over all variables."""
    projection = formula.header.projection
    return "" if projection is None else _independent_lines(projection)


def _independent_lines(variables: Ints) -> str:
    return _lines("c ind", _number_lines(variables, NUMBERS_PER_LINE))


def comments(formula: Formula, **file_entries: Any) -> str:
    """Return the comments of a formula file of any format.

    The entries of the file, such as the number of its clauses, are added to those of the formula.
    """
    header = formula.header
    if header.verbatim is not None:
        return "".join(f"c {line}\n" for line in header.verbatim)
    views = header.views
    entries = {
        "spec_variables": formula.num_spec_variables,
        "count_preserving": header.count_preserving,
        **({"encodings": header.encodings} if header.encodings else {}),
        **({"xor_lines": formula.xor_lines} if formula.xor_lines else {}),
        **file_entries,
    }
    board_style = [{"ground": views.board_style}] if views.board_style else []
    # The number of clauses shows later whether some were added to the file.
    lazy = [constraint | {"clauses": formula.clauses} for constraint in header.lazy]
    texts = [description(header, **entries)]
    texts += [_variable_lines(variable, header) for variable in header.variables]
    texts.append(objects_line(header))
    if formula.objective:
        texts.append(_json_lines("objective", [formula.objective.to_json()]))
    texts.append(_json_lines("decode", views.model_views))
    texts.append(_json_lines("drawing", [*board_style, *views.static_views]))
    for number, column in enumerate(views.columns):
        texts.append(_lines(f"c column {number}", wrap(runs(column)) or [""]))
    texts += [_run_lines("regions", views.regions), _run_lines("given", views.given_cells)]
    texts += [_json_lines("lazy", lazy), _json_lines("transform", header.transforms)]
    return "".join(texts)


def description(instance: Description, **entries: Any) -> str:
    """Return the comments about an instance; the entries are added to the `c boardsat` line."""
    entries = {
        "format": FORMAT,
        "spec": instance.spec,
        "sha256": instance.sha256,
        "title": instance.title,
        "cite": instance.cite,
        **entries,
        **({"unsat_message": instance.unsat_message} if instance.unsat_message else {}),
    }
    board = [instance.board] if instance.board else []
    return (
        _json_lines("boardsat", [entries])
        + _json_lines("parameters", [instance.parameters])
        + _json_lines("board", board)
        + _run_lines("edges", instance.edges)
    )


def objects_line(header: Header) -> str:
    """Return the comment about the counted objects; empty if there are none."""
    return _json_lines("objects", [header.objects] if header.objects else [])


def _lines(prefix: str, texts: Iterable[str]) -> str:
    """Return a line for each text, with a prefix."""
    return "".join(f"{prefix} {text}".rstrip() + "\n" for text in texts)


def _json_lines(key: str, entries: Iterable[Any]) -> str:
    return _lines(f"c {key}", map(safe_json, entries))


def _run_lines(key: str, numbers: Ints | None) -> str:
    return "" if numbers is None else _lines(f"c {key}", wrap(runs(numbers)))


def _number_lines(numbers: Ints | Tokens, per_line: int) -> list[str]:
    """Return numbers in lines that end with 0, rendered as clauses are."""
    if not len(numbers):
        return ["0"]
    tokens = np.insert(numbers, np.arange(per_line, len(numbers), per_line), 0).astype(np.int32)
    text = LiteralTable(int(numbers.max())).text(np.append(tokens, 0).astype(np.int32))
    return text.decode("ascii").splitlines()


def _variable_lines(variable: Variable | Integer, header: Header) -> str:
    """Return the comments about a variable of the spec: its numbers, indices and renaming."""
    members = variable.members if isinstance(variable, Integer) else variable
    entries: dict[str, Any] = {
        "name": variable.name,
        "first": variable.first,
        "count": variable.count,
        "shape": list(members.shape),
        "index": list(members.names),
        "description": variable.description,
    }
    columns: dict[str, Ints] = {}
    if isinstance(variable, Integer):
        entries["values"], columns = _integer_values(variable)
    text = _json_lines("variable", [entries])
    for key, column in {"keys": members.keys, **columns}.items():
        text += _run_lines(f"{key} {variable.name}", column)
    if header.renamed is not None:
        names = header.renamed[variable.first : variable.first + variable.count]
        text += _lines(f"c ids {variable.name}", _number_lines(names, NUMBERS_PER_LINE))
    return text


def _integer_values(integer: Integer) -> tuple[dict[str, Any], dict[str, Ints]]:
    """Return the encoding and bounds of integers; columns of bounds for members if they differ."""
    entries: dict[str, Any] = {"encoding": integer.encoding, "members": integer.members.count}
    low, high = (column - integer.min_value for column in (integer.low, integer.high))
    if not len(low):
        return entries | {"low": 0, "high": 0}, {}
    entries["low"] = integer.min_value
    if low.any() or (high != high[0]).any():
        # Numbers in comments have no signs.
        return entries, {"lows": low, "highs": high}
    return entries | {"high": integer.max_value}, {}


def safe_json(value: Any) -> str:
    """Return JSON on one line of ASCII that every program takes for a comment.

    CaDiCaL executes `--option` in comments, and drat-trim takes `cnf INT INT` for the header. Both
    can occur only in JSON strings, where they are escaped.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(", ", ": "))
    return text.replace("--", "-\\u002d").replace("cnf", "\\u0063nf")


def wrap(tokens: Iterable[str]) -> list[str]:
    """Return words on lines of moderate length."""
    lines: list[str] = []
    line: list[str] = []
    used = 0
    for token in tokens:
        if used + len(token) > _MAX_LINE_LENGTH and line:
            lines.append(" ".join(line))
            line, used = [], 0
        line.append(token)
        used += len(token) + 1
    return [*lines, " ".join(line)] if line else lines


def runs(numbers: Ints) -> list[str]:
    """Return numbers as `first`, `first+count` or `first+count*step`, in their order."""
    if not len(numbers):
        return []
    steps = np.diff(numbers)
    changes = np.flatnonzero(np.diff(steps)) + 1
    bounds = np.concatenate([[0], changes, [len(steps)]])
    # Between two bounds all steps are equal; only three numbers or more are written as a run.
    run_indices = np.flatnonzero(np.diff(bounds) >= 2)
    tokens: list[str] = []
    start = 0
    begins, ends = bounds[run_indices], bounds[run_indices + 1].tolist()
    # A run that begins where the last one ended has lost its first number.
    columns = (numbers[begins], numbers[begins + 1], steps[begins])
    rows = zip(begins.tolist(), ends, *(column.tolist() for column in columns), strict=True)
    for bound, end, first, second, step in rows:
        begin = max(start, bound)
        if end - begin >= 2:
            if start < begin:
                tokens += map(str, numbers[start:begin].tolist())
            run = f"{first if begin == bound else second}+{end - begin + 1}"
            tokens.append(run if step == 1 else f"{run}*{step}")
            start = end + 1
    return [*tokens, *map(str, numbers[start:].tolist())]
