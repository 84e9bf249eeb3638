"""The output of solvers, line by line, to a status, a model or a count. One class a dialect.

A dialect is fed lines as they come and keeps no more than the answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boardsat.adapters.answer import MAX_COUNT_DIGITS, AnswerSet, Atom, Model, Status
from boardsat.adapters.solvers.output_lines import (
    normalize_model_text,
    parse_atom,
    parse_clingo_statistic,
    parse_count,
    parse_statistics_line,
    parse_weighted_count,
)
from boardsat.base.errors import SolverError

if TYPE_CHECKING:
    from fractions import Fraction

_STATUS = {
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMUM,
    "OPTIMUM": Status.OPTIMUM,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
}

LITERALS = re.compile(r"(?:-?\d{1,10}(?: |$))*")


class CompetitionParser:
    """`s SATISFIABLE`, then `v` lines that end with 0: CaDiCaL, Kissat, CryptoMiniSat, clasp."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
        15: Status.UNKNOWN,  # CryptoMiniSat at a limit
        30: Status.SATISFIABLE,  # clasp, when it has seen all models
    }

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.status: Status | None = None
        self.count: int | None = None
        self.reason = ""
        self.literals: list[int] = []
        self.complete = False
        self.answer_sets: list[AnswerSet] = []
        self.samples: list[tuple[int, ...]] = []
        self.statistics: dict[str, float] = {}
        self.rounds, self.stop_reason, self.joined = 0, "", False
        self.cuts: list[tuple[int, ...]] = []
        self.cost: int | None = None
        self.weighted_count: Fraction | None = None

    def check_consistency(self) -> None:
        """After the last line: what is counted must be there, and what is not must not."""
        decided = self.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)
        none = self.status is Status.UNSATISFIABLE
        if decided and self.count is not None and none != (self.count == 0):
            raise SolverError("the solver contradicts itself in status and count", "run it by hand")
        if none and (self.literals or self.answer_sets):
            raise SolverError("the solver contradicts itself: a model of nothing", "run it by hand")

    def feed(self, line: str) -> None:
        if line.startswith("v "):
            self.add_literals(line[2:])
        elif line.startswith("s "):
            self.add_status(line[2:].strip())
        elif found := re.fullmatch(r"c Models\s*: (\d+)\s*", line):
            self.add_count(found[1])  # clasp, when it has seen them all
        else:
            self.statistics |= parse_statistics_line(line)

    def add_status(self, word: str) -> None:
        if word not in _STATUS:
            raise SolverError(f"the solver states {word[:60]!r}", "see its output")
        if self.status not in (None, _STATUS[word]):
            raise SolverError("the solver states two different answers", "see its output")
        self.status = _STATUS[word]

    def add_count(self, digits: str) -> None:
        number = parse_count(digits)
        if self.count not in (None, number):
            raise SolverError("the solver states two different counts", "see its output")
        self.count = number

    def add_literals(self, text: str) -> None:
        words = text.split()
        if words in ([], ["0"]):
            self.complete = self.complete or bool(words)
            return
        if not LITERALS.fullmatch(" ".join(words)):
            odd = next(word for word in words if not LITERALS.fullmatch(word))
            raise SolverError(f"{odd[:30]!r} is not a literal", "see its output")
        # One 0 or several end a model; before them there is none.
        literals = list(map(int, words))
        end = literals.index(0) if 0 in literals else len(literals)
        if any(literals[end:]) or (self.complete and end):
            raise SolverError("literals after the end of the model", "see its output")
        self.complete = self.complete or end < len(literals)
        self.literals += literals[:end]
        if len(self.literals) > self.variables + 1:
            raise SolverError("the model is longer than the formula", "see its output")

    def is_complete(self) -> bool:
        """Whether the model came to its end."""
        return self.complete

    def model(self) -> Model | None:
        """The model with what the solver left out set to false, or None if it gave none."""
        if not self.literals and not self.complete:
            return None
        if not self.is_complete():
            raise SolverError("the model ends without its 0", "see its output")
        values = np.full(self.variables + 1, -1, np.int8)
        literals = np.array(self.literals, np.int64)
        if len(literals) and np.abs(literals).max() > self.variables:
            far = int(np.abs(literals).max())
            fault = f"the model has variable {far}, the formula {self.variables}"
            raise SolverError(fault, "is it a model of another formula?")
        values[np.abs(literals)] = np.sign(literals)
        if np.any(values[np.abs(literals)] != np.sign(literals)):
            raise SolverError("the model has a variable both true and false", "see its output")
        return values

    def tour(self) -> tuple[int, ...] | None:
        """The cells in the order of the visit, where the solver says so."""
        return None


