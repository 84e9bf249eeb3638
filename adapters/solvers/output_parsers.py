"""Parsers of solver output: status, model, count and statistics, from one line at a time.

Each class is a dialect, and the name of the class is its name in solver files: CompetitionParser is
`dialect: competition`. A parser stores the values that it reads, not the output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boardsat.adapters.answer import (
    MAX_COUNT_DIGITS,
    AnswerSet,
    Atom,
    Model,
    PortfolioSlice,
    Status,
)
from boardsat.base.errors import SolverError
from boardsat.base.text import pluralize

if TYPE_CHECKING:
    from fractions import Fraction

MAX_LINE_BYTES = 2**20
"""Length above which a line is split; a model on one line can be as long as the formula."""

_ATOM = re.compile(r"([a-z]\w*)\((-?\d{1,10}(?:,-?\d{1,10})*)\)")
"""Atom of a logic program with numeric arguments: `move(0,17)`."""

_WEIGHTED_COUNT = r"c s exact arb frac ([0-9]+)/([1-9][0-9]*)"


class LongCountError(SolverError):
    """Count with more digits than are read; the output itself is well-formed."""


def parse_count(digits: str) -> int:
    """Return a count; raise LongCountError if it has more than MAX_COUNT_DIGITS digits."""
    if len(digits) > MAX_COUNT_DIGITS:
        size = f"at most {MAX_COUNT_DIGITS:,} (got {len(digits):,})"
        fault = f"the number of digits of the count must be {size}"
        raise LongCountError(fault, "count a smaller formula")
    return int(digits)


def parse_weighted_count(line: str) -> Fraction | None:
    """Return the exact fraction of a line of the counting competition; None for other lines."""
    match = re.fullmatch(_WEIGHTED_COUNT, line)
    if match is None:
        return None
    from fractions import Fraction

    return Fraction(*map(parse_count, match.groups()))


def split_lines(pieces: Iterable[bytes]) -> Iterable[str]:
    """Yield the lines of output that comes in pieces of any size.

    A line above MAX_LINE_BYTES is yielded in several parts, each with the prefix of the line.
    Bytes that are not ASCII are replaced, so that only 0 to 9 are digits.
    """
    unfinished = b""
    for piece in pieces:
        *lines, unfinished = (unfinished + piece.replace(b"\r", b"")).split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace")
        if len(unfinished) > MAX_LINE_BYTES:
            # Between two words, so that no number is cut.
            cut = unfinished.rfind(b" ", 2) + 1 or len(unfinished)
            yield unfinished[:cut].decode("ascii", "replace")
            unfinished = _prefix(unfinished) + unfinished[cut:]
    if unfinished:
        yield unfinished.decode("ascii", "replace")


def _prefix(line: bytes) -> bytes:
    """Return the prefix that makes the next part of a long line the same type of line."""
    if line[:2] == b"v ":
        return b"v "
    has_no_prefix = line[:1] in b" -0123456789" or _ATOM.match(line.decode("utf-8", "replace"))
    return b"" if has_no_prefix else b"c "


def normalize_model_text(text: str, variables: int) -> str:
    """Convert a model from the notation of MaxSAT evaluations or of PB solvers to literals.

    MaxSAT evaluations print bits (`0110`), pseudo-Boolean solvers `x1 -x2`. Any other text is
    returned as it is.
    """
    bits = text.strip()
    # The bit of a single variable is the literal 1, or the end of a model without it.
    if len(bits) == variables > 1 and re.fullmatch("[01]+", bits):
        return " ".join(str(v) if bit == "1" else f"-{v}" for v, bit in enumerate(bits, 1)) + " 0"
    if re.fullmatch(r"(?:-?x\d{1,10}\s*)+(?:\b0\s*)?", text):
        return text.replace("x", "")
    return text


def parse_atom(text: str) -> Atom:
    """Return the predicate and the numbers of an atom such as `move(0,17)`."""
    match = _ATOM.fullmatch(text)
    if match is None:
        raise SolverError(f"{text[:30]!r} is not an atom")
    return match[1], tuple(map(int, match[2].split(",")))


_STATISTICS = re.compile(
    r"(?:c\s+)?(conflicts|decisions|choices|propagations|restarts)\s*:\s+(\d{1,18})(?:\s|$)",
    re.ASCII | re.IGNORECASE,
)
_COMMON_NAMES = {"choices": "decisions"}
"""Names of statistics by the names that clasp gives them."""

_CLINGO_COUNTERS = {
    *("choices", "conflicts", "restarts", "rules", "atoms", "variables", "constraints"),
}
_SECONDS = r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s"
_CLINGO_TIMES = rf"{_SECONDS} \(Solving: {_SECONDS} 1st Model: {_SECONDS} Unsat: [0-9.]+s\)"


def parse_statistics_line(line: str) -> dict[str, int]:
    """Return the statistic of a line; empty if the line has no statistic.

    Lines are `c conflicts: 12`, `c Conflicts   : 12  (Analyzed: 11)` or `conflicts   : 12`.
    """
    match = _STATISTICS.match(line)
    if match is None:
        return {}
    name = match[1].lower()
    return {_COMMON_NAMES.get(name, name): int(match[2])}


def parse_clingo_statistic(name: str, text: str) -> dict[str, float]:
    """Return the statistics of a line of clingo: its name, and the text after the colon.

    Lines are `Choices : 12` or `Time : 0.1s (Solving: ...)`; empty for other lines.
    """
    if name == "time" and (match := re.fullmatch(_CLINGO_TIMES, text)):
        total, solving, first_model = map(float, match.groups())
        grounding = round(max(0.0, total - solving), 3)
        return {"grounding": grounding, "solving": solving, "first_model": first_model}
    if name in _CLINGO_COUNTERS and (match := re.match(r"\d{1,18}\b", text)):
        return {name: int(match[0])}
    return {}


_STATUS = {
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMUM,
    "OPTIMUM": Status.OPTIMUM,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
}

_LITERALS = re.compile(r"(?:-?\d{1,10}(?: |$))*")


class CompetitionParser:
    """Output of the SAT competition: `s SATISFIABLE`, then `v` lines whose last literal is 0.

    CaDiCaL, Kissat, CryptoMiniSat and clasp print it. Other dialects are subclasses. `feed` is
    called with each line, then `check_consistency`, then `model` or `tour`. All raise SolverError
    if the output is malformed.

    Parameters
    ----------
    variables : int
        Number of variables of the formula, or of cells of the board.
    """

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
        15: Status.UNKNOWN,  # CryptoMiniSat at a limit
        30: Status.SATISFIABLE,  # clasp, after enumerating all models
    }
    """Status for each exit code of a run that ended by itself; None if the exit code does not
    determine the status."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.status: Status | None = None
        """Status; None until it is printed."""
        self.count: int | None = None
        """Number of models; None until it is printed."""
        self.weighted_count: Fraction | None = None
        """Sum of the weights of all models; None until it is printed."""
        self.cost: int | None = None
        """Cost of the best model so far; None until it is printed."""
        self.reason = ""
        """Reason of the status, as the solver prints it."""
        self.literals: list[int] = []
        """Literals of the model, or cells of the tour, without the 0 at the end."""
        self.complete = False
        """True after the 0 at the end of the model."""
        self.answer_sets: list[AnswerSet] = []
        self.samples: list[tuple[int, ...]] = []
        self.statistics: dict[str, float] = {}
        self.rounds = 0
        """Number of calls of the solver for a lazy formula."""
        self.cuts: list[tuple[int, ...]] = []
        """Clauses that were added to a lazy formula."""
        self.stop_reason = ""
        """Reason why the search for cuts stopped without an answer; empty if there is an answer."""
        self.joined = False
        """True if subtours of the last model were joined by exchanging edges."""
        self.method = ""
        """Method of a portfolio that gave the answer."""
        self.slices: list[PortfolioSlice] = []
        """Slices of a portfolio: each is a method, the work it did, and its CPU time."""

    def check_consistency(self) -> None:
        """Raise SolverError if the status contradicts the count or the model; called at the end."""
        is_decided = self.status in (Status.SATISFIABLE, Status.UNSATISFIABLE)
        is_unsat = self.status is Status.UNSATISFIABLE
        if is_decided and self.count is not None and is_unsat != (self.count == 0):
            raise SolverError("the solver contradicts itself in status and count")
        if is_unsat and (self.literals or self.answer_sets):
            raise SolverError("the solver contradicts itself: it prints a model and UNSATISFIABLE")

    def feed(self, line: str) -> None:
        """Parse one line, without its line end."""
        if line.startswith("v "):
            self.add_literals(line[2:])
        elif line.startswith("s "):
            self.add_status(line[2:].strip())
        elif match := re.fullmatch(r"c Models\s*: (\d+)\s*", line):
            self.add_count(match[1])  # clasp, after enumerating them all
        else:
            self.statistics |= parse_statistics_line(line)

    def add_status(self, text: str) -> None:
        if text not in _STATUS:
            raise SolverError(f"the solver states {text[:60]!r}")
        if self.status not in (None, _STATUS[text]):
            raise SolverError("the solver states two different answers")
        self.status = _STATUS[text]

    def add_count(self, digits: str) -> None:
        number = parse_count(digits)
        if self.count not in (None, number):
            raise SolverError("the solver states two different counts")
        self.count = number

    def add_literals(self, text: str) -> None:
        """Append the literals of a `v` line to the model."""
        tokens = text.split()
        if tokens in ([], ["0"]):
            self.complete = self.complete or bool(tokens)
            return
        if not _LITERALS.fullmatch(" ".join(tokens)):
            malformed = next(token for token in tokens if not _LITERALS.fullmatch(token))
            raise SolverError(f"{malformed[:30]!r} is not a literal")
        # A model may end with several zeros.
        literals = list(map(int, tokens))
        end = literals.index(0) if 0 in literals else len(literals)
        if any(literals[end:]) or (self.complete and end):
            raise SolverError("there are literals after the end of the model")
        self.complete = self.complete or end < len(literals)
        self.literals += literals[:end]
        if len(self.literals) > self.variables + 1:
            size = pluralize(len(self.literals), "literal")
            variables = pluralize(self.variables, "variable")
            raise SolverError(f"the model has {size} or more, but the formula has {variables}")

    def is_complete(self) -> bool:
        """Return True if the model has all its literals."""
        return self.complete

    def model(self) -> Model | None:
        """Return the model, with omitted variables set to false; None if no model was printed."""
        if not self.literals and not self.complete:
            return None
        if not self.is_complete():
            raise SolverError("the model ends without its 0")
        values = np.full(self.variables + 1, -1, np.int8)
        literals = np.array(self.literals, np.int64)
        if len(literals) and np.abs(literals).max() > self.variables:
            largest = int(np.abs(literals).max())
            fault = f"the model has variable {largest}, above the formula's {self.variables}"
            raise SolverError(fault, "is it a model of another formula?")
        values[np.abs(literals)] = np.sign(literals)
        if np.any(values[np.abs(literals)] != np.sign(literals)):
            raise SolverError("the model has a variable both true and false")
        return values

    def tour(self) -> tuple[int, ...] | None:
        """Return the cells in the order of the visit; None if the solver does not read boards."""
        return None


