"""The description of a submission: a LaTeX draft in the style of IEEE proceedings.

Families, their variables and constraints come from the specs, sizes and answers from the records;
what only a person knows is marked for filling in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardsat.archive.competitions import Candidate, Competition
from boardsat.base.text import plural_form
from boardsat.campaign.metadata import About, display_name
from boardsat.generators import constraints
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import Constraint, Spec
from boardsat.generators.spec.catalogue import parse_texts

_TEMPLATE = Path(__file__).parent / "templates" / "description.tex.j2"

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
}


def tex(text: object) -> str:
    """The text, with nothing in it that LaTeX would obey."""
    return "".join(_SPECIAL.get(sign, sign) for sign in str(text))


def code(text: object) -> str:
    """An expression, which may break after a comma, a bracket or a space."""
    broken = re.sub(r"([,\[\]])(?=\S)", r"\1\\allowbreak{}", tex(text))
    return rf"\texttt{{{broken}}}"


def meaning(text: str) -> str:
    """What a variable means: a text with `{index}` parts."""
    parts = re.split(r"\{(.*?)\}", text)
    return "".join(code(part) if number % 2 else tex(part) for number, part in enumerate(parts))


def description(about: About, competition: Competition, chosen: Sequence[Candidate]) -> bytes:
    from jinja2 import Environment, StrictUndefined

    # Not the usual marks: LaTeX is full of braces.
    environment = Environment(
        undefined=StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"tex": tex, "code": code, "meaning": meaning}
    environment.filters |= {"number": "{:,}".format, "plural": plural_form}
    text: str = environment.from_string(_TEMPLATE.read_text("utf-8")).render(
        title=about.title,
        about=about.text,
        authors=[_author(author) for author in about.authors],
        competition=competition,
        families=_families(chosen),
        entries=chosen,
    )
    return text.encode()


def _author(author: dict[str, str]) -> dict[str, str]:
    return {"name": display_name(author), "affiliation": author.get("affiliation", "")}


def _families(chosen: Sequence[Candidate]) -> list[dict[str, Any]]:
    """Each spec once, in the order of the instances."""
    specs: dict[str, Spec] = {}
    for entry in chosen:
        texts = entry.record.recipe.spec
        specs.setdefault(texts.name, parse_texts(texts))
    return [
        {
            "spec": spec,
            "definitions": [
                (each.name, each.expression.text) for each in spec.definitions if each.expression
            ],
            "constraints": [(each.name, _sentence(each)) for each in spec.constraints],
        }
        for spec in specs.values()
    ]


def _sentence(constraint: Constraint) -> str:
    """The constraint as its family reads aloud."""
    parts = []
    if constraint.bindings:
        parts.append(f"for all {code(constraint.bindings.text)}")
    if constraint.condition:
        parts.append(f"if {code(constraint.condition.text)}")
    said = {key: _literals(sources) for key, sources in constraint.texts.items()}
    # A condition that is not given always holds.
    words = defaultdict(lambda: code("true"), said)
    parts.append(constraints.load(constraint.family).SAYS.format_map(words))
    return ", ".join(parts)


def _literals(parts: Sequence[ExpressionText]) -> str:
    return " or ".join(code(part.text) for part in parts)
