"""Count the boards of a problem or a DIMACS file, exactly or nearly, and compare.

Examples:
    boardsat count tour --enc undirected -n 6 --counter approxmc
    boardsat count tour.cnf --counter ganak --referee frontier
    boardsat count queens -n 8 --counter clasp --json

The answer is in boards, with the models beside it where several stand for one board. An estimate
comes with the interval that its counter guarantees. A published count is the referee where there is
one, unless --referee says otherwise. A projection
that is not valid counts as bad input.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from adapters.counts import counted, counted_as
from boardsat import ansi
from boardsat.commands import _counter_options, _running, _wanted
from boardsat.endings import FILES
from boardsat.spinner import Spinner

if TYPE_CHECKING:
    from boardsat.counting import Count, Referee, Request
    from boardsat.problem import Problem
    from boardsat.projections import Verdict

NOBODY = "none"

EXIT_CODES = {0: "done", 1: "the referee says otherwise"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _running.add_arguments(parser)
    parser.add_argument(
        "--counter", default="approxmc", metavar="NAME", help="see `boardsat solvers`"
    )
    parser.add_argument(
        "--epsilon",
        type=_running.number(float, 0.01, 100),
        metavar="E",
        help="an estimate is to be within a factor of 1 + E (usually 0.8)",
    )
    parser.add_argument(
        "--delta",
        type=_running.number(float, 0.0001, 0.9999),
        metavar="D",
        help="but for a chance of D (usually 0.2)",
    )
    parser.add_argument(
        "--repeat",
        type=_running.number(int, 1, 1000),
        default=1,
        metavar="K",
        help="K seeds, and their median",
    )
    parser.add_argument(
        "--referee", metavar="NAME", help=f"a counter, `published`, or `{NOBODY}`: compare with it"
    )
    parser.add_argument(
        "--any-projection", action="store_true", help="count even if the projection is not valid"
    )


def run(options: argparse.Namespace) -> int:
    from boardsat import counting

    _counter_options.refuse(options)
    options.epsilon = options.epsilon or 0.8
    options.delta = options.delta or 0.2
    request = _request(options)
    counting.counter(options.counter)
    if options.referee not in (None, NOBODY, counting.PUBLISHED):
        counting.counter(options.referee)
    with _running.problem_from(options, _wanted.COUNT) as problem:
        projection = _validated(problem, options)
        with Spinner(f"{options.counter} on {counted(problem.clauses, 'clause')}"):
            found = list(counting.counts(problem, request, options.repeat))
            other = _referee(problem, options, request)
        middle = counting.median(found)
        verdict = counting.verdict(middle, other) if other else None
        show = _json if options.json else _text
        print(show(problem, options, projection, found, other))
        if not options.json:
            _running.print_notes(problem)
    return int(verdict in (counting.DISAGREE, counting.OUTSIDE))


def _request(options: argparse.Namespace) -> Request:
    from boardsat.counting import Request

    return Request(
        options.counter,
        options.runtime,
        _running.limits_from(options),
        options.seed,
        options.epsilon,
        options.delta,
    )


def _validated(problem: Problem, options: argparse.Namespace) -> Verdict | None:
    """What is known of the projection; an error if it is wrong and nobody said to go on.

    None for a file from elsewhere: its projection is whatever somebody wanted to count.
    """
    from adapters.errors import AdapterError
    from adapters.runtimes import Limits
    from boardsat import projections
    from boardsat.solving import Request

    if not problem.header.views:
        problem.projection()
        return None
    looking = Request("cadical", limits=Limits(wall=options.timeout or 60))
    with Spinner("is the projection right?"):
        verdict = projections.validate(problem, looking)
    if verdict.word == projections.INVALID and not options.any_projection:
        raise AdapterError(
            f"the projection is invalid: {verdict.reason}",
            "look at them with `boardsat projection`, or count all the same with --any-projection",
            problem.path if options.problem.endswith(FILES) else options.problem,
        )
    return verdict


def _referee(problem: Problem, options: argparse.Namespace, request: Request) -> Referee | None:
    from boardsat.counting import PUBLISHED, referee

    name = options.referee or (PUBLISHED if PUBLISHED in problem.header.objects else NOBODY)
    return None if name == NOBODY else referee(problem, name, request)


def _text(
    problem: Problem,
    options: argparse.Namespace,
    projection: Verdict | None,
    found: list[Count],
    other: Referee | None,
) -> str:
    from boardsat.counting import median

    middle = median(found)
    lines = [_counted(middle, problem, options)]
    if len(found) > 1:
        shown = ", ".join("none" if f.objects is None else f"{f.objects:,}" for f in found)
        lines.append(f"median of {len(found)} seeds: {shown}")
    about = "of a file from elsewhere, taken as it is"
    if projection is not None:
        about = f"{projection.word}, {projection.reason}"
    lines.append(f"projection: {about}")
    if other is not None:
        lines.append(_compared(middle, found, other))
    return "\n".join(lines)


def _counted(count: Count, problem: Problem, options: argparse.Namespace) -> str:
    answer = count.answer
    usage = answer.usage
    how = f"{answer.solver} {answer.version}, {answer.runtime}, {usage}"
    if count.objects is None:
        return f"no count ({answer.reason}): {how}"
    name = problem.header.objects.get("name", "models")
    line = counted_as(count.objects, str(name))
    if count.models != count.objects:
        line += f" ({counted(count.models or 0, 'model')})"
    line += f", {'exactly' if count.exact else 'about'}: {how}"
    if count.interval is not None:
        least, most = count.interval
        sure = f"{100 * (1 - options.delta):.10g}%"
        line += f"\nbetween {least:,} and {most:,} with a confidence of {sure}"
    return line


def _compared(middle: Count, found: list[Count], other: Referee) -> str:
    from boardsat.counting import INSIDE, verdict

    if other.objects is None:
        return f"referee: {other.source}: no count ({other.reason})"
    line = f"referee: {other.objects:,} ({other.source})"
    word = verdict(middle, other)
    if word is not None and middle.objects is not None:
        line += f": {ansi.word(word)}"
        if not middle.exact and other.objects:
            line += f", the estimate is {middle.objects / other.objects:.3f} of it"
    if len(found) > 1:
        line += f"; {sum(verdict(f, other) == INSIDE for f in found)} of {len(found)} inside"
    return line


def _json(
    problem: Problem,
    options: argparse.Namespace,
    projection: Verdict | None,
    found: list[Count],
    other: Referee | None,
) -> str:
    from boardsat.counting import median, verdict

    middle = median(found)
    answer = middle.answer
    described: dict[str, Any] = {
        "count": middle.objects,
        "models": middle.models,
        "notes": list(problem.notes),
        "objects": problem.header.objects.get("name", "models"),
        "exact": middle.exact,
        "interval": middle.interval,
        "epsilon": None if middle.exact else options.epsilon,
        "confidence": None if middle.exact else 1 - options.delta,
        "projection": projection.word if projection else "unchecked",
        "verdict": verdict(middle, other) if other else None,
        "referee": None,
        "reason": answer.reason,
        "runs": [
            {
                "count": each.objects,
                "interval": each.interval,
                "verdict": verdict(each, other) if other else None,
                "command": list(each.answer.command),
                "wall": round(each.answer.usage.wall, 3),
                "cpu": each.answer.usage.cpu,
                "memory": each.answer.usage.memory,
            }
            for each in found
        ],
        "counter": answer.solver,
        "runtime": answer.runtime,
        "version": answer.version,
        "wall": round(answer.usage.wall, 3),
        "cpu": answer.usage.cpu,
        "memory": answer.usage.memory,
    }
    if other is not None:
        described["referee"] = {
            "name": other.name,
            "source": other.source,
            "count": other.objects,
            "exact": other.exact,
            "interval": other.interval,
            "reason": other.reason,
        }
    return json.dumps(described, indent=2)
