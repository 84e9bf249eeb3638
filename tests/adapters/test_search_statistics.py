"""Statistics of the search: parsed from recorded outputs, and stored in records of runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.campaigns import ONE, records, written
from helpers.recordings import outcome
from helpers.solver_runs import boardsat

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.run_solver import parse_output
from boardsat.adapters.solvers.output_parsers import parse_statistics_line

FOLDER = Path(__file__).parents[1] / "recorded"


@pytest.mark.parametrize(
    "recording, statistics",
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
def test_statistics_are_parsed_from_recorded_outputs(recording, statistics):
    solver = solvers.load(recording.partition("-")[0])
    output = (FOLDER / f"{recording}.txt").read_bytes().partition(b"\n")[2]
    parser = parse_output(solver.output_format, 0, outcome(output, 20))
    assert parser.status is Status.UNSATISFIABLE and parser.statistics == statistics
    # The output of a stopped solver has statistics too, but for its last line, which may be cut.
    stopped = parse_output(solver.output_format, 0, outcome(output, 0, TerminationReason.TIME))
    assert stopped.status is None and stopped.statistics == statistics


@pytest.mark.parametrize(
    "line, statistics",
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
def test_parse_statistics_line_skips_malformed_lines(line, statistics):
    assert parse_statistics_line(line) == statistics


def test_statistic_on_a_cut_line_is_skipped():
    stopped = outcome(b"c conflicts: 17\nc decisions: 12", 0, TerminationReason.TIME)
    assert parse_output("competition", 0, stopped).statistics == {"conflicts": 17}


def test_command_line_with_statistics_has_the_option():
    variables = {"file": "f.cnf", "seed": None, "count": False}
    for name, option in (("clasp", "--stats"), ("cryptominisat", "--verb=1")):
        solver = solvers.load(name)
        assert option in solver.command_line(**variables, statistics=True)
        assert option not in solver.command_line(**variables, statistics=False)


def test_records_of_a_campaign_have_statistics(tmp_path):
    text = """
instances: [{problem: pigeonhole, set: {n: 4}}]
solvers: [minisat, cadical]
runtime: embedded
limits: {timeout: 60}
"""
    output = boardsat("run", written(tmp_path, text), "-o", tmp_path / "out", *ONE)
    assert output.code == 0, output
    by_name = {
        record.identity.label: record.execution.statistics for record in records(tmp_path / "out")
    }
    assert by_name["minisat"].keys() >= {"conflicts", "decisions", "propagations", "restarts"}
    assert all(number >= 0 for number in by_name["minisat"].values())
