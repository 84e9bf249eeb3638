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

KEYS = ("variables", "clauses", "unit_clauses", "literals", "bytes")


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
    return table(["", *_heads()], [_row(result) for result in results])


def _in_parts(result: dict[str, Any]) -> str:
    rows = [_row(family) for family in result["families"] if family["clauses"]]
    head = result["bytes"] - sum(family["bytes"] for family in result["families"])
    named = f"{result['named_variables']:,}"
    rows.insert(0, ["(named variables, header)", named, "", "", "", f"{head:,}"])
    return table(["", *_heads()], [*rows, _row(result)], total=True)


def _heads() -> list[str]:
    return [key.replace("_", " ") for key in KEYS]


def _row(part: dict[str, Any]) -> list[str]:
    return [part["name"], *(f"{part[key]:,}" for key in KEYS)]