class IncrementalParser(CompetitionParser):
    """Output of lazy_cuts/incremental_solver.py: SAT competition format, with cuts as comments."""

    def feed(self, line: str) -> None:
        if match := re.fullmatch(r"c cut((?: -?[1-9]\d{0,9})*) 0", line):
            cut = tuple(map(int, match[1].split()))
            if any(abs(literal) > self.variables for literal in cut):
                raise SolverError("a cut has variables that are not in the formula")
            self.cuts.append(cut)
        elif line.startswith("c cut"):
            raise SolverError("a cut is not a clause")
        elif match := re.fullmatch(r"c rounds (\d{1,9})(?:, (no rounds left|no progress))?", line):
            self.rounds, self.stop_reason = int(match[1]), match[2] or ""
        elif line == "c joined":
            self.joined = True
        elif match := re.fullmatch(r"c method ([a-z ]{1,40})", line):
            self.method = match[1]
        elif match := re.fullmatch(
            r"c slice ([a-z ]{1,40}):((?: \d{1,18} [a-z]{1,20},)*) (\d{1,9}\.\d{1,6}) s", line
        ):
            amounts = re.findall(r"(\d+) ([a-z]+)", match[2])
            work = {unit: int(number) for number, unit in amounts}
            self.slices.append(PortfolioSlice(match[1], work, float(match[3])))
        else:
            super().feed(line)


