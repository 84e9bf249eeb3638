"""Formula to DIMACS: the preamble, then the clauses as they are produced.

Free text stands only inside JSON strings (see safe_json), and no comment begins with a word that a
solver or a checker takes for a command. No template lays them out: to load what reads one would
take longer than all else that a small file needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.choices import PROJECTIONS, check_choice
from boardsat.generators.dimacs.text import Buffer, Renderer, measure
from boardsat.generators.dimacs.words import Lexicon
from boardsat.generators.errors import InputError
from boardsat.generators.formula import Description, Formula, Header
from boardsat.generators.language.integers import Integer
from boardsat.generators.language.layout import Variable

FORMAT = 1
"""The version of the header that `c boardsat` lines state."""

PER_LINE = 16
"""Variables on a line of a projection or a renaming."""

_WIDTH = 100


def choose_projection(formula: Formula, wanted: str | None) -> str:
    """`ind` where there is a projection, unless another form was asked for."""
    if wanted is None:
        return "none" if formula.header.projection is None else "ind"
    check_choice(wanted, PROJECTIONS)
    if wanted == "ind" and formula.header.projection is None:
        raise InputError("this spec has no projection", "use --projection none, or add one to it")
    return wanted


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """The whole file in pieces; a memoryview is valid until the next piece is asked for."""
    yield preamble(formula, choose_projection(formula, projection))
    yield from clauses(formula)


def clauses(formula: Formula) -> Iterator[Buffer]:
    """What follows the preamble."""
    renderer = Renderer(formula.variables)
    for chunk in formula.chunks():
        yield from renderer.text(chunk)


def byte_sizes(formula: Formula, projection: str | None = None) -> tuple[int, list[int]]:
    """The bytes of the preamble and of each section."""
    head = len(preamble(formula, choose_projection(formula, projection)))
    return head, [sum(map(measure, section.chunks())) for section in formula.sections]


def largest_size(formula: Formula) -> int:
    """An upper bound on the bytes of the clauses, for which none need be made."""
    return (
        formula.literals * (len(str(formula.variables)) + 2)
        + 2 * formula.clauses
        + formula.xor_lines
    )


def preamble(formula: Formula, projection: str) -> bytes:
    chosen = formula.header.projection if projection != "none" else None
    independent = projection_lines(formula) if projection == "ind" else ""
    kind, shown = "", ""
    if projection == "show":
        kind = f"c t {'mc' if chosen is None else 'pmc'}\n"
        shown = "" if chosen is None else _lines("p show", _number_lines(chosen, len(chosen)))
    header = f"p cnf {formula.variables} {formula.clauses}\n"
    return f"{kind}{comments(formula)}{independent}{header}{shown}".encode("ascii")


def projection_lines(formula: Formula) -> str:
    """The comments that tell what is counted over, where that is not everything."""
    chosen = formula.header.projection
    return "" if chosen is None else _lines("ind", _number_lines(chosen, PER_LINE))


def comments(formula: Formula, **of_file: Any) -> str:
    """What a file of any format tells of its formula, and of itself."""
    header = formula.header
    if header.verbatim is not None:
        return "".join(f"c {line}\n" for line in header.verbatim)
    encodings: dict[str, Any] = {"encodings": header.encodings} if header.encodings else {}
    if formula.xor_lines:
        encodings["xor_lines"] = formula.xor_lines
    about = {"named": formula.named, "keeps_counts": header.keeps_counts, **encodings, **of_file}
    # Whoever adds clauses asks for something else, and can tell by their number.
    lazy = (each | {"clauses": formula.clauses} for each in header.lazy)
    lines = (
        description(header, **about),
        *(_variable_lines(variable, header) for variable in header.variables),
        objects_line(header),
        _json_lines("objective", [formula.objective.told()] if formula.objective else ()),
        _json_lines("decode", header.decode),
        _json_lines("drawing", _drawing(header)),
        # A column without numbers has a line all the same.
        *(
            _lines(f"column {number}", wrap(runs(column))) or f"c column {number}\n"
            for number, column in enumerate(header.columns)
        ),
        _run_lines("regions", header.regions),
        _run_lines("given", header.given),
        _json_lines("lazy", lazy),
        _json_lines("transform", header.transforms),
    )
    return "".join(lines)


def _drawing(header: Header) -> list[dict[str, Any]]:
    """What is drawn whatever the model: the ground, and views of the question."""
    return [*([{"ground": header.ground}] if header.ground else []), *header.always]


def description(instance: Description, **of_formula: Any) -> str:
    """The comments that tell what an instance is, and what is to be said of its formula."""
    about = {
        "format": FORMAT,
        "spec": instance.spec,
        "sha256": instance.sha256,
        "title": instance.title,
        "cite": instance.cite,
        **of_formula,
        **({"none": instance.none} if instance.none else {}),
    }
    lines = (
        _json_lines("boardsat", [about]),
        _json_lines("parameters", [instance.parameters]),
        _json_lines("board", [instance.board] if instance.board else ()),
        _run_lines("edges", instance.edges),
    )
    return "".join(lines)


def objects_line(header: Header) -> str:
    """The comment that tells what is counted."""
    return _json_lines("objects", [header.objects] if header.objects else ())


def _lines(word: str, rests: Iterable[str]) -> str:
    """A comment with this word for each."""
    return "".join(f"c {word} {rest}\n" for rest in rests)


def _json_lines(word: str, values: Iterable[Any]) -> str:
    return _lines(word, map(safe_json, values))


def _run_lines(word: str, numbers: Ints | None) -> str:
    return "" if numbers is None else _lines(word, wrap(runs(numbers)))


def _number_lines(numbers: Ints | Tokens, per_line: int) -> list[str]:
    """Numbers in lines that end with 0, by the way that clauses are rendered."""
    if not len(numbers):
        return ["0"]
    tokens = np.insert(numbers, np.arange(per_line, len(numbers), per_line), 0).astype(np.int32)
    text = Lexicon(int(numbers.max())).text(np.append(tokens, 0).astype(np.int32))
    return text.decode("ascii").splitlines()


def _variable_lines(variable: Variable | Integer, header: Header) -> str:
    members = variable.members if isinstance(variable, Integer) else variable
    about: dict[str, Any] = {
        "name": variable.name,
        "first": variable.first,
        "count": variable.count,
        "shape": list(members.shape),
        "index": list(members.names),
        "means": variable.means,
    }
    columns: dict[str, Ints] = {} if members.keys is None else {"keys": members.keys}
    if isinstance(variable, Integer):
        about["values"], ends = _values(variable)
        columns |= ends
    ids = ""
    if header.renamed is not None:
        present = header.renamed[variable.first : variable.first + variable.count]
        ids = _lines(f"ids {variable.name}", _number_lines(present, PER_LINE))
    told = (_run_lines(f"{word} {variable.name}", column) for word, column in columns.items())
    return "".join((_json_lines("variable", [about]), *told, ids))


def _values(integer: Integer) -> tuple[dict[str, Any], dict[str, Ints]]:
    """The encoding of integers and their ends; where these differ, a number for every member."""
    about: dict[str, Any] = {"encoding": integer.encoding, "members": integer.members.count}
    low, high = (column - integer.least for column in (integer.low, integer.high))
    if not len(low):
        return about | {"low": 0, "high": 0}, {}
    about["low"] = integer.least
    if low.any() or (high != high[0]).any():
        # Numbers in comments have no signs.
        return about, {"lows": low, "highs": high}
    return about | {"high": integer.most}, {}


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
