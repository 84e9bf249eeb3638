"""CheckedAnswer of a sample: as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardsat.adapters.answer import Status
from boardsat.adapters.rendering.text import rows_of
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.instance.formula_file import note_lines
from boardsat.results import Solved
from boardsat.terminal import ansi
from boardsat.workflows.count.result import InstanceResult, Selection
from boardsat.workflows.solve.result import (
    check_lines,
    solution_lines,
    unsat_meaning,
)

if TYPE_CHECKING:
    from boardsat.workflows.count.counter_run import Count
    from boardsat.workflows.count.projections import ProjectionVerdict
    from boardsat.workflows.sample.diverse_subset import DiverseSubset
    from boardsat.workflows.solve.result import CheckedAnswer


@dataclass(frozen=True)
class Sampled(InstanceResult):
    """Boards drawn at random, each checked."""

    found: Count
    """Number of boards to draw from, and the answer of the sampler."""
    results: tuple[CheckedAnswer, ...]
    """Checked boards."""
    seed: int
    factor: int
    """Largest ratio of a board's probability to that of another one. 0: exactly uniform."""
    draws: int
    """Number of boards that were drawn. There are fewer here if a subset was selected."""
    picked: DiverseSubset | None
    projection: ProjectionVerdict | None
    """Verdict on the projection. None for a board or an external file."""
    selection: Selection
    limit: float | None = None
    """Time limit of the whole sample in seconds."""
    remedy: str = ""
    """Suggestion how to get a sample. Empty if there is one."""

    @property
    def status(self) -> Status:
        return self.found.answer.status

    @property
    def number(self) -> int | None:
        """Number of boards, exact or estimated. None if no sampler finished."""
        found = self.found.objects
        return None if found is None else int(found)

    @property
    def is_exact(self) -> bool:
        """True if all boards were equally likely."""
        return not self.factor

    @property
    def boards(self) -> list[Any]:
        """Boards as rows of numbers; of a graph, a number for each vertex."""
        return [solved.board for solved in self]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> Solved:
        result = self.results[index]
        return Solved(self.instance, result.solution, result)

    def __iter__(self) -> Iterator[Solved]:
        return (self[index] for index in range(len(self)))

    def __str__(self) -> str:
        return ansi.plain(text(self))


def text(sampled: Sampled) -> str:
    lines = [_first_line(sampled)]
    if sampled.results:
        lines += [_uniformity(sampled), *_subset_lines(sampled)]
    lines += sampled.instance.symmetry_lines
    if sampled.selection.reason:
        lines.append(f"sampler: {sampled.found.answer.run.solver} ({sampled.selection.reason})")
    lines += sampled.selection.encoding_note
    lines += [f"projection: {p.validity}, {p.reason}"] if (p := sampled.projection) else []
    if sampled.status is Status.UNSATISFIABLE:
        unchecked = f"{ansi.word('NOT checked')}: answer (`boardsat solve` can prove it)"
        lines += [unsat_meaning(sampled.instance), unchecked]
    for number, result in enumerate(sampled.results, 1):
        lines += ["", f"board {number}", *solution_lines(result, sampled.instance)]
    if sampled.results:
        lines += ["", *check_lines(sampled.results[0], sampled.instance)]
    lines += note_lines(sampled.instance.notes)
    if sampled.remedy:
        lines.append(f"to have a sample: {sampled.remedy}")
    return "\n".join(lines)


def _first_line(sampled: Sampled) -> str:
    answer = sampled.found.answer
    how = f"{answer.run.description}, {answer.run.usage}"
    if sampled.number is None:
        return f"no sample ({answer.reason}): {how}"
    if not sampled.results:
        return f"{ansi.word(answer.status.name)}: {how}"
    about = "" if sampled.found.exact else "about "
    whole = f"{about}{pluralize_phrase(sampled.number, sampled.objects)}"
    return f"{pluralize(sampled.draws, 'board')} drawn at random from {whole}: {how}"


def _uniformity(sampled: Sampled) -> str:
    how = "exactly, all are equally likely"
    if not sampled.is_exact:
        how = f"almost, each is as likely as 1 of all within a factor of {sampled.factor}"
        how += " (guaranteed by its method)"
    return f"uniform: {how}; independent: one may come again; seed {sampled.seed}"


def _subset_lines(sampled: Sampled) -> list[str]:
    picked = sampled.picked
    if picked is None:
        return []
    line = f"picked: {pluralize(len(sampled), 'board')} far apart, which are no longer uniform"
    if picked.distance is not None:
        line += f"; any two differ in at least {pluralize(picked.distance, picked.unit)}"
    return [line]


def to_json(name: str, sampled: Sampled) -> dict[str, Any]:
    found, picked = sampled.found, sampled.picked
    answer = found.answer
    is_unsat = answer.status is Status.UNSATISFIABLE
    return {
        "instance": name,
        "encoding": sampled.encoding,
        "settings": sampled.instance.settings,
        "status": answer.status.name,
        "reason": answer.reason,
        "words": unsat_meaning(sampled.instance) if is_unsat else "",
        "symmetry": sampled.instance.header.symmetry or None,
        "objects": sampled.objects,
        "count": found.objects,
        "exact_count": found.exact,
        "uniform": "exactly" if sampled.is_exact else "almost",
        "factor": sampled.factor or None,
        "independent": picked is None,
        "seed": sampled.seed,
        "draws": sampled.draws,
        "picked": list(picked.indices) if picked else None,
        "least_distance": picked.distance if picked else None,
        "distance_in": picked.unit if picked else None,
        "boards": [_board_json(result) for result in sampled.results],
        "vertices": sampled.instance.vertices,
        "projection": sampled.projection.validity if sampled.projection else None,
        "chosen": sampled.selection.reason,
        "limit": sampled.limit,
        "remedy": sampled.remedy,
        "notes": list(sampled.instance.notes),
        "sampler": answer.run.solver,
        "runtime": answer.run.runtime,
        "skipped_runtimes": dict(answer.run.skipped_runtimes),
        "version": answer.run.version,
        "command": list(answer.run.command),
        **answer.run.usage.to_json(),
    }


def _board_json(result: CheckedAnswer) -> dict[str, Any]:
    return {
        "board": rows_of(result.solution) if result.solution else None,
        "model": result.answer.literals,
        "checked": list(result.checked),
        "unchecked": list(result.unchecked),
    }
