"""Folder of the results of a campaign: the campaign, its instances and the records of its runs.

Each instance is one line, with the hash of the formula that its recipe generates. So a later plan
need not generate the formula again to know its hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.json_data import Inline, MalformedError, Size, parse_object
from boardsat.base.locks import create_locked_folder
from boardsat.base.text import pluralize
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import FormulaSource
from boardsat.campaign.runner.store import LinesFile, Store
from boardsat.version import version

if TYPE_CHECKING:
    from boardsat.generators import Formula

FORMAT = 3
"""Version of the format of the folder.

2: records contain the version of the definition of their limits; 3: headers of format 2.
"""
CAMPAIGN_FILE = "campaign.json"
"""Name of the file with the format and the text of the campaign."""
INSTANCES_FILE = "instances.jsonl"
"""Name of the file with the instances."""
MAX_CAMPAIGN_FILE_BYTES = 2**24
MAX_JSON_DEPTH = 6


@dataclass(frozen=True)
class FormulaSize:
    """Size of a formula file."""

    bytes: Size
    variables: Size
    clauses: Size


@dataclass(frozen=True)
class InstanceDescription:
    """Problem, parameters and transforms of an instance. Empty for a file from the user."""

    problem: str = ""
    encoding: str = ""
    title: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Value of every parameter."""
    transforms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CampaignInstance:
    """Instance of a campaign: the identity, the size and the source of its formula."""

    name: str
    formula: str
    """SHA-256 of the formula file, or of its uncompressed text if there is a recipe."""
    size: Annotated[FormulaSize, Inline()]
    description: Annotated[InstanceDescription, Inline()]
    source: Annotated[FormulaSource, Inline()]
    tool: str = ""
    """Version of boardsat."""


class Instances:
    """Instances in a folder of results, by their sources. If frozen, new ones are not stored."""

    def __init__(self, folder: Path, frozen: bool = False) -> None:
        self.frozen = frozen
        self.file = LinesFile(folder / INSTANCES_FILE)
        self.by_source: dict[str, CampaignInstance] = {}
        for line in self.file.read():
            # The formula of a damaged line is generated again.
            with suppress(MalformedError):
                instance = json_data.decode(CampaignInstance, line)
                self.by_source[_instance_key(instance)] = instance

    def by_formula(self) -> dict[str, CampaignInstance]:
        """Return the instances by the hashes of their formulas."""
        return {instance.formula: instance for instance in self.by_source.values()}

    def from_recipe(self, name: str, recipe: Recipe) -> CampaignInstance:
        """Return the instance of a recipe; generate its formula once, to know the hash."""
        if recipe.format:
            raise InputError(
                f"`format` must be cnf for a run (got {recipe.format})", "remove the key `format`"
            )
        stored = self.by_source.get(_key(FormulaSource(recipe=recipe), "", version()))
        if stored:
            return replace(stored, name=name)
        return self._store(instance_of(name, recipe, recipe.formula()))

    def from_file(self, name: str, path: Path) -> CampaignInstance:
        """Return the instance of a formula file; read it once, to know that it is valid."""
        from boardsat.campaign.runner.formula_cache import sha256
        from boardsat.instance.formula_file import open_formula

        formula = sha256(path)
        source = FormulaSource(str(path))
        stored = self.by_source.get(_key(source, formula, version()))
        if stored:
            return replace(stored, name=name)
        file = open_formula(str(path))
        return self._store(
            CampaignInstance(
                name,
                formula,
                FormulaSize(path.stat().st_size, file.variables, file.clauses),
                InstanceDescription(),
                source,
                version(),
            )
        )

    def _store(self, instance: CampaignInstance) -> CampaignInstance:
        key = _instance_key(instance)
        if key not in self.by_source:
            self.by_source[key] = instance
            if not self.frozen:
                self.file.append(json.dumps(json_data.encode(instance)) + "\n")
        return instance


def _instance_key(instance: CampaignInstance) -> str:
    formula = "" if instance.source.recipe else instance.formula
    return _key(instance.source, formula, instance.tool)