class TourParser(CompetitionParser):
    """Tour of a board solver: a status, then `v` lines with the cells from 1 in visiting order.

    A comment gives the reason of the status.
    """

    def feed(self, line: str) -> None:
        if line.startswith("c "):
            self.reason = line[2:].strip()
        else:
            super().feed(line)

    def add_literals(self, text: str) -> None:
        tokens = text.split()
        if not re.fullmatch(r"[0-9\s]*", text) or max(map(len, tokens), default=0) > 10:
            raise SolverError("the tour has a word that is not a cell")
        if self.complete or len(self.literals) > self.variables:
            raise SolverError("the tour is longer than the board")
        cells = [int(token) for token in tokens]
        self.complete = 0 in cells
        if 0 in cells[:-1]:
            raise SolverError("there are cells after the end of the tour")
        self.literals += cells[:-1] if self.complete else cells

    def model(self) -> Model | None:
        return None

    def tour(self) -> tuple[int, ...] | None:
        if not self.complete:
            raise SolverError("the tour ends without its 0")
        if self.literals and max(self.literals) > self.variables:
            fault = f"the tour has cell {max(self.literals)}, above the board's {self.variables}"
            raise SolverError(fault)
        return tuple(cell - 1 for cell in self.literals)


class AnyModelParser(CompetitionParser):
    """Answer of any competition: `o COST`, and a model as literals or bits, with or without 0."""

    def feed(self, line: str) -> None:
        if match := re.fullmatch(r"o (-?\d{1,40})\s*", line):
            self.cost = int(match[1])  # the last cost is that of the model
        else:
            super().feed(line)

    def add_literals(self, text: str) -> None:
        super().add_literals(normalize_model_text(text, self.variables))

    def is_complete(self) -> bool:
        """Return True if the model has ended, or if every variable has a literal."""
        return self.complete or len({*map(abs, self.literals)}) == self.variables