class IncrementalParser(CompetitionParser):
    """The same, with the clauses that were added on the way, and how many times: our workers."""

    def feed(self, line: str) -> None:
        if found := re.fullmatch(r"c cut((?: -?[1-9]\d{0,9})*) 0", line):
            cut = tuple(map(int, found[1].split()))
            if any(abs(literal) > self.variables for literal in cut):
                raise SolverError(
                    "a cut has variables that are not in the formula", "run it by hand"
                )
            self.cuts.append(cut)
        elif line.startswith("c cut"):
            raise SolverError("a cut is not a clause", "run it by hand")
        elif found := re.fullmatch(r"c rounds (\d{1,9})(?:, (no rounds left|no progress))?", line):
            self.rounds, self.stop_reason = int(found[1]), found[2] or ""
        elif line == "c joined":
            self.joined = True
        else:
            super().feed(line)


class TourParser(CompetitionParser):
    """`s SATISFIABLE`, then `v` lines with the cells in their order, from 1; a comment says why."""

    def feed(self, line: str) -> None:
        if line.startswith("c "):
            self.reason = line[2:].strip()
        else:
            super().feed(line)

    def add_literals(self, text: str) -> None:
        words = text.split()
        if not re.fullmatch(r"[0-9\s]*", text) or max(map(len, words), default=0) > 10:
            raise SolverError("the tour has a word that is not a cell", "see its output")
        if self.complete or len(self.literals) > self.variables:
            raise SolverError("the tour is longer than the board", "see its output")
        cells = [int(word) for word in words]
        self.complete = 0 in cells
        if 0 in cells[:-1]:
            raise SolverError("cells after the end of the tour", "see its output")
        self.literals += cells[:-1] if self.complete else cells

    def model(self) -> Model | None:
        return None

    def tour(self) -> tuple[int, ...] | None:
        if not self.complete:
            raise SolverError("the tour ends without its 0", "see its output")
        if self.literals and max(self.literals) > self.variables:
            fault = f"the tour has cell {max(self.literals)}, the board {self.variables}"
            raise SolverError(fault, "see its output")
        return tuple(cell - 1 for cell in self.literals)


class AnyModelParser(CompetitionParser):
    """`o COST`, and a model as any competition has it: literals, with a 0 or without, or bits."""

    def feed(self, line: str) -> None:
        if found := re.fullmatch(r"o (-?\d{1,40})\s*", line):
            self.cost = int(found[1])  # of several, the last is that of the model
        else:
            super().feed(line)

    def add_literals(self, text: str) -> None:
        super().add_literals(normalize_model_text(text, self.variables))

    def is_complete(self) -> bool:
        """Without a 0 too, if each variable has its value: then nothing can be missing."""
        return self.complete or len({*map(abs, self.literals)}) == self.variables


class OptimumParser(AnyModelParser):
    """`s OPTIMUM FOUND` and its cost: MaxSAT and pseudo-Boolean solvers."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
        30: Status.OPTIMUM,
    }

    def check_consistency(self) -> None:
        super().check_consistency()
        if self.status is Status.OPTIMUM and self.cost is None:
            raise SolverError("an optimum without its cost", "run it by hand")


class MinisatParser(CompetitionParser):
    """`SATISFIABLE` alone, then the result file: `SAT`, and a line of literals."""

    def feed(self, line: str) -> None:
        word = line.strip()
        if word in _STATUS:
            self.add_status(word)
        elif word in ("SAT", "UNSAT", "INDET"):
            self.add_status(
                {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}[word]
            )
        elif re.fullmatch(r"[-\d ]+", word) and self.status == Status.SATISFIABLE:
            self.add_literals(word)
        else:
            self.statistics |= parse_statistics_line(word)


class AnyParser(AnyModelParser, MinisatParser):
    """An answer in any of these forms, from a file whose origin nobody remembers."""

    def feed(self, line: str) -> None:
        if not line or line.startswith("c"):
            return  # a solver can tell more about its search than its answer is long
        if line.startswith(("s ", "v ")):
            CompetitionParser.feed(self, line)
        elif re.fullmatch(r"\s*-?\d[-\d\s]*", line):
            self.add_literals(line)
        else:
            super().feed(line)


class CountingParser(CompetitionParser):
    """A status, then `s mc N`, or a comment with a weighted count: the counting competition."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: None,  # ApproxMC says so whatever it found
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
    }

    def feed(self, line: str) -> None:
        if (number := parse_weighted_count(line)) is None:
            super().feed(line)
        elif self.weighted_count not in (None, number):
            raise SolverError("the solver states two different counts", "see its output")
        else:  # which may be 0 of models too
            self.weighted_count, self.status = number, self.status or Status.UNKNOWN

    def add_status(self, word: str) -> None:
        if found := re.fullmatch(r"p?mc (\d+)", word):
            self.add_count(found[1])
        else:
            super().add_status(word)


