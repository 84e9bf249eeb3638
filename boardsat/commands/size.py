"""Tell how large a file would be, without writing it.

Examples:
    boardsat size tour --enc direct -n 20
    boardsat size tour --enc unary -n 8 --json
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from boardsat.commands import _instance
from boardsat.exit_codes import DONE
from boardsat.table import table

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    from generators import size

    result = size(_instance.formula_from(options), options.projection)
    print(json.dumps(result, indent=2) if options.json else _shown(result))
    return 0


def _shown(result: dict[str, Any]) -> str:
    keys = ("variables", "clauses", "unit_clauses", "literals", "bytes")
    rows = [
        [family["name"], *(f"{family[key]:,}" for key in keys)]
        for family in result["families"]
        if family["clauses"]
    ]
    named = result["named_variables"]
    rows.insert(
        0,
        [
            "(named variables, header)",
            f"{named:,}",
            "",
            "",
            "",
            f"{result['bytes'] - sum(f['bytes'] for f in result['families']):,}",
        ],
    )
    rows.append([result["name"], *(f"{result[key]:,}" for key in keys)])
    return table(["", *(key.replace("_", " ") for key in keys)], rows, total=True)