def _key(source: FormulaSource, formula: str, tool: str) -> str:
    """Return the key of an instance, a hash; `formula` is empty if `source` has a recipe for it."""
    entries = [json_data.encode(source), formula, tool]
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def instance_of(name: str, recipe: Recipe, formula: Formula) -> CampaignInstance:
    """Return the instance of a recipe, with the size and the hash of its formula."""
    from boardsat.generators import digest, formats

    header = formula.header
    sha256, size = digest(formula, recipe.projection, recipe.format or formats.CNF)
    problem, _, encoding = header.spec.partition("/")
    transforms = {k: v for k, v in recipe.choices().items() if k not in recipe.settings}
    return CampaignInstance(
        name,
        sha256,
        FormulaSize(size, formula.variables, formula.clauses),
        InstanceDescription(
            problem=problem if encoding else "",
            encoding=encoding or header.spec,
            title=header.title,
            parameters=dict(header.parameters),
            transforms=transforms,
        ),
        FormulaSource(recipe=recipe),
        version(),
    )


@contextmanager
def open_results(folder: Path, campaign: str) -> Iterator[tuple[Instances, Store]]:
    """Open a new folder, or one with results, for writing by this process only.

    `campaign` is the text of the campaign file, which is stored in the folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("the target of results must be a folder (got a file)", "", str(folder))
    with create_locked_folder(folder):
        if not has_results(folder) and any(folder.iterdir()):
            fault = "the folder must be empty or have results of a campaign (got other files)"
            raise InputError(fault, "give another folder", str(folder))
        entries = json.dumps({"format": FORMAT, "campaign": campaign})
        write_file(str(folder / CAMPAIGN_FILE), [entries.encode() + b"\n"])
        yield Instances(folder), Store(folder)


def read_results(folder: Path) -> tuple[Instances, Store]:
    """Return the results of a folder, to which another process may append meanwhile."""
    if not has_results(folder):
        raise InputError(
            "the folder has no results of a campaign", "make them with `boardsat run`", str(folder)
        )
    return Instances(folder), Store(folder)


def read_stored_results(folder: Path) -> tuple[Instances, Store]:
    """Return the results of a folder, which may be missing or empty; nothing is written to it."""
    has_results(folder)  # raises InputError for another format
    return Instances(folder, frozen=True), Store(folder)


def outdated_note(store: Store) -> str:
    """Return the part of a message about ignored records; empty if no record was ignored."""
    if not store.outdated:
        return ""
    return (
        f"{pluralize(store.outdated, 'record')} of an earlier boardsat ignored: its limits and "
        "times were not those of the solver alone"
    )


def has_results(folder: Path) -> bool:
    """Return whether a folder has results; raise InputError if they have another format."""
    return _campaign_entries(folder) is not None


def campaign_text(folder: Path) -> str:
    """Return the text of the campaign that was run last. Empty without results."""
    text = (_campaign_entries(folder) or {}).get("campaign")
    return text if isinstance(text, str) else ""


def _campaign_entries(folder: Path) -> dict[str, Any] | None:
    path = folder / CAMPAIGN_FILE
    if not path.is_file() or path.is_symlink():
        return None
    with path.open("rb") as file:
        text = file.read(MAX_CAMPAIGN_FILE_BYTES)
    try:
        entries = parse_object(text.decode(), MAX_JSON_DEPTH)
    except (MalformedError, UnicodeDecodeError):
        entries = {}
    folder_format = entries.get("format")
    if not isinstance(folder_format, int):
        fault = f"`format` must be an integer (got {str(folder_format)[:40]})"
        raise InputError(fault, "restore the file, or give another folder", str(path))
    if folder_format != FORMAT:
        age = "earlier" if folder_format < FORMAT else "newer"
        raise InputError(
            f"the format of the results must be {FORMAT} (got {folder_format}, which is {age})",
            "run the campaign again in another folder",
            str(folder),
        )
    return entries