class SamplingParser(CountingParser):
    """A count, then a `v` line that ends with 0 for every model or tour that was drawn."""

    def check_consistency(self) -> None:
        super().check_consistency()
        if self.literals or (self.status is Status.SATISFIABLE) != bool(self.samples):
            raise SolverError(
                "the sampler contradicts itself in status and samples", "run it by hand"
            )

    def add_literals(self, text: str) -> None:
        words = text.split()
        if not LITERALS.fullmatch(" ".join(words)):
            raise SolverError("a sample has a word that is not a number", "see its output")
        # A long line comes in pieces.
        self.literals += map(int, words)
        largest = max(map(abs, self.literals), default=0)
        if max(largest, len(self.literals) - 1) > self.variables or 0 in self.literals[:-1]:
            raise SolverError("a sample of another formula or board", "see its output")
        if self.literals[-1:] == [0]:
            self.samples.append(tuple(self.literals[:-1]))
            self.literals.clear()


class DratParser(CompetitionParser):
    """`s VERIFIED` or `s NOT VERIFIED`: drat-trim.

    Its exit code is 0 for the first and 1 for the second, but 0 too for a check that took too long,
    and 1 for a formula with an empty clause, which needs no check.
    """

    mark = "s "
    ends: ClassVar[dict[bool, int]] = {True: 0, False: 1}
    verified: bool | None = None

    def feed(self, line: str) -> None:
        if line.startswith(self.mark) and line[2:].strip() in ("VERIFIED", "NOT VERIFIED"):
            if self.verified is not None:
                raise SolverError("the checker states two verdicts", "see its output")
            self.verified = line[2:].strip() == "VERIFIED"


class LratParser(DratParser):
    """The same as comments: lrat-check."""

    mark = "c "


class ClingoParser(CompetitionParser):
    """`Answer: 1`, its atoms on the next line, a status alone, then statistics by their names."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        1: Status.UNKNOWN,  # interrupted before a model
        10: Status.SATISFIABLE,
        11: Status.SATISFIABLE,  # interrupted after one
        20: Status.UNSATISFIABLE,
        30: Status.SATISFIABLE,  # when it has seen all models
    }

    def __init__(self, variables: int) -> None:
        super().__init__(variables)
        self.atoms: list[Atom] | None = None
        """Those of the answer set that is being read."""

    def feed(self, line: str) -> None:
        if re.fullmatch(r"Answer: \d+(?: \(Time: [\d.]+s\))?", line):
            self.end_answer_set()
            self.atoms = []
        elif line in _STATUS:
            self.end_answer_set()
            self.add_status(line)
        elif self.atoms is not None:
            self.atoms += map(parse_atom, line.split())
        elif self.status is not None and ":" in line:
            name, _, told = line.partition(":")
            self.add_statistic(name.strip().lower(), told.strip())

    def end_answer_set(self) -> None:
        if self.atoms is not None:
            self.answer_sets.append(tuple(self.atoms))
        self.atoms = None

    def add_statistic(self, name: str, told: str) -> None:
        """What cannot be read is left out: the answer stands without it."""
        if name == "models" and told.isdecimal() and len(told) <= MAX_COUNT_DIGITS:
            # Without a `+` after it: it has seen them all.
            self.add_count(told)
        else:
            self.statistics |= parse_clingo_statistic(name, told)


PARSERS: dict[str, type[CompetitionParser]] = {
    c.__name__.removesuffix("Parser").lower(): c
    for c in (
        CompetitionParser,
        MinisatParser,
        AnyParser,
        CountingParser,
        SamplingParser,
        IncrementalParser,
        OptimumParser,
        TourParser,
        DratParser,
        LratParser,
        ClingoParser,
    )
}
"""Output parsers by the names that solver files give them."""
