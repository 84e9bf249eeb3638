"""All inputs of an instance as texts: they give the same bytes on every machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boardsat import plain_data
from boardsat.adapters.dimacs.values import MalformedError
from boardsat.generators.catalogue import SpecTexts, parse_texts, texts
from boardsat.generators.choices import PROJECTIONS, THREE_CNF
from boardsat.generators.errors import InputError

if TYPE_CHECKING:
    from boardsat.generators import Formula
    from boardsat.generators.spec import Spec

GRAPH_BYTES = 10_000_000
"""Largest graph file that is copied into a recipe."""
LONGEST_NAME = 255


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

        spec = self._checked_spec()
        with self._on_disk() as settings:
            formula = build(spec, settings)
        return transform(formula, self.propagate, self.three_cnf, self.shuffle)

    def stem(self) -> str:
        """What its file would be called before any transform; no formula is built for it."""
        from boardsat.generators import stem

        spec = self._checked_spec()
        with self._on_disk() as settings:
            return stem(spec, settings)

    def _checked_spec(self) -> Spec:
        """The spec; it reads no file but those whose texts are here."""
        spec = parse_texts(self.spec)
        for key in _graph_keys(spec):
            if key in self.settings and key not in self.graphs:
                raise InputError("the text of the graph is missing", "write the recipe again", key)
        return spec

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
                scratch.put(file, [text.encode()])
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
        return asdict(
            _WrittenRecipe(
                *self.spec,
                dict(self.settings),
                dict(self.graphs),
                self.propagate,
                self.three_cnf,
                self.shuffle,
                self.projection,
            )
        )

    @property
    def size(self) -> int:
        """Bytes that it takes in a record."""
        return len(json.dumps(self.as_json(), ensure_ascii=False).encode())

    @staticmethod
    def from_json(entries: dict[str, Any]) -> Recipe:
        """A recipe from elsewhere; MalformedError where it is none, or names other files."""
        found: _WrittenRecipe = plain_data.typed(_WrittenRecipe, entries)
        for key in found.graphs:
            if not _is_name(found.settings.get(key, "")):
                raise MalformedError(f"`{key}` is not the name of a graph file")
        return Recipe(
            SpecTexts(found.spec, found.file, found.texts),
            found.settings,
            found.graphs,
            found.propagate,
            found.three_cnf,
            found.shuffle,
            found.projection,
        )


@dataclass(frozen=True)
class _WrittenRecipe:
    """The same in the form that records have."""

    spec: str
    file: str
    texts: dict[str, str]
    settings: dict[str, str]
    graphs: dict[str, str]
    propagate: bool
    three_cnf: Annotated[str, THREE_CNF] | None
    shuffle: Annotated[int, range(2**64)] | None
    projection: Annotated[str, PROJECTIONS] | None


class RecipeGatherer:
    """Recipes of instances, with the texts of all files that they name, in or below a folder.

    Many instances may name one file, which is read once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.specs: dict[tuple[str, str | None], tuple[SpecTexts, list[str]]] = {}
        self.graphs: dict[str, str] = {}

    def gather(
        self, problem: str, encoding: str | None, settings: Mapping[str, str], **how: Any
    ) -> Recipe:
        spec, keys = self._spec(problem, encoding)
        named = {key: settings[key] for key in keys if key in settings}
        graphs = {key: self._graph(value) for key, value in named.items()}
        plain = {key: Path(value).name for key, value in named.items()}
        return Recipe(spec, {**settings, **plain}, graphs, **how)

    def _spec(self, problem: str, encoding: str | None) -> tuple[SpecTexts, list[str]]:
        """The texts of a spec, and its parameters that name files."""
        key = (problem, encoding)
        if key not in self.specs:
            if problem.endswith((".yaml", ".yml")):
                problem = str(self._beside(problem, "spec"))
            found = texts(problem, encoding)
            self.specs[key] = found, _graph_keys(parse_texts(found))
        return self.specs[key]

    def _graph(self, name: str) -> str:
        if name not in self.graphs:
            self.graphs[name] = _graph_text(self._beside(name, "graph"))
        return self.graphs[name]

    def _beside(self, name: str, what: str) -> Path:
        """A file that a campaign names: an archive is given away, and shows no other ones."""
        path = self.folder / name
        try:
            place = Path(os.path.realpath(path))
            inside = place.is_relative_to(os.path.realpath(self.folder))
            fault = "" if not inside or place.is_file() else "no such file"
        except (OSError, ValueError):
            inside, fault = True, "not the name of a file"
        if not inside:
            raise InputError(
                f"a {what} outside the folder of the campaign", "copy it into the folder", str(path)
            )
        if fault:
            raise InputError(f"cannot read the {what}: {fault}", "give a readable file", str(path))
        return path


def _is_name(text: str) -> bool:
    """Whether a file of a folder can have this name."""
    return (
        text not in ("", ".", "..")
        and not set(text) & {"/", "\0"}
        and len(text.encode()) <= LONGEST_NAME
    )


def _graph_keys(spec: Spec) -> list[str]:
    """The parameters whose values are names of files."""
    from boardsat.generators.sections.parameters import parameters_of

    return [parameter.name for parameter in parameters_of(spec) if parameter.type == "graph"]


def _graph_text(path: Path) -> str:
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
        raise InputError("too large for a recipe", f"the limit is {GRAPH_BYTES:,} bytes", str(path))
    return text
