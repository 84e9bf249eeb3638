"""Count the boards of a problem or a DIMACS file, exactly or nearly, and compare.

Examples:
    boardsat count queens -n 8
    boardsat count tour --enc undirected -n 6 --counter approxmc
    boardsat count tour.cnf --counter ganak --referee frontier
    boardsat count queens -n 4..9 --json

Without --counter, those that are exact are tried for a few seconds each; where none is done by then
it is an estimate, as it is with --epsilon, --delta or --repeat. The answer says what was chosen.
The answer is in boards, with the models beside it where several stand for one board. An estimate
comes with the interval that its counter guarantees. A published count is the referee where there is
one, unless --referee says otherwise. A projection that is not valid counts as bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adapters.counts import counted as how_many
from boardsat.commands import _counted, _counter_options, _instance, _running, _wanted
from boardsat.commands._counted import Counted
from boardsat.endings import FILES
from boardsat.exit_codes import BAD_INPUT
from boardsat.spinner import Spinner
from boardsat.table import table

if TYPE_CHECKING:
    from boardsat.commands._wanted import Wanted
    from boardsat.counting import Count, Referee, Request
    from boardsat.problem import Instance, Problem
    from boardsat.projections import Verdict
    from boardsat.trials import Trials

NOBODY = "none"

EPSILON, DELTA = 0.8, 0.2

PATIENCE = 60
"""Seconds of wall time for the question whether a projection is right."""

EXIT_CODES = {0: "done", 1: "the referee says otherwise"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _running.add_arguments(parser)
    parser.add_argument(
        "--counter", metavar="NAME", help="see `boardsat solvers` (usually one that is quick)"
    )
    parser.add_argument(
        "--epsilon",
        type=_running.number(float, 0.01, 100),
        metavar="E",
        help=f"an estimate is to be within a factor of 1 + E (usually {EPSILON})",
    )
    parser.add_argument(
        "--delta",
        type=_running.number(float, 0.0001, 0.9999),
        metavar="D",
        help=f"but for a chance of D (usually {DELTA})",
    )
    parser.add_argument(
        "--repeat",
        type=_running.number(int, 1, 1000),
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
    if options.referee not in (None, NOBODY, counting.PUBLISHED):
        counting.counter(options.referee)
    if options.problem.endswith(FILES):
        return _one(_Subject(options, None))
    _running.refuse_lenient(options)
    wanted = _wanted.several(options, _wanted.COUNT)
    if len(wanted) == 1:
        return _one(_Subject(options, wanted[0]))
    return _list([_Subject(options, each) for each in wanted], options.json)


def _one(subject: _Subject) -> int:
    with subject.counted() as counted:
        if subject.options.json:
            print(json.dumps(_counted.described(subject.name, counted), indent=2))
        else:
            print(_counted.text(counted))
            _running.print_notes(counted.instance)
        return int(_is_refuted(counted))


def _list(subjects: list[_Subject], for_programs: bool) -> int:
    """One table; an instance that cannot be counted does not take the others with it."""
    from adapters.errors import AdapterError, WrongAnswerError
    from generators.errors import InputError

    rows: list[list[str]] = []
    told: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    code = 0
    try:
        for subject in subjects:
            try:
                with subject.counted() as counted:
                    rows.append(_counted.row(subject.name, counted))
                    told.append(_counted.described(subject.name, counted))
                    notes |= dict.fromkeys(counted.default)
                    code = max(code, int(_is_refuted(counted)))
            except (AdapterError, InputError) as error:
                if isinstance(error, WrongAnswerError):
                    raise
                rows.append(_counted.faulty_row(subject.name, str(error)))
                told.append({"instance": subject.name, "count": None, "reason": str(error)})
                code = BAD_INPUT
    finally:
        # What was counted is not lost to an interrupt.
        shown = "\n".join([table(_counted.HEADS, rows), *notes])
        print(json.dumps(told, indent=2) if for_programs else shown)
    return code


def _is_refuted(counted: Counted) -> bool:
    from boardsat.counting import DISAGREE, OUTSIDE

    return counted.verdict in (DISAGREE, OUTSIDE)


class _Subject:
    """What is to be counted: a board at once, its formula when somebody needs it."""

    def __init__(self, options: argparse.Namespace, wanted: Wanted | None) -> None:
        self.options, self.wanted = options, wanted
        self.stack = ExitStack()

    @property
    def name(self) -> str:
        from generators import stem

        if self.wanted is None:
            return str(self.options.problem)
        name = stem(self.wanted.spec, self.wanted.settings)
        named = _wanted.names_encoding(self.options)
        return name if named else name.removesuffix(f"-{self.wanted.spec.encoding}")

    @contextmanager
    def counted(self) -> Iterator[Counted]:
        """The count, while its files are there."""
        with self.stack:
            yield self._named() if self.options.counter else self._chosen()

    @cached_property
    def board(self) -> Instance:
        """The board alone."""
        from boardsat.problem import described
        from generators import describe_counted

        assert self.wanted is not None
        return described(describe_counted(self.wanted.spec, self.wanted.settings))

    @cached_property
    def problem(self) -> Problem:
        """The formula, in a file."""
        if self.wanted is None:
            return self.stack.enter_context(_running.problem_from(self.options, _wanted.COUNT))
        return self.stack.enter_context(_running.written(self.wanted, self.options))

    @property
    def is_a_board(self) -> bool:
        """Whether it is named by its problem alone, so that no formula of it is meant."""
        changed = any(getattr(self.options, name) for name in _instance.FORMULA_OPTIONS)
        return not (changed or self.options.any_projection or _wanted.names_encoding(self.options))

    @cached_property
    def request(self) -> Request:
        from boardsat.counting import Request

        options = self.options
        return Request(
            options.counter or "",
            options.runtime,
            _running.limits_from(options),
            options.seed,
            options.epsilon or EPSILON,
            options.delta or DELTA,
        )

    def _named(self) -> Counted:
        """By the counter that the options name."""
        from boardsat.counting import counter

        on_board = self.is_a_board and counter(self.options.counter).reads == "board"
        return self._by(self.request, self.board if on_board else self.problem)

    def _chosen(self) -> Counted:
        """By an exact counter that is quick, otherwise nearly."""
        trials = self.trials
        asked = [f"--{word}" for word in ("epsilon", "delta", "repeat") if self._asks(word)]
        if not asked:
            for instance in self._instances():
                with Spinner("an exact count, if it is quick"):
                    found = trials.exact(instance)
                if found is not None:
                    why = "; ".join(["exact, and quick here", *trials.failed])
                    return self._told(instance, [found], self.request, why)
        _ = self.projection
        request = trials.estimate(self.problem)
        why = f"{asked[0]} asks for it" if asked else "; ".join(trials.failed)
        if not asked:
            print(f"boardsat: {why}; {request.counter} estimates it now", file=sys.stderr)
        counted = self._by(request, self.problem)
        return replace(counted, chosen=f"an estimate: {why}")

    @cached_property
    def trials(self) -> Trials:
        from boardsat.trials import Trials

        return Trials(self.request)

    def _asks(self, word: str) -> bool:
        return getattr(self.options, word) is not None

    def _instances(self) -> Iterator[Instance]:
        """What an exact counter may read, the board first."""
        if self.is_a_board and self.board.header.board:
            yield self.board
        _ = self.projection  # before anything is counted over it
        yield self.problem

    def _by(self, request: Request, instance: Instance) -> Counted:
        from boardsat.counting import counts
        from boardsat.problem import Problem

        if isinstance(instance, Problem):
            _ = self.projection
            size = how_many(instance.clauses, "clause")
        else:
            size = "the board"
        with Spinner(f"{request.counter} on {size}"):
            found = list(counts(instance, request, self.options.repeat or 1))
        return self._told(instance, found, request)

    def _told(
        self, instance: Instance, found: list[Count], request: Request, why: str = ""
    ) -> Counted:
        from boardsat.problem import Problem

        is_formula = isinstance(instance, Problem)
        with Spinner("the referee"):
            other = self._referee(instance, request)
        return Counted(
            instance,
            found,
            other,
            self.projection if is_formula else None,
            request.epsilon,
            request.delta,
            why,
            tuple(_wanted.default_line(self.options, _wanted.COUNT)) if is_formula else (),
        )

    def _referee(self, instance: Instance, request: Request) -> Referee | None:
        from boardsat.counting import PUBLISHED, counter, referee

        known = PUBLISHED in instance.header.objects
        name = self.options.referee or (PUBLISHED if known else NOBODY)
        if name == NOBODY:
            return None
        if name != PUBLISHED and counter(name).reads == "formula":
            instance = self.problem
        return referee(instance, name, replace(request, runtime=self.options.runtime))

    @cached_property
    def projection(self) -> Verdict | None:
        """What is known of it; an error if it is wrong and nobody said to go on.

        None for a file from elsewhere: its projection is whatever somebody wanted to count.
        """
        from adapters.errors import AdapterError
        from adapters.runtimes import Limits
        from boardsat import projections
        from boardsat.solving import Request

        problem, options = self.problem, self.options
        if not problem.header.views:
            problem.projection()
            return None
        limit = options.timeout or PATIENCE
        if not options.counter:
            # Where the counter is chosen, too, the limit is for all of it together.
            limit = min(self.trials.left().wall or PATIENCE, PATIENCE)
        looking = Request("cadical", limits=Limits(wall=limit))
        with Spinner("is the projection right?"):
            verdict = projections.validate(problem, looking)
        if verdict.word == projections.INVALID and not options.any_projection:
            raise AdapterError(
                f"the projection is invalid: {verdict.reason}",
                "look at them with `boardsat projection`, or count all the same with "
                "--any-projection",
                problem.path if options.problem.endswith(FILES) else options.problem,
            )
        return verdict
