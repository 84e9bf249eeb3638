"""Count the solutions of a problem or the models of a DIMACS file, exactly or approximately.

Examples:
    boardsat count queens -n 8
    boardsat count tour --enc undirected -n 6 --counter approxmc
    boardsat count tour.cnf --counter ganak --reference frontier
    boardsat count queens -n 4..9 --json
    boardsat count queens -n 8 --break-symmetry

Without --counter, each exact counter is tried for a few seconds; if none finishes, or if --epsilon,
--delta or --repeat is given, the count is approximate, with the interval that the counter
guarantees. The answer names the counter. It is the number of solutions, and also that of the models
if a solution has several. If literals have weights, it is the sum of the weights of all models, an
exact fraction. It is compared with the published count, if there is one, or with the counter of
--reference. With --break-symmetry, orbits under the board's symmetry group are counted, and all
solutions by Burnside's lemma. An invalid projection is rejected. --timeout limits the whole count
of each instance; the default is 120 s, or none with --counter.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.commands import _instance_options, _run_options
from boardsat.generators.spec.defaults import COUNT
from boardsat.instance.file_types import is_formula_file_name
from boardsat.terminal.exit_codes import BAD_INPUT
from boardsat.terminal.progress import Spinner
from boardsat.terminal.table import table
from boardsat.workflows.options import NO_REFERENCE, CountOptions

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

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
        "--counter",
        metavar="NAME",
        help="a counter of `boardsat solvers`; default: selected by trial",
    )
    parser.add_argument(
        "--epsilon",
        type=_run_options.number(float, 0.01, 100),
        metavar="E",
        help=f"tolerance of an estimate: within a factor of 1 + E (default {DEFAULT_EPSILON})",
    )
    parser.add_argument(
        "--delta",
        type=_run_options.number(float, 0.0001, 0.9999),
        metavar="D",
        help=f"probability that an estimate is outside the tolerance (default {DEFAULT_DELTA})",
    )
    parser.add_argument(
        "--repeat",
        type=_run_options.number(int, 1, 1000),
        metavar="K",
        help="run an approximate counter with K seeds, and report the median",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help=f"compare with the count of a counter, with `published`, or with `{NO_REFERENCE}`",
    )
    parser.add_argument(
        "--allow-invalid-projection",
        action="store_true",
        help="count even if the projection is not valid",
    )


class CountJob(NamedTuple):
    """Count of one instance or file."""

    source: WorkflowInput
    options: CountOptions
    counter: CounterOnRuntime | None
    """Counter of --counter; None to select one by trial."""
    instance: _instance_options.SelectedInstance | None = None
    """Instance of the options; None for a file."""
    names_encoding: bool = True

    @property
    def name(self) -> str:
        """Name in tables and JSON, such as `tour-8x8`."""
        from boardsat.generators import select_default_encoding, stem

        if self.instance is None:
            return self.source.name
        spec, settings = self.instance
        if self.names_encoding:
            return stem(spec, settings)
        spec = select_default_encoding(spec, COUNT, settings).spec
        return stem(spec, settings).removesuffix(f"-{spec.encoding}")

    def run(self, prefix: str = "") -> AbstractContextManager[CountResult]:
        """Run the count; its messages begin with the prefix."""
        from boardsat.workflows.count.portfolio import Display
        from boardsat.workflows.count.workflow import run_count

        def notify(line: str) -> None:
            print(f"boardsat: {prefix}{line}", file=sys.stderr)

        return run_count(self.source, self.options, self.counter, Display(Spinner, notify))


def run(options: argparse.Namespace) -> int:
    from boardsat.workflows.count.workflow import resolve_count_options

    count_options = _count_options(options)
    counter = resolve_count_options(count_options)
    if counter and counter.reads_board:
        _instance_options.require_no_formula_options(options, counter.name)
    if is_formula_file_name(options.problem):
        source = _run_options.file_from(options)
        return _print_count(CountJob(source, count_options, counter), options.json)
    _run_options.require_not_lenient(options)
    instances = _instance_options.select_instances(options, COUNT)
    names_encoding = _instance_options.names_encoding(options)
    jobs = [
        CountJob(
            _instance_options.catalogue_input(instance, options),
            count_options,
            counter,
            instance,
            names_encoding,
        )
        for instance in instances
    ]
    if len(jobs) == 1:
        return _print_count(jobs[0], options.json)
    return _print_table(jobs, options.json)


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


def _print_count(job: CountJob, as_json: bool) -> int:
    import json

    from boardsat.workflows.count import result as count_result

    with job.run() as count:
        if as_json:
            print(json.dumps(count_result.to_json(job.name, count), indent=2))
        else:
            print(count_result.text(count))
        return _exit_code(count)


def _print_table(jobs: list[CountJob], as_json: bool) -> int:
    """Print the counts of several instances; the row of a failed one has the reason."""
    import json

    from boardsat.base.errors import BoardsatError, WrongAnswerError
    from boardsat.workflows.count import result as count_result

    rows: list[list[str]] = []
    entries: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    code = 0
    try:
        for job in jobs:
            name = job.name
            try:
                with job.run(f"{name}: ") as count:
                    rows.append(count_result.row(name, count))
                    entries.append(count_result.to_json(name, count))
                    notes |= dict.fromkeys(count.encoding_note)
                    code = max(code, _exit_code(count))
            except BoardsatError as error:
                if isinstance(error, WrongAnswerError):
                    raise
                rows.append(count_result.failure_row(name, str(error)))
                entries.append({"instance": name, "count": None, "reason": str(error)})
                code = BAD_INPUT
    finally:
        # Printed after an interrupt too.
        text = "\n".join([table(count_result.HEADS, rows), *notes])
        print(json.dumps(entries, indent=2) if as_json else text)
    return code


def _exit_code(result: CountResult) -> int:
    if result.count is None:
        return NO_COUNT
    return int(result.verdict is not None and result.verdict.contradicts)
