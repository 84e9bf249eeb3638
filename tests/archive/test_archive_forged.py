"""Archives that somebody forged and sealed again: false answers, strange records, ways out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.archives import Entries, forge, found, seal, verified
from helpers.formulas import THOROUGH, mostly_slow, one_in
from helpers.solver_runs import boardsat

from boardsat.archive import create, storage
from boardsat.archive.instance_record import read_records
from boardsat.campaign.parser import read_metadata

THREE, FOUR, TRIANGLE = (
    "queens-3-squares",
    "queens-4-squares",
    "hamilton-triangle-cycle-unary-three-auto-shuffle7",
)


def evidence(**new: Any) -> Callable[[Entries], None]:
    """The first solver and the first counter are meant by their own keys."""

    def change(entries: Entries) -> None:
        known = entries["evidence"]
        for key, value in new.items():
            place, _, field = key.rpartition("__")
            (known[place][0] if place else known).update({field: value})

    return change


def without_model(folder: Path) -> None:
    (folder / (FOUR + storage.MODEL)).unlink()


FORGED = {
    "a proof that is not there": (THREE, evidence(solved__checked=["proof"], solved__unchecked=[])),
    "a model that is not there": (THREE, evidence(solved__checked=["model"], solved__unchecked=[])),
    "a check of another answer": (FOUR, evidence(solved__checked=["model", "proof"])),
    "a check that nobody makes": (FOUR, evidence(solved__checked=["oracle"])),
    "its solver says otherwise": (THREE, evidence(solved__status="SATISFIABLE")),
    "its counter says otherwise": (THREE, evidence(counted__objects=1, counted__models=1)),
    "another count than counted": (TRIANGLE, evidence(count=2)),
    "a count out of nothing": (TRIANGLE, evidence(count=7, counted=[])),
    "satisfiable with none": (FOUR, evidence(count=0, counted__objects=0, counted__models=0)),
    "nobody was asked": (FOUR, evidence(solved=[])),
    "another was asked": (FOUR, evidence(counted__counter="frontier")),
    "a model that nobody gave": (FOUR, evidence(solved__status="UNKNOWN", solved__checked=[])),
    "models that are not those": (FOUR, evidence(counted__models=3)),
    "an interval of an exact count": (FOUR, evidence(counted__interval=[0, 9])),
    "an estimate as a count": (TRIANGLE, evidence(counted__exact=False)),
    "no answer, yet a count": (TRIANGLE, evidence(status="UNKNOWN")),
    "a published count is another": (
        FOUR,
        evidence(count=3, counted__objects=3, counted__models=3),
    ),
    "an optimum of what has none": (
        FOUR,
        evidence(status="OPTIMUM", solved__status="OPTIMUM"),
    ),
    "an optimum that nobody gave": (FOUR, evidence(status="OPTIMUM")),
    "a value of what has none": (FOUR, evidence(solved__value=2)),
    "a cost of what has none": (FOUR, evidence(solved__checked=["model", "cost"])),
    "published, yet there is none": (
        FOUR,
        evidence(
            status="UNSATISFIABLE",
            count=0,
            model=None,
            solved__status="UNSATISFIABLE",
            solved__checked=[],
            counted__objects=0,
            counted__models=0,
        ),
    ),
}


@pytest.mark.parametrize("lie", FORGED)
def test_a_false_answer_is_found_in_an_archive_that_is_sealed_again(lie, archive):
    name, change = FORGED[lie]
    if lie == "published, yet there is none":
        without_model(archive)
    file = forge(archive, name, change)
    assert verified(archive) == {file: "wrong"}


def test_an_answer_without_evidence_is_told_as_not_checked(archive):
    told = {each["file"]: each for each in found(archive)}
    assert {name: each["what"] for name, each in told.items()} == {
        name + storage.RECORD: "not checked" for name in (THREE, FOUR, TRIANGLE)
    }
    assert "UNSATISFIABLE by cadical, enumeration" in told[THREE + storage.RECORD]["reason"]
    assert told[FOUR + storage.RECORD]["reason"] == "without proof: count 2 by enumeration"
    said = boardsat("archive", "verify", archive)
    assert said.code == 0 and said.out.count("not checked: ") == 3 and "are intact" in said.out


# Whatever stands in a file, it is a finding

DEEP = b"[" * 100_000
RECORDS = {
    "not JSON": lambda data: data[:40],
    "not UTF-8": lambda data: data.replace(b"Queens", b"Qu\xff\xfe", 1),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "nested deeply": lambda data: b'{"format":' * 100_000,
    "a list": lambda data: DEEP,
    "not a number": lambda data: data.replace(b'"count": 2', b'"count": NaN', 1),
    "a number beyond Python": lambda data: data.replace(b'"count": 2', b'"count": ' + b"9" * 5000),
    "half a character": lambda data: data.replace(b"Queens", b"\\ud800", 1),
    "said twice": lambda data: data.replace(b'"count": 2,', b'"count": 2,\n  "count": 2,', 1),
    "status MAYBE": lambda data: data.replace(b'"SATISFIABLE"', b'"MAYBE"'),
    "a key too many": lambda data: data.replace(b'"format"', b'"more": 1, "format"', 1),
    "another format": lambda data: data.replace(b'"format": 2', b'"format": 3', 1),
    "true for a number": lambda data: data.replace(b'"count": 2', b'"count": true', 1),
    "an end that is none": lambda data: data.replace(b'"finished"', b'"well"', 1),
    "a negative count": lambda data: data.replace(b'"objects": 2', b'"objects": -2', 1),
    "a seed too large": lambda data: data.replace(b'"shuffle": null', b'"shuffle": -1', 1),
    "texts that are none": lambda data: data.replace(b'"texts": {', b'"texts": {"x": null, ', 1),
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("what", one_in(3, RECORDS))
def test_whatever_stands_in_a_record_is_a_finding(what, archive):
    path = archive / (FOUR + storage.RECORD)
    data = path.read_bytes()
    path.write_bytes(RECORDS[what](data))
    assert path.read_bytes() != data
    seal(archive)
    assert verified(archive)[path.name] == "wrong"


WRONG = [None, True, -1, 10**40, 0.5, "x", "a\0b", [], {}, [[]]]


@pytest.mark.parametrize("wrong", mostly_slow(WRONG, [None, 10**40, "a\0b"]))
def test_a_value_of_another_type_anywhere_is_a_finding(wrong, archive):
    """Every field of a record, and of what is in it; its own value is none of these."""
    path = archive / (TRIANGLE + storage.RECORD)
    data = path.read_bytes()

    def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        inner = value if isinstance(value, dict) else dict(enumerate(value))
        for key, each in inner.items():
            yield (*at, key)
            if isinstance(each, dict | list):
                yield from places(each, (*at, key))

    for place in places(json.loads(data)):
        entries = inner = json.loads(data)
        for key in place[:-1]:
            inner = inner[key]
        if inner[place[-1]] == wrong:
            continue
        inner[place[-1]] = wrong
        path.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
        try:
            read_records(archive)
        except Exception as error:
            assert type(error).__name__ == "InputError", (place, wrong)


SCHEMAS = {
    "an endless view": "DROP TABLE local; CREATE VIEW local AS WITH RECURSIVE c(x) AS "
    "(SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS hash, x AS value FROM c",
    "a table that is missing": "DROP TABLE local",
    "a table too many": "CREATE TABLE more (x)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON local BEGIN SELECT 1; END",
    "nulls": "ALTER TABLE features RENAME TO old; CREATE TABLE features AS SELECT * FROM old; "
    "DROP TABLE old; UPDATE features SET variables = NULL",
    "bytes": "UPDATE features SET family = x'00ff'",
    "text that is none": "UPDATE local SET value = CAST(x'fffe' AS TEXT)",
    "a row too many": "INSERT INTO local VALUES ('x', 'y')",
    "no rows": "DELETE FROM features",
}


@pytest.mark.parametrize("what", one_in(3, SCHEMAS))
def test_whatever_is_declared_in_the_database_is_a_finding(what, archive):
    connection = sqlite3.connect(archive / storage.DATABASE)
    connection.executescript(SCHEMAS[what])
    connection.commit()
    connection.close()
    seal(archive)
    assert verified(archive)[storage.DATABASE] == "wrong"


def test_a_schema_that_is_no_text_is_a_finding(archive):
    """SQLite complains of it in the bytes of the file."""
    path = archive / storage.DATABASE
    image = path.read_bytes()
    assert image.count(b"CREATE TABLE local") == 1
    path.write_bytes(image.replace(b"CREATE TABLE local", b"CREATE TABL\xe9 local"))
    seal(archive)
    assert verified(archive)[storage.DATABASE] == "wrong"


def test_a_database_may_be_laid_out_in_other_pages(archive):
    connection = sqlite3.connect(archive / storage.DATABASE)
    connection.executescript("PRAGMA page_size = 1024; VACUUM")
    connection.close()
    _renew_crate(archive)
    seal(archive)
    assert verified(archive) == {}


def _renew_crate(folder: Path) -> None:
    """Let the linked data and its page have the hashes of the files that stand there now."""
    about, records = read_metadata(folder / storage.CAMPAIGN)[0], read_records(folder)
    crate = create.ro_crate(folder, about, records)
    storage.write(folder / storage.CRATE, [crate])
    storage.write(folder / storage.PREVIEW, [create.preview(about, records, crate)])


@pytest.mark.parametrize(
    "file", [*storage.SHARED_FILES, FOUR + storage.FORMULA, FOUR + storage.MODEL]
)
def test_a_file_that_is_gone_or_empty_or_rubbish_is_a_finding(file, archive):
    path = archive / file
    for rubbish in (*([b"\n", b"{" * 2000] if THOROUGH else []), b"\xff\0" * 500, None):
        path.write_bytes(rubbish) if rubbish is not None else path.unlink()
        if file != storage.MANIFEST:
            seal(archive)
        assert file in verified(archive)


def test_an_archive_of_nothing_and_files_of_no_instance_are_findings(archive):
    (archive / "notes.json.txt").write_text("mine")
    seal(archive)
    assert verified(archive)["notes.json.txt"] == "added"
    for path in archive.glob("*"):
        if path.name not in storage.SHARED_FILES:
            path.unlink()
    seal(archive)
    assert verified(archive)[storage.MANIFEST] == "wrong"
