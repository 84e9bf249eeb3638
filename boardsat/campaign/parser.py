"""Parse a campaign: instances as a list, a grid or files, and the solvers that run on them.

A campaign is YAML, read as strictly as a spec: a fault is one line with its location.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from boardsat.adapters import solvers as solver_files
from boardsat.adapters.runtimes import RUNTIME_NAMES, Limits
from boardsat.adapters.solvers.solver import AUTO, Capability, InputFormat
from boardsat.base.compression import EFFORTS, QUICK
from boardsat.base.errors import InputError
from boardsat.base.files import read_text
from boardsat.base.text import suggest
from boardsat.campaign.grids import GridInstance, grid_of
from boardsat.campaign.instance_files import one_of, parse_seed
from boardsat.campaign.runner.recipe import RecipeGatherer
from boardsat.generators.build_limits import SPEC_BYTES
from boardsat.generators.yaml_reader import Item, read_yaml

METADATA_KEYS = ("title", "about", "authors", "date", "license", "compression")
"""Keys that only `boardsat archive` uses."""
RUN_KEYS = ("encodings", "seeds", "repeat", "proof", "cluster", "stop_after_unsolved")
"""Keys that only `boardsat run` uses."""
KEYS = (
    *METADATA_KEYS,
    *("instances", "solvers", "counters", "runtime", "seed", "limits"),
    *RUN_KEYS,
)
FILES = "files"
"""Key of an entry that names formula files instead of a problem."""
ALL_SOLVERS = ""
"""Key in `Campaign.runtimes`: its runtime is for the solvers that have no key there."""
AUTHOR_KEYS = ("given-names", "family-names", "affiliation", "orcid")
"""Keys of an author, named as in the Citation File Format."""
DEFAULT_TITLE = "Instances made by boardsat"
DEFAULT_AUTHOR = {"name": "boardsat"}
LIMIT_KEYS = ("timeout", "cpu", "memory")
DEFAULT_TIMEOUT = 600.0
"""Time limit of a run in seconds, if the campaign has none."""

MIN_LIMIT, MAX_LIMIT = 0.001, 10**9
MAX_INSTANCES = 10_000
MAX_SEEDS = 10_000
MAX_REPEATS = 1000
MAX_NODES = 16 * MAX_INSTANCES
"""Maximum number of YAML nodes: enough to write out every instance."""


@dataclass(frozen=True)
class ArchiveMetadata:
    """Metadata of an archive. A text is empty if the campaign does not have its key."""

    title: str
    text: str
    """Description of the archive."""
    authors: tuple[dict[str, str], ...]
    """Entries of `AUTHOR_KEYS`, or a `name`, of each author."""
    date: str
    """Date of publication as YYYY-MM-DD."""
    license: str
    """SPDX identifier of the license."""
    compression: str


def display_name(author: Mapping[str, str]) -> str:
    """Return the full name of an author: `name`, or given names and family names."""
    if "name" in author:
        return author["name"]
    return f"{author.get('given-names', '')} {author.get('family-names', '')}".strip()


@dataclass(frozen=True)
class SolverSelection:
    """Names of solvers and counters, or paths of their files."""

    solvers: tuple[str, ...]
    counters: tuple[str, ...]

    def names(self, *, is_proved: bool) -> list[str]:
        """Return the names of all solvers, and of all counters unless the instance has a proof."""
        return [*self.solvers, *(() if is_proved else self.counters)]


@dataclass(frozen=True)
class RunOptions:
    """Options that only `boardsat run` uses."""

    seeds: tuple[int, ...]
    repeat: int
    proof: bool
    stop_after_unsolved: str
    """Name of the size parameter for early stopping. Empty if no instances are skipped."""
    cluster: Mapping[str, str]
    """Options of batch jobs, see `cluster.options`."""


@dataclass(frozen=True)
class Campaign:
    """Instances, the solvers that run on them, and limits."""

    text: str
    file: str
    metadata: ArchiveMetadata
    selection: SolverSelection
    runtimes: Mapping[str, str]
    """Runtimes by solver, see `ALL_SOLVERS`."""
    seed: int
    limits: Limits
    options: RunOptions
    entries: tuple[Item, ...] = field(repr=False)
    encodings: tuple[Item, ...] = field(repr=False)
    """Encodings of the entries that name none."""
    run_only: tuple[tuple[str, Item], ...] = field(repr=False)
    """Names and items of all entries that only `boardsat run` supports."""

    def runtime(self, solver: str) -> str:
        return self.runtimes.get(solver, self.runtimes.get(ALL_SOLVERS, AUTO))

    @property
    def files(self) -> list[Item]:
        """Entries that name formula files."""
        return [entry for entry in self.entries if _is_files(entry)]

    def instances(self, folder: Path) -> list[GridInstance]:
        """Return every instance in the order of the file; the last key of a grid varies fastest.

        Paths of specs and graphs are relative to the folder.
        """
        grids = [grid_of(e, self.encodings) for e in self.entries if not _is_files(e)]
        # Counted before expansion: a small file can define millions of instances.
        number = sum(grid.size for grid in grids)
        if number > MAX_INSTANCES:
            text = f"{number:,}" if number < 10**15 else "more than 10**15"
            raise InputError(
                f"the number of instances must be at most {MAX_INSTANCES:,} (got {text})",
                "make several campaigns",
                self.file,
            )
        gatherer = RecipeGatherer(folder)
        return [instance for grid in grids for instance in grid.instances(gatherer)]


def read_metadata(path: Path) -> tuple[ArchiveMetadata, SolverSelection]:
    """Return the metadata of an archive and the names of its solvers, which are not looked up."""
    entries = _entries(path)[1]
    names = [
        tuple(item.text for item in _list_items(entries, key)) for key in ("solvers", "counters")
    ]
    return _metadata(entries), SolverSelection(*names)


def _entries(path: Path) -> tuple[str, dict[str, Item]]:
    """Return the text of a campaign and its entries by key."""
    text = read_text(path, "campaign", SPEC_BYTES)
    return text, read_yaml(text, str(path), MAX_NODES).mapping(KEYS)


def read_campaign(path: Path) -> Campaign:
    """Return the campaign of a file; raise InputError with the location of a fault."""
    text, entries = _entries(path)
    if "instances" not in entries:
        raise InputError("the key `instances` is missing", "see docs/campaigns.md", str(path))
    if not entries["instances"].items():
        raise entries["instances"].error("`instances` must have an entry (got an empty list)")
    folder = path.parent
    return Campaign(
        text=text,
        file=str(path),
        metadata=_metadata(entries),
        selection=SolverSelection(
            _solvers(entries, "solvers", {Capability.DECIDE, Capability.OPTIMISE}, folder),
            _solvers(entries, "counters", {Capability.COUNT, Capability.ESTIMATE}, folder),
        ),
        runtimes=_runtimes(entries, folder),
        seed=parse_seed(entries["seed"]) if "seed" in entries else 1,
        limits=_limits(entries.get("limits")),
        options=_options(entries),
        entries=tuple(entries["instances"].items()),
        encodings=tuple(_list_items(entries, "encodings")),
        run_only=tuple(_run_only(entries)),
    )


def _metadata(entries: Mapping[str, Item]) -> ArchiveMetadata:
    """Return the metadata of an archive from the entries of a campaign, all of them optional."""
    authors = entries["authors"].items() if "authors" in entries else []
    return ArchiveMetadata(
        title=entries["title"].text if "title" in entries else DEFAULT_TITLE,
        text=entries["about"].text if "about" in entries else "",
        authors=tuple(_author(item) for item in authors) or (DEFAULT_AUTHOR,),
        date=_matching_text(entries, "date", r"\d{4}-\d\d-\d\d", "a date such as 2026-12-31"),
        license=_matching_text(
            entries, "license", r"[\w.+-]+", "an SPDX identifier such as CC-BY-4.0"
        ),
        compression=one_of(entries["compression"], "compression", EFFORTS)
        if "compression" in entries
        else QUICK,
    )


def _author(item: Item) -> dict[str, str]:
    if item.is_scalar:
        return {"name": item.text}
    return {key: entry.text for key, entry in item.mapping(AUTHOR_KEYS).items()}


def _matching_text(entries: Mapping[str, Item], key: str, pattern: str, noun: str) -> str:
    """Return the text of a key if it matches the pattern; empty if the key is missing."""
    if key not in entries:
        return ""
    if not re.fullmatch(pattern, entries[key].text, re.ASCII):
        raise entries[key].error(f"`{key}` must be {noun} (got {entries[key].text[:40]!r})")
    return entries[key].text


def _options(entries: dict[str, Item]) -> RunOptions:
    unsolved, cluster = entries.get("stop_after_unsolved"), entries.get("cluster")
    return RunOptions(
        seeds=_seeds(entries),
        repeat=_repeat(entries["repeat"]) if "repeat" in entries else 1,
        proof=entries["proof"].flag() if "proof" in entries else False,
        stop_after_unsolved=unsolved.text if unsolved else "",
        cluster={key: item.text for key, item in cluster.mapping().items()} if cluster else {},
    )


def _run_only(entries: dict[str, Item]) -> Iterator[tuple[str, Item]]:
    yield from ((f"`{key}`", entries[key]) for key in RUN_KEYS if key in entries)
    for key in ("solvers", "counters"):
        for item in _list_items(entries, key):
            if item.text.endswith(".yaml"):
                yield "a solver from a file", item
    yield from (("`files`", item) for item in entries["instances"].items() if _is_files(item))


def _is_files(entry: Item) -> bool:
    return FILES in entry.mapping()


def _seeds(entries: dict[str, Item]) -> tuple[int, ...]:
    """Return the seeds in the list `seeds`, or else the single `seed`. Default: 1."""
    items = _list_items(entries, "seeds") or [entries[key] for key in ("seed",) if key in entries]
    if len(items) > MAX_SEEDS:
        raise items[0].error(
            f"the number of seeds must be at most {MAX_SEEDS:,} (got {len(items):,})",
            "make several campaigns",
        )
    seeds = tuple(map(parse_seed, items)) or (1,)
    for number, item in enumerate(items):
        if seeds[number] in seeds[:number]:
            fault = f"`seeds` must be distinct (got {seeds[number]} twice)"
            raise item.error(fault, "repeat runs by the key `repeat`")
    return seeds


def _list_items(entries: dict[str, Item], key: str) -> list[Item]:
    return entries[key].items() if key in entries else []


def _solvers(
    entries: dict[str, Item], key: str, capabilities: set[Capability], folder: Path
) -> tuple[str, ...]:
    """Return names of solvers, and paths of solver files in the folder of the campaign."""
    solvers = [solver_files.load(name) for name in solver_files.names()]
    names = [
        solver.name
        for solver in solvers
        if solver.capabilities & capabilities and solver.input_format is not InputFormat.PROGRAM
    ]
    selected: list[str] = []
    for item in _list_items(entries, key):
        if item.text.endswith(".yaml"):
            name = _solver_name(item.text, folder)
            if not solver_files.load(name).capabilities & capabilities:
                needed = " or ".join(sorted(capabilities))
                raise item.error(f"the file of a solver in `{key}` must have {needed} under `can`")
        else:
            name = one_of(item, key, names)
        selected.append(name)
    for number, item in enumerate(_list_items(entries, key)):
        if selected[number] in selected[:number]:
            raise item.error(f"`{key}` must be distinct (got {item.text} twice)")
    return tuple(selected)


def _repeat(item: Item) -> int:
    if not re.fullmatch(r"[1-9]\d{0,8}", item.text, re.ASCII) or int(item.text) > MAX_REPEATS:
        bounds = f"from 1 to {MAX_REPEATS:,}"
        raise item.error(f"`repeat` must be an integer {bounds} (got {item.text[:40]!r})")
    return int(item.text)


def _limit(key: str, item: Item) -> float:
    """Return the limit of an item, in seconds; in megabytes for the key `memory`."""
    try:
        number = float(item.text)
    except ValueError:
        number = math.nan
    if not MIN_LIMIT <= number <= MAX_LIMIT:
        unit = "megabytes" if key == "memory" else "seconds"
        bounds = f"from {MIN_LIMIT} to {MAX_LIMIT:,} {unit}"
        raise item.error(f"`{key}` must be a number {bounds} (got {item.text[:40]!r})")
    return number


def _runtimes(entries: dict[str, Item], folder: Path) -> dict[str, str]:
    """Return one runtime for all solvers, or runtimes by the names of the solvers."""
    choices = (AUTO, *RUNTIME_NAMES)
    entry = entries.get("runtime")
    if entry is None:
        return {}
    if entry.is_scalar:
        return {ALL_SOLVERS: one_of(entry, "runtime", choices)}
    names = [item.text for key in ("solvers", "counters") for item in _list_items(entries, key)]
    runtimes = {}
    for name, runtime in entry.mapping().items():
        if name not in names:
            fault = f"the keys of `runtime` must be solvers or counters (got {name[:40]!r})"
            raise runtime.error(fault, suggest(name, names))
        runtimes[_solver_name(name, folder)] = one_of(runtime, "runtime", choices)
    return runtimes


def _solver_name(text: str, folder: Path) -> str:
    """Return the name by which a solver is loaded: its own, or the path of its file."""
    return str(folder / text) if text.endswith(".yaml") else text


def _limits(item: Item | None) -> Limits:
    entries = item.mapping(LIMIT_KEYS) if item else {}
    numbers = {key: _limit(key, entry) for key, entry in entries.items()}
    memory = int(numbers["memory"] * 2**20) if "memory" in numbers else None
    return Limits(numbers.get("timeout", DEFAULT_TIMEOUT), numbers.get("cpu"), memory)
