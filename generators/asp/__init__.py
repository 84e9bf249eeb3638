"""Logic programs for clingo: one Jinja2 template a method, rendered from the board of a spec.

The file's name is the method's; those that begin with `_` are parts that methods share. A program
begins with the comments of a DIMACS file, `%` for `c`, so that an answer is read from it alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.base.text import suggest

if TYPE_CHECKING:
    from jinja2 import Environment

    from boardsat.generators.formula import Header
    from boardsat.generators.schema import Spec

FOLDER = Path(__file__).parent
ENDING = ".lp.j2"
DEFAULT = "acyclic"
"""The method that is meant where none is named: it solves the largest boards."""

PROBLEMS = ("tour", "hamilton")
"""What the methods are about; a spec from elsewhere may ask for more than a tour."""

VIEWS: dict[str, dict[str, Any]] = {
    "visit": {"view": "order", "atom": "visit", "position": 0, "cell": 1},
    "move": {"view": "arcs", "atom": "move", "from": 0, "to": 1},
}
"""How an answer set becomes a tour, by the atoms that the program shows."""


FACT_BYTES = 200
"""What a cell or a step of a board takes in the text of a program."""


class Program(NamedTuple):
    """The text of a logic program, what its file is called, and the size of its board."""

    stem: str
    cells: int
    steps: int
    text: str


def methods() -> list[str]:
    names = (path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))
    return sorted(name for name in names if not name.startswith("_"))


def render(spec: Spec, settings: Mapping[str, Any] | None, method: str = DEFAULT) -> Program:
    """Return the logic program of a method for the board of a spec, without any clauses."""
    import numpy as np

    from boardsat.generators.build_limits import build_limits
    from boardsat.generators.builder import build_header

    if method not in methods():
        raise InputError(f"no method {method!r}", suggest(method, methods()))
    if "/" not in spec.name or spec.problem not in PROBLEMS:
        raise InputError(
            f"no program for {spec.name!r}", f"there are programs for {' and '.join(PROBLEMS)}"
        )
    # A board with one cell more, where a tour may begin anywhere.
    with (
        build_limits(spec.source.is_built_in),
        current_part(f"the program {method!r}", spec.board_entry.location),
    ):
        header, board = build_header(spec, settings, f"{spec.problem}/{method}")
        if board.guards.size:
            raise InputError(
                "logic programs do not support enemies", "use an encoding with positions"
            )
        if header.parameters.get("fix"):
            raise InputError("logic programs do not support fix", "use an encoding", "fix")
        starts, near = board.neighbours.starts, board.neighbours.columns[0]
        checkpoint(FACT_BYTES * (board.cells + len(near)))
        body = (
            _templates()
            .get_template(f"{method}{ENDING}")
            .render(
                cells=board.cells,
                # Numbered here: a loop that leaves some out does not count them.
                neighbours=[*enumerate(part.tolist() for part in np.split(near, starts[1:-1]))],
                start=board.cell(header.parameters.get("start", 0)),
                closed=header.parameters.get("closed", True),
                one_direction=header.parameters.get("one_direction", False) and not board.directed,
                shortest=2 if board.directed else 3,
            )
        )
    words = _comments(header, method, body)
    comments = _templates().get_template(f"_comments{ENDING}").render(words)
    return Program(header.stem, board.cells, len(near), f"{comments}\n{body}")


# It keeps what it has compiled.
@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined)


def _comments(header: Header, method: str, body: str) -> dict[str, Any]:
    """Return the comments of a program; search and view follow from the program itself."""
    from boardsat.generators.dimacs.document import FORMAT, runs, safe_json, wrap

    shown = re.search(r"^#show (\w+)/", body, re.M)
    assert shown is not None
    about = {
        "format": FORMAT,
        "spec": header.spec,
        "sha256": header.sha256,
        "method": method,
        "heuristic": "Domain" if "#heuristic" in body else None,
        **({"unsat_message": header.unsat_message} if header.unsat_message else {}),
    }
    return {
        "about": safe_json(about),
        "parameters": safe_json(header.parameters),
        "board": safe_json(header.board),
        "edges": wrap(runs(header.edges)) if header.edges is not None else [],
        "objects": safe_json(header.objects) if header.objects else "",
        "decode": safe_json(VIEWS[shown[1]]),
    }
