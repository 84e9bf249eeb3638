"""Archives of files in other formats than CNF: kept, known by their hashes, and made again."""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.archives import Entries, campaign, forge, found, make, seal, verified
from helpers.solver_runs import boardsat
from pysat.formula import WCNF

from boardsat.archive import storage

HEAD = "title: Formats\nauthors: [Ada]\ndate: 2026-11-18\nlicense: CC0-1.0\n"
TEXT = f"""{HEAD}instances:
  - problem: fewest_queens
    set: {{n: 3}}
    format: [cnf, wcnf, opb, knf]
"""
FORMS = ("wcnf", "opb", "knf")
NUMBER = """\
title: A number
cite: by hand
label: one
count_preserving: true
counted_objects: models
variables: {X: {}}
constraints: [{clause: X}]
minimize: X - X + 3
"""


def name_of(form: str) -> str:
    return "fewest_queens-3-squares" + (f"-format_{form}" if form != "cnf" else "")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("formats"), TEXT)


def text_in(made: Path, form: str) -> bytes:
    return lzma.decompress((made / f"{name_of(form)}.{form}.xz").read_bytes())


def test_files_are_those_of_the_command_line(made: Path, tmp_path: Path) -> None:
    for form in ("cnf", *FORMS):
        target = tmp_path / f"queens.{form}"
        assert boardsat("cnf", "fewest_queens", "-n", 3, "-o", target).code == 0
        assert text_in(made, form) == target.read_bytes()
    theirs = WCNF(from_string=text_in(made, "wcnf").decode())
    assert (len(theirs.hard), len(theirs.soft), set(theirs.wght)) == (9, 9, {1})


def test_records_tell_the_format_and_the_hash(made: Path) -> None:
    for form in FORMS:
        record = json.loads((made / f"{name_of(form)}.json").read_text())
        identity, text = record["identity"], text_in(made, form)
        assert record["recipe"]["format"] == form
        assert (identity["gbd_hash"], identity["iso_hash"]) == (None, None)
        assert identity["sha256"] == hashlib.sha256(text).hexdigest()
        assert identity["bytes"] == len(text)
    record = json.loads((made / f"{name_of('cnf')}.json").read_text())
    assert "format" not in record["recipe"] and record["identity"]["gbd_hash"]
    with sqlite3.connect(made / storage.DATABASE) as database:
        (rows,) = database.execute("SELECT count(*) FROM features").fetchone()
    assert rows == 1


def test_an_archive_without_cnf(tmp_path: Path) -> None:
    made = make(tmp_path, TEXT.replace("[cnf, wcnf, opb, knf]", "opb"))
    assert verified(made) == {}


def test_verifying_makes_them_again(made: Path, tmp_path: Path) -> None:
    assert verified(made) == {}
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in storage.file_names(made):
        (copy / name).write_bytes((made / name).read_bytes())
    changed = copy / f"{name_of('wcnf')}.wcnf.xz"
    changed.write_bytes(lzma.compress(text_in(made, "wcnf").replace(b"\n1 -9 0", b"\n2 -9 0")))
    assert verified(copy) == {changed.name: "changed"}
    seal(copy)
    assert verified(copy)[changed.name] == "wrong"


# Answers.

ASKED = {"wcnf": "rc2", "opb": "exact", "knf": "cadical"}


def asked(form: str, solver: str, problem: str = "fewest_queens") -> str:
    entry = f"{{problem: {problem}, set: {{n: 4}}, format: {form}}}"
    return f"{HEAD}runtime: embedded\nsolvers: [{solver}]\ninstances:\n  - {entry}\n"


@pytest.mark.parametrize("form", ["wcnf", "opb"])
def test_an_optimum_is_archived_and_checked_again(form: str, tmp_path: Path) -> None:
    """Two queens dominate 4x4."""
    if form == "opb":
        pytest.importorskip("exact")
    made = make(tmp_path, asked(form, ASKED[form]))
    assert verified(made) == {}
    record = json.loads((made / "fewest_queens-4-squares.json").read_text())
    (said,) = record["evidence"]["solved"]
    assert (record["evidence"]["status"], said["status"], said["value"]) == ("OPTIMUM",) * 2 + (2,)
    assert "optimum (cadical finds nothing better)" in said["checked"]
    assert "2" in (made / storage.TABLE).read_text().splitlines()[1].split(",")[-1]
    forge(made, "fewest_queens-4-squares", raised)
    assert verified(made) == {"fewest_queens-4-squares.model.xz": "wrong"}


def raised(entries: Entries) -> None:
    entries["evidence"]["solved"][0]["value"] += 1


OPTIMUM = ["model", "board", "cost", "optimum (cadical finds nothing better)"]
SIXTEEN = {
    "not the best": ("OPTIMUM", OPTIMUM, 16, storage.MODEL),
    "the value of the best": ("OPTIMUM", OPTIMUM, 2, storage.MODEL),
    "the best, of no value": ("OPTIMUM", OPTIMUM, None, storage.RECORD),
    "the best, not checked": ("OPTIMUM", ["model"], None, storage.RECORD),
    "any, of another value": ("SATISFIABLE", ["model", "cost"], 2, storage.MODEL),
    "any, of no value": ("SATISFIABLE", ["model", "cost"], None, storage.RECORD),
    "any, of its value": ("SATISFIABLE", ["model", "cost"], 16, None),
    "any": ("SATISFIABLE", ["model"], None, None),
}
"""What is told of sixteen queens, where two are the fewest, and the file that is wrong then."""


