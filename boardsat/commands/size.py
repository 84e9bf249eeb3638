"""Show the size of files without writing them.

Examples:
    boardsat size tour --enc direct -n 20
    boardsat size tour --enc unary -n 8 --json
    boardsat size tour --enc binary,unary -n 5..9
    boardsat size tour --enc all --set rows=3..5 --set cols=10
    boardsat size magic -n 4 --format all

One instance has a row for every constraint, several have a row each.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from boardsat.commands import _instance_options, _instance_ranges
from boardsat.generators import formats
from boardsat.generators.option_values import check_choice, split
from boardsat.generators.spec.defaults import WRITE
from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.commands._instance_ranges import SelectedInstance

EXIT_CODES = DONE

WORDS = ("name", "format")
KEYS = ("variables", "clauses", "unit_clauses", "xor_lines", "literals", "bytes")


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

    wanted = _instance_ranges.select_instances(options, WRITE)
    if options.format:
        return _show_formats(options, wanted)
    results = [
        size(_instance_ranges.build_formula(each, options), options.projection) for each in wanted
    ]
    one = len(results) == 1
    if options.json:
        print(json.dumps(results[0] if one else results, indent=2))
    else:
        default = _instance_ranges.encoding_note(options, WRITE)
        print("\n".join([_in_parts(results[0]) if one else _side_by_side(results), *default]))
    return 0


def _show_formats(options: argparse.Namespace, wanted: list[SelectedInstance]) -> int:
    """A row for every instance in each format."""
    import json

    from boardsat.generators import size_for_format

    every = options.format == _instance_ranges.ALL
    chosen = formats.names() if every else tuple(split(options.format, "--format"))
    for name in chosen:
        check_choice(name, formats.names())
    results = [
        size_for_format(
            _instance_ranges.catalogue_input(each, options, name).formula(WRITE),
            name,
        )
        for each in wanted
        for name in chosen
    ]
    if options.json:
        print(json.dumps(results, indent=2))
        return 0
    heads = _heads([key for key in results[0] if key != "name"])
    rows = [
        [str(value) if key in WORDS else f"{value:,}" for key, value in result.items()]
        for result in results
    ]
    print(
        "\n".join(
            [
                table(["", *heads], rows),
                *_instance_ranges.encoding_note(options, WRITE),
            ]
        )
    )
    return 0


def _side_by_side(results: list[dict[str, Any]]) -> str:
    keys = _keys(results)
    return table(["", *_heads(keys)], [_row(result, keys) for result in results])


def _in_parts(result: dict[str, Any]) -> str:
    keys = _keys([result])
    rows = [_row(family, keys) for family in result["constraints"] if family["clauses"]]
    head = result["bytes"] - sum(family["bytes"] for family in result["constraints"])
    named = f"{result['spec_variables']:,}"
    between = [""] * (len(keys) - 2)
    rows.insert(0, ["(named variables, header)", named, *between, f"{head:,}"])
    return table(["", *_heads(keys)], [*rows, _row(result, keys)], total=True)


def _keys(results: list[dict[str, Any]]) -> list[str]:
    """Xor lines, which are counted among the clauses, where there are some."""
    some = any(result["xor_lines"] for result in results)
    return [key for key in KEYS if some or key != "xor_lines"]


def _heads(keys: list[str]) -> list[str]:
    return [key.replace("_", " ") for key in keys]


def _row(part: dict[str, Any], keys: list[str]) -> list[str]:
    return [part["name"], *(f"{part[key]:,}" for key in keys)]
