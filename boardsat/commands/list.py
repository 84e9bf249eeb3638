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

from boardsat.terminal.exit_codes import DONE
from boardsat.terminal.table import MAX_CELL, WIDTH, in_columns, wrapped, wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boardsat.generators import Spec
    from boardsat.generators.spec.catalogue import Headline

EXIT_CODES = DONE
SCREEN = 22
"""Lines of a small terminal, without the one that was typed and the next."""

MARK = "*"
"""At an encoding that does not keep model counts."""


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
        help="problems whose name, title, explanation or source has the word",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.generators.spec.catalogue import contents, encodings_of, find, problems

    word = options.problem or ""
    if options.search is not None:
        if word:
            from boardsat.generators import InputError

            raise InputError(f"both {word!r} and --search", "give one of them")
        chosen = [each.name for each in _matching(contents(), options.search)]
    else:
        chosen = [word] if word else []
    if not options.json and (options.search is not None or not word):
        print(_found(contents(), chosen) if chosen else _all(contents()))
        return 0
    if word.endswith((".yaml", ".yml")) or "/" in word:
        specs = [find(word)]
    else:
        names = chosen or problems()
        specs = [find(name, encoding) for name in names for encoding in encodings_of(name)]
    if options.json:
        print(json.dumps([_described(spec) for spec in specs], indent=2))
    elif len(specs) == 1:
        print(_in_full(specs[0]))
    else:
        print(_of_problem(specs))
    return 0


def _matching(listed: Sequence[Headline], search: str) -> list[Headline]:
    """The problems that have all the words, each as a part of a word at least."""
    from boardsat.generators import InputError

    wanted = search.casefold().replace("_", " ").split()
    have = [
        each
        for each in listed
        if all(word in each.words.casefold().replace("_", " ") for word in wanted)
    ]
    if not have or not wanted:
        raise InputError(f"no problem has {search!r}", "`boardsat list` shows all", "--search")
    return have


def _found(listed: Sequence[Headline], names: Sequence[str]) -> str:
    """A line for each of some problems."""
    rows = [[each.name, each.title] for each in listed if each.name in names]
    return "\n".join([wrapped(rows), _HOW])


def _all(listed: Sequence[Headline]) -> str:
    """The names of all problems, by their groups."""
    from boardsat.generators.schema import PROBLEM_GROUPS

    names = {
        group or "others": [each.name for each in listed if each.group == group]
        for group in (*PROBLEM_GROUPS, "")
    }
    width = 2 + max(map(len, PROBLEM_GROUPS))
    lines = []
    for group, members in names.items():
        shown = in_columns(members, WIDTH - 1 - width) if members else []
        lines += [f"{'' if k else group:<{width}}{line}" for k, line in enumerate(shown)]
    return "\n".join([*lines, _HOW])


_HOW = "`boardsat list NAME` tells more of one; --search WORD finds some by a word."


def _of_problem(specs: Sequence[Spec]) -> str:
    """What its encodings share, once, and a line for each of them if they fit on a screen."""
    text = _at_length(specs, _encodings(specs))
    if text.count("\n") < SCREEN:
        return text
    return _at_length(specs, wrapped([[", ".join(map(_marked, specs))]], indent=2))


def _at_length(specs: Sequence[Spec], encodings: str) -> str:
    described = [_described(spec)["parameters"] for spec in specs]
    shared = [p for p in described[0] if all(p in others for others in described)]
    more = [p["name"] for others in described for p in others if p not in shared]
    lines = [
        _head(specs),
        "parameters of all encodings (--set NAME=VALUE), with their defaults:",
        wrapped([[p["name"], _default(p), p["description"]] for p in shared], indent=2),
    ]
    if more:
        lines.append(wrapped([["of some:", ", ".join(dict.fromkeys(more))]], indent=2))
    lines += [
        *_long_defaults(shared),
        "encodings (--enc NAME):",
        encodings,
        *_defaults(specs),
        *_legend(specs),
    ]
    last = f"`boardsat list {specs[0].name}` tells all about one"
    return "\n".join([*lines, f"{last}, `boardsat list` a line."])


def _head(specs: Sequence[Spec]) -> str:
    """The problem, and what the titles of all its encodings begin with."""
    title = specs[0].description.title.partition(", ")[0] if _share_a_title(specs) else ""
    return f"{specs[0].problem}: {title}"


