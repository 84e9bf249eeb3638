"""All inputs of an instance as texts: they give the same bytes on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardsat.generators.catalogue import SpecTexts, parse_texts, texts
from boardsat.generators.errors import InputError

if TYPE_CHECKING:
    from boardsat.generators import Formula

GRAPH_BYTES = 10_000_000
"""Largest graph file that is copied into an archive."""


@dataclass(frozen=True)
class Recipe:
    spec: SpecTexts
    settings: Mapping[str, str]
    graphs: Mapping[str, str]
    """For each setting that names a graph file, its text; the setting is the file's name."""
    propagate: bool = False
    three_cnf: str | None = None
    shuffle: int | None = None
    projection: str | None = None

    def formula(self) -> Formula:
        """The formula, from nothing but what stands here."""
        from boardsat.generators import build, transform

        with self._on_disk() as settings:
            formula = build(parse_texts(self.spec), settings)
        return transform(formula, self.propagate, self.three_cnf, self.shuffle)

    def stem(self) -> str:
        """What its file would be called before any transform; no formula is built for it."""
        from boardsat.generators import stem

        with self._on_disk() as settings:
            return stem(parse_texts(self.spec), settings)

    @contextmanager
    def _on_disk(self) -> Iterator[dict[str, str]]:
        """The settings, with the files that some of them name."""
        from boardsat.adapters.runtimes import scratch

        with scratch.folder() as folder:
            settings = dict(self.settings)
            for number, (key, text) in enumerate(self.graphs.items()):
                # The name stands in the header of the formula, where it was does not.
                file = folder / str(number) / Path(settings[key]).name
                file.parent.mkdir()
                file.write_bytes(text.encode())
                settings[key] = str(file)
            yield settings

    def choices(self) -> dict[str, str]:
        """What tells this instance from others of its spec."""
        transforms = {
            "propagate": "true" if self.propagate else "",
            "three_cnf": self.three_cnf or "",
            "shuffle": "" if self.shuffle is None else str(self.shuffle),
            "projection": self.projection or "",
        }
        return {**self.settings, **{key: value for key, value in transforms.items() if value}}

    def as_json(self) -> dict[str, Any]:
        return {
            "spec": self.spec.name,
            "file": self.spec.file,
            "texts": self.spec.texts,
            "settings": dict(self.settings),
            "graphs": dict(self.graphs),
            "propagate": self.propagate,
            "three_cnf": self.three_cnf,
            "shuffle": self.shuffle,
            "projection": self.projection,
        }


def from_json(entries: Mapping[str, Any]) -> Recipe:
    return Recipe(
        SpecTexts(entries["spec"], entries["file"], entries["texts"]),
        entries["settings"],
        entries["graphs"],
        entries["propagate"],
        entries["three_cnf"],
        entries["shuffle"],
        entries["projection"],
    )


def gather_recipe(
    folder: Path, problem: str, encoding: str | None, settings: Mapping[str, str], **how: Any
) -> Recipe:
    """The recipe of an instance, with the texts of all files that it names, beside a folder."""
    from boardsat.generators.sections.parameters import parameters_of

    if problem.endswith((".yaml", ".yml")):
        problem = str(folder / problem)
    spec = texts(problem, encoding)
    kinds = {parameter.name: parameter.type for parameter in parameters_of(parse_texts(spec))}
    files = {key: value for key, value in settings.items() if kinds.get(key) == "graph"}
    graphs = {key: _graph(folder / value) for key, value in files.items()}
    named = {key: Path(value).name for key, value in files.items()}
    return Recipe(spec, {**settings, **named}, graphs, **how)


def _graph(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(GRAPH_BYTES + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not a text"
        raise InputError(
            f"cannot read the graph: {fault}", "give a readable file", str(path)
        ) from None
    if len(data) > GRAPH_BYTES:
        raise InputError(
            "too large for an archive", f"the limit is {GRAPH_BYTES:,} bytes", str(path)
        )
    return text
