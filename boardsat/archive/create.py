"""Creates an archive, instance by instance; finished ones survive whatever happens later.

An instance is finished when its record is on disk, which is written after its other files. A run
that was killed, or met a full disk, is simply started again; what its solvers had said by then is
known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters import solvers
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
    format_features,
)
from boardsat.archive import manifest, storage
from boardsat.archive.instance_pipeline import (
    ArchiveJobs,
    InstancePlan,
    SelectedSolvers,
    Steps,
    instance_steps,
)
from boardsat.archive.instance_record import InstanceRecord, read_record
from boardsat.archive.metadata.citation import citation, license_text
from boardsat.archive.metadata.csv_table import csv_table
from boardsat.archive.metadata.gbd_database import database
from boardsat.archive.metadata.readme import preview, readme
from boardsat.archive.metadata.ro_crate import ro_crate
from boardsat.base.errors import InputError
from boardsat.base.locks import create_locked_folder
from boardsat.campaign.grids import Planned, names
from boardsat.campaign.instances import instance_of
from boardsat.campaign.metadata import ArchiveMetadata
from boardsat.campaign.parser import Campaign, read_campaign
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.job_queue import NullListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.store import Store
from boardsat.version import version

WORKER = "boardsat.archive.archive_worker"
RECIPE_BYTES = storage.RECORD_BYTES - 2**20
"""What a record has room for, beside its answers."""

_RESERVED = {
    name.removesuffix(storage.RECORD)
    for name in storage.DESCRIBING
    if name.endswith(storage.RECORD)
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


def create(
    folder: Path,
    path: Path,
    jobs: int | None = None,
    tell: Callable[[ArchiveStep], None] = lambda _: None,
) -> list[InstanceRecord]:
    """Make every instance of the campaign that is not there yet, then what describes them."""
    campaign = read_campaign(path)
    for what, item in campaign.run_only:
        raise item.error(f"{what} is for `boardsat run`", "leave it out for an archive")
    planned = campaign.instances(path.parent)
    _check_formats(campaign, planned)
    pairs = list(zip(names(planned, _RESERVED), planned, strict=True))
    if folder.exists() and not folder.is_dir():
        raise InputError("not a folder", "give another name", str(folder))
    cores = cores_of(jobs)
    with create_locked_folder(folder):
        _check_folder(folder, campaign)
        return _created(folder, campaign, dict(pairs), cores, tell)


def _check_formats(campaign: Campaign, planned: Sequence[Planned]) -> None:
    """Everybody who is asked answers for every instance: so he must read its format."""
    for each in planned:
        form = each.recipe.format
        for name in campaign.selection.solvers:
            check_requirements(
                solvers.load(name),
                _requirements(form),
                location=each.place,
                alternative="archive it by a campaign of its own",
            )
        if form and campaign.selection.counters:
            raise InputError(f"no counter reads {form}", "leave `counters` out", each.place)


def _requirements(form: str | None) -> SolverRequirements:
    """Return what a solver must support; every solver of boards does for CNF."""
    features = format_features(form) if form else frozenset[InputFeature]()
    output = OutputKind.OPTIMUM if InputFeature.OBJECTIVE in features else OutputKind.MODEL
    return SolverRequirements(features, output)


def _created(
    folder: Path,
    campaign: Campaign,
    planned: Mapping[str, Planned],
    cores: list[int],
    tell: Callable[[ArchiveStep], None],
) -> list[InstanceRecord]:
    records: list[InstanceRecord] = []

    def finished(record: InstanceRecord, made: bool = True) -> None:
        records.append(record)
        tell(ArchiveStep(len(records), len(planned), record, made))

    found = {name: _finished(folder, name, each, campaign) for name, each in planned.items()}
    plans = _plans({name: each for name, each in planned.items() if found[name] is None})
    selected = SelectedSolvers.of(campaign) if plans else None
    store = Store(folder, storage.RESULTS)
    _begin(folder, campaign, store)
    for record in found.values():
        if record is not None:
            finished(record, made=False)
    if selected is not None:
        _make(plans, folder, selected, store, cores, finished)
    _describe(folder, campaign.metadata, sorted(records, key=lambda record: record.name))
    return records


def _make(
    plans: Sequence[InstancePlan],
    folder: Path,
    selected: SelectedSolvers,
    store: Store,
    cores: list[int],
    tell: Callable[[InstanceRecord], None],
) -> None:
    """All of them side by side, by the runner of validations and campaigns."""

    def begin(plan: InstancePlan) -> Steps:
        return instance_steps(plan, folder, selected, tool_version())

    with open_pool(cores, store, NullListener(), WORKER) as pool:
        pool.run(ArchiveJobs(plans, begin, folder, store, tell))


def _describe(folder: Path, about: ArchiveMetadata, records: Sequence[InstanceRecord]) -> None:
    """Everything that can be told from the records and the campaign; the manifest is the last."""
    storage.remove_unfinished(folder)
    ours = {*storage.DESCRIBING, *(file for record in records for file in record.owned)}
    for name in storage.present(folder):
        if name not in ours:
            raise InputError(
                "not part of the archive", "remove it, and continue", str(folder / name)
            )
    for name, content in descriptions(folder, about, records):
        storage.write(folder / name, [content])
    storage.write(folder / storage.MANIFEST, [manifest.manifest(folder)])


def descriptions(
    folder: Path, about: ArchiveMetadata, records: Sequence[InstanceRecord]
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that repeat the records and the campaign.

    The crate has the hashes of those before it, which must be in the folder by then.
    """
    yield storage.TABLE, csv_table(records)
    yield storage.DATABASE, database(records)
    yield storage.CITATION, citation(about)
    yield storage.LICENSE, license_text(about)
    yield storage.README, readme(about, records)
    crate = ro_crate(folder, about, records)
    yield storage.CRATE, crate
    yield storage.PREVIEW, preview(about, records, crate)


