"""List the problems, their encodings and parameters.

Examples:
    boardsat list
    boardsat list tour
    boardsat list --json
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from boardsat.exit_codes import DONE
from boardsat.table import table

if TYPE_CHECKING:
    from generators import Spec

EXIT_CODES = DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem", nargs="?", metavar="PROBLEM", help="only this one, or a spec file, in full"
    )
    parser.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    from generators.catalogue import encodings_of, find, problems

    if (options.problem or "").endswith((".yaml", ".yml")):
        specs = [find(options.problem)]
    else:
        chosen = [options.problem] if options.problem else problems()
        specs = [find(name, encoding) for name in chosen for encoding in encodings_of(name)]
    if options.json:
        print(json.dumps([_described(spec) for spec in specs], indent=2))
    elif options.problem:
        print("\n\n".join(_shown(spec) for spec in specs))
    else:
        print(
            table(
                ["problem", "encoding", "counts", "what it is"],
                [[s.problem, s.encoding, _counts(s), s.title] for s in specs],
            )
        )
    return 0


def _counts(spec: Spec) -> str:
    return "kept" if spec.keeps_counts else "not kept"


def _described(spec: Spec) -> dict[str, Any]:
    from generators.parameters import parameters_of

    return {
        "problem": spec.problem,
        "encoding": spec.encoding,
        "title": spec.title,
        "cite": spec.cite,
        "about": spec.about,
        "keeps_counts": spec.keeps_counts,
        "projection": [source.text for source in spec.projection],
        "parameters": [
            {
                "name": p.name,
                "type": p.type,
                "default": p.default.text if p.default else None,
                "min": p.least.text if p.least else None,
                "max": p.most.text if p.most else None,
                "choices": list(p.choices),
                "means": p.means,
            }
            for p in parameters_of(spec)
        ],
    }


def _shown(spec: Spec) -> str:
    described = _described(spec)
    rows = [
        [p["name"], p["default"] if p["default"] is not None else "(needed)", _range(p), p["means"]]
        for p in described["parameters"]
    ]
    lines = [f"{spec.name}: {spec.title} (model counts {_counts(spec)})"]
    lines += [text for text in (spec.about, spec.cite) if text]
    return "\n".join([*lines, table(["parameter", "default", "values", "meaning"], rows)])


def _range(parameter: dict[str, Any]) -> str:
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if parameter["min"] is None and parameter["max"] is None:
        return "true, false" if parameter["type"] == "bool" else str(parameter["type"])
    return f"{parameter['min'] or ''}..{parameter['max'] or ''}"
