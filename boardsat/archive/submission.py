"""Submission to a competition: selected instances of an archive, and a draft of the description.

All files are put into the target at the end: until then they are in a scratch folder. Only the
times, whose measurement may take hours, are stored at once.

The description is a LaTeX draft: problems, variables and constraints come from the specs, sizes and
answers from the records. The parts that only the authors know are marked FILL IN.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.archive import storage
from boardsat.archive.competitions import (
    Candidate,
    Competition,
    Difficulty,
    Hardness,
    HardnessTest,
)
from boardsat.archive.instance_record import check_format, duplicates, read_records
from boardsat.archive.verify import regenerate
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.base.files import rename_into_place
from boardsat.base.locks import create_locked_folder, lock_folder
from boardsat.base.text import plural_form, pluralize
from boardsat.campaign.parser import ArchiveMetadata, display_name, read_metadata
from boardsat.generators import constraints
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import Constraint, Spec
from boardsat.generators.spec.catalogue import parse_texts

DESCRIPTION = "description.tex"
TIMES = "hardness.json"
"""Name of the file with the times of the hardness test."""
INSTANCES = "instances"


@dataclass(frozen=True)
class Requirement:
    """Requirement of a competition, and how far a submission meets it."""

    text: str
    actual: str
    is_met: bool


def submit(
    folder: Path, target: Path, competition: Competition
) -> tuple[list[Candidate], list[Requirement]]:
    """Write the submission of an archive to a competition.

    Parameters
    ----------
    folder : Path
        Finished archive.
    target : Path
        Folder for the submission. Times of an earlier call in it are reused.
    competition : Competition
        Requirements, with the two solvers of the hardness test.

    Returns
    -------
    candidates : list of Candidate
        All instances of the archive, submitted or not.
    requirements : list of Requirement
        Requirements of the competition, met or not.

    Raises
    ------
    InputError
        The archive is unfinished, was changed, or is not CNF.
    """
    storage.check_manifest_name(folder)
    check_format(folder)
    if not (folder / storage.MANIFEST).is_file():
        raise InputError(
            "the folder is not a finished archive", "make one with `archive create`", str(folder)
        )
    with lock_folder(folder, shared=True), create_locked_folder(target):
        _check_manifest(folder)
        _check_target(target)
        with scratch.folder(target) as stage:
            test = HardnessTest(competition.plain, competition.ours, target / TIMES)
            candidates = list(_prepare(folder, stage, competition, test))
            return candidates, _finish(folder, target, competition, candidates)


def _check_manifest(folder: Path) -> None:
    """Raise InputError if a file differs from the manifest: it may even be a link to elsewhere."""
    for file, status in storage.differences(folder).items():
        fault = f"the file must agree with {storage.MANIFEST} (it is {status})"
        raise InputError(fault, f"see `boardsat archive verify {folder}`", str(folder / file))


def _check_target(target: Path) -> None:
    """Raise InputError before any work if the files of a submission could not be written."""
    for name in (INSTANCES, TIMES, DESCRIPTION):
        if (target / name).is_symlink():
            raise InputError("the path must not be a link", "remove it", str(target / name))
    instances = target / INSTANCES
    if instances.is_dir():
        storage.check_no_links(instances)
    elif instances.exists():
        raise InputError("the path must be a folder (got a file)", "remove it", str(instances))


def _prepare(
    folder: Path, stage: Path, competition: Competition, test: HardnessTest
) -> Iterator[Candidate]:
    """Write every instance to `stage` in the competition's format, and measure its hardness.

    Measuring stops at the required number of interesting instances: each may take an hour.
    """
    records = read_records(folder)
    for record in records:
        if record.recipe.format:
            raise InputError(
                f"{competition.name} takes only CNF (got {record.formula})",
                location=str(folder),
            )
    num_interesting = 0
    for record in records:
        for finding in regenerate(folder, record):
            remedy = f"see `boardsat archive verify {folder}`"
            raise InputError(finding.reason, remedy, str(folder / finding.file))
        path = stage / record.formula
        competition.write(folder, record, path)
        faults = tuple(competition.faults(path))
        is_measured = not faults and num_interesting < competition.interesting
        difficulty = test.measure(path) if is_measured else Difficulty(Hardness.UNMEASURED)
        num_interesting += difficulty.hardness is Hardness.INTERESTING
        yield Candidate(record, path, faults, difficulty)


def choose(
    candidates: list[Candidate], competition: Competition, duplicate_of: dict[str, str]
) -> list[Candidate]:
    """Return the candidates to submit, sorted by name: interesting ones are preferred.

    Candidates with faults, and duplicates of earlier instances, are excluded.
    """
    preference = tuple(Hardness)
    valid = [
        candidate
        for candidate in candidates
        if not candidate.faults and candidate.record.name not in duplicate_of
    ]
    valid.sort(key=lambda candidate: preference.index(candidate.difficulty.hardness))
    selected = valid[: max(competition.instances, competition.interesting)]
    return sorted(selected, key=lambda candidate: candidate.record.name)


def _finish(
    folder: Path, target: Path, competition: Competition, candidates: list[Candidate]
) -> list[Requirement]:
    """Write the selected instances and their description; return the requirements."""
    records = [candidate.record for candidate in candidates]
    selected = choose(candidates, competition, duplicates(records))
    metadata, _ = read_metadata(folder / storage.CAMPAIGN)
    text = description(metadata, competition, selected)
    instances = target / INSTANCES
    instances.mkdir(exist_ok=True)
    for candidate in candidates:
        if candidate in selected:
            rename_into_place(candidate.path, instances / candidate.path.name)
        else:
            # An earlier submission may have selected it.
            (instances / candidate.path.name).unlink(missing_ok=True)
    storage.write(target / DESCRIPTION, [text])
    return list(_requirements(competition, candidates, selected))


def _requirements(
    competition: Competition, candidates: Sequence[Candidate], selected: Sequence[Candidate]
) -> Iterator[Requirement]:
    has_enough = len(selected) >= competition.instances
    yield Requirement(
        pluralize(competition.instances, "different instance"), str(len(selected)), has_enough
    )
    faults = [
        f"{candidate.record.name}: {candidate.faults[0]}"
        for candidate in candidates
        if candidate.faults
    ]
    yield Requirement(
        "format and names",
        f"omitted {'; '.join(faults)}" if faults else "as required",
        not faults or has_enough,
    )
    num_interesting = sum(
        candidate.difficulty.hardness is Hardness.INTERESTING for candidate in selected
    )
    yield Requirement(
        f"{competition.interesting} not solved by {competition.plain} "
        f"and solved by {competition.ours}",
        str(num_interesting),
        num_interesting >= competition.interesting,
    )


_TEMPLATE = Path(__file__).parent / "templates" / "description.tex.j2"

_TEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
}


def tex(text: object) -> str:
    """Return the text with all special characters of LaTeX escaped."""
    return "".join(_TEX_ESCAPES.get(sign, sign) for sign in str(text))


def code(text: object) -> str:
    """Return an expression in typewriter type, with line breaks allowed at commas and brackets."""
    broken = re.sub(r"([,\[\]])(?=\S)", r"\1\\allowbreak{}", tex(text))
    return rf"\texttt{{{broken}}}"


def template_text(text: str) -> str:
    """Return the description of a variable in LaTeX, with its `{index}` expressions as code."""
    pieces = re.split(r"\{(.*?)\}", text)
    return "".join(code(piece) if number % 2 else tex(piece) for number, piece in enumerate(pieces))


def description(
    metadata: ArchiveMetadata, competition: Competition, selected: Sequence[Candidate]
) -> bytes:
    """Return the LaTeX draft of the description of a submission."""
    from jinja2 import Environment, StrictUndefined

    # LaTeX is full of braces, so the template uses other delimiters.
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
    environment.filters |= {"tex": tex, "code": code, "meaning": template_text}
    environment.filters |= {"number": "{:,}".format, "plural": plural_form}
    text: str = environment.from_string(_TEMPLATE.read_text("utf-8")).render(
        title=metadata.title,
        about=metadata.text,
        authors=[_author(author) for author in metadata.authors],
        competition=competition,
        problems=_problems(selected),
        entries=selected,
    )
    return text.encode()


def _author(author: dict[str, str]) -> dict[str, str]:
    return {"name": display_name(author), "affiliation": author.get("affiliation", "")}


def _problems(candidates: Sequence[Candidate]) -> list[dict[str, Any]]:
    """Return each spec of the candidates once, with its definitions and constraints as text."""
    specs: dict[str, Spec] = {}
    for candidate in candidates:
        texts = candidate.record.recipe.spec
        specs.setdefault(texts.name, parse_texts(texts))
    return [
        {
            "spec": spec,
            "definitions": [
                (definition.name, definition.expression.text)
                for definition in spec.definitions
                if definition.expression
            ],
            "constraints": [
                (constraint.name, _constraint_text(constraint)) for constraint in spec.constraints
            ],
        }
        for spec in specs.values()
    ]


def _constraint_text(constraint: Constraint) -> str:
    """Return a constraint in words: the description template of its type, filled in."""
    clauses = []
    if constraint.bindings:
        clauses.append(f"for all {code(constraint.bindings.text)}")
    if constraint.condition:
        clauses.append(f"if {code(constraint.condition.text)}")
    texts = {key: _literals(sources) for key, sources in constraint.texts.items()}
    template = constraints.load(constraint.constraint_type).DESCRIPTION_TEMPLATE
    # An omitted condition is true.
    clauses.append(template.format_map(defaultdict(lambda: code("true"), texts)))
    return ", ".join(clauses)


def _literals(expressions: Sequence[ExpressionText]) -> str:
    return " or ".join(code(expression.text) for expression in expressions)
