"""The instances of a campaign: what each is, and the formula that its recipe gives.

They are kept beside the results, one line each, so that a plan that goes on builds none again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardsat.base import json_data
from boardsat.base.errors import InputError
from boardsat.base.json_data import MalformedError, Size
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.store import LinesFile
from boardsat.version import version

if TYPE_CHECKING:
    from boardsat.generators import Formula

NAME = "instances.jsonl"


@dataclass(frozen=True)
class CampaignInstance:
    name: str
    formula: str
    """The SHA-256 of its file, not compressed where it comes from a recipe."""
    bytes: Size
    variables: Size
    clauses: Size
    problem: str = ""
    encoding: str = ""
    title: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The value of every parameter."""
    transforms: Mapping[str, str] = field(default_factory=dict)
    recipe: Mapping[str, Any] | None = None
    file: str = ""
    """Where it is, if it comes from elsewhere."""
    tool: str = ""


class Instances:
    """Those that are known, by what they are made of; frozen, none is kept for later."""

    def __init__(self, folder: Path, frozen: bool = False) -> None:
        self.frozen = frozen
        self.file = LinesFile(folder / NAME)
        self.known: dict[str, CampaignInstance] = {}
        for line in self.file.read():
            # What cannot be read is made again.
            with suppress(MalformedError):
                record = json_data.decode(CampaignInstance, line)
                self.known[_key(record)] = record

    def by_formula(self) -> dict[str, CampaignInstance]:
        return {record.formula: record for record in self.known.values()}

    def of_recipe(self, name: str, recipe: Recipe) -> CampaignInstance:
        """What the recipe gives; the formula is made once, to know its hash."""
        if recipe.format:
            raise InputError(f"runs are of CNF, not of {recipe.format}", "leave `format` out")
        asked = CampaignInstance(name, "", 0, 0, 0, recipe=recipe.to_json(), tool=version())
        known = self.known.get(_key(asked))
        return (
            replace(known, name=name)
            if known
            else self._kept(instance_of(name, recipe, recipe.formula()))
        )

    def of_file(self, name: str, path: Path) -> CampaignInstance:
        """A formula from elsewhere; it is read once, to know that it is one."""
        from boardsat.campaign.runner.formula_cache import sha256
        from boardsat.instance.formula_file import open_formula

        asked = CampaignInstance(name, sha256(path), 0, 0, 0, file=str(path), tool=version())
        known = self.known.get(_key(asked))
        if known:
            return replace(known, name=name)
        problem = open_formula(str(path))
        size = path.stat().st_size
        return self._kept(
            replace(asked, bytes=size, variables=problem.variables, clauses=problem.clauses)
        )

    def _kept(self, record: CampaignInstance) -> CampaignInstance:
        if _key(record) not in self.known:
            self.known[_key(record)] = record
            if not self.frozen:
                self.file.append(json.dumps(asdict(record)) + "\n")
        return record


def _key(record: CampaignInstance) -> str:
    """The same for what is made of the same."""
    source = record.recipe or [record.file, record.formula]
    return hashlib.sha256(json.dumps([source, record.tool], sort_keys=True).encode()).hexdigest()


def instance_of(name: str, recipe: Recipe, formula: Formula) -> CampaignInstance:
    """What the formula of a recipe is."""
    from boardsat.generators import digest, formats

    header = formula.header
    found, size = digest(formula, recipe.projection, recipe.format or formats.CNF)
    problem, _, encoding = header.spec.partition("/")
    return CampaignInstance(
        name=name,
        formula=found,
        bytes=size,
        variables=formula.variables,
        clauses=formula.clauses,
        problem=problem if encoding else "",
        encoding=encoding or header.spec,
        title=header.title,
        parameters=dict(header.parameters),
        transforms=dict(_transforms(recipe)),
        recipe=recipe.to_json(),
        tool=version(),
    )


def _transforms(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for key, value in recipe.choices().items():
        if key not in recipe.settings:
            yield key, value
