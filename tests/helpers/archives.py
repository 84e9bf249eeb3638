"""What tests of archives share: a campaign, its archive, and what stands in it."""

from __future__ import annotations

import importlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardsat.archive import create, manifest, storage
from boardsat.archive.instance_record import read_records
from boardsat.campaign.parser import read_metadata
from helpers.campaigns import ONE
from helpers.solver_runs import boardsat

Entries = dict[str, Any]
"""Of a record, as JSON."""

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
        *(name + ending for name in NAMES for ending in (storage.FORMULA, storage.RECORD)),
        *(name + storage.MODEL for name in NAMES if name != "queens-3-squares"),
    ]
)


def campaign(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copy(GRAPHS / "triangle.txt", folder)
    path = folder / "list.yaml"
    path.write_text(text)
    return path


def make(folder: Path, text: str, *words: object) -> Path:
    """An archive of the campaign, by one worker unless words say more: it takes long to start."""
    target = folder / "archive"
    said = boardsat("archive", "create", target, campaign(folder, text), *(words or ONE))
    assert said.code == 0, said.err
    return target


def verified(folder: Path) -> dict[str, str]:
    """What `archive verify` finds to be bad, by file."""
    findings = found(folder)
    return {each["file"]: each["what"] for each in findings if each["what"] != "not checked"}


def found(folder: Path) -> list[dict[str, str]]:
    """All that it tells."""
    said = boardsat("archive", "verify", folder, "--json")
    told = json.loads(said.out)
    findings: list[dict[str, str]] = told["findings"]
    bad = any(each["what"] != "not checked" for each in findings)
    assert (said.code == 0) == told["intact"] == (not bad) and said.code in (0, 1)
    return findings


def seal(folder: Path) -> None:
    """The manifest of what stands there now."""
    (folder / storage.MANIFEST).write_bytes(manifest.manifest(folder))


def forge(folder: Path, name: str, change: Callable[[Entries], object]) -> str:
    """Change a record, and let all that describes the archive agree; the file of the record."""
    path = folder / (name + storage.RECORD)
    entries = json.loads(path.read_bytes())
    change(entries)
    path.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    about, _ = read_metadata(folder / storage.CAMPAIGN)
    create.write_descriptions(folder, about, read_records(folder))
    return path.name


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in storage.file_names(folder)}


def package(name: str) -> Any:
    """A package of the field that knows our formats."""
    return importlib.import_module(name)
