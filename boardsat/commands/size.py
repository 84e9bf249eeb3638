"""Show the size of files without writing them.

Examples:
    boardsat size tour --enc direct -n 20
    boardsat size tour --enc unary -n 8 --json
    boardsat size tour --enc binary,unary -n 5..9
    boardsat size tour --enc all --set rows=3..5 --set cols=10

One instance has a row for every constraint, several have a row each.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from boardsat.commands import _instance, _wanted
from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.table import table

EXIT_CODES = DONE

KEYS = ("variables", "clauses", "unit_clauses", "xor_lines", "literals", "bytes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from boardsat.generators import size

    wanted = _wanted.several(options, _wanted.WRITE)
    results = [size(_wanted.formula(each, options), options.projection) for each in wanted]
    one = len(results) == 1
    if options.json:
        print(json.dumps(results[0] if one else results, indent=2))
    else:
        default = _wanted.default_line(options, _wanted.WRITE)
        print("\n".join([_in_parts(results[0]) if one else _side_by_side(results), *default]))
    return 0


def _side_by_side(results: list[dict[str, Any]]) -> str:
    keys = _keys(results)
    return table(["", *_heads(keys)], [_row(result, keys) for result in results])


def _in_parts(result: dict[str, Any]) -> str:
    keys = _keys([result])
    rows = [_row(family, keys) for family in result["families"] if family["clauses"]]
    head = result["bytes"] - sum(family["bytes"] for family in result["families"])
    named = f"{result['named_variables']:,}"
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
