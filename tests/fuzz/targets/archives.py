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

from boardsat.archive import storage
from boardsat.archive.create import create
from boardsat.archive.instance_record import read_records
from boardsat.archive.readme import citation
from boardsat.archive.ro_crate import ro_crate
from boardsat.archive.storage import Finding
from boardsat.archive.tables import csv_table, gbd_database
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
TOKENS = (
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
    """Return the files of an intact archive, in the folder that inputs are written to."""
    top = scratch() / f"campaign-{name}"
    top.mkdir()
    (top / "two.yaml").write_text(SPEC)
    (top / "campaign.yaml").write_text(CAMPAIGN.format(n=ARCHIVES[name]))
    folder(name).parent.mkdir(exist_ok=True)
    create(folder(name), top / "campaign.yaml", jobs=1)
    return {file: (folder(name) / file).read_bytes() for file in storage.file_names(folder(name))}


@cache
def usual(name: str) -> set[Finding]:
    """Return the findings for an intact archive: unproved counts, no error."""
    findings = {*verify(folder(name))}
    assert not any(finding.is_error for finding in findings)
    return findings


def seeds() -> list[bytes]:
    inputs = []
    for name in ARCHIVES:
        for file, data in original(name).items():
            inputs += [f"{name} {file} {how}\n".encode() + data for how in ("open", "sealed")]
            if file.endswith(storage.RECORD) and file != storage.CRATE:
                evidence = json.dumps(json.loads(data)["evidence"])
                inputs.append(f"{name} {file} evidence\n{evidence}".encode())
        usual(name)
    return inputs


def forge(chance: Random) -> bytes:
    name = chance.choice([*ARCHIVES])
    file = f"two-{ARCHIVES[name]}{storage.RECORD}"
    evidence = forged(json.loads(original(name)[file])["evidence"], chance)
    return f"{name} {file} evidence\n{json.dumps(evidence)}".encode()


def check(data: bytes) -> None:
    head, _, content = data.partition(b"\n")
    name, _, options = head.decode("utf-8", "replace").partition(" ")
    file, _, how = options.partition(" ")
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
        for other_file in original(name).keys() & {file, MODEL, *storage.SHARED_FILES}:
            (folder(name) / other_file).write_bytes(original(name)[other_file])
    is_bad = any(finding.is_error for finding in findings)
    if how == "open":
        assert is_bad == (content != original(name)[file])
    elif not is_bad:
        new_findings = {*findings} - usual(name)
        judge_accepted(name, file, content, " ".join(finding.reason for finding in new_findings))


def with_evidence(record: bytes, evidence: bytes) -> bytes:
    """Replace the evidence of a record, formatted as records are."""
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


def describe_again(top: Path, file: str) -> None:
    """Rewrite all files derived from records and campaign, except one, if these can be read."""
    new: dict[str, Callable[[], bytes]] = {storage.MANIFEST: lambda: storage.manifest(top)}
    try:
        records = read_records(top)
        metadata, _ = read_metadata(top / storage.CAMPAIGN)
        # The crate speaks of those before it, and the manifest of them all.
        new = {
            storage.TABLE: lambda: csv_table(records),
            storage.DATABASE: lambda: gbd_database(records),
            storage.CITATION: lambda: citation(metadata),
            storage.CRATE: lambda: ro_crate(top, metadata, records),
            **new,
        }
    except InputError:
        pass
    for name, text in new.items():
        if name != file:
            (top / name).write_bytes(text())


# What verify may let pass, judged by other means than its own


def judge_accepted(name: str, file: str, content: bytes, reasons: str) -> None:
    old = original(name)[file]
    if file.endswith(storage.MODEL):
        assert satisfies(content, original(name)[file.replace(storage.MODEL, storage.FORMULA)])
    elif file == storage.DATABASE:
        assert dump(content) == dump(old), "another content"
    elif file == storage.CAMPAIGN:
        pass
    elif file.endswith(storage.RECORD) and file != storage.CRATE:
        new = claims(content) - claims(old)
        assert bool(reasons) >= bool(new), "another answer is taken for the right one"
        for key, value, *_ in new:
            assert key not in ("status", "count") or f"{value} " in reasons, "nobody is told"
    else:
        assert content == old


def claims(content: bytes) -> Claims:
    """Return all claims of a record about its answer; `UNKNOWN` claims nothing."""
    entries = json.loads(content)
    evidence = entries["evidence"]
    statements: set[tuple[object, ...]] = {
        ("objects", json.dumps(entries["objects"])),
        ("status", evidence["status"]),
    }
    statements |= {(key, evidence[key]) for key in ("model", "proof") if evidence[key]}
    if evidence["count"] is not None:
        statements |= {("count", f"{evidence['count']:,}")}
    for run in evidence["solved"]:
        statements |= {("said", run["solver"], run["status"])}
        statements |= {("checked", run["solver"], check_name) for check_name in run["checked"]}
        statements |= {("value", run["solver"], run["value"])} if "value" in run else set()
    for run in evidence["counted"]:
        of = (run["counter"], run["exact"], str(run["interval"]))
        numbers = {key: run[key] for key in ("objects", "models") if run[key] is not None}
        statements |= {("counted", key, *of, number) for key, number in numbers.items()}
    return {claim for claim in statements if "UNKNOWN" not in claim}


def satisfies(model: bytes, formula: bytes) -> bool:
    """Every clause of the formula, read without boardsat."""
    tokens = re.findall(rb"-?\d+", lzma.decompress(model))
    true = {int(token) for token in tokens}
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


TARGET = Target(seeds, check, forge=forge, tokens=TOKENS)
