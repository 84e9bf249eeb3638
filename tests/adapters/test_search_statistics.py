"""What solvers tell about their search is in the record of a run, and never costs an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.campaigns import ONE, records, written
from helpers.recordings import outcome
from helpers.solver_runs import boardsat

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.run_solver import parse_output
from boardsat.adapters.solvers.output_lines import parse_statistics_line

FOLDER = Path(__file__).parents[1] / "recorded"


@pytest.mark.parametrize(
    "recording, told",
    [
        ("cadical-unsat", {"conflicts": 32, "decisions": 35, "propagations": 290, "restarts": 0}),
        ("kissat-unsat", {"conflicts": 21, "decisions": 22, "propagations": 423}),
        (
            "cryptominisat-unsat",
            {"conflicts": 31, "decisions": 34, "propagations": 289, "restarts": 1},
        ),
        ("clasp-unsat", {"conflicts": 30, "decisions": 33, "restarts": 0}),
        ("minisat-unsat", {}),
    ],
)
def test_they_are_read_from_what_solvers_print(recording, told):
    solver = solvers.load(recording.partition("-")[0])
    output = (FOLDER / f"{recording}.txt").read_bytes().partition(b"\n")[2]
    said = parse_output(solver.output_format, 0, outcome(output, 20))
    assert said.status is Status.UNSATISFIABLE and said.statistics == told
    # One that was stopped has told until then; its last line may be cut.
    stopped = parse_output(solver.output_format, 0, outcome(output, 0, TerminationReason.TIME))
    assert stopped.status is None and stopped.statistics == told


@pytest.mark.parametrize(
    "line, told",
    [
        ("conflicts             : 1206           (232684 /sec)", {"conflicts": 1206}),
        ("c conflicts: 12", {"conflicts": 12}),
        ("c conflicts: 12M", {}),
        ("c conflicts: 1.5", {}),
        ("c conflicts: -1", {}),
        ("c conflicts: " + "9" * 4000, {}),
        ("c decisions/conflicts      : 1.30", {}),
        ("c focused_restarts:  29", {}),
        ("conflict literals     : 12641          (16.74 % deleted)", {}),
        ("c conflicts:", {}),
    ],
)
def test_what_cannot_be_read_is_left_out(line, told):
    assert parse_statistics_line(line) == told


def test_a_cut_number_is_no_statistic():
    stopped = outcome(b"c conflicts: 17\nc decisions: 12", 0, TerminationReason.TIME)
    assert parse_output("competition", 0, stopped).statistics == {"conflicts": 17}


def test_solvers_are_asked_for_them_where_runs_are_recorded():
    words = {"file": "f.cnf", "seed": None, "count": False}
    for name, option in (("clasp", "--stats"), ("cryptominisat", "--verb=1")):
        solver = solvers.load(name)
        assert option in solver.command_line(**words, statistics=True)
        assert option not in solver.command_line(**words, statistics=False)


def test_they_are_in_the_records_of_a_campaign(tmp_path):
    text = """
instances: [{problem: pigeonhole, set: {n: 4}}]
solvers: [minisat, cadical]
runtime: embedded
limits: {timeout: 60}
"""
    said = boardsat("run", written(tmp_path, text), "-o", tmp_path / "out", *ONE)
    assert said.code == 0, said
    by_name = {
        record.identity.label: record.execution.statistics for record in records(tmp_path / "out")
    }
    assert by_name["minisat"].keys() >= {"conflicts", "decisions", "propagations", "restarts"}
    assert all(number >= 0 for number in by_name["minisat"].values())