def telling(status: str, checked: list[str], value: int | None) -> Callable[[Entries], None]:
    def change(entries: Entries) -> None:
        entries["evidence"]["status"] = status
        said = entries["evidence"]["solved"][0]
        said |= {"status": status, "checked": checked}
        said.pop("value", None)
        if value is not None:
            said["value"] = value

    return change


def test_a_model_is_no_better_than_it_is(tmp_path: Path) -> None:
    made, name = make(tmp_path, asked("wcnf", "rc2")), "fewest_queens-4-squares"
    # Queens everywhere attack every square too.
    literals = " ".join(map(str, range(1, 17)))
    model = made / (name + storage.MODEL)
    model.write_bytes(lzma.compress(f"s SATISFIABLE\nv {literals} 0\n".encode()))
    for lie, (status, checked, value, wrong) in SIXTEEN.items():
        forge(made, name, telling(status, checked, value))
        assert verified(made) == ({name + wrong: "wrong"} if wrong else {}), lie


def test_a_value_of_another_model_than_that_in_the_file_is_only_said(tmp_path: Path) -> None:
    made, name = make(tmp_path, asked("wcnf", "rc2")), "fewest_queens-4-squares"
    about = made / storage.CAMPAIGN
    about.write_text(about.read_text().replace("rc2", "rc2, cadical"))

    def two(entries: Entries) -> None:
        (said,) = entries["evidence"]["solved"]
        other = {"solver": "cadical", "status": "SATISFIABLE", "checked": ["model"], "value": 1}
        entries["evidence"]["solved"].append(said | other)

    file = forge(made, name, two)
    (told,) = found(made)
    assert (told["file"], told["what"]) == (file, "not checked")
    assert told["reason"] == "without proof: a model of value 1 by cadical"


def test_what_no_model_has_is_no_value(tmp_path: Path) -> None:
    made, name = make(tmp_path, asked("wcnf", "rc2")), "fewest_queens-4-squares"
    (made / (name + storage.MODEL)).unlink()

    def unknown(entries: Entries) -> None:
        telling("UNKNOWN", [], 2)(entries)
        entries["evidence"]["model"] = None

    forge(made, name, unknown)
    assert verified(made) == {name + storage.RECORD: "wrong"}


def test_an_objective_that_is_a_number_is_checked_again(tmp_path: Path) -> None:
    """No soft clause stands for it."""
    (tmp_path / "one.yaml").write_text(NUMBER)
    made = make(tmp_path, asked("wcnf", "rc2", "one.yaml").replace("set: {n: 4}, ", ""))
    (record,) = made.glob("one*.json")
    (said,) = json.loads(record.read_text())["evidence"]["solved"]
    assert (said["status"], said["value"], verified(made)) == ("OPTIMUM", 3, {})
    forge(made, record.stem, raised)
    assert verified(made) == {record.stem + storage.MODEL: "wrong"}


def test_cardinalities_are_solved_as_clauses(tmp_path: Path) -> None:
    made = make(tmp_path, asked("knf", "cadical", "queens"))
    record = json.loads((made / "queens-4-squares.json").read_text())
    assert record["evidence"]["status"] == "SATISFIABLE" and verified(made) == {}


def test_a_format_without_an_objective_has_no_optimum(tmp_path: Path) -> None:
    """Whatever its problem asks for."""
    made, name = make(tmp_path, asked("knf", "cadical")), "fewest_queens-4-squares"
    record = json.loads((made / (name + storage.RECORD)).read_text())
    assert record["evidence"]["status"] == "SATISFIABLE" and verified(made) == {}
    forge(made, name, telling("OPTIMUM", ["model"], 0))
    assert verified(made) == {name + storage.RECORD: "wrong"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (asked("wcnf", "cadical"), "cadical does not optimise formulas with an objective"),
        (asked("opb", "rc2"), "rc2 does not optimise linear constraints; choose exact"),
        (asked("cnf", "rc2"), "rc2 does not solve formulas; choose"),
        (f"{TEXT}counters: [enumeration]\n", "counters read CNF, not wcnf"),
    ],
)
def test_nobody_is_asked_who_cannot_read_it(text: str, fault: str, tmp_path: Path) -> None:
    said = boardsat("archive", "create", tmp_path / "archive", campaign(tmp_path, text))
    assert said.code == 2 and fault in said.one_line()
    assert not (tmp_path / "archive").exists()


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("{problem: queens, format: knf, shuffle: 3}", "transforms change clauses only"),
        ("{problem: queens, format: opb, projection: show}", "opb files have no projection"),
        ("{problem: tour, encoding: cuts, set: {n: 6}, format: opb}", "lazy"),
        ("{problem: queens, format: pdf}", "'pdf' is not a valid choice"),
    ],
)
def test_what_a_format_does_not_carry(entry: str, fault: str, tmp_path: Path) -> None:
    path = campaign(tmp_path, f"{HEAD}instances:\n  - {entry}\n")
    said = boardsat("archive", "create", tmp_path / "archive", path)
    assert said.code == 2 and fault in said.one_line()


def test_competitions_and_runs_take_cnf(made: Path, tmp_path: Path) -> None:
    said = boardsat("archive", "submit", made, "--to", "sat", "-o", tmp_path / "sat")
    assert said.code == 2 and "is not CNF" in said.one_line()
    path = campaign(tmp_path, f"{TEXT}solvers: [cadical]\n")
    said = boardsat("run", path, "-o", tmp_path / "results")
    assert said.code == 2 and "`format` must be cnf for a run (got wcnf)" in said.one_line()
    said = boardsat("run", campaign(tmp_path, asked("cnf", "rc2")), "-o", tmp_path / "results")
    assert said.code == 2 and "rc2 does not solve formulas; choose" in said.one_line()
