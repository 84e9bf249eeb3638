"""Wrong counts of a counter, and counts with too many digits to print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.counts import counted, file
from helpers.solver_runs import CommandOutput, boardsat

from boardsat.adapters.answer import MAX_COUNT_DIGITS
from boardsat.workflows.count.result import _ratio

THREE = "p cnf 3 1\n1 2 0\n"
OBJECTS = 'c objects {"name": "things", "models_per_solution": 2}\n'
OURS = f'c boardsat {{"format": 2, "spec": "x"}}\n{OBJECTS}'


def said_by(
    folder: Path, lines: str, code: int, can: str = "count", text: str = THREE
) -> CommandOutput:
    """Return the output of a count by a counter that always prints these lines."""
    (folder / "lines").write_text(lines)
    (folder / "liar.sh").write_text(f"cat {folder}/lines; exit {code}\n")
    path = folder / "liar.yaml"
    path.write_text(
        f"title: for a test\nprogram: sh\ndialect: counting\ncan: {can}\n"
        f'command: "{{{{ program }}}} {folder}/liar.sh {{{{ file }}}}"\n'
    )
    return boardsat("count", file(folder, text), "--counter", path, "--json")


@pytest.mark.parametrize(
    ("lines", "code", "complaint"),
    [
        ("s UNSATISFIABLE\ns mc 7\n", 20, "contradicts itself in status and count: "),
        ("s UNSATISFIABLE\ns mc 7\n", 0, "contradicts itself in status and count: "),
        ("s SATISFIABLE\ns mc 0\n", 10, "contradicts itself in status and count: "),
        ("s SATISFIABLE\ns mc 7\ns mc 6\n", 10, "two different counts: "),
        ("s SATISFIABLE\n", 10, "has no count"),
        ("s mc 6\n", 0, "printed no answer: s mc 6"),
        ("s SATISFIABLE\ns mc -5\n", 10, "states 'mc -5'"),
        ("s SATISFIABLE\ns mc 1e400\n", 10, "states 'mc 1e400'"),
        (
            f"s SATISFIABLE\ns mc {'9' * 4300}\n",
            10,
            "the number of digits of the count must be at most 4,000 (got 4,300); count",
        ),
    ],
)
def test_invalid_counter_output_is_one_line(
    lines: str, code: int, complaint: str, tmp_path: Path
) -> None:
    output = said_by(tmp_path, lines, code)
    assert output.code == 2 and complaint in output.one_line()


@pytest.mark.parametrize("can", ["count", "estimate"])
def test_count_above_number_of_assignments_is_rejected(can: str, tmp_path: Path) -> None:
    max_count = 8 if can == "count" else 14  # an estimate is within a factor of 1.8
    output = said_by(tmp_path, f"s SATISFIABLE\ns mc {max_count}\n", 10, can)
    assert output.code == 0 and json.loads(output.out)["count"] == max_count
    for number in (max_count + 1, 10**400, 10**MAX_COUNT_DIGITS - 1):
        output = said_by(tmp_path, f"s SATISFIABLE\ns mc {number}\n", 10, can)
        assert output.code == 1
        assert (
            "WRONG COUNT from liar: more models than assignments of 3 variables"
            in output.one_line()
        )


def test_count_not_a_multiple_of_models_per_solution_is_rejected(tmp_path: Path) -> None:
    output = said_by(tmp_path, "s SATISFIABLE\ns mc 5\n", 10, text=OURS + THREE)
    assert output.code == 1
    assert (
        "WRONG COUNT from liar: 5 models, not a multiple of 2 (models of each of the things)"
        in output.one_line()
    )


@pytest.mark.parametrize("number", ["0", "-1", "1.5", '"2"', "true", "1e400", "9" * 4301, "null"])
def test_models_per_solution_below_one_is_rejected(number: str, tmp_path: Path) -> None:
    text = OURS.replace('"models_per_solution": 2', f'"models_per_solution": {number}') + THREE
    output = boardsat("count", file(tmp_path, text))
    assert output.code == 2 and "`c objects` line is malformed" in output.one_line()


@pytest.mark.parametrize("can", ["count", "estimate"])
def test_count_with_maximum_digits_is_printed(can: str, tmp_path: Path) -> None:
    lines = f"s SATISFIABLE\ns mc {'8' * MAX_COUNT_DIGITS}\n"
    text = "p cnf 20000 1\n1 2 0\n"
    output = said_by(tmp_path, lines, 10, can, text)
    assert output.code == 0 and json.loads(output.out)["count"] == int("8" * MAX_COUNT_DIGITS)
    output = boardsat("count", file(tmp_path, text), "--counter", tmp_path / "liar.yaml")
    assert output.code == 0 and output.err == "" and output.out.startswith("8,888")


def test_count_with_too_many_digits_is_reported(tmp_path: Path) -> None:
    path = file(tmp_path, "p cnf 20000 1\n1 2 0\n")
    outcome = counted(path, "--counter", "enumeration", "--timeout", "20", code=3)
    assert outcome["reason"].endswith("the count has more than 4,000 digits")
    assert outcome["remedy"] == "", "it has nothing to do with time"
    arguments = ("--sampler", "enumeration", "--timeout", "20", "--json")
    drawn = json.loads(boardsat("sample", path, *arguments).out)
    assert (drawn["reason"], drawn["remedy"]) == (outcome["reason"], "")


def test_ratio_of_large_counts_does_not_overflow() -> None:
    assert _ratio(9, 6) == "1.500"
    assert _ratio(10**400, 3) == "over 1,000,000,000"
    assert _ratio(3, 10**400) == "0.000"
