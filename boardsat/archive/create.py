"""Create an archive from a campaign, instance by instance; an interrupted creation can continue.

An instance is finished when its record is on disk, which is written after its other files. After a
crash or on a full disk the same command continues: answers of solvers are stored as they arrive.
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
from boardsat.archive import storage
from boardsat.archive.instance_pipeline import ArchiveJobs, InstancePlan, SelectedSolvers
from boardsat.archive.instance_record import InstanceRecord, header_entries, read_record
from boardsat.archive.readme import citation, license_text, preview, readme
from boardsat.archive.ro_crate import ro_crate
from boardsat.archive.tables import csv_table, gbd_database
from boardsat.base.errors import InputError
from boardsat.base.locks import create_locked_folder
from boardsat.campaign.folder import instance_of
from boardsat.campaign.grids import GridInstance, names
from boardsat.campaign.parser import ArchiveMetadata, Campaign, read_campaign
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.job_queue import NullListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.store import Store
from boardsat.generators import Formula
from boardsat.version import version

WORKER = "boardsat.archive.archive_worker"
MAX_RECIPE_BYTES = storage.RECORD_BYTES - 2**20
"""Maximum size of a recipe: the other 2**20 bytes of a record are for answers."""

_RESERVED_NAMES = {
    name.removesuffix(storage.RECORD)
    for name in storage.SHARED_FILES
    if name.endswith(storage.RECORD)
}
"""Instance names whose records would overwrite another file of the archive."""


@dataclass(frozen=True)
class ArchiveStep:
    """Finished instance, reported as progress."""

    number: int
    """Number of instances finished so far."""
    total: int
    record: InstanceRecord
    is_new: bool
    """False if an earlier run has created the instance."""


def tool_version() -> str:
    """Return name and version of boardsat as records state them."""
    return f"boardsat {version()}"


def create(
    folder: Path,
    path: Path,
    jobs: int | None = None,
    report_step: Callable[[ArchiveStep], None] = lambda _: None,
) -> list[InstanceRecord]:
    """Create the archive of a campaign, or continue an interrupted creation.

    Parameters
    ----------
    folder : Path
        New folder, or one that the same campaign has begun.
    path : Path
        Campaign file.
    jobs : int, optional
        Number of runs at a time. Default: one for each core.
    report_step : callable
        Called after each finished instance.

    Returns
    -------
    list of InstanceRecord
        Records of all instances, earlier ones included.

    Raises
    ------
    InputError
        The campaign is invalid, or the folder has other files.
    WrongAnswerError
        An answer was refuted, or answers contradict each other.
    """
    campaign = read_campaign(path)
    for key, item in campaign.run_only:
        raise item.error(
            f"an archive does not support {key}; only `boardsat run` does", "remove it"
        )
    planned = campaign.instances(path.parent)
    _check_formats(campaign, planned)
    instances = dict(zip(names(planned, _RESERVED_NAMES), planned, strict=True))
    if folder.exists() and not folder.is_dir():
        raise InputError("the archive must be a folder (got a file)", "", str(folder))
    cores = cores_of(jobs)
    with create_locked_folder(folder):
        _check_folder(folder, campaign)
        return _create_instances(folder, campaign, instances, cores, report_step)


def _check_formats(campaign: Campaign, planned: Sequence[GridInstance]) -> None:
    """Raise InputError if a solver cannot read the format of an instance.

    Every solver runs on every instance.
    """
    for instance in planned:
        format_name = instance.recipe.format
        for name in campaign.selection.solvers:
            check_requirements(
                solvers.load(name),
                _requirements(format_name),
                location=instance.location,
                alternative="archive it by a separate campaign",
            )
        if format_name and campaign.selection.counters:
            fault = f"`format` must be cnf if there are counters (got {format_name})"
            raise InputError(fault, "archive it by a separate campaign", instance.location)


def _requirements(format_name: str | None) -> SolverRequirements:
    """Return the requirements on solvers for a format; None is CNF.

    For CNF no input feature is required, because solvers that read boards run as well.
    """
    features = format_features(format_name) if format_name else frozenset[InputFeature]()
    output = OutputKind.OPTIMUM if InputFeature.OBJECTIVE in features else OutputKind.MODEL
    return SolverRequirements(features, output)


def _create_instances(
    folder: Path,
    campaign: Campaign,
    instances: Mapping[str, GridInstance],
    cores: list[int],
    report_step: Callable[[ArchiveStep], None],
) -> list[InstanceRecord]:
    """Create the missing instances and the shared files; return the records of all instances."""
    records: list[InstanceRecord] = []

    def add(record: InstanceRecord, is_new: bool = True) -> None:
        records.append(record)
        report_step(ArchiveStep(len(records), len(instances), record, is_new))

    finished = {
        name: record
        for name, instance in instances.items()
        if (record := _finished_record(folder, name, instance, campaign)) is not None
    }
    plans = _plans({name: instance for name, instance in instances.items() if name not in finished})
    selected = SelectedSolvers.from_campaign(campaign) if plans else None
    store = Store(folder, storage.RESULTS)
    _begin(folder, campaign, store)
    for record in finished.values():
        add(record, is_new=False)
    if selected is not None:
        # The same engine runs validations and campaigns.
        with open_pool(cores, store, NullListener(), WORKER) as pool:
            pool.run(ArchiveJobs(plans, folder, selected, tool_version(), store, add))
    write_descriptions(folder, campaign.metadata, sorted(records, key=lambda record: record.name))
    return records


def write_descriptions(
    folder: Path, metadata: ArchiveMetadata, records: Sequence[InstanceRecord]
) -> None:
    """Write the files that describe all instances, and then the manifest."""
    storage.remove_unfinished(folder)
    expected = {*storage.SHARED_FILES, *(file for record in records for file in record.files)}
    for name in storage.file_names(folder):
        if name not in expected:
            raise InputError("the file is not part of the archive", "remove it", str(folder / name))
    for name, content in descriptions(folder, metadata, records):
        storage.write(folder / name, [content])
    storage.write(folder / storage.MANIFEST, [storage.manifest(folder)])


def descriptions(
    folder: Path, metadata: ArchiveMetadata, records: Sequence[InstanceRecord]
) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file that is derived from the records and the campaign.

    The RO-Crate contains hashes of the files before it, so the caller must write each file before
    it requests the next one.
    """
    yield storage.TABLE, csv_table(records)
    yield storage.DATABASE, gbd_database(records)
    yield storage.CITATION, citation(metadata)
    yield storage.LICENSE, license_text(metadata)
    yield storage.README, readme(metadata, records)
    crate = ro_crate(folder, metadata, records)
    yield storage.CRATE, crate
    yield storage.PREVIEW, preview(metadata, records, crate)


