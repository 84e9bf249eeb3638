"""The instances that options name: one, or a list such as -n 5..9 --enc binary,unary."""

from __future__ import annotations

import argparse
import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from boardsat.base.errors import InputError
from boardsat.commands import _instance
from boardsat.generators.option_values import split
from boardsat.generators.spec.defaults import COUNT, SOLVE, WRITE
from boardsat.instance import inputs
from boardsat.instance.inputs import CatalogueInput, TransformOptions

if TYPE_CHECKING:
    from boardsat.generators import Formula, Spec

__all__ = ["COUNT", "SOLVE", "WRITE", "Wanted", "default_line", "formula", "one", "several"]

ALL = "all"

MOST = 1000
"""Instances of one call."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


class Wanted(NamedTuple):
    spec: Spec
    settings: dict[str, str]


def one(options: argparse.Namespace, purpose: str) -> Wanted:
    """The instance, for a command that takes one."""
    found = several(options, purpose)
    if len(found) > 1:
        raise InputError(
            f"{len(found)} instances, but this command takes one",
            "size, cnf and count take a list",
            options.problem,
        )
    return found[0]


def several(options: argparse.Namespace, purpose: str) -> list[Wanted]:
    """All of them, encoding by encoding."""
    from boardsat.generators.spec.catalogue import find

    settings = _instance.settings_from(options)
    found = []
    for encoding in _encodings(options, purpose):
        spec = find(options.problem, encoding, purpose)
        found += [Wanted(spec, each) for each in _expanded(spec, settings)]
        if len(found) > MOST:
            raise InputError("too many instances", f"ask for {MOST:,} at most", options.problem)
    return found


def source(wanted: Wanted, options: argparse.Namespace, form: str = "") -> CatalogueInput:
    """What is made of it, as the options say."""
    if "output" in options and "format" in options:
        form = _instance.format_from(options, wanted.spec)
    changes = TransformOptions(*_instance.changes_from(options), options.projection, form)
    return CatalogueInput(options.problem, options.enc, wanted.settings, changes, wanted.spec)


def formula(wanted: Wanted, options: argparse.Namespace) -> Formula:
    """What is built, and transformed as the options say."""
    return source(wanted, options).formula(WRITE)


def default_line(options: argparse.Namespace, purpose: str) -> list[str]:
    """For an answer: the encoding that was taken, if it is because none was named."""
    if names_encoding(options):
        return []
    named = CatalogueInput(options.problem, None, _instance.settings_from(options))
    named.spec(purpose)
    return named.encoding_note(purpose)


def names_encoding(options: argparse.Namespace) -> bool:
    """Whether the options say which formula is meant, or give it."""
    return inputs.names_encoding(options.problem, options.enc)


def _encodings(options: argparse.Namespace, purpose: str) -> list[str | None]:
    from boardsat.generators.spec.catalogue import encodings_of, find

    if options.enc is None:
        return [None]
    if options.enc != ALL:
        return [*split(options.enc, "--enc")]
    known = encodings_of(options.problem)
    if purpose != COUNT:
        return [*known]
    # A lazy formula has models that are no boards.
    return [name for name in known if not find(options.problem, name).is_lazy]


def _expanded(spec: Spec, settings: dict[str, str]) -> list[dict[str, str]]:
    """The settings, once for every combination of the numbers that they list."""
    from boardsat.generators.sections.parameters import parameters_of

    numbers = {each.name for each in parameters_of(spec) if each.type == "int"}
    choices = [
        _listed(key, value) if key in numbers else [value] for key, value in settings.items()
    ]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > MOST:
        raise InputError("too many instances", f"ask for {MOST:,} at most", spec.name)
    return [dict(zip(settings, values, strict=True)) for values in product(*choices)]


def _listed(key: str, text: str) -> list[str]:
    """`5..9` and `5,7,9` are lists; anything else is one value, whatever it is."""
    found: list[str] = []
    for word in text.split(","):
        match = _RANGE.fullmatch(word.strip())
        if match is None:
            found.append(word.strip())
            continue
        first, last = (int(number) for number in match.groups())
        if first > last:
            raise InputError("an empty range", "write the smaller first", f"{key}={text}")
        if last - first >= MOST:
            raise InputError("too many instances", f"ask for {MOST:,} at most", f"{key}={text}")
        found += map(str, range(first, last + 1))
    return list(dict.fromkeys(found))
