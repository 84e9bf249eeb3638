"""Recipe of an instance: all inputs as texts, which give the same bytes on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.json_data import OMIT_NONE, Inline, MalformedError
from boardsat.campaign.runner.safe_paths import read_text, resolve_inside
from boardsat.generators import formats
from boardsat.generators.graphs.constructions import graph_file_parameters
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.generators.spec.catalogue import SpecTexts, parse_texts, texts
from boardsat.instance.file_types import SPEC_SUFFIXES

if TYPE_CHECKING:
    from boardsat.generators import Formula
    from boardsat.generators.schema import Parameter, Spec

GRAPH_BYTES = 10_000_000
"""Largest graph file that is copied into a recipe."""
MAX_NAME_BYTES = 255
OTHER_FORMATS = tuple(name for name in formats.names() if name != formats.CNF)


@dataclass(frozen=True)
class Recipe:
    """Spec, settings and transforms of an instance."""

    spec: Annotated[SpecTexts, Inline(name="spec", file="file", texts="texts")]
    settings: dict[str, str]
    graphs: dict[str, str]
    """Text of the graph file for each setting that names one; the setting is the file's name."""
    propagate: bool = False
    three_cnf: Annotated[str, THREE_CNF] | None = None
    shuffle: Annotated[int, range(2**64)] | None = None
    projection: Annotated[str, PROJECTIONS] | None = None
    symmetry: bool = False
    format: Annotated[Annotated[str, OTHER_FORMATS] | None, OMIT_NONE] = None
    """Format of the formula file. None for CNF."""

    def __post_init__(self) -> None:
        for key in self.graphs:
            if not _is_file_name(self.settings.get(key, "")):
                raise MalformedError(f"`{key}` is not the name of a graph file")

    def formula(self) -> Formula:
        """The formula, from nothing but what stands here, fit for its format."""
        from boardsat.generators import build, transform

        spec, form = self._checked_spec(), self.format or formats.CNF
        with self._on_disk() as settings:
            formula = build(spec, settings, form)
        changes = self.propagate, self.three_cnf, self.shuffle, self.symmetry
        if changes != (False, None, None, False):
            formats.check_transformable(form, spec.source.file)
        if self.projection not in (None, "none") and not formats.load(form).HAS_PROJECTION:
            raise InputError(f"a file of format {form} has no such projection", "leave it out")
        changed = transform(formula, *changes)
        formats.check_format(changed, form)
        return changed

    def stem(self) -> str:
        """What its file would be called before any transform; no formula is built for it."""
        from boardsat.generators import stem

        spec = self._checked_spec()
        with self._on_disk() as settings:
            return stem(spec, settings)

    def _checked_spec(self) -> Spec:
        """The spec; it reads no file but those whose texts are here."""
        spec = parse_texts(self.spec)
        for key in graph_file_parameters(spec.parameters, self.settings):
            if key not in self.graphs:
                raise InputError("the text of the graph is missing", "write the recipe again", key)
        return spec

    @contextmanager
    def _on_disk(self) -> Iterator[dict[str, str]]:
        """The settings, with the files that some of them name."""
        from boardsat.base import scratch

        with scratch.folder() as folder:
            settings = dict(self.settings)
            for number, (key, text) in enumerate(self.graphs.items()):
                # The name stands in the header of the formula, where it was does not.
                file = folder / str(number) / Path(settings[key]).name
                file.parent.mkdir()
                scratch.write(file, [text.encode()])
                settings[key] = str(file)
            yield settings

    def choices(self) -> dict[str, str]:
        """What tells this instance from others of its spec."""
        transforms = {
            "symmetry": "true" if self.symmetry else "",
            "propagate": "true" if self.propagate else "",
            "three_cnf": self.three_cnf or "",
            "shuffle": "" if self.shuffle is None else str(self.shuffle),
            "projection": self.projection or "",
            "format": self.format or "",
        }
        return {**self.settings, **{key: value for key, value in transforms.items() if value}}

    @property
    def size(self) -> int:
        """Number of bytes in a record."""
        return len(json.dumps(json_data.encode(self), ensure_ascii=False).encode())


class RecipeGatherer:
    """Recipes of instances, with the texts of all files that they name, in or below a folder.

    Many instances may name one file, which is read once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.specs: dict[tuple[str, str | None], tuple[SpecTexts, tuple[Parameter, ...]]] = {}
        self.graphs: dict[str, str] = {}

    def gather(
        self, problem: str, encoding: str | None, settings: Mapping[str, str], **how: Any
    ) -> Recipe:
        spec, parameters = self._spec(problem, encoding)
        named = {key: settings[key] for key in graph_file_parameters(parameters, settings)}
        graphs = {key: self._graph(value) for key, value in named.items()}
        plain = {key: Path(value).name for key, value in named.items()}
        return Recipe(spec, {**settings, **plain}, graphs, **how)

    def _spec(self, problem: str, encoding: str | None) -> tuple[SpecTexts, tuple[Parameter, ...]]:
        """The texts of a spec, and its parameters."""
        key = (problem, encoding)
        if key not in self.specs:
            if problem.endswith(SPEC_SUFFIXES):
                problem = str(resolve_inside(self.folder, problem, "spec"))
            found = texts(problem, encoding)
            self.specs[key] = found, parse_texts(found).parameters
        return self.specs[key]

    def _graph(self, name: str) -> str:
        if name not in self.graphs:
            self.graphs[name] = read_text(
                resolve_inside(self.folder, name, "graph"), "graph", GRAPH_BYTES
            )
        return self.graphs[name]


def _is_file_name(text: str) -> bool:
    """Whether a file of a folder can have this name."""
    return (
        text not in ("", ".", "..")
        and not set(text) & {"/", "\0"}
        and len(text.encode()) <= MAX_NAME_BYTES
    )
