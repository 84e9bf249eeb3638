"""List the problems, their encodings and parameters.

Examples:
    boardsat list
    boardsat list tour
    boardsat list tour/unary
    boardsat list --search pigeon
    boardsat list --json
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from boardsat.base.errors import InputError
from boardsat.terminal.exit_codes import SUCCESS
from boardsat.terminal.table import (
    MAX_CELL_WIDTH,
    TERMINAL_WIDTH,
    format_columns,
    wrap_lines,
    wrap_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boardsat.generators import Spec
    from boardsat.generators.spec.catalogue import Headline

EXIT_CODES = SUCCESS
MAX_SCREEN_LINES = 22
"""Lines of a terminal of 24 lines, without the command line and the next prompt."""

MARK = "*"
"""Mark of an encoding that is not count-preserving."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem",
        nargs="?",
        metavar="PROBLEM",
        help="one problem; PROBLEM/ENCODING or a spec file: one encoding in full",
    )
    parser.add_argument(
        "--search",
        metavar="WORD",
        help="only problems with the word in their name, title, description or citation",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.generators.spec.catalogue import contents, encodings_of, find, problems

    name = options.problem or ""
    if options.search is not None:
        if name:
            raise InputError(
                f"--search selects among all problems, so {name!r} must not be named",
                "give one of them",
            )
        chosen = [headline.name for headline in _matches(contents(), options.search)]
    else:
        chosen = [name] if name else []
    if not options.json and (options.search is not None or not name):
        print(_title_list(contents(), chosen) if chosen else _grouped_names(contents()))
        return 0
    if name.endswith((".yaml", ".yml")) or "/" in name:
        specs = [find(name)]
    else:
        names = chosen or problems()
        specs = [find(name, encoding) for name in names for encoding in encodings_of(name)]
    if options.json:
        print(json.dumps([_to_json(spec) for spec in specs], indent=2))
    elif len(specs) == 1:
        print(_spec_page(specs[0]))
    else:
        print(_problem_page(specs))
    return 0


def _matches(headlines: Sequence[Headline], search: str) -> list[Headline]:
    """Return the problems whose texts contain every word of the search, or raise InputError."""
    substrings = search.casefold().replace("_", " ").split()
    matches = [
        headline
        for headline in headlines
        if all(text in headline.search_text.casefold().replace("_", " ") for text in substrings)
    ]
    if not matches or not substrings:
        raise InputError(f"no problem matches {search!r}", "`boardsat list` shows all", "--search")
    return matches


def _title_list(headlines: Sequence[Headline], names: Sequence[str]) -> str:
    """Return a line with name and title for each of the named problems."""
    rows = [[headline.name, headline.title] for headline in headlines if headline.name in names]
    return "\n".join([wrap_rows(rows), _HINT])


def _grouped_names(headlines: Sequence[Headline]) -> str:
    """Return the names of all problems, by group."""
    from boardsat.generators.schema import PROBLEM_GROUPS

    names = {
        group or "others": [headline.name for headline in headlines if headline.group == group]
        for group in (*PROBLEM_GROUPS, "")
    }
    width = 2 + max(map(len, PROBLEM_GROUPS))
    lines = []
    for group, members in names.items():
        name_lines = format_columns(members, TERMINAL_WIDTH - 1 - width) if members else []
        lines += [f"{'' if k else group:<{width}}{line}" for k, line in enumerate(name_lines)]
    return "\n".join([*lines, _HINT])


_HINT = "`boardsat list NAME` describes a problem, --search WORD finds problems."


def _problem_page(specs: Sequence[Spec]) -> str:
    """Describe a problem: shared parameters, then its encodings, a line each if that fits."""
    text = _problem_text(specs, _encoding_lines(specs))
    if text.count("\n") < MAX_SCREEN_LINES:
        return text
    return _problem_text(specs, wrap_rows([[", ".join(map(_marked_name, specs))]], indent=2))


def _problem_text(specs: Sequence[Spec], encodings: str) -> str:
    parameter_lists = [_to_json(spec)["parameters"] for spec in specs]
    shared = [p for p in parameter_lists[0] if all(p in listed for listed in parameter_lists)]
    special = [p["name"] for listed in parameter_lists for p in listed if p not in shared]
    lines = [
        _head(specs),
        "parameters of all encodings (--set NAME=VALUE), with their defaults:",
        wrap_rows([[p["name"], _default(p), p["description"]] for p in shared], indent=2),
    ]
    if special:
        lines.append(wrap_rows([["of some:", ", ".join(dict.fromkeys(special))]], indent=2))
    lines += [
        *_long_defaults(shared),
        "encodings (--enc NAME):",
        encodings,
        *_default_encodings(specs),
        *_legend(specs),
        f"`boardsat list {specs[0].name}` describes one encoding in full.",
    ]
    return "\n".join(lines)


def _head(specs: Sequence[Spec]) -> str:
    """Return the problem and the common beginning of the titles of its encodings."""
    title = specs[0].description.title.partition(", ")[0] if _have_common_title(specs) else ""
    return f"{specs[0].problem}: {title}"


def _have_common_title(specs: Sequence[Spec]) -> bool:
    return len({spec.description.title.partition(", ")[0] for spec in specs}) == 1


def _encoding_lines(specs: Sequence[Spec]) -> str:
    """Return a line for each encoding, or one for all if they differ only in their names."""
    shared = _have_common_title(specs)
    texts = [
        spec.description.title.partition(", ")[2] if shared else spec.description.title
        for spec in specs
    ]
    patterns = {text.removesuffix(spec.encoding) for spec, text in zip(specs, texts, strict=True)}
    if len(specs) > 1 and len(patterns) == 1:
        names = ", ".join(map(_marked_name, specs))
        return wrap_rows([[f"{patterns.pop()}ENC: {names}"]], indent=2)
    rows = [[_marked_name(spec), text] for spec, text in zip(specs, texts, strict=True)]
    return wrap_rows(rows, indent=2, min_width=10)


def _default_encodings(specs: Sequence[Spec]) -> list[str]:
    """Return the line of the default encodings; none if there is only one encoding."""
    from boardsat.generators.spec.catalogue import choices_of, exceptions_of
    from boardsat.generators.spec.defaults import PURPOSES

    if len(specs) == 1:
        return []
    problem = specs[0].problem
    chosen = {
        purpose: " or ".join(
            [*names, *(exception.encoding for exception in exceptions_of(problem, purpose))]
        )
        for purpose, names in choices_of(problem).items()
    }
    if len(set(chosen.values())) == 1:
        return [f"  default: {chosen.popitem()[1]}"]
    defaults = [f"{name} for {PURPOSES[purpose]}" for purpose, name in chosen.items()]
    return [wrap_rows([[f"default: {', '.join(defaults)}"]], indent=2)]


def _marked_name(spec: Spec) -> str:
    return spec.encoding if spec.counting.is_count_preserving else f"{spec.encoding}{MARK}"


def _legend(specs: Iterable[Spec]) -> list[str]:
    """Return the line that explains the mark, if an encoding has it."""
    has_marks = not all(spec.counting.is_count_preserving for spec in specs)
    return [f"{MARK} not count-preserving"] if has_marks else []


def _to_json(spec: Spec) -> dict[str, Any]:
    from boardsat.generators.sections.parameters import parameters_of

    return {
        "problem": spec.problem,
        "encoding": spec.encoding,
        "title": spec.description.title,
        "cite": spec.description.cite,
        "about": spec.description.about,
        "group": spec.description.group,
        "count_preserving": spec.counting.is_count_preserving,
        "default_for": _default_for(spec),
        "projection": [source.text for source in spec.counting.projection],
        "parameters": [
            {
                "name": p.name,
                "type": p.type,
                "default": p.default.text if p.default else None,
                "min": p.bounds.minimum.text if p.bounds.minimum else None,
                "max": p.bounds.maximum.text if p.bounds.maximum else None,
                "choices": list(p.choices),
                "description": p.description,
            }
            for p in parameters_of(spec)
        ],
    }


def _default_for(spec: Spec) -> list[str]:
    """Return the purposes for which the spec is the default encoding of its problem."""
    from boardsat.generators.spec.catalogue import defaults_of

    if "/" not in spec.name:
        return []
    return [key for key, name in defaults_of(spec.problem).items() if name == spec.encoding]


def _spec_page(spec: Spec) -> str:
    """Describe one encoding: title, description, citation and parameters."""
    mark = "" if spec.counting.is_count_preserving else "not "
    texts = [
        f"{spec.name}: {spec.description.title} ({mark}count-preserving)",
        spec.description.about,
        spec.description.cite,
    ]
    lines = [line for text in texts for line in wrap_lines(text)]
    parameters = _to_json(spec)["parameters"]
    rows = [
        [p["name"], _default(p), f"{p['description']} [{_values(p)}]".lstrip()] for p in parameters
    ]
    if rows:
        lines += ["parameters (--set NAME=VALUE), with their defaults:", wrap_rows(rows, indent=2)]
    return "\n".join([*lines, *_long_defaults(parameters)])


def _long_defaults(parameters: Iterable[dict[str, Any]]) -> list[str]:
    """Return the defaults that do not fit into the table of parameters, such as grids."""
    lines = []
    for parameter in filter(_is_long, parameters):
        lines += wrap_lines(f"default of {parameter['name']}:")
        text = parameter["default"]
        # The lines of a grid are not wrapped.
        default_lines = text.splitlines() if "\n" in text else wrap_lines(text, TERMINAL_WIDTH - 3)
        lines += [f"  {line}".rstrip() for line in default_lines]
    return lines


def _is_long(parameter: dict[str, Any]) -> bool:
    default = str(parameter["default"])
    return "\n" in default or len(default) > MAX_CELL_WIDTH


def _default(parameter: dict[str, Any]) -> str:
    if _is_long(parameter):
        return "(below)"
    return "(required)" if parameter["default"] is None else str(parameter["default"])


def _values(parameter: dict[str, Any]) -> str:
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if parameter["min"] is None and parameter["max"] is None:
        return "true, false" if parameter["type"] == "bool" else str(parameter["type"])
    return f"{parameter['min'] or ''}..{parameter['max'] or ''}"
