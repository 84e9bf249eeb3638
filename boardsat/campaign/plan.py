"""Plan of a campaign: every instance with every solver, seed and repetition, as jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.requirements import SolverRequirements, check_requirements
from boardsat.base.errors import InputError
from boardsat.campaign.grids import GridInstance, names
from boardsat.campaign.instances import CampaignInstance, Instances
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
"""Parts of a pattern under `files`; matching one recurses once for each part."""
MAX_PATTERN_DESCENTS = 3
"""Parts `**` of a pattern; each multiplies the number of visits by the depth of the folders."""


@dataclass(frozen=True)
class Plan:
    campaign: Campaign
    instances: Sequence[CampaignInstance]
    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]

    @property
    def runs(self) -> int:
        each = sum(len(self._seeds(one)) for one in (*self.solvers, *self.counters))
        return len(self.instances) * each * self.campaign.options.repeat

    def jobs(self) -> Iterator[Job]:
        """All of them; those of one instance follow each other, so that its formula is at hand."""
        for instance in self.instances:
            for repeat in range(self.campaign.options.repeat):
                for chosen in self.solvers:
                    yield from self._jobs(instance, chosen, DECIDE, repeat)
                for chosen in self.counters:
                    yield from self._jobs(instance, chosen, COUNT, repeat)

    def _jobs(
        self, instance: CampaignInstance, config: SolverConfig, task: RunTask, repeat: int
    ) -> Iterator[Job]:
        for number, seed in enumerate(self._seeds(config)):
            proves = task is DECIDE and self.campaign.options.proof and config.proves
            # The board of one run is enough to look at.
            output = Output(proves, board=number == 0 and repeat == 0)
            attempt = Attempt(seed, repeat)
            yield job_of(instance, config.identity, task, self.campaign.limits, attempt, output)

    def _seeds(self, config: SolverConfig) -> Sequence[int | None]:
        """Return the seeds of a solver: one that takes no seed would repeat the same run."""
        return self.campaign.options.seeds if config.seed(0) is not None else (None,)


def job_of(
    instance: CampaignInstance,
    identity: SolverIdentity,
    task: RunTask,
    limits: Limits,
    attempt: Attempt,
    output: Output,
) -> Job:
    """Return the run of a solver on an instance."""
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
    """What a campaign asks for, before any formula of it is made."""

    campaign: Campaign
    solvers: Sequence[SolverConfig]
    counters: Sequence[SolverConfig]
    named: Mapping[str, GridInstance]
    files: Sequence[Path]

    def planned(self, known: Instances) -> Plan:
        """With the formulas; those that are known are not made again."""
        instances = []
        for name, each in self.named.items():
            with each.error_location():
                instances.append(known.of_recipe(name, each.recipe))
        instances += [known.of_file(path.name, path) for path in self.files]
        return Plan(self.campaign, instances, self.solvers, self.counters)


def draft(campaign: Campaign) -> Draft:
    """Everything that is asked for; what is wrong with it is found before any work begins."""
    checker = campaign.options.proof and can_check_proofs()
    solvers, counters = (
        [select_solver(name, campaign.runtime(name), checker) for name in asked]
        for asked in (campaign.selection.solvers, campaign.selection.counters)
    )
    for chosen in solvers:
        check_requirements(
            chosen.solver,
            SolverRequirements(frozenset()),
            location=campaign.file,
            alternative="leave it out",
        )
    if not solvers and not counters:
        raise InputError("a campaign of no runs", "name `solvers` or `counters`", campaign.file)
    if campaign.options.proof and not checker:
        raise InputError("proofs cannot be checked here", "install drat-trim, or leave `proof` out")
    folder = Path(campaign.file).parent
    planned = campaign.instances(folder)
    named = dict(zip(names(planned), planned, strict=True))
    files = dict.fromkeys(path for entry in campaign.files for path in _files(entry, folder))
    most = len(campaign.options.seeds) * campaign.options.repeat * (len(solvers) + len(counters))
    if (len(named) + len(files)) * most > MAX_RUNS:
        raise InputError(f"more than {MAX_RUNS:,} runs", "make several campaigns", campaign.file)
    return Draft(campaign, solvers, counters, named, list(files))


def _check_pattern(item: Item) -> None:
    """Raise InputError if a pattern of files takes too deep a recursion, or too many visits."""
    parts = PurePath(item.text).parts
    counts = {
        "folders in the pattern": (len(parts), MAX_PATTERN_FOLDERS),
        "'**' in the pattern": (parts.count("**"), MAX_PATTERN_DESCENTS),
    }
    for noun, (number, most) in counts.items():
        if number > most:
            raise item.error(f"the number of {noun} must be at most {most:,} (got {number:,})")


def _files(entry: Item, folder: Path) -> Iterator[Path]:
    """Formulas from elsewhere: files, folders, or patterns, from the folder of the campaign."""
    for item in entry.mapping((FILES,))[FILES].items():
        _check_pattern(item)
        place = (folder / item.text).absolute()
        pattern = place / "**" / "*" if place.is_dir() else place
        found = Path(place.anchor).glob(str(pattern.relative_to(place.anchor)))
        try:
            formulas = sorted(path.resolve() for path in found if path.name.endswith(CNF_SUFFIXES))
        except ValueError as error:
            raise item.error(f"{item.text[:80]!r} is not a pattern: {error}") from None
        if not formulas:
            raise item.error(
                f"no formula matches {item.text[:80]!r}", f"name {CNF_SUFFIXES[0]} files"
            )
        yield from formulas
