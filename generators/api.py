"""Interface of the generators: load a spec, and build, transform, measure and write its formula."""

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
    """Return the formula of a spec; nothing is written.

    Parameters
    ----------
    spec : Spec
        Spec, as `find`, `load` or `parse` return it.
    settings : mapping, optional
        Values of parameters by name: texts as on the command line, numbers, truth values or lists.
    form : str, optional
        Format of the file that will be written; linear constraints stay unencoded if it has them.
        Default: CNF.

    Raises
    ------
    InputError
        If a setting or the spec is invalid, or a limit of time or memory is exceeded.

    Examples
    --------
    >>> formula = build(find("queens"), {"n": 4})
    >>> formula.variables, formula.clauses
    (16, 84)
    """
    native_constraints = formats.load(form or formats.CNF).NATIVE_CONSTRAINTS
    return builder.build(spec, settings, native_constraints)


class SelectedEncoding(NamedTuple):
    """Default spec for a board."""

    spec: Spec
    because: str = ""
    """Reason for an exception from the default; empty if there is none."""


def select_default_encoding(
    spec: Spec, purpose: str, settings: Mapping[str, Any] | None = None
) -> SelectedEncoding:
    """Return the default encoding of a problem for a purpose and a board.

    Parameters
    ----------
    spec : Spec
        First default encoding of the problem.
    purpose : {"solve", "count", "write"}
        Purpose of the formula.
    settings : mapping, optional
        Values of parameters by name.

    Returns
    -------
    SelectedEncoding
        Encoding of the first exception that holds for the board, or else the first default
        encoding that supports the board.
    """
    exceptions = exceptions_of(spec.problem, purpose)
    if exceptions and (selected := builder.exception_for(spec, settings, exceptions)):
        encoding, because = selected
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
    """Return the logic program of a method on the board of a spec, for clingo.

    Parameters
    ----------
    spec : Spec
        Encoding of `tour` or `hamilton`.
    settings : mapping, optional
        Values of parameters by name.
    method : str
        Name of a template in generators/asp.

    Raises
    ------
    InputError
        If the method does not exist, or does not support the problem or its settings.
    """
    return asp.render(spec, settings, method).text


def describe(spec: Spec, settings: Mapping[str, Any] | None = None) -> str:
    """Return the header comments of board and parameters, without building the formula.

    Examples
    --------
    >>> describe(find("queens"), {"n": 4}).splitlines()[1]
    'c parameters {"n": 4, "amo": "pairwise"}'
    """
    return dimacs.description(builder.describe(spec, settings))


def describe_counted(spec: Spec, settings: Mapping[str, Any] | None = None) -> str:
    """Return the header comments of board, parameters and counted objects."""
    header, _ = builder.build_header(spec, settings, spec.name)
    return dimacs.description(header) + dimacs.objects_line(header)


def size(formula: Formula, projection: str | None = None) -> dict[str, Any]:
    """Return the numbers of variables, clauses, literals and bytes, in total and by constraint.

    Parameters
    ----------
    formula : Formula
        Formula.
    projection : {"ind", "show", "none"}, optional
        Form of the projection in the file. Default: as `write` chooses it.

    Examples
    --------
    >>> size(build(find("queens"), {"n": 4}))["clauses"]
    84
    """
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
    """Return the size of a file of a format, which is rendered but not written.

    Parameters
    ----------
    formula : Formula
        Formula that was built for the format.
    form : str
        Name of the format.

    Raises
    ------
    InputError
        If the format does not support the formula.
    """
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
    """Write a formula to a file; return the number of bytes on disk.

    Parameters
    ----------
    formula : Formula
        Formula.
    target : str
        Path of the file, or `-` for standard output. The suffixes .gz, .xz and .zst select a
        compression.
    projection : {"ind", "show", "none"}, optional
        Form of the projection. Default: "ind" if the formula has a projection, "show" if it has
        weights.
    watch : callable, optional
        Called with the number of bytes of each piece before it is written.
    effort : {"quick", "best"}
        Effort of compression.
    form : str, optional
        Name of the format. Default: that of the file's suffix, or else CNF.

    Raises
    ------
    InputError
        If the format does not support the formula, or the file cannot be written.
    """
    pieces, size = _document(formula, target, projection, form or formats.format_from_name(target))
    return files.write_file(target, _watched(pieces, watch) if watch else pieces, size, effort)


def _document(
    formula: Formula, target: str, projection: str | None, form: str
) -> tuple[Iterable[Buffer], int]:
    """Return the pieces of the file, and the bytes that must be free on disk; 0 if unknown."""
    formats.check_format(formula, form or formats.CNF)
    if form not in ("", formats.CNF):
        return formats.load(form).document(formula, projection), 0
    head = dimacs.preamble(formula, dimacs.choose_projection(formula, projection))
    return chain([head], dimacs.clauses(formula)), _predicted_size(formula, len(head), target)


def digest(
    formula: Formula, projection: str | None = None, form: str = formats.CNF
) -> tuple[str, int]:
    """Return the SHA-256 and the size of the uncompressed file, which is not written.

    Parameters
    ----------
    formula : Formula
        Formula.
    projection : {"ind", "show", "none"}, optional
        Form of the projection, as for `write`.
    form : str
        Name of the format.
    """
    sha256, size = hashlib.sha256(), 0
    for piece in formats.load(form).document(formula, projection):
        sha256.update(piece)
        size += len(piece)
    return sha256.hexdigest(), size


def _predicted_size(formula: Formula, head: int, target: str) -> int:
    """Return the bytes that must be free on disk, computed exactly only if the disk may be full."""
    if target == "-" or compression_suffix(target):
        return 0
    upper_bound = head + dimacs.largest_size(formula)
    if files.fits_on_disk(target, upper_bound):
        return upper_bound
    return head + sum(dimacs.byte_sizes(formula)[1])


def _watched(pieces: Iterable[Buffer], watch: Watch) -> Iterator[Buffer]:
    for piece in pieces:
        watch(len(piece))
        yield piece
