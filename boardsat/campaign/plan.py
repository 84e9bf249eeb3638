"""Plan of a campaign: every instance with every solver, seed and repetition, as jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.requirements import SolverRequirements, check_requirements
from boardsat.base.errors import InputError
from boardsat.campaign.folder import CampaignInstance, Instances
from boardsat.campaign.grids import GridInstance, names
from boardsat.campaign.parser import FILES, Campaign
from boardsat.campaign.runner.records import (
    COUNT,
    DECIDE,
    PLAIN,
    Attempt,
    Job,
    Output,
    Question,
    RunTask,
    SolverIdentity,
)
from boardsat.campaign.runner.solver_selection import SolverConfig, can_check_proofs, select_solver
from boardsat.generators.yaml_reader import Item
from boardsat.instance.file_types import CNF_SUFFIXES

MAX_RUNS = 1_000_000
MAX_PATTERN_FOLDERS = 100
"""Maximum number of folders in a pattern under `files`: matching recurses once for each."""
MAX_PATTERN_DESCENTS = 3
"""Maximum number of `**` in a pattern: each multiplies the number of visits by the depth of the
folders.
"""


@dataclass(frozen=True)
class Plan:
    """Instances and solvers of a campaign, with the hashes of all formulas."""

    campaign: Campaign
    instances: Sequence[CampaignInstance]
    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]

    @property
    def num_runs(self) -> int:
        runs_of_instance = sum(
            len(self._seeds(config)) for config in (*self.solvers, *self.counters)
        )
        return len(self.instances) * runs_of_instance * self.campaign.options.repeat

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs, grouped by instance, so that a formula is generated once and cached."""
        for instance in self.instances:
            for repeat in range(self.campaign.options.repeat):
                for config in self.solvers:
                    yield from self._jobs(instance, config, DECIDE, repeat)
                for config in self.counters:
                    yield from self._jobs(instance, config, COUNT, repeat)

    def _jobs(
        self, instance: CampaignInstance, config: SolverConfig, task: RunTask, repeat: int
    ) -> Iterator[Job]:
        for number, seed in enumerate(self._seeds(config)):
            proves = task is DECIDE and self.campaign.options.proof and config.proves
            # One board of each instance and solver is enough for the report.
            output = Output(proves, board=number == 0 and repeat == 0)
            attempt = Attempt(seed, repeat)
            yield job_of(instance, config.identity, task, self.campaign.limits, attempt, output)

    def _seeds(self, config: SolverConfig) -> Sequence[int | None]:
        """Return the seeds for a solver; the only entry is None if the solver takes no seed."""
        return self.campaign.options.seeds if config.seed(0) is not None else (None,)


def job_of(
    instance: CampaignInstance,
    identity: SolverIdentity,
    task: RunTask,
    limits: Limits,
    attempt: Attempt,
    output: Output,
) -> Job:
    """Return the job of running a solver on an instance."""
    description = instance.description
    return Job(
        question=Question(
            problem=description.problem,
            encoding=description.encoding,
            variant=PLAIN,
            expected=None,
            formula=instance.formula,
            task=task,
            instance=instance.name,
        ),
        identity=identity,
        source=instance.source,
        limits=limits,
        attempt=attempt,
        output=output,
        strict=True,
    )


@dataclass(frozen=True)
class Draft:
    """Valid campaign with selected solvers, before any formula is generated."""

    campaign: Campaign
    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]
    grid_instances: Mapping[str, GridInstance]
    """Instances with a recipe by name."""
    files: Sequence[Path]
    """Formula files of the user."""

    def complete(self, stored: Instances) -> Plan:
        """Return the plan; generate the formulas of instances that are not stored."""
        instances = []
        for name, instance in self.grid_instances.items():
            with instance.error_location():
                instances.append(stored.from_recipe(name, instance.recipe))
        instances += [stored.from_file(path.name, path) for path in self.files]
        return Plan(self.campaign, instances, self.solvers, self.counters)


def draft_plan(campaign: Campaign) -> Draft:
    """Select the solvers of a campaign and expand its grids.

    Raises
    ------
    BoardsatError
        A solver cannot run here, or the campaign has no runs, too many, or invalid instances.
    """
    checker = campaign.options.proof and can_check_proofs()
    solvers, counters = (
        [select_solver(name, campaign.runtime(name), checker) for name in solver_names]
        for solver_names in (campaign.selection.solvers, campaign.selection.counters)
    )
    for config in solvers:
        check_requirements(
            config.solver,
            SolverRequirements(frozenset()),
            location=campaign.file,
            alternative="remove it from `solvers`",
        )
    if not solvers and not counters:
        raise InputError(
            "the campaign has neither solvers nor counters",
            "add the key `solvers` or `counters`",
            campaign.file,
        )
    if campaign.options.proof and not checker:
        raise InputError(
            "`proof: true` requires drat-trim, which cannot run here",
            "run `boardsat images drat-trim`, or remove the key `proof`",
        )
    folder = Path(campaign.file).parent
    instances = campaign.instances(folder)
    by_name = dict(zip(names(instances), instances, strict=True))
    files = dict.fromkeys(path for entry in campaign.files for path in _files(entry, folder))
    attempts = len(campaign.options.seeds) * campaign.options.repeat
    num_runs = (len(by_name) + len(files)) * attempts * (len(solvers) + len(counters))
    if num_runs > MAX_RUNS:
        raise InputError(
            f"the number of runs must be at most {MAX_RUNS:,} (got {num_runs:,})",
            "make several campaigns",
            campaign.file,
        )
    return Draft(campaign, solvers, counters, by_name, list(files))


def _check_pattern(item: Item) -> None:
    """Raise InputError if matching a pattern would recurse too deep or visit too many folders."""
    folders = PurePath(item.text).parts
    counts = {
        "folders in the pattern": (len(folders), MAX_PATTERN_FOLDERS),
        "'**' in the pattern": (folders.count("**"), MAX_PATTERN_DESCENTS),
    }
    for noun, (number, maximum) in counts.items():
        if number > maximum:
            raise item.error(f"the number of {noun} must be at most {maximum:,} (got {number:,})")


def _files(entry: Item, folder: Path) -> Iterator[Path]:
    """Yield the formula files of an entry: files, folders and patterns relative to the folder."""
    for item in entry.mapping((FILES,))[FILES].items():
        _check_pattern(item)
        path = (folder / item.text).absolute()
        pattern = path / "**" / "*" if path.is_dir() else path
        matches = Path(path.anchor).glob(str(pattern.relative_to(path.anchor)))
        try:
            formulas = sorted(
                match.resolve() for match in matches if match.name.endswith(CNF_SUFFIXES)
            )
        except ValueError as error:
            raise item.error(f"{item.text[:80]!r} is not a pattern: {error}") from None
        if not formulas:
            raise item.error(
                f"no formula matches {item.text[:80]!r}", f"name {CNF_SUFFIXES[0]} files"
            )
        yield from formulas
