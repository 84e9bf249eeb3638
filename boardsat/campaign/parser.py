"""Parse a campaign: instances as a list, a grid or files, and the solvers that run on them.

It is YAML, read as strictly as a spec: a fault is one line that names the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from boardsat.adapters import solvers as solver_files
from boardsat.adapters.runtimes import PREFERRED, Limits
from boardsat.adapters.solvers.capabilities import AUTO, Capability, InputFormat
from boardsat.base.errors import InputError
from boardsat.base.text import suggest
from boardsat.campaign import metadata
from boardsat.campaign.grids import Planned, grid_of
from boardsat.campaign.metadata import About
from boardsat.campaign.runner.recipe import RecipeGatherer
from boardsat.campaign.runner.safe_paths import read_text
from boardsat.campaign.scalars import one_of, positive, seed, whole
from boardsat.generators.limits import SPEC_BYTES
from boardsat.generators.yaml_reader import Item, read_yaml

RUN_KEYS = ("encodings", "seeds", "repeat", "proof", "cluster", "stop_after_unsolved")
"""What is for `boardsat run` alone."""
KEYS = (
    *metadata.KEYS,
    *("instances", "solvers", "counters", "runtime", "seed", "limits"),
    *RUN_KEYS,
)
FILES = "files"
"""The key of an entry that names formulas from elsewhere instead."""
OTHERS = ""
"""Stands for the solvers that are not named."""
LIMIT_KEYS = ("timeout", "cpu", "memory")
DEFAULT_TIMEOUT = 600.0
"""Seconds of a run, where the campaign does not say."""

MOST_INSTANCES = 10_000
MOST_SEEDS = 10_000
MOST_REPEATS = 1000
MOST_NODES = 16 * MOST_INSTANCES
"""Of its YAML: enough to write out every instance."""


@dataclass(frozen=True)
class Campaign:
    text: str
    file: str
    about: About
    asked: SolverSelection
    runtimes: Mapping[str, str]
    """Of the solvers for which the campaign says where they run; empty for all others."""
    seed: int
    limits: Limits
    seeds: tuple[int, ...]
    repeat: int
    proof: bool
    give_up: str
    """The parameter with which runs get harder; empty: none is given up."""
    cluster: Mapping[str, str]
    """What whoever starts workers on a cluster is to know."""
    entries: tuple[Item, ...] = field(repr=False)
    encodings: tuple[Item, ...] = field(repr=False)
    """For those that name none."""
    run_only: tuple[tuple[str, Item], ...] = field(repr=False)
    """What only `boardsat run` obeys."""

    def runtime(self, solver: str) -> str:
        return self.runtimes.get(solver, self.runtimes.get(OTHERS, AUTO))

    @property
    def files(self) -> list[Item]:
        """The entries that name formulas from elsewhere."""
        return [entry for entry in self.entries if _is_files(entry)]

    def instances(self, folder: Path) -> list[Planned]:
        """Every instance, in the order of the list; within a grid the last key varies fastest.

        Specs and graph files that are no part of boardsat are looked for in the folder.
        """
        mine = (entry for entry in self.entries if not _is_files(entry))
        grids = [grid_of(entry, self.encodings) for entry in mine]
        # Before any of them is made: a small file can mean millions.
        number = sum(grid.size for grid in grids)
        if number > MOST_INSTANCES:
            told = f"{number:,}" if number < 10**15 else "more than 10**15"
            raise InputError(
                f"{told} instances",
                f"the limit is {MOST_INSTANCES:,}: make several campaigns",
                self.file,
            )
        gatherer = RecipeGatherer(folder)
        return [each for grid in grids for each in grid.planned(gatherer)]


@dataclass(frozen=True)
class SolverSelection:
    """The names of those who are to answer."""

    solvers: tuple[str, ...]
    counters: tuple[str, ...]

    def of(self, proved: bool) -> list[str]:
        """Who is asked: a proof that there is no model leaves nothing to count."""
        return [*self.solvers, *(() if proved else self.counters)]


def read_described(path: Path) -> tuple[About, SolverSelection]:
    """What a campaign says of its archive; whether its solvers still exist is no matter."""
    entries = _entries(path)[1]
    names = [tuple(item.text for item in _listed(entries, key)) for key in ("solvers", "counters")]
    return metadata.about_from(entries), SolverSelection(*names)


def _entries(path: Path) -> tuple[str, dict[str, Item]]:
    """The text of a campaign, and what stands under each of its keys."""
    text = read_text(path, "campaign", SPEC_BYTES)
    return text, read_yaml(text, str(path), MOST_NODES).mapping(KEYS)


def read_campaign(path: Path) -> Campaign:
    text, entries = _entries(path)
    if "instances" not in entries:
        raise InputError("the key `instances` is missing", "see docs/archives.md", str(path))
    if not entries["instances"].items():
        raise entries["instances"].error("a campaign of no runs", "name an instance")
    return Campaign(
        text=text,
        file=str(path),
        about=metadata.about_from(entries),
        asked=SolverSelection(
            _able(
                entries, "solvers", frozenset([Capability.DECIDE, Capability.OPTIMISE]), path.parent
            ),
            _able(
                entries, "counters", frozenset([Capability.COUNT, Capability.ESTIMATE]), path.parent
            ),
        ),
        runtimes=_runtimes(entries, path.parent),
        seed=seed(entries["seed"]) if "seed" in entries else 1,
        limits=_limits(entries.get("limits")),
        seeds=_seeds(entries),
        repeat=whole(entries["repeat"], MOST_REPEATS) if "repeat" in entries else 1,
        proof=entries["proof"].flag() if "proof" in entries else False,
        give_up=entries["stop_after_unsolved"].text if "stop_after_unsolved" in entries else "",
        cluster=_texts(entries.get("cluster")),
        entries=tuple(entries["instances"].items()),
        encodings=tuple(_listed(entries, "encodings")),
        run_only=tuple(_run_only(entries)),
    )


def _run_only(entries: dict[str, Item]) -> Iterator[tuple[str, Item]]:
    yield from ((f"`{key}`", entries[key]) for key in RUN_KEYS if key in entries)
    for key in ("solvers", "counters"):
        for item in _listed(entries, key):
            if item.text.endswith(".yaml"):
                yield "a solver from a file", item
    yield from (("`files`", item) for item in entries["instances"].items() if _is_files(item))


def _is_files(entry: Item) -> bool:
    return FILES in entry.mapping()


def _texts(item: Item | None) -> dict[str, str]:
    return {key: value.text for key, value in item.mapping().items()} if item else {}


def _seeds(entries: dict[str, Item]) -> tuple[int, ...]:
    """Those of the list; without it the one under `seed`."""
    items = _listed(entries, "seeds") or [entries[key] for key in ("seed",) if key in entries]
    if len(items) > MOST_SEEDS:
        raise items[0].error(f"{len(items):,} seeds", f"the limit is {MOST_SEEDS:,}")
    found = tuple(map(seed, items)) or (1,)
    for number, item in enumerate(items):
        if found[number] in found[:number]:
            raise item.error(f"the seed {found[number]} again", "name each once, or use `repeat`")
    return found


def _listed(entries: dict[str, Item], key: str) -> list[Item]:
    return entries[key].items() if key in entries else []


def _able(
    entries: dict[str, Item], key: str, abilities: frozenset[Capability], folder: Path
) -> tuple[str, ...]:
    """Names of solvers, and paths of solver files in the folder of the campaign."""
    solvers = [solver_files.load(name) for name in solver_files.names()]
    able = [each for each in solvers if each.capabilities & abilities]
    known = [each.name for each in able if each.input_format is not InputFormat.PROGRAM]
    found = []
    for item in _listed(entries, key):
        if not item.text.endswith(".yaml"):
            found.append(one_of(item, known))
            continue
        file = _named(item.text, folder)
        if not solver_files.load(file).capabilities & abilities:
            raise item.error("it cannot do this", "see its key `can`")
        found.append(file)
    for number, item in enumerate(_listed(entries, key)):
        if found[number] in found[:number]:
            raise item.error(f"{item.text} again", "name each once")
    return tuple(found)


def _runtimes(entries: dict[str, Item], folder: Path) -> dict[str, str]:
    """One for all, or by the names of the solvers."""
    places = (AUTO, *PREFERRED)
    item = entries.get("runtime")
    if item is None:
        return {}
    if item.is_scalar:
        return {OTHERS: one_of(item, places)}
    asked = [each.text for key in ("solvers", "counters") for each in _listed(entries, key)]
    found = {}
    for name, place in item.mapping().items():
        if name not in asked:
            raise place.error(f"{name[:40]!r} is not asked here", suggest(name, asked))
        found[_named(name, folder)] = one_of(place, places)
    return found


def _named(text: str, folder: Path) -> str:
    """What a solver is called by those who load it: its name, or the path of its file."""
    return str(folder / text) if text.endswith(".yaml") else text


def _limits(item: Item | None) -> Limits:
    found = item.mapping(LIMIT_KEYS) if item else {}
    numbers = {key: positive(value) for key, value in found.items()}
    memory = int(numbers["memory"] * 2**20) if "memory" in numbers else None
    return Limits(numbers.get("timeout", DEFAULT_TIMEOUT), numbers.get("cpu"), memory)
