"""Archives that were tampered with: `archive verify` finds it, whatever was put in.

The first line of an input names an archive, a file of it, and what somebody has done since:

    some two-1.json open        the rest of the input stands in the file now
    none two-2.json sealed      the manifest, and all that repeats the records, was made anew
    none two-2.json evidence    as before, and the rest is the evidence in the record alone
"""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
from collections.abc import Callable, Set
from functools import cache
from pathlib import Path
from random import Random

from boardsat.archive import manifest, storage
from boardsat.archive.create import create
from boardsat.archive.instance_record import read_records
from boardsat.archive.manifest import Finding
from boardsat.archive.metadata.readme import citation
from boardsat.archive.metadata.ro_crate import ro_crate
from boardsat.archive.metadata.tables import csv_table, gbd_database
from boardsat.archive.verify import verify
from boardsat.base.errors import InputError
from boardsat.campaign.parser import read_metadata
from fuzz.judging import scratch
from fuzz.target import Target
from fuzz.targets._evidence import forged

ARCHIVES = {"some": 1, "none": 2}
"""One instance each, with and without solutions."""
CAMPAIGN = """\
title: Tiny boards
authors:
  - {{given-names: Ada, family-names: Lovelace}}
date: 2026-11-16
license: CC0-1.0
instances:
  - problem: two.yaml
    set: {{n: {n}}}
solvers: [cadical]
counters: [enumeration]
runtime: embedded
"""
SPEC = """\
title: One of two squares
cite: by hand
label: "{n}"
count_preserving: true
counted_objects: squares
published:
  - count: 2
    if: n == 1
    cite: by hand
params: {n: {default: 1, min: 1, max: 2}}
board: {shape: grid, rows: 1, cols: 2}
variables:
  X:
    for: i in cells
constraints:
  - exactly_one: X[i] for i in cells
  - for: i in cells
    if: n == 2
    clause: not X[i]
decode:
  - mark: X[i]
    cell: i
"""
MODEL = "two-1" + storage.MODEL
WORDS = (
    *("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN", "OPTIMUM", '"value"', '"cost"'),
    *("open", "sealed", "evidence", "some", "none"),
    *('"status"', '"count"', '"model"', '"proof"', '"checked"', '"unchecked"', '"board"', "[]"),
    *('["model"]', '["proof"]', "[0, 9]", "null", "true", "false", '"time limit"', '"objects"'),
    *("two-1.model.xz", "two-2.model.xz", "two-2.drat.xz", "../x", "recipe", "identity", "format"),
)

Claims = Set[tuple[object, ...]]


def folder(name: str) -> Path:
    return scratch() / "archives" / name


@cache
def original(name: str) -> dict[str, bytes]:
    """The files of an archive that is intact; it stands where inputs are put in."""
    place = scratch() / f"campaign-{name}"
    place.mkdir()
    (place / "two.yaml").write_text(SPEC)
    (place / "campaign.yaml").write_text(CAMPAIGN.format(n=ARCHIVES[name]))
    folder(name).parent.mkdir(exist_ok=True)
    create(folder(name), place / "campaign.yaml", jobs=1)
    return {each: (folder(name) / each).read_bytes() for each in storage.file_names(folder(name))}


@cache
def usual(name: str) -> set[Finding]:
    """What is told of an intact one: nobody has proved what its counter said."""
    found = {*verify(folder(name))}
    assert not any(finding.is_error for finding in found)
    return found


def seeds() -> list[bytes]:
    found = []
    for name in ARCHIVES:
        for file, data in original(name).items():
            found += [f"{name} {file} {how}\n".encode() + data for how in ("open", "sealed")]
            if file.endswith(storage.RECORD) and file != storage.CRATE:
                evidence = json.dumps(json.loads(data)["evidence"])
                found.append(f"{name} {file} evidence\n{evidence}".encode())
        usual(name)
    return found


def forge(chance: Random) -> bytes:
    name = chance.choice([*ARCHIVES])
    file = f"two-{ARCHIVES[name]}{storage.RECORD}"
    told = forged(json.loads(original(name)[file])["evidence"], chance)
    return f"{name} {file} evidence\n{json.dumps(told)}".encode()


