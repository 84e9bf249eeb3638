"""Draw solutions uniformly at random, check them, and show their boards.

Examples:
    boardsat sample tour -n 6 -k 5
    boardsat sample queens -n 8 -k 3 --seed 7 --svg queens.svg
    boardsat sample tour -n 8 -k 100 --sampler frontier --json
    boardsat sample latin -n 6 -k 10 --diverse

Samples are drawn independently, with replacement. Without --sampler, each exact sampler is tried
for a few seconds; if none finishes, UniGen draws almost uniformly. The answer has the sampler, the
number of solutions and the uniformity. The same seed gives the same boards on every machine (with
UniGen: in the same version). --diverse draws more boards than K, and selects K with a large minimum
distance. --svg draws a file for each board: queens-1.svg and so on. --timeout limits the whole
command; the default is 120 s, or none with --sampler.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from boardsat.commands import _instance_options, _output_files, _run_options
from boardsat.generators.spec.defaults import COUNT
from boardsat.terminal.progress import Spinner
from boardsat.workflows.options import DEFAULT_SAMPLE_SIZE, MAX_SAMPLE_SIZE, SampleOptions

if TYPE_CHECKING:
    from boardsat.workflows.sample.result import SampleResult

EXIT_CODES = {
    10: "SATISFIABLE: boards were drawn",
    20: "UNSATISFIABLE: there are no boards",
    0: "unknown: a limit was reached",
    1: "a board failed a check",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _run_options.add_arguments(parser)
    parser.add_argument(
        "-k",
        "--size",
        type=_run_options.number(int, 1, MAX_SAMPLE_SIZE),
        default=DEFAULT_SAMPLE_SIZE,
        metavar="K",
        help=f"draw K boards (default {DEFAULT_SAMPLE_SIZE})",
    )
    parser.add_argument(
        "--sampler",
        metavar="NAME",
        help="a sampler of `boardsat solvers`; default: an exact one if possible",
    )
    parser.add_argument(
        "--diverse",
        action="store_true",
        help="draw more than K boards, and show K that differ much",
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the boards to FILE, numbered")


def run(options: argparse.Namespace) -> int:
    from boardsat.base.text import format_json
    from boardsat.workflows.count.portfolio import Display
    from boardsat.workflows.sample import result as sample_result
    from boardsat.workflows.sample.workflow import resolve_sample_options, run_sample

    _output_files.check_targets(options)
    sample_options = SampleOptions(
        _run_options.limits_from(options),
        options.size,
        options.sampler,
        options.runtime,
        options.seed,
        options.diverse,
    )
    sampler = resolve_sample_options(sample_options)
    if sampler and sampler.reads_board:
        _instance_options.require_no_formula_options(options, sampler.name)
    source = _run_options.source_from(options, COUNT)
    sampled = run_sample(source, sample_options, sampler, Display(Spinner, _notify))
    try:
        if options.json:
            print(format_json(sample_result.to_json(source.name, sampled)))
        else:
            print(sample_result.text(sampled))
    finally:
        if options.svg:
            _draw(options.svg, sampled)
    return int(sampled.status.value)


def _notify(line: str) -> None:
    print(f"boardsat: {line}", file=sys.stderr)


def _draw(target: str, sampled: SampleResult) -> None:
    """Draw each board to a file, with its number before the extension if there are several."""
    name, dot, extension = target.rpartition(".")
    if not dot or "/" in extension:
        name, dot, extension = target, "", ""
    if len(sampled) <= 1:
        solution = sampled.results[0].solution if sampled.results else None
        _output_files.draw(target, solution, sampled.status, sampled.instance)
        return
    for number, result in enumerate(sampled.results, 1):
        numbered = f"{name}-{number}{dot}{extension}"
        _output_files.draw(numbered, result.solution, sampled.status, sampled.instance)
