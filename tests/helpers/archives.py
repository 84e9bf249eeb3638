"""Campaign, its archive and its contents, for tests of archives."""

from __future__ import annotations

import importlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardsat.archive import create, storage
from boardsat.archive.instance_record import read_records
from boardsat.campaign.parser import read_metadata
from helpers.campaigns import ONE
from helpers.solver_runs import boardsat

Entries = dict[str, Any]
"""Entries of a record as JSON."""

CORES = len(os.sched_getaffinity(0))
ROOT = Path(__file__).parents[2]
GRAPHS = Path(__file__).parents[1] / "graphs"

SMALL = """\
title: Tiny boards
authors:
  - {given-names: Ada, family-names: Lovelace, orcid: 0000-0001-2345-6789}
date: 2026-11-16
license: CC0-1.0
instances:
  - problem: queens
    set: {n: [3, 4]}
  - problem: hamilton
    encoding: unary
    set: {graph: triangle.txt}
    three_cnf: true
    shuffle: 7
solvers: [cadical]
counters: [enumeration]
runtime: embedded
limits: {timeout: 60}
"""
NAMES = [
    "hamilton-triangle-cycle-unary-three-auto-shuffle7",
    "queens-3-squares",
    "queens-4-squares",
]
FILES = sorted(
    [
        *storage.SHARED_FILES,
        *(name + suffix for name in NAMES for suffix in (storage.FORMULA, storage.RECORD)),
        *(name + storage.MODEL for name in NAMES if name != "queens-3-squares"),
    ]
)


def campaign(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copy(GRAPHS / "triangle.txt", folder)
    path = folder / "list.yaml"
    path.write_text(text)
    return path


def create_archive(folder: Path, text: str, *options: object) -> Path:
    """Create the archive of the campaign, by one worker unless options say otherwise."""
    target = folder / "archive"
    output = boardsat("archive", "create", target, campaign(folder, text), *(options or ONE))
    assert output.code == 0, output.err
    return target


def verify_findings(folder: Path) -> dict[str, str]:
    """Return the errors that `archive verify` reports, by file."""
    findings = all_findings(folder)
    return {
        finding["file"]: finding["what"] for finding in findings if finding["what"] != "not checked"
    }


def all_findings(folder: Path) -> list[dict[str, str]]:
    """Return all findings of `archive verify --json`, checking its exit code."""
    output = boardsat("archive", "verify", folder, "--json")
    report = json.loads(output.out)
    findings: list[dict[str, str]] = report["findings"]
    bad = any(finding["what"] != "not checked" for finding in findings)
    assert (output.code == 0) == report["intact"] == (not bad) and output.code in (0, 1)
    return findings


def seal(folder: Path) -> None:
    """Write the manifest of the present contents."""
    (folder / storage.MANIFEST).write_bytes(storage.manifest(folder))


def forge(folder: Path, name: str, change: Callable[[Entries], object]) -> str:
    """Change a record, renew all descriptions of the archive, and return the file of the record."""
    path = folder / (name + storage.RECORD)
    entries = json.loads(path.read_bytes())
    change(entries)
    path.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    metadata, _ = read_metadata(folder / storage.CAMPAIGN)
    create.write_descriptions(folder, metadata, read_records(folder))
    return path.name


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in storage.file_names(folder)}


def import_package(name: str) -> Any:
    """Import a third-party package that reads these formats."""
    return importlib.import_module(name)
