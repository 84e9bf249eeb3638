"""`boardsat results`: a row for every run with all its fields, filtered by conditions."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest
from helpers.campaigns import ONE, quick, records
from helpers.solver_runs import boardsat
from helpers.validations import RECORD, record_with

from boardsat.base import json_data
from boardsat.campaign.folder import INSTANCES_FILE as INSTANCES
from boardsat.campaign.report.run_table import Runs
from boardsat.campaign.runner.records import to_line
from boardsat.campaign.runner.store import NAME as RESULTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two boards, a solver, three seeds; and the same as if another solver had given up."""
    top = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(top / "cache"))
        assert boardsat("run", quick(top), "-o", top / "out", *ONE).code == 0
    with (top / "out" / RESULTS).open("a") as file:
        for number, record in enumerate(records(top / "out")):
            changed = record_with(
                record,
                key=f"{number:064}",
                solver="/some/where/slow.yaml",
                status="UNKNOWN",
                wall=30.0 + number,
                statistics={"conflicts": number},
                objects=10**30 if number else 1,
            )
            file.write(to_line(changed))
    return top / "out"


def table(out: str) -> list[list[str]]:
    """Return the rows of the table, without the note about a busy machine below."""
    rows = out[: re.search(r"^[\d,]+ of [\d,]+ runs?$", out, re.MULTILINE).start()]
    return [line.split() for line in rows.splitlines()[2:]]


def test_a_table_has_a_row_for_every_run(folder):
    outcome = boardsat("results", folder)
    assert outcome.code == 0 and outcome.out.splitlines()[0].split()[:3] == [
        *("instance", "encoding", "solver")
    ]
    rows = table(outcome.out)
    assert len(rows) == 12 and "\n12 of 12 runs\n" in outcome.out
    assert {(row[0], row[2]) for row in rows} == {
        (f"queens-{n}-squares", solver) for n in (2, 3) for solver in ("quick", "slow")
    }


@pytest.mark.parametrize(
    "conditions, number",
    [
        (["solver=slow"], 6),
        (["solver=slow", "n=3"], 3),
        (["status=UNKNOWN", "seed!=0"], 4),
        (["parameters.n>=3"], 6),
        (["wall>=33"], 3),
        (["conflicts<2"], 2),
        (["n>3"], 0),
        (["unchecked=proof", "status=UNSATISFIABLE"], 6),
        (["exact=true", "runtime=native"], 12),
    ],
)
def test_conditions_select_the_runs_that_satisfy_them(conditions, number, folder):
    outcome = boardsat("results", folder, *(w for token in conditions for w in ("--where", token)))
    assert outcome.code == 0 and len(table(outcome.out)) == number, outcome


@pytest.mark.parametrize(
    "condition, message",
    [
        ("solvr=x", "the results have no column 'solvr'; did you mean 'solver'"),
        (
            "solver",
            "a condition must have the form COLUMN=VALUE (got 'solver'); "
            "write for example solver=cadical",
        ),
        ("wall>soon", "wall must be compared with a number by > (got 'soon')"),
    ],
)
def test_a_bad_condition_is_one_line(condition, message, folder):
    outcome = boardsat("results", folder, "--where", condition)
    assert outcome.code == 2 and message in outcome.one_line(), outcome


def test_csv_and_json_have_every_field_and_parameter(folder):
    rows = list(csv.DictReader(io.StringIO(boardsat("results", folder, "--csv").out)))
    json_output = json.loads(boardsat("results", folder, "--json").out)
    assert len(rows) == len(json_output) == 12
    fields = json_data.encode(RECORD).keys() - {"statistics"}
    assert fields | {"parameters.n", "statistics.conflicts", "clauses"} <= rows[0].keys()
    assert [row.keys() for row in rows] == [entry.keys() for entry in json_output]
    record_of = {record.key: record for record in records(folder)}
    for row, entry in zip(rows, json_output, strict=True):
        record = record_of[row["key"]]
        assert (float(row["wall"]), row["status"]) == (record.usage.wall, record.outcome.status)
        assert (entry["wall"], tuple(entry["command"])) == (
            record.usage.wall,
            record.execution.command,
        )
        assert row["parameters.n"] == str(entry["parameters.n"]) and entry["parameters.n"] in (2, 3)


def test_parquet_has_the_same_rows(folder, tmp_path):
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    outcome = boardsat("results", folder, "--parquet", tmp_path / "x.parquet")
    assert outcome.code == 0, outcome
    frame = polars.read_parquet(tmp_path / "x.parquet")
    json_output = json.loads(boardsat("results", folder, "--json").out)
    assert frame.columns == list(json_output[0]) and frame["wall"].to_list() == [
        r["wall"] for r in json_output
    ]
    assert frame["parameters.n"].sum() == sum(r["parameters.n"] for r in json_output) == 30
    assert frame["command"].to_list() == [r["command"] for r in json_output]
    # A number of thirty digits fits into no column of numbers.
    assert set(frame["objects"].to_list()) == {None, "1", str(10**30)}


def test_parquet_without_pyarrow_prints_one_line(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    outcome = boardsat("results", folder, "--parquet", tmp_path / "x.parquet")
    assert outcome.code == 2 and "pip install 'boardsat[report]'" in outcome.one_line()
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize(
    "name, message", [("x.csv", "is the suffix of another file type"), ("none/x", "does not exist")]
)
def test_a_bad_target_is_refused_first(name, message, folder, tmp_path):
    outcome = boardsat("results", folder, "--parquet", tmp_path / name)
    assert outcome.code == 2 and message in outcome.one_line(), outcome


def test_folder_without_results_is_one_line(tmp_path):
    outcome = boardsat("results", tmp_path)
    assert (
        outcome.code == 2
        and "the folder has no results of a campaign; make them with" in outcome.one_line()
    )


def test_a_lost_list_of_instances_costs_the_parameters_alone(folder, tmp_path):
    for file in folder.iterdir():
        if file.is_file() and file.name != INSTANCES:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    runs = Runs(tmp_path)
    assert len(list(runs)) == 12 and not any(c.startswith("parameters") for c in runs.columns())
