"""Verification of a header: the formula is rebuilt from the catalogue and compared with the file.

The header of a file may be false, and its clauses may have been changed. So an answer for the
board that a header describes (a count, a tour, its absence) is an answer to the clauses only if
rebuilding from the header gives the same formula.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from boardsat.adapters.boards import GraphBoard, board_of
from boardsat.adapters.command_clock import CommandLimitError, work_step
from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.header_entries import Variable
from boardsat.base.errors import BoardsatError, InputError
from boardsat.generators import Spec
from boardsat.generators.graphs.constructions import is_construction
from boardsat.generators.schema import Parameter
from boardsat.generators.sections.parameters import parameters_of, settings_for
from boardsat.generators.spec.catalogue import find
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.inputs import CatalogueInput, TransformOptions, temporary_formula_file
from boardsat.instance.regeneration import transform_options


def require_verified_header(instance: Instance) -> None:
    """Raise InputError if the clauses of a file are not the formula that its header describes."""
    if (
        not isinstance(instance, FormulaFile)
        or instance.generated_here
        or not instance.header.board.options
    ):
        return
    if not rebuilds_identically(instance):
        raise InputError(
            "the clauses do not match the header: rebuilding from it gives another formula",
            "choose a solver or counter that reads CNF",
            instance.path,
        )


def rebuilds_identically(file: FormulaFile) -> bool:
    """Return whether building the spec that the header names gives exactly this formula."""
    transforms = _transforms(file)
    if not file.header.problem or transforms is None:
        return False
    try:
        with work_step("the formula was rebuilt to verify the header"):
            return _rebuilds_identically(file, transforms)
    except CommandLimitError:
        raise
    except BoardsatError:
        return False  # the spec of another version may differ


def _rebuilds_identically(file: FormulaFile, transforms: TransformOptions) -> bool:
    header = file.header
    spec = find(header.problem, header.encoding).from_outside()
    settings = settings_from_header(spec, header)
    source = CatalogueInput(header.problem, header.encoding, settings, transforms, spec)
    # The board is compared first, as this is quick even if the numbers of a header are huge.
    if _board_facts(source.counted_board()) != _board_facts(file):
        return False
    return _has_formula(source, file)


def settings_from_header(spec: Spec, header: Header) -> dict[str, str]:
    """Return the settings under which a spec has the parameters of a header.

    A graph is read from the board in the header: no file is opened because a header names it.
    """
    settings = dict(header.parameters)
    parameters = parameters_of(spec)
    files = [
        parameter.name
        for parameter in parameters
        if parameter.type == "graph" and not _is_constructed(parameter, settings)
    ]
    for name in files:
        settings[name] = _graph_text(header)
    for parameter in parameters:
        number = settings.get(parameter.name)
        # The text numbers the vertices from 1; a construction, like the header, from 0.
        if files and parameter.type == "cell" and type(number) is int:
            settings[parameter.name] = number + 1
    return settings_for(spec, settings)


def _is_constructed(parameter: Parameter, settings: Mapping[str, Any]) -> bool:
    """Return whether a setting names a construction of a graph, not a file."""
    setting = settings.get(parameter.name)
    return isinstance(setting, str) and is_construction(parameter.kind, setting)


def _graph_text(header: Header) -> str:
    """Return the graph of a header in the DIMACS format of graphs."""
    board = board_of(header)
    if not isinstance(board, GraphBoard):
        raise InputError("the board in the header must be a graph")
    pairs = sorted(board.joined)
    if board.directed:
        lines = [f"p sp {board.cells} {len(pairs)}", *(f"a {u + 1} {v + 1} 1" for u, v in pairs)]
    else:
        lines = [f"p edge {board.cells} {len(pairs)}", *(f"e {u + 1} {v + 1}" for u, v in pairs)]
    return "\n".join([*lines, ""])


def _board_facts(instance: Instance) -> tuple[object, ...]:
    """Return the properties of the board to compare, without the names of files and vertices."""
    header = instance.header
    parameters = {k: v for k, v in header.parameters.items() if not isinstance(v, dict)}
    board = {k: v for k, v in header.board.options.items() if k not in ("first", "labels")}
    return header.problem, parameters, board, _to_list(header.board.edges)


def _has_formula(source: CatalogueInput, file: FormulaFile) -> bool:
    """Return whether a file has the clauses and the description of a catalogue problem."""
    formula = source.formula(COUNT)
    if (formula.variables, formula.clauses) != (file.variables, file.clauses):
        return False
    with temporary_formula_file(formula) as rebuilt:
        has_description = _description(rebuilt) == _description(file)
        return has_description and gbd_hash(rebuilt.path) == gbd_hash(file.path)


def _description(file: FormulaFile) -> tuple[object, ...]:
    """Return the description of the model in the header: variables, views, lazy constraints."""
    header = file.header
    variables = [
        (
            variable.name,
            variable.shape,
            _to_list(variable.keys),
            _to_list(variable.ids),
            _integer_ranges(variable),
        )
        for variable in header.variables.values()
    ]
    lazy = [_parse_json(line) for line in header.lazy]
    views = [view.comparison_key for view in header.display.views]
    counting = header.counting.objects, header.symmetry, file.weights()
    return variables, views, file.projection().tolist(), lazy, counting


def _integer_ranges(variable: Variable) -> tuple[object, ...]:
    """Return the encoding and ranges of a variable's integers; empty if it has none."""
    integers = variable.integers
    if not integers:
        return ()
    return integers.encoding, _to_list(integers.low), _to_list(integers.high)


def _to_list(numbers: Ints | None) -> list[int] | None:
    return None if numbers is None else numbers.tolist()


def _transforms(file: FormulaFile) -> TransformOptions | None:
    """Return the transforms that the header lists. None if one of them is unknown."""
    options: dict[str, Any] = {}
    for line in file.comments:
        if line.startswith("transform "):
            new_options = transform_options(_parse_json(line.removeprefix("transform ")))
            if not new_options:
                return None
            options |= new_options
    return TransformOptions(**options)


def _parse_json(text: str) -> object:
    """Return the value of a JSON text. None if it is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
