"""Count the solutions of a problem or a DIMACS file, exactly or approximately, and compare.

Examples:
    boardsat count queens -n 8
    boardsat count tour --enc undirected -n 6 --counter approxmc
    boardsat count tour.cnf --counter ganak --reference frontier
    boardsat count queens -n 4..9 --json
    boardsat count queens -n 8 --break-symmetry

Without --counter, exact counters are tried for a few seconds each; if none finishes, the answer is
an estimate, as with --epsilon, --delta or --repeat. The answer says which counter was chosen. It
counts boards, and also gives the number of models if a board has several. An estimate has the
interval that its counter guarantees. Where literals have weights, the answer is the sum of the
weights of all models, as an exact fraction. The reference is the published count if there is one,
unless --reference names a counter. With --break-symmetry it counts classes under the symmetries of
the board, and by Burnside's lemma all. An invalid projection is bad input. --timeout limits all of
it together, for each instance; the default is 120 s, or no limit with --counter.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.commands import _instance_options, _instance_ranges, _run_options
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.file_types import is_formula_file_name
from boardsat.terminal.exit_codes import BAD_INPUT
from boardsat.terminal.progress import Spinner
from boardsat.terminal.table import table
from boardsat.workflows.count.options import NO_REFERENCE, CountOptions

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from boardsat.commands._instance_ranges import SelectedInstance
    from boardsat.instance.inputs import WorkflowInput
    from boardsat.workflows.count.counter_run import CounterOnRuntime
    from boardsat.workflows.count.result import CountResult

NO_COUNT = 3
EXIT_CODES = {
    0: "done",
    1: "the count contradicts the reference count",
    NO_COUNT: "no count within the limits",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _run_options.add_arguments(parser)
    parser.add_argument(
        "--counter", metavar="NAME", help="see `boardsat solvers`; default: one that is fast"
    )
    parser.add_argument(
        "--epsilon",
        type=_run_options.number(float, 0.01, 100),
        metavar="E",
        help=f"an estimate is within a factor of 1 + E (default {DEFAULT_EPSILON})",
    )
    parser.add_argument(
        "--delta",
        type=_run_options.number(float, 0.0001, 0.9999),
        metavar="D",
        help=f"except with probability D, the failure probability (default {DEFAULT_DELTA})",
    )
    parser.add_argument(
        "--repeat",
        type=_run_options.number(int, 1, 1000),
        metavar="K",
        help="run K seeds, and report the median",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help=f"compare with a counter, `published`, or `{NO_REFERENCE}`",
    )
    parser.add_argument(
        "--allow-invalid-projection",
        action="store_true",
        help="count even if the projection is not valid",
    )


class CountJob(NamedTuple):
    """One of the counts that the options ask for."""

    source: WorkflowInput
    options: CountOptions
    named: CounterOnRuntime | None
    """Counter that the user named."""
    wanted: SelectedInstance | None = None
    """Instance from the options. None for a file."""
    names_encoding: bool = True

    @property
    def name(self) -> str:
        """Name in lists and JSON; the board is made to know its sides."""
        from boardsat.generators import select_default_encoding, stem

        if self.wanted is None:
            return self.source.name
        spec, settings = self.wanted
        if self.names_encoding:
            return stem(spec, settings)
        spec = select_default_encoding(spec, COUNT, settings).spec
        return stem(spec, settings).removesuffix(f"-{spec.encoding}")

    def run(self, prefix: str = "") -> AbstractContextManager[CountResult]:
        """Run the count; `prefix` distinguishes its messages from those of others."""
        from boardsat.workflows.count.portfolio import Display
        from boardsat.workflows.count.workflow import run_count

        def notify(line: str) -> None:
            print(f"boardsat: {prefix}{line}", file=sys.stderr)

        return run_count(self.source, self.options, self.named, Display(Spinner, notify))


def run(options: argparse.Namespace) -> int:
    from boardsat.workflows.count.counter_selection import resolve_count_options

    count_options = _count_options(options)
    named = resolve_count_options(count_options)
    if named and named.reads_board:
        _instance_options.require_no_formula_options(options, named.name)
    if is_formula_file_name(options.problem):
        return _one(CountJob(_run_options.file_from(options), count_options, named), options.json)
    _run_options.require_not_lenient(options)
    wanted = _instance_ranges.select_instances(options, COUNT)
    names_encoding = _instance_ranges.names_encoding(options)
    jobs = [
        CountJob(
            _instance_ranges.catalogue_input(each, options),
            count_options,
            named,
            each,
            names_encoding,
        )
        for each in wanted
    ]
    return _one(jobs[0], options.json) if len(jobs) == 1 else _list(jobs, options.json)


def _count_options(options: argparse.Namespace) -> CountOptions:
    return CountOptions(
        _run_options.limits_from(options),
        options.counter,
        options.runtime,
        options.seed,
        options.epsilon,
        options.delta,
        options.repeat,
        options.reference,
        options.allow_invalid_projection,
    )


def _one(job: CountJob, as_json: bool) -> int:
    import json

    from boardsat.workflows.count import result as count_result

    with job.run() as counted:
        if as_json:
            print(json.dumps(count_result.to_json(job.name, counted), indent=2))
        else:
            print(count_result.text(counted))
        return _exit_code(counted)


def _list(jobs: list[CountJob], as_json: bool) -> int:
    """Print one table; an instance that cannot be counted does not take the others with it."""
    import json

    from boardsat.base.errors import BoardsatError, WrongAnswerError
    from boardsat.workflows.count import result as count_result

    rows: list[list[str]] = []
    results: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    code = 0
    try:
        for job in jobs:
            name = job.name
            try:
                with job.run(f"{name}: ") as counted:
                    rows.append(count_result.row(name, counted))
                    results.append(count_result.to_json(name, counted))
                    notes |= dict.fromkeys(counted.encoding_note)
                    code = max(code, _exit_code(counted))
            except BoardsatError as error:
                if isinstance(error, WrongAnswerError):
                    raise
                rows.append(count_result.failure_row(name, str(error)))
                results.append({"instance": name, "count": None, "reason": str(error)})
                code = BAD_INPUT
    finally:
        # What was counted is not lost to an interrupt.
        text = "\n".join([table(count_result.HEADS, rows), *notes])
        print(json.dumps(results, indent=2) if as_json else text)
    return code


def _exit_code(counted: CountResult) -> int:
    if counted.count is None:
        return NO_COUNT
    return int(counted.verdict is not None and counted.verdict.contradicts)
