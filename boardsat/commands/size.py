"""Show the size of files without writing them.

Examples:
    boardsat size tour --enc direct -n 20
    boardsat size tour --enc unary -n 8 --json
    boardsat size tour --enc binary,unary -n 5..9
    boardsat size tour --enc all --set rows=3..5 --set cols=10
    boardsat size magic -n 4 --format all

The table has a row for each constraint if there is one instance, else a row for each instance.
"""

from __future__ import annotations

import argparse
from typing import Any

from boardsat.commands import _instance_options
from boardsat.generators import formats
from boardsat.generators.option_values import check_choice, split
from boardsat.generators.spec.defaults import WRITE
from boardsat.terminal.exit_codes import SUCCESS
from boardsat.terminal.table import table

EXIT_CODES = SUCCESS

TEXT_KEYS = ("name", "format")
NUMBER_KEYS = ("variables", "clauses", "unit_clauses", "xor_lines", "literals", "bytes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance_options.add_arguments(parser)
    parser.add_argument(
        "--format",
        metavar="LIST",
        help=f"formats to compare, with commas between them, or all: {', '.join(formats.names())}",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.generators import size

    instances = _instance_options.select_instances(options, WRITE)
    if options.format:
        return _compare_formats(options, instances)
    sizes = [
        size(_instance_options.build_formula(instance, options), options.projection)
        for instance in instances
    ]
    if options.json:
        print(json.dumps(sizes[0] if len(sizes) == 1 else sizes, indent=2))
    else:
        text = _constraint_table(sizes[0]) if len(sizes) == 1 else _instance_table(sizes)
        print("\n".join([text, *_instance_options.encoding_note(options, WRITE)]))
    return 0


def _compare_formats(
    options: argparse.Namespace, instances: list[_instance_options.SelectedInstance]
) -> int:
    """Print a row for each instance in each format."""
    import json

    from boardsat.generators import size_for_format

    uses_all = options.format == _instance_options.ALL
    names = formats.names() if uses_all else tuple(split(options.format, "--format"))
    for name in names:
        check_choice(name, formats.names())
    sizes = [
        size_for_format(
            _instance_options.catalogue_input(instance, options, name).formula(WRITE), name
        )
        for instance in instances
        for name in names
    ]
    if options.json:
        print(json.dumps(sizes, indent=2))
        return 0
    heads = _heads([key for key in sizes[0] if key != "name"])
    rows = [
        [str(value) if key in TEXT_KEYS else f"{value:,}" for key, value in size.items()]
        for size in sizes
    ]
    print("\n".join([table(["", *heads], rows), *_instance_options.encoding_note(options, WRITE)]))
    return 0


def _instance_table(sizes: list[dict[str, Any]]) -> str:
    keys = _keys(sizes)
    return table(["", *_heads(keys)], [_row(size, keys) for size in sizes])


def _constraint_table(size: dict[str, Any]) -> str:
    keys = _keys([size])
    constraints = size["constraints"]
    rows = [_row(constraint, keys) for constraint in constraints if constraint["clauses"]]
    header_bytes = size["bytes"] - sum(constraint["bytes"] for constraint in constraints)
    empty_cells = [""] * (len(keys) - 2)
    head = ["(named variables, header)", f"{size['spec_variables']:,}", *empty_cells]
    rows.insert(0, [*head, f"{header_bytes:,}"])
    return table(["", *_heads(keys)], [*rows, _row(size, keys)], total=True)


def _keys(sizes: list[dict[str, Any]]) -> list[str]:
    """Return the keys of the columns: XOR lines, which `clauses` include, only if there are any."""
    some = any(size["xor_lines"] for size in sizes)
    return [key for key in NUMBER_KEYS if some or key != "xor_lines"]


def _heads(keys: list[str]) -> list[str]:
    return [key.replace("_", " ") for key in keys]


def _row(entry: dict[str, Any], keys: list[str]) -> list[str]:
    return [entry["name"], *(f"{entry[key]:,}" for key in keys)]