def _share_a_title(specs: Sequence[Spec]) -> bool:
    return len({spec.description.title.partition(", ")[0] for spec in specs}) == 1


def _encodings(specs: Sequence[Spec]) -> str:
    """A line for each; those that differ by their names alone have one for all."""
    shared = _share_a_title(specs)
    texts = [
        spec.description.title.partition(", ")[2] if shared else spec.description.title
        for spec in specs
    ]
    patterns = {text.removesuffix(spec.encoding) for spec, text in zip(specs, texts, strict=True)}
    if len(specs) > 1 and len(patterns) == 1:
        return wrapped([[f"{patterns.pop()}ENC: {', '.join(map(_marked, specs))}"]], indent=2)
    rows = [[_marked(spec), text] for spec, text in zip(specs, texts, strict=True)]
    return wrapped(rows, indent=2, least=10)


def _defaults(specs: Sequence[Spec]) -> list[str]:
    """The encodings that are taken where none is named, if there is a choice."""
    from boardsat.generators.spec.catalogue import choices_of, exceptions_of
    from boardsat.generators.spec.defaults import PURPOSES

    if len(specs) == 1:
        return []
    problem = specs[0].problem
    chosen = {
        purpose: " or ".join([*names, *(each.encoding for each in exceptions_of(problem, purpose))])
        for purpose, names in choices_of(problem).items()
    }
    if len(set(chosen.values())) == 1:
        return [f"  default: {chosen.popitem()[1]}"]
    words = [f"{name} for {PURPOSES[purpose]}" for purpose, name in chosen.items()]
    return [wrapped([[f"default: {', '.join(words)}"]], indent=2)]


def _marked(spec: Spec) -> str:
    return spec.encoding if spec.counting.is_count_preserving else f"{spec.encoding}{MARK}"


def _legend(specs: Iterable[Spec]) -> list[str]:
    """What the marks mean that are there."""
    kept = all(spec.counting.is_count_preserving for spec in specs)
    return [] if kept else [f"{MARK} does not keep model counts"]


def _counts(spec: Spec) -> str:
    return "kept" if spec.counting.is_count_preserving else "not kept"


def _described(spec: Spec) -> dict[str, Any]:
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
    """The purposes for which it is taken where no encoding is named."""
    from boardsat.generators.spec.catalogue import defaults_of

    if "/" not in spec.name:
        return []
    return [key for key, name in defaults_of(spec.problem).items() if name == spec.encoding]


def _in_full(spec: Spec) -> str:
    texts = [
        f"{spec.name}: {spec.description.title} (model counts {_counts(spec)})",
        spec.description.about,
        spec.description.cite,
    ]
    lines = [line for text in texts for line in wrapped_lines(text)]
    told = _described(spec)["parameters"]
    rows = [[p["name"], _default(p), f"{p['description']} [{_values(p)}]".lstrip()] for p in told]
    lines += ["parameters (--set NAME=VALUE), with their defaults:"] if rows else []
    return "\n".join([*lines, wrapped(rows, indent=2), *_long_defaults(told)] if rows else lines)


def _long_defaults(parameters: Iterable[dict[str, Any]]) -> list[str]:
    """Defaults of several lines, such as grids, or of a long one, below the table of parameters."""
    lines = []
    for parameter in filter(_is_long, parameters):
        lines += wrapped_lines(f"default of {parameter['name']}:")
        text = parameter["default"]
        # A grid keeps its lines.
        parts = text.splitlines() if "\n" in text else wrapped_lines(text, WIDTH - 3)
        lines += [f"  {part}".rstrip() for part in parts]
    return lines


def _is_long(parameter: dict[str, Any]) -> bool:
    default = str(parameter["default"])
    return "\n" in default or len(default) > MAX_CELL


def _default(parameter: dict[str, Any]) -> str:
    if _is_long(parameter):
        return "(below)"
    return "(needed)" if parameter["default"] is None else str(parameter["default"])


def _values(parameter: dict[str, Any]) -> str:
    if parameter["choices"]:
        return ", ".join(parameter["choices"])
    if parameter["min"] is None and parameter["max"] is None:
        return "true, false" if parameter["type"] == "bool" else str(parameter["type"])
    return f"{parameter['min'] or ''}..{parameter['max'] or ''}"