def _check_folder(folder: Path, campaign: Campaign) -> None:
    """A new folder will do, or one that this campaign has begun."""
    copy = folder / storage.CAMPAIGN
    if storage.is_own(copy):
        if copy.read_bytes() != campaign.text.encode():
            raise InputError("the archive of another campaign", "give another folder", str(folder))
    elif any(path.suffix != ".part" for path in folder.iterdir()):
        raise InputError("neither empty nor an archive", "give another folder", str(folder))
    storage.check_no_links(folder)


def _begin(folder: Path, campaign: Campaign, store: Store) -> None:
    kept = {name for record in store.records.values() for name in record.artifacts.kept}
    storage.remove_unfinished(folder, {storage.RESULTS, *kept})
    storage.write(folder / storage.CAMPAIGN, [campaign.text.encode()])
    # Until all is done there is no manifest, so nobody takes a part for the whole.
    for name in (storage.MANIFEST, storage.OLD_MANIFEST):
        (folder / name).unlink(missing_ok=True)


def _finished(
    folder: Path, name: str, planned: Planned, campaign: Campaign
) -> InstanceRecord | None:
    """The record of an instance that an earlier run has made in the way that this one would."""
    try:
        record = read_record(folder / (name + storage.RECORD))
    except InputError:
        return None
    known = record.evidence
    here = all((folder / file).is_file() for file in record.owned)
    if (
        not here
        or record.tool != tool_version()
        or record.recipe != planned.recipe
        or known.asked != campaign.selection.of(known.proof is not None)
        or sha256(folder / record.formula) != record.identity.compressed_sha256
    ):
        return None
    return record


def _plans(planned: Mapping[str, Planned]) -> list[InstancePlan]:
    """Every formula once, to find a mistake before hours of work begin; workers make them again."""
    plans = []
    for name, each in planned.items():
        with each.blamed():
            formula = each.recipe.formula()
        if each.recipe.size > RECIPE_BYTES:
            raise InputError(
                f"its specs and graphs take more than {RECIPE_BYTES:,} bytes in a record",
                "archive a smaller graph",
                each.place,
            )
        header = formula.header
        if header.lazy:
            # Neither a model nor a proof would be of the file that lies beside it.
            raise InputError(
                f"{header.spec} is lazy: its formula is incomplete",
                "archive another encoding",
                each.place,
            )
        if formula.weights:
            raise InputError(
                "its literals have weights, and no hash or count of an archive does",
                "leave the instance out, or remove the weights",
                each.place,
            )
        about = {
            "title": header.title,
            "cite": header.cite,
            "parameters": header.parameters,
            "objects": header.objects or {},
            "count_preserving": header.count_preserving,
        }
        plans.append(InstancePlan(instance_of(name, each.recipe, formula), each.recipe, about))
    return plans