def check(data: bytes) -> None:
    head, _, content = data.partition(b"\n")
    name, _, rest = head.decode("utf-8", "replace").partition(" ")
    file, _, how = rest.partition(" ")
    if name not in ARCHIVES or file not in original(name):
        return
    if how == "evidence":
        content = with_evidence(original(name)[file], content)
    try:
        (folder(name) / file).write_bytes(content)
        if how == "evidence" and not tells_model(content):
            # A forger takes away what would give him away.
            (folder(name) / MODEL).unlink(missing_ok=True)
        if how != "open":
            describe_again(folder(name), file)
        findings = [*verify(folder(name))]
    finally:
        for each in original(name).keys() & {file, MODEL, *storage.SHARED_FILES}:
            (folder(name) / each).write_bytes(original(name)[each])
    is_bad = any(finding.is_error for finding in findings)
    if how == "open":
        assert is_bad == (content != original(name)[file])
    elif not is_bad:
        told = {*findings} - usual(name)
        judge_accepted(name, file, content, " ".join(finding.reason for finding in told))


def with_evidence(record: bytes, evidence: bytes) -> bytes:
    """In the form that records have, so that the form does not give it away."""
    try:
        entries = json.loads(record)
        entries["evidence"] = json.loads(evidence)
        return (json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode()
    except (ValueError, TypeError, RecursionError):
        return evidence


def tells_model(record: bytes) -> bool:
    try:
        return json.loads(record)["evidence"]["model"] is not None
    except (ValueError, TypeError, KeyError, RecursionError):
        return True


def describe_again(place: Path, file: str) -> None:
    """All that repeats the records and the campaign, where they can be read, but for the file."""
    new: dict[str, Callable[[], bytes]] = {storage.MANIFEST: lambda: manifest.manifest(place)}
    try:
        records = read_records(place)
        about, _ = read_metadata(place / storage.CAMPAIGN)
        # The crate speaks of those before it, and the manifest of them all.
        new = {
            storage.TABLE: lambda: csv_table(records),
            storage.DATABASE: lambda: gbd_database(records),
            storage.CITATION: lambda: citation(about),
            storage.CRATE: lambda: ro_crate(place, about, records),
            **new,
        }
    except InputError:
        pass
    for name, text in new.items():
        if name != file:
            (place / name).write_bytes(text())


# What verify may let pass, judged by other means than its own


def judge_accepted(name: str, file: str, content: bytes, told: str) -> None:
    old = original(name)[file]
    if file.endswith(storage.MODEL):
        assert satisfies(content, original(name)[file.replace(storage.MODEL, storage.FORMULA)])
    elif file == storage.DATABASE:
        assert dump(content) == dump(old), "another content"
    elif file == storage.CAMPAIGN:
        pass
    elif file.endswith(storage.RECORD) and file != storage.CRATE:
        new = claims(content) - claims(old)
        assert bool(told) >= bool(new), "another answer is taken for the right one"
        for key, value, *_ in new:
            assert key not in ("status", "count") or f"{value} " in told, "nobody is told"
    else:
        assert content == old


def claims(content: bytes) -> Claims:
    """Whatever a record gives for an answer; `UNKNOWN` says nothing."""
    entries = json.loads(content)
    known = entries["evidence"]
    found: set[tuple[object, ...]] = {
        ("objects", json.dumps(entries["objects"])),
        ("status", known["status"]),
    }
    found |= {(key, known[key]) for key in ("model", "proof") if known[key]}
    if known["count"] is not None:
        found |= {("count", f"{known['count']:,}")}
    for said in known["solved"]:
        found |= {("said", said["solver"], said["status"])}
        found |= {("checked", said["solver"], word) for word in said["checked"]}
        found |= {("value", said["solver"], said["value"])} if "value" in said else set()
    for said in known["counted"]:
        of = (said["counter"], said["exact"], str(said["interval"]))
        numbers = {key: said[key] for key in ("objects", "models") if said[key] is not None}
        found |= {("counted", key, *of, number) for key, number in numbers.items()}
    return {claim for claim in found if "UNKNOWN" not in claim}


def satisfies(model: bytes, formula: bytes) -> bool:
    """Every clause of the formula, read without boardsat."""
    words = re.findall(rb"-?\d+", lzma.decompress(model))
    true = {int(token) for token in words}
    lines = lzma.decompress(formula).decode().splitlines()
    clauses = [{*map(int, line.split())} for line in lines if line[0] not in "cp"]
    return not any(-literal in true for literal in true - {0}) and all(
        clause & (true - {0}) for clause in clauses
    )


def dump(image: bytes) -> list[str]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(image)
        return sorted(connection.iterdump())
    finally:
        connection.close()


TARGET = Target(seeds, check, forge=forge, words=WORDS)
