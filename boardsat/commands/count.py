"""Count the solutions of a problem or a DIMACS file, exactly or approximately, and compare.

Examples:
    boardsat count queens -n 8
    boardsat count tour --enc undirected -n 6 --counter approxmc
    boardsat count tour.cnf --counter ganak --referee frontier
    boardsat count queens -n 4..9 --json
    boardsat count queens -n 8 --symmetry

Without --counter, exact counters are tried for a few seconds each; if none finishes, the answer is
an estimate, as with --epsilon, --delta or --repeat. The answer says which counter was chosen. It
counts boards, and also gives the number of models if a board has several. An estimate has the
interval that its counter guarantees. Where literals have weights, the answer is the sum of the
weights of all models, as an exact fraction. The referee is the published count if there is one,
unless --referee names another. With --symmetry it counts classes under the symmetries of the board,
and by Burnside's lemma all. An invalid projection is bad input. --timeout limits all of it
together, for each instance; the default is 120 s, or no limit with --counter.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.commands import _instance, _running, _wanted
from boardsat.instance.file_types import is_formula_file_name
from boardsat.terminal.exit_codes import BAD_INPUT
from boardsat.terminal.spinner import Spinner
from boardsat.terminal.table import table
from boardsat.workflows.count.options import NOBODY, CountQuestion

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from boardsat.commands._wanted import Wanted
    from boardsat.instance.inputs import WorkflowInput
    from boardsat.workflows.count.counter_selection import CountPlan
    from boardsat.workflows.count.result import Counted

NO_COUNT = 3
EXIT_CODES = {
    0: "done",
    1: "the count contradicts the referee",
    NO_COUNT: "no count within the limits",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _running.add_arguments(parser)
    parser.add_argument(
        "--counter", metavar="NAME", help="see `boardsat solvers`; default: one that is fast"
    )
    parser.add_argument(
        "--epsilon",
        type=_running.number(float, 0.01, 100),
        metavar="E",
        help=f"an estimate is within a factor of 1 + E (default {DEFAULT_EPSILON})",
    )
    parser.add_argument(
        "--delta",
        type=_running.number(float, 0.0001, 0.9999),
        metavar="D",
        help=f"except with probability D, the failure probability (default {DEFAULT_DELTA})",
    )
    parser.add_argument(
        "--repeat",
        type=_running.number(int, 1, 1000),
        metavar="K",
        help="run K seeds, and report the median",
    )
    parser.add_argument(
        "--referee", metavar="NAME", help=f"compare with a counter, `published`, or `{NOBODY}`"
    )
    parser.add_argument(
        "--any-projection", action="store_true", help="count even if the projection is not valid"
    )


class CountJob(NamedTuple):
    """One count of those that the options ask for."""

    source: WorkflowInput
    plan: CountPlan
    wanted: Wanted | None = None
    """None for a file."""
    names_encoding: bool = True

    @property
    def name(self) -> str:
        """As lists and programs are told it; it takes a board to know its sides."""
        from boardsat.generators import stem, suited

        if self.wanted is None:
            return self.source.name
        spec, settings = self.wanted
        if self.names_encoding:
            return stem(spec, settings)
        spec = suited(spec, _wanted.COUNT, settings).spec
        return stem(spec, settings).removesuffix(f"-{spec.encoding}")

    def counted(self, place: str = "") -> AbstractContextManager[Counted]:
        """`place` tells one of several from the others."""
        from boardsat.workflows.count.workflow import counted

        def tell(line: str) -> None:
            print(f"boardsat: {place}{line}", file=sys.stderr)

        return counted(self.source, self.plan, Spinner, tell)


def run(options: argparse.Namespace) -> int:
    from boardsat.workflows.count.counter_selection import planned

    plan = planned(_question(options))
    if plan.named and plan.named.solver.reads == "board":
        _instance.refuse_formula_options(options, plan.named.solver.name)
    if is_formula_file_name(options.problem):
        return _one(CountJob(_running.file_from(options), plan), options.json)
    _running.refuse_lenient(options)
    wanted = _wanted.several(options, _wanted.COUNT)
    named = _wanted.names_encoding(options)
    jobs = [CountJob(_wanted.source(each, options), plan, each, named) for each in wanted]
    return _one(jobs[0], options.json) if len(jobs) == 1 else _list(jobs, options.json)


def _question(options: argparse.Namespace) -> CountQuestion:
    return CountQuestion(
        _running.limits_from(options),
        options.counter,
        options.runtime,
        options.seed,
        options.epsilon,
        options.delta,
        options.repeat,
        options.referee,
        options.any_projection,
    )


def _one(job: CountJob, for_programs: bool) -> int:
    from boardsat.workflows.count import result as told_count

    with job.counted() as counted:
        if for_programs:
            print(json.dumps(told_count.described(job.name, counted), indent=2))
        else:
            print(told_count.text(counted))
        return _exit_code(counted)


def _list(jobs: list[CountJob], for_programs: bool) -> int:
    """One table; an instance that cannot be counted does not take the others with it."""
    from boardsat.base.errors import BoardsatError, WrongAnswerError
    from boardsat.workflows.count import result as told_count

    rows: list[list[str]] = []
    told: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    code = 0
    try:
        for job in jobs:
            name = job.name
            try:
                with job.counted(f"{name}: ") as counted:
                    rows.append(told_count.row(name, counted))
                    told.append(told_count.described(name, counted))
                    notes |= dict.fromkeys(counted.default)
                    code = max(code, _exit_code(counted))
            except BoardsatError as error:
                if isinstance(error, WrongAnswerError):
                    raise
                rows.append(told_count.faulty_row(name, str(error)))
                told.append({"instance": name, "count": None, "reason": str(error)})
                code = BAD_INPUT
    finally:
        # What was counted is not lost to an interrupt.
        shown = "\n".join([table(told_count.HEADS, rows), *notes])
        print(json.dumps(told, indent=2) if for_programs else shown)
    return code


def _exit_code(counted: Counted) -> int:
    if counted.number is None:
        return NO_COUNT
    return int(counted.verdict is not None and counted.verdict.contradicts)
