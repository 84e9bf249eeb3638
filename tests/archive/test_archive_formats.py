"""Archives of WCNF, OPB and KNF files: bytes, hashes, optima and verification."""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.archives import (
    Entries,
    all_findings,
    campaign,
    create_archive,
    forge,
    seal,
    verify_findings,
)
from helpers.solver_runs import boardsat
from pysat.formula import WCNF

from boardsat.archive import storage

HEAD = "title: Formats\nauthors: [Ada]\ndate: 2026-11-18\nlicense: CC0-1.0\n"
TEXT = f"""{HEAD}instances:
  - problem: fewest_queens
    set: {{n: 3}}
    format: [cnf, wcnf, opb, knf]
"""
OTHER_FORMATS = ("wcnf", "opb", "knf")
CONSTANT_OBJECTIVE = """\
title: A number
cite: by hand
label: one
count_preserving: true
counted_objects: models
variables: {X: {}}
constraints: [{clause: X}]
minimize: X - X + 3
"""


def name_of(format_name: str) -> str:
    return "fewest_queens-3-squares" + (f"-format_{format_name}" if format_name != "cnf" else "")


@pytest.fixture(scope="module")
def formats_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_archive(tmp_path_factory.mktemp("formats"), TEXT)


def text_in(formats_archive: Path, format_name: str) -> bytes:
    return lzma.decompress(
        (formats_archive / f"{name_of(format_name)}.{format_name}.xz").read_bytes()
    )


def test_archived_files_equal_cnf_command(formats_archive: Path, tmp_path: Path) -> None:
    for format_name in ("cnf", *OTHER_FORMATS):
        target = tmp_path / f"queens.{format_name}"
        assert boardsat("cnf", "fewest_queens", "-n", 3, "-o", target).code == 0
        assert text_in(formats_archive, format_name) == target.read_bytes()
    theirs = WCNF(from_string=text_in(formats_archive, "wcnf").decode())
    assert (len(theirs.hard), len(theirs.soft), set(theirs.wght)) == (9, 9, {1})


def test_records_have_format_and_hash(formats_archive: Path) -> None:
    for format_name in OTHER_FORMATS:
        record = json.loads((formats_archive / f"{name_of(format_name)}.json").read_text())
        identity, text = record["identity"], text_in(formats_archive, format_name)
        assert record["recipe"]["format"] == format_name
        assert (identity["gbd_hash"], identity["iso_hash"]) == (None, None)
        assert identity["sha256"] == hashlib.sha256(text).hexdigest()
        assert identity["bytes"] == len(text)
    record = json.loads((formats_archive / f"{name_of('cnf')}.json").read_text())
    assert "format" not in record["recipe"] and record["identity"]["gbd_hash"]
    with sqlite3.connect(formats_archive / storage.DATABASE) as database:
        (rows,) = database.execute("SELECT count(*) FROM features").fetchone()
    assert rows == 1


def test_archive_without_cnf_is_verified(tmp_path: Path) -> None:
    formats_archive = create_archive(tmp_path, TEXT.replace("[cnf, wcnf, opb, knf]", "opb"))
    assert verify_findings(formats_archive) == {}


def test_verify_rebuilds_files(formats_archive: Path, tmp_path: Path) -> None:
    assert verify_findings(formats_archive) == {}
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in storage.file_names(formats_archive):
        (copy / name).write_bytes((formats_archive / name).read_bytes())
    changed = copy / f"{name_of('wcnf')}.wcnf.xz"
    changed.write_bytes(
        lzma.compress(text_in(formats_archive, "wcnf").replace(b"\n1 -9 0", b"\n2 -9 0"))
    )
    assert verify_findings(copy) == {changed.name: "changed"}
    seal(copy)
    assert verify_findings(copy)[changed.name] == "wrong"


# Answers

SOLVERS = {"wcnf": "rc2", "opb": "exact", "knf": "cadical"}


def campaign_text(format_name: str, solver: str, problem: str = "fewest_queens") -> str:
    entry = f"{{problem: {problem}, set: {{n: 4}}, format: {format_name}}}"
    return f"{HEAD}runtime: embedded\nsolvers: [{solver}]\ninstances:\n  - {entry}\n"


