"""Forged archives with consistent hashes: false answers and malformed records are reported."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.archives import Entries, all_findings, forge, seal, verify_findings
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


def change_evidence(**new: Any) -> Callable[[Entries], None]:
    """Return a change of evidence; keys `solved__X` and `counted__X` mean the first run."""

    def apply(entries: Entries) -> None:
        evidence = entries["evidence"]
        for key, value in new.items():
            section, _, field = key.rpartition("__")
            (evidence[section][0] if section else evidence).update({field: value})

    return apply


def without_model(folder: Path) -> None:
    (folder / (FOUR + storage.MODEL)).unlink()


FORGERIES = {
    "a proof that is not there": (
        THREE,
        change_evidence(solved__checked=["proof"], solved__unchecked=[]),
    ),
    "a model that is not there": (
        THREE,
        change_evidence(solved__checked=["model"], solved__unchecked=[]),
    ),
    "a check of another answer": (FOUR, change_evidence(solved__checked=["model", "proof"])),
    "a check that nobody makes": (FOUR, change_evidence(solved__checked=["oracle"])),
    "its solver says otherwise": (THREE, change_evidence(solved__status="SATISFIABLE")),
    "its counter says otherwise": (THREE, change_evidence(counted__objects=1, counted__models=1)),
    "another count than counted": (TRIANGLE, change_evidence(count=2)),
    "a count out of nothing": (TRIANGLE, change_evidence(count=7, counted=[])),
    "satisfiable with none": (
        FOUR,
        change_evidence(count=0, counted__objects=0, counted__models=0),
    ),
    "nobody was asked": (FOUR, change_evidence(solved=[])),
    "another was asked": (FOUR, change_evidence(counted__counter="frontier")),
    "a model that nobody gave": (
        FOUR,
        change_evidence(solved__status="UNKNOWN", solved__checked=[]),
    ),
    "models that are not those": (FOUR, change_evidence(counted__models=3)),
    "an interval of an exact count": (FOUR, change_evidence(counted__interval=[0, 9])),
    "an estimate as a count": (TRIANGLE, change_evidence(counted__exact=False)),
    "no answer, yet a count": (TRIANGLE, change_evidence(status="UNKNOWN")),
    "a published count is another": (
        FOUR,
        change_evidence(count=3, counted__objects=3, counted__models=3),
    ),
    "an optimum of what has none": (
        FOUR,
        change_evidence(status="OPTIMUM", solved__status="OPTIMUM"),
    ),
    "an optimum that nobody gave": (FOUR, change_evidence(status="OPTIMUM")),
    "a value of what has none": (FOUR, change_evidence(solved__value=2)),
    "a cost of what has none": (FOUR, change_evidence(solved__checked=["model", "cost"])),
    "published, yet there is none": (
        FOUR,
        change_evidence(
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


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_answer_with_consistent_hashes_is_reported(forgery, archive):
    name, change = FORGERIES[forgery]
    if forgery == "published, yet there is none":
        without_model(archive)
    file = forge(archive, name, change)
    assert verify_findings(archive) == {file: "wrong"}


def test_answer_without_evidence_is_reported_as_not_checked(archive):
    findings = {finding["file"]: finding for finding in all_findings(archive)}
    assert {name: finding["what"] for name, finding in findings.items()} == {
        name + storage.RECORD: "not checked" for name in (THREE, FOUR, TRIANGLE)
    }
    assert "UNSATISFIABLE by cadical, enumeration" in findings[THREE + storage.RECORD]["reason"]
    assert findings[FOUR + storage.RECORD]["reason"] == "without proof: count 2 by enumeration"
    output = boardsat("archive", "verify", archive)
    assert (
        output.code == 0 and output.out.count("not checked: ") == 3 and "are intact" in output.out
    )


# Malformed files

DEEP_JSON = b"[" * 100_000
MALFORMED_RECORDS = {
    "not JSON": lambda data: data[:40],
    "not UTF-8": lambda data: data.replace(b"Queens", b"Qu\xff\xfe", 1),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "nested deeply": lambda data: b'{"format":' * 100_000,
    "a list": lambda data: DEEP_JSON,
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


@pytest.mark.parametrize("fault", one_in(3, MALFORMED_RECORDS))
def test_malformed_record_is_reported(fault, archive):
    path = archive / (FOUR + storage.RECORD)
    record_bytes = path.read_bytes()
    path.write_bytes(MALFORMED_RECORDS[fault](record_bytes))
    assert path.read_bytes() != record_bytes
    seal(archive)
    assert verify_findings(archive)[path.name] == "wrong"


WRONG_VALUES = [None, True, -1, 10**40, 0.5, "x", "a\0b", [], {}, [[]]]


@pytest.mark.parametrize("wrong_value", mostly_slow(WRONG_VALUES, [None, 10**40, "a\0b"]))
def test_value_of_wrong_type_raises_input_error(wrong_value, archive):
    """Replace every field of a record, at any depth."""
    path = archive / (TRIANGLE + storage.RECORD)
    record_bytes = path.read_bytes()

    def key_paths(container: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        inner = container if isinstance(container, dict) else dict(enumerate(container))
        for key, child in inner.items():
            yield (*prefix, key)
            if isinstance(child, dict | list):
                yield from key_paths(child, (*prefix, key))

    for key_path in key_paths(json.loads(record_bytes)):
        entries = inner = json.loads(record_bytes)
        for key in key_path[:-1]:
            inner = inner[key]
        if inner[key_path[-1]] == wrong_value:
            continue
        inner[key_path[-1]] = wrong_value
        path.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
        try:
            read_records(archive)
        except Exception as error:
            assert type(error).__name__ == "InputError", (key_path, wrong_value)


CHANGED_SCHEMAS = {
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


@pytest.mark.parametrize("change", one_in(3, CHANGED_SCHEMAS))
def test_changed_database_is_reported(change, archive):
    connection = sqlite3.connect(archive / storage.DATABASE)
    connection.executescript(CHANGED_SCHEMAS[change])
    connection.commit()
    connection.close()
    seal(archive)
    assert verify_findings(archive)[storage.DATABASE] == "wrong"


def test_undecodable_schema_is_reported(archive):
    """The error message of SQLite quotes the undecodable bytes."""
    path = archive / storage.DATABASE
    image = path.read_bytes()
    assert image.count(b"CREATE TABLE local") == 1
    path.write_bytes(image.replace(b"CREATE TABLE local", b"CREATE TABL\xe9 local"))
    seal(archive)
    assert verify_findings(archive)[storage.DATABASE] == "wrong"


def test_database_with_other_page_size_is_accepted(archive):
    connection = sqlite3.connect(archive / storage.DATABASE)
    connection.executescript("PRAGMA page_size = 1024; VACUUM")
    connection.close()
    _renew_crate(archive)
    seal(archive)
    assert verify_findings(archive) == {}


def _renew_crate(folder: Path) -> None:
    """Update the hashes in the crate and its preview."""
    metadata, records = read_metadata(folder / storage.CAMPAIGN)[0], read_records(folder)
    crate = create.ro_crate(folder, metadata, records)
    storage.write(folder / storage.CRATE, [crate])
    storage.write(folder / storage.PREVIEW, [create.preview(metadata, records, crate)])


@pytest.mark.parametrize(
    "file", [*storage.SHARED_FILES, FOUR + storage.FORMULA, FOUR + storage.MODEL]
)
def test_missing_or_garbage_file_is_reported(file, archive):
    path = archive / file
    for garbage in (*([b"\n", b"{" * 2000] if THOROUGH else []), b"\xff\0" * 500, None):
        path.write_bytes(garbage) if garbage is not None else path.unlink()
        if file != storage.MANIFEST:
            seal(archive)
        assert file in verify_findings(archive)


def test_foreign_files_and_empty_archive_are_reported(archive):
    (archive / "notes.json.txt").write_text("mine")
    seal(archive)
    assert verify_findings(archive)["notes.json.txt"] == "added"
    for path in archive.glob("*"):
        if path.name not in storage.SHARED_FILES:
            path.unlink()
    seal(archive)
    assert verify_findings(archive)[storage.MANIFEST] == "wrong"