def _check_folder(folder: Path, campaign: Campaign) -> None:
    """Raise InputError unless the folder is new or was begun by this campaign."""
    campaign_copy = folder / storage.CAMPAIGN
    if storage.is_regular_file(campaign_copy):
        if campaign_copy.read_bytes() != campaign.text.encode():
            fault = "the campaign must be that of the archive in the folder (got another one)"
            raise InputError(fault, "give another folder", str(folder))
    elif any(path.suffix != ".part" for path in folder.iterdir()):
        fault = "the folder must be empty or an archive (got other files)"
        raise InputError(fault, "give another folder", str(folder))
    storage.check_no_links(folder)


def _begin(folder: Path, campaign: Campaign, store: Store) -> None:
    """Prepare the folder: keep the stored runs and their files, remove the manifest."""
    artifacts = {name for record in store.records.values() for name in record.artifacts.kept}
    storage.remove_unfinished(folder, {storage.RESULTS, *artifacts})
    storage.write(folder / storage.CAMPAIGN, [campaign.text.encode()])
    # A manifest seals a complete archive, so an unfinished one must not have it.
    for name in (storage.MANIFEST, storage.OLD_MANIFEST):
        (folder / name).unlink(missing_ok=True)


def _finished_record(
    folder: Path, name: str, instance: GridInstance, campaign: Campaign
) -> InstanceRecord | None:
    """Return the record that an earlier run has written.

    None without one, or if this run would write a different one.
    """
    try:
        record = read_record(folder / (name + storage.RECORD))
    except InputError:
        return None
    evidence = record.evidence
    is_current = (
        all((folder / file).is_file() for file in record.files)
        and record.tool == tool_version()
        and record.recipe == instance.recipe
        and evidence.solver_names == campaign.selection.names(is_proved=evidence.proof is not None)
        and sha256(folder / record.formula) == record.identity.compressed_sha256
    )
    return record if is_current else None


def _plans(instances: Mapping[str, GridInstance]) -> list[InstancePlan]:
    """Return the plans of instances; raise InputError if one cannot be archived.

    Every formula is generated here once, so that a fault is found before hours of work begin;
    workers generate it again.
    """
    plans = []
    for name, instance in instances.items():
        with instance.error_location():
            formula = instance.recipe.formula()
            _check_archivable(instance.recipe, formula)
        campaign_instance = instance_of(name, instance.recipe, formula)
        entries = header_entries(formula.header)
        plans.append(InstancePlan(campaign_instance, instance.recipe, entries))
    return plans


def _check_archivable(recipe: Recipe, formula: Formula) -> None:
    """Raise InputError if a formula cannot be archived."""
    if recipe.size > MAX_RECIPE_BYTES:
        fault = f"the specs and graphs of an instance must have at most {MAX_RECIPE_BYTES:,} bytes"
        raise InputError(f"{fault} (got {recipe.size:,})")
    if formula.header.lazy:
        # Models and proofs would be of a formula with cuts, not of the file in the archive.
        fault = f"{formula.header.spec} is lazy: its formula is incomplete"
        raise InputError(fault, "archive another encoding")
    if formula.weights:
        fault = "the literals have weights, which hashes and counts of an archive do not cover"
        raise InputError(fault, "archive another instance")
