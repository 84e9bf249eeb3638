"""Logic programs for clingo: one Jinja2 template for each method, rendered for a board.

A template has the name of its method; templates whose names begin with `_` are included by others.
A program begins with the header comments of a DIMACS file, with `%` in place of `c`, so that an
answer can be decoded with the program alone.
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
SUFFIX = ".lp.j2"
DEFAULT = "acyclic"
"""Default method, which solves the largest boards."""

PROBLEMS = ("tour", "hamilton")
"""Problems that the methods solve. Specs of users may have other constraints: they are rejected."""

VIEWS: dict[str, dict[str, Any]] = {
    "visit": {"view": "order", "atom": "visit", "position": 0, "cell": 1},
    "move": {"view": "arcs", "atom": "move", "from": 0, "to": 1},
}
"""View that decodes an answer set, by the name of the atom in the `#show` of the program."""


FACT_BYTES = 200
"""Memory for each cell and each move in the text of a program."""


class Program(NamedTuple):
    """Logic program: stem of its file, size of its board, and text."""

    stem: str
    cells: int
    steps: int
    text: str


def methods() -> list[str]:
    names = (path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))
    return sorted(name for name in names if not name.startswith("_"))


def render(spec: Spec, settings: Mapping[str, Any] | None, method: str = DEFAULT) -> Program:
    """Return the logic program of a method for the board of a spec; no clauses are generated."""
    import numpy as np

    from boardsat.generators.build_limits import build_limits
    from boardsat.generators.builder import build_header

    if method not in methods():
        raise InputError(f"no method {method!r}", suggest(method, methods()))
    if "/" not in spec.name or spec.problem not in PROBLEMS:
        raise InputError(
            f"there is no logic program for {spec.name!r}",
            f"use an encoding of {' or '.join(PROBLEMS)}",
        )
    # The board has a cell outside if a tour may begin anywhere.
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
            .get_template(f"{method}{SUFFIX}")
            .render(
                cells=board.cells,
                # Enumerated here, because a template loop with a condition skips numbers.
                neighbours=[*enumerate(cells.tolist() for cells in np.split(near, starts[1:-1]))],
                start=board.cell(header.parameters.get("start", 0)),
                closed=header.parameters.get("closed", True),
                one_direction=header.parameters.get("one_direction", False) and not board.directed,
                shortest=2 if board.directed else 3,
            )
        )
    comments = (
        _templates().get_template(f"_comments{SUFFIX}").render(_comments(header, method, body))
    )
    return Program(header.stem, board.cells, len(near), f"{comments}\n{body}")


# The environment caches compiled templates.
@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined)


def _comments(header: Header, method: str, body: str) -> dict[str, Any]:
    """Return the values for the template of comments; `body` determines heuristic and view."""
    from boardsat.generators.dimacs.document import FORMAT, runs, safe_json, wrap

    atom = re.search(r"^#show (\w+)/", body, re.M)
    assert atom is not None
    entries = {
        "format": FORMAT,
        "spec": header.spec,
        "sha256": header.sha256,
        "method": method,
        "heuristic": "Domain" if "#heuristic" in body else None,
        **({"unsat_message": header.unsat_message} if header.unsat_message else {}),
    }
    return {
        "about": safe_json(entries),
        "parameters": safe_json(header.parameters),
        "board": safe_json(header.board),
        "edges": wrap(runs(header.edges)) if header.edges is not None else [],
        "objects": safe_json(header.objects) if header.objects else "",
        "decode": safe_json(VIEWS[atom[1]]),
    }
