"""Reads a campaign: the instances of an archive, as a list or a grid, and the solvers.

It is YAML, read as strictly as a spec: a fault is one line that names the place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from boardsat.adapters import solvers as solver_files
from boardsat.adapters.kinds import AUTO, Ability, Reads
from boardsat.adapters.runtimes import PREFERRED, Limits
from boardsat.campaigns import about
from boardsat.campaigns.about import About
from boardsat.generators.choices import PROJECTIONS, THREE_CNF
from boardsat.generators.errors import InputError, choose_from
from boardsat.generators.limits import SPEC_BYTES
from boardsat.generators.yaml_reader import Item, read_yaml
from boardsat.running.recipe import Recipe, RecipeGatherer

KEYS = (*about.KEYS, "instances", "solvers", "counters", "runtime", "seed", "limits")
INSTANCE_KEYS = ("problem", "encoding", "set", "propagate", "three_cnf", "shuffle", "projection")
LIMIT_KEYS = ("timeout", "cpu", "memory")
TIMEOUT = 600.0
"""Seconds of a run, where the campaign does not say."""

MOST_INSTANCES = 10_000
MOST_NODES = 16 * MOST_INSTANCES
"""Of its YAML: enough to write out every instance."""
LARGEST_SEED = 2**64


@dataclass(frozen=True)
class Planned:
    """One point of a grid, and where it stands in the campaign."""

    place: str
    recipe: Recipe

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """An error within names this point first."""
        try:
            yield
        except InputError as error:
            place = f"{self.place}: {error.place}" if error.place else self.place
            raise error.at(place) from None


@dataclass(frozen=True)
class Campaign:
    text: str
    file: str
    about: About
    asked: Respondents
    runtime: str
    seed: int
    limits: Limits
    entries: tuple[Item, ...] = field(repr=False)

    def instances(self, folder: Path) -> list[Planned]:
        """Every instance, in the order of the list; within a grid the last key varies fastest.

        Specs and graph files that are no part of boardsat are looked for in the folder.
        """
        grids = [_grid(entry) for entry in self.entries]
        # Before any of them is made: a small file can mean millions.
        number = sum(grid.size for grid in grids)
        if number > MOST_INSTANCES:
            told = f"{number:,}" if number < 10**15 else "more than 10**15"
            raise InputError(
                f"{told} instances",
                f"the limit is {MOST_INSTANCES:,}: make several archives",
                self.file,
            )
        gatherer = RecipeGatherer(folder)
        return [each for grid in grids for each in grid.planned(gatherer)]


@dataclass(frozen=True)
class _Grid:
    """The instances of an entry: every combination of the values that are lists."""

    entry: Item
    axes: tuple[tuple[str, str], ...]
    """The section, which is empty or `set`, and the key."""
    values: tuple[list[Item], ...]

    @property
    def size(self) -> int:
        return math.prod(map(len, self.values))

    def planned(self, gatherer: RecipeGatherer) -> Iterator[Planned]:
        for point in product(*self.values):
            yield _planned(self.entry, gatherer, dict(zip(self.axes, point, strict=True)))


@dataclass(frozen=True)
class Respondents:
    """The names of those who are to answer."""

    solvers: tuple[str, ...]
    counters: tuple[str, ...]

    def of(self, proved: bool) -> list[str]:
        """Who is asked: a proof that there is no model leaves nothing to count."""
        return [*self.solvers, *(() if proved else self.counters)]


def read_described(path: Path) -> tuple[About, Respondents]:
    """What a campaign says of its archive; whether its solvers still exist is no matter."""
    entries = _entries(path)[1]
    names = [tuple(item.text for item in _listed(entries, key)) for key in ("solvers", "counters")]
    return about.about_from(entries), Respondents(*names)


def _entries(path: Path) -> tuple[str, dict[str, Item]]:
    """The text of a campaign, and what stands under each of its keys."""
    try:
        with path.open("rb") as file:
            data = file.read(SPEC_BYTES + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise InputError(
            f"cannot read the campaign: {fault}", "give a readable YAML file", str(path)
        ) from None
    if len(data) > SPEC_BYTES:
        raise InputError(
            f"a campaign of more than {SPEC_BYTES:,} bytes", "use lists for values", str(path)
        )
    return text, read_yaml(text, str(path), MOST_NODES).mapping(KEYS)


def read_campaign(path: Path) -> Campaign:
    text, entries = _entries(path)
    if "instances" not in entries or not entries["instances"].items():
        raise InputError("the key `instances` is missing", "see docs/archives.md", str(path))
    return Campaign(
        text=text,
        file=str(path),
        about=about.about_from(entries),
        asked=Respondents(
            _able(entries, "solvers", frozenset([Ability.DECIDE])),
            _able(entries, "counters", frozenset([Ability.COUNT, Ability.ESTIMATE])),
        ),
        runtime=_runtime(entries.get("runtime")),
        seed=_seed(entries["seed"]) if "seed" in entries else 1,
        limits=_limits(entries.get("limits")),
        entries=tuple(entries["instances"].items()),
    )


def _listed(entries: dict[str, Item], key: str) -> list[Item]:
    return entries[key].items() if key in entries else []


def _able(entries: dict[str, Item], key: str, abilities: frozenset[Ability]) -> tuple[str, ...]:
    solvers = [solver_files.load(name) for name in solver_files.names()]
    able = [each for each in solvers if each.can & abilities]
    known = [each.name for each in able if each.reads is not Reads.PROGRAM]
    return tuple(_choice(item, known) for item in _listed(entries, key))


def _choice(item: Item, choices: tuple[str, ...] | list[str]) -> str:
    if item.text not in choices:
        raise item.error(f"no choice {item.text[:40]!r} here", choose_from(item.text, choices))
    return item.text


def _runtime(item: Item | None) -> str:
    return _choice(item, (AUTO, *PREFERRED)) if item else AUTO


def _seed(item: Item) -> int:
    if not re.fullmatch(r"\d{1,20}", item.text, re.ASCII) or int(item.text) >= LARGEST_SEED:
        raise item.error(f"{item.text[:40]!r} is not a seed", "give a whole number below 2**64")
    return int(item.text)


def _limits(item: Item | None) -> Limits:
    found = item.mapping(LIMIT_KEYS) if item else {}
    numbers = {key: _positive(value) for key, value in found.items()}
    memory = int(numbers["memory"] * 2**20) if "memory" in numbers else None
    return Limits(numbers.get("timeout", TIMEOUT), numbers.get("cpu"), memory)


def _positive(item: Item) -> float:
    try:
        number = float(item.text)
    except ValueError:
        number = math.nan
    if not 0.001 <= number <= 10**9:
        raise item.error(
            f"{item.text[:40]!r} is not a limit", "write seconds, or megabytes of memory"
        )
    return number


def _grid(entry: Item) -> _Grid:
    keys = entry.mapping(INSTANCE_KEYS)
    if "problem" not in keys:
        raise entry.error("an instance needs `problem`", "write `problem: tour`")
    settings = keys.pop("set").mapping() if "set" in keys else {}
    items = {("", key): item for key, item in keys.items()}
    items |= {("set", key): item for key, item in settings.items()}
    values = {axis: item.items() for axis, item in items.items()}
    for (_, key), choices in values.items():
        if not choices:
            raise items[_, key].error(f"an empty list for {key!r}", "give a value")
    return _Grid(entry, tuple(values), tuple(values.values()))


def _planned(entry: Item, gatherer: RecipeGatherer, point: dict[tuple[str, str], Item]) -> Planned:
    chosen = {key: item for (section, key), item in point.items() if not section}
    settings = {key: item.text for (section, key), item in point.items() if section}
    how = {
        "propagate": chosen["propagate"].flag() if "propagate" in chosen else False,
        "three_cnf": _three_cnf(chosen["three_cnf"]) if "three_cnf" in chosen else None,
        "shuffle": _seed(chosen["shuffle"]) if "shuffle" in chosen else None,
        "projection": (
            _choice(chosen["projection"], PROJECTIONS) if "projection" in chosen else None
        ),
    }
    encoding = chosen["encoding"].text if "encoding" in chosen else None
    try:
        recipe = gatherer.gather(chosen["problem"].text, encoding, settings, **how)
    except InputError as error:
        raise error.at(error.place or entry.place) from None
    return Planned(entry.place, recipe)


def _three_cnf(item: Item) -> str | None:
    """`true` is the usual way, and `false` is not at all, so that both can stand in a list."""
    usual = {"true": THREE_CNF[0], "false": None}
    return usual[item.text] if item.text in usual else _choice(item, THREE_CNF)
