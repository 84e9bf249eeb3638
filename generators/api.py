"""The functions of the generators: load a spec, build, transform, measure, write."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from boardsat.base import files
from boardsat.base.compression import QUICK, Buffer, compression_suffix
from boardsat.generators import asp, builder, formats
from boardsat.generators.builder import build_grouped, stem
from boardsat.generators.dimacs import document as dimacs
from boardsat.generators.formula import Formula
from boardsat.generators.schema import Spec
from boardsat.generators.spec.catalogue import choices_of, exceptions_of, find, load, parse
from boardsat.generators.transforms import apply as transform

__all__ = [
    "Formula",
    "Spec",
    "build",
    "build_grouped",
    "describe",
    "describe_counted",
    "digest",
    "find",
    "load",
    "parse",
    "program",
    "select_default_encoding",
    "size",
    "size_for_format",
    "stem",
    "transform",
    "write",
]


Watch = Callable[[int], None]
"""Callback with the number of bytes of each piece of a file that is written."""


def build(spec: Spec, settings: Mapping[str, Any] | None = None, form: str = "") -> Formula:
    """Return the formula of a spec.

    Settings are texts as on the command line, numbers or truth values. Linear constraints stay
    unencoded if the format has them.
    """
    native_constraints = formats.load(form or formats.CNF).NATIVE_CONSTRAINTS
    return builder.build(spec, settings, native_constraints)


class SelectedEncoding(NamedTuple):
    """Default spec for a board, and the reason if it is an exception."""

    spec: Spec
    because: str = ""


def select_default_encoding(
    spec: Spec, purpose: str, settings: Mapping[str, Any] | None = None
) -> SelectedEncoding:
    """Return the default encoding of a problem for a purpose.

    That is the encoding of the first exception that holds for the board, or else the first default
    that supports the board, from the given spec on.
    """
    exceptions = exceptions_of(spec.problem, purpose)
    if exceptions and (found := builder.exception_for(spec, settings, exceptions)):
        encoding, because = found
        return SelectedEncoding(_sibling(spec, encoding), because)
    for name in choices_of(spec.problem)[purpose][1:]:
        if builder.supports_board(spec, settings):
            break
        spec = _sibling(spec, name)
    return SelectedEncoding(spec)


def _sibling(spec: Spec, encoding: str) -> Spec:
    """Return another encoding of the problem of a spec, with the same limits."""
    return find(spec.problem, encoding).with_limits_of(spec.source.is_built_in)


def program(
    spec: Spec, settings: Mapping[str, Any] | None = None, method: str = asp.DEFAULT
) -> str:
    """Return the logic program of a method on the board of a spec, for clingo."""
    return asp.render(spec, settings, method).text


def describe(spec: Spec, settings: Mapping[str, Any] | None = None) -> str:
    """Return the header comments of board and parameters, without building the formula."""
    return dimacs.description(builder.describe(spec, settings))


def describe_counted(spec: Spec, settings: Mapping[str, Any] | None = None) -> str:
    """Return the header comments of board, parameters and counted objects."""
    header, _ = builder.build_header(spec, settings, spec.name)
    return dimacs.description(header) + dimacs.objects_line(header)


def size(formula: Formula, projection: str | None = None) -> dict[str, Any]:
    """Variables, clauses, unit clauses, literals and bytes, in all and for each constraint."""
    head, bodies = dimacs.byte_sizes(formula, projection)
    return {
        "name": formula.header.stem,
        "variables": formula.variables,
        "spec_variables": formula.num_spec_variables,
        "clauses": formula.clauses,
        "unit_clauses": formula.num_unit_clauses,
        "literals": formula.literals,
        "xor_lines": formula.xor_lines,
        "bytes": head + sum(bodies),
        "count_preserving": formula.header.count_preserving,
        "constraints": [
            {
                "name": section.name,
                "variables": section.num_auxiliary,
                "clauses": section.clauses,
                "unit_clauses": section.num_unit_clauses,
                "literals": section.literals,
                "xor_lines": section.xor_lines,
                "bytes": body,
            }
            for section, body in zip(formula.sections, bodies, strict=True)
        ],
    }


def size_for_format(formula: Formula, form: str) -> dict[str, Any]:
    """Return the sizes of a file of this format; the file is generated, but not written."""
    formats.check_format(formula, form)
    module = formats.load(form)
    soft = formula.objective.soft if formula.objective and module.HAS_OBJECTIVE else None
    return {
        "name": formula.header.stem,
        "format": form,
        "variables": formula.variables + module.num_extra_variables(formula),
        "clauses": formula.clauses,
        "sums": formula.num_linear_constraints,
        "soft_clauses": len(soft.weights) if soft else 0,
        "literals": formula.literals + (soft.literals if soft else 0),
        "bytes": sum(len(piece) for piece in module.document(formula, None)),
    }


def write(
    formula: Formula,
    target: str,
    projection: str | None = None,
    watch: Watch | None = None,
    effort: str = QUICK,
    form: str | None = None,
) -> int:
    """Write to a file (`-`: standard output), compressed by its ending; bytes on disk.

    Its format is the one that is named, or else that of its ending, or else CNF.
    """
    pieces, size = _document(formula, target, projection, form or formats.format_from_name(target))
    return files.write_file(target, _watched(pieces, watch) if watch else pieces, size, effort)


def _document(
    formula: Formula, target: str, projection: str | None, form: str
) -> tuple[Iterable[Buffer], int]:
    """Return the file in pieces, and an upper bound on its size in bytes; 0 if unknown."""
    formats.check_format(formula, form or formats.CNF)
    if form not in ("", formats.CNF):
        return formats.load(form).document(formula, projection), 0
    head = dimacs.preamble(formula, dimacs.choose_projection(formula, projection))
    return chain([head], dimacs.clauses(formula)), _predicted_size(formula, len(head), target)


def digest(
    formula: Formula, projection: str | None = None, form: str = formats.CNF
) -> tuple[str, int]:
    """Return the SHA-256 and the size in bytes of the uncompressed file."""
    found, size = hashlib.sha256(), 0
    for piece in formats.load(form).document(formula, projection):
        found.update(piece)
        size += len(piece)
    return found.hexdigest(), size


def _predicted_size(formula: Formula, head: int, target: str) -> int:
    """Return an upper bound on the file size in bytes, exact if it may not fit on the disk."""
    if target == "-" or compression_suffix(target):
        return 0
    most = head + dimacs.largest_size(formula)
    return most if files.fits_on_disk(target, most) else head + sum(dimacs.byte_sizes(formula)[1])


def _watched(pieces: Iterable[Buffer], watch: Watch) -> Iterator[Buffer]:
    for piece in pieces:
        watch(len(piece))
        yield piece
