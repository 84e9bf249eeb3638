"""Solver output: an answer is accepted only if a simple parser of the lines finds the same.

The first line of an input names the dialect, the variables of the formula and the exit code.
"""

from __future__ import annotations

import re
from pathlib import Path

from helpers.recordings import outcome

from boardsat.adapters.answer import Status
from boardsat.adapters.run_solver import parse_output, proof_is_verified
from boardsat.adapters.solvers.output_parsers import PARSERS
from fuzz.target import Target

RECORDED = Path(__file__).parents[2] / "recorded"
DIALECT_OF = {
    **dict.fromkeys(("cadical", "kissat", "cryptominisat", "clasp"), "competition"),
    "approxmc": "counting",
    "clingo": "clingo",
    "drat": "drat",
    "lrat": "lrat",
    "minisat": "minisat",
}
TOKENS = (
    *(
        "s SATISFIABLE",
        "s UNSATISFIABLE",
        "s UNKNOWN",
        "s mc 7",
        "s pmc 7",
        "c Models         : 12",
    ),
    *("v 1 0", "v 0", "0", "SAT", "UNSAT", "INDET", "SATISFIABLE", "UNSATISFIABLE", "Answer: 1"),
    *(
        "s VERIFIED",
        "s NOT VERIFIED",
        "c VERIFIED",
        "c NOT VERIFIED",
        "c cut 1 -2 0",
        "c rounds 3",
        "Models       : 3",
        "move(1,2)",
    ),
    *("c conflicts: 12", "Time         : 0.03s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)"),
    *PARSERS,
)


def seeds() -> list[bytes]:
    inputs = []
    for path in sorted(RECORDED.glob("*.txt")):
        first, _, body = path.read_bytes().partition(b"\n")
        code = re.search(rb"exit code (-?\d+)", first)
        dialect = DIALECT_OF[path.stem.split("-")[0]]
        for name in {dialect, "any", "incremental", "sampling", "tour"}:
            head = f"{name} 200 {int(code[1]) if code else 0}\n".encode()
            inputs.append(head + body[-4000:])
    return inputs


def check(data: bytes) -> None:
    head, _, text = data.partition(b"\n")
    tokens = head.split()
    numbers = [int(token) for token in tokens[1:] if re.fullmatch(rb"-?\d{1,6}", token)]
    dialect = tokens[0].decode("latin-1") if tokens else ""
    if dialect not in PARSERS or len(numbers) != 2:
        return
    variables, code = abs(numbers[0]), numbers[1]
    if dialect in ("drat", "lrat"):
        verified = proof_is_verified(outcome(text, code), dialect)
        mark = "s " if dialect == "drat" else "c "
        verdicts = [line[2:].strip() for line in lines(text) if line.startswith(mark)]
        verdicts = [verdict for verdict in verdicts if verdict in ("VERIFIED", "NOT VERIFIED")]
        assert verdicts == (["VERIFIED"] if verified else ["NOT VERIFIED"])
        assert code == (0 if verified else 1)
        return
    parser = parse_output(dialect, variables, outcome(text, code))
    model = parser.model() if parser.status is Status.SATISFIABLE else None
    tour = parser.tour() if parser.status is Status.SATISFIABLE else None
    statuses = stated(dialect, text)
    if parser.status in (Status.SATISFIABLE, Status.UNSATISFIABLE):
        assert statuses == {parser.status.name}, "an answer that is not stated, or not it alone"
        assert code in (0, 1, 10, 11, 20, 30)
    if model is not None:
        literals = [literal for literal in literals_in(dialect, text) if literal]
        assert {abs(x) for x in literals} <= set(range(1, variables + 1))
        assert all((model[abs(x)] > 0) == (x > 0) for x in literals)
    if tour is not None:
        assert [cell + 1 for cell in tour] == [x for x in literals_in(dialect, text) if x]
    if parser.samples:
        tokens = " ".join(line[2:] for line in lines(text) if line.startswith("v ")).split()
        assert list(map(int, tokens)) == [x for drawn in parser.samples for x in (*drawn, 0)]
    if parser.count is not None:
        assert counts_in(dialect, text) == {parser.count}


def lines(text: bytes) -> list[str]:
    return [
        line.rstrip() for line in text.replace(b"\r", b"").decode("ascii", "replace").split("\n")
    ]


def stated(dialect: str, text: bytes) -> set[str]:
    """Return the statuses on separate lines; MiniSat and clingo write no `s`."""
    short = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}
    keywords = ("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN", "INDETERMINATE")
    statuses = set()
    for line in lines(text):
        marked = line.startswith("s ")
        status = line[2:].strip() if marked else line if dialect == "clingo" else line.strip()
        if marked != (dialect in ("minisat", "clingo")) or (dialect == "any"):
            if dialect in ("minisat", "any") and not marked:
                status = short.get(status, status)
            if status in keywords:
                statuses.add("UNKNOWN" if status == "INDETERMINATE" else status)
    return statuses


def literals_in(dialect: str, text: bytes) -> list[int]:
    """Return the literals up to the first 0; those of MiniSat follow its status line."""
    tokens: list[str] = []
    output_lines = lines(text)
    if dialect == "minisat":
        arguments = ("SAT", "SATISFIABLE")
        output_lines = output_lines[
            next(i for i, line in enumerate(output_lines) if line.strip() in arguments) :
        ]
    for line in output_lines:
        if line.startswith("v ") and dialect != "minisat":
            tokens += line[2:].split()
        elif dialect in ("minisat", "any") and re.fullmatch(r"[-\d\s]+", line):
            tokens += line.split()
    numbers = [int(token) for token in tokens if re.fullmatch(r"-?\d+", token)]
    end = numbers.index(0) if 0 in numbers else len(numbers)
    assert not any(numbers[end:]), "literals after the end"
    return numbers[:end]


def counts_in(dialect: str, text: bytes) -> set[int]:
    """clingo writes them after its status, with neither `s` nor `c` before them."""
    output_lines = lines(text)
    if dialect == "clingo":
        pattern = r"Models\s*:\s*(\d{1,4300})"
        ends = (
            i for i, line in enumerate(output_lines) if line in ("SATISFIABLE", "UNSATISFIABLE")
        )
        output_lines = output_lines[next(ends, 0) :]
    else:
        pattern = r"(?:s p?mc|c Models\s*:) (\d{1,4300})"
    matches = (
        re.fullmatch(pattern, line.lstrip() if dialect == "clingo" else line, re.IGNORECASE)
        for line in output_lines
    )
    return {int(match[1]) for match in matches if match}


TARGET = Target(seeds, check, tokens=TOKENS)
