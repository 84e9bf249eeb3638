"""Creates an archive, instance by instance; finished ones survive whatever happens later.

An instance is finished when its record is on disk, which is written after its other files. A run
that was killed, or met a full disk, is simply started again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters.locking import own_folder
from boardsat.archive import answers
from boardsat.archive.contents import files, manifest
from boardsat.archive.contents.identity import read_back
from boardsat.archive.contents.record import FORMAT, InstanceRecord, read_record
from boardsat.archive.metadata.citation import citation
from boardsat.archive.metadata.csv_table import csv_table
from boardsat.archive.metadata.gbd_database import database
from boardsat.archive.metadata.ro_crate import ro_crate
from boardsat.campaigns.about import About
from boardsat.campaigns.grids import Planned
from boardsat.campaigns.names import names
from boardsat.campaigns.reading import Campaign, read_campaign
from boardsat.generators import Formula, write
from boardsat.generators.errors import InputError
from boardsat.running.recipe import Recipe
from boardsat.version import version

KEPT_BYTES = 2**27
"""Of the formulas that wait to be written (128 MB)."""
RECIPE_BYTES = files.RECORD_BYTES - 2**20
"""What a record has room for, beside its answers."""
BARE_BYTES = 2**16
"""Of each of them, about, without its clauses."""


_RESERVED = {
    name.removesuffix(files.RECORD) for name in files.DESCRIBING if name.endswith(files.RECORD)
}
"""An instance of such a name would have a record that is another file of the archive."""


@dataclass(frozen=True)
class ArchiveStep:
    """An instance that is finished now, or was before."""

    number: int
    of: int
    record: InstanceRecord
    made: bool


def tool_version() -> str:
    return f"boardsat {version()}"


def create(folder: Path, path: Path) -> Iterator[ArchiveStep]:
    """Make every instance of the campaign that is not there yet, then what describes them."""
    campaign = read_campaign(path)
    for what, item in campaign.run_only:
        raise item.error(f"{what} is for `boardsat run`", "leave it out for an archive")
    planned = campaign.instances(path.parent)
    pairs = list(zip(names(planned, _RESERVED), planned, strict=True))
    if folder.exists() and not folder.is_dir():
        raise InputError("not a folder", "give another name", str(folder))
    with own_folder(folder):
        _refuse_other(folder, campaign)
        yield from _created(folder, campaign, pairs)


def _created(
    folder: Path, campaign: Campaign, pairs: Sequence[tuple[str, Planned]]
) -> Iterator[ArchiveStep]:
    found = {name: _finished(folder, name, each, campaign) for name, each in pairs}
    formulas = _built({name: each for name, each in pairs if found[name] is None})
    _begin(folder, campaign)
    records = []
    for number, (name, each) in enumerate(pairs, 1):
        record = found[name]
        if record is None:
            formula = formulas.pop(name, None) or each.recipe.formula()
            record = _make(folder, name, each.recipe, formula, campaign)
        records.append(record)
        yield ArchiveStep(number, len(pairs), record, made=found[name] is None)
    _describe(folder, campaign.about, sorted(records, key=lambda record: record.name))


def _describe(folder: Path, about: About, records: Sequence[InstanceRecord]) -> None:
    """Everything that can be told from the records and the campaign; the manifest is the last."""
    ours = {*files.DESCRIBING, *(file for record in records for file in record.owned)}
    for name in files.present(folder):
        if name not in ours:
            raise InputError(
                "not part of the archive", "remove it, and continue", str(folder / name)
            )
    files.write(folder / files.TABLE, [csv_table(records)])
    files.write(folder / files.DATABASE, [database(records)])
    files.write(folder / files.CITATION, [citation(about)])
    files.write(folder / files.CRATE, [ro_crate(folder, about, records)])
    files.write(folder / files.MANIFEST, [manifest.manifest(folder)])


def _refuse_other(folder: Path, campaign: Campaign) -> None:
    """A new folder will do, or one that this campaign has begun."""
    copy = folder / files.CAMPAIGN
    if files.is_own(copy):
        if copy.read_bytes() != campaign.text.encode():
            raise InputError("the archive of another campaign", "give another folder", str(folder))
    elif any(path.suffix != ".part" for path in folder.iterdir()):
        raise InputError("neither empty nor an archive", "give another folder", str(folder))
    files.refuse_links(folder)


def _begin(folder: Path, campaign: Campaign) -> None:
    files.remove_unfinished(folder)
    files.write(folder / files.CAMPAIGN, [campaign.text.encode()])
    # Until all is done there is no manifest, so nobody takes a part for the whole.
    (folder / files.MANIFEST).unlink(missing_ok=True)


def _finished(
    folder: Path, name: str, planned: Planned, campaign: Campaign
) -> InstanceRecord | None:
    """The record of an instance that an earlier run has made in the way that this one would."""
    try:
        record = read_record(folder / (name + files.RECORD))
    except InputError:
        return None
    known = record.evidence
    here = all((folder / file).is_file() for file in record.owned)
    if (
        not here
        or record.tool != tool_version()
        or record.recipe != planned.recipe
        or known.asked != campaign.asked.of(known.proof is not None)
        or files.sha256(folder / record.formula) != record.identity.compressed_sha256
    ):
        return None
    return record


def _built(planned: Mapping[str, Planned]) -> dict[str, Formula]:
    """Every formula once, to find a mistake before hours of work begin.

    They are kept until they are written, as far as there is room; others are built again.
    """
    kept: dict[str, Formula] = {}
    room = KEPT_BYTES
    for name, each in planned.items():
        with each.blamed():
            formula = each.recipe.formula()
        if each.recipe.size > RECIPE_BYTES:
            raise InputError(
                f"its specs and graphs take more than {RECIPE_BYTES:,} bytes in a record",
                "archive a smaller graph",
                each.place,
            )
        if formula.header.lazy:
            # Neither a model nor a proof would be of the file that lies beside it.
            raise InputError(
                f"{formula.header.spec} is lazy: its formula is incomplete",
                "archive another encoding",
                each.place,
            )
        size = BARE_BYTES + 4 * (formula.literals + formula.clauses)
        if size <= room:
            kept[name] = formula
            room -= size
    return kept


def _make(
    folder: Path, name: str, recipe: Recipe, formula: Formula, campaign: Campaign
) -> InstanceRecord:
    for ending in (files.RECORD, files.FORMULA, files.MODEL, files.PROOF):
        (folder / (name + ending)).unlink(missing_ok=True)
    path = folder / (name + files.FORMULA)
    write(formula, str(path), recipe.projection)
    files.sync(path)
    problem, identity = read_back(path, own=True)
    record = InstanceRecord(
        format=FORMAT,
        name=name,
        tool=tool_version(),
        title=formula.header.title,
        cite=formula.header.cite,
        recipe=recipe,
        parameters=formula.header.parameters,
        objects=formula.header.objects or {},
        keeps_counts=formula.header.keeps_counts,
        identity=identity,
        evidence=answers.collect(problem, campaign, folder / name),
    )
    files.write(folder / (name + files.RECORD), [record.text()])
    return record