@pytest.mark.parametrize("format_name", ["wcnf", "opb"])
def test_optimum_is_archived_and_verified(format_name: str, tmp_path: Path) -> None:
    """Two queens dominate a 4x4 board."""
    if format_name == "opb":
        pytest.importorskip("exact")
    formats_archive = create_archive(tmp_path, campaign_text(format_name, SOLVERS[format_name]))
    assert verify_findings(formats_archive) == {}
    record = json.loads((formats_archive / "fewest_queens-4-squares.json").read_text())
    (solver_record,) = record["evidence"]["solved"]
    assert (record["evidence"]["status"], solver_record["status"], solver_record["value"]) == (
        "OPTIMUM",
    ) * 2 + (2,)
    assert "optimum (cadical finds nothing better)" in solver_record["checked"]
    assert "2" in (formats_archive / storage.TABLE).read_text().splitlines()[1].split(",")[-1]
    forge(formats_archive, "fewest_queens-4-squares", raise_value)
    assert verify_findings(formats_archive) == {"fewest_queens-4-squares.model.xz": "wrong"}


def raise_value(entries: Entries) -> None:
    entries["evidence"]["solved"][0]["value"] += 1


OPTIMUM = ["model", "board", "cost", "optimum (cadical finds nothing better)"]
CLAIMS = {
    "not the best": ("OPTIMUM", OPTIMUM, 16, storage.MODEL),
    "the value of the best": ("OPTIMUM", OPTIMUM, 2, storage.MODEL),
    "the best, of no value": ("OPTIMUM", OPTIMUM, None, storage.RECORD),
    "the best, not checked": ("OPTIMUM", ["model"], None, storage.RECORD),
    "any, of another value": ("SATISFIABLE", ["model", "cost"], 2, storage.MODEL),
    "any, of no value": ("SATISFIABLE", ["model", "cost"], None, storage.RECORD),
    "any, of its value": ("SATISFIABLE", ["model", "cost"], 16, None),
    "any": ("SATISFIABLE", ["model"], None, None),
}
"""Claims about a model of sixteen queens, where two suffice, and the suffix of the wrong file."""


def set_answer(
    status: str, checks: list[str], objective_value: int | None
) -> Callable[[Entries], None]:
    def apply(entries: Entries) -> None:
        entries["evidence"]["status"] = status
        solver_record = entries["evidence"]["solved"][0]
        solver_record |= {"status": status, "checked": checks}
        solver_record.pop("value", None)
        if objective_value is not None:
            solver_record["value"] = objective_value

    return apply


def test_claimed_value_is_compared_with_model(tmp_path: Path) -> None:
    formats_archive, name = (
        create_archive(tmp_path, campaign_text("wcnf", "rc2")),
        "fewest_queens-4-squares",
    )
    # A queen on every square is a solution too.
    literals = " ".join(map(str, range(1, 17)))
    model = formats_archive / (name + storage.MODEL)
    model.write_bytes(lzma.compress(f"s SATISFIABLE\nv {literals} 0\n".encode()))
    for claim, (status, checks, objective_value, suffix) in CLAIMS.items():
        forge(formats_archive, name, set_answer(status, checks, objective_value))
        assert verify_findings(formats_archive) == ({name + suffix: "wrong"} if suffix else {}), (
            claim
        )


def test_value_of_unarchived_model_is_not_checked(tmp_path: Path) -> None:
    formats_archive, name = (
        create_archive(tmp_path, campaign_text("wcnf", "rc2")),
        "fewest_queens-4-squares",
    )
    campaign_file = formats_archive / storage.CAMPAIGN
    campaign_file.write_text(campaign_file.read_text().replace("rc2", "rc2, cadical"))

    def add_second_answer(entries: Entries) -> None:
        (first_record,) = entries["evidence"]["solved"]
        second_record = {
            "solver": "cadical",
            "status": "SATISFIABLE",
            "checked": ["model"],
            "value": 1,
        }
        entries["evidence"]["solved"].append(first_record | second_record)

    file = forge(formats_archive, name, add_second_answer)
    (finding,) = all_findings(formats_archive)
    assert (finding["file"], finding["what"]) == (file, "not checked")
    assert finding["reason"] == "without proof: a model of value 1 by cadical"


