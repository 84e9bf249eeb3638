"""Archives that were tampered with: `archive verify` finds it, whatever was put in.

The first line of an input names a file of the archive and says whether somebody has made the
manifest anew since: `tiny-1.json sealed`. The rest is put in the place of the file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from boardsat.archive.contents import files, manifest
from boardsat.archive.create import create
from boardsat.archive.verify import verify
from fuzz.judging import scratch
from fuzz.target import Target

CAMPAIGN = """\
title: Tiny boards
authors:
  - {given-names: Ada, family-names: Lovelace}
date: 2026-11-16
license: CC0-1.0
instances:
  - problem: tiny.yaml
    set: {n: [1, 2]}
solvers: [cadical]
counters: [enumeration]
runtime: embedded
"""
SPEC = """\
title: One variable, true, and false as well if n is 2
params: {n: 1}
variables: {X: {}}
constraints:
  - clause: X
  - {if: n == 2, clause: not X}
objects: models
"""
WORDS = (
    *(
        "SATISFIABLE",
        "UNSATISFIABLE",
        "UNKNOWN",
        "sealed",
        "open",
        "../x",
        "status",
        "count",
        "model",
    ),
    *(
        "proof",
        "checked",
        "recipe",
        "identity",
        "evidence",
        "solved",
        "counted",
        "format",
        "sha256",
    ),
)


@cache
def original() -> dict[str, bytes]:
    """The files of an archive that is intact; it stands where inputs are put in."""
    campaign = scratch() / "campaign.yaml"
    campaign.write_text(CAMPAIGN)
    campaign.with_name("tiny.yaml").write_text(SPEC)
    for _ in create(folder(), campaign):
        pass
    assert not any(finding.bad for finding in verify(folder()))
    return {name: (folder() / name).read_bytes() for name in files.present(folder())}


def folder() -> Path:
    return scratch() / "archive"


def seeds() -> list[bytes]:
    return [
        f"{name} {how}\n".encode() + data
        for name, data in original().items()
        for how in ("sealed", "open")
    ]


def check(data: bytes) -> None:
    head, _, content = data.partition(b"\n")
    name, _, how = head.decode("utf-8", "replace").partition(" ")
    if name not in original():
        return
    path = folder() / name
    path.write_bytes(content)
    if how == "sealed":
        (folder() / files.MANIFEST).write_bytes(manifest.manifest(folder()))
    try:
        findings = list(verify(folder()))
    finally:
        path.write_bytes(original()[name])
        (folder() / files.MANIFEST).write_bytes(original()[files.MANIFEST])
    is_bad = any(finding.bad for finding in findings)
    if how != "sealed":
        assert is_bad == (content != original()[name])
    elif told(content) not in (None, told(original()[name])):
        assert is_bad, "another answer is taken for the right one"


def told(content: bytes) -> Any:
    """The answer that a record gives; None where it is no record."""
    try:
        evidence = json.loads(content)["evidence"]
        return evidence["status"], evidence["count"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


TARGET = Target(seeds, check, words=WORDS)