class OptimumParser(AnyModelParser):
    """Output of MaxSAT and pseudo-Boolean solvers: `o COST` and `s OPTIMUM FOUND`."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
        30: Status.OPTIMUM,
    }

    def check_consistency(self) -> None:
        super().check_consistency()
        if self.status is Status.OPTIMUM and self.cost is None:
            raise SolverError("the solver printed an optimum without its cost")


_MINISAT_STATUS = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}
"""Statuses by their names in the result file of MiniSat."""


class MinisatParser(CompetitionParser):
    """Output of MiniSat: `SATISFIABLE`, then its result file: `SAT`, and a line of literals."""

    def feed(self, line: str) -> None:
        text = line.strip()
        if text in _STATUS:
            self.add_status(text)
        elif text in _MINISAT_STATUS:
            self.add_status(_MINISAT_STATUS[text])
        elif re.fullmatch(r"[-\d ]+", text) and self.status == Status.SATISFIABLE:
            self.add_literals(text)
        else:
            self.statistics |= parse_statistics_line(text)


class AnyParser(AnyModelParser, MinisatParser):
    """Answer in the output format of any SAT, MaxSAT or pseudo-Boolean solver, from a file."""

    def feed(self, line: str) -> None:
        if not line or line.startswith("c"):
            return  # comments on the search can be longer than the answer
        if line.startswith(("s ", "v ")):
            CompetitionParser.feed(self, line)
        elif re.fullmatch(r"\s*-?\d[-\d\s]*", line):
            self.add_literals(line)
        else:
            super().feed(line)


class CountingParser(CompetitionParser):
    """Output of the counting competition: a status, then `s mc N` or a weighted count."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: None,  # ApproxMC, for every answer
        10: Status.SATISFIABLE,
        20: Status.UNSATISFIABLE,
    }

    def feed(self, line: str) -> None:
        if (number := parse_weighted_count(line)) is None:
            super().feed(line)
        elif self.weighted_count not in (None, number):
            raise SolverError("the solver states two different counts")
        else:  # a weighted count of satisfiable clauses can be 0
            self.weighted_count, self.status = number, self.status or Status.UNKNOWN

    def add_status(self, text: str) -> None:
        if match := re.fullmatch(r"p?mc (\d+)", text):
            self.add_count(match[1])
        else:
            super().add_status(text)


