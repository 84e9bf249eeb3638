"""Result of a sample, with its text and JSON."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from boardsat.adapters.answer import Status
from boardsat.adapters.rendering.text import solution_to_json
from boardsat.base.dataclass import dataclass
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.instance.formula_file import note_lines
from boardsat.results import SolveResult
from boardsat.terminal.streams import paint_word, strip_colours
from boardsat.workflows.count.result import InstanceResult
from boardsat.workflows.solve.result import (
    check_lines,
    solution_lines,
    unsat_meaning,
)

if TYPE_CHECKING:
    from boardsat.workflows.count.counter_run import Count
    from boardsat.workflows.count.projections import ProjectionVerdict
    from boardsat.workflows.solve.result import CheckedAnswer


EDGES, VARIABLES = "edge", "variable"
"""Units of the distance of two boards."""


@dataclass(frozen=True)
class DiverseSubset:
    """Selected boards of a sample, and their minimum distance."""

    indices: tuple[int, ...]
    distance: int | None
    """Minimum number of edges or variables in which two boards differ. None for a single board."""
    unit: str


@dataclass(frozen=True, eq=False)
class SampleResult(InstanceResult):
    """Sequence of boards drawn at random, each a checked `SolveResult`.

    Returned by `boardsat.sample`; it prints as a report.

    Attributes
    ----------
    instance : Instance
        Formula or board that was sampled.
    run : Count
        Run of the sampler.
    results : tuple of CheckedAnswer
        Checked answers, one for each board. Index the sample itself to get boards.
    seed : int
        Random seed.
    uniformity_factor : int
        Maximum ratio of the probabilities of two boards. 0: exactly uniform.
    num_draws : int
        Number of boards drawn, of which ``diverse`` selects a subset.
    subset : DiverseSubset or None
        Selected indices and their minimum distance. None without ``diverse``.
    projection : ProjectionVerdict or None
        Verdict on the projection: its ``validity`` and ``reason``. None if boards were drawn
        without a formula, or from a formula without a view.
    sampler_reason : str
        Reason for the selected sampler. Empty if the user named it.
    encoding_note : tuple of str
        Line about the default encoding. Empty if the user named one.
    time_limit : float or None
        Wall-clock limit of the whole sample in seconds. None: unlimited.
    remedy : str
        Suggestion how to obtain a sample. Empty if there is one.

    Examples
    --------
    >>> sample = boardsat.sample("queens", n=6, k=3, seed=1)
    >>> for result in sample:
    ...     print(result.status.name, *result.checked)
    SATISFIABLE model board
    SATISFIABLE model board
    SATISFIABLE model board
    >>> sample.boards[0][0]
    [0, 0, 0, 1, 0, 0]
    """

    run: Count
    results: tuple[CheckedAnswer, ...]
    seed: int
    uniformity_factor: int
    num_draws: int
    subset: DiverseSubset | None
    projection: ProjectionVerdict | None
    sampler_reason: str
    encoding_note: tuple[str, ...]
    time_limit: float | None
    remedy: str

    @property
    def status(self) -> Status:
        """SATISFIABLE, UNSATISFIABLE if there is no board, or UNKNOWN if a limit was reached."""
        return self.run.answer.status

    @property
    def count(self) -> int | None:
        """Number of boards to draw from, exact or estimated. None if a limit was reached."""
        return None if self.run.objects is None else int(self.run.objects)

    @property
    def is_uniform(self) -> bool:
        """True if all boards are equally likely, False if almost."""
        return not self.uniformity_factor

    @property
    def boards(self) -> list[Any]:
        """Boards as nested lists, as `SolveResult.board` describes them."""
        return [result.board for result in self]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> SolveResult:
        """Return the board at an index from 0; slices are not supported."""
        result = self.results[operator.index(index)]
        return SolveResult(self.instance, result.solution, result)

    def __iter__(self) -> Iterator[SolveResult]:
        return (self[index] for index in range(len(self)))

    def __str__(self) -> str:
        return strip_colours(text(self))

    def __repr__(self) -> str:
        boards = pluralize(len(self), "board")
        return f"<boardsat.SampleResult {boards} by {self.run.answer.run.solver}>"


def text(sample: SampleResult) -> str:
    """Return the result as text with colours."""
    lines = [_first_line(sample)]
    if sample.results:
        lines += [_uniformity(sample), *_subset_lines(sample)]
    lines += sample.instance.symmetry_lines
    if sample.sampler_reason:
        lines.append(f"sampler: {sample.run.answer.run.solver} ({sample.sampler_reason})")
    lines += sample.encoding_note
    lines += [f"projection: {p.validity}, {p.reason}"] if (p := sample.projection) else []
    if sample.status is Status.UNSATISFIABLE:
        unchecked = f"{paint_word('NOT checked')}: answer (`boardsat solve` can prove it)"
        lines += [unsat_meaning(sample.instance), unchecked]
    for number, result in enumerate(sample.results, 1):
        lines += ["", f"board {number}", *solution_lines(result, sample.instance)]
    if sample.results:
        lines += ["", *check_lines(sample.results[0], sample.instance)]
    lines += note_lines(sample.instance.notes)
    if sample.remedy:
        lines.append(f"to obtain a sample: {sample.remedy}")
    return "\n".join(lines)


def _first_line(sample: SampleResult) -> str:
    answer = sample.run.answer
    run = f"{answer.run.description}, {answer.run.usage}"
    if sample.count is None:
        return f"no sample ({answer.reason}): {run}"
    if not sample.results:
        return f"{paint_word(answer.status.name)}: {run}"
    approximate = "" if sample.run.exact else "about "
    population = f"{approximate}{pluralize_phrase(sample.count, sample.noun)}"
    return f"{pluralize(sample.num_draws, 'board')} drawn at random from {population}: {run}"


def _uniformity(sample: SampleResult) -> str:
    uniformity = "exactly, all boards are equally likely"
    if not sample.is_uniform:
        factor = sample.uniformity_factor
        uniformity = f"almost, each probability is 1/N within a factor of {factor} (guaranteed)"
    return f"uniform: {uniformity}; independent: with replacement; seed {sample.seed}"


def _subset_lines(sample: SampleResult) -> list[str]:
    subset = sample.subset
    if subset is None:
        return []
    line = f"diverse subset: {pluralize(len(sample), 'board')} far apart, no longer uniform"
    if subset.distance is not None:
        line += f"; any two differ in at least {pluralize(subset.distance, subset.unit)}"
    return [line]


def to_json(name: str, sample: SampleResult) -> dict[str, Any]:
    """Return a sample as JSON data; `name` is the instance as the user named it."""
    run, subset = sample.run, sample.subset
    answer = run.answer
    is_unsat = answer.status is Status.UNSATISFIABLE
    return {
        "instance": name,
        "encoding": sample.encoding,
        "settings": sample.instance.settings,
        "status": answer.status.name,
        "reason": answer.reason,
        "words": unsat_meaning(sample.instance) if is_unsat else "",
        "symmetry": sample.instance.header.symmetry or None,
        "objects": sample.noun,
        "count": run.objects,
        "exact_count": run.exact,
        "uniform": "exactly" if sample.is_uniform else "almost",
        "uniformity_factor": sample.uniformity_factor or None,
        "independent": subset is None,
        "seed": sample.seed,
        "num_draws": sample.num_draws,
        "subset": list(subset.indices) if subset else None,
        "min_distance": subset.distance if subset else None,
        "distance_unit": subset.unit if subset else None,
        "boards": [_board_json(result) for result in sample.results],
        "vertices": sample.instance.vertices,
        "projection": sample.projection.validity if sample.projection else None,
        "sampler_reason": sample.sampler_reason,
        "limit": sample.time_limit,
        "remedy": sample.remedy,
        "notes": list(sample.instance.notes),
        "sampler": answer.run.solver,
        "runtime": answer.run.runtime,
        "skipped_runtimes": dict(answer.run.skipped_runtimes),
        "version": answer.run.version,
        "command": list(answer.run.command),
        **answer.run.usage.to_json(),
    }


def _board_json(result: CheckedAnswer) -> dict[str, Any]:
    return {
        "board": solution_to_json(result.solution) if result.solution else None,
        "model": result.answer.literals,
        "checked": list(result.checked),
        "unchecked": list(result.unchecked),
    }
