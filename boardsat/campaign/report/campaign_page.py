"""Report of a campaign as one HTML page without external files: contradictions first.

The page has rankings, tables, some boards, and the data of its plots. All of these are bounded in
number, so that a browser can show the page of any campaign.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from boardsat.base.errors import BoardsatError
from boardsat.base.text import pluralize
from boardsat.campaign.folder import CampaignInstance
from boardsat.campaign.report import page_template, script_json
from boardsat.campaign.report.analysis import Analysis
from boardsat.campaign.report.classification import ClassifiedInstance
from boardsat.campaign.report.comparisons import PAIR_SEPARATOR
from boardsat.campaign.report.found_boards import FoundBoard, boards_of
from boardsat.campaign.report.measurement import TIME_CONTENTS
from boardsat.campaign.report.median_runs import (
    PENALTY,
    SizeMedian,
    counts_cpu,
    limits_text,
    scored_time,
)
from boardsat.campaign.runner.formula_cache import sha256
from boardsat.campaign.runner.records import COUNT, RunRecord
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.instance.inputs import temporary_formula_file
from boardsat.version import version

MAX_LINES = 50
"""Maximum number of lines of a list: contradictions, outcomes or machines."""
MAX_TABLE_ROWS = 400
"""Maximum number of rows of a table of sizes."""
MAX_BOARDS = 12
MAX_FORMULA_BYTES = 20_000_000
"""Maximum size of a formula that is generated again to draw a board."""
MAX_PLOT_RUNS = 120_000
MAX_PLOT_INSTANCES = 15_000


def campaign_page(analysis: Analysis) -> str:
    """Return the HTML page of a campaign."""
    tools = {instance.instance.tool for instance in analysis.instances.values()}
    return page_template("campaign.html.j2").render(
        title=analysis.title,
        lines=list(_summary(analysis)),
        contradictions=[c.line for c in analysis.contradictions[:MAX_LINES]],
        num_more_contradictions=max(0, len(analysis.contradictions) - MAX_LINES),
        comparisons=analysis.comparisons,
        penalty=PENALTY,
        time=_scored_times(analysis),
        warnings=analysis.warnings,
        mixed_runtimes=analysis.mixed_runtimes,
        note=analysis.note,
        time_contents=_time_contents(analysis),
        tables=list(_size_tables(analysis)),
        boards=[_figure(board) for board in largest_boards(analysis)],
        outcomes=analysis.outcomes.most_common(MAX_LINES),
        machines=_machines(analysis),
        solvers=_solvers(analysis),
        tools=sorted(tools - {""}),
        folder=analysis.folder,
        campaign=analysis.campaign,
        version=version(),
        plots=script_json(plot_data(analysis)),
    )


def _summary(analysis: Analysis) -> Iterator[str]:
    """Yield the number of solved runs, and the winner of each comparison."""
    solved = analysis.outcomes["solved"]
    instances = pluralize(len(analysis.instances), "instance")
    yield f"{pluralize(len(analysis.records), 'run')} of {instances}, {solved:,} solved"
    for comparison in analysis.comparisons:
        winner = comparison.ranking.ranks[0]
        if len(comparison.names) > 1 and comparison.ranking.tasks:
            tasks = pluralize(comparison.ranking.tasks, "task")
            share = f"{winner.solved:,} of {tasks} solved"
            yield f"{comparison.title}: {winner.name} is first, with {share}"


def _scored_times(analysis: Analysis) -> str:
    """Return the kind of time that is scored, CPU or wall-clock time, as a phrase."""
    kinds = {"CPU time" if counts_cpu(record) else "wall-clock time" for record in analysis.records}
    return " or, where that was not limited, ".join(sorted(kinds))


def _time_contents(analysis: Analysis) -> list[tuple[str, str]]:
    """Return each runtime that was used, and the work that its measured times include."""
    runtimes = {record.identity.runtime for record in analysis.records}
    return [(name, contents) for name, contents in TIME_CONTENTS.items() if name in runtimes]


def _size_tables(analysis: Analysis) -> Iterator[dict[str, Any]]:
    """Yield a table for each family and task, with a row for each encoding and size."""
    size_names = analysis.size_names
    for (family, task), medians in analysis.size_tables.items():
        solvers = list(dict.fromkeys(median.solver for median in medians))
        rows: dict[tuple[str, float], dict[str, SizeMedian]] = {}
        for median in medians:
            rows.setdefault((median.encoding, median.size), {})[median.solver] = median
        yield {
            "title": f"{family}, counted" if task == COUNT else family,
            "size_name": size_names[family],
            "solvers": solvers,
            "rows": [
                (encoding, f"{size:g}", [by_solver.get(name) for name in solvers])
                for (encoding, size), by_solver in list(rows.items())[:MAX_TABLE_ROWS]
            ],
            "num_omitted": max(0, len(rows) - MAX_TABLE_ROWS),
        }


def _machines(analysis: Analysis) -> list[tuple[str, str, int]]:
    """Return host name, processor and number of runs of each machine."""
    machines = Counter(
        (record.execution.host, record.execution.processor) for record in analysis.records
    )
    return [(host, processor, runs) for (host, processor), runs in machines.most_common(MAX_LINES)]


def _solvers(analysis: Analysis) -> list[dict[str, str]]:
    """Return name, version, runtime, image and limits of each solver, and the command of a run."""
    commands: dict[tuple[str, ...], str] = {}
    for record in analysis.records:
        setup = (
            record.identity.label,
            record.identity.version,
            record.identity.runtime,
            record.identity.image or "",
            limits_text(record),
        )
        # A skipped run has no command, but another one of its solver may have.
        command = shlex.join(map(_without_folder, record.execution.command))
        commands[setup] = commands.get(setup) or command
    keys = ("name", "version", "runtime", "image", "limits")
    return [
        {**dict(zip(keys, setup, strict=True)), "command": command}
        for setup, command in commands.items()
    ]


def _without_folder(argument: str) -> str:
    """Return the name of a file without its folder, which exists on one machine only."""
    return PurePath(argument).name if argument.startswith("/") else argument


def _figure(board: FoundBoard) -> dict[str, str]:
    record = board.record
    source = f"{record.question.instance} by {record.identity.label}"
    return board.figure(f"{source} in {scored_time(record):.2f} s")


def largest_boards(analysis: Analysis) -> list[FoundBoard]:
    """Return a board of the largest solved instance of each family and encoding.

    Instances whose formulas are too large to generate again are skipped.
    """
    boards: list[FoundBoard] = []
    for record in _largest_runs(analysis):
        formula_hash = record.question.formula
        formula = _formula(analysis.instances[formula_hash].instance)
        if formula is not None:
            boards += boards_of([record], {formula_hash: formula})
        if len(boards) == MAX_BOARDS:
            break
    return boards


def _largest_runs(analysis: Analysis) -> Iterator[RunRecord]:
    largest: dict[tuple[str, str], tuple[int, RunRecord]] = {}
    for record in analysis.records:
        instance = analysis.instances[record.question.formula]
        size = instance.instance.size.bytes
        has_board = record.artifacts.true is not None or record.artifacts.tour is not None
        if record.outcome.fault or not has_board or size > MAX_FORMULA_BYTES:
            continue
        key = instance.family, instance.encoding
        if key not in largest or largest[key][0] < size:
            largest[key] = size, record
    return (record for _, record in largest.values())


def _formula(instance: CampaignInstance) -> FormulaFile | None:
    """Return the formula that was solved. None if it cannot be generated or read again."""
    try:
        recipe = instance.source.recipe
        if recipe is None:
            return _user_formula(instance)
        with temporary_formula_file(recipe.formula(), recipe.projection) as formula:
            return formula if sha256(Path(formula.path)) == instance.formula else None
    except (BoardsatError, OSError):
        return None


def _user_formula(instance: CampaignInstance) -> FormulaFile | None:
    """Return a formula file of the user. None if it was moved, changed, or is too large."""
    path = Path(instance.source.file)
    if (
        not path.is_file()
        or path.stat().st_size > MAX_FORMULA_BYTES
        or sha256(path) != instance.formula
    ):
        return None
    return open_formula(instance.source.file)


def plot_data(analysis: Analysis) -> dict[str, Any]:
    """Return the data of the plots for the script of the page, `campaign.js`.

    If there are too many instances, only every k-th one is included.
    """
    formulas = list(analysis.instances)
    step = max(
        -(-len(analysis.median_runs) // MAX_PLOT_RUNS),
        -(-len(formulas) // MAX_PLOT_INSTANCES),
        1,
    )
    positions = {formula: position for position, formula in enumerate(formulas[::step])}
    solvers = list(dict.fromkeys(run.solver for run in analysis.median_runs))
    questions = dict.fromkeys(instance.question for instance in analysis.instances.values())
    question_numbers = {question: number for number, question in enumerate(questions)}
    return {
        "step": step,
        "num_instances": len(formulas),
        "pair_separator": PAIR_SEPARATOR,
        "busy": bool(analysis.warnings),
        "solvers": [[solver.name, solver.task, solver.limit] for solver in solvers],
        "size_names": analysis.size_names,
        "instances": [
            _instance_row(analysis.instances[formula], question_numbers) for formula in positions
        ],
        "runs": [
            [
                *(positions[run.formula], solvers.index(run.solver)),
                *(_round_seconds(run.seconds) if run.solved else None, run.status[:1]),
                *(run.num_solved, run.num_runs),
                *(
                    _round_seconds(run.min_seconds),
                    _round_seconds(run.max_seconds),
                    run.num_contended,
                ),
            ]
            for run in analysis.median_runs
            if run.formula in positions
        ],
        "comparisons": [
            {
                "title": comparison.title,
                "kind": comparison.kind.name.lower(),
                "task": comparison.task,
                "family": comparison.family,
                "names": comparison.names,
            }
            for comparison in analysis.comparisons
        ],
    }


def _instance_row(classified: ClassifiedInstance, question_numbers: dict[str, int]) -> list[Any]:
    """Return the data of an instance, in the order in which `campaign.js` reads them."""
    instance = classified.instance
    return [
        *(instance.name, classified.family, classified.encoding),
        *(question_numbers[classified.question], classified.shuffle, classified.size),
        *(instance.size.variables, instance.size.clauses, instance.description.title),
        shlex.join(_command(instance)),
    ]


def _command(instance: CampaignInstance) -> Iterator[str]:
    """Yield the arguments of a command that generates a formula, or the path of its file."""
    recipe, description = instance.source.recipe, instance.description
    if not recipe or not description.problem:
        yield from [instance.source.file] if instance.source.file else []
        return
    yield from ("boardsat", "cnf", description.problem, "--enc", description.encoding)
    for key, setting in recipe.settings.items():
        yield from ("--set", f"{key}={setting}")
    for key, setting in description.transforms.items():
        yield f"--{key.replace('_', '-')}"
        yield from [] if setting == "true" else [setting]


def _round_seconds(seconds: float) -> float:
    return float(f"{seconds:.4g}")