class SamplingParser(CountingParser):
    """Output of a sampler: a count, then for each sample a `v` line whose last number is 0."""

    def check_consistency(self) -> None:
        super().check_consistency()
        if self.literals or (self.status is Status.SATISFIABLE) != bool(self.samples):
            raise SolverError("the sampler contradicts itself in status and samples")

    def add_literals(self, text: str) -> None:
        tokens = text.split()
        if not _LITERALS.fullmatch(" ".join(tokens)):
            raise SolverError("a sample has a word that is not a number")
        # A long line comes in several parts.
        self.literals += map(int, tokens)
        largest = max(map(abs, self.literals), default=0)
        if max(largest, len(self.literals) - 1) > self.variables or 0 in self.literals[:-1]:
            raise SolverError("a sample does not fit the formula or board")
        if self.literals[-1:] == [0]:
            self.samples.append(tuple(self.literals[:-1]))
            self.literals.clear()


class DratParser(CompetitionParser):
    """Output of drat-trim: `s VERIFIED` or `s NOT VERIFIED`.

    The exit code of drat-trim is 0 for a verified proof and also for a check that took too long; it
    is 1 for a refuted proof and also for a formula with an empty clause, which needs no check.
    """

    prefix = "s "
    verdict_exit_codes: ClassVar[dict[bool, int]] = {True: 0, False: 1}
    verified: bool | None = None
    """Verdict; None until it is printed."""

    def feed(self, line: str) -> None:
        if line.startswith(self.prefix) and line[2:].strip() in ("VERIFIED", "NOT VERIFIED"):
            if self.verified is not None:
                raise SolverError("the checker states two verdicts")
            self.verified = line[2:].strip() == "VERIFIED"


class LratParser(DratParser):
    """Output of lrat-check: `c VERIFIED` or `c NOT VERIFIED`."""

    prefix = "c "


class ClingoParser(CompetitionParser):
    """Output of clingo: `Answer: 1`, atoms on the next line, a status, then statistics."""

    exit_codes: ClassVar[dict[int, Status | None]] = {
        0: Status.UNKNOWN,
        1: Status.UNKNOWN,  # interrupted before a model
        10: Status.SATISFIABLE,
        11: Status.SATISFIABLE,  # interrupted after a model
        20: Status.UNSATISFIABLE,
        30: Status.SATISFIABLE,  # after enumerating all models
    }

    def __init__(self, variables: int) -> None:
        super().__init__(variables)
        self.atoms: list[Atom] | None = None
        """Atoms of the answer set that is being read; None between answer sets."""

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
            name, _, text = line.partition(":")
            self.add_statistic(name.strip().lower(), text.strip())

    def end_answer_set(self) -> None:
        if self.atoms is not None:
            self.answer_sets.append(tuple(self.atoms))
        self.atoms = None

    def add_statistic(self, name: str, text: str) -> None:
        """Add a statistic of the search, or the number of models; skip what is not readable."""
        if name == "models" and text.isdecimal() and len(text) <= MAX_COUNT_DIGITS:
            # A `+` after the number would mean that there may be more models.
            self.add_count(text)
        else:
            self.statistics |= parse_clingo_statistic(name, text)


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
"""Output parsers by their names in solver files."""