def test_value_without_model_is_wrong(tmp_path: Path) -> None:
    formats_archive, name = (
        create_archive(tmp_path, campaign_text("wcnf", "rc2")),
        "fewest_queens-4-squares",
    )
    (formats_archive / (name + storage.MODEL)).unlink()

    def set_unknown(entries: Entries) -> None:
        set_answer("UNKNOWN", [], 2)(entries)
        entries["evidence"]["model"] = None

    forge(formats_archive, name, set_unknown)
    assert verify_findings(formats_archive) == {name + storage.RECORD: "wrong"}


def test_constant_objective_is_verified(tmp_path: Path) -> None:
    """A constant objective has no soft clause."""
    (tmp_path / "one.yaml").write_text(CONSTANT_OBJECTIVE)
    formats_archive = create_archive(
        tmp_path, campaign_text("wcnf", "rc2", "one.yaml").replace("set: {n: 4}, ", "")
    )
    (record,) = formats_archive.glob("one*.json")
    (solver_record,) = json.loads(record.read_text())["evidence"]["solved"]
    assert (solver_record["status"], solver_record["value"], verify_findings(formats_archive)) == (
        "OPTIMUM",
        3,
        {},
    )
    forge(formats_archive, record.stem, raise_value)
    assert verify_findings(formats_archive) == {record.stem + storage.MODEL: "wrong"}


def test_knf_is_solved_as_cnf(tmp_path: Path) -> None:
    formats_archive = create_archive(tmp_path, campaign_text("knf", "cadical", "queens"))
    record = json.loads((formats_archive / "queens-4-squares.json").read_text())
    assert record["evidence"]["status"] == "SATISFIABLE" and verify_findings(formats_archive) == {}


def test_optimum_of_format_without_objective_is_wrong(tmp_path: Path) -> None:
    """KNF has no objective, even if the problem has one."""
    formats_archive, name = (
        create_archive(tmp_path, campaign_text("knf", "cadical")),
        "fewest_queens-4-squares",
    )
    record = json.loads((formats_archive / (name + storage.RECORD)).read_text())
    assert record["evidence"]["status"] == "SATISFIABLE" and verify_findings(formats_archive) == {}
    forge(formats_archive, name, set_answer("OPTIMUM", ["model"], 0))
    assert verify_findings(formats_archive) == {name + storage.RECORD: "wrong"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (campaign_text("wcnf", "cadical"), "cadical does not optimise formulas with an objective"),
        (campaign_text("opb", "rc2"), "rc2 does not optimise linear constraints; choose exact"),
        (campaign_text("cnf", "rc2"), "rc2 does not solve formulas; choose"),
        (
            f"{TEXT}counters: [enumeration]\n",
            "`format` must be cnf if there are counters (got wcnf)",
        ),
    ],
)
def test_solver_that_does_not_read_format_is_rejected(
    text: str, fault: str, tmp_path: Path
) -> None:
    output = boardsat("archive", "create", tmp_path / "archive", campaign(tmp_path, text))
    assert output.code == 2 and fault in output.one_line()
    assert not (tmp_path / "archive").exists()


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("{problem: queens, format: knf, shuffle: 3}", "transforms change clauses only"),
        ("{problem: queens, format: opb, projection: show}", "opb files have no projection"),
        ("{problem: tour, encoding: cuts, set: {n: 6}, format: opb}", "lazy"),
        ("{problem: queens, format: pdf}", "`format` must be a valid choice (got 'pdf')"),
    ],
)
def test_unsupported_feature_of_format_is_rejected(entry: str, fault: str, tmp_path: Path) -> None:
    path = campaign(tmp_path, f"{HEAD}instances:\n  - {entry}\n")
    output = boardsat("archive", "create", tmp_path / "archive", path)
    assert output.code == 2 and fault in output.one_line()


def test_submit_and_run_reject_other_formats(formats_archive: Path, tmp_path: Path) -> None:
    output = boardsat("archive", "submit", formats_archive, "--to", "sat", "-o", tmp_path / "sat")
    assert output.code == 2 and "takes only CNF" in output.one_line()
    path = campaign(tmp_path, f"{TEXT}solvers: [cadical]\n")
    output = boardsat("run", path, "-o", tmp_path / "results")
    assert output.code == 2 and "`format` must be cnf for a run (got wcnf)" in output.one_line()
    output = boardsat(
        "run", campaign(tmp_path, campaign_text("cnf", "rc2")), "-o", tmp_path / "results"
    )
    assert output.code == 2 and "rc2 does not solve formulas; choose" in output.one_line()
