"""Recipe of an instance: texts that generate the same formula, byte for byte, on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.files import read_text, resolve_inside
from boardsat.base.json_data import OMIT_NONE, Inline, MalformedError
from boardsat.generators import formats
from boardsat.generators.graphs.constructions import graph_file_parameters
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.generators.spec.catalogue import SpecTexts, parse_texts, texts
from boardsat.instance.file_types import SPEC_SUFFIXES

if TYPE_CHECKING:
    from boardsat.generators import Formula
    from boardsat.generators.schema import Parameter, Spec

MAX_GRAPH_BYTES = 10_000_000
"""Maximum size of a graph file, which is copied into the recipe."""
MAX_NAME_BYTES = 255
"""Maximum length of a file name on Linux."""
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
        """Return the formula, generated from the texts of this recipe alone.

        Raises
        ------
        InputError
            A setting is invalid, or the format does not support a transform or the projection.
        """
        from boardsat.generators import build, transform

        spec, format_name = self._spec(), self.format or formats.CNF
        with self._settings_with_files() as settings:
            formula = build(spec, settings, format_name)
        changes = self.propagate, self.three_cnf, self.shuffle, self.symmetry
        if changes != (False, None, None, False):
            formats.check_transformable(format_name, spec.source.file)
        if self.projection not in (None, "none") and not formats.load(format_name).HAS_PROJECTION:
            raise InputError(
                f"{format_name} files have no projection", "remove the key `projection`"
            )
        transformed = transform(formula, *changes)
        formats.check_format(transformed, format_name)
        return transformed

    def stem(self) -> str:
        """Return the name of the formula without transforms; no formula is generated."""
        from boardsat.generators import stem

        spec = self._spec()
        with self._settings_with_files() as settings:
            return stem(spec, settings)

    def _spec(self) -> Spec:
        """Return the spec; raise InputError if it would read a file that is not in the recipe."""
        spec = parse_texts(self.spec)
        for key in graph_file_parameters(spec.parameters, self.settings):
            if key not in self.graphs:
                fault = f"the recipe has no text for the graph {self.settings[key]!r}"
                raise InputError(fault, "", key)
        return spec

    @contextmanager
    def _settings_with_files(self) -> Iterator[dict[str, str]]:
        """Write the graph files to a scratch folder; return the settings with their paths."""
        from boardsat.base import scratch

        with scratch.folder() as folder:
            settings = dict(self.settings)
            for number, (key, text) in enumerate(self.graphs.items()):
                # The header of the formula contains the name of a file, but not its folder.
                file = folder / str(number) / Path(settings[key]).name
                file.parent.mkdir()
                scratch.write(file, [text.encode()])
                settings[key] = str(file)
            yield settings

    def choices(self) -> dict[str, str]:
        """Return the settings and transforms that distinguish instances of one spec."""
        keys = ("symmetry", "propagate", "three_cnf", "shuffle", "projection", "format")
        transforms = {key: getattr(self, key) for key in keys}
        texts = {
            key: "true" if setting is True else str(setting)
            for key, setting in transforms.items()
            if setting is not None and setting is not False
        }
        return {**self.settings, **texts}

    @property
    def size(self) -> int:
        """Size of the recipe in a record, in bytes."""
        return len(json.dumps(json_data.encode(self), ensure_ascii=False).encode())


class RecipeGatherer:
    """Reader of the files that instances name, in or below a folder; each file is read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.specs: dict[tuple[str, str | None], tuple[SpecTexts, tuple[Parameter, ...]]] = {}
        self.graphs: dict[str, str] = {}

    def gather(
        self, problem: str, encoding: str | None, settings: Mapping[str, str], **changes: Any
    ) -> Recipe:
        """Return the recipe of an instance; `changes` are transforms, projection and format."""
        spec, parameters = self._spec(problem, encoding)
        paths = {key: settings[key] for key in graph_file_parameters(parameters, settings)}
        graphs = {key: self._graph(path) for key, path in paths.items()}
        names = {key: Path(path).name for key, path in paths.items()}
        return Recipe(spec, {**settings, **names}, graphs, **changes)

    def _spec(self, problem: str, encoding: str | None) -> tuple[SpecTexts, tuple[Parameter, ...]]:
        """Return the texts of a spec, and its parameters."""
        key = (problem, encoding)
        if key not in self.specs:
            if problem.endswith(SPEC_SUFFIXES):
                problem = str(resolve_inside(self.folder, problem, "spec"))
            spec_texts = texts(problem, encoding)
            self.specs[key] = spec_texts, parse_texts(spec_texts).parameters
        return self.specs[key]

    def _graph(self, name: str) -> str:
        if name not in self.graphs:
            self.graphs[name] = read_text(
                resolve_inside(self.folder, name, "graph"), "graph", MAX_GRAPH_BYTES
            )
        return self.graphs[name]


def _is_file_name(text: str) -> bool:
    """Return whether a text is the name of a file without a folder."""
    return (
        text not in ("", ".", "..")
        and not set(text) & {"/", "\0"}
        and len(text.encode()) <= MAX_NAME_BYTES
    )
