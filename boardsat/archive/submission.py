"""Submission to a competition: selected instances of an archive, and a draft of the description.

All files appear at the end: until then instances are in a scratch folder beside them, and only the
measurements of hardness, which may take hours, are stored as they are made. The description is a
LaTeX draft: families, variables and constraints come from the specs, sizes and answers from the
records, and what only a person knows is marked for filling in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.archive import manifest, storage
from boardsat.archive.competitions import Candidate, Competition
from boardsat.archive.hardness import Difficulty, Gates, Hardness
from boardsat.archive.identity import same
from boardsat.archive.instance_record import check_format, read_records
from boardsat.archive.verify import regenerated
from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.base.files import rename_into_place
from boardsat.base.locks import create_locked_folder, lock_folder
from boardsat.base.text import plural_form, pluralize
from boardsat.campaign.metadata import ArchiveMetadata, display_name
from boardsat.campaign.parser import read_metadata
from boardsat.generators import constraints
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import Constraint, Spec
from boardsat.generators.spec.catalogue import parse_texts

DESCRIPTION = "description.tex"
NOTES = "gates.json"
INSTANCES = "instances"


@dataclass(frozen=True)
class Asked:
    """One thing that the competition asks, what was found, and whether that is enough."""

    what: str
    found: str
    met: bool


def submit(
    folder: Path, target: Path, competition: Competition
) -> tuple[list[Candidate], list[Asked]]:
    """Write the submission of an archive to the target folder; what was looked at, and asked."""
    manifest.check_manifest_name(folder)
    check_format(folder)
    if not (folder / storage.MANIFEST).is_file():
        raise InputError("no finished archive", "make it with `archive create`", str(folder))
    with lock_folder(folder, shared=True), create_locked_folder(target):
        _check_manifest(folder)
        _check_target(target)
        with scratch.folder(target) as stage:
            gates = Gates(competition.plain, competition.ours, target / NOTES)
            entries = list(prepare(folder, stage, competition, gates))
            return entries, finish(folder, target, competition, entries)


def _check_manifest(folder: Path) -> None:
    """What is not as the manifest says is nothing to submit, and may be a link to anywhere."""
    for file, word in manifest.differences(folder).items():
        raise InputError(word, "see `archive verify`", str(folder / file))


def _check_target(target: Path) -> None:
    """Raise InputError before any work where files of the submission could not be put in place."""
    for name in (INSTANCES, NOTES, DESCRIPTION):
        if (target / name).is_symlink():
            raise InputError("a link", "remove it, and continue", str(target / name))
    instances = target / INSTANCES
    if instances.is_dir():
        storage.check_no_links(instances)
    elif instances.exists():
        raise InputError("not a folder", "remove it, and continue", str(instances))


def prepare(
    folder: Path, stage: Path, competition: Competition, gates: Gates
) -> Iterator[Candidate]:
    """Write every instance to the stage in the competition's format, and see how hard it is.

    Once enough are interesting the rest is not measured: that could take an hour for each.
    """
    interesting = 0
    records = read_records(folder)
    for record in records:
        if record.recipe.format:
            raise InputError(
                f"{record.formula} is no CNF, which this competition takes alone",
                "submit an archive of CNF",
                str(folder),
            )
    for record in records:
        for finding in regenerated(folder, record):
            raise InputError(finding.reason, "see `archive verify`", str(folder / finding.file))
        path = stage / record.formula
        competition.write(folder, record, path)
        faults = tuple(competition.faults(path))
        measured = not faults and interesting < competition.interesting
        difficulty = gates.pass_through(path) if measured else Difficulty(Hardness.UNMEASURED)
        interesting += difficulty.word is Hardness.INTERESTING
        yield Candidate(record, path, faults, difficulty)


def choose(
    entries: list[Candidate], competition: Competition, same_as: dict[str, str]
) -> list[Candidate]:
    """As many as are asked for: interesting ones first, no faulty one, none twice."""
    ranks = tuple(Hardness)
    good = [entry for entry in entries if not entry.faults and entry.record.name not in same_as]
    best = sorted(good, key=lambda entry: ranks.index(entry.difficulty.word))
    chosen = best[: max(competition.instances, competition.interesting)]
    return sorted(chosen, key=lambda entry: entry.record.name)


def finish(
    folder: Path, target: Path, competition: Competition, entries: list[Candidate]
) -> list[Asked]:
    """Put the chosen ones in place, describe them, and compare with what is asked."""
    chosen = choose(entries, competition, same([entry.record for entry in entries]))
    about, _ = read_metadata(folder / storage.CAMPAIGN)
    text = description(about, competition, chosen)
    instances = target / INSTANCES
    instances.mkdir(exist_ok=True)
    for entry in entries:
        if entry in chosen:
            rename_into_place(entry.path, instances / entry.path.name)
        else:
            # An earlier submission may have chosen it.
            (instances / entry.path.name).unlink(missing_ok=True)
    storage.write(target / DESCRIPTION, [text])
    interesting = sum(entry.difficulty.word is Hardness.INTERESTING for entry in chosen)
    faulty = [f"{entry.record.name}: {entry.faults[0]}" for entry in entries if entry.faults]
    plain, ours = competition.plain, competition.ours
    return [
        Asked(
            pluralize(competition.instances, "different instance"),
            str(len(chosen)),
            len(chosen) >= competition.instances,
        ),
        Asked(
            "format and names",
            f"left out {'; '.join(faulty)}" if faulty else "as asked",
            not faulty or len(chosen) >= competition.instances,
        ),
        Asked(
            f"{competition.interesting} not solved by {plain} and solved by {ours}",
            str(interesting),
            interesting >= competition.interesting,
        ),
    ]


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


def description(
    about: ArchiveMetadata, competition: Competition, chosen: Sequence[Candidate]
) -> bytes:
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
    parts.append(
        constraints.load(constraint.constraint_type).DESCRIPTION_TEMPLATE.format_map(words)
    )
    return ", ".join(parts)


def _literals(parts: Sequence[ExpressionText]) -> str:
    return " or ".join(code(part.text) for part in parts)
