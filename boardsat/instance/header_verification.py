"""Whether a file is what its header says: it is built again from the catalogue, and compared.

A header alone proves nothing, for anybody can write one, or change a clause below it. So whatever
is known of the board that a header describes (a count, a tour, that there is none) is an answer to
the clauses only of a file that is built again alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from boardsat.adapters.boards import GraphBoard, board_of
from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.variables import Variable
from boardsat.base.errors import BoardsatError, InputError
from boardsat.clock import CommandLimitError, during
from boardsat.generators import Spec
from boardsat.generators.graphs.constructions import names_one
from boardsat.generators.schema import Parameter
from boardsat.generators.sections.parameters import parameters_of, settings_for
from boardsat.generators.spec.catalogue import find
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import Instance, Problem
from boardsat.instance.inputs import Changes, Named, written


def refuse_unlike(instance: Instance) -> None:
    """For those who read the board of a formula in place of its clauses."""
    if not isinstance(instance, Problem) or instance.own or not instance.header.board:
        return
    if not is_built_alike(instance):
        raise InputError(
            "its clauses are not those that its header describes, so its board does not tell "
            "about them",
            "choose a solver or counter that reads the clauses",
            instance.path,
        )


def is_built_alike(problem: Problem) -> bool:
    """Whether its header names an encoding of the catalogue that gives exactly this formula."""
    header, changes = problem.header, _changes(problem)
    if not header.problem or changes is None:
        return False
    try:
        with during("the formula was built again, to see whether it is what its header says"):
            return _again(problem, changes)
    except CommandLimitError:
        raise
    except BoardsatError:
        return False  # as another version wrote it


def _again(problem: Problem, changes: Changes) -> bool:
    header = problem.header
    spec = find(header.problem, header.encoding)
    settings = settings_again(spec, header)
    again = Named(header.problem, header.encoding, settings, changes, spec)
    # First what takes no time, for the numbers of a header may be large.
    return _board(again.counted_board()) == _board(problem) and _is_alike(again, problem)


def settings_again(spec: Spec, header: Header) -> dict[str, str]:
    """The settings under which a spec has the values of a header.

    A graph is that of its board: no file is opened because a header names it.
    """
    told = dict(header.parameters)
    parameters = parameters_of(spec)
    files = [each.name for each in parameters if each.type == "graph" and not _is_named(each, told)]
    for name in files:
        told[name] = _graph_text(header)
    for parameter in parameters:
        number = told.get(parameter.name)
        # That text numbers the vertices from 1; a construction, as the header, from 0.
        if files and parameter.type == "cell" and type(number) is int:
            told[parameter.name] = number + 1
    return settings_for(spec, told)


def _is_named(parameter: Parameter, told: Mapping[str, Any]) -> bool:
    """Whether a graph is one by construction."""
    value = told.get(parameter.name)
    return isinstance(value, str) and names_one(parameter.kind, value)


def _graph_text(header: Header) -> str:
    board = board_of(header)
    if not isinstance(board, GraphBoard):
        raise InputError("its board is not a graph", "write the file again")
    pairs = sorted(board.joined)
    if board.directed:
        lines = [f"p sp {board.cells} {len(pairs)}", *(f"a {u + 1} {v + 1} 1" for u, v in pairs)]
    else:
        lines = [f"p edge {board.cells} {len(pairs)}", *(f"e {u + 1} {v + 1}" for u, v in pairs)]
    return "\n".join([*lines, ""])


def _board(instance: Instance) -> tuple[object, ...]:
    """All that is known of it without a formula; what a graph is called tells nothing."""
    header = instance.header
    parameters = {k: v for k, v in header.parameters.items() if not isinstance(v, dict)}
    board = {k: v for k, v in header.board.items() if k not in ("first", "labels")}
    return header.problem, parameters, board, _numbers(header.edges)


def _is_alike(again: Named, problem: Problem) -> bool:
    formula = again.formula(COUNT)
    if (formula.variables, formula.clauses) != (problem.variables, problem.clauses):
        return False
    with written(formula) as file:
        same = _formula(file) == _formula(problem)
        return same and gbd_hash(file.path) == gbd_hash(problem.path)


def _formula(problem: Problem) -> tuple[object, ...]:
    """What the header says of the clauses: what they stand for, and what they leave unsaid."""
    header = problem.header
    variables = [
        (each.name, each.shape, _numbers(each.keys), _numbers(each.ids), _integers(each))
        for each in header.variables.values()
    ]
    lazy = [_read(line) for line in header.lazy]
    views = [view.told for view in header.views]
    told = header.objects, header.symmetry, problem.weights()
    return variables, views, problem.projection().tolist(), lazy, told


def _integers(variable: Variable) -> tuple[object, ...]:
    """What its literals say of values, if it has any."""
    told = variable.integers
    return (told.encoding, _numbers(told.low), _numbers(told.high)) if told else ()


def _numbers(numbers: Ints | None) -> list[int] | None:
    return None if numbers is None else numbers.tolist()


def _changes(problem: Problem) -> Changes | None:
    """What the header says was done to the formula; None where that is not to be understood."""
    options: dict[str, Any] = {}
    for line in problem.comments:
        if not line.startswith("transform "):
            continue
        match _read(line.removeprefix("transform ")):
            case {"transform": "symmetry"}:
                options["symmetry"] = True
            case {"transform": "propagate"}:
                options["propagate"] = True
            case {"transform": "split", "equivalences": bool(keep)}:
                options["three_cnf"] = "equivalences" if keep else "chain"
            case {"transform": "shuffle", "seed": int(seed)}:
                options["shuffle"] = seed
            case _:
                return None
    return Changes(**options)


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
